"""A short word diff for one line of a message: `stored in [-PostgreSQL-]{+MySQL+} since`."""

from itertools import takewhile

from minutebook.redaction.redact import find_secrets

_CONTEXT = 3
_COMPARED = 300
_SHOWN = 24
_HUNKS = 3


def word_diff(old: str, new: str) -> str:
    """What changed from `old` to `new`, word by word; a few hunks of a few words, whatever the texts' size."""
    # What was taken out of a log may be a secret; a message that repeats it would publish it again.
    was, now = _redacted(old).split(), _redacted(new).split()
    head = _same(was, now)
    tail = _same(was[head:][::-1], now[head:][::-1])
    left = was[head : len(was) - tail]
    right = now[head : len(now) - tail]
    before = _shown(was[max(0, head - _CONTEXT) : head])
    after = _shown(was[len(was) - tail :][:_CONTEXT])
    return " ".join(filter(None, (before, *_hunks(left, right), after)))


def _redacted(text: str) -> str:
    for secret in reversed(find_secrets(text)):
        text = f"{text[: secret.start]}[redacted:{secret.kind}]{text[secret.end :]}"
    return text


def _same(first: list[str], second: list[str]) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, second, strict=False)))


def _hunks(left: list[str], right: list[str]) -> list[str]:
    if len(left) > _COMPARED or len(right) > _COMPARED:
        return [_mark(left, right)]
    from difflib import SequenceMatcher

    out: list[str] = []
    shown = 0
    codes = SequenceMatcher(None, left, right, autojunk=False).get_opcodes()
    for tag, a, b, c, d in codes:
        if tag == "equal":
            kept = left[a:b]
            out.append(_shown(kept) if b - a <= 2 * _CONTEXT else f"{_shown(kept[:3])} … {_shown(kept[-3:])}")
        elif shown == _HUNKS:
            return [*out, "…"]
        else:
            out.append(_mark(left[a:b], right[c:d]))
            shown += 1
    return out


def _mark(left: list[str], right: list[str]) -> str:
    return (f"[-{_shown(left)}-]" if left else "") + (f"{{+{_shown(right)}+}}" if right else "")


def _shown(words: list[str]) -> str:
    text = " ".join(words if len(words) <= _SHOWN else [*words[: _SHOWN // 2], "…", *words[-_SHOWN // 2 :]])
    return text if len(text) <= 300 else f"{text[:150]} … {text[-150:]}"
