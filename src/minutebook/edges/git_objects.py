"""Trees and blobs as git holds them, in and out: never the work tree, never a filter, many in one process."""

import os
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path
from threading import Thread
from typing import IO

from minutebook.edges import git
from minutebook.ground.change import SUBMODULE, File
from minutebook.ground.errors import CannotJudge


def list_tree(top: Path, rev: str, *paths: str) -> Iterator[tuple[str, str, str]]:
    """(path, mode, id) of every file of a commit or tree, or of those at and beneath `paths`."""
    for record in git.run(top, "ls-tree", "-r", "-z", "--full-tree", "--end-of-options", rev, *paths).split(b"\0"):
        if record:
            head, _, path = record.partition(b"\t")
            mode, _, oid = head.decode().split(" ", 2)
            yield os.fsdecode(path), mode, oid


def list_index(top: Path) -> Iterator[tuple[str, str, str]]:
    """(path, mode, id) of every file staged; an unmerged path raises CannotJudge; intent-to-add counts as absent."""
    for record in git.run(top, "ls-files", "--stage", "-z", "--full-name").split(b"\0"):
        if record:
            head, _, path = record.partition(b"\t")
            mode, oid, stage = head.decode().split(" ")
            if stage != "0":
                raise CannotJudge(f"{os.fsdecode(path)} has merge conflicts", "resolve them and `git add` the file")
            yield os.fsdecode(path), mode, oid


def diff(top: Path, old: str, new: str | None) -> tuple[git.RawChange, ...]:
    """What differs between two commits or trees, or (with None) between a tree and the index."""
    how = ("diff-tree", "-r") if new is not None else ("diff-index", "--cached")
    names = [old] if new is None else [old, new]
    flags = ("--raw", "-z", "--no-renames", "--no-ext-diff", "--no-textconv", "--ignore-submodules=none", "--no-abbrev")
    fields = git.run(top, *how, *flags, "--end-of-options", *names).split(b"\0")
    found = []
    for head, path in zip(fields[0::2], fields[1::2], strict=False):
        _, new_mode, _, new_id, status = head.decode().lstrip(":").split(" ")
        if status == "U":
            raise CannotJudge(f"{os.fsdecode(path)} has merge conflicts", "resolve them and `git add` the file")
        found.append(git.RawChange(os.fsdecode(path), new_mode, new_id))
    return tuple(found)


def read_files(top: Path, listed: Iterable[tuple[str, str, str]]) -> dict[str, File]:
    """The files named by (path, mode, id), by one `cat-file --batch`. A submodule has no bytes.

    Raises CannotJudge when an object is missing (a partial clone).
    """
    wanted = list(listed)
    blobs = read_blobs(top, dict.fromkeys(oid for _, mode, oid in wanted if mode != SUBMODULE))
    return {path: File(blobs.get(oid, b""), mode) for path, mode, oid in wanted}


def read_blobs(top: Path, ids: Iterable[str]) -> dict[str, bytes]:
    """The bytes of each object, by id, in one process."""
    wanted = list(ids)
    if not wanted:
        return {}
    with subprocess.Popen(
        ["git", *git.SAFE, "cat-file", "--batch"],
        cwd=top, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        env=git.environment() | {"GIT_NO_LAZY_FETCH": "1"},
    ) as process:  # fmt: skip
        assert process.stdin is not None
        assert process.stdout is not None
        feeder = Thread(target=_feed, args=(process.stdin, wanted), daemon=True)
        feeder.start()
        found = {oid: _answer(process.stdout, oid) for oid in wanted}
        feeder.join()
    return found


def _feed(pipe: IO[bytes], ids: list[str]) -> None:
    # From a thread: writing all ids before reading the answers would fill both pipes and stop for ever.
    with pipe:
        for oid in ids:
            pipe.write(oid.encode() + b"\n")


def _answer(pipe: IO[bytes], oid: str) -> bytes:
    head = pipe.readline().split()
    if len(head) != 3:
        raise CannotJudge(f"object {oid[:12]} is not in this clone", "git fetch && git fetch --refetch --no-filter")
    data = pipe.read(int(head[2]))
    pipe.read(1)
    return data


def blob_sizes(top: Path, ids: Iterable[str]) -> dict[str, int]:
    """The size in bytes of each object that is here, by id, in one process."""
    wanted = "".join(f"{oid}\n" for oid in ids).encode()
    rows = git.run(top, "cat-file", "--batch-check=%(objectname) %(objectsize)", stdin=wanted).decode().split("\n")
    pairs = (row.split(" ") for row in rows if row)
    return {oid: int(size) for oid, size in pairs if size.isdigit()}


def store_tree(top: Path, ref: str, files: Iterable[tuple[str, File]], message: str, when: int) -> str:
    """Make `ref` a commit without parents that holds exactly these files, in one process; the commit's id.

    No filter, no index and no work tree take part (fast-import), so the bytes are kept as they are. Raises
    GitFailed when `ref` exists already.
    """
    words = message.encode()
    out = [b"feature done\n", b"commit %s\n" % ref.encode(), b"committer minutebook <minutebook> %d +0000\n" % when]
    out.append(b"data %d\n%s\n" % (len(words), words))
    for path, file in files:
        out.append(b"M %s inline %s\n" % (file.mode.encode(), _quoted(path)))
        out.append(b"data %d\n%s\n" % (len(file.data), file.data))
    out.append(b"done\n")
    git.run(top, "fast-import", "--quiet", "--date-format=raw", stdin=b"".join(out))
    return git.run(top, "rev-parse", "--verify", "--end-of-options", f"{ref}^{{commit}}").decode().strip()


def _quoted(path: str) -> bytes:
    # C style, all bytes but plain ones as octal: fast-import splits on spaces and newlines otherwise.
    plain = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/"
    return b'"' + b"".join(b"%c" % each if each in plain else b"\\%03o" % each for each in os.fsencode(path)) + b'"'
