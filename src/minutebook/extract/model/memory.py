"""What a model may see of the existing memory: entries by URI, their lists and relations, each answer a JSON document.

An answer is data: quoting in JSON leaves no way out of it, and what can't be seen is spelled out. Secrets that got into
memory go no further.
"""

import json
from collections.abc import Iterator, Mapping

from minutebook.ground.entry import Entry
from minutebook.ground.errors import CannotJudge
from minutebook.ground.frozen import cached, frozen
from minutebook.ground.markdown import cut
from minutebook.ground.memory import Memory
from minutebook.ground.standing import closed_as, successors
from minutebook.ground.unseen import made_visible
from minutebook.ground.uris import ARCHIVE, uri_of
from minutebook.redaction.redact import Redactor
from minutebook.retrieve.candidates import Reader

LONGEST_ENTRY = 6_000
MOST_LISTED = 60
_ABSTRACT = 160
_SESSION = "session"
_RELATIONS = ("supersedes", "superseded_by", "related_to", "derived_from", "contradicts")


@frozen
class Shelf:
    """The entries of `memory` that `reader` may read, under the URIs of `account`. What lies in another's space, or in
    another account, doesn't exist here."""

    memory: Memory
    account: str
    reader: Reader

    @cached
    def by_uri(self) -> Mapping[str, Entry]:
        """In the order of their files, those in the archive too."""
        return dict(self._readable())

    @cached
    def newer(self) -> Mapping[str, Entry]:
        """By id of what is superseded, the entry that says so."""
        return successors(self.by_uri.values())

    def _readable(self) -> Iterator[tuple[str, Entry]]:
        for entry in self.memory.entries(archived=True):
            inner = self.memory.inner(entry.path)
            if entry.type != _SESSION and self.reader.may_read(inner.removeprefix(ARCHIVE)):
                try:
                    yield uri_of(self.account, self.memory.types, inner, entry.id), entry
                except CannotJudge:  # a file that lies where no type lives has no name to be asked by
                    continue

    def entry(self, name: str) -> Entry | None:
        """The entry of this URI or id."""
        found = self.by_uri.get(name)
        return found or next((entry for entry in self.by_uri.values() if entry.id == name), None)

    def uri(self, entry: Entry) -> str:
        return uri_of(self.account, self.memory.types, self.memory.inner(entry.path), entry.id)

    def standing(self, entry: Entry) -> str:
        """`active`, or the word by which the entry no longer holds."""
        closed = closed_as(entry, self.memory.type_of(entry))
        return closed or ("superseded" if entry.id in self.newer else "active")

    @property
    def overview(self) -> str:
        """How many entries of which type there are, in a line."""
        counts: dict[str, int] = {}
        for entry in self.by_uri.values():
            counts[entry.type] = counts.get(entry.type, 0) + 1
        return ", ".join(f"{name} {count}" for name, count in sorted(counts.items())) or "nothing yet"


def read(shelf: Shelf, uri: str) -> tuple[str, Entry | None]:
    """(the answer, the entry that was read): an entry, or the list of the log that a URI without `#` names.

    Raises CannotJudge when there is nothing of that name.
    """
    entry = shelf.entry(uri)
    if entry is not None:
        return shown(shelf, entry), entry
    if "#" not in uri and any(known.startswith(f"{uri}#") for known in shelf.by_uri):
        return listed(shelf, f"{uri}#"), None
    raise CannotJudge(f"there is no entry {uri!r:.120} that may be read here; list ctx://{shelf.account}/ names them")


def listed(shelf: Shelf, uri: str) -> str:
    """The entries whose URIs start with `uri`; when they are many, the first ones, and how many lie where."""
    top = f"ctx://{shelf.account}/"
    if not uri.startswith(top):
        raise CannotJudge(f"{uri!r:.120} is no URI of this memory: they start with {top}")
    inside = {known: entry for known, entry in shelf.by_uri.items() if known.startswith(uri)}
    rows = [_row(shelf, known, entry) for known, entry in list(inside.items())[:MOST_LISTED]]
    answer: dict[str, object] = {"uri": uri, "count": len(inside), "entries": rows}
    if len(inside) > MOST_LISTED:
        answer["beneath"] = _beneath(uri, inside)
    return _document(answer)


def relations(shelf: Shelf, uri: str) -> str:
    """What an entry says of others, and what others say of it."""
    entry = shelf.entry(uri)
    if entry is None:
        raise CannotJudge(f"there is no entry {uri!r:.120} that may be read here")
    known = {other.id for other in shelf.by_uri.values()}
    said = {name: [each for each in entry.ids(name) if each in known] for name in _RELATIONS}
    named = {
        f"{name} it": found
        for name in _RELATIONS
        if (
            found := [other.id for other in shelf.by_uri.values() if other is not entry and entry.id in other.ids(name)]
        )
    }
    return _document({"uri": uri, "id": entry.id, **{name: ids for name, ids in said.items() if ids}, **named})


def shown(shelf: Shelf, entry: Entry) -> str:
    """An entry as the model is given it."""
    text = cut(entry.text, LONGEST_ENTRY)
    facts = {"uri": shelf.uri(entry), "id": entry.id, "type": entry.type, "standing": shelf.standing(entry)}
    return _document({**facts, "text": text})


def _row(shelf: Shelf, uri: str, entry: Entry) -> dict[str, str]:
    said = {"id": entry.id, "title": entry.title, "abstract": cut(entry.abstract, _ABSTRACT)}
    standing = shelf.standing(entry)
    return {"uri": uri, **said, **({} if standing == "active" else {"standing": standing})}


def _beneath(uri: str, inside: Mapping[str, Entry]) -> dict[str, int]:
    """By the next part of their URIs, how many entries there are."""
    counts: dict[str, int] = {}
    for known in inside:
        rest = known[len(uri) :]
        part = uri + rest.partition("#")[0].partition("/")[0] + ("/" if "/" in rest else "")
        counts[part] = counts.get(part, 0) + 1
    return dict(list(counts.items())[:MOST_LISTED])


def _document(value: Mapping[str, object]) -> str:
    """JSON in which every character can be seen and no secret stands."""
    clean = Redactor().redact_json(_visible(value))
    return json.dumps(clean, ensure_ascii=False, indent=0)


def _visible(value: object) -> object:
    if isinstance(value, str):
        return made_visible(value, lambda each: f"‹U+{ord(each):04X}›")
    if isinstance(value, list):
        return [_visible(item) for item in value]
    if isinstance(value, dict):
        return {key: _visible(item) for key, item in value.items()}
    return value
