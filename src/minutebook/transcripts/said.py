"""What a record says, and how much of it is kept."""

import posixpath
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from minutebook.ground.frozen import EMPTY
from minutebook.ground.session import Kind, Role

SAID_MOST = 200_000
TOOL_MOST = 2_000
"""Characters of a turn's text that are kept: what people and agents say, and what tools print."""
MARGIN = 2_000
"""Longer than what a secret is known by."""
_DRIVE = re.compile(r"[A-Za-z]:[\\/]")


Told = tuple[Role, Kind, str, Mapping[str, str], bool]
"""A Said, or the like without a name, which is made in a tenth of the time: where turns come by the thousand."""


class Said(NamedTuple):
    """What one record says: a turn without its place. `spare`: a copy, wanted only if the other is missing."""

    role: Role
    kind: Kind
    text: str
    detail: Mapping[str, str] = EMPTY
    spare: bool = False


def tool_call(tool: str, what: str, path: str = "", *, writes: bool = False) -> Said:
    """An agent's call of a tool: `what` it is for in short, the `path` that it names, whether it changes that."""
    detail = {"tool": tool}
    if path:
        detail["path"] = path
    if writes:
        detail["writes"] = "yes"
    return Said("assistant", "tool-call", f"{tool}: {what}" if what else tool, detail)


def text_of(content: object) -> str:
    """The text of a tool's result: a string, or the text blocks of a list."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(text for block in content if (text := string(block, "text")))
    return ""


def string(value: Any, *keys: str) -> str:
    """The string at value[key][key]…, or "" when anything on the way is missing or of another kind."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, str) else ""


def relative(path: str, cwd: str) -> str:
    """A path as seen from `cwd` when it lies beneath it, with `/` between its parts; else the path as it is. Works on
    the text alone, so that a transcript of another system reads the same everywhere."""
    if ":" in (path[1:2], cwd[1:2]) and (_DRIVE.match(path) or _DRIVE.match(cwd)):
        path, cwd = path.replace("\\", "/"), cwd.replace("\\", "/")
    whole, base = _normal(path), _normal(cwd) if cwd else ""
    beneath = base not in ("", ".", "/") and whole.startswith(base + "/")
    return whole[len(base) + 1 :] if beneath else whole


def _normal(path: str) -> str:
    """`posixpath.normpath`, where it would change anything."""
    plain = path and "//" not in path and "./" not in path and not path.endswith(("/", ".")) and path[:2] != "./"
    return path if plain else posixpath.normpath(path)
