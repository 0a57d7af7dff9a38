"""A session as OpenCode keeps it, many small files, put together as its `export` command writes it.

`<data>/opencode/storage/session/<project>/<id>.json` is the session, `message/<id>/*.json` its messages, and
`part/<message>/*.json` what they say. Newer versions keep a database instead: there, `opencode export ID` does it.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_LARGEST = 16 * 2**20


def is_session(path: Path) -> bool:
    """Whether the file is a session in OpenCode's own folder."""
    return path.suffix == ".json" and path.parts[-4:-2] == ("storage", "session")


def exported(path: Path) -> Iterator[bytes]:
    """The session in the form of an export, part by part; what is broken or larger than 16 MiB is left out."""
    storage = path.parents[2]
    yield b'{"info":' + _dumped(_object(path)) + b',"messages":['
    for number, file in enumerate(_files(storage, storage / "message" / path.stem)):
        yield (b"," if number else b"") + b'{"info":' + _dumped(_object(file)) + b',"parts":['
        parts = filter(None, map(_object, _files(storage, storage / "part" / file.stem)))
        for place, part in enumerate(parts):
            yield (b"," if place else b"") + _dumped(part)
        yield b"]}"
    yield b"]}"


def _files(storage: Path, folder: Path) -> list[Path]:
    """Its JSON files by name, which is by time: OpenCode's ids grow. None where a link leads out of its own folder."""
    if not Path(os.path.realpath(folder)).is_relative_to(os.path.realpath(storage)):
        return []
    return sorted(file for file in folder.glob("*.json") if file.is_file() and not file.is_symlink())


def _object(path: Path) -> dict[str, Any]:
    if path.stat().st_size > _LARGEST:
        return {}
    try:
        value = json.loads(path.read_bytes())
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _dumped(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()
