"""Tokens in the runs of at least 16 word characters that a text has: most are such a run or begin with one."""

from __future__ import annotations

from minutebook.redaction.finding import RUN_TRIAL, WEIGHED, Effort, Finding, crowd
from minutebook.redaction.rules import RULES
from minutebook.redaction.shape import Rule
from minutebook.redaction.tokens import DISCORD
from minutebook.redaction.values import known_before, looks_random, span_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_WORD = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"
LEAST_RUN = 16
_RUN = b"a" * LEAST_RUN
_AS_RUNS = bytes(0x61 if byte in _WORD else 0x20 for byte in range(256))


def _starts() -> dict[bytes, list[tuple[bytes, Rule]]]:
    """Three letters: the tokens that start with them. A shorter literal goes on with a digit of hex."""
    found: dict[bytes, list[tuple[bytes, Rule]]] = {}
    for rule in RULES:
        for name in rule.literals if rule.token else ():
            literal = name.encode("ascii")
            if not literal.strip(_WORD):
                longer = (
                    [literal[:3]] if len(literal) > 2 else [literal + bytes([digit]) for digit in b"0123456789abcdef"]
                )
                for stem in longer:
                    found.setdefault(stem, []).append((literal, rule))
    return found


_STARTS = _starts()
_DOTTED = [(name.encode("ascii"), rule) for rule in RULES if rule.token for name in rule.literals if name.endswith(".")]
_LEAVES = b".\\:%[;"
_TAILS = frozenset(literal[-3:] for literal, _ in _DOTTED)
_TELEGRAM = next(rule for rule in RULES if rule.literals == (":AA",))


def tokens(text: str, plain: bytes, effort: Effort) -> Iterator[Finding]:
    """The tokens that begin a run of word characters, and runs that only look random."""
    marks = plain.translate(_AS_RUNS)
    find, size, known = marks.find, len(plain), _STARTS
    at = find(_RUN)
    while at >= 0:
        end = find(b" ", at + LEAST_RUN)
        if end < 0:
            end = size
        length = end - at
        if (
            plain[at : at + 3] in known
            or (length >= 23 and _shaped(plain, at, end))
            or (plain[at - 1] in _LEAVES and _left_over(plain, at))
        ):
            effort.left -= RUN_TRIAL
            if effort.left < 0:
                yield crowd(marks, _RUN, at)
                return
            yield from _in_run(text, plain, at, end, effort)
        at = find(_RUN, end)


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
        effort.left -= WEIGHED
        at += {b"\\": 1, b"%": 2}.get(plain[at - 1 : at], 0)  # what is left of an escape is not the word's
        if _alone(plain, at, end) and looks_random(plain[at:end].decode("ascii")):
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
    """A piece of base64 is no word of its own."""
    if plain[end : end + 1] in (b"/", b"+") or plain[max(0, at - 1) : at] in (b"/", b"+"):
        return False
    return not known_before(plain[max(0, at - 40) : at].decode("latin-1"))
