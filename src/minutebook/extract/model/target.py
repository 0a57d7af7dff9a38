"""What a candidate would change in memory. Code enforces it: what wasn't read isn't replaced."""

from collections.abc import Collection

from minutebook.extract.contradiction import conflict
from minutebook.extract.model.case import Case, Judged
from minutebook.extract.model.memory import Shelf
from minutebook.extract.model.page import dropped
from minutebook.extract.stance import overlap, stance, words
from minutebook.ground.entry import Entry
from minutebook.ground.frozen import replace
from minutebook.ground.memory_type import MemoryType
from minutebook.ground.session import Candidate
from minutebook.ground.uris import place_of, slug

_ALIKE = 0.4
"""Share of words that two entries have in common from which the one has to be read before the other is proposed."""
_MOST_SHOWN = 3


def placed(candidate: Candidate, replaces: str, mtype: MemoryType, case: Case, read: Collection[str]) -> Judged:
    """The candidate, once what it would change has been read, and only if it may change it. `read` are ids."""
    target = case.shelf.entry(replaces) if replaces else None
    refusal = _wrong_target(target, mtype, case.shelf, replaces) if replaces else ""
    if target is not None and candidate.quarantine and not refusal:
        refusal = f"it can't take the place of an entry: {candidate.quarantine}"
    if refusal:
        return Judged(refusal=refusal)
    rivals = [target] if target is not None else _rivals(candidate, mtype, case)
    unread = tuple(entry for entry in rivals if entry.id not in read)
    if unread:
        return Judged(unread=unread[:_MOST_SHOWN])
    lost = next((why for page in rivals if mtype.write == "replace" and (why := dropped(page, candidate))), "")
    if lost:
        return Judged(refusal=lost)
    return Judged(replace(candidate, target=target.id if target is not None else ""))


def _wrong_target(target: Entry | None, mtype: MemoryType, shelf: Shelf, name: str) -> str:
    if target is None:
        return f"there is no entry {name!r:.120} that may be read here, so it can't be replaced"
    if target.type != mtype.name:
        return f"{target.id} is a {target.type}: a {mtype.name} can't take its place"
    standing = shelf.standing(target)
    return "" if standing == "active" else f"{target.id} no longer holds ({standing}): replace the one that does"


def _rivals(candidate: Candidate, mtype: MemoryType, case: Case) -> list[Entry]:
    """The entries that hold and that the candidate would land on, contradict or say again, the likest first."""
    names = {**case.owner, "date": str(candidate.fields["date"]), "slug": slug(candidate.title)}
    place = case.shelf.memory.outer(place_of(mtype, names))
    text, position = words(f"{candidate.title} {candidate.abstract}"), stance(candidate.abstract)
    found: list[tuple[float, Entry]] = []
    for entry in case.shelf.by_uri.values():
        if entry.type != mtype.name:
            continue
        share = overlap(words(f"{entry.title} {entry.abstract}"), text)
        lands = entry.path == place and mtype.layout != "log"
        if lands or share >= _ALIKE or conflict(position, stance(entry.abstract)):
            found.append((2.0 if lands else share, entry))
    held = [(share, entry) for share, entry in found if case.shelf.standing(entry) == "active"]
    return [entry for _, entry in sorted(held, key=lambda each: (-each[0], each[1].id))]
