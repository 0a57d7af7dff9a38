"""The values on a line, by the json module, which decides what a line is: what no fast decoder takes."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from minutebook.transcripts.decoding import Json

GLUED_MOST = 1000
"""Records that are looked for on one line."""
_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_DECODER = json.JSONDecoder()


def objects(line: bytes, ended: bool, skipped: Counter[str]) -> Iterator[Json]:
    """The objects on a line, which a line break ended or not; what is none is counted."""
    text = line.decode("utf-8", "replace").strip(" \t\r\n")
    if text.startswith("//"):
        skipped["comment"] += 1
        return
    for value in _values(text, ended, skipped):
        if isinstance(value, dict):
            yield value
        else:
            skipped["not-an-object"] += 1


def _values(text: str, ended: bool, skipped: Counter[str]) -> Iterator[object]:
    """All the values on a line: several when the line break between records was lost."""
    at, halves = 0, "\\u" in text and _SURROGATE_ESCAPE.search(text) is not None
    for _ in range(GLUED_MOST):
        if at >= len(text):
            return
        try:
            value, at = _DECODER.raw_decode(text, at)
        except RecursionError:
            skipped["too-deep"] += 1
            return
        except ValueError:
            skipped["broken" if ended else "truncated"] += 1
            return
        yield _mend(value) if halves else value
        while at < len(text) and text[at] in " \t\r\n":
            at += 1
    if at < len(text):
        skipped["too-many-parts"] += 1


def within(text: str) -> Any:
    """The value in a text that is JSON itself, such as a call's arguments; None in any other."""
    try:
        return _mend(json.loads(text))
    except (ValueError, RecursionError):
        return None


def mended(text: str) -> str:
    """The text with U+FFFD for half a surrogate pair, which JSON can spell and no file can be written with."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def _mend(value: Any) -> Any:
    if isinstance(value, str):
        return mended(value)
    if isinstance(value, list):
        return [_mend(item) for item in value]
    if isinstance(value, dict):
        return {mended(key): _mend(item) for key, item in value.items()}
    return value
