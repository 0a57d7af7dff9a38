"""What people rejected: lines of JSON that say nothing of it but a fingerprint, and who, when and why. Pure.

A line is a rejection or takes one back; none is ever changed, so that two clones join their lines without a conflict.
"""

import json
import re
from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Any

from minutebook.ground.fingerprint import ALIKE, Fingerprint, content, fingerprint, keyed, read_fingerprint, resemblance
from minutebook.ground.frozen import frozen
from minutebook.ground.session import Candidate
from minutebook.ground.unseen import one_line

MOST_WORDS = 300
_LONGEST_LINE = 4096
_FEWEST_WORDS = 4
_MOST_PRINTS = 4
_ID = re.compile(r"rej-[0-9a-f]{10}")
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_KEY = re.compile(r"[0-9a-f]{32}")
_OF = re.compile(r"[0-9a-f]{10}")


@frozen
class Rejection:
    """`of` is the keyed name of the candidate or entry that was rejected; `prints` are the fingerprints of its
    statement and of its quotes, under `key`."""

    id: str
    of: str
    type: str
    day: str
    reason: str
    who: str
    key: bytes
    prints: tuple[Fingerprint, ...]


@frozen
class Rejections:
    """Those that hold, in the order in which they came; how many were taken back, and how many lines can't be read."""

    rows: tuple[Rejection, ...] = ()
    undone: int = 0
    unread: int = 0


NONE = Rejections()


def read_rejections(lines: Iterable[bytes]) -> Rejections:
    """What the lines say. One that says nothing of ours is counted, whatever is in it."""
    rows: dict[str, Rejection] = {}
    undone: set[str] = set()
    unread = 0
    for line in lines:
        said = _object(line)
        row = _rejection(said)
        if row is not None:
            rows.setdefault(row.id, row)
        elif _ID.fullmatch(str(said.get("undo", ""))):
            undone.add(said["undo"])
        else:
            unread += bool(line.strip())
    return Rejections(tuple(row for row in rows.values() if row.id not in undone), len(undone), unread)


def rejected_as(candidate: Candidate, rejections: Rejections) -> Rejection | None:
    """The rejection that this candidate, or what says the same, has met with."""
    return next((row for row in rejections.rows if _is_of(candidate, row)), None)


def named(name: str, rejections: Rejections) -> list[Rejection]:
    """Those that have this id, or are of the candidate or entry with this id."""
    return [row for row in rejections.rows if name == row.id or row.of == keyed(name, row.key)]


def rejecting(
    name: str,
    type_name: str,
    statement: str,
    quotes: Sequence[str],
    *,
    day: str,
    reason: str,
    who: str,
    key: bytes,
    undone: int = 0,
) -> tuple[Rejection, bytes]:
    """The rejection of what has this name and says this, and its line. The key is 16 bytes, the same for a whole file:
    it has no secret to keep, but makes the bits of one repository those of no other. `undone` says how many were taken
    back so far: what is rejected once more is another rejection."""
    found = [fingerprint(text, key) for text in (statement, *filter(_is_telling, quotes))]
    prints = list(dict.fromkeys(str(each) for each in found if each is not None))
    about = {
        "of": keyed(name, key),
        "type": type_name,
        "day": day,
        "reason": one_line(reason)[:MOST_WORDS],
        "who": one_line(who)[:MOST_WORDS],
        "key": key.hex(),
        "prints": prints[:_MOST_PRINTS],
        "n": undone,
    }
    said = {"rejected": f"rej-{sha256(json.dumps(about, sort_keys=True).encode()).hexdigest()[:10]}", **about}
    row = _rejection(said)
    if row is None:
        raise ValueError(said)
    return row, _line(said)


def undoing(rejection: Rejection, *, day: str, who: str) -> bytes:
    """The line that takes a rejection back."""
    return _line({"undo": rejection.id, "day": day, "who": one_line(who)[:MOST_WORDS]})


def _is_of(candidate: Candidate, row: Rejection) -> bool:
    if row.of == keyed(candidate.id, row.key):
        return True
    texts = [candidate.abstract, *([candidate.quote] if _is_telling(candidate.quote) else [])]
    ours = [found for text in texts if (found := fingerprint(text, row.key)) is not None]
    return any(resemblance(one, other) >= ALIKE for one in ours for other in row.prints)


def _is_telling(quote: str) -> bool:
    """Whether a quote says what it is about by itself: an answer such as “SQLite” doesn't."""
    return len(content(quote)) >= _FEWEST_WORDS


def _object(line: bytes) -> dict[str, Any]:
    if len(line) > _LONGEST_LINE:
        return {}
    try:
        said = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return said if isinstance(said, dict) else {}


def _rejection(said: dict[str, Any]) -> Rejection | None:
    texts = {name: said.get(name) for name in ("rejected", "of", "type", "day", "reason", "who", "key")}
    prints = said.get("prints")
    if (
        not all(isinstance(each, str) for each in texts.values())
        or not isinstance(prints, list)
        or len(prints) > _MOST_PRINTS
    ):
        return None
    found = [read_fingerprint(each) for each in prints if isinstance(each, str)]
    text: dict[str, str] = {name: str(each) for name, each in texts.items()}
    forms = ((_ID, "rejected"), (_OF, "of"), (_DAY, "day"), (_KEY, "key"))
    if not all(form.fullmatch(text[name]) for form, name in forms) or None in found or len(found) != len(prints):
        return None
    return Rejection(
        id=text["rejected"],
        of=text["of"],
        type=one_line(text["type"])[:40],
        day=text["day"],
        reason=one_line(text["reason"])[:MOST_WORDS],
        who=one_line(text["who"])[:MOST_WORDS],
        key=bytes.fromhex(text["key"]),
        prints=tuple(each for each in found if each is not None),
    )


def _line(said: dict[str, Any]) -> bytes:
    return json.dumps(said, ensure_ascii=True).encode("ascii")
