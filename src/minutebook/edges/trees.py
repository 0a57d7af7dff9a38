"""The memory in two trees as git holds them: a base, and a commit or the index. Blobs are read once, by id."""

from __future__ import annotations

from minutebook.edges import git, git_objects
from minutebook.edges.published import last_config
from minutebook.ground.change import SUBMODULE, File, Tree
from minutebook.ground.config import CONFIG, USUAL_ROOTS, Config, read_config
from minutebook.ground.errors import CannotJudge
from minutebook.ground.frozen import frozen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

Listed = dict[str, tuple[str, str]]
_BESIDE = (CONFIG, ".gitattributes")
_USUAL = (*_BESIDE, *USUAL_ROOTS)
_NONE = "000000"
_INDEX_TIMES = 4
_MOST = ((8_000_000, "bytes"), (400_000, "lines"), (25_000, "headings"))


@frozen
class Places:
    """Where memory may lie, by the config of the base and by that of what is judged."""

    old: Config
    new: Config

    @property
    def roots(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.old.roots, *self.new.roots, *USUAL_ROOTS)))

    @property
    def elsewhere(self) -> tuple[str, ...]:
        """Where it may lie beside the usual places; "" is anywhere."""
        found = (*self.roots, *self.old.folders, *self.new.folders)
        return tuple(dict.fromkeys(path for path in found if path not in _USUAL))

    @property
    def paths(self) -> tuple[str, ...]:
        return (*_USUAL, *self.elsewhere)

    def hold(self, path: str) -> bool:
        """Whether the path is beside memory, at or beneath a root, in place of a folder above one, or mapped."""
        if path in _BESIDE or any(touches(path, root) for root in self.roots):
            return True
        return any(config.mapped_as(path) for config in (self.old, self.new) if config.mapped)

    def of(self, listed: Listed) -> Listed:
        return {path: row for path, row in listed.items() if self.hold(path)}


@frozen
class Listing:
    """What is compared, before anything but the configs is read. `sides` are the base, what is judged, and the others.

    `paths` are all the paths, of memory or not, that are new or differ; `places` where memory may lie on either side;
    `broken` says why the config of what is judged can't be read, and then the base's counts; `unread` that the base's
    can't, and then what it said before counts.
    """

    sides: tuple[Listed, ...]
    old: Config
    new: Config
    paths: tuple[str, ...]
    places: Places
    broken: CannotJudge | None
    unread: bool = False


@frozen
class Comparison:
    """`before` and `after` hold the config, what lies at or beneath a memory root of either side, and what the config
    of either maps from elsewhere; `others` are as asked for."""

    listing: Listing
    before: Tree
    after: Tree
    others: tuple[Tree, ...] = ()

    @property
    def old(self) -> Config:
        return self.listing.old

    @property
    def new(self) -> Config:
        return self.listing.new

    @property
    def places(self) -> Places:
        return self.listing.places

    @property
    def touches_memory(self) -> bool:
        return self.before != self.after


def compared(top: Path | str, base: str | None, head: str | None, others: Sequence[str] = ()) -> Comparison:
    """What `listed` lists, read."""
    return read(top, listed(top, base, head, others))


def listed(top: Path | str, base: str | None, head: str | None, others: Sequence[str] = ()) -> Listing:
    """Compare a commit (None: nothing at all) with another one, or with the index (None).

    `others` are commits whose memory is listed too. Raises CannotJudge for a broken config with nothing to fall back
    on.
    """
    if base is not None:
        git.ahead(top, git_objects.diff_question(base, head))
    raw = git_objects.diff(top, base or git.empty_tree(top), head)
    before = _listed(top, base, _USUAL)
    new_config = next((each for each in raw if each.path == CONFIG), None)
    blobs = _Blobs(top)
    old, unread = _config(blobs.files({CONFIG: before[CONFIG]} if CONFIG in before else {}), Config())
    if unread is not None and base is not None:
        old = last_config(top, base)
    staged = before | ({CONFIG: (new_config.new_mode, new_config.new_id)} if new_config else {})
    new, broken = _config(blobs.files({CONFIG: staged[CONFIG]} if CONFIG in staged else {}), old)
    if base is None and broken is not None:
        raise CannotJudge(str(broken), f"mend {CONFIG}")
    places = Places(old, new)
    before |= places.of(_listed(top, base, places.elsewhere)) if places.elsewhere else {}
    after = dict(before)
    for each in raw:
        if places.hold(each.path):
            after.pop(each.path, None)
            if each.new_mode != _NONE:
                after[each.path] = (each.new_mode, each.new_id)
    more = (places.of(_listed(top, other, places.paths)) for other in others)
    paths = tuple(each.path for each in raw if each.new_mode != _NONE)
    return Listing((before, after, *more), old, new, paths, places, broken, unread is not None)


def read(top: Path | str, listing: Listing) -> Comparison:
    """Read what is listed; nothing, where nothing of memory differs and no other commit is asked for.

    Raises CannotJudge for what is too large to be judged.
    """
    sides = listing.sides if len(listing.sides) > 2 or listing.sides[0] != listing.sides[1] else ({}, {})
    blobs = _Blobs(top)
    blobs.fetch(sides)
    trees = [blobs.files(side) for side in sides]
    for path, file in trees[1].items():
        if trees[0].get(path) != file:
            _bounded(path, file.data)
    return Comparison(listing, trees[0], trees[1], tuple(trees[2:]))


def part_of(top: Path | str, side: Listed, paths: Sequence[str]) -> Tree:
    """Some files of one side, read. Raises CannotJudge for what is too large to be judged."""
    found = git_objects.read_files(top, ((path, *side[path]) for path in paths))
    for path, file in found.items():
        _bounded(path, file.data)
    return found


def _bounded(path: str, data: bytes) -> None:
    """Raises CannotJudge for a file so large that judging it would take for ever: a decision log of ten thousand
    entries is far within the bounds."""
    if not path.endswith((".md", ".yaml", ".yml")):
        return
    times = _INDEX_TIMES if path.endswith("/index.md") else 1  # it has a row an entry, and nothing else is read in it
    measures = (len(data), data.count(b"\n"), data.count(b"\n#"))
    for measured, (most, what) in zip(measures, _MOST, strict=True):
        if measured > most * times:
            raise CannotJudge(f"{path} is too large to be judged: more than {most} {what}", "split it by domain")


def memory_at(top: Path | str, commit: str, places: Places, only: Sequence[str] = ()) -> Tree:
    """The memory in a commit; with `only`, these paths of it alone."""
    listed = places.of(_listed(top, commit, only or places.paths))
    return git_objects.read_files(top, ((path, mode, oid) for path, (mode, oid) in listed.items()))


def touches(path: str, root: str) -> bool:
    return path.startswith(f"{root}/") or path == root or root.startswith(f"{path}/")


def _listed(top: Path | str, rev: str | None, paths: Sequence[str]) -> Listed:
    """What lies at and beneath these paths; "" is everywhere."""
    if rev is None:
        return {}
    where = () if "" in paths else paths
    return {path: (mode, oid) for path, mode, oid in git_objects.list_tree(top, rev, *where)}


def _config(files: Tree, fallback: Config) -> tuple[Config, CannotJudge | None]:
    file = files.get(CONFIG)
    if file is not None and not file.is_regular:
        broken = CannotJudge(f"{CONFIG}:1: not a regular file")
    else:
        try:
            return read_config(file.data if file is not None else None), None
        except CannotJudge as error:
            broken = error
    return fallback, broken


class _Blobs:
    """What `cat-file --batch` has given so far, by id."""

    def __init__(self, top: Path | str) -> None:
        self.top = top
        self.known: dict[str, bytes] = {}

    def fetch(self, listings: Iterable[Listed]) -> None:
        wanted = {oid: None for listed in listings for mode, oid in listed.values() if mode != SUBMODULE}
        self.known |= git_objects.read_blobs(self.top, [oid for oid in wanted if oid not in self.known])

    def files(self, listed: Listed) -> dict[str, File]:
        self.fetch([listed])
        return {path: File(self.known.get(oid, b""), mode) for path, (mode, oid) in listed.items()}
