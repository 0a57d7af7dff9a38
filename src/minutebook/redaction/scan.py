"""Where the secrets of a text are. Ordinary text is passed at the speed of a few searches for bytes; a pattern is
tried only where one of its literals stands.

Two looks: for runs of word characters, which tokens are or start with, and for words like `password`. Of letters that
seldom make a difference several are folded into one, so that one search finds several words.
"""

from __future__ import annotations

from minutebook.redaction.finding import HIT, LOOK, RUN_TRIAL, TRIAL, Effort, Finding, crowd
from minutebook.redaction.pem import END_LINE, tail
from minutebook.redaction.rules import RULES
from minutebook.redaction.runs import tokens
from minutebook.redaction.shape import Rule
from minutebook.redaction.values import span_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    _Shape = tuple[int, int, dict[bytes, list[list[Rule]]]]

_FOLDED = bytes.maketrans(b"ydbiuch5432", b"ntpsphhssg=")
_KEPT = b"abcdefghijklmnopqrstuvwxyz2345$:/@~-_= "
_FOLD = bytes(0x20 if byte in b"\t\n\r\"'" else byte if byte in _KEPT else 0 for byte in range(256)).translate(_FOLDED)
_CORES = (b"ken", b"hret", b"pass", b" -p", b"--p", b"apth", b"hook", b"ssg=", b"pw", b"pearer", b"@", b"~", b"$")
"""One of them, as folded, is in every literal that isn't a token's: key and token, secret and cred, pass and basic,
sig= and the port 5432, …"""


def _core(literal: bytes) -> tuple[bytes, int]:
    folded = literal.translate(_FOLD)
    core = next(core for core in _CORES if core in folded)
    return core, folded.index(core)


def _words() -> dict[bytes, list[_Shape]]:
    """Core: how far before it literals start, how long they are, and by literal its rules, those together that have to
    be near the same."""
    found: dict[bytes, dict[tuple[int, int], dict[bytes, list[list[Rule]]]]] = {}
    for rule in RULES:
        for literal in [] if rule.token else [name.encode("ascii") for name in rule.literals]:
            core, shift = _core(literal)
            groups = found.setdefault(core, {}).setdefault((shift, len(literal)), {}).setdefault(literal, [])
            for group in groups:
                if _needs(group[0]) == _needs(rule):
                    group.append(rule)
                    break
            else:
                groups.append([rule])
    return {core: [(*shape, words) for shape, words in shapes.items()] for core, shapes in found.items()}


def _needs(rule: Rule) -> tuple[object, ...]:
    return rule.near, rule.lead, rule.within, rule.behind, rule.before, rule.owners


_WORDS = _words()


def scan(text: str) -> list[Finding]:
    """Every finding in a text, in no order; they may overlap."""
    plain = text.encode("latin-1", "replace")  # one byte a character: places are the same, and searching is fast
    lower = plain.lower()
    effort = Effort(len(text))
    found = list(tokens(text, plain, effort))
    folded = lower.translate(_FOLD)
    for core, literals in _WORDS.items():
        if core in folded:
            found.extend(_at(core, literals, text, lower, folded, effort))
    found.extend(_torn(text, lower, effort))
    return found


def _torn(text: str, lower: bytes, effort: Effort) -> Iterator[Finding]:
    """The ends of private keys whose beginning was cut off."""
    at = lower.find(END_LINE)
    while at >= 0:
        effort.left -= RUN_TRIAL
        if effort.left < 0:
            yield crowd(lower, END_LINE, at)
            return
        span = tail(text, at)
        if span is not None:
            yield Finding(*span, "private-key")
        at = lower.find(END_LINE, at + len(END_LINE))


def _at(core: bytes, shapes: list[_Shape], text: str, lower: bytes, folded: bytes, effort: Effort) -> Iterator[Finding]:
    """The findings of the rules whose literals a core stands for."""
    find, wild = folded.find, not text.isascii()
    at = find(core)
    while at >= 0:
        effort.left -= HIT
        after = at + 1
        for shift, size, words in shapes:
            start = at - shift
            groups = words.get(lower[start : start + size]) if start >= 0 else None
            if groups is None:
                continue
            effort.left -= LOOK * len(groups)
            for rules in groups:
                places = _places(rules[0], start, lower, wild)
                finding = _tried(rules, places, text, effort) if places else None
                if finding is not None:
                    yield finding
                    after = max(after, finding.end)
        if effort.left < 0:
            yield crowd(folded, core, at)
            return
        at = find(core, after)


def _places(rule: Rule, at: int, lower: bytes, wild: bool) -> tuple[int, ...]:
    """Where the pattern may match: nowhere, if a word of which one has to be near isn't."""
    if rule.owners and lower[max(0, at - 4) : at].rstrip(b"_- ")[-3:] not in rule.owners:
        return ()
    if rule.lead:
        return tuple(_leads(rule, at, lower))
    if not rule.near:
        return (at - rule.before,)
    find, start, end = lower.find, max(0, at - rule.behind), at + rule.within
    for word in rule.near:
        if find(word, start, end) >= 0:
            return (at,)
    # What is no Latin-1 is a `?` here, and a few such letters match an ASCII one where the case doesn't count.
    return (at,) if wild and find(b"?", start, end) >= 0 else ()


def _leads(rule: Rule, at: int, lower: bytes) -> Iterator[int]:
    floor = max(0, at - rule.behind)
    for lead in rule.lead:
        start = lower.rfind(lead, floor, at)
        while start >= 0:
            yield start
            start = lower.rfind(lead, floor, start + len(lead) - 1)


def _tried(rules: list[Rule], places: tuple[int, ...], text: str, effort: Effort) -> Finding | None:
    effort.left -= TRIAL * len(rules) * len(places)
    for rule in rules:
        for start in places:
            match = rule.pattern.match(text, start) if start >= 0 else None
            if match is not None:
                effort.left -= (match.end() - start) // 2
                if rule.genuine(match):
                    return Finding(*span_of(match), rule.kind)
    return None
