"""The memory in two trees as git holds them: a base, and a commit or the index. Blobs are read once, by id."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from minutebook.edges import git, git_objects
from minutebook.ground.change import SUBMODULE, File, Tree
from minutebook.ground.config import CONFIG, USUAL_ROOTS, Config, read_config
from minutebook.ground.errors import CannotJudge
from minutebook.ground.frozen import frozen

Listed = dict[str, tuple[str, str]]
_USUAL = (CONFIG, *USUAL_ROOTS)
_NONE = "000000"
_MOST = ((8_000_000, "bytes"), (400_000, "lines"), (25_000, "headings"))


@frozen
class Comparison:
    """`before` and `after` hold the config and what lies at or beneath a memory root of either side.

    `paths` are all the paths, of memory or not, that are new or differ; `roots` where memory may lie on either side;
    `broken` says why the config of `after` can't be read, and then the base's counts. `others` are as asked for.
    """

    before: Tree
    after: Tree
    old: Config
    new: Config
    paths: tuple[str, ...]
    roots: tuple[str, ...]
    broken: CannotJudge | None
    others: tuple[Tree, ...] = ()

    @property
    def touches_memory(self) -> bool:
        return self.before != self.after


def compared(top: Path, base: str | None, head: str | None, others: Sequence[str] = ()) -> Comparison:
    """Compare a commit (None: nothing at all) with another one, or with the index (None).

    `others` are commits whose memory is read too. Raises CannotJudge for a broken config in the base, or with
    nothing to fall back on, and for what is too large to be judged.
    """
    raw = git_objects.diff(top, base or git.empty_tree(top), head)
    before = _listed(top, base, _USUAL)
    new_config = next((each for each in raw if each.path == CONFIG), None)
    blobs = _Blobs(top)
    old, _ = _config(blobs.files({CONFIG: before[CONFIG]} if CONFIG in before else {}), None)
    staged = before | ({CONFIG: (new_config.new_mode, new_config.new_id)} if new_config else {})
    new, broken = _config(blobs.files({CONFIG: staged[CONFIG]} if CONFIG in staged else {}), old)
    if base is None and broken is not None:
        raise CannotJudge(str(broken), f"mend {CONFIG}")
    roots = tuple(dict.fromkeys((*old.roots, *new.roots, *USUAL_ROOTS)))
    before |= _listed(top, base, [root for root in roots if root not in _USUAL])
    after = dict(before)
    for each in raw:
        if each.path == CONFIG or _touches(each.path, roots):
            after.pop(each.path, None)
            if each.new_mode != _NONE:
                after[each.path] = (each.new_mode, each.new_id)
    listings = [before, after, *(_listed(top, other, (CONFIG, *roots)) for other in others)]
    if before == after and not others:
        listings = [{}, {}]  # nothing of memory is judged, so nothing is read
    blobs.fetch(listings)
    trees = [blobs.files(listing) for listing in listings]
    for path, file in trees[1].items():
        if path.endswith((".md", ".yaml", ".yml")) and trees[0].get(path) != file:
            _bounded(path, file.data)
    paths = tuple(each.path for each in raw if each.new_mode != _NONE)
    return Comparison(trees[0], trees[1], old, new, paths, roots, broken, tuple(trees[2:]))


def _bounded(path: str, data: bytes) -> None:
    """Raises CannotJudge for a file so large that judging it would take for ever: a decision log of ten thousand
    entries is far within the bounds."""
    measures = (len(data), data.count(b"\n"), data.count(b"\n#"))
    for measured, (most, what) in zip(measures, _MOST, strict=True):
        if measured > most:
            raise CannotJudge(f"{path} is too large to be judged: more than {most} {what}", "split it by domain")


def memory_at(top: Path, commit: str, paths: Sequence[str]) -> Tree:
    """The files of a commit at and beneath these paths."""
    return git_objects.read_files(top, git_objects.list_tree(top, commit, *paths))


def _touches(path: str, roots: Iterable[str]) -> bool:
    return any(path.startswith(f"{root}/") or path == root or root.startswith(f"{path}/") for root in roots)


def _listed(top: Path, rev: str | None, paths: Sequence[str]) -> Listed:
    if rev is None or not paths:
        return {}
    return {path: (mode, oid) for path, mode, oid in git_objects.list_tree(top, rev, *paths)}


def _config(files: Tree, fallback: Config | None) -> tuple[Config, CannotJudge | None]:
    file = files.get(CONFIG)
    if file is not None and not file.is_regular:
        broken = CannotJudge(f"{CONFIG}:1: not a regular file")
    else:
        try:
            return read_config(file.data if file is not None else None), None
        except CannotJudge as error:
            broken = error
    if fallback is None:
        raise broken
    return fallback, broken


class _Blobs:
    """What `cat-file --batch` has given so far, by id."""

    def __init__(self, top: Path) -> None:
        self.top = top
        self.known: dict[str, bytes] = {}

    def fetch(self, listings: Iterable[Listed]) -> None:
        wanted = {oid: None for listed in listings for mode, oid in listed.values() if mode != SUBMODULE}
        self.known |= git_objects.read_blobs(self.top, [oid for oid in wanted if oid not in self.known])

    def files(self, listed: Listed) -> dict[str, File]:
        self.fetch([listed])
        return {path: File(self.known.get(oid, b""), mode) for path, (mode, oid) in listed.items()}
