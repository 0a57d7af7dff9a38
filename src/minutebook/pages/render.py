"""The pull request page: what is proposed, why, and on whose words, short enough to judge in a minute.

The only module that imports jinja2. Templates are ours alone; what comes from transcripts and memory is data, and
every `{{ }}` escapes it for Markdown unless a function of safe_markdown has made Markdown of it.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from difflib import unified_diff
from functools import lru_cache
from typing import Any

from minutebook.ground.change import Change, File, Plan, Proposal, Refusal
from minutebook.ground.entry import decode
from minutebook.ground.errors import CannotJudge
from minutebook.ground.frozen import frozen
from minutebook.ground.markdown import read_lines
from minutebook.ground.problem import Problem
from minutebook.pages.plan_report import tokens_touched
from minutebook.pages.safe_markdown import Markdown, code, fenced, inline, quoted

BUDGET = 60_000  # GitHub takes 65,536 characters
_SHARES = {
    "problems": 0.08,
    "questions": 0.1,
    "stale": 0.12,
    "quarantine": 0.08,
    "refusals": 0.1,
    "compacted": 0.09,
    "sessions": 0.05,
    "notes": 0.06,
}
_RESERVE = 0.04  # for the lines that say what was left out
_VERBS = {
    "create": "New",
    "append": "New",
    "supersede": "New, replaces an older one:",
    "merge": "Merged into",
    "replace": "Rewritten",
    "edit": "Marked",
    "compact": "New",
    "archive": "Archived",
    "note": "Noted",
}
_PLACES = {"edit": "stale", "compact": "compacted", "archive": "compacted", "note": "sessions"}
_SUPERSEDES = re.compile(r"(?im)^(?:[-*] )?\**supersedes:\**[ \t]*(?P<ids>[^\n]{1,200})$")
_ID = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{2,127}")
_DIFFED = frozenset({"merge", "replace", "edit", "note"})


@frozen
class Row:
    """One thing that happens to one entry, with the file that it happens in."""

    entry: Proposal
    change: Change

    @property
    def kind(self) -> str:
        """Where the page shows it, by what happens to it: stale, compacted, sessions or entries."""
        return _PLACES.get(self.entry.verb, "entries")


def rows_of(plan: Plan) -> tuple[Row, ...]:
    """What the plan does, one row an entry, in the order of its files."""
    return tuple(Row(entry, change) for change in plan.changes for entry in change.entries)


def _is_archived(row: Row) -> bool:
    return row.entry.verb == "archive"


def title(plan: Plan, stale: Collection[str] = ()) -> str:
    """The pull request's title: figures alone, those of the page's first line, no word from a transcript or memory."""
    count = Counter(row.kind for row in rows_of(plan))
    count["stale"] += sum(each.what in stale for each in plan.refusals)
    parts = [
        f"{count['entries']} proposed" if count["entries"] else "",
        f"{count['stale']} stale" if count["stale"] else "",
        f"{count['compacted']} compacted" if count["compacted"] else "",
    ]
    return "Memory: " + (", ".join(filter(None, parts)) or "maintenance")


def page(
    plan: Plan,
    problems: Sequence[Problem] = (),
    *,
    stale: Collection[str] = (),
    base: str = "",
    budget: int = BUDGET,
) -> str:
    """Markdown of at most `budget` characters (2,000 at least); says how much of what was left out.

    `problems` is what the gate says of the plan, `base` the commit it was planned on; `stale` are the ids of what
    looks stale: a refusal to edit one of these is shown there. Raises CannotJudge without jinja2.
    """
    draw = _templates()
    rows = rows_of(plan)
    refused = {kind: [draw("refusal", refusal=each) for each in of] for kind, of in _by_kind(plan, stale).items()}
    lists = {
        "problems": [draw("problem", problem=each) for each in sorted(problems, key=lambda each: each.severity)],
        "questions": refused["question"],
        "stale": [_row(draw, "stale", row) for row in rows if row.kind == "stale"] + refused["stale"],
        "quarantine": refused["quarantine"],
        "refusals": refused["refused"],
        "compacted": [
            _row(draw, "compacted", row) for row in sorted(rows, key=_is_archived) if row.kind == "compacted"
        ],
        "sessions": [_row(draw, "session", row) for row in rows if row.kind == "sessions"],
        "notes": [f"- {inline(each, 600)}" for each in plan.notes],
    }
    counts = {name: len(lists[name]) for name in ("stale", "compacted", "refusals", "questions", "quarantine")}
    head = draw("head", **_verdict(plan, rows, problems), **counts, base=base, empty=not plan.changes)
    figures = draw("figures", figures=list(plan.figures.items())[:40])
    room = budget - len(head) - len(figures) - int(budget * _RESERVE) - 400
    parts = {name: _fit(items, min(room, int(budget * _SHARES[name]))) for name, items in lists.items()}
    room -= sum(len(text) + 1 for shown, _ in parts.values() for text in shown)
    parts["entries"] = _fit((_row(draw, "entry", row) for row in rows if row.kind == "entries"), room)
    return draw("page", head=Markdown(head), figures=Markdown(figures), parts=_parts(parts)) + "\n"


def _by_kind(plan: Plan, stale: Collection[str]) -> dict[str, list[Refusal]]:
    """The refusals by where the page shows them; what was rejected before is among those refused."""
    found: dict[str, list[Refusal]] = {"question": [], "quarantine": [], "refused": [], "stale": []}
    for each in plan.refusals:
        kind = "stale" if each.what in stale else each.kind
        found.get(kind, found["refused"]).append(each)
    return found


def _parts(parts: Mapping[str, tuple[list[str], int]]) -> dict[str, dict[str, object]]:
    return {
        name: {"items": [Markdown(text) for text in shown], "left": left, "total": len(shown) + left}
        for name, (shown, left) in parts.items()
    }


def _fit(items: Iterable[str], room: int) -> tuple[list[str], int]:
    """The items, in order, that fit into so many characters, and how many didn't."""
    shown: list[str] = []
    left = 0
    for text in items:
        room -= len(text) + 1
        if room >= 0:
            shown.append(text)
        else:
            left += 1
    return shown, left


def _verdict(plan: Plan, rows: Sequence[Row], problems: Sequence[Problem]) -> dict[str, object]:
    before, after = tokens_touched(plan)
    return {
        "by_type": sorted(Counter(row.entry.type for row in rows if row.kind == "entries").items()),
        "proposed": sum(row.kind == "entries" for row in rows),
        "errors": sum(each.severity == "error" for each in problems),
        "warnings": sum(each.severity == "warning" for each in problems),
        "before": before,
        "after": after,
    }


def _row(draw: Callable[..., str], name: str, row: Row) -> str:
    entry, change = row.entry, row.change
    return draw(
        name,
        verb=_VERBS.get(entry.verb, entry.verb),
        entry=entry,
        path=change.path,
        text=Markdown(_difference(change) if entry.verb in _DIFFED and change.old is not None else _text(row)),
        replaced=[{"id": old, "text": _old_text(change, old)} for old in entry.supersedes or _superseded(entry)],
    )


def _text(row: Row) -> Markdown:
    text = row.entry.text or (_decoded(row.change.new) if row.change.old is None else "")
    return fenced(text, "markdown") if text.strip() else Markdown("")


def _difference(change: Change) -> Markdown:
    old, new = (_decoded(file).rstrip("\n").split("\n") for file in (change.old, change.new))
    rows = list(unified_diff(old, new, n=1, lineterm=""))[2:]
    return fenced("\n".join(rows), "diff") if rows else Markdown("")


def _superseded(entry: Proposal) -> list[str]:
    found = _SUPERSEDES.search(entry.text)
    return _ID.findall(found["ids"])[:3] if found and entry.verb != "archive" else []


def _old_text(change: Change, entry_id: str) -> Markdown:
    """What the replaced entry says, when it stands in the same file."""
    kept: list[str] = []
    level = 0
    for line in read_lines(_decoded(change.old)):
        if line.level and level and line.level <= level:
            break
        if line.level and not level and re.match(rf"{re.escape(entry_id)}(?![\w-])", line.heading):
            level = line.level
        if level:
            kept.append(line.text)
    return fenced("".join(kept), "markdown", lines=8) if kept else Markdown("")


def _decoded(file: File | None) -> str:
    return "" if file is None else decode(file.data)


@lru_cache(maxsize=1)
def _templates() -> Callable[..., str]:
    """A function that fills a template by name. `finalize` sees the value of every `{{ }}`: that is the autoescape."""
    try:
        import jinja2
    except ImportError:
        raise CannotJudge(
            "the pull request page needs the maintain extra", "pip install 'minutebook[maintain]'"
        ) from None

    def escaped(value: Any) -> Any:
        return value if isinstance(value, (Markdown, int)) else inline(str(value))

    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("minutebook.pages", "templates"),
        autoescape=False,  # that would be for HTML
        finalize=escaped,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(code=code, quote=quoted)
    return lambda name, **values: environment.get_template(f"{name}.md.j2").render(values).strip("\n")
