"""A page for scanning a long log: every active decision in a line, beside the decisions and never in their place."""

from collections.abc import Iterator, Sequence
from datetime import date
from posixpath import relpath

from minutebook.ground import front_matter
from minutebook.ground.change import Change, File, Plan, Proposal, Tree, joined
from minutebook.ground.entry import KNOWN_TRUE, Entry, decode, encode
from minutebook.ground.memory import Memory
from minutebook.ground.nouns import counted
from minutebook.ground.standing import successors
from minutebook.ground.tokens import tokens

SLUG = "active-decisions"
LEAST = 12
"""Fewer active decisions are scanned faster than summed up."""
MOST = 150
"""Decisions on one page: as many lines as can be loaded at once."""
_SHARE = 5
_LEAST_GAIN = 2
_ASIDE = "A line for each decision that holds. They stand where the links lead, and count as they stand there."


def plan_decisions(memory: Memory, tree: Tree, today: date) -> Plan:
    """The plan that brings the pages of active decisions up to date: their ids, each a link, and their titles, which
    are cut at no word. Nothing where there are fewer than LEAST, or where no line changed. More than MOST take several
    pages, the oldest decisions on the first, so that a new one changes the last page alone."""
    active = list(_active(memory))
    if len(active) < LEAST:
        return Plan()
    oldest = sorted(active, key=lambda each: (each.day("date", "created") or date.min, each.id))
    parts = [oldest[at : at + MOST] for at in range(0, len(oldest), MOST)]
    plan = Plan()
    for number, part in enumerate(parts, 1):
        ids = {each.id for each in part}
        plan = joined(plan, _page_plan([each for each in active if each.id in ids], _slug(number), memory, tree, today))
    return joined(plan, Plan(tuple(_left_over(len(parts), memory, tree))))


def _slug(number: int) -> str:
    return SLUG if number == 1 else f"{SLUG}-{number}"


def _left_over(pages: int, memory: Memory, tree: Tree) -> Iterator[Change]:
    """The pages that are needed no more."""
    number = pages + 1
    while (path := memory.outer(f"summaries/{_slug(number)}.md")) in tree:
        yield Change(path, tree[path], None, "fewer decisions hold than before")
        number += 1


def _page_plan(active: Sequence[Entry], slug: str, memory: Memory, tree: Tree, today: date) -> Plan:
    path = memory.outer(f"summaries/{slug}.md")
    body = _body(active, path)
    old = tree.get(path)
    before = sum(tokens(each.text) for each in active)
    text = _page(active, slug, body, today)
    if tokens(text) * _LEAST_GAIN > before or (old is not None and decode(old.data).endswith(f"---\n{body}\n")):
        return Plan()
    reason = f"a line for each of {counted(len(active), 'active decision')}, which stay as they are"
    if tokens(text) * _SHARE > before:
        reason += f" ({100 * tokens(text) // before} % of their tokens: each has its id, its link and its title)"
    proposal = Proposal("compact", "summary", f"summary-{slug}", "Active decisions", reason, text, (), 0, tokens(text))
    return Plan(
        (Change(path, old, File(encode(text)), reason, (proposal,)),), figures={"decisions listed": len(active)}
    )


def _active(memory: Memory) -> Iterator[Entry]:
    """The append-only entries that hold: sealed, not closed, and superseded by none."""
    entries = [e for e in memory.entries() if memory.type_of(e).append_only and not memory.is_private(e.path)]
    newer = successors(entries)
    for entry in entries:
        sealed = memory.type_of(entry).stage(entry.status) == "sealed"
        if entry.type == "decision" and sealed and not memory.is_closed(entry) and entry.id not in newer:
            yield entry


def _body(active: Sequence[Entry], path: str) -> str:
    folder = path.rpartition("/")[0]
    rows = (f"- [{each.id}]({relpath(each.path, folder)}): {' '.join(each.title.split())}" for each in active)
    return f"{_ASIDE}\n\n## Decisions\n" + "\n".join(rows)


def _page(active: Sequence[Entry], slug: str, body: str, today: date) -> str:
    oldest = min((day for each in active if (day := each.day(*KNOWN_TRUE)) is not None), default=None)
    fields: dict[str, object] = {
        "type": "summary",
        "id": f"summary-{slug}",
        "title": "Active decisions",
        "abstract": f"{counted(len(active), 'decision')} that hold, a line each; the decisions themselves count.",
        "created": today.isoformat(),
        "sources": [{"session": active[0].id}],
        "relations": {"derived_from": [each.id for each in active]},
    }
    if oldest is not None:
        fields["verified"] = oldest.isoformat()
    return front_matter.compose(fields, body)
