"""Tombstones: the one way in which a sealed text may go, and never silently."""

from __future__ import annotations

from minutebook.checks.parts import sealed_hash
from minutebook.ground.lazy import lazy
from minutebook.ground.problem import Problem
from minutebook.ground.tombstone import read_tombstone

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from minutebook.ground.entry import Entry
    from minutebook.ground.memory import Memory

_RULE = "append-only"
OTHER_TEXT = "its tombstone names another text than the one that stood there"
"""So it is, too, where history was rewritten to purge the text: the audit knows the message by this."""
_ODD = lazy(r"[0-9@_/=+]")
_DAY = lazy(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def expunged(old: Entry, new: Entry, others: Iterable[Memory]) -> Iterator[Problem]:
    """What there is to say when a tombstone takes the place of `old`, or `old` is one and was changed.

    Lawful is a tombstone and nothing else that names the hash of what stood there: in the base, or in a merge in one
    of `others`. No message says a word of the old text.
    """
    stone = read_tombstone(new)
    told = [old, *(entry for memory in others for entry in memory.entries(archived=True) if entry.id == old.id)]
    texts = [entry.text for entry in told if read_tombstone(entry) is None]
    known = {sealed_hash(text) for text in texts}
    way = f"put back what stood there, then `minutebook expunge {old.id} --reason …`"
    if read_tombstone(old) is not None and (stone is None or stone.sha256 not in known):
        message = f"{old.id} was expunged, and its tombstone was changed: it stays as it is"
        yield Problem(new.path, new.line, _RULE, message, "put the tombstone back as it was", old.id)
    elif stone is None:
        message = f"{old.id} is sealed: what took its place holds more than a tombstone does, or less"
        yield Problem(new.path, new.line, _RULE, message, way, old.id)
    elif stone.sha256 not in known:
        message = f"{old.id} is sealed: {OTHER_TEXT}"
        yield Problem(new.path, new.line, _RULE, message, way, old.id)
    elif repeats(stone.reason, texts, old.id):
        message = f"{old.id}: the reason in its tombstone repeats what it takes away"
        yield Problem(new.path, new.line, _RULE, message, "give the reason in words of your own", old.id)
    else:
        message = f"{old.id} was expunged by {stone.who} on {stone.day} ({stone.reason}); git's history still holds it"
        fix = f"minutebook expunge {old.id}    # says where, and how to purge it"
        yield Problem(new.path, new.line, _RULE, message, fix, old.id, "warning")


def repeats(reason: str, texts: Iterable[str], name: str) -> bool:
    """Whether the words of a reason are those of a text: four in a row, or a number, an address or a very long word.

    Days may be named, and the entry's id `name`.
    """
    words = _words(reason, name)
    odd = {word for word in words if len(word) > 15 or (len(word) > 3 and _ODD.search(word))}
    for text in texts:
        theirs = _words(text, name)
        runs = set(_runs(theirs))
        if odd & set(theirs) or any(run in runs for run in _runs(words)):
            return True
    return False


def _words(text: str, name: str) -> list[str]:
    plain = _DAY.sub(" ", text.casefold().replace(name.casefold(), " "))
    return [bare for word in plain.split() if (bare := word.strip(".,:;!?()[]{}<>*_`'\"“”—–-#"))]


def _runs(words: list[str]) -> Iterator[tuple[str, ...]]:
    return zip(words, words[1:], words[2:], words[3:], strict=False)
