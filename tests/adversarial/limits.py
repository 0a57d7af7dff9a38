"""The command line under limits: two seconds of processor time and 256 MB, or the system ends it."""

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from conftest import Done, Repo

SECONDS, BYTES = 2, 256 << 20
_LIMITED = (
    "import os, resource, sys\n"
    f"resource.setrlimit(resource.RLIMIT_CPU, ({SECONDS}, {SECONDS + 1}))\n"
    f"resource.setrlimit(resource.RLIMIT_DATA, ({BYTES}, {BYTES}))\n"
    "os.execv(sys.executable, [sys.executable, '-m', 'minutebook', *sys.argv[1:]])\n"
)
_WRITTEN: dict[tuple[Path, str | bytes], bytes] = {}
Place = tuple[str, int]
"""A rule and the line at which it speaks."""


def limited(repo: Repo, *arguments: str, **extra: str) -> Done:
    """Run minutebook; it must end by itself within the limits, with an exit code that it means."""
    pytest.importorskip("resource")
    done = repo.run(sys.executable, "-c", _LIMITED, *arguments, **extra)
    assert "Traceback" not in done.err, done.err[-2000:]
    assert done.code in (0, 1, 2), f"ended by {done.code}: {done.err[-500:]}"
    return done


def found(repo: Repo, *arguments: str) -> dict[str, list[Place]]:
    """What `check` says of each path, as (rule, line); the index, which no repository here has, is left out."""
    done = limited(repo, "check", *(arguments or ("--all",)), "--format", "json")
    assert done.code in (0, 1), done.err
    places: dict[str, list[Place]] = {}
    for each in json.loads(done.out)["problems"]:
        if each["rule"] != "index":
            places.setdefault(each["path"], []).append((each["rule"], each["line"]))
    return places


def committed(repo: Repo, files: Mapping[str, str | bytes], *parents: str) -> str:
    """A commit of exactly these files, whatever their names: no index and no work tree has a say. What starts with
    `link:` is a symlink. With "" as its parent it is a tree and no commit."""
    folders: dict[str, dict[str, str | bytes]] = {}
    lines = b""
    for path, data in files.items():
        folder, slash, rest = path.partition("/")
        if slash:
            folders.setdefault(folder, {})[rest] = data
        else:
            mode, data = (
                (b"120000", data[5:]) if isinstance(data, str) and data.startswith("link:") else (b"100644", data)
            )
            lines += b"%s blob %s\t%s\0" % (mode, _object(repo, data), _bytes(path))
    for folder, inside in folders.items():
        lines += b"040000 tree %s\t%s\0" % (_tree(repo, inside), _bytes(folder))
    tree = _git(repo, lines, "mktree", "-z")
    if parents == ("",):
        return tree.decode()
    flags = [part for parent in parents for part in ("-p", parent)]
    return _git(repo, b"", "commit-tree", tree.decode(), *flags, "-m", "Files").decode()


def _tree(repo: Repo, files: Mapping[str, str | bytes]) -> bytes:
    return committed(repo, files, "").encode()


def _object(repo: Repo, data: str | bytes) -> bytes:
    key = (repo.path, data)
    if key not in _WRITTEN:
        _WRITTEN[key] = _git(repo, _bytes(data), "hash-object", "-w", "--stdin")
    return _WRITTEN[key]


def _bytes(text: str | bytes) -> bytes:
    return text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape")


def _git(repo: Repo, stdin: bytes, *arguments: str) -> bytes:
    done = subprocess.run(["git", *arguments], cwd=repo.path, env=dict(repo.env), input=stdin, capture_output=True,
                          check=True)  # fmt: skip
    return done.stdout.strip()
