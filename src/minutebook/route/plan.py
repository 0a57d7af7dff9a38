"""From candidates to a Plan. Pure: the caller's `similarities` says what is alike, `policy` what becomes of each."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date

from minutebook.ground.change import Change, File, Plan, Proposal, Refusal, joined
from minutebook.ground.entry import Entry, encode
from minutebook.ground.frozen import replace
from minutebook.ground.memory import Memory
from minutebook.ground.session import Candidate, Session
from minutebook.ground.tokens import tokens
from minutebook.route import held
from minutebook.route.known import Known, file_after, known_of
from minutebook.route.matching import Similarities, can_contradict, compare, is_against, match
from minutebook.route.placing import Written
from minutebook.route.policy import written_for
from minutebook.route.provenance import evidence_of, keys_of
from minutebook.route.rejected import rejected_as
from minutebook.route.step import Rules, Step


def route(
    session: Session,
    found: Sequence[Candidate],
    memory: Memory | Known,
    today: date,
    similarities: Similarities,
    rules: Rules,
) -> Plan:
    """The plan that puts these candidates of one session into memory, on the memory as it lies there.

    A candidate whose quote is a source of an entry already changes nothing and is only counted. What is `Known` goes on
    to what the plan leaves.
    """
    known = known_of(memory)
    memory = known.memory
    fresh = _fresh(found, known)
    kept, refusals = _sifted(fresh, memory, rules)
    kept, taken_back = _last_words(kept, memory)
    refusals += taken_back
    corpus = compare(kept, known, rules.owner, similarities)
    standing = dict(corpus.entries)
    steps: list[Change] = []
    turns: dict[str, int] = {}
    for candidate in kept:
        abreast = {name for name, turn in turns.items() if turn == candidate.turn.number}
        like = match(candidate, corpus, standing[candidate.type])
        step = Step(candidate, known, like, standing, today, rules, abreast)
        written = written_for(step)
        if isinstance(written, Refusal):
            refusals.append(replace(written, type=candidate.type, id=candidate.id))
            continue
        change = _change(written, candidate, memory, rules)
        steps.append(change)
        turns[written.id] = candidate.turn.number
        known.take((change,))
        standing[candidate.type] = _standing(standing[candidate.type], written, memory)
    changes = all_joined([Plan((step,)) for step in steps]).changes
    return Plan(changes, tuple(refusals), (), _figures(found, fresh, steps))


def after(memory: Memory, changes: Sequence[Change]) -> Memory:
    """The memory after changes to files that its types cover; only those are read again."""
    files = dict(memory.files)
    for change in changes:
        files.pop(change.path, None)
        file = file_after(memory, change)
        if file is not None:
            files[change.path] = file
    return replace(memory, files={path: files[path] for path in sorted(files)})


def all_joined(steps: Iterable[Plan]) -> Plan:
    """One plan that does all of them, each planned on what the former leaves: what `joined` makes of them two by two,
    in time that grows with their number."""
    merged: dict[str, Plan] = {}
    refusals: list[Refusal] = []
    notes: list[str] = []
    figures = Counter[str]()
    for step in steps:
        for change in step.changes:
            one = Plan((change,))
            merged[change.path] = joined(merged[change.path], one) if change.path in merged else one
        refusals += step.refusals
        notes += step.notes
        figures.update(step.figures)
    changes = (change for path in sorted(merged) for change in merged[path].changes)
    kept = tuple(change for change in changes if change.old != change.new)
    return Plan(kept, tuple(refusals), tuple(notes), dict(figures))


def _fresh(found: Sequence[Candidate], known: Known) -> list[Candidate]:
    """Those whose words no entry has as a source, each once."""
    unique: dict[str, Candidate] = {}
    for each in found:
        unique.setdefault(each.id, each)
    return [each for each in unique.values() if not keys_of(each) & known.keys]


def _standing(before: Sequence[Entry], written: Written, memory: Memory) -> list[Entry]:
    """The entries that hold after one was written."""
    new = next(entry for entry in memory.files[written.path].entries if entry.id == written.id)
    gone = {written.id, *written.supersedes}
    return [new, *(entry for entry in before if entry.id not in gone)]


def _sifted(found: Sequence[Candidate], memory: Memory, rules: Rules) -> tuple[list[Candidate], list[Refusal]]:
    """Those that may be written, and what is held back: rejected before, or in quarantine."""
    kept: list[Candidate] = []
    refusals: list[Refusal] = []
    for each in found:
        row = rejected_as(each, rules.rejections)
        why = held.quarantined(each, memory.types[each.type])
        if row is not None:
            refusals.append(held.rejected_before(each, row))
        elif why and each.id not in rules.accepted:
            refusals.append(held.in_quarantine(each, why))
        else:
            kept.append(held.released(each, why) if why else each)
    return kept, refusals


def _last_words(found: Sequence[Candidate], memory: Memory) -> tuple[list[Candidate], list[Refusal]]:
    """Without what was taken back in a later turn of the same session: the last word counts."""
    kept: list[Candidate] = []
    refusals: list[Refusal] = []
    for at, each in enumerate(found):
        later = (other for other in found[at + 1 :] if other.type == each.type and other.turn.number > each.turn.number)
        may = can_contradict(memory.types[each.type])
        last = next((other for other in later if may and is_against(other, each)), None)
        if last is None:
            kept.append(each)
        else:
            refusals.append(held.refused(each, f"taken back in turn {last.turn.number}: {last.title}"))
    return kept, refusals


def _change(written: Written, candidate: Candidate, memory: Memory, rules: Rules) -> Change:
    old = memory.files.get(written.path)
    proposal = Proposal(
        verb=written.verb,
        type=candidate.type,
        id=written.id,
        title=candidate.title,
        reason="; ".join(filter(None, (held.seen_in(candidate, rules.accepted), written.reason))),
        text=written.entry_text,
        evidence=evidence_of(candidate),
        tokens_before=tokens(old.text) if old is not None else 0,
        tokens_after=tokens(written.text),
        candidate=candidate.id,
        why=candidate.why,
        supersedes=written.supersedes,
    )
    before = File(encode(old.text)) if old is not None else None
    return Change(written.path, before, File(encode(written.text)), f"{candidate.type} from a session", (proposal,))


def _figures(found: Sequence[Candidate], fresh: Sequence[Candidate], steps: Sequence[Change]) -> dict[str, int]:
    figures = {"candidates": len(found), "entries written": len(steps)}
    return figures | ({"already in memory": len(found) - len(fresh)} if len(found) > len(fresh) else {})
