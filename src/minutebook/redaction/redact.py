"""Secrets are replaced before anything leaves a reader: `[redacted:<kind>:<n>]`; nothing derived from them stays."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from minutebook.ground.lazy import lazy
from minutebook.redaction.finding import CROWDED, Finding
from minutebook.redaction.runs import LEAST_RUN
from minutebook.redaction.search import find_near, find_secrets

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Finding", "Redactor", "find_secrets"]

_SENSITIVE_KEY = lazy(r"(?i)passw|passphrase|pwd$|secret|token|api_?-?key|access_?-?key|authorization|^_?auth$")
_DEEPEST = 200
_AHEAD = 1 << 16
"""Characters around a secret that are looked at again when it is gone: none is longer."""
_SPELLED = lazy(r"[^ -~]|[%\\&\"'`]")
_LOOSE = lazy(r"(?:\n|\\n)[ \t]{0,8}[0-9]{1,6}[\t→|:]|\\{1,8}[nrt]|\\(?=[/\"'])|[\s\"'+,|>]")


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
        return self.rid(text, find_secrets(text))

    def rid(self, text: str, found: Sequence[Finding]) -> str:
        """The text without these secrets, which are all that were found in it, nor what is found when they are gone:
        beside the placeholders, for the rest has been searched. Where that took all that may be spent, it is searched
        again: less may be spent on what is left, which is less."""
        while found:
            crowded = any(each.kind == CROWDED for each in found)
            text, spans = self._replaced(text, found)
            found = find_secrets(text) if crowded else find_near(text, spans, _AHEAD)
        return text

    def _replaced(self, text: str, found: Sequence[Finding]) -> tuple[str, list[tuple[int, int]]]:
        """The text with these findings, sorted and apart, replaced, and where the placeholders stand."""
        parts: list[str] = []
        spans: list[tuple[int, int]] = []
        at = size = 0
        for finding in found:
            parts += (text[at : finding.start], self._placeholder(finding.kind, text[finding.start : finding.end]))
            size += finding.start - at
            spans.append((size, size + len(parts[-1])))
            at, size = finding.end, spans[-1][1]
        return "".join([*parts, text[at:]]), spans

    def redact_all(self, texts: Sequence[str]) -> list[str]:
        """What `redact` gives for each text, in order. Short ones are scanned together, which costs far less than one
        by one: a search has its price however little it searches."""
        from minutebook.redaction.batch import suspects

        result = list(texts)
        for index, found in sorted(suspects(texts).items()):
            result[index] = self.redact(result[index]) if found is None else self.rid(result[index], found)
        return result

    def redact_json(self, value: object) -> object:
        """A decoded JSON value with every string redacted, keys too. A string under a name like `password` is judged
        with its name. Where there is nothing to redact the same object comes back.

        Raises RecursionError on a value nested deeper than 200 levels.
        """
        from minutebook.redaction.batch import suspects

        strings: list[str] = []
        _collect(value, strings, 0)
        return self._redacted(value) if suspects(strings) else value

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
    """What a secret has in common with itself as written elsewhere: escaped in JSON, HTML or a URL, in full width,
    joined by a program, over several lines, numbered by a viewer, with characters in it that can't be seen."""
    if not secret.isascii() or "*" in secret:
        from minutebook.redaction.hidden import seen

        secret = seen(secret)
    if _SPELLED.search(secret) is not None:
        from minutebook.redaction.spelled import plainly

        secret = plainly(secret)
    return _LOOSE.sub("", secret)


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
