"""When each entry was last touched: read from git in one walk over the memory's history."""

import os
import re
from collections.abc import Collection, Iterator, Mapping
from hashlib import sha1, sha256
from itertools import islice, takewhile
from pathlib import Path, PurePosixPath
from typing import TypeVar

from minutebook.edges import git, git_objects
from minutebook.ground.change import File
from minutebook.ground.entry import Entry, MemoryFile, encode
from minutebook.ground.frozen import frozen
from minutebook.ground.memory import Memory, read_file

_CHUNK = 256
_MOST_MOVES = 8
_RENAMES = ("-M50%", "-l400", "--diff-filter=R", "--name-status", "-z", "--no-ext-diff")
_FEW = 4
_SHA1 = 40
_HEADING = re.compile(rb"(?m)^ {0,3}#{1,6}[ \t]")
_VERIFIED = re.compile(rb"(?mi)^\*\*Verified:\*\*")
_CLOSING = b" \t\r\n-*_"


@frozen
class Touch:
    """The commit after which an entry has said what it says today; `day` is YYYY-MM-DD."""

    commit: str
    day: str


_Version = tuple[Touch, str]
T = TypeVar("T")


def last_touched(
    top: Path, memory: Memory, head: str, only: Collection[str] | None = None
) -> dict[tuple[str, str], Touch]:
    """The last touch of each committed entry, by path and id; entries that `head` doesn't have are missing. `only`
    names the paths that are asked for, where not all are.

    One walk over the memory's history on the first-parent line. An entry of a log was touched when its text came in,
    whatever was added to its end later; an entry file when the words of its body, its anchors, title, abstract or
    `verified` last changed: a tag, a `stale` note, other line ends or another place say nothing new about the code.
    """
    versions: dict[str, list[_Version]] = {}
    moving, folders = set[str](), dict[str, str]()
    for change, step in _changes(top, memory, head, only):
        if not change.new_id.strip("0"):
            moving.add(step.commit)
        folders[change.path.rpartition("/")[0]] = step.commit
        if only is None or change.path in only:
            versions.setdefault(change.path, []).append((Touch(step.commit, step.day), change.new_id))
    versions = {path: _alive(lived) for path, lived in versions.items()}
    few = only is not None and len(only) <= _FEW
    _before_moves(top, versions, None if few else moving.union(folders.values()))
    found: dict[tuple[str, str], Touch] = {}
    for path, file in memory.files.items():
        if file.log and path in versions:
            found.update(_introduced(top, file, versions[path]))
    single = [entry for file in memory.files.values() if not file.log for entry in file.entries]
    return found | _last_said(top, memory, [entry for entry in single if entry.path in versions], versions)


def changed_since(top: Path, memory: Memory, old: str, head: str) -> frozenset[str]:
    """The paths of memory that commits after `old` changed, where `head` follows from it."""
    if old == head:
        return frozenset()
    return frozenset(change.path for change, _ in _changes(top, memory, f"{old}..{head}"))


def _changes(
    top: Path, memory: Memory, rev: str, only: Collection[str] | None = None
) -> Iterator[tuple[git.RawChange, git.Step]]:
    """All that changed in the root and where the config maps memory to, the newest first; of a few paths, theirs."""
    folders = (memory.root, *memory.config.folders)
    for folder in dict.fromkeys(folders if only is None or len(only) > _FEW else only):
        for step in git.history(top, rev, folder):
            yield from ((change, step) for change in step.changes if memory.type_at(change.path) is not None)


def _before_moves(top: Path, versions: dict[str, list[_Version]], among: Collection[str] | None) -> None:
    """Add to each path's versions those of the path that it came from, as git itself finds renames: asked only of the
    commits `among` which something went away or a folder came into being, unless that is None."""
    waiting = {(lived[-1][0].commit, path): path for path, lived in versions.items() if lived}
    waiting = {born: path for born, path in waiting.items() if among is None or born[0] in among}
    for _ in range(_MOST_MOVES):
        moves: dict[str, dict[str, str]] = {}
        for commit, old, new in _renamed(top, waiting):
            if (commit, new) in waiting:
                moves.setdefault(commit, {})[old] = waiting[commit, new]
        waiting = {}
        for commit, names in moves.items():
            for old, lived in _lived(top, f"{commit}^", names).items():
                versions[names[old]] += lived
                waiting[lived[-1][0].commit, old] = names[old]


def _renamed(top: Path, born: Collection[tuple[str, str]]) -> Iterator[tuple[str, str, str]]:
    """(commit, old path, new path) of the files that these commits moved, among those of the same suffixes as the
    paths that came into being there."""
    if not born:
        return
    where = {f":(top,glob)**/*{PurePosixPath(path).suffix}" for _, path in born}
    flags = ("--no-walk=unsorted", "--stdin", "--first-parent", "-m", *_RENAMES, "--format=%x01%H")
    commits = "".join(f"{commit}\n" for commit in dict.fromkeys(commit for commit, _ in born))
    out = git.run(top, "log", *flags, "--", *sorted(where), stdin=commits.encode())
    fields, commit = iter(out.split(b"\0")), ""
    for field in fields:
        row = field.lstrip(b"\n")
        if row.startswith(b"\1"):
            commit = row[1:].decode()
        elif row.startswith(b"R"):
            yield commit, os.fsdecode(next(fields)), os.fsdecode(next(fields))


def _lived(top: Path, rev: str, paths: Collection[str]) -> dict[str, list[_Version]]:
    """The versions of these files up to a commit, the newest first, since they last came into being."""
    folder = os.path.commonpath([path.rpartition("/")[0] or "." for path in paths])
    found: dict[str, list[_Version]] = {}
    for each in paths if len(paths) <= _FEW else [folder]:
        for step in git.history(top, rev, each):
            for change in step.changes:
                if change.path in paths:
                    found.setdefault(change.path, []).append((Touch(step.commit, step.day), change.new_id))
    return {path: lived for path, each in found.items() if (lived := _alive(each))}


def _introduced(top: Path, file: MemoryFile, versions: list[_Version]) -> Iterator[tuple[tuple[str, str], Touch]]:
    """Walks the log's versions back until each entry isn't there, or says something else under its heading. Text that
    was added at its end (a marker, an addendum) leaves what it had said."""
    waiting = {heading: (chunk, entry.id) for entry in file.entries for heading, chunk in _first(encode(entry.text))}
    newer: Touch | None = None
    for some in _slices(versions):
        data = git_objects.read_blobs(top, [blob for _, blob in some])
        for touch, blob in some:
            there = dict(_chunks(data[blob]))
            for heading, (chunk, entry_id) in list(waiting.items()):
                if heading not in there or not _same_claims(chunk, there[heading]):
                    del waiting[heading]
                    if newer is not None:
                        yield (file.path, entry_id), newer
            newer = touch
        if not waiting:
            return
    if newer is not None:
        yield from (((file.path, entry_id), newer) for _, entry_id in waiting.values())


def _same_claims(now: bytes, then: bytes) -> bool:
    """Whether nothing but addenda came in between, and nobody found it true anew."""
    said, before = (b" ".join([*each.split(), b""]) for each in (now, then))
    return said.startswith(before) and len(_VERIFIED.findall(now)) == len(_VERIFIED.findall(then))


def _first(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    return islice(_chunks(data), 1)


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Each heading line with the text up to the next one, without the rule that may close it."""
    starts = [match.start() for match in _HEADING.finditer(data)]
    for start, end in zip(starts, [*starts[1:], len(data)], strict=True):
        chunk = data[start:end].rstrip(_CLOSING)
        yield chunk.partition(b"\n")[0].strip(), chunk


def _last_said(
    top: Path, memory: Memory, entries: list[Entry], versions: Mapping[str, list[_Version]]
) -> dict[tuple[str, str], Touch]:
    """Walks all entry files back at once, version by version, until each says something else."""
    found: dict[tuple[str, str], Touch] = {}
    depth, waiting = 0, [(entry, versions[entry.path]) for entry in entries]
    while waiting:
        waiting = [(entry, lived) for entry, lived in waiting if depth < len(lived)]
        kept = []
        for some in _slices(waiting):
            other = [lived[depth][1] for entry, lived in some if not _is_blob(entry, lived[depth][1])]
            data = git_objects.read_blobs(top, other)
            for entry, lived in some:
                touch, blob = lived[depth]
                if blob not in data or _says(entry, data[blob], memory):
                    found[entry.path, entry.id] = touch
                    kept.append((entry, lived))
        depth, waiting = depth + 1, kept
    return found


def _is_blob(entry: Entry, blob: str) -> bool:
    """Whether these are the very bytes of the file that the entry is all of."""
    data = encode(entry.text)
    named = sha1 if len(blob) == _SHA1 else sha256
    return named(b"blob %d\0%s" % (len(data), data), usedforsecurity=False).hexdigest() == blob


def _says(entry: Entry, data: bytes, memory: Memory) -> bool:
    file = read_file(entry.path, File(data), memory.type_of(entry), memory.config)
    return any(_claims(then) == _claims(entry) for then in file.entries[:1])


def _alive(versions: list[_Version]) -> list[_Version]:
    """The versions since the file last came into being."""
    return list(takewhile(lambda version: version[1].strip("0"), versions))


def _claims(entry: Entry) -> tuple[object, ...]:
    said = (entry.title, entry.abstract, entry.overview, entry.body)
    return (*(text.split() for text in said), entry.fields.get("anchors"), entry.fields.get("verified"))


def _slices(items: list[T]) -> Iterator[list[T]]:
    return (items[start : start + _CHUNK] for start in range(0, len(items), _CHUNK))
