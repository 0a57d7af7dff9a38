"""Which entries a task is given, each at which level, within a budget of tokens."""

from collections.abc import Mapping, Sequence

from minutebook.ground import front_matter
from minutebook.ground.entry import Entry
from minutebook.ground.frozen import replace
from minutebook.ground.memory import Memory
from minutebook.ground.tokens import tokens
from minutebook.ground.uris import uri_of
from minutebook.ground.words import own_fields
from minutebook.retrieve.bundle import Bundle, LeftOut, Served
from minutebook.retrieve.candidates import ALWAYS, Candidate, Reader, Unserved, candidates
from minutebook.retrieve.levels import degraded, shared_out
from minutebook.retrieve.page import block, bundle_text, score_words

SMALLEST = 100  # tokens; what the page says about itself takes nearly as much
_NO_ROOM = "over the budget"
_SHORTENED = "what is always loaded exceeds the budget: shortened"


def select(
    task: str,
    memory: Memory,
    scores: Mapping[tuple[str, str], float],
    budget: int,
    phases: Sequence[str],
    reader: Reader,
    account: str,
) -> Bundle:
    """The bundle for a task within `budget` tokens (at least SMALLEST), the same for the same arguments.

    `scores` are the search's, by (path, id) of the entry. Entries of always loaded types come first and give way to
    nothing; if they alone exceed the budget they are given as overviews or abstracts, and the notes say so. Where not
    even the notes fit, they are left out.
    """
    ranked, unserved = candidates(memory, scores, phases, reader)
    known = sum(reader.may_read(memory.inner(entry.path)) for entry in memory.entries())
    notes = _unknown_phases(memory, phases)
    forms = [_forms(each, memory, _uri(memory, account, each.entry), budget) for each in ranked]
    never = [_left_out(each, _uri(memory, account, each.entry)) for each in unserved]
    room = budget
    while True:
        served, no_room, shortened = _fill(ranked, forms, room)
        said = (*notes, *([_SHORTENED] if shortened else []))
        bundle = Bundle(task, budget, budget, tuple(phases), known, served, (*no_room, *never), said)
        total = tokens(bundle_text(bundle))
        if total > budget and not served:
            bundle = replace(bundle, notes=())
            total = tokens(bundle_text(bundle))
        if total <= budget or not served:
            return replace(bundle, total=total)
        room -= total - budget


def _fill(
    ranked: Sequence[Candidate], forms: Sequence[tuple[Served, ...]], room: int
) -> tuple[tuple[Served, ...], list[LeftOut], bool]:
    """(what is served, what there was no room for, whether something always loaded was shortened)."""
    first = sum(each.tier == ALWAYS for each in ranked)
    costs = [[form.tokens for form in each] for each in forms]
    chosen = degraded(costs[:first], room)
    shortened = any(at != len(each) - 1 for at, each in zip(chosen, costs[:first], strict=True))
    spent = sum(costs[at][position] for at, position in enumerate(chosen) if position is not None)
    chosen += shared_out(costs[first:], room - spent)
    served = tuple(each[at] for each, at in zip(forms, chosen, strict=True) if at is not None)
    no_room = [
        _left_out(Unserved(each.entry, each.score, _NO_ROOM), shapes[0].uri)
        for each, shapes, at in zip(ranked, forms, chosen, strict=True)
        if at is None
    ]
    return served, no_room, shortened


def _left_out(each: Unserved, uri: str) -> LeftOut:
    return LeftOut(each.entry.id, uri, each.entry.title, round(each.score, 6), each.why)


def _forms(candidate: Candidate, memory: Memory, uri: str, budget: int) -> tuple[Served, ...]:
    """The ways to give an entry, from the poorest to the richest; one that costs as much as a richer one is dropped."""
    entry = candidate.entry
    flags = _flags(entry, memory)
    score = round(candidate.score, 6)
    kept: list[Served] = []
    for level, text in (
        ("full", _full(entry)),
        ("overview", _with_abstract(entry, entry.overview)),
        ("abstract", entry.abstract),
    ):
        about = [candidate.why, *([score_words(score)] if score else []), *flags]
        fits = tokens(text) <= budget  # if not, it is never served and needs no rendering
        shown = block(entry, uri, level, text, about) if fits else ""
        cost = tokens(shown if fits else text)
        if (text.strip() or (level == "abstract" and not kept)) and (not kept or cost < kept[-1].tokens):
            kept.append(Served(entry, uri, level, score, cost, candidate.why, flags, text, shown))
    return tuple(reversed(kept))


def _full(entry: Entry) -> str:
    """The entry's text. Of the front matter only the abstract and the type's own fields are in it: what the others
    say beyond the heading rarely helps with a task."""
    found = front_matter.split(entry.text) if not entry.in_log else None
    text = (found[1] if found is not None else entry.text).strip("\n")
    return _with_abstract(entry, "\n\n".join(filter(None, (own_fields(entry), text))))


def _with_abstract(entry: Entry, text: str) -> str:
    said = " ".join(entry.abstract.split()) in " ".join(text.split())
    return text if said else f"{entry.abstract}\n\n{text}"


def _flags(entry: Entry, memory: Memory) -> tuple[str, ...]:
    """What a reader should know before trusting the entry."""
    flags = []
    if memory.type_of(entry).stage(entry.status) == "draft":
        flags.append(f"draft ({entry.status})")
    stale = entry.fields.get("stale")
    if isinstance(stale, dict):
        flags.append(f"stale since {stale.get('since', '?')}: {stale.get('why', '?')}")
    day = next((str(entry.fields[name]) for name in ("updated", "date", "created") if name in entry.fields), "")
    return (*flags, *([day] if day else []))


def _uri(memory: Memory, account: str, entry: Entry) -> str:
    return uri_of(account, memory.types, memory.inner(entry.path), entry.id)


def _unknown_phases(memory: Memory, phases: Sequence[str]) -> tuple[str, ...]:
    known = sorted({mtype.load for mtype in memory.types.values()} - {"always", "selective", "never"})
    unknown = [phase for phase in phases if phase not in known]
    return (f"no type is loaded in phase {', '.join(unknown)}; known: {', '.join(known)}",) if unknown else ()
