"""The memory of one root: its config, its types, its files, its entries, read from a tree of files."""

from collections.abc import Callable, Iterable, Iterator, Mapping

from minutebook.ground.change import Change, File, Tree, with_changes
from minutebook.ground.config import CONFIG, GAAI_ROOT, USUAL_ROOTS, Config, read_config
from minutebook.ground.entry import Entry, MemoryFile, decode, read_entry
from minutebook.ground.errors import CannotJudge
from minutebook.ground.frozen import frozen, replace
from minutebook.ground.lazy import lazy
from minutebook.ground.log_entry import read_log
from minutebook.ground.memory_type import MemoryType, builtin_types, read_type
from minutebook.ground.problem import Problem
from minutebook.ground.record import is_record, read_record
from minutebook.ground.standing import closed_as
from minutebook.ground.uris import ARCHIVE, type_at

INDEX = "index.md"
TEMPLATE = "_template.md"
BASELINE = "baseline.json"
TYPES = "types/"
DEFAULT = Config()
_USERS = "users/"
_KEY = lazy(r"""(?m)^(["']?)(id|title)\1[ \t]*:""")
_ASIDE = lazy(r"(?i)(?:date|domain|category) *: *[\w./-]*")
_MARKUP = str.maketrans("[]()<>", "      ", "`*")


Reader = Callable[[str, File, MemoryType, Config], MemoryFile]
"""How a file is read: `read_file`, or one that remembers."""


@frozen
class Memory:
    """`root` is the folder, from the top of the repository; `files` are the readable files of memory by path from
    the top; `problems` is what could not be read."""

    root: str
    config: Config
    types: Mapping[str, MemoryType]
    files: Mapping[str, MemoryFile]
    problems: tuple[Problem, ...] = ()

    def entries(self, *, archived: bool = False) -> Iterator[Entry]:
        """The entries in the order of their files; those in the archive only when asked for."""
        for path, file in self.files.items():
            if archived or not self.inner(path).startswith(ARCHIVE):
                yield from file.entries

    def inner(self, path: str) -> str:
        """A path from the top, seen from the root; what lies beside the root starts with `../`."""
        if path.startswith(f"{self.root}/"):
            return path[len(self.root) + 1 :]
        return f"{'../' * (self.root.count('/') + 1)}{path}" if self.config.mapped_as(path) else path

    def outer(self, path: str) -> str:
        """A path from the root, seen from the top."""
        return f"{self.root}/{path}"

    def type_at(self, path: str) -> MemoryType | None:
        """The type of the file at this path from the top; None for what holds no entries."""
        return file_type(path, self.root, self.types, self.config)

    def type_of(self, entry: Entry) -> MemoryType:
        return self.types[entry.type]

    def is_closed(self, entry: Entry) -> bool:
        """Whether the entry itself says that it no longer holds."""
        return closed_as(entry, self.type_of(entry)) != ""

    def is_private(self, path: str) -> bool:
        """Whether a path from the top lies in an owner space that stays out of git: nothing of it may reach a shared
        file."""
        return self.config.users == "private" and path.startswith(self.outer(_USERS))

    @property
    def private_types(self) -> frozenset[str]:
        """The types whose entries lie in owner spaces that stay out of git."""
        private = (mtype.name for mtype in self.types.values() if self.is_private(self.outer(mtype.place)))
        return frozenset(private)

    def alone(self, mtype: MemoryType) -> bool:
        """Whether a new entry of the type gets a file of its own; in a log's place its id is the file's domain."""
        return mtype.layout != "log" or (mtype.name == "decision" and self.config.decisions == "files")

    def order(self, mtype: MemoryType) -> str:
        """The end of this type's logs at which new entries go."""
        return self.config.order.get(mtype.name, mtype.order)

    @property
    def adopted(self) -> bool:
        """A tree that came from elsewhere and is read as it stands."""
        return self.root.endswith(GAAI_ROOT)


def tree_config(tree: Tree) -> Config:
    """The config in a tree; raises CannotJudge when it is broken."""
    file = tree.get(CONFIG)
    return read_config(file.data if file is not None else None)


def roots_of(paths: Iterable[str], config: Config) -> tuple[str, ...]:
    """The memory roots: those that the config names, or the ones that are found at the usual places."""
    if config.roots:
        return config.roots
    found = {root for path in paths for root in USUAL_ROOTS if path.startswith(f"{root}/")}
    return tuple(root for root in USUAL_ROOTS if root in found)


def stray_roots(paths: Iterable[str], roots: tuple[str, ...]) -> tuple[str, ...]:
    """Folders that look like a memory root and that no config names."""
    found: set[str] = set()
    for path in paths:
        for usual in USUAL_ROOTS:
            at = f"/{path}".lower().find(f"/{usual}/")
            if at >= 0:
                found.add(path[: at + len(usual)])
    return tuple(sorted(root for root in found if not any(f"{root}/".startswith(f"{known}/") for known in roots)))


def read_memory(tree: Tree, root: str, config: Config, read: Reader | None = None) -> Memory:
    """Read every file of the root, and those that the config maps from elsewhere in the tree. What can't be read
    becomes a problem on that file; the rest is still read."""
    types, problems = _types(tree, root, config)
    files: dict[str, MemoryFile] = {}
    for path in sorted(tree):
        mtype = file_type(path, root, types, config)
        if mtype is None:
            continue
        file = (read or read_file)(path, tree[path], mtype, config)
        problems += file.problems
        files[path] = file
    return Memory(root, config, types, without_registry(files, root), tuple(problems))


def memory_after(memory: Memory, tree: Tree, changes: tuple[Change, ...]) -> Memory:
    """The memory of the same root after changes to the tree that it was read from."""
    return read_memory(with_changes(tree, changes), memory.root, memory.config)


def without_registry(files: dict[str, MemoryFile], root: str) -> dict[str, MemoryFile]:
    """The files without log headings that only point to an entry's own file: newer GAAI trees list `### DEC-2 — …`
    with `File: decisions/DEC-2.md` in the log, and the decision itself lies there. A heading that says more stays an
    entry: nothing written may get out of sight by naming a file."""
    alone = {
        (file.type, entry.id): path.removeprefix(f"{root}/")
        for path, file in files.items()
        if not file.log
        for entry in file.entries
    }
    kinds = {name for name, _ in alone}
    found = {}
    for path, file in files.items():
        if not file.log or file.type not in kinds:
            found[path] = file
            continue
        owners = ((entry, alone.get((entry.type, entry.id))) for entry in file.entries)
        rows = {entry.line for entry, owner in owners if owner is not None and _only_points(entry, owner)}
        kept = tuple(entry for entry in file.entries if entry.line not in rows)
        found[path] = replace(file, entries=kept) if rows else file
    return found


def _only_points(entry: Entry, path: str) -> bool:
    """Whether all that stands beneath the heading is where the entry's file lies, and its date and domain."""
    target = path.lstrip("./")
    names = {target, target.rpartition("/")[2], entry.id}
    pointed = False
    for part in entry.text.partition("\n")[2].translate(_MARKUP).replace("\n", "|").split("|"):
        said = part.strip().removeprefix("- ").strip("- ")
        if not said or _ASIDE.fullmatch(said):
            continue
        words = [word.lstrip("./") for word in said.split()]
        words = words[1:] if words[0].lower() in ("file:", "path:") else words
        if not names.issuperset(words):
            return False
        pointed = pointed or target in words
    return pointed


def memory_type_of(inner: str, types: Mapping[str, MemoryType]) -> MemoryType | None:
    """The type of the file at this path from the root; None for what holds no entries."""
    name = inner.rsplit("/", 1)[-1].lower()
    if not name.endswith(".md") or name.endswith(".example.md") or name in (INDEX, TEMPLATE, "readme.md"):
        return None
    return type_at(types, inner)


def file_type(path: str, root: str, types: Mapping[str, MemoryType], config: Config) -> MemoryType | None:
    """The type of the file at this path from the top, beneath the root or where the config maps it."""
    if path.startswith(f"{root}/"):
        return memory_type_of(path[len(root) + 1 :], types)
    found = config.mapped_as(path) if config.mapped else None
    if found is None or not (found[1] or is_record(path.rsplit("/", 1)[-1])):
        return None
    return types.get(found[0])


def read_file(
    path: str, file: File, mtype: MemoryType, config: Config = DEFAULT, earlier: MemoryFile | None = None
) -> MemoryFile:
    """One file of memory. In a log's place, a file whose front matter has an id is one entry (the other layout).

    `earlier` is the same file before a change, read as the same type by the same config: a log isn't all cut up again.
    """
    if not file.is_regular:
        return MemoryFile(path, mtype.name, "", "", ())
    text = decode(file.data)
    found = config.mapped_as(path) if config.mapped else None
    if found is not None and not found[1]:
        record, problems = read_record(path, text, mtype)
        return MemoryFile(path, mtype.name, text, "", (record,), problems)
    if found is not None:
        return read_log(path, text, mtype, mapped=True, earlier=earlier)
    if mtype.layout == "log" and not _is_one_entry(text):
        return read_log(path, text, mtype, earlier=earlier)
    stem = path.rsplit("/", 1)[-1].removesuffix(".md")
    entry, problems = read_entry(path, text, mtype, stem)
    return MemoryFile(path, mtype.name, text, "", (entry,) if entry is not None else (), problems)


def _is_one_entry(text: str) -> bool:
    if not text.startswith("---"):
        return False
    head = text[: text.find("\n---", 3) + 1]
    keys = {match[2] for match in _KEY.finditer(head)}
    return {"id", "title"} <= keys


def _types(tree: Tree, root: str, config: Config) -> tuple[dict[str, MemoryType], list[Problem]]:
    types = dict(builtin_types())
    problems: list[Problem] = []
    folder = f"{root}/{TYPES}"
    for path in sorted(path for path in tree if path.startswith(folder) and path.endswith((".yaml", ".yml"))):
        try:
            mtype = read_type(decode(tree[path].data), path)
        except CannotJudge as error:
            where, _, message = str(error).removeprefix(f"{path}:").partition(": ")
            fix = error.hint or "`minutebook types decision` shows a type that is right"
            problems.append(Problem(path, int(where) if where.isdigit() else 1, "type", message, fix))
            continue
        types[mtype.name] = mtype
    for name in sorted({*config.mapped, *config.stages} - types.keys()):
        message = f"the config speaks of the type {name}, and there is no such type"
        problems.append(Problem(CONFIG, 0, "type", message, f"minutebook types shows them: {', '.join(sorted(types))}"))
    for name in config.stages.keys() & types.keys():
        types[name] = _with_words(types[name], config.stages[name])
    return types, problems


def _with_words(mtype: MemoryType, more: Mapping[str, tuple[str, ...]]) -> MemoryType:
    """The type with the config's status words: what a word is there, it is in no other stage."""
    said = {word for words in more.values() for word in words}
    stages = dict.fromkeys([*mtype.status, *more])
    status = {
        stage: (*(word for word in mtype.status.get(stage, ()) if word not in said), *more.get(stage, ()))
        for stage in stages
    }
    return replace(mtype, status=status)
