"""Secrets are replaced before anything leaves a reader: `[redacted:<kind>:<n>]`; nothing derived from them stays."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from functools import lru_cache

from minutebook.ground.lazy import lazy
from minutebook.redaction.finding import CROWDED, Finding
from minutebook.redaction.hidden import Seen, has_emphasis, has_hidden, without_hidden
from minutebook.redaction.rules import RULES
from minutebook.redaction.runs import LEAST_RUN
from minutebook.redaction.scan import scan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Finding", "Redactor", "find_secrets"]

_DONE = lazy(r"\[redacted:[a-z0-9-]{1,40}:[0-9]{1,9}\]|\[SCRUBBED\]")
_SENSITIVE_KEY = lazy(r"(?i)passw|passphrase|pwd$|secret|token|api_?-?key|access_?-?key|authorization|^_?auth$")
_SHORTEST = 8
_DEEPEST = 200
_WALL = "\n\0\n"
"""Between texts that are scanned as one: no pattern reaches across it."""
_AT_ONCE = 1 << 20
_LONG = 16_384
_LOOSE = lazy(r"(?:\n|\\n)[ \t]{0,8}[0-9]{1,6}[\t→|:]|\\{1,8}[nrt]|\\(?=[/\"'])|[\s\"'+,|>]")
_RANK = {kind: number for number, kind in reversed(list(enumerate(rule.kind for rule in RULES)))} | {CROWDED: -1}


def find_secrets(text: str) -> list[Finding]:
    """The secrets in a text, sorted, without overlaps. What is redacted already is no secret."""
    if len(text) < _SHORTEST:
        return []
    found = scan(text)
    if has_hidden(text):
        found += _seen(Seen(text), text)
    if has_emphasis(text):
        found += _seen(Seen(text, emphasis=True), text)
    return _apart(found, text) if found else []


def _seen(seen: Seen, text: str) -> list[Finding]:
    """What is found in a text as it is seen, where it stands in the text as it is."""
    found = [Finding(seen.place(each.start), seen.place(each.end - 1) + 1, each.kind) for each in scan(seen.text)]
    if seen.crowded_from is not None:
        found.append(Finding(seen.crowded_from, len(text), CROWDED))
    return found


def _place(finding: Finding) -> tuple[int, int]:
    return finding.start, finding.end


def _apart(found: list[Finding], text: str) -> list[Finding]:
    """Overlapping findings become one over the whole of both (half a secret left is a secret lost), named by the
    earlier rule; what touches an earlier redaction is dropped, but for a stretch that holds it."""
    done = [match.span() for match in _DONE.finditer(text)]
    starts = [start for start, _ in done]
    kept: list[Finding] = []
    for finding in sorted(found, key=_place):
        before = bisect_right(starts, finding.end - 1) - 1
        if before >= 0 and done[before][1] > finding.start and finding.kind != CROWDED:
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
            text = self.replaced(text, found)
        return text

    def replaced(self, text: str, found: Sequence[Finding]) -> str:
        """The text with these findings, sorted and apart, replaced."""
        parts: list[str] = []
        at = 0
        for finding in found:
            parts += (text[at : finding.start], self._placeholder(finding.kind, text[finding.start : finding.end]))
            at = finding.end
        return "".join([*parts, text[at:]])

    def redact_all(self, texts: Sequence[str]) -> list[str]:
        """What `redact` gives for each text, in order. Short ones are scanned together, which costs far less than one
        by one: a search has its price however little it searches."""
        result = list(texts)
        for index in sorted(_suspects(texts)):
            result[index] = self.redact(result[index])
        return result

    def redact_json(self, value: object) -> object:
        """A decoded JSON value with every string redacted, keys too. A string under a name like `password` is judged
        with its name. Where there is nothing to redact the same object comes back.

        Raises RecursionError on a value nested deeper than 200 levels.
        """
        strings: list[str] = []
        _collect(value, strings, 0)
        return self._redacted(value) if _suspects(strings) else value

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
        secret = _same(secret)
        number = self._numbers.get(secret)
        if number is None:
            number = self._numbers[secret] = len(self._numbers) + 1
            self.counts[kind] += 1
        return f"[redacted:{kind}:{number}]"


def _same(secret: str) -> str:
    """What a secret has in common with itself as written elsewhere: escaped in JSON or in a URL, over several lines,
    numbered by a viewer, with characters in it that can't be seen."""
    if "%" in secret:
        from urllib.parse import unquote

        secret = unquote(secret)
    return _LOOSE.sub("", without_hidden(secret))


def _suspects(texts: Sequence[str]) -> set[int]:
    """The indexes of the texts in which something would be found. Those beyond ASCII are scanned apart, so that they
    don't make the others wide."""
    found: set[int] = set()
    held: dict[bool, list[int]] = {True: [], False: []}
    size = {True: 0, False: 0}
    for index, text in enumerate(texts):
        if len(text) > _LONG:
            if find_secrets(text):
                found.add(index)
        elif len(text) >= _SHORTEST:
            narrow = text.isascii()
            held[narrow].append(index)
            size[narrow] += len(text)
            if size[narrow] > _AT_ONCE:
                found |= _among(texts, held[narrow])
                held[narrow], size[narrow] = [], 0
    return found.union(*(_among(texts, some) for some in held.values() if some))


def _among(texts: Sequence[str], indexes: list[int]) -> set[int]:
    joined = _WALL.join([texts[index] for index in indexes])
    spans = find_secrets(joined)
    if not spans:
        return set()
    starts, at = [], 0
    for index in indexes:
        starts.append(at)
        at += len(texts[index]) + len(_WALL)
    found: set[int] = set()
    for span in spans:
        first, last = bisect_right(starts, span.start) - 1, bisect_right(starts, span.end - 1) - 1
        found.update(indexes[first : last + 1])
    return found


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
        into += [key for key in value if len(key) >= LEAST_RUN]
    elif isinstance(value, list):
        for item in value:
            _collect(item, into, depth + 1)
    elif isinstance(value, str):
        into.append(value)
