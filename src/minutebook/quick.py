"""The way out of a commit that touches no memory, before anything is imported: most commits are of that kind.

Two questions to git, asked at once by posix_spawn, and nothing but `os`. It may only say yes when the whole check
would find nothing to judge; whatever it doesn't know for sure it leaves to the check.
"""

import os

_USUAL = (b".memory", b".gaai", b".minutebook", b".gitattributes")
_CONFIG = ".minutebook.yaml"
_LETTERS = b"abcdefghijklmnopqrstuvwxyz"
_MOST = 1 << 20


def nothing_to_judge(arguments: list[str]) -> bool:
    """Whether `minutebook check` with these arguments judges what is staged, and none of that is memory."""
    if arguments not in ([], ["--staged"]) or not hasattr(os, "posix_spawn") or _asked_for_more():
        return False
    git_dir = _git_dir()
    if not git_dir or os.path.exists(f"{git_dir}/MERGE_HEAD"):  # noqa: PTH110  (pathlib costs more than the answer)
        return False
    # The environment as minutebook.edges.git sets it.
    env = {**os.environ, "GIT_NO_REPLACE_OBJECTS": "1", "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}
    flags = ["--cached", "--name-only", "-z", "--no-renames", "--ignore-submodules=none"]
    try:
        diff = _spawn(["git", "-c", "core.fsmonitor=false", "diff-index", *flags, "HEAD", "--"], "", env)
        config = _spawn(["git", "cat-file", "--batch"], f"HEAD:{_CONFIG}\n", env)
    except OSError:
        return False
    staged, found = _answer(diff), _answer(config)
    if not staged or found is None:  # nothing staged, or no commit yet: there is more to do
        return False
    roots = _roots(found)
    return roots is not None and not any(_is_memory(path, roots) for path in staged.lower().split(b"\0")[:-1])


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


def _spawn(command: list[str], question: str, env: dict[str, str]) -> tuple[int, int]:
    """(process id, the pipe that it writes to)."""
    read_end, write_end = os.pipe()
    asked, asks = os.pipe()
    actions = [
        (os.POSIX_SPAWN_DUP2, asked, 0),
        (os.POSIX_SPAWN_DUP2, write_end, 1),
        (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
    ]
    try:
        process = os.posix_spawnp("git", command, env, file_actions=actions)
        os.write(asks, question.encode())
    finally:
        for end in (write_end, asked, asks):
            os.close(end)
    return process, read_end


def _answer(running: tuple[int, int]) -> bytes | None:
    process, pipe = running
    parts = []
    while part := os.read(pipe, _MOST):
        parts.append(part)
    os.close(pipe)
    _, status = os.waitpid(process, 0)
    return b"".join(parts) if status == 0 else None


def _roots(answer: bytes) -> tuple[bytes, ...] | None:
    """The roots that HEAD's config names, lower-cased; None when they aren't written in the simple form."""
    if answer.endswith(b" missing\n") and answer.count(b"\n") == 1:
        return ()
    head, _, text = answer.lower().removesuffix(b"\n").partition(b"\n")
    # Escapes, other line ends and other encodings may spell a key that isn't seen here.
    if b" blob " not in head or not text.isascii() or b"\\" in text or b"\r" in text:
        return None
    found: list[bytes] = []
    last = b""
    for line in text.split(b"\n"):
        if not line.strip() or line.startswith(b"#"):
            continue
        if line.startswith((b" ", b"- ")):  # it goes on: the items of a list, say, or more of a name
            if not last or last.startswith(b"root") or b"root" in line:
                return None
            continue
        last, colon, value = line.partition(b":")
        names = value.strip()
        if not colon or not last or last.strip(_LETTERS):
            return None
        if last == b"roots" and names.startswith(b"[") and names.endswith(b"]"):
            found += [name.strip() for name in names[1:-1].split(b",")]
        elif last == b"root" and b"," not in names:
            found.append(names)
        elif b"root" in line:
            return None
    plain = _LETTERS + b"0123456789._-/"
    return tuple(name.rstrip(b"/") for name in found) if all(name and not name.strip(plain) for name in found) else None


def _is_memory(path: bytes, roots: tuple[bytes, ...]) -> bool:
    if any(name in path for name in _USUAL):
        return True
    return any(path == root or path.startswith(root + b"/") or root.startswith(path + b"/") for root in roots)
