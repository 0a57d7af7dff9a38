"""Durable entries that are nearly the same: united where one says all that the other does, else asked about.

A fact that was learned twice costs its tokens twice and goes stale in two places. The older entry stays and takes over
the sources, tags and anchors; the other one goes to the archive byte for byte. What differs in a claim, or belongs to
an append-only log, is for a person to settle.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date

from minutebook.compact.claims import difference
from minutebook.compact.near_duplicates import clusters
from minutebook.compact.statements import FIELD, Statement, key, statements
from minutebook.ground import front_matter
from minutebook.ground.change import Change, File, Plan, Proposal, Refusal, Tree
from minutebook.ground.entry import Entry, encode
from minutebook.ground.frozen import replace
from minutebook.ground.markdown import cut
from minutebook.ground.memory import Memory
from minutebook.ground.standing import successors
from minutebook.ground.tokens import tokens
from minutebook.ground.uris import ARCHIVE
from minutebook.ground.words import terms

_UNITED = ("tags", "anchors", "sources")
_MOST_ASKED = 20
_MOST_IDS = 200
_ABOUT = ("type", "id", "created", "updated", "verified", "date", "sources", "relations", "tags", "anchors", "stale")
_FIRST = date.min


def plan_uniting(memory: Memory, tree: Tree) -> Plan:
    """The plan that unites near-duplicates among what lasts; what it can't unite is asked, and never touched."""
    changes: list[Change] = []
    asked: list[Refusal] = []
    for entries in _by_type(memory).values():
        for group in clusters([f"{each.title}\n{each.abstract}\n{each.body}" for each in entries]):
            kept, *others = sorted((entries[at] for at in group), key=_age)
            same = [each for each in others if _may_unite(kept, each, memory, tree)]
            asked += (_question(kept, each, memory) for each in others if each not in same)
            changes += _united(kept, same, memory, tree) if same else []
    notes = (f"{len(asked) - _MOST_ASKED} more near-duplicates are not named",) if len(asked) > _MOST_ASKED else ()
    united = tuple(sorted(changes, key=lambda change: change.path))
    count = sum(each.verb == "archive" for change in united for each in change.entries)
    return Plan(united, tuple(asked[:_MOST_ASKED]), notes, {"entries united": count} if count else {})


def unsaid(other: Entry, kept: Entry) -> str:
    """The first thing that `other` says and `kept` doesn't; "" when there is none."""
    told = statements(kept)
    names = {(each.group, key(each.text)) for each in told}
    words = " ".join(terms(kept.text))
    details = [_plain(each) for each in told if not each.binds]
    for at, each in enumerate(statements(other)):
        about = each.aside == FIELD and each.text.partition(":")[0].partition(".")[0] in _ABOUT
        if about or (each.group, key(each.text)) in names:
            continue
        if at == 0 and not each.binds and f" {' '.join(terms(each.text))} " in f" {words} ":
            continue  # another title, whose words stand there in this order
        if each.binds or _plain(each) not in details:
            return each.text
    return ""


def _plain(detail: Statement) -> list[str]:
    """A detail without the capitals and stops that nothing hangs on."""
    return [word.lower() if word.istitle() and word.isalpha() else word for word in _bare(detail.text)]


def _bare(text: str) -> list[str]:
    return [word.rstrip(".,;:") for word in key(text)]


def _by_type(memory: Memory) -> Mapping[str, list[Entry]]:
    """The live entries that last, by type."""
    entries = [each for each in memory.entries() if not memory.is_private(each.path)]
    newer = successors(entries)
    found: dict[str, list[Entry]] = {}
    for entry in entries:
        lasts = memory.type_of(entry).durability not in ("ephemeral", "derived")
        if lasts and not memory.is_closed(entry) and entry.id not in newer:
            found.setdefault(entry.type, []).append(entry)
    return found


def _age(entry: Entry) -> tuple[date, str, int]:
    return entry.day("date", "created", "updated") or _FIRST, entry.path, entry.line


def _may_unite(kept: Entry, other: Entry, memory: Memory, tree: Tree) -> bool:
    mtype = memory.type_of(kept)
    owners = {memory.inner(each.path).rpartition("/")[0] for each in (kept, other)}
    target = memory.outer(ARCHIVE + memory.inner(other.path))
    own_files = not (kept.in_log or other.in_log) and "id" in kept.fields
    free = other.path in tree and tree.get(target, tree[other.path]) == tree[other.path]
    return not mtype.append_only and len(owners) == 1 and own_files and free and not unsaid(other, kept)


def _question(kept: Entry, other: Entry, memory: Memory) -> Refusal:
    more = unsaid(other, kept)
    words = difference(more, [each.text for each in statements(kept)]) if more else ""
    how = f": {words or cut(more, 120)}" if more else ""
    way = f"minutebook supersede {kept.id}" if memory.type_of(kept).append_only else "unite them by hand"
    reason = f"it is nearly {kept.id}{how}. Does one of them take the other's place? ({way})"
    return Refusal(other.id, reason, "", other.type, "question")


def _united(kept: Entry, others: Sequence[Entry], memory: Memory, tree: Tree) -> Iterator[Change]:
    names = ", ".join(each.id for each in others)
    why = f"says all that {names} {'says' if len(others) == 1 else 'say'}, and takes over the sources"
    text = _with_sources(kept, others)
    before, after = sum(tokens(each.text) for each in (kept, *others)), tokens(text)
    proposal = Proposal("merge", kept.type, kept.id, kept.title, why, text, (), before, after)
    yield Change(kept.path, tree[kept.path], replace(tree[kept.path], data=encode(text)), why, (proposal,))
    for each in others:
        moved = f"united with {kept.id}, which says all of it"
        target = memory.outer(ARCHIVE + memory.inner(each.path))
        gone = Proposal("archive", each.type, each.id, each.title, moved, tokens_before=tokens(each.text))
        yield Change(each.path, tree[each.path], None, moved, (gone,))
        yield Change(target, tree.get(target), File(tree[each.path].data), moved)


def _with_sources(kept: Entry, others: Sequence[Entry]) -> str:
    """The text of the entry that stays, with the sources, tags and anchors of all, and the ids of those that went."""
    updates: dict[str, object] = {}
    for name in _UNITED:
        values = [value for each in (kept, *others) for value in _list(each.fields.get(name))]
        distinct = [value for at, value in enumerate(values) if value not in values[:at]]
        if distinct != _list(kept.fields.get(name)):
            updates[name] = distinct
    relations = kept.fields.get("relations")
    known = dict(relations) if isinstance(relations, Mapping) else {}
    derived = dict.fromkeys((*kept.ids("derived_from"), *(each.id for each in others)))
    updates["relations"] = known | {"derived_from": list(derived)[:_MOST_IDS]}
    return front_matter.set_fields(kept.text, updates)


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []
