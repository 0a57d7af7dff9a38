"""The maintenance of a memory as one plan: what transcripts teach, what went stale, what can be compacted."""

from collections.abc import Collection, Sequence
from datetime import date

from minutebook.commands.compact import chosen_writer, compact_plan
from minutebook.ground.change import Plan, joined, with_changes
from minutebook.ground.errors import OutsideFailed
from minutebook.ground.frozen import frozen, replace
from minutebook.ground.memory import Memory, memory_after
from minutebook.ground.problem import Problem
from minutebook.ground.session import Session
from minutebook.learning import Extractor, plan_sessions, without_model
from minutebook.moves.mended import without_mended
from minutebook.pages.in_step import index_change
from minutebook.refresh.plan import plan_refresh
from minutebook.settle import joined_if_good, joined_where_good, judge_plan
from minutebook.staleness.judged import stale_entries
from minutebook.staleness.rewrite import chosen_rewriter
from minutebook.workspace import Workspace


@frozen
class Maintenance:
    """The plan, what the gate says of it, and the ids of the entries that look stale, whether edited or not. `failure`
    is what the model's service failed with after the transcripts were read: what came before is in the plan."""

    plan: Plan
    problems: tuple[Problem, ...]
    stale: frozenset[str]
    failure: OutsideFailed | None = None


def plan_maintenance(
    workspace: Workspace,
    commit: str,
    sessions: Sequence[Session],
    today: date,
    agent: str = "",
    extractor: Extractor = without_model,
    accepted: Collection[str] = (),
    *,
    model: bool = False,
) -> Maintenance:
    """Extract, then refresh, then compact, each on what the former leaves; then the index and the baseline of that.

    `workspace` holds the memory as it stands in `commit`, whose code it is compared with; `extractor` and `accepted`
    are those of `plan_sessions`; with `model` the model that the config names puts stale entries right and writes
    summaries, out of the same purse. What the gate would refuse of a refresh or a compaction is left out and said: one
    entry's old debt doesn't hold up the rest. Only entries of the commit can look stale, not those that were learned
    just now.
    """
    learned = plan_sessions(workspace, sessions, today, agent, extractor, accepted) if sessions else Plan()
    plan = _without_private(learned, workspace)
    findings = stale_entries(workspace, workspace.memory, today, commit)
    after, left = _after(workspace, plan), with_changes(workspace.tree, plan.changes)
    with chosen_rewriter(workspace, workspace.memory, commit, findings, model=model, spent=plan.figures) as rewriter:
        refreshed = plan_refresh(after, left, findings, today, rewrite=rewriter)
    plan = joined(joined_where_good(workspace, plan, refreshed, today), Plan(figures=rewriter.figures()))
    left = with_changes(workspace.tree, plan.changes)
    with chosen_writer(workspace, model=model and rewriter.failure is None, spent=plan.figures) as (by, failures):
        compacted = compact_plan(_after(workspace, plan), left, today, by)
    plan = joined_if_good(workspace, plan, compacted, today, "compaction")
    plan = _with_index(_without_private(plan, workspace), workspace)
    plan = without_mended(plan, workspace.memory, workspace.tree, today)
    stale = frozenset(finding.id for finding in findings)
    failure = rewriter.failure or next(iter(failures), None)
    return Maintenance(plan, judge_plan(workspace, plan, today), stale, failure)


def _after(workspace: Workspace, plan: Plan) -> Memory:
    return memory_after(workspace.memory, workspace.tree, plan.changes)


def _with_index(plan: Plan, workspace: Workspace) -> Plan:
    """An index that is out of step is worth a proposal of its own, whatever the config says of branches."""
    change = index_change(_after(workspace, plan), with_changes(workspace.tree, plan.changes))
    return joined(plan, Plan((change,))) if change is not None else plan


def _without_private(plan: Plan, workspace: Workspace) -> Plan:
    """The plan without what belongs in a private owner space, refused or not: counted, and not named."""
    memory = workspace.memory
    private = memory.private_types
    kept = tuple(each for each in plan.changes if not memory.is_private(each.path))
    refusals = tuple(each for each in plan.refusals if each.type not in private)
    inside = [change for change in plan.changes if change not in kept]
    count = sum(max(1, len(change.entries)) for change in inside) + len(plan.refusals) - len(refusals)
    if not count:
        return plan
    figures = dict(plan.figures)
    if "entries written" in figures:
        figures["entries written"] -= sum(bool(entry.evidence) for change in inside for entry in change.entries)
    note = f"{count} left out: private owner spaces stay out of git (run `minutebook extract` where they are kept)"
    return replace(plan, changes=kept, refusals=refusals, notes=(*plan.notes, note), figures=figures)
