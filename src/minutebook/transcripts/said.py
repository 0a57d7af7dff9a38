"""What a record says, and how much of it is kept: a text is cut before it is searched for secrets, and a little more of
it is searched than is kept, so that a secret is seen whole that begins within what is kept."""

import posixpath
import re
from collections.abc import Iterator, Mapping
from typing import Any

from minutebook.ground.frozen import EMPTY, frozen
from minutebook.ground.session import Kind, Role
from minutebook.transcripts.records import mended

SAID_MOST = 200_000
TOOL_MOST = 2_000
"""Characters of a turn's text that are kept: what people and agents say, and what tools print."""
MARGIN = 2_000
"""Longer than what a secret is known by."""
_SMALL = TOOL_MOST + MARGIN
_DRIVE = re.compile(r"[A-Za-z]:[\\/]")


@frozen
class Said:
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


def whole(said: Said) -> Said:
    """Without half surrogate pairs, which can't be written."""
    detail = {name: mended(value) for name, value in said.detail.items()} if said.detail else EMPTY
    return Said(said.role, said.kind, mended(said.text), detail, said.spare)


def _most(said: Said) -> int:
    return TOOL_MOST if said.kind in ("tool-call", "tool-result") else SAID_MOST


def cut(said: Said) -> Said:
    """What is kept of it and as much again as tells whether a secret begins there; the rest isn't looked at."""
    if len(said.text) <= _SMALL and (not said.detail or max(map(len, said.detail.values())) <= _SMALL):
        return said
    detail = {name: value[: SAID_MOST + MARGIN] for name, value in said.detail.items()}
    return Said(said.role, said.kind, said.text[: _most(said) + MARGIN], detail, said.spare)


def replaced(said: Said, redacted: Iterator[str]) -> Said:
    """The same with the next of the redacted texts in place of its own."""
    text = _sure(said.text, next(redacted), _most(said))
    detail = {name: _sure(value, next(redacted), SAID_MOST) for name, value in said.detail.items()}
    return Said(said.role, said.kind, text, detail or EMPTY, said.spare)


def _sure(raw: str, redacted: str, most: int) -> str:
    """Without the end of a text that was cut: a secret may have lost there what it is known by."""
    return redacted if len(raw) < most + MARGIN else redacted[:-MARGIN]


def bounded(said: Said, cwd: str) -> Said:
    path = said.detail.get("path")
    if (
        path is None
        and len(said.text) <= TOOL_MOST
        and (not said.detail or max(map(len, said.detail.values())) <= TOOL_MOST)
    ):
        return said
    detail = {name: value[:SAID_MOST] for name, value in said.detail.items()}
    if path is not None:
        detail["path"] = relative(detail["path"], cwd)
    return Said(said.role, said.kind, said.text[: _most(said)], detail, said.spare)


def relative(path: str, cwd: str) -> str:
    """A path as seen from `cwd` when it lies beneath it, with `/` between its parts; else the path as it is. Works on
    the text alone, so that a transcript of another system reads the same everywhere."""
    if _DRIVE.match(path) or _DRIVE.match(cwd):
        path, cwd = path.replace("\\", "/"), cwd.replace("\\", "/")
    whole, base = _normal(path), _normal(cwd) if cwd else ""
    beneath = base not in ("", ".", "/") and whole.startswith(base + "/")
    return whole[len(base) + 1 :] if beneath else whole


def _normal(path: str) -> str:
    """`posixpath.normpath`, where it would change anything."""
    plain = path and "//" not in path and "./" not in path and not path.endswith(("/", ".")) and path[:2] != "./"
    return path if plain else posixpath.normpath(path)
