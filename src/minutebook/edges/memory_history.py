"""What the repository was at the commits that entries speak of: read from git in a few processes."""

import os
import re
from collections.abc import Callable, Collection
from functools import cache, lru_cache
from pathlib import Path

from minutebook.edges import git, git_objects
from minutebook.ground.change import EXECUTABLE, REGULAR
from minutebook.ground.entry import decode, encode
from minutebook.ground.memory import Memory

_LARGEST = 1 << 20
_MOST_ASKED = 5000
_ID = re.compile(r"[0-9a-f]{40,64}")
_FILES = frozenset((REGULAR, EXECUTABLE))
_OTHER_MODES = re.compile(rb"(?:^|\0)(?!100644|100755|\Z)")
_NAMED = re.compile(rb"(?m)^(?:id:[ \t]*|#{1,6}[ \t]+)[\"']?([A-Za-z][\w.-]{1,127})")


def code_files(top: Path, commit: str, roots: Collection[str]) -> dict[str, str]:
    """Path to blob id of every file of the commit outside the memory roots; submodules and symlinks left out."""
    inside = tuple(f"{root}/" for root in roots)
    listed = git_objects.list_tree(top, commit)
    return {path: oid for path, mode, oid in listed if mode in _FILES and not path.startswith(inside)}


def code_rows(top: Path, commit: str, roots: Collection[str]) -> bytes:
    """The files that `code_files` reads, as git lists them: `MODE blob ID TAB PATH NUL` each, by path."""
    out = git.run(top, *git_objects.tree_question(commit))
    for root in roots:
        start = out.find(b"\t%s/" % encode(root))
        if start >= 0:
            end = out.index(b"\0", out.rindex(b"\t%s/" % encode(root))) + 1
            out = out[: out.rfind(b"\0", 0, start) + 1] + out[end:]
    if out.count(b"\t") == out.count(b"\0") and not _OTHER_MODES.search(out):
        return out
    files = code_files(top, commit, roots)
    return b"".join(b"%s blob %s\t%s\0" % (REGULAR.encode(), files[path].encode(), encode(path)) for path in files)


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


def changes(top: Path, old: str, head: str, roots: Collection[str]) -> tuple[dict[str, str], dict[str, str]]:
    """The files outside of memory that differ between two commits: path to blob id at `old` and at `head`, "" for none.
    Empty when it is the same commit."""
    if old == head:
        return {}, {}
    inside = tuple(f"{root}/" for root in roots)
    flags = ("-r", "--raw", "-z", "--no-renames", "--no-abbrev", "--ignore-submodules=none", "--no-ext-diff")
    fields = git.run(top, "diff-tree", *flags, "--end-of-options", old, head).split(b"\0")
    before: dict[str, str] = {}
    after: dict[str, str] = {}
    for row, name in zip(fields[0::2], fields[1::2], strict=False):
        path, (old_mode, new_mode, old_id, new_id, _) = os.fsdecode(name), row.decode().lstrip(":").split(" ")
        if not path.startswith(inside):
            before[path] = old_id if old_mode in _FILES else ""
            after[path] = new_id if new_mode in _FILES else ""
    return before, after


def renames(top: Path, then: str, head: str) -> dict[str, str]:
    """Old path to new path, as git itself finds them between the two trees: the same bytes, or at least half of them
    (beyond a thousand candidates the same bytes alone)."""
    flags = ("-r", "-z", "-M50%", "-l1000", "--diff-filter=R", "--name-status", "--no-ext-diff")
    fields = git.run(top, "diff-tree", *flags, "--end-of-options", then, head).split(b"\0")
    triples = zip(fields[0::3], fields[1::3], fields[2::3], strict=False)
    return {os.fsdecode(old): os.fsdecode(new) for _, old, new in triples}


def texts_at(top: Path, start: str, head: str, paths: Collection[str]) -> dict[str, bytes]:
    """The bytes that these files of `head` had at `start`, wherever they lay then; those that are new are missing."""
    plain = [path for path in paths if "\n" not in path]
    found = dict(zip(plain, _object_ids(top, [f"{start}:{path}" for path in plain]), strict=True)) if plain else {}
    new = {path for path, blob in found.items() if not blob}
    was = {now: old for old, now in renames(top, start, head).items() if now in new and "\n" not in old} if new else {}
    found |= dict(zip(was, _object_ids(top, [f"{start}:{old}" for old in was.values()]), strict=True)) if was else {}
    data = git_objects.read_blobs(top, dict.fromkeys(blob for blob in found.values() if blob))
    return {path: data[blob] for path, blob in found.items() if blob}


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


def vanished(top: Path, head: str) -> Callable[[str], tuple[str, str] | None]:
    """The commit and the day when a path last went away, read from one walk over all deletions the first time it is
    asked."""

    @cache
    def deletions() -> dict[str, tuple[str, str]]:
        found: dict[str, tuple[str, str]] = {}
        for step in git.history(top, head, deletions=True):
            for change in step.changes:
                found.setdefault(change.path, (step.commit, step.day))
        return found

    return lambda path: deletions().get(path)


def follows(top: Path, old: str, head: str) -> bool:
    """Whether `old` is on the first-parent line of `head`, so that all walks from `head` lead through it."""
    if old == head:
        return True
    answer = git.asked(top, "log", "--first-parent", "--format=%P", "--end-of-options", f"{old}..{head}")
    rows = (answer or "").split("\n")
    return rows[-1].split(" ")[0] == old


def absent(top: Path, commits: Collection[str], paths: Collection[str]) -> set[str]:
    """Those of the commits that lack one of these files; all of them where that would be too much to ask."""
    if len(commits) * len(paths) > _MOST_ASKED or any("\n" in path for path in paths):
        return set(commits)
    pairs = [(commit, path) for commit in commits for path in paths]
    found = _object_ids(top, [f"{commit}:{path}" for commit, path in pairs])
    return {commit for (commit, _), blob in zip(pairs, found, strict=True) if not blob}
