"""Tokens in the runs of at least 16 word characters that a text has: most are such a run or begin with one."""

from __future__ import annotations

from minutebook.redaction.finding import RUN_TRIAL, WEIGHED, Effort, Finding, crowd
from minutebook.redaction.long_runs import LEAST_LONG, may_be_text, sifted
from minutebook.redaction.look import WORD
from minutebook.redaction.rules import RULES
from minutebook.redaction.shape import Rule
from minutebook.redaction.tokens import DISCORD
from minutebook.redaction.values import digest, known_before, looks_random, public, span_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from array import array
    from collections.abc import Iterator

    from minutebook.redaction.look import Look

LEAST_RUN = 16
_RUN = b"a" * LEAST_RUN


def _starts() -> dict[bytes, list[tuple[bytes, Rule]]]:
    """Three letters: the tokens that start with them. A shorter literal goes on with a digit of hex."""
    found: dict[bytes, list[tuple[bytes, Rule]]] = {}
    for rule in RULES:
        for name in rule.literals if rule.token else ():
            literal = name.encode("ascii")
            if not literal.strip(WORD):
                for stem in _stems(literal):
                    found.setdefault(stem[:3], []).append((literal, rule))
    return found


def _stems(literal: bytes) -> list[bytes]:
    """The literal, or what it goes on with where it has two letters."""
    return [literal] if len(literal) > 2 else [literal + bytes([digit]) for digit in b"0123456789abcdef"]


_STARTS = _starts()
_DOTTED = [(name.encode("ascii"), rule) for rule in RULES if rule.token for name in rule.literals if name.endswith(".")]
_LEAVES = b".\\:%[;"
_TAILS = frozenset(literal[-3:] for literal, _ in _DOTTED)
_TELEGRAM = next(rule for rule in RULES if rule.literals == (":AA",))
_HEXED = b"pat"
"""What many words begin with, and one token, which is told by the 64 digits of hex after its dot."""
_LITERALS = {b"%3AAA", *(name.encode("ascii") for rule in RULES if rule.token for name in rule.literals)} - {_HEXED}


def _by_stem() -> dict[bytes, list[bytes]]:
    found: dict[bytes, list[bytes]] = {}
    for literal in sorted(_LITERALS):
        for stem in _stems(literal):
            found.setdefault(stem.lower(), []).append(literal)
    return found


_BY_STEM = _by_stem()
SOUGHT = tuple(_BY_STEM)
"""What is in every run with a token, or right before it."""
_REST = _RUN[5:]
_AHEAD = {literal: len(literal) for literal, _ in _DOTTED} | {b":AA": 1, b"%3AAA": 1}
_FARTHEST = 5
_BLOCK = 8192
"""Characters of a certificate before a word of it."""
_SHORT_MOST = 17 + _FARTHEST
_LEAST_SHAPED = 23


def tokens(look: Look, effort: Effort) -> Iterator[Finding]:
    """The tokens that begin a run of word characters, and runs that only look random."""
    for at, end in _all_runs(look) if look.known is None else _runs_of(look, look.known):
        effort.left -= RUN_TRIAL
        if effort.left < 0:
            yield crowd(look.text, at, (look.marks.rfind(_RUN),))
            return
        yield from _in_run(look.text, look.plain, at, end, effort)


def _all_runs(look: Look) -> Iterator[tuple[int, int]]:
    """The runs that may hold a token, each looked at by its first letters; on the way those that are long are noted."""
    plain, find, size, known = look.plain, look.marks.find, len(look.plain), _STARTS
    at = find(_RUN)
    while at >= 0:
        end = find(b" ", at + LEAST_RUN)
        if end < 0:
            end = size
        if end - at >= LEAST_LONG and may_be_text(plain, at):
            look.packed.append((at, end))
        if (
            plain[at : at + 3] in known
            or (end - at >= _LEAST_SHAPED and _shaped(plain, at, end))
            or (plain[at - 1] in _LEAVES and _left_over(plain, at))
        ):
            yield at, end
        at = find(_RUN, end)


def _runs_of(look: Look, known: dict[bytes, array[int]]) -> Iterator[tuple[int, int]]:
    """The same, where it is known where each of the words of `SOUGHT` stands."""
    plain, marks, starts = look.plain, look.marks, set[int]()
    for stem, places in known.items():
        for literal in _BY_STEM.get(stem, ()):
            starts.update(_begun(plain, marks, literal, places))
    mixed, dotted, look.packed = sifted(plain, marks)
    starts.update(mixed)
    for at in dotted:
        starts.update(_third(plain, marks, at))
        starts.update(_second(plain, marks, at))
    for at in sorted(starts):
        end = marks.find(b" ", at)
        yield at, end if end >= 0 else len(plain)


def _begun(plain: bytes, marks: bytes, literal: bytes, places: array[int]) -> Iterator[int]:
    """The starts of the runs that may be a token with this literal."""
    ahead = _AHEAD.get(literal)
    for place in places:
        if not plain.startswith(literal, place):
            continue
        if ahead is not None:
            if marks.startswith(_RUN, place + ahead):
                yield place + ahead
        elif marks.startswith(_REST, place):
            at = 1 + marks.rfind(b" ", max(0, place - _FARTHEST - 1), place)
            if marks.startswith(_RUN, at):
                yield at


def _third(plain: bytes, marks: bytes, at: int) -> Iterator[int]:
    """Where the first part starts of which the run at `at` may be the third, as Discord's tokens have them."""
    second = marks.rfind(b" ", max(0, at - 9), at - 1)
    if second > 0 and plain[second] == 0x2E:
        first = marks.rfind(b" ", max(0, second - 40), second) + 1
        if second - first >= _LEAST_SHAPED:
            yield first


def _second(plain: bytes, marks: bytes, at: int) -> Iterator[int]:
    """Where the run starts that ends at a dot before the run at `at`, if it may be a token told by what follows it."""
    floor = max(0, at - 2 - _SHORT_MOST)
    first = max(floor, marks.rfind(b" ", floor, at - 1) + 1)
    if marks.startswith(_RUN, first) and plain.find(_HEXED, first, first + _FARTHEST + len(_HEXED)) >= 0:
        yield first


def _shaped(plain: bytes, at: int, end: int) -> bool:
    """Whether a run may be a token by its length and letters alone."""
    if end - at < 32:
        return plain[end : end + 1] == b"." and plain[at] in b"MNO"
    run = plain[at : at + 102]
    return len(run) >= end - at and not run[: end - at].islower() and not run[: end - at].isupper()


def _left_over(plain: bytes, at: int) -> bool:
    """Whether a token may start inside of a run, or before it: escapes leave something of themselves, and some tokens
    have a dot or a colon in their start."""
    before = plain[at - 1]
    if before == 0x2E:
        return plain[at - 3 : at] in _TAILS
    if before == 0x5C:
        return plain[at] in b"nrtu"
    if before == 0x3A:
        return plain[at] == 0x41
    return before == 0x25 or plain[at] in b"0123456789"


def _in_run(text: str, plain: bytes, at: int, end: int, effort: Effort) -> Iterator[Finding]:
    found = None
    for start, rule in _candidates(plain, at, end):
        match = rule.pattern.match(text, start)
        if match is not None and rule.genuine(match):
            found = Finding(*span_of(match), rule.kind)
            yield found
            break
    if found is None and 32 <= end - at <= 101:
        at += {b"\\": 1, b"%": 2}.get(plain[at - 1 : at], 0)  # what is left of an escape is not the word's
        if _alone(plain, at, end):
            effort.left -= WEIGHED
            if looks_random(plain[at:end].decode("ascii")) and not _public(plain, at):
                yield Finding(at, end, "entropy")


def _candidates(plain: bytes, at: int, end: int) -> Iterator[tuple[int, Rule]]:
    """Where which token might stand. It starts where the run starts, or after what an escape left of itself there."""
    starts = [at, *(at + shift for shift in _shifts(plain, at))]
    for start in starts:
        for literal, rule in _STARTS.get(plain[start : start + 3], ()):
            if plain.startswith(literal, start):
                yield start, rule
    if plain[at - 1 : at] == b".":
        for literal, rule in _DOTTED:
            if at >= len(literal) + rule.before and plain.startswith(literal, at - len(literal)):
                yield at - len(literal) - rule.before, rule
    if plain[at - 1 : at + 2] == b":AA" or plain[at - 1 : at + 4] == b"%3AAA":
        yield at - 1, _TELEGRAM
    if plain[end : end + 1] == b".":
        for start in starts:
            if plain[start : start + 1] in (b"M", b"N", b"O"):
                yield start, DISCORD


def _shifts(plain: bytes, at: int) -> tuple[int, ...]:
    """`\\nTOKEN`, `\\u003dTOKEN`, `%3DTOKEN`, `ESC[31mTOKEN`: how far into the run the token starts."""
    before = plain[at - 1 : at]
    if before == b"\\":
        return (1, 5)
    if before == b"%":
        return (2,)
    if before in (b"[", b";"):
        return (2, 3)
    return ()


def _alone(plain: bytes, at: int, end: int) -> bool:
    """A piece of base64 is no word of its own, and a digest no secret."""
    if plain[end : end + 1] in (b"/", b"+") or plain[max(0, at - 1) : at] in (b"/", b"+"):
        return False
    before = plain[max(0, at - 40) : at].decode("latin-1")
    return not (known_before(before) or digest(before, end - at))


def _public(plain: bytes, at: int) -> bool:
    """Whether a word is part of a certificate."""
    return public(plain[max(0, at - _BLOCK) : at].decode("latin-1"))
