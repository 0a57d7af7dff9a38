"""What a refresh proposes for an entry that is never edited: a new one, as a draft, that is to take its place."""

from collections.abc import Mapping
from datetime import date

from minutebook.ground.change import Change, Plan, Proposal, Refusal, Tree
from minutebook.ground.entry import Entry, decode, encode
from minutebook.ground.errors import MinutebookError
from minutebook.ground.frozen import replace
from minutebook.ground.markdown import cut, split_lines
from minutebook.ground.memory import Memory
from minutebook.ground.memory_type import MemoryType, section_field
from minutebook.ground.standing import DRAFTS
from minutebook.ground.tokens import tokens
from minutebook.ground.uris import placed
from minutebook.refresh.findings import Finding, Signal
from minutebook.refresh.moved import moves_of, with_moves
from minutebook.setup.template import Draft, Wanted, draft_entry

_LONGEST = 400
_SAYS_SOMETHING = frozenset({"gone", "moved", "changed"})
_LISTS = ("tags", "anchors")


def plan_successor(memory: Memory, tree: Tree, entry: Entry, finding: Finding, today: date) -> Plan:
    """The plan that adds a draft which supersedes `entry`: its words, with what moved in its new place, and what the
    code no longer bears out as the first sentence of its context. A person decides, and accepts it or not; until then
    the old entry holds.

    A refusal says what to do where no draft can be written: for a record of what happened, for a type that has no
    drafts, where only an age or another entry speaks against it, and where a draft waits already.
    """
    mtype = memory.type_of(entry)
    because = _reasons(finding.signals)
    command = f"minutebook new {mtype.name} --supersedes {entry.id}"
    waiting = _waiting(memory, entry)
    if mtype.stale_after is None:
        return _refused(entry, f"a {mtype.name} tells what happened and is never edited; {because}")
    if waiting is not None:
        return _refused(entry, f"{waiting.id} ({waiting.path}:{waiting.line}) is proposed in its place and waits")
    if finding.kind == "superseded":
        return _refused(entry, f"a {mtype.name} is never edited by a refresh; a person may mark it: {because}")
    said = tuple(each for each in finding.signals if each.kind in _SAYS_SOMETHING)
    if not said or not _draft_word(mtype):
        return _refused(entry, f"a {mtype.name} is never edited; if it holds no more, {command}, because {because}")
    try:
        draft = _draft(memory, tree, entry, said, today)
    except MinutebookError as error:
        return _refused(
            entry, f"a {mtype.name} is never edited, and no draft of a new one can be made ({error}): {command}"
        )
    if draft.missing:
        lacks = ", ".join(draft.missing)
        return _refused(entry, f"a {mtype.name} is never edited; the new one would lack {lacks}: {command}")
    return Plan((_proposed(draft, entry, _reasons(said)),))


def plan_mended(memory: Memory, tree: Tree, entry: Entry, finding: Finding) -> Plan:
    """The plan that puts the paths in a draft right: nobody has agreed to it yet, so it is edited and gets no draft on
    top. What else speaks against it is for whoever decides on it."""
    there = next(each for each in memory.entries() if each.id == entry.id)
    moves = moves_of(finding.signals)
    mended = with_moves(there.text, moves, there.path.rpartition("/")[0])
    because = _reasons(finding.signals)
    if mended == there.text:
        return _refused(entry, f"it is a draft that waits for a decision: {because}")
    file = tree[there.path]
    lines = split_lines(decode(file.data))
    end = there.line - 1 + len(split_lines(there.text))
    text = "".join([*lines[: there.line - 1], mended, *lines[end:]])
    proposal = Proposal("edit", entry.type, entry.id, entry.title, because, "", (), tokens(there.text), tokens(mended))
    change = Change(there.path, file, replace(file, data=encode(text)), f"refresh: {finding.kind}", (proposal,))
    return Plan((change,))


def _refused(entry: Entry, reason: str) -> Plan:
    return Plan(refusals=(Refusal(entry.id, reason),))


def _waiting(memory: Memory, entry: Entry) -> Entry | None:
    """The draft that is to take the entry's place."""
    return next(
        (
            each
            for each in memory.entries()
            if each.type == entry.type
            and memory.type_of(each).stage(each.status) == "draft"
            and entry.id in each.ids("supersedes")
        ),
        None,
    )


def _draft(memory: Memory, tree: Tree, entry: Entry, said: tuple[Signal, ...], today: date) -> Draft:
    mtype = memory.type_of(entry)
    moves = moves_of(said)
    home = entry.path.rpartition("/")[0]
    given = {name: with_moves(text, moves, home) for name, text in _words(memory, entry).items()}
    first = section_field(mtype.sections[0]) if mtype.sections else "body"
    doubt = f"{entry.id} names what the code bears out no more: {_reasons(said)}."
    given[first] = "\n\n".join(filter(None, [doubt, given.get(first, "")]))
    given["status"] = _draft_word(mtype)
    for name in _LISTS:
        items = entry.fields.get(name)
        if isinstance(items, list) and items:
            given[name] = ", ".join(with_moves(str(item), moves, home) for item in items)
    same = (placed(mtype, memory.inner(entry.path)) or {}) if entry.in_log or not memory.alone(mtype) else {}
    if same.get("domain"):
        given["domain"] = same["domain"]
    return draft_entry(memory, tree, mtype, Wanted(entry.title, given, {}, today, entry.id))


def _draft_word(mtype: MemoryType) -> str:
    """The type's status of a draft that every reader takes for one; "" when it has none."""
    return next((word for word in mtype.status.get("draft", ()) if word in DRAFTS), "")


def _words(memory: Memory, entry: Entry) -> Mapping[str, str]:
    """The entry's sections, by field; what a reader wrote besides stays with the old entry."""
    names = (section_field(section) for section in memory.type_of(entry).sections)
    return {name: text for name in names if (text := str(entry.fields.get(name) or "").strip())}


def _proposed(draft: Draft, old: Entry, because: str) -> Change:
    reason = f"in place of {old.id}, if a person agrees: {because}"
    proposal = Proposal("supersede", old.type, draft.id, old.title, reason, draft.text, supersedes=(old.id,))
    return replace(draft.change, why=f"refresh: proposed in place of {old.id}", entries=(proposal,))


def _reasons(signals: tuple[Signal, ...]) -> str:
    return cut("; ".join(" ".join(each.reason.split()) for each in signals), _LONGEST)
