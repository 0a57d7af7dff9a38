"""When each entry was last touched, and what the repository looked like then: read from git in a few walks."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache, lru_cache
from itertools import islice, takewhile
from pathlib import Path
from typing import TypeVar

from minutebook.edges import git, git_objects
from minutebook.ground.change import EXECUTABLE, REGULAR
from minutebook.ground.entry import Entry, MemoryFile, decode, encode, read_entry
from minutebook.ground.frozen import frozen
from minutebook.ground.memory import Memory

_CHUNK = 256
_LARGEST = 1 << 20
_WORD = re.compile(rb"[A-Za-z_][A-Za-z0-9_]{2,63}")
_HEADING = re.compile(rb"(?m)^ {0,3}#{1,6}[ \t]")
_CLOSING = b" \t\r\n-*_"
_NO_CODE = re.compile(
    r"(?i).*(?:\.(?:adoc|bin|csv|docx?|gif|gz|ico|jpe?g|jsonl|lock|map|md|mdc|mdx|mp[34]|pdf|png|rst|svg|tar|tsv|txt"
    r"|webp|whl|woff2?|zip)|\.min\.(?:js|css)|(?:^|/)package-lock\.json)"
)


@frozen
class Touch:
    """The commit after which an entry has said what it says today; `day` is YYYY-MM-DD."""

    commit: str
    day: str


_Version = tuple[Touch, str]
T = TypeVar("T")


def last_touched(top: Path, memory: Memory, head: str) -> dict[tuple[str, str], Touch]:
    """The last touch of each committed entry, by path and id; entries that `head` doesn't have are missing.

    One walk over the memory's history on the first-parent line. An entry of a log was touched when its text came in,
    whatever was added to its end later; an entry file when its body, anchors, title, abstract or `verified` last
    changed: a tag or a `stale` note says nothing new about the code.
    """
    versions: dict[str, list[_Version]] = {}
    for step in git.history(top, head, memory.root):
        for change in step.changes:
            versions.setdefault(change.path, []).append((Touch(step.commit, step.day), change.new_id))
    found: dict[tuple[str, str], Touch] = {}
    for path, file in memory.files.items():
        if file.log and path in versions:
            found.update(_introduced(top, file, versions[path]))
    single = [entry for file in memory.files.values() if not file.log for entry in file.entries]
    return found | _last_said(top, memory, [entry for entry in single if entry.path in versions], versions)


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
                if heading not in there or not chunk.startswith(there[heading]):
                    del waiting[heading]
                    if newer is not None:
                        yield (file.path, entry_id), newer
            newer = touch
        if not waiting:
            return
    if newer is not None:
        yield from (((file.path, entry_id), newer) for _, entry_id in waiting.values())


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
                then, _ = read_entry(entry.path, decode(data[blob]), memory.type_of(entry), "")
                if then is not None and _claims(then) == _claims(entry):
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
    return {path: oid for path, mode, oid in listed if mode in (REGULAR, EXECUTABLE) and not path.startswith(inside)}


def text_reader(top: Path) -> Callable[[str], str]:
    """Reads a blob as text; "" for what is larger than 1 MiB or no text."""

    @lru_cache(maxsize=1024)
    def read(blob: str) -> str:
        data = git_objects.read_blobs(top, [blob])[blob]
        return "" if len(data) > _LARGEST or b"\0" in data[:8192] else decode(data)

    return read


def word_finder(top: Path, wanted: Collection[str]) -> Callable[[Mapping[str, str]], frozenset[str]]:
    """A function from files (path to blob id) to those `wanted` identifiers that code among them holds.

    Documentation, data and what is larger than 1 MiB don't count as code. A blob is read once, whatever the number
    of commits that hold it.
    """
    asked = frozenset(word.encode() for word in wanted)
    known: dict[str, frozenset[bytes]] = {}

    def find(files: Mapping[str, str]) -> frozenset[str]:
        code = [blob for path, blob in files.items() if not _NO_CODE.fullmatch(path)] if asked else []
        fresh = [blob for blob in dict.fromkeys(code) if blob not in known]
        sizes = git_objects.blob_sizes(top, fresh)
        for some in _slices([blob for blob in fresh if sizes.get(blob, _LARGEST + 1) <= _LARGEST]):
            for blob, data in git_objects.read_blobs(top, some).items():
                known[blob] = frozenset() if b"\0" in data[:8192] else asked.intersection(_WORD.findall(data))
        found = frozenset[bytes]().union(*(known.get(blob, frozenset()) for blob in code))
        return frozenset(word.decode() for word in found)

    return find


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
