"""The words of a text as search knows them, in prose and in code."""

import re
import unicodedata
from bisect import bisect_left

from minutebook.ground.entry import Entry

_COMPOUND = re.compile(r"[A-Za-z0-9]+(?:[-_.][A-Za-z0-9]+)*")  # with * it never backs up: time stays linear
_LONGEST = 64
_CAMEL = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_SIGNS = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"  # Chinese, Japanese, Korean: no spaces between words
_SIGN = re.compile(f"[{_SIGNS}]")
_WORD = re.compile(rf"[{_SIGNS}]+|[^\W_{_SIGNS}]+")
_STOP = frozenset(
    re.findall(
        "[a-z]+",
        """
    a about above after again all also am an and any are as at be because been before being below between both but
    by can could did do does doing done down during each either etc few for from further get had has have having he
    her here him his how however i if in into is it its itself just let me more most much must my no nor not of off
    on once only or other our out over own per same she should so some such than that the their them then there
    these they this those through to too under until up us use used using very via was we were what when where
    whether which while who whom why will with within without would you your
    """,
    )
)


_COMMON = frozenset({
    "type", "id", "title", "abstract", "tags", "status", "date", "created", "updated", "verified", "stale", "anchors",
    "sources", "relations", "supersedes", "superseded_by", "category",
})  # fmt: skip


def own_fields(entry: Entry) -> str:
    """What an entry says in front matter fields of its type's own, `name: value` a line; none of the levels has it."""
    if entry.in_log:
        return ""
    own = {name: value for name, value in entry.fields.items() if name not in _COMMON and str(value) not in entry.body}
    return "\n".join(f"{name}: {value}" for name, value in own.items() if isinstance(value, str | int))


def terms(text: str) -> list[str]:
    """The words of a text in lower case, without stop words: identifiers whole and in their parts (`userName` is
    also user and name, `DEC-2026-11-02-01` also dec2026110201), Chinese, Japanese and Korean in pairs of signs."""
    plain = unicodedata.normalize("NFC", text)
    words = [part for match in _WORD.finditer(plain) for part in _parts(match[0])]
    joined = [re.sub("[-_.]", "", match[0]).lower() for match in _COMPOUND.finditer(plain) if not match[0].isalnum()]
    return [word for word in (*words, *joined) if word not in _STOP and len(word) <= _LONGEST]


def snippet(text: str, query: str, width: int = 200) -> str:
    """The stretch of `text` with most of the query's words, on one line, about `width` characters."""
    line = " ".join(text.split())
    wanted = set(terms(query))
    places = [match.start() for match in _WORD.finditer(line) if wanted & set(_parts(match[0]))]
    best = max(places, key=lambda at: (bisect_left(places, at + width) - bisect_left(places, at), -at), default=0)
    start = line.rfind(" ", 0, max(0, best - width // 5)) + 1 if best > width // 5 else 0
    cut = line[start : start + width]
    end = cut if start + width >= len(line) else f"{cut.rsplit(' ', 1)[0]} …"
    return f"… {end}" if start else end


def _parts(word: str) -> list[str]:
    if word.isascii():
        camel = [] if word.islower() or word.isdecimal() else _CAMEL.findall(word)
        return [word.lower(), *(part.lower() for part in camel if 1 < len(part) < len(word))]
    if _SIGN.match(word):
        return [word[at : at + 2] for at in range(max(1, len(word) - 1))]
    return [word.lower()]
