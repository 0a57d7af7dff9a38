"""From candidates to a Plan, by each type's write policy. Pure: what is alike is for the caller's `nearest` to say.

append      a new entry at the open end of its log, or a new file. What an active entry says already is skipped; what
            contradicts one becomes a new entry that supersedes it, and the old one isn't touched.
merge       one entry a subject: made when there is none, else merged field by field as the type's `merge` says.
accumulate  merge, with counters summed.
replace     one page: facts not older than it take it over.
derived     refused: compaction writes those.
"""

from collections.abc import Callable, Sequence
from datetime import date

from minutebook.extract.signals import SEEN
from minutebook.extract.stance import conflict, stance
from minutebook.ground.change import Change, Evidence, File, Plan, Proposal, Refusal, joined
from minutebook.ground.entry import Entry, encode
from minutebook.ground.frozen import frozen, replace
from minutebook.ground.memory import Memory, read_file
from minutebook.ground.memory_type import MemoryType
from minutebook.ground.session import Candidate, Session
from minutebook.ground.standing import successors
from minutebook.ground.tokens import tokens
from minutebook.ground.uris import place_of
from minutebook.route.placing import Written, appended, created, merged, replaced
from minutebook.route.session_note import known_quotes, quote_key

Nearest = Callable[[Sequence[str], Sequence[str]], list[tuple[int, float]]]

KNOWN = 0.7
"""Cosine from which an active entry says the same. Among the 43 decisions of one real repository no two came above
0.22; one-line decisions about one subject with another value lie between 0.3 and 0.5, paraphrases from 0.74 on."""
SUBJECT = 0.3
"""Cosine from which a correction is taken to be about that entry."""
TOPIC = 0.6
"""Cosine from which a candidate of a merged type belongs to an entry with another slug."""


@frozen
class _Match:
    """The active entry most like a candidate; None when there is none of its type."""

    entry: Entry | None
    score: float


def route(
    session: Session,
    found: Sequence[Candidate],
    memory: Memory,
    today: date,
    nearest: Nearest,
    *,
    user: str,
    agent: str,
) -> Plan:
    """The plan that puts these candidates of one session into memory, on the memory as it lies there.

    `user` and `agent` are slugs: whose owner spaces are written. A candidate whose quote is a source of an entry
    already changes nothing and is only counted.
    """
    known = known_quotes(memory)
    fresh = [each for each in found if _source_key(each) not in known]
    steps: list[Change] = []
    refusals: list[Refusal] = []
    for candidate, match in zip(fresh, _matches(fresh, memory, nearest), strict=True):
        written = _write(candidate, match, memory, today, {"user": user, "agent": agent})
        if isinstance(written, Refusal):
            refusals.append(replace(written, type=candidate.type))
            continue
        change = _change(written, candidate, memory)
        steps.append(change)
        memory = after(memory, (change,))
    figures = {"candidates": len(found), "entries written": len(steps)}
    if len(found) > len(fresh):
        figures["already in memory"] = len(found) - len(fresh)
    return Plan(_joined(steps), tuple(refusals), (), figures)


def after(memory: Memory, changes: Sequence[Change]) -> Memory:
    """The memory after changes to files that its types cover; only those are read again."""
    files = dict(memory.files)
    for change in changes:
        known = files.pop(change.path, None)
        if change.new is not None:
            name = known.type if known is not None else next(e.type for e in change.entries)
            files[change.path] = read_file(change.path, change.new, memory.types[name])
    return replace(memory, files={path: files[path] for path in sorted(files)})


def active(memory: Memory, type_name: str) -> list[Entry]:
    """The entries of a type that hold: not closed, not superseded by another, not in the archive."""
    entries = [entry for entry in memory.entries() if entry.type == type_name]
    gone = successors(entries)
    return [entry for entry in entries if entry.id not in gone and not memory.is_closed(entry)]


def _matches(found: Sequence[Candidate], memory: Memory, nearest: Nearest) -> list[_Match]:
    """Compared once a type, on the memory before the session: candidates of one session were compared among
    themselves when they were found."""
    best: dict[int, _Match] = {}
    for name in {each.type for each in found}:
        corpus = active(memory, name)
        mine = [each for each in found if each.type == name]
        whole = not memory.types[name].append_only  # what an event is called says little of what happened
        texts = [_compared(entry, whole) for entry in corpus]
        for each, (at, score) in zip(mine, nearest([_compared(c, whole) for c in mine], texts), strict=True):
            best[id(each)] = _Match(corpus[at] if at >= 0 else None, score)
    return [best[id(each)] for each in found]


def _compared(one: Candidate | Entry, whole: bool) -> str:
    return f"{one.title}\n{one.abstract}" if whole else one.abstract


def _write(
    candidate: Candidate, match: _Match, memory: Memory, today: date, owner: dict[str, str]
) -> Written | Refusal:
    mtype = memory.types[candidate.type]
    match mtype.write:
        case "append":
            return _append(candidate, match, memory, today, owner)
        case "merge" | "accumulate":
            return _merge(candidate, match, memory, today, owner)
        case "replace":
            page = _entry_at_page(memory, mtype, owner)
            return (
                created(candidate, memory, today, owner) if page is None else replaced(page, candidate, memory, today)
            )
        case _:
            return Refusal(candidate.title, f"a {mtype.name} is written by compaction only", candidate.quote)


def _append(
    candidate: Candidate, match: _Match, memory: Memory, today: date, owner: dict[str, str]
) -> Written | Refusal:
    old, why = _contradicted(candidate, match, active(memory, candidate.type))
    if old is None and match.entry is not None and match.score >= KNOWN:
        return Refusal(candidate.title, f"already known: {match.entry.id}", candidate.quote)
    return appended(candidate, memory, today, owner, old, why)


def _merge(
    candidate: Candidate, match: _Match, memory: Memory, today: date, owner: dict[str, str]
) -> Written | Refusal:
    mtype = memory.types[candidate.type]
    same = created(candidate, memory, today, owner)
    old = next((e for e in memory.entries() if e.path == same.path), None)
    old = old or (match.entry if match.score >= TOPIC else None)
    if old is None:
        return same
    against = conflict(stance(candidate.abstract), stance(old.abstract))
    if against and mtype.merge.get("abstract") != "replace":
        return Refusal(
            candidate.title, f"contradicts {old.id} ({against}): a person has to say which holds", candidate.quote
        )
    return merged(old, candidate, memory, today) or Refusal(
        candidate.title, f"already known: {old.id}", candidate.quote
    )


def _contradicted(candidate: Candidate, match: _Match, entries: Sequence[Entry]) -> tuple[Entry | None, str]:
    """The active entry that a candidate takes the place of, and why; (None, "") when there is none."""
    now = stance(candidate.abstract)
    context = str(candidate.fields.get("context", ""))
    for entry in sorted(entries, key=lambda each: each is not match.entry):
        asked = bool(context) and candidate.signal in ("answer", "option") and entry.fields.get("context") == context
        if asked and entry.abstract != candidate.abstract:
            return entry, "the same question was answered differently"
        why = conflict(now, stance(entry.abstract))
        if why:
            return entry, why
    if candidate.signal == "cue:correction" and match.entry is not None and SUBJECT <= match.score < KNOWN:
        return match.entry, "it was said as a correction"
    return None, ""


def _entry_at_page(memory: Memory, mtype: MemoryType, owner: dict[str, str]) -> Entry | None:
    path = memory.outer(place_of(mtype, owner))
    return next((entry for entry in memory.entries() if entry.path == path), None)


def _change(written: Written, candidate: Candidate, memory: Memory) -> Change:
    old = memory.files.get(written.path)
    said = candidate.turn
    evidence = [Evidence(candidate.session, said.number, said.role, candidate.quote, said.sha256, said.at)]
    if candidate.accepted is not None:
        yes = candidate.accepted
        evidence.append(Evidence(candidate.session, yes.number, yes.role, yes.text.strip()[:200], yes.sha256, yes.at))
    proposal = Proposal(
        verb=written.verb,
        type=candidate.type,
        id=written.id,
        title=candidate.title,
        reason="; ".join(filter(None, (SEEN[candidate.signal], written.reason))),
        text=written.entry_text,
        evidence=tuple(evidence),
        tokens_before=tokens(old.text) if old is not None else 0,
        tokens_after=tokens(written.text),
    )
    before = File(encode(old.text)) if old is not None else None
    return Change(written.path, before, File(encode(written.text)), f"{candidate.type} from a session", (proposal,))


def _joined(steps: Sequence[Change]) -> tuple[Change, ...]:
    plan = Plan()
    for step in steps:
        plan = joined(plan, Plan((step,)))
    return plan.changes


def _source_key(candidate: Candidate) -> tuple[str, str]:
    return candidate.turn.sha256, quote_key(candidate.quote)
