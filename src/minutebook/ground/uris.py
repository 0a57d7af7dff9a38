"""Where an entry lives and what it is called: paths, `ctx://` URIs and ids, all driven by the types.

Shapes (seeds: account, owner space, category, slug):
    ctx://{account}/project/{category}/{slug}
    ctx://{account}/users/{user}/memories/{category}/{slug}
    ctx://{account}/agents/{agent}/memories/{category}/{slug}
    ctx://{account}/agents/{agent}/skills/{slug}
An entry of a log adds `#ID`; what lies in the archive has `archive/` after the account. What the config maps from
beside the memory root is `ctx://{account}/files/{path from the top}#{id}`.
"""

from __future__ import annotations

import re
from functools import lru_cache

from minutebook.ground.errors import CannotJudge
from minutebook.ground.frozen import frozen
from minutebook.ground.lazy import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from minutebook.ground.memory_type import MemoryType

ARCHIVE = "archive/"
NAME = r"[A-Za-z0-9_][A-Za-z0-9._-]{0,127}"
_PARTS = {"date": r"[0-9]{4}-[0-9]{2}-[0-9]{2}"}
_PLACEHOLDER = lazy(r"\{([a-z_]+)(?::([0-9]+))?\}")
_RESERVED = lazy(r"(?i)(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?")
_FALLBACK = {"domain": "_log"}


@frozen
class Location:
    """`path` is relative to the memory root; `id` is "" unless the URI names an entry of a log."""

    type: str
    path: str
    id: str


def slug(text: str, limit: int = 60) -> str:
    """A safe file name part: ASCII lower case, digits and hyphens; never empty, never reserved on Windows."""
    from unicodedata import normalize

    plain = normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    name = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:limit].strip("-")
    if not name:
        from hashlib import sha256

        name = "entry-" + sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:6]
    return f"{name}-entry" if _RESERVED.fullmatch(name) else name


def place_of(mtype: MemoryType, fields: Mapping[str, str]) -> str:
    """The path, relative to the memory root, of an entry with these fields.

    Raises CannotJudge when a placeholder has no value or one that is no safe name.
    """

    def fill(match: re.Match[str]) -> str:
        name = match[1]
        value = str(fields.get(name) or _FALLBACK.get(name, ""))
        if not re.fullmatch(_PARTS.get(name, NAME), value) or _RESERVED.fullmatch(value) or value.endswith("."):
            raise CannotJudge(f"{mtype.name}: {{{name}}} of {mtype.place} can't be {value!r}")
        return value

    return _PLACEHOLDER.sub(fill, mtype.place)


def placed(mtype: MemoryType, path: str) -> dict[str, str] | None:
    """The placeholders' values when `path` (relative to the root) is a place of this type, else None."""
    if not path.startswith(_head(mtype.place)):  # most places: their patterns needn't even be made
        return None
    match = _pattern(mtype.place).fullmatch(path)
    return match.groupdict() if match else None


def type_at(types: Mapping[str, MemoryType], path: str) -> MemoryType | None:
    """The type whose place this is; the most literal place wins (a repository's own type beside ours)."""
    inner = path.removeprefix(ARCHIVE)
    near = [mtype for mtype in types.values() if inner.startswith(_head(mtype.place))]
    fitting = [mtype for mtype in near if placed(mtype, inner) is not None]
    return max(fitting, key=lambda mtype: len(_PLACEHOLDER.sub("", mtype.place)), default=None)


def uri_of(account: str, types: Mapping[str, MemoryType], path: str, entry_id: str = "") -> str:
    """The URI of the file, or of entry `entry_id` in a log, at `path` relative to the root."""
    if path.startswith("../"):  # mapped from beside the root
        return f"ctx://{account}/files/{path.replace('../', '')}#{entry_id}"
    inner = path.removeprefix(ARCHIVE)
    mtype = type_at(types, inner)
    if mtype is None:
        raise CannotJudge(f"{path}: no type lives there")
    head = ARCHIVE if inner != path else ""
    fragment = f"#{entry_id}" if mtype.layout == "log" and entry_id else ""
    return f"ctx://{account}/{head}{_outside(inner)}{fragment}"


def locate(account: str, types: Mapping[str, MemoryType], uri: str) -> Location:
    """The place that a URI names. Raises CannotJudge for another account, or for what no type covers."""
    prefix = f"ctx://{account}/"
    if not uri.startswith(prefix):
        raise CannotJudge(f"{uri}: not a URI of this memory ({prefix}…)")
    rest, _, entry_id = uri.removeprefix(prefix).partition("#")
    head = ARCHIVE if rest.startswith(ARCHIVE) else ""
    inner = _inside(rest.removeprefix(ARCHIVE))
    mtype = type_at(types, inner)
    if mtype is None or uri_of(account, types, head + inner, entry_id) != uri:  # one place has one name
        raise CannotJudge(f"{uri}: no type lives there")
    return Location(mtype.name, head + inner, entry_id)


def new_id(mtype: MemoryType, fields: Mapping[str, str], seed: str, taken: frozenset[str] | set[str]) -> str:
    """An id by the type's rule, not in `taken`. The same seed gives the same id, so a plan can be made twice."""
    from hashlib import sha256

    for attempt in range(1000):
        text = sha256(f"{seed}\0{attempt}".encode("utf-8", "surrogatepass")).hexdigest()

        def fill(match: re.Match[str], text: str = text) -> str:
            if match[1] == "hash":
                return text[: int(match[2] or 4)]
            return str(fields.get(match[1]) or "entry")

        found = _PLACEHOLDER.sub(fill, mtype.id)
        if attempt and "{hash" not in mtype.id:
            found = f"{found}-{attempt + 1}"
        if found not in taken:
            return found
    raise CannotJudge(f"{mtype.name}: no free id for {mtype.id}")


def _outside(path: str) -> str:
    stem = path.removesuffix(".md")
    owner = re.match(r"(users|agents)/[^/]+/", stem)
    if owner is None:
        return f"project/{stem}"
    rest = stem[owner.end() :]
    return stem if rest.startswith("skills/") else f"{owner[0]}memories/{rest}"


def _inside(rest: str) -> str:
    if rest.startswith("project/"):
        return rest.removeprefix("project/") + ".md"
    return re.sub(r"^((?:users|agents)/[^/]+/)memories/", r"\1", rest) + ".md"


@lru_cache(maxsize=128)
def _head(place: str) -> str:
    return place.partition("{")[0]


@lru_cache(maxsize=128)
def _pattern(place: str) -> re.Pattern[str]:
    parts = _PLACEHOLDER.split(place)
    literal, out = parts[0::3], []
    for text, name in zip(literal, [*parts[1::3], None], strict=True):
        out.append(re.escape(text))
        if name is not None:
            out.append(f"(?P<{name}>{_PARTS.get(name, NAME)})")
    return re.compile("".join(out))
