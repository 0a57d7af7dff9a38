"""A plan as text for people and as JSON for scripts."""

from collections import Counter
from collections.abc import Iterable

from minutebook.ground.change import File, Plan, Proposal, digest
from minutebook.ground.markdown import cut
from minutebook.ground.tokens import tokens
from minutebook.ground.uris import ARCHIVE
from minutebook.pages.report import one_line

Json = dict[str, object]


def plan_json(plan: Plan) -> Json:
    """Every change with what it does to which entry, hashes before and after, evidence, refusals, figures."""
    return {
        "changes": [
            {
                "path": change.path,
                "before": digest(change.old),
                "after": digest(change.new),
                "why": change.why,
                "entries": [_proposal(entry) for entry in change.entries],
            }
            for change in plan.changes
        ],
        "refusals": [{"what": each.what, "reason": each.reason, "quote": each.quote} for each in plan.refusals],
        "notes": list(plan.notes),
        "figures": {**plan.figures, **_sizes(plan), "entries by type": _by_type(plan)},
    }


def plan_text(plan: Plan) -> str:
    """A few lines for each entry, then what was refused, the notes and the figures.

    Words from transcripts reach no terminal as they are: control characters in them are shown as escapes.
    """
    out = []
    for change in plan.changes:
        out.append(f"{_sign(change.old is None, change.new is None)} {change.path}  {change.why}".rstrip())
        for entry in change.entries:
            out.append(f"    {entry.verb} {entry.type} {entry.id}: {entry.title}")
            out.append(f"      why: {entry.reason}")
            out += [f"      {each.role}, turn {each.turn}: “{_short(each.quote)}”" for each in entry.evidence]
    for each in plan.refusals:
        out.append(f"refused: {each.what}: {each.reason}")
        out += [f"      “{_short(each.quote)}”"] if each.quote else []
    for note in plan.notes:
        out += f"note: {note}".rstrip().replace("\n", "\n      ").split("\n")
    if plan.figures:
        figures = {**plan.figures, **_sizes(plan)}
        out.append("figures: " + ", ".join(f"{name} {value}" for name, value in figures.items()))
    if not plan.changes:
        out.append("nothing to write")
    return "\n".join(one_line(line) for line in out) + "\n"


def tokens_touched(plan: Plan) -> tuple[int, int]:
    """Tokens of the files that the plan touches, before and after. The archive is apart: nothing loads it."""
    touched = [change for change in plan.changes if f"/{ARCHIVE}" not in change.path]
    return _tokens(change.old for change in touched), _tokens(change.new for change in touched)


def _tokens(files: Iterable[File | None]) -> int:
    return sum(tokens(file.data) for file in files if file is not None)


def _sizes(plan: Plan) -> dict[str, int]:
    before, after = tokens_touched(plan)
    return {"tokens before": before, "tokens after": after}


def _by_type(plan: Plan) -> dict[str, int]:
    return dict(sorted(Counter(entry.type for change in plan.changes for entry in change.entries).items()))


def _proposal(entry: Proposal) -> Json:
    return {
        "verb": entry.verb,
        "type": entry.type,
        "id": entry.id,
        "title": entry.title,
        "reason": entry.reason,
        "text": entry.text,
        "evidence": [
            {"session": e.session, "turn": e.turn, "role": e.role, "at": e.at, "quote": e.quote, "sha256": e.sha256}
            for e in entry.evidence
        ],
        "tokens_before": entry.tokens_before,
        "tokens_after": entry.tokens_after,
    }


def _sign(created: bool, removed: bool) -> str:
    return "+" if created else "-" if removed else "~"


def _short(text: str, limit: int = 160) -> str:
    return cut(" ".join(text.split()), limit)
