"""A plan as text for people and as JSON for scripts."""

from collections import Counter
from collections.abc import Iterable

from minutebook.ground.change import File, Plan, Proposal, Refusal, digest
from minutebook.ground.frozen import as_dict
from minutebook.ground.markdown import cut
from minutebook.ground.tokens import tokens
from minutebook.ground.uris import ARCHIVE
from minutebook.pages.report import one_line

Json = dict[str, object]
_APART = {
    "question": "open questions (a person has to say which holds; nothing was written):",
    "quarantine": "in quarantine (nothing of it is written but with --accept ID):",
}
"""What a plan lists apart from what was refused."""


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
        "refusals": [_refusal(each) for each in plan.refusals],
        "notes": list(plan.notes),
        "figures": {**plan.figures, **_sizes(plan), "entries by type": _by_type(plan)},
    }


def plan_text(plan: Plan, *, explain: bool = False) -> str:
    """A few lines for each entry, then what was held back or refused, the notes and the figures. With `explain`, what
    made the extractor propose each entry.

    Words from transcripts reach no terminal as they are: control characters in them are shown as escapes.
    """
    out = []
    for change in plan.changes:
        out.append(f"{_sign(change.old is None, change.new is None)} {change.path}  {change.why}".rstrip())
        for entry in change.entries:
            out += _entry_lines(entry, explain)
    for kind, heading in _APART.items():
        held = [each for each in plan.refusals if each.kind == kind]
        out += [heading] if held else []
        out += [line for each in held for line in _refused_lines(each, "  ")]
    for each in plan.refusals:
        if each.kind not in _APART:
            out += _refused_lines(each, f"{each.kind}: ")
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
        "evidence": [as_dict(each) for each in entry.evidence],
        "tokens_before": entry.tokens_before,
        "tokens_after": entry.tokens_after,
        "candidate": entry.candidate,
        "why": list(entry.why),
        "supersedes": list(entry.supersedes),
    }


def _refusal(each: Refusal) -> Json:
    return {
        "kind": each.kind,
        "id": each.id,
        "type": each.type,
        "what": each.what,
        "reason": each.reason,
        "quote": each.quote,
    }


def _entry_lines(entry: Proposal, explain: bool) -> list[str]:
    lines = [f"    {entry.verb} {entry.type} {entry.id}: {entry.title}", f"      why: {entry.reason}"]
    lines += [f"      {each.role}, turn {each.turn}: “{_short(each.quote)}”" for each in entry.evidence]
    if explain and entry.candidate:
        lines += [f"      {entry.candidate}:", *(f"        {each}" for each in entry.why)]
    return lines


def _refused_lines(each: Refusal, head: str) -> list[str]:
    name = f"{each.id}: " if each.id and each.kind != "refused" else ""
    quote = [f"      “{_short(each.quote)}”"] if each.quote else []
    return [f"{head}{name}{each.what}: {each.reason}", *quote]


def _sign(created: bool, removed: bool) -> str:
    return "+" if created else "-" if removed else "~"


def _short(text: str, limit: int = 160) -> str:
    return cut(" ".join(text.split()), limit)
