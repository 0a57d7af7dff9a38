"""A file of memory merged with all that git knows of it: by the merge driver, and on trial by `check --merged-with`."""

from __future__ import annotations

from contextlib import contextmanager
from functools import cache

from minutebook.edges import git, merged, trial
from minutebook.ground.change import File
from minutebook.ground.entry import encode
from minutebook.ground.errors import CannotJudge
from minutebook.ground.frozen import EMPTY, frozen, replace
from minutebook.ground.memory import INDEX, read_file
from minutebook.merge.clash import clashes
from minutebook.merge.files import is_ours_to_merge, merged_file
from minutebook.merge.lines import OURS, THEIRS, Way
from minutebook.merge.log import Known
from minutebook.pages.report import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping
    from pathlib import Path

    from minutebook.edges.git import Repository
    from minutebook.ground.entry import Entry
    from minutebook.ground.memory import Memory
    from minutebook.ground.problem import Problem
    from minutebook.merge.files import Three
    from minutebook.merge.log import Merged
    from minutebook.verdict import Verdict


@frozen
class Tried:
    """The commit that a merge would make. `problems` are what git alone can't merge; where that is in conflict even
    entry by entry, the file holds conflict markers, and nothing is to be told of it beyond them (`unsettled`)."""

    commit: str
    rev: str
    problems: tuple[Problem, ...]
    unsettled: frozenset[str]

    @property
    def words(self) -> str:
        """What was judged, for people."""
        return f"minutebook: judged the merge of HEAD and {one_line(self.rev)} as a server makes it, without the driver"

    def added_to(self, verdict: Verdict, only: Collection[str]) -> Verdict:
        """The verdict on the commit, with what git can't merge, and without what conflict markers look like."""
        found = {each for each in verdict.problems if each.path not in self.unsettled}
        found |= {each for each in self.problems if not only or each.rule in only}
        return replace(verdict, problems=tuple(sorted(found)))


@contextmanager
def tried(repo: Repository, rev: str) -> Iterator[Tried]:
    """Merge `rev` into HEAD on trial, as a server without our driver does; files of memory that are in conflict there
    are judged as the driver merges them."""
    with trial.on_trial(repo, rev) as found:
        problems: list[Problem] = []
        settled: dict[str, bytes] = {}
        unsettled: set[str] = set()
        for each in found.conflicts:
            memory = merged.memory_for(repo.top, each.path)
            if memory is None:
                continue
            outcome = _outcome(repo.top, each, found.theirs)
            versions = (each.base, each.ours, each.theirs)
            if each.path != memory.outer(INDEX) or isinstance(outcome, str):
                problems += clashes(memory, each.path, versions, outcome, rev)
            if isinstance(outcome, str) or outcome.conflicts:
                unsettled.add(each.path)
            else:
                settled[each.path] = encode(outcome.text)
        yield Tried(trial.merge_commit(repo.top, found, settled), rev, tuple(problems), frozenset(unsettled))


def _outcome(top: Path, conflict: trial.Conflict, theirs: str) -> Merged | str:
    """What the driver makes of a file, or why it can't."""
    if conflict.ours is None or conflict.theirs is None:
        return "it is gone on one side"
    three = (conflict.base or b"", conflict.ours, conflict.theirs)
    try:
        found = merged_version(top, conflict.path, three, Way(), theirs)
    except CannotJudge as error:
        return str(error)
    return found if found is not None else "both sides changed the same lines"


def merged_version(top: Path, path: str, three: Three, way: Way, theirs: str | None) -> Merged | None:
    """The file at `path` in HEAD merged with that of the commit `theirs` (None: git doesn't tell which it is); None
    when it's no file of memory. Raises CannotJudge when it can't be read."""
    memory = merged.memory_for(top, path)
    if memory is None or not is_ours_to_merge(memory, path, three):
        return None
    return merged_file(memory, path, three, lambda each: _known(top, memory, each, theirs), way)


def _known(top: Path, memory: Memory, path: str, theirs: str | None) -> Known:
    mtype = memory.type_at(path)
    if mtype is None:
        return Known()
    published: dict[str, Entry] = {}
    refs = git.published_branches(top, memory.config.published)
    versions = merged.published_versions(top, refs, path)
    under = THEIRS if merged.theirs_is_first(top, refs, theirs) else OURS
    for data in versions:
        file = read_file(path, File(data), mtype, memory.config)
        published |= {entry.id.casefold(): entry for entry in file.entries}

    @cache
    def elsewhere(side: int) -> Mapping[str, Entry]:
        rev = "HEAD" if side == OURS else theirs
        return merged.entries_beside(top, rev, memory, path) if rev is not None else EMPTY

    return Known(memory.order(mtype) == "newest-first", bool(refs), under, published, elsewhere)
