"""The way out of a commit that touches no memory, before anything is imported: most commits are of that kind.

Two questions to git, asked at once by posix_spawn, and nothing but `os`. It may only say yes when the whole check
would find nothing to judge; whatever it doesn't know for sure it leaves to the check.

It compares the index with HEAD alone. What was committed past the hook (`--no-verify`) and isn't published yet is seen
by the next commit that touches memory, by the pre-push hook and in CI, not by a commit of code on top of it.
"""

import os

_USUAL = (b".memory", b".gaai", b".minutebook", b".gitattributes")
_CONFIG = b".minutebook.yaml"
_FLAGS = (
    "--cached", "--raw", "-z", "--no-renames", "--no-ext-diff", "--no-textconv", "--ignore-submodules=none",
    "--no-abbrev",
)  # fmt: skip
_LETTERS = b"abcdefghijklmnopqrstuvwxyz"
_VALUES = {
    b"users": (b"private", b"commit"),
    b"index": (b"warn", b"strict"),
    b"decisions": (b"log", b"files"),
    b"seal": (b"commit", b"bytes"),
}
"""What is plain to read in a config, beside its roots, its account and its labels. Nothing is said of one with another
key or value: where it is broken an older one counts, which may name other roots."""
_SIGNS = _LETTERS + b"0123456789-_"
_NOT_TEXT = (b"true", b"false", b"null", b"yes", b"no", b"on", b"off", b"y", b"n")
_MOST = 1 << 20


class Heard:
    """What git was asked: `staged` is what differs between HEAD and the index, as git writes it, and `batch` the
    `git cat-file --batch` that is still there: its process, and the pipes that one asks and is answered by."""

    __slots__ = ("batch", "staged")

    def __init__(self, staged: bytes, batch: tuple[int, int, int]) -> None:
        self.staged = staged
        self.batch = batch


def nothing_to_judge(arguments: list[str]) -> bool:
    """Whether `minutebook check` with these arguments judges what is staged, and none of that is memory."""
    return look(arguments)[0]


def look(arguments: list[str]) -> tuple[bool, Heard | None]:
    """(what `nothing_to_judge` says, what was heard of git on the way where the check goes on)."""
    if arguments not in ([], ["--staged"]) or not hasattr(os, "posix_spawn") or _asked_for_more():
        return False, None
    if not arguments and "GITHUB_EVENT_PATH" in os.environ:  # what was pushed is judged too
        return False, None
    git_dir = _git_dir()
    if not git_dir or os.path.exists(f"{git_dir}/MERGE_HEAD"):  # noqa: PTH110  (pathlib costs more than the answer)
        return False, None
    if os.path.exists(f"{git_dir}/minutebook/journal.json"):  # noqa: PTH110  (a run is half done)
        return False, None
    # The environment and the flags as in minutebook.edges, which goes on with the answers.
    env = {**os.environ, "GIT_NO_REPLACE_OBJECTS": "1", "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}
    env |= {"GIT_NO_LAZY_FETCH": "1"}
    try:
        diff, *diff_pipes = _spawn(["git", "-c", "core.fsmonitor=false", "diff-index", *_FLAGS, "HEAD", "--"], env)
        batch = _spawn(["git", "cat-file", "--batch"], env)
    except OSError:
        return False, None
    os.write(batch[1], b"HEAD:%s\n" % _CONFIG)
    os.close(diff_pipes[0])
    staged = _all_of(diff_pipes[1])
    _, status = os.waitpid(diff, 0)
    found = _object(batch[2])
    if status != 0 or found is None:  # no commit yet, say
        return False, None
    heard = Heard(staged, batch)
    roots = _roots(found) if staged else None  # nothing staged: there is more to do
    paths = staged.lower().split(b"\0")[1::2]
    nothing = roots is not None and not any(_is_memory(path, roots) for path in paths)
    return nothing, None if nothing else heard


def _asked_for_more() -> bool:
    return any(name == "PRE_COMMIT_FROM_REF" or name.startswith("GITHEAD_") for name in os.environ)


def _git_dir() -> str:
    """The git directory, when this is the top of a work tree; "" when that isn't plain to see."""
    if "GIT_WORK_TREE" in os.environ:
        return ""
    place = os.environ.get("GIT_DIR", ".git")
    if os.path.isdir(place):  # noqa: PTH112
        return place
    try:
        handle = os.open(place, os.O_RDONLY)
    except OSError:
        return ""
    text = os.read(handle, 4096)
    os.close(handle)
    # A linked worktree: `.git` is a file that says where.
    where = os.fsdecode(text.removeprefix(b"gitdir: ").rstrip(b"\n"))
    return where if text.startswith(b"gitdir: ") and os.path.isdir(where) else ""  # noqa: PTH112


def _spawn(command: list[str], env: dict[str, str]) -> tuple[int, int, int]:
    """(process id, the pipe that it reads, the pipe that it writes to)."""
    read_end, write_end = os.pipe()
    asked, asks = os.pipe()
    actions = [
        (os.POSIX_SPAWN_DUP2, asked, 0),
        (os.POSIX_SPAWN_DUP2, write_end, 1),
        (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
    ]
    try:
        process = os.posix_spawnp("git", command, env, file_actions=actions)
    finally:
        for end in (write_end, asked):
            os.close(end)
    return process, asks, read_end


def _all_of(pipe: int) -> bytes:
    parts = []
    while part := os.read(pipe, _MOST):
        parts.append(part)
    os.close(pipe)
    return b"".join(parts)


def _object(pipe: int) -> bytes | None:
    """The one answer that the pipe holds: a line, and the bytes whose number it ends with. None when git is gone."""
    answer = b""
    size = 0
    while b"\n" not in answer or len(answer) <= answer.index(b"\n") + size:
        part = os.read(pipe, _MOST)
        if not part:
            return None
        answer += part
        last = answer.partition(b"\n")[0].rpartition(b" ")[2]
        size = int(last) + 1 if last.isdigit() else 0
    return answer


def _roots(answer: bytes) -> tuple[bytes, ...] | None:
    """The roots that HEAD's config names, lower-cased; None when they aren't written in the simple form, or when it
    maps places beside the roots."""
    if answer.endswith(b" missing\n") and answer.count(b"\n") == 1:
        return ()
    head, _, text = answer.removesuffix(b"\n").partition(b"\n")
    # Escapes, other line ends and other encodings may spell a key that isn't seen here.
    if b" blob " not in head or not text.isascii() or b"\\" in text or b"\r" in text:
        return None
    found: list[bytes] = []
    keys: list[bytes] = []
    last = b""
    for line in text.split(b"\n"):
        if not line or line.startswith(b"#"):
            continue
        if line.startswith(b"- ") and last == b"labels:":
            if not _is_word(line[2:]):
                return None
            continue
        last = line
        key, _, value = line.partition(b":")
        keys.append(key)
        value = value.removeprefix(b" ").rstrip(b" ") if value[:1] == b" " else b""
        if key == b"roots" and value.startswith(b"[") and value.endswith(b"]"):
            found += [name.strip(b" ") for name in value[1:-1].split(b",")]
        elif key == b"root":
            found.append(value)
        elif line != b"labels:" and value not in _VALUES.get(key, ()) and not (key == b"account" and _is_word(value)):
            return None
    # Broken all the same: a key or a root that stands twice, or both ways to name roots.
    if len({*keys}) < len(keys) or {b"root", b"roots"} <= {*keys} or len({*found}) < len(found):
        return None
    if not all(map(_is_folder, found)):
        return None
    return tuple(name.rstrip(b"/").lower() for name in found)


def _is_word(text: bytes) -> bool:
    """Whether it is surely a text of its own, and no number or truth value."""
    small = text.lower()
    return len(text) <= 50 and text[:1].isalpha() and not small.strip(_SIGNS) and small not in _NOT_TEXT


def _is_folder(name: bytes) -> bool:
    """Whether it is surely a folder that a config may name."""
    parts = name.removesuffix(b"/").split(b"/")
    return len(name) <= 200 and all(
        _is_word(part.removeprefix(b".")) and part.lower() not in (b".git", b".github") for part in parts
    )


def _is_memory(path: bytes, roots: tuple[bytes, ...]) -> bool:
    if any(name in path for name in _USUAL):
        return True
    return any(path == root or path.startswith(root + b"/") or root.startswith(path + b"/") for root in roots)
