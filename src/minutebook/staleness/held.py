"""The memory that a refresh looks at, read as far as somebody asks: as it lies in the work tree, or as it was given."""

from collections.abc import Callable, Collection, Mapping
from hashlib import sha256

from minutebook.edges.entry_rows import forget_all
from minutebook.edges.refresh_cache import Cache
from minutebook.edges.seen_files import keep_files, known_files, stamps
from minutebook.ground.change import File
from minutebook.ground.entry import MemoryFile, encode
from minutebook.ground.frozen import frozen, replace
from minutebook.ground.memory import TYPES, Memory, read_memory
from minutebook.workspace import Workspace, mapped_paths

UNREAD = "unread"
"""What the cache notes, as JSON, of the files that hold no entry because they can't be read."""


@frozen
class Held:
    """`bare` is the memory without its files: its root, config and types. `changed` are the files whose bytes differ
    from what the cache knows, `gone` those that it knows and that are no more. `some` reads the files that it is asked
    for, `whole` all of them."""

    bare: Memory
    changed: frozenset[str]
    gone: frozenset[str]
    some: Callable[[Collection[str]], Memory]
    whole: Callable[[], Memory]


def in_work_tree(workspace: Workspace, cached: Cache) -> Held:
    """The memory of the work tree: only files that may have changed since they were last read are read."""
    top, root, config = workspace.repo.top, workspace.store.within, workspace.config
    found = stamps(top, root, mapped_paths(top, config))

    def read(paths: Collection[str]) -> dict[str, File]:
        return {path: File((top / path).read_bytes()) for path in paths}

    kinds = read([path for path in found if path.startswith(f"{root}/{TYPES}")])
    bare = read_memory(kinds, root, config)
    known = _known_by(bare, cached)
    ours = {path: stamp for path, stamp in found.items() if path in known or bare.type_at(path) is not None}
    unsure = [path for path, stamp in ours.items() if not stamp or known.get(path, ("", ""))[0] != stamp]
    read_now = read(unsure)
    digests = {path: digest(file.data) for path, file in read_now.items()}
    changed = frozenset(path for path, each in digests.items() if known.get(path, ("", ""))[1] != each)
    gone = frozenset(known.keys() - ours.keys())
    fresh = {path: (ours[path], each) for path, each in digests.items() if known.get(path) != (ours[path], each)}
    keep_files(cached.connection, fresh, gone)

    def some(paths: Collection[str]) -> Memory:
        files = kinds | {path: read_now.get(path) or read([path])[path] for path in paths if path in ours}
        return read_memory(files, root, config)

    return Held(bare, changed, gone, some, lambda: workspace.memory)


def as_given(memory: Memory, cached: Cache) -> Held:
    """A memory that was read by somebody else: of a commit, or what a plan leaves."""
    bare = with_files(memory, {})
    known = _known_by(bare, cached)
    digests = {path: digest(encode(file.text)) for path, file in memory.files.items()}
    changed = {path: ("", each) for path, each in digests.items() if known.get(path, ("", ""))[1] != each}
    gone = frozenset(known.keys() - digests.keys())
    keep_files(cached.connection, changed, gone)

    def some(paths: Collection[str]) -> Memory:
        return with_files(memory, {path: memory.files[path] for path in paths if path in memory.files})

    return Held(bare, frozenset(changed), gone, some, lambda: memory)


def _known_by(bare: Memory, cached: Cache) -> dict[str, tuple[str, str]]:
    """The files that the cache knows, if they were read by the same config and types; else it forgets them all."""
    shape = digest(f"{bare.config!r}{bare.types!r}".encode())
    if cached.said("state", "shape") != shape:
        forget_all(cached.connection)
        cached.note("state", {"shape": shape, UNREAD: "[]"})
    return known_files(cached.connection)


def only(memory: Memory, places: Collection[tuple[str, str]]) -> Memory:
    """The memory with the entries at these places alone, in the order that they have in it."""
    files = {}
    for path in sorted({path for path, _ in places}):
        file = memory.files.get(path)
        if file is not None:
            kept = tuple(entry for entry in file.entries if (path, entry.id) in places)
            files[path] = file if len(kept) == len(file.entries) else replace(file, entries=kept)
    return with_files(memory, files)


def with_files(memory: Memory, files: Mapping[str, MemoryFile]) -> Memory:
    return replace(memory, files=files, problems=())


def digest(data: bytes) -> str:
    return sha256(data).hexdigest()[:32]
