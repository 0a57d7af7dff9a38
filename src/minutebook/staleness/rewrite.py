"""What `--model` adds to a refresh: entries are put right by the model that the config names."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager

from minutebook.edges.llm import model_at
from minutebook.extract.model.budget import Budget, usage_in
from minutebook.extract.model.loop import settings_of
from minutebook.ground.entry import Entry, read_entry
from minutebook.ground.errors import OutsideFailed
from minutebook.ground.frozen import EMPTY
from minutebook.ground.memory import Memory
from minutebook.refresh.findings import Finding
from minutebook.refresh.plan import Rewrite, Rewritten
from minutebook.refresh.rewriter import rewrite_by
from minutebook.refresh.rewriting import Case
from minutebook.staleness.anchored import Seen, seen
from minutebook.staleness.recall import place_of
from minutebook.workspace import Workspace


class Rewriter:
    """A `Rewrite` that loses nothing that was paid for: when the service fails, the entries after that get a note like
    without a model, and what was put right before is kept. `figures` are what was spent."""

    def __init__(self, rewrite: Rewrite, figures: Callable[[], Mapping[str, int]] = dict) -> None:
        self._rewrite = rewrite
        self._failure: OutsideFailed | None = None
        self.figures = figures

    def __call__(self, entry: Entry, text: str) -> Rewritten | None:
        if self._failure is not None:
            return None
        try:
            return self._rewrite(entry, text)
        except OutsideFailed as error:
            self._failure = error
        return None

    @property
    def failure(self) -> OutsideFailed | None:
        """What the service failed with; to be raised once what came before is safe."""
        return self._failure


@contextmanager
def chosen_rewriter(
    workspace: Workspace,
    memory: Memory,
    head: str | None,
    findings: Iterable[Finding],
    *,
    model: bool,
    spent: Mapping[str, int] = EMPTY,
) -> Iterator[Rewriter]:
    """What puts the entries of these findings right: nothing, or the model of the config for as long as the block
    lasts. `spent` are the figures of what the run has spent out of the same purse before.

    Raises CannotJudge when the config names no model, or there is no key to ask it with.
    """
    if not model or head is None:
        yield Rewriter(lambda *_: None)
        return
    settings = settings_of(workspace.config.model)
    flagged = {(finding.path, finding.id) for finding in findings}
    entries = [each for each in memory.entries() if place_of(each) in flagged and _may_be_edited(each, memory)]
    with model_at(settings, os.environ) as asked:
        budget = Budget(settings, usage_in(spent))
        before = budget.figures()
        make = rewrite_by(asked, budget)
        known = seen(workspace, memory, head, entries)

        def rewrite(entry: Entry, text: str) -> Rewritten | None:
            case = _case(entry, text, memory, known.get(place_of(entry)))
            return make(case) if case is not None else None

        yield Rewriter(rewrite, lambda: {name: value - before[name] for name, value in budget.figures().items()})


def _may_be_edited(entry: Entry, memory: Memory) -> bool:
    """A private owner's words are shown to no service."""
    return not memory.type_of(entry).append_only and not entry.in_log and not memory.is_private(entry.path)


def _case(entry: Entry, text: str, memory: Memory, found: Seen | None) -> Case | None:
    """The entry as its file says it now, the paths in it put right already; None where nothing of it is in doubt."""
    mtype = memory.type_of(entry)
    again, _ = read_entry(entry.path, text, mtype, entry.id)
    if found is None or not found.doubts or again is None:
        return None
    passages = found.passages
    return Case(again, mtype, text, found.doubts, passages.then, passages.now, passages.ground)
