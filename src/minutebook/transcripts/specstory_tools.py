"""A tool block of SpecStory's Markdown: the call and what it printed."""

import re
from collections.abc import Iterator

from minutebook.transcripts.draft import Draft, Said
from minutebook.transcripts.said import tool_call

_PATH = re.compile(r"`([^`\n]{1,1000})`")
_WROTE = re.compile(r"(?:The file |created successfully at: ?)([^\s:]{1,1000})")
_FAILED = ("**Error:**", "<tool_use_error>", "The user doesn't want to", "The tool use was rejected")
_SUMMARY = re.compile(r"<summary>[^\n]{0,500}</summary>")


def tool_block(kind: str, tool: str, text: str, draft: Draft) -> Iterator[Said]:
    """A block holds what was asked, then what came of it, mostly fenced. `kind` is the type that SpecStory gives it."""
    body = (_SUMMARY.sub("", text[:2_000], count=1) + text[2_000:]).strip("\n")
    asked, printed = _split(body)
    path = _path(kind, asked, printed)
    writes = kind == "write" and bool(path)
    if writes and not any(mark in body[:4_000] for mark in _FAILED):
        draft.wrote(path)
    what = " ".join(asked.split())[:1000]
    yield tool_call(tool, what, path, writes=writes)
    if printed:
        yield Said("tool", "tool-result", _bare(printed), {"tool": tool})


def _split(body: str) -> tuple[str, str]:
    """What was asked and what was printed: a block of shell is still a question, later fences and results are not."""
    at = body.find("\n```") if not body.startswith("```") else 0
    if at >= 0 and body[at:].lstrip("\n").startswith(("```bash\n", "```sh\n", "```shell\n")):
        end = body.find("\n```\n", at + 4)
        at = body.find("```", end + 5) if end >= 0 else -1
    result = body.find("**Result:**")
    at = result if 0 <= result < (at if at >= 0 else len(body)) else at
    return (body[:at], body[at:].strip("\n")) if at >= 0 else (body, "")


def _bare(printed: str) -> str:
    """Without the fence around it."""
    first, _, rest = printed.partition("\n")
    return rest.removesuffix("```").strip("\n") if first.startswith("```") and printed.endswith("```") else printed


def _path(kind: str, asked: str, printed: str) -> str:
    found = _PATH.search(asked[:4_000]) if kind in ("read", "write") else None
    if found is None and kind == "write":
        found = _WROTE.search(printed[:4_000])
    return found[1].removeprefix("./") if found is not None else ""
