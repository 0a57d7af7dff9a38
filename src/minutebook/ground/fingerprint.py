"""What a statement is about, as bits: enough to know it again when it is said in other words, too few to read it.

A b-bit MinHash (Li and König 2010, “b-bit minwise hashing”) with b = 1 over the content words: of 128 keyed hashes of
every word the lowest bit of the smallest. Two sets of words agree in a bit with probability (1 + J) / 2, J being their
Jaccard index; so the share of bits that agree tells how alike they are (standard error .07 at J = .6). The bits are the
same on every platform and in every version: BLAKE2 and SHAKE-256 are standards, and what a word is stands here and in
`ground/words.py`.

No word can be read from the bits. Who guesses a whole statement and has the key can see whether the guess is right:
that is what they are for.
"""

import re
from functools import lru_cache
from hashlib import blake2b, shake_256
from struct import unpack

from minutebook.ground.frozen import frozen
from minutebook.ground.nouns import singular
from minutebook.ground.words import terms

BITS = 128
ALIKE = 1.0
"""Jaccard index, told by the bits, from which two statements say the same: that of the same words. To be asked once
more costs a look; to silence what nobody rejected costs a memory that nobody misses. So a word more, a word less or
another word makes another statement. Under twenty keys: of 30 pairs of paraphrases 27 % are asked again; of 10
pairs made to differ in one word, and of 15 written to silence more than was rejected, none is taken for the
same (at .6, without sides: 16 %, 15 % and 56 %; `tests/test_fingerprint.py` holds it to that). A false match is shown
with the reason, and can be undone."""
_FORM = re.compile(r"m1(?P<sign>[+-])(?P<bits>[0-9a-f]{32})")
_SAYS_LITTLE = frozenset(
    re.findall(
        "[a-z]+",
        """
    always never ever adopt adopted agree agreed ask avoid choose chosen decide decided definitely do ensure every go
    going good instead keep kept let like make need new now ok okay once one only onward onwards pick please prefer
    preferred put rather really reject remove replace rule should stick stop sure switch take team thing things
    time today used uses using want way well yes yeah don doesn didn won isn aren shouldn mustn cannot couldn wouldn
    s t d m ll ve re everything anything something everyone project repo repository here there
    """,
    )
)
_NEGATIVE = re.compile(
    r"\b(?:never|no(?!\s+(?:more\s+than|less))|(?<!,\s)not|(?:do|does|did|wo|ca|should|must|is|are|could|would)n['’]t|"
    r"cannot|stop|avoid|drop|without|reject|ban|forbid)\b",
    re.IGNORECASE,
)
_SAME_BUT_NUMBERS = 0.75
_FILLS = frozenset({"els", "follow", "get", "giv", "lie", "liv", "may", "please", "stay"})
_ROOTS = {"written": "writ", "wrote": "writ", "kept": "keep", "stored": "stor", "held": "hold", "told": "tell"}
_AFTER = re.compile(
    r"(?:\b(?:instead\s+of|rather\s+than|in\s+place\s+of|over|than|before|after)|,\s*not)\s+"
    r"(?:(?:the|an?|every|each|any|all|you|we|your|our|use|using)\s+){0,3}(?P<word>[\w.-]{1,60})",
    re.IGNORECASE,
)
_FROM = re.compile(r"\bfrom\s+(?P<word>[A-Z][\w-]{0,60})")
_TO = re.compile(r"\b(?:by|to)\s+(?P<word>[A-Z][\w-]{0,60})")
_NAME = re.compile(r"\b[A-Z][a-z]")
_DOES = re.compile(
    r"\b(?P<word>[\w-]{1,60})\s+(?:must|may|should|can|shall|will|has\s+to|have\s+to|needs?\s+to)\s+"
    r"(?!(?:\w{1,20}\s+)?be\b)",
    re.IGNORECASE,
)
_ENDS = ("ing", "ed", "ly", "es", "e")


@frozen
class Fingerprint:
    """`negative` is whether the statement rules out what it is about; the bits are the same either way."""

    bits: int
    negative: bool

    def __str__(self) -> str:
        return f"m1{'-' if self.negative else '+'}{self.bits:032x}"


@lru_cache(maxsize=1 << 15)
def content(text: str) -> frozenset[str]:
    """The words that say what a statement is about: stems, without those that only make it a rule, a choice or a wish.

    What holds a digit counts twice: another number is another statement.
    """
    stems = {stem for word in terms(text) if (stem := stem_of(word)) not in _SAYS_LITTLE and word not in _SAYS_LITTLE}
    return frozenset(stems | {f"{stem}#" for stem in stems if _counts(stem)})


@lru_cache(maxsize=1 << 15)
def is_negative(text: str) -> bool:
    """Whether a statement rules something out."""
    return _NEGATIVE.search(text) is not None


def likeness(first: str, second: str) -> float:
    """Jaccard index of the content words; 0 where one has none, or where only one of them rules it out."""
    one, other = content(first), content(second)
    if not one or not other or is_negative(first) != is_negative(second):
        return 0.0
    return len(one & other) / len(one | other)


def differ_in_numbers(first: str, second: str) -> bool:
    """Whether two statements say the same of other numbers, and share none."""
    one, other = _numbers(first), _numbers(second)
    if not one or not other or one & other or is_negative(first) != is_negative(second):
        return False
    plain = content(first) - one, content(second) - other
    return all(plain) and len(plain[0] & plain[1]) / len(plain[0] | plain[1]) >= _SAME_BUT_NUMBERS


@lru_cache(maxsize=4096)
def fingerprint(text: str, key: bytes) -> Fingerprint | None:
    """The fingerprint under a key; None where the text holds no content word."""
    if not content(text):
        return None
    words = _said(text)
    smallest = map(min, zip(*(_hashes(word, key) for word in words), strict=True))
    bits = 0
    for value in smallest:
        bits = bits << 1 | value & 1
    return Fingerprint(bits, is_negative(text))


def resemblance(one: Fingerprint, other: Fingerprint) -> float:
    """The Jaccard index that the bits tell, 0 to 1; 0 where only one of them rules it out."""
    if one.negative != other.negative:
        return 0.0
    agree = BITS - (one.bits ^ other.bits).bit_count()
    return max(0.0, 2 * agree / BITS - 1)


def read_fingerprint(text: str) -> Fingerprint | None:
    """What `str` of a fingerprint gives; None for anything else."""
    match = _FORM.fullmatch(text)
    return Fingerprint(int(match["bits"], 16), match["sign"] == "-") if match else None


def keyed(name: str, key: bytes) -> str:
    """A name of ten hex digits for a name that may hold words."""
    return blake2b(name.encode("utf-8", "surrogatepass"), digest_size=5, key=key).hexdigest()


def _said(text: str) -> frozenset[str]:
    """The content words by their roots, without fillers; and on which side some of them stand: what is put behind or
    passed over, where it goes, who does it. “Tabs over spaces” isn't “spaces over tabs”."""
    roots = {_root(word) for word in content(text)}
    sides = {
        f"{root}{mark}"
        for pattern, mark in (
            (_AFTER, "<"),
            (_FROM, "<"),
            (_TO, ">"),
            *([(_DOES, ">")] if len(_NAME.findall(text)) > 1 else []),
        )
        for match in pattern.finditer(text)
        for word in terms(match["word"])[-1:]
        if (root := _root(stem_of(word))) in roots
    }
    return frozenset((roots - _FILLS or roots) | sides)


def _root(stem: str) -> str:
    """A stem as its other forms have it: `committ` and `commit`, `retri` and `retry`."""
    known = _ROOTS.get(stem, stem)
    if len(known) > 3 and known[-1] == known[-2]:
        return known[:-1]
    return f"{known[:-1]}y" if len(known) > 3 and known.endswith("i") else known


def _hashes(word: str, key: bytes) -> tuple[int, ...]:
    return unpack(f">{BITS}I", shake_256(key + b"\0" + word.encode("utf-8", "surrogatepass")).digest(4 * BITS))


@lru_cache(maxsize=1 << 15)
def _numbers(text: str) -> frozenset[str]:
    return frozenset(filter(_counts, content(text)))


def _counts(word: str) -> bool:
    return any(map(str.isdigit, word))


def stem_of(word: str) -> str:
    """A word without the ending that its next use may not have; crude, and the same for ever."""
    plain = singular(word)
    for end in _ENDS:
        if plain.endswith(end) and len(plain) - len(end) > 2:
            return plain[: -len(end)]
    return plain
