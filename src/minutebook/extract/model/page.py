"""A page that is written anew as a whole keeps what it said, but for what the new words contradict."""

import re
from collections.abc import Iterator, Mapping

from minutebook.extract.contradiction import conflict
from minutebook.extract.model.case import Case
from minutebook.extract.model.numbers import numbers_in, unsaid
from minutebook.extract.model.polarity import Marks, sentences_of, signs
from minutebook.extract.stance import stance, words
from minutebook.ground.entry import Entry
from minutebook.ground.memory_type import MemoryType
from minutebook.ground.session import Candidate

_KEPT = 0.75
"""Share of the content words of a clause that the new page has to have for the clause to be kept."""
_COMMA = re.compile(r"[,;:]\s+")


def dropped(page: Entry, candidate: Candidate) -> str:
    """Why the candidate can't take the page's place: what would be gone without a word against it; ""."""
    new = "\n".join((candidate.title, candidate.abstract, candidate.body, *map(str, candidate.fields.values())))
    known, marks = words(new), signs(new)
    for piece in _pieces(page):
        wanted = words(piece)
        kept = len(wanted & known) >= _KEPT * len(wanted) and not unsaid(piece, new) and not _turned(piece, marks)
        if wanted and not kept and not _denies(candidate.quote, piece):
            return (
                f"{page.id} says “{piece[:100]}”, which the new page doesn't: keep it in `body`, or quote who denies it"
            )
    return ""


def written(case: Case, mtype: MemoryType) -> str:
    """What the one page of a type says, if it is of those that are written anew; ""."""
    if mtype.write != "replace":
        return ""
    pages = [entry for entry in case.shelf.by_uri.values() if entry.type == mtype.name]
    return "\n".join(text for page in pages for text in (page.title, page.abstract, page.overview, page.body))


def _denies(said: str, piece: str) -> bool:
    """Whether a statement speaks against a piece of the page: it says its words the other way round, gives another
    number for the same thing, or is in conflict with it."""
    shared = words(said) & words(piece)
    if 2 * len(shared) >= len(words(piece)) and _turned(piece, signs(said)):
        return True
    counted = numbers_in(said) and numbers_in(piece) and unsaid(piece, said)
    named = {word for word in shared if not word.isdigit()}
    return bool(counted and named) or bool(conflict(stance(said), stance(piece)))


def _turned(piece: str, marks: Mapping[str, frozenset[Marks]]) -> bool:
    return any(not said & marks[word] for word, said in signs(piece).items() if word in marks)


def _pieces(page: Entry) -> Iterator[str]:
    """What the page says, a clause at a time, without its headings."""
    lines = (page.abstract, *page.overview.split("\n"), *page.body.split("\n"))
    for line in lines:
        if not line.lstrip().startswith(("#", "---", "|--", "```")):
            yield from (piece.strip() for part in sentences_of(line) for piece in _COMMA.split(part) if piece.strip())
