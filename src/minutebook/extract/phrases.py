"""Patterns written as lists of phrases, so that a grammar can be read line by line."""

import re


def choice(*alternatives: str) -> str:
    """A group that fits any of the alternatives, each a regular expression of its own."""
    return f"(?:{'|'.join(alternatives)})"


def phrases(*alternatives: str) -> re.Pattern[str]:
    """Fits any of the alternatives as whole words, without regard to case."""
    return re.compile(rf"\b{choice(*alternatives)}\b", re.IGNORECASE)


def opening(*alternatives: str) -> re.Pattern[str]:
    """Like `phrases`; to be used with `match`: any of them, with the punctuation after it, once or several times."""
    return re.compile(rf"(?:{choice(*alternatives)}(?!\w)[,.!:;\s—–-]*){{1,5}}", re.IGNORECASE)
