"""What becomes of one candidate, by its type's write policy. Pure.

append      a new entry at the open end of its log, or a new file. What an active entry says already is skipped; what
            contradicts some becomes a new entry that supersedes them, and the old ones aren't touched.
merge       one entry a subject: made when there is none, else merged field by field as the type's `merge` says. What
            contradicts one becomes an entry that supersedes it, where the type lets a new statement replace the old.
accumulate  merge, with counters summed.
replace     one page: facts not older than it take it over.
derived     refused: compaction writes those.

Only what a person said may take the place of anything. Whatever contradicts an entry and can't take its place, or not
surely, is a question, and not a second truth. So is what may contradict an entry and may as well hold beside it: a
person who accepts that has it written beside.
"""

from collections.abc import Mapping, Sequence

from minutebook.ground.change import Refusal
from minutebook.ground.entry import Entry
from minutebook.ground.uris import place_of
from minutebook.route import held
from minutebook.route.matching import (
    KNOWN,
    SUBJECT,
    can_contradict,
    contradicted,
    contradicted_elsewhere,
    doubted,
    known_elsewhere,
)
from minutebook.route.placing import Written, appended, created, merged, placed, replaced
from minutebook.route.provenance import last_said
from minutebook.route.step import Step

_MOST_SUPERSEDED = 3


def written_for(step: Step) -> Written | Refusal:
    mtype = step.memory.types[step.candidate.type]
    if mtype.write == "derived":
        return step.refuse(f"a {mtype.name} is written by compaction only")
    if twin := known_elsewhere(step.candidate, step.standing):
        return step.refuse(f"already known: {twin.id}")
    if other := contradicted_elsewhere(step.candidate, step.standing):
        return step.ask([other[0]], other[1])
    if mtype.write == "append":
        return _append(step)
    if mtype.write == "replace":
        return _replace(step)
    return _merge(step)


def _append(step: Step) -> Written | Refusal:
    known = step.match.known
    olds, why = _replaceable(step)
    if not olds:
        doubts = step.doubts()
        if known is not None and known.id not in doubts:
            return step.refuse(f"already known: {known.id}")
        return _unless_target_is_odd(step) or _asked(step, doubts) or _appended(step, (), "")
    newer = next((old for old in olds if str(old.fields.get("date", "")) > step.day), None)
    if newer is not None:
        said = newer.fields.get("date")
        return step.refuse(f"{newer.id} is newer ({said}) than what was said on {step.day}, and contradicts it")
    may = step.backed and step.sure and step.comes_after(olds)
    return _appended(step, olds, why) if may and len(olds) <= _MOST_SUPERSEDED else step.ask(olds, why)


def _asked(step: Step, doubts: Mapping[str, tuple[Entry, str]]) -> Refusal | None:
    """A question, where the candidate may contradict something."""
    if not doubts:
        return None
    why = "; ".join(dict.fromkeys(why for _, why in doubts.values()))
    return held.question(step.candidate, [entry for entry, _ in doubts.values()], why, sure=False)


def _appended(step: Step, olds: Sequence[Entry], why: str) -> Written:
    return appended(step.candidate, step.known, step.today, step.rules.owner, olds, why)


def _replaceable(step: Step) -> tuple[list[Entry], str]:
    """The active entries whose place the candidate would take, and why."""
    candidate, like = step.candidate, step.match
    may = can_contradict(step.memory.types[candidate.type])
    pairs = list(contradicted(candidate, step.now)) if may else []
    target = _target(step)
    if target is not None and like.known is not target and all(old is not target for old, _ in pairs):
        pairs.insert(0, (target, "it was named as what this takes the place of"))
    close = like.entry is not None and SUBJECT <= like.score < KNOWN
    if not pairs and close and candidate.signal == "cue:correction" and like.entry is not None:
        pairs = [(like.entry, "it was said as a correction")]
    return [old for old, _ in pairs], "; ".join(dict.fromkeys(why for _, why in pairs))


def _merge(step: Step) -> Written | Refusal:
    candidate, path = step.candidate, placed(step.candidate, step.memory, step.today, step.rules.owner)[0]
    old = _target(step) or next((each for each in step.now if each.path == path), None) or step.match.topic
    pairs = list(contradicted(candidate, step.now))
    if pairs:
        return _changed(step, [entry for entry, _ in pairs], "; ".join(dict.fromkeys(why for _, why in pairs)))
    doubts = step.doubts()
    if doubts and not candidate.target:
        return _asked(step, doubts) or _fresh(step)
    beside = {entry.id for entry, _ in doubted(candidate, step.now)}
    if old is None or (old.id in beside and not candidate.target):
        # The name may be that of an entry that no longer holds, and that stays as it is.
        return _unless_target_is_odd(step) or _fresh(step, apart=path in step.memory.files)
    return merged(old, candidate, step.memory, step.today) or step.refuse(f"already known: {old.id}")


def _fresh(step: Step, *, apart: bool = False) -> Written:
    return created(step.candidate, step.known, step.today, step.rules.owner, apart=apart)


def _changed(step: Step, olds: Sequence[Entry], why: str) -> Written | Refusal:
    """An entry of its own that supersedes the others, which stay as they are with the words that back them: where the
    type says that a new statement takes the place of the old one, or a person has answered the question."""
    mtype = step.memory.types[step.candidate.type]
    replaces = mtype.merge.get("abstract") == "replace" and step.sure and len(olds) <= _MOST_SUPERSEDED
    accepted = step.candidate.id in step.rules.accepted
    if not step.backed or not (accepted or (replaces and step.comes_after(olds))):
        return step.ask(olds, why)
    newer = next((old for old in olds if last_said(old) > step.day), None)
    if newer is not None and not accepted:
        return step.refuse(f"{newer.id} is newer ({last_said(newer)}) than what was said on {step.day}")
    return created(step.candidate, step.known, step.today, step.rules.owner, olds, why, apart=True)


def _replace(step: Step) -> Written | Refusal:
    mtype = step.memory.types[step.candidate.type]
    path = step.memory.outer(place_of(mtype, step.rules.owner))
    file = step.memory.files.get(path)
    page = next(iter(file.entries), None) if file is not None else None
    if page is None:
        return created(step.candidate, step.known, step.today, step.rules.owner)
    if not step.backed:
        return step.ask([page], "nobody said that it takes its place")
    return replaced(page, step.candidate, step.memory, step.today)


def _target(step: Step) -> Entry | None:
    """The entry that the candidate names, when it is within reach and a person said so."""
    named = step.candidate.target
    if not named or not step.backed:
        return None
    return next((entry for entry in step.now if entry.id == named), None)


def _unless_target_is_odd(step: Step) -> Refusal | None:
    """A refusal where the candidate names an entry that it can't take the place of."""
    named = step.candidate.target
    if not named:
        return None
    old = next((entry for entry in step.now if entry.id == named), None)
    if old is None:
        return step.refuse(f"it would take the place of {named}, which is no active {step.candidate.type} here")
    return step.ask([old], "it would take its place, and no person said so") if not step.backed else None
