"""When each entry was last touched, and what the repository looked like then: read from git in a few walks."""

import os
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache, lru_cache
from itertools import islice, takewhile
from pathlib import Path
from typing import TypeVar

from minutebook.edges import git, git_objects
from minutebook.ground.change import EXECUTABLE, REGULAR, File
from minutebook.ground.entry import Entry, MemoryFile, decode, encode
from minutebook.ground.frozen import frozen
from minutebook.ground.memory import Memory, read_file

_CHUNK = 256
_LARGEST = 1 << 20
_ID = re.compile(r"[0-9a-f]{40,64}")
_FILES = frozenset((REGULAR, EXECUTABLE))
_HEADING = re.compile(rb"(?m)^ {0,3}#{1,6}[ \t]")
_NAMED = re.compile(rb"(?m)^(?:id:[ \t]*|#{1,6}[ \t]+)[\"']?([A-Za-z][\w.-]{1,127})")
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
    whatever was added to its end later; an entry file when its body, anchors, title, abstract or `verified` last
    changed: a tag or a `stale` note says nothing new about the code.
    """
    versions: dict[str, list[_Version]] = {}
    for change, step in _changes(top, memory, head):
        if only is None or change.path in only:
            versions.setdefault(change.path, []).append((Touch(step.commit, step.day), change.new_id))
    found: dict[tuple[str, str], Touch] = {}
    for path, file in memory.files.items():
        if file.log and path in versions:
            found.update(_introduced(top, file, versions[path]))
    single = [entry for file in memory.files.values() if not file.log for entry in file.entries]
    return found | _last_said(top, memory, [entry for entry in single if entry.path in versions], versions)


def changed_since(top: Path, memory: Memory, old: str, head: str) -> frozenset[str] | None:
    """The paths of memory that changed from `old` on; None when `head` doesn't follow from it."""
    if old == head:
        return frozenset()
    if git.commit_id(top, old) is None or not git.is_ancestor(top, old, head):
        return None
    return frozenset(change.path for change, _ in _changes(top, memory, f"{old}..{head}"))


def _changes(top: Path, memory: Memory, rev: str) -> Iterator[tuple[git.RawChange, git.Step]]:
    """All that changed in the root and where the config maps memory to, the newest first."""
    for folder in dict.fromkeys((memory.root, *memory.config.folders)):
        for step in git.history(top, rev, folder):
            yield from ((change, step) for change in step.changes if change.path in memory.files)


def _introduced(top: Path, file: MemoryFile, versions: list[_Version]) -> Iterator[tuple[tuple[str, str], Touch]]:
    """Walks the log's versions back until each entry isn't there, or says something else under its heading. Text that
    was added at its end (a marker, an addendum) leaves what it had said."""
    waiting = {heading: (chunk, entry.id) for entry in file.entries for heading, chunk in _first(encode(entry.text))}
    newer: Touch | None = None
    for some in _slices(_alive(versions)):
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
    return now.startswith(then) and len(_VERIFIED.findall(now)) == len(_VERIFIED.findall(then))


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
    depth, waiting = 0, [(entry, _alive(versions[entry.path])) for entry in entries]
    while waiting:
        waiting = [(entry, lived) for entry, lived in waiting if depth < len(lived)]
        kept = []
        for some in _slices(waiting):
            data = git_objects.read_blobs(top, [lived[depth][1] for _, lived in some])
            for entry, lived in some:
                touch, blob = lived[depth]
                file = read_file(entry.path, File(data[blob]), memory.type_of(entry), memory.config)
                if any(_claims(then) == _claims(entry) for then in file.entries[:1]):
                    found[entry.path, entry.id] = touch
                    kept.append((entry, lived))
        depth, waiting = depth + 1, kept
    return found


def _alive(versions: list[_Version]) -> list[_Version]:
    """The versions since the file last came into being."""
    return list(takewhile(lambda version: version[1].strip("0"), versions))


def _claims(entry: Entry) -> tuple[object, ...]:
    return (
        entry.title,
        entry.abstract,
        entry.overview,
        entry.body,
        entry.fields.get("anchors"),
        entry.fields.get("verified"),
    )


def code_files(top: Path, commit: str, roots: Collection[str]) -> dict[str, str]:
    """Path to blob id of every file of the commit outside the memory roots; submodules and symlinks left out."""
    inside = tuple(f"{root}/" for root in roots)
    listed = git_objects.list_tree(top, commit)
    return {path: oid for path, mode, oid in listed if mode in _FILES and not path.startswith(inside)}


def differences(top: Path, commits: Collection[str], head: str, roots: Collection[str]) -> dict[str, dict[str, str]]:
    """For each commit what its files outside of memory had in place of those of `head`: path to blob id, "" where it
    had no such file. One process for all of them."""
    inside = tuple(f"{root}/" for root in roots)
    trees = _trees(top, [*commits, head])
    wanted = {commit: trees[commit] for commit in commits if commit in trees}
    pairs = {f"{trees[head]} {tree}": tree for tree in wanted.values() if tree != trees[head]} if wanted else {}
    flags = ("--stdin", "-r", "--raw", "-z", "--no-renames", "--no-abbrev", "--ignore-submodules=none")
    out = git.run(top, "diff-tree", *flags, stdin="".join(f"{pair}\n" for pair in pairs).encode()) if pairs else b""
    found: dict[str, dict[str, str]] = {tree: {} for tree in wanted.values()}
    rows: dict[str, str] = {}
    fields = iter(out.split(b"\0"))
    for record in fields:
        while not record.startswith(b":") and b"\n" in record:  # `<tree> <tree>`, on a line of its own
            header, _, record = record.partition(b"\n")
            rows = found[pairs[header.decode().strip()]]
        if record.startswith(b":"):
            mode, oid = record.split(b" ")[1].decode(), record.split(b" ")[3].decode()
            path = os.fsdecode(next(fields))
            if not path.startswith(inside):
                rows[path] = oid if mode in _FILES else ""
    return {commit: found[tree] for commit, tree in wanted.items()}


def renames(top: Path, then: str, head: str) -> dict[str, str]:
    """Old path to new path, as git itself finds them between the two trees: the same bytes, or at least half of them
    (beyond a thousand candidates the same bytes alone)."""
    flags = ("-r", "-z", "-M50%", "-l1000", "--diff-filter=R", "--name-status", "--no-ext-diff")
    fields = git.run(top, "diff-tree", *flags, "--end-of-options", then, head).split(b"\0")
    triples = zip(fields[0::3], fields[1::3], fields[2::3], strict=False)
    return {os.fsdecode(old): os.fsdecode(new) for _, old, new in triples}


def commits_since(top: Path, rev: str, head: str) -> frozenset[str]:
    """The commits that `head` has and `rev` hasn't."""
    out = git.run(top, "rev-list", "--end-of-options", head, f"^{rev}").decode().split()
    return frozenset(out)


def ids_held(top: Path, memory: Memory, commit: str) -> Callable[[str], bool]:
    """Whether memory at a commit had an entry of that id: as the heading of a log, as `id:`, or as a file's name. Read
    when it is first asked."""

    @cache
    def ids() -> frozenset[str]:
        rows = [row for row in git_objects.list_tree(top, commit, memory.root) if row[1] in _FILES]
        texts = git_objects.read_blobs(top, dict.fromkeys(oid for _, _, oid in rows)).values()
        found = {match[1].decode("utf-8", "replace") for data in texts for match in _NAMED.finditer(data)}
        return frozenset(found | {path.rpartition("/")[2].removesuffix(".md") for path, _, _ in rows})

    return lambda name: name in ids()


def _trees(top: Path, commits: Collection[str]) -> dict[str, str]:
    names = list(dict.fromkeys(commits))
    found = _object_ids(top, [f"{name}^{{tree}}" for name in names])
    return {name: oid for name, oid in zip(names, found, strict=True) if oid}


def _object_ids(top: Path, names: list[str]) -> list[str]:
    """The ids that these names stand for, "" for none."""
    asked = "".join(f"{name}\n" for name in names).encode()
    rows = git.run(top, "cat-file", "--batch-check=%(objectname)", stdin=asked).decode().split("\n")
    return [row if _ID.fullmatch(row) else "" for row in rows[: len(names)]]


def text_reader(top: Path) -> Callable[[str], str]:
    """Reads a blob as text; "" for what is larger than 1 MiB or no text."""

    @lru_cache(maxsize=1024)
    def read(blob: str) -> str:
        data = git_objects.read_blobs(top, [blob])[blob]
        return "" if len(data) > _LARGEST or b"\0" in data[:8192] else decode(data)

    return read


def vanished(top: Path, head: str) -> Callable[[str], Touch | None]:
    """When a path last went away, read from one walk over all deletions the first time it is asked."""

    @cache
    def deletions() -> dict[str, Touch]:
        found: dict[str, Touch] = {}
        for step in git.history(top, head, deletions=True):
            for change in step.changes:
                found.setdefault(change.path, Touch(step.commit, step.day))
        return found

    return lambda path: deletions().get(path)


def _slices(items: list[T]) -> Iterator[list[T]]:
    return (items[start : start + _CHUNK] for start in range(0, len(items), _CHUNK))
