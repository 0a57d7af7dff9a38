"""Secrets are replaced before anything leaves a reader: `[redacted:<kind>:<n>]`; nothing derived from them stays."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from functools import lru_cache

from minutebook.ground.frozen import as_tuple, frozen
from minutebook.ground.lazy import lazy, lazy_bytes
from minutebook.redaction.rules import RULES, Rule
from minutebook.redaction.values import known_before, looks_random, span_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_DONE = lazy(r"\[redacted:[a-z0-9-]{1,40}:[0-9]{1,9}\]|\[SCRUBBED\]")
_WORD = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"
_APART = bytes(byte if byte in _WORD else 0x20 for byte in range(256))
_LEAST_RUN = 16
_LARGE = 1 << 20
_LONG_RUN = lazy_bytes(rb"[A-Za-z0-9_-]{16,}")
_BASE64 = (b"/", b"+")
_SENSITIVE_KEY = lazy(r"(?i)passw|passphrase|pwd$|secret|token|api_?-?key|access_?-?key|authorization")
_SHORTEST = 8
_DEEPEST = 200


def _by_literal(token: bool) -> dict[bytes, list[Rule]]:
    rules: dict[bytes, list[Rule]] = {}
    for rule in RULES:
        for literal in rule.literals if rule.token == token else ():
            rules.setdefault(literal.encode("ascii"), []).append(rule)
    return rules


_TOKEN_RULES = _by_literal(token=True)
_STEMS = frozenset(literal[:3] for literal in _TOKEN_RULES if len(literal) > 2 and not literal.strip(_WORD))
_ANYWHERE = tuple(literal for literal in _TOKEN_RULES if literal[:3] not in _STEMS)
_PARTS = (b"$", b"hook", b"dp.", b"hv")
"""Rare pieces that several of these literals share: one look for each tells of all of them."""
_BY_PART = {part: [literal for literal in _ANYWHERE if part in literal] for part in _PARTS}
_ALONE = [literal for literal in _ANYWHERE if not any(part in literal for part in _PARTS)]
_FOLDED_RULES = _by_literal(token=False)
_RANK = {kind: number for number, kind in reversed(list(enumerate(rule.kind for rule in RULES)))}


@frozen
class Finding:
    """A secret of `kind` at text[start:end]."""

    start: int
    end: int
    kind: str

    def __lt__(self, other: Finding) -> bool:
        return as_tuple(self) < as_tuple(other)


def find_secrets(text: str) -> list[Finding]:
    """The secrets in a text, sorted, without overlaps. What is redacted already is no secret."""
    if len(text) < _SHORTEST:
        return []
    plain = text.encode("latin-1", "replace")  # one byte a character: places are the same, and searching is fast
    runs = _runs(plain)
    found = [
        finding for literal in _present(runs, plain) for finding in _at(literal, _TOKEN_RULES[literal], text, plain)
    ]
    lower = plain.lower()
    for literal, rules in _FOLDED_RULES.items():
        if literal in lower:
            found.extend(_at(literal, rules, text, lower))
    found.extend(_bare(runs, plain))
    return _apart(found, text) if found else []


def _runs(plain: bytes) -> list[bytes]:
    """The runs of at least 16 word characters. All the words of a large text would take ten times its size."""
    if len(plain) > _LARGE:
        return _LONG_RUN.findall(plain)
    return [run for run in plain.translate(_APART).split() if len(run) >= _LEAST_RUN]


def _present(runs: list[bytes], plain: bytes) -> list[bytes]:
    """The literals of tokens that may occur. Most tokens are one run of word characters and start where it starts, or
    after the `n` of an escaped line break: three letters tell that none is there, and they seldom are."""
    starts = {run[:3] for run in runs} | {run[1:4] for run in runs}
    stems = _STEMS & starts
    literals = [literal for literal in _TOKEN_RULES if literal[:3] in stems] if stems else []
    for part, shared in _BY_PART.items():
        if part in plain:
            literals += shared
    return [literal for literal in (*literals, *_ALONE) if literal in plain]


def _at(literal: bytes, rules: list[Rule], text: str, plain: bytes) -> Iterator[Finding]:
    find = plain.find
    at = find(literal)
    tried = list(_tried(rules, plain)) if at >= 0 else []
    while at >= 0 and tried:
        after = at + len(literal)
        for rule, near, behind, within in tried:
            if near:
                start, end = at - behind if at > behind else 0, at + within
                for word in near:
                    if find(word, start, end) >= 0:
                        break
                else:
                    continue
            match = rule.pattern.match(text, at)
            if match is not None and rule.genuine(match):
                start, end = span_of(match)
                yield Finding(start, end, rule.kind)
                after = max(after, end)
                break
        at = find(literal, after)


def _tried(rules: list[Rule], plain: bytes) -> Iterator[tuple[Rule, list[bytes], int, int]]:
    """The rules that may match, each with the words of which one has to be near, as far as the text has them at all.

    In `plain`, what is no Latin-1 is a `?`, and a few such letters match an ASCII one where the case doesn't count."""
    for rule in rules:
        near = [word for word in (b"?", *rule.near) if word in plain] if rule.near else []
        if near or not rule.near:
            yield rule, near, rule.behind, rule.within


def _bare(runs: list[bytes], plain: bytes) -> Iterator[Finding]:
    """Random-looking words that no rule names; found by their letters alone. A piece of base64 is none."""
    at = 0
    for run in runs:
        if not 32 <= len(run) <= 100 or run.islower():
            continue
        at = plain.index(run, at)
        end = at + len(run)
        if plain[max(0, at - 1) : at] == b"\\":  # the letter of an escaped line break is not the word's
            run, at = run[1:], at + 1
        if _alone(plain, at, end) and looks_random(run.decode("ascii")):
            yield Finding(at, end, "entropy")
        at = end


def _alone(plain: bytes, at: int, end: int) -> bool:
    if plain[end : end + 1] in _BASE64 or plain[max(0, at - 1) : at] in _BASE64:
        return False
    return not known_before(plain[max(0, at - 40) : at].decode("latin-1"))


def _apart(found: list[Finding], text: str) -> list[Finding]:
    """Overlapping findings become one over the whole of both (half a secret left is a secret lost), named by the
    earlier rule; what touches an earlier redaction is dropped."""
    done = [match.span() for match in _DONE.finditer(text)]
    starts = [start for start, _ in done]
    kept: list[Finding] = []
    for finding in sorted(found):
        before = bisect_right(starts, finding.end - 1) - 1
        if before >= 0 and done[before][1] > finding.start:
            continue
        if kept and finding.start < kept[-1].end:
            last = kept.pop()
            kind = min(last.kind, finding.kind, key=lambda kind: _RANK.get(kind, len(RULES)))
            kept.append(Finding(last.start, max(last.end, finding.end), kind))
        else:
            kept.append(finding)
    return kept


class Redactor:
    """One for each transcript: the same secret gets the same number all through it, numbers count from 1.

    `counts` holds the number of different secrets by kind.
    """

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self.counts: Counter[str] = Counter()

    def redact(self, text: str) -> str:
        """The text with each secret replaced. Redacting the result again changes nothing: it is done until nothing
        more is found, which ends because every round leaves less text outside the placeholders."""
        while found := find_secrets(text):
            parts: list[str] = []
            at = 0
            for finding in found:
                parts += (text[at : finding.start], self._placeholder(finding.kind, text[finding.start : finding.end]))
                at = finding.end
            text = "".join([*parts, text[at:]])
        return text

    def redact_json(self, value: object) -> object:
        """A decoded JSON value with every string redacted, keys too. A string under a name like `password` is judged
        with its name. Where there is nothing to redact the same object comes back.

        Raises RecursionError on a value nested deeper than 200 levels.
        """
        strings: list[str] = []
        _collect(value, strings, 0)
        return self._redacted(value) if find_secrets("\n".join(strings)) else value

    def _redacted(self, value: object) -> object:
        if isinstance(value, str):
            return self.redact(value)
        if isinstance(value, list):
            return [self._redacted(item) for item in value]
        if isinstance(value, dict):
            return {self.redact(key): self._member(key, item) for key, item in value.items()}
        return value

    def _member(self, key: str, value: object) -> object:
        if not isinstance(value, str) or not _sensitive(key):
            return self._redacted(value)
        lead = _pair(key, "")[:-1]
        whole = self.redact(_pair(key, value))
        return whole[len(lead) : -1] if whole.startswith(lead) and whole.endswith('"') else self.redact(value)

    def _placeholder(self, kind: str, secret: str) -> str:
        number = self._numbers.get(secret)
        if number is None:
            number = self._numbers[secret] = len(self._numbers) + 1
            self.counts[kind] += 1
        return f"[redacted:{kind}:{number}]"


@lru_cache(maxsize=4096)
def _sensitive(key: str) -> bool:
    return _SENSITIVE_KEY.search(key) is not None


def _pair(key: str, value: str) -> str:
    return f'{key}: "{value}"'


def _collect(value: object, into: list[str], depth: int) -> None:
    """Every string of a JSON value that could hold a secret, with its name where the name matters."""
    if depth > _DEEPEST:
        raise RecursionError("nested too deep")
    if isinstance(value, dict):
        for key, item in value.items():
            if isinstance(item, str):
                into.append(_pair(key, item) if _sensitive(key) else item)
            elif isinstance(item, dict | list):
                _collect(item, into, depth + 1)
        into += [key for key in value if len(key) >= _LEAST_RUN]
    elif isinstance(value, list):
        for item in value:
            _collect(item, into, depth + 1)
    elif isinstance(value, str):
        into.append(value)
