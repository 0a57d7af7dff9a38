"""English nouns in the singular and the plural."""


def counted(number: int, noun: str) -> str:
    """`1 entry`, `2 entries`; `noun` is in the singular."""
    return f"{number} {noun if number == 1 else plural(noun)}"


def plural(noun: str) -> str:
    """`entries` for `entry`, `notes` for `note`: the regular plural of an English noun."""
    return f"{noun[:-1]}ies" if noun.endswith("y") and noun[-2:-1] not in "aeiou" else f"{noun}s"


def singular(word: str) -> str:
    """A word without a plural s, so that both forms are compared as one."""
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")) else word
