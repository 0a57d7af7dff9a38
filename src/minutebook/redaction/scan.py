"""Where the secrets of a text are. Ordinary text is passed at the speed of a few searches for bytes; a pattern is
tried only where one of its literals stands.

Two looks: for runs of word characters, which tokens are or start with, and for words like `password`. Where no library
finds them all at once, several letters that seldom make a difference are folded into one, so that one search finds
several words.
"""

from __future__ import annotations

from minutebook.redaction.finding import HIT, LOOK, RUN_TRIAL, TRIAL, Effort, Finding, crowd
from minutebook.redaction.gates import following, host
from minutebook.redaction.literals import every
from minutebook.redaction.pem import END_LINE, tail
from minutebook.redaction.rules import RULES
from minutebook.redaction.runs import SOUGHT, tokens
from minutebook.redaction.shape import Rule
from minutebook.redaction.values import span_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from array import array
    from collections.abc import Iterator

    from minutebook.redaction.look import Look

    _Shape = tuple[int, int, dict[bytes, list["Group"]]]

_FOLDED = bytes.maketrans(b"ydbiuch5432", b"ntpsphhssg=")
_KEPT = b"abcdefghijklmnopqrstuvwxyz2345$:/@~-_= "
_FOLD = bytes(0x20 if byte in b"\t\n\r\"'" else byte if byte in _KEPT else 0 for byte in range(256)).translate(_FOLDED)
_CORES = (*b"ken hret pass --p apth hook ssg pw pearer @ ~ $ log".split(), b" -p")
"""One of them, as folded, is in every literal that isn't a token's: key and token, secret and cred, pass and basic,
sig=, sign in and the port 5432, …"""


class Group:
    """Rules that have to be near the same."""

    def __init__(self, rule: Rule) -> None:
        self.rules = [rule]
        self.near, self.lead, self.owners, self.gate = rule.near, rule.lead, rule.owners, rule.gate
        self.behind, self.within, self.before = rule.behind, rule.within, rule.before

    def takes(self, rule: Rule) -> bool:
        return (rule.near, rule.lead, rule.owners, rule.gate, rule.within, rule.behind, rule.before) == (
            self.near, self.lead, self.owners, self.gate, self.within, self.behind, self.before
        )  # fmt: skip


def _core(literal: bytes) -> tuple[bytes, int]:
    folded = literal.translate(_FOLD)
    core = next(core for core in _CORES if core in folded)
    return core, folded.index(core)


def _words() -> dict[bytes, list[_Shape]]:
    """Core: how far before it literals start, how long they are, and by literal its rules, those together that have to
    be near the same."""
    found: dict[bytes, dict[tuple[int, int], dict[bytes, list[Group]]]] = {}
    for rule in RULES:
        for literal in [] if rule.token else [name.encode("ascii") for name in rule.literals]:
            core, shift = _core(literal)
            groups = found.setdefault(core, {}).setdefault((shift, len(literal)), {}).setdefault(literal, [])
            for group in groups:
                if group.takes(rule):
                    group.rules.append(rule)
                    break
            else:
                groups.append(Group(rule))
    return {core: [(*shape, words) for shape, words in shapes.items()] for core, shapes in found.items()}


_WORDS = _words()
_URLS = b"://"
_COUNT = b" count"
"""Codex writes `Original token count: 12` over all that a command has printed: no rule takes that for a secret."""
_LONGEST_URL = 1 + max(rule.behind for rule in RULES if "@" in rule.literals)
_PLACE_OF = {
    word: (core, shift)
    for core, shapes in _WORDS.items()
    for shift, _, words in shapes
    for word in words
    if core != b"@"
}
LITERALS = (END_LINE, _URLS, *_PLACE_OF, *SOUGHT)
"""What is looked for all at once, if it can be."""


def scan(look: Look, effort: Effort) -> list[Finding]:
    """Every finding in a text, in no order; they may overlap."""
    found = list(tokens(look, effort))
    cores = _folded(look.lower) if look.known is None else _known(look.lower, look.known)
    for core, places in cores.items():
        found.extend(_at(_WORDS[core], places, look, effort))
    if END_LINE in (look.lower if look.known is None else look.known):
        ends = every(END_LINE, look.lower) if look.known is None else iter(look.known[END_LINE])
        found.extend(_torn(ends, look.text, effort))
    return found


def _folded(lower: bytes) -> dict[bytes, Iterator[int]]:
    """Where the cores of the literals stand that are in a text."""
    folded = lower.translate(_FOLD)
    firsts = [(core, folded.find(core)) for core in _WORDS]
    found = {core: every(core, folded, at) for core, at in firsts if at >= 0}
    if b"ken" in found:
        found[b"ken"] = (at for at in found[b"ken"] if lower[at + 3 : at + 9] != _COUNT)
    return found


def _known(lower: bytes, known: dict[bytes, array[int]]) -> dict[bytes, Iterator[int]]:
    """The same, where it is known where the literals stand."""
    found: dict[bytes, set[int]] = {}
    for word, places in known.items():
        if word in _PLACE_OF:
            core, shift = _PLACE_OF[word]
            starts = [at for at in places if lower[at + 5 : at + 11] != _COUNT] if word == b"token" else places
            found.setdefault(core, set()).update([at + shift for at in starts] if shift else starts)
    if _URLS in known:
        found[b"@"] = set(_after_urls(lower, known[_URLS]))
    return {core: iter(sorted(places)) for core, places in found.items()}


def _after_urls(lower: bytes, urls: array[int]) -> Iterator[int]:
    """Where an `@` stands that belongs to a URL: most belong to none."""
    done = 0
    for url in urls:
        at = lower.find(b"@", max(done, url), url + _LONGEST_URL)
        while at >= 0:
            yield at
            done = at + 1
            at = lower.find(b"@", done, url + _LONGEST_URL)


def _torn(ends: Iterator[int], text: str, effort: Effort) -> Iterator[Finding]:
    """The ends of private keys whose beginning was cut off."""
    for at in ends:
        effort.left -= RUN_TRIAL
        if effort.left < 0:
            yield crowd(text, at, ends)
            return
        span = tail(text, at)
        if span is not None:
            yield Finding(*span, "private-key")


def _at(shapes: list[_Shape], places: Iterator[int], look: Look, effort: Effort) -> Iterator[Finding]:
    """The findings of the rules whose literals a core stands for."""
    text, lower, wild, after = look.text, look.lower, not look.text.isascii(), 0
    for at in places:
        if at < after:
            continue
        effort.left -= HIT
        for shift, size, words in shapes:
            start = at - shift
            groups = words.get(lower[start : start + size]) if start >= 0 else None
            if groups is None:
                continue
            effort.left -= LOOK * len(groups)
            owner, next_ = b"", -1
            for group in groups:
                if group.owners:
                    owner = owner or lower[max(0, start - 4) : start].rstrip(b"_- ")[-3:]
                    if owner not in group.owners:
                        continue
                if group.gate is not None:
                    next_ = next_ if next_ >= 0 or group.gate is host else following(lower, start)
                    if not group.gate(lower, start, next_):
                        continue
                tried = _places(group, start, lower, wild)
                finding = _tried(group.rules, tried, text, effort) if tried else None
                if finding is not None:
                    yield finding
                    after = max(after, finding.end)
        if effort.left < 0:
            yield crowd(text, at, places)
            return


def _places(group: Group, at: int, lower: bytes, wild: bool) -> tuple[int, ...]:
    """Where the pattern may match: nowhere, if what has to be near isn't."""
    if group.lead:
        return tuple(_leads(group, at, lower))
    if not group.near:
        return (at - group.before,)
    around = lower[max(0, at - group.behind) : at + group.within]
    for word in group.near:
        if word in around:
            return (at,)
    # What is no Latin-1 is a `?` here, and a few such letters match an ASCII one where the case doesn't count.
    return (at,) if wild and b"?" in around else ()


def _leads(group: Group, at: int, lower: bytes) -> Iterator[int]:
    floor = max(0, at - group.behind)
    for lead in group.lead:
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
