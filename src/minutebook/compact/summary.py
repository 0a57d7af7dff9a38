"""A summary made of the notes' own sentences: extractive, deterministic, no model, and always from the originals.

Method: sentences are grouped by the heading they stand under and by cue words. What binds is carried word for word,
all of it; two sentences that differ in articles alone are one line. What describes the state is chosen by salience
until the budget is spent, without what a chosen sentence says already (Jaccard similarity of word sets: maximal
marginal relevance, Carbonell and Goldstein 1998, with a hard limit). Order is kept.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence

from minutebook.compact.claims import atoms
from minutebook.compact.cues import GROUPS, STATE
from minutebook.compact.lines import MOST_TERMS, NOTHING, NUMBERED, ORIGINALS, title_in_line
from minutebook.compact.statements import Statement, key, negations, statements
from minutebook.ground.entry import Entry
from minutebook.ground.frozen import frozen
from minutebook.ground.tokens import tokens
from minutebook.ground.words import terms

Salience = Callable[[Sequence[str]], Sequence[float]]
Tell = Callable[[Entry], Sequence[str]]
"""The terms by which a note is found."""
Detail = tuple[str, tuple[int, ...]]
"""A line that somebody wrote, and the notes, from 1, that it says it comes from."""
_Name = tuple[str, tuple[str, ...]]

_SAME = 0.8
_LONGEST = 600
_HEADINGS = 20  # tokens
_WORD = re.compile(r"\w+")


@frozen
class Said:
    """A statement and the notes, from 1, that make it."""

    statement: Statement
    by: tuple[int, ...]

    @property
    def line(self) -> str:
        return f"- {self.statement.text} [{', '.join(map(str, self.by))}]"


def summarize(notes: Sequence[Entry], salience: Salience, budget: int, tell: Tell) -> str:
    """The body of a summary of these notes, Markdown: a line a note, then a section for each group.

    The notes come first: what a text begins with is what search believes it to be about.

    `budget` is in tokens and bounds what is chosen by salience, what is carried in any case is taken off first. A line
    ends with the numbers of the notes, from 1, that say so; a note's own line holds its title, and those of the terms
    that `tell` it from others which the summary would not hold otherwise, so that it is still found by them.
    """
    said = extracted(notes)
    rest = [each for each in said.values() if not each.statement.binds]
    return _fitted(notes, said, lambda room: _ranked(rest, salience) if room > 0 else [], budget, tell)


def written_out(notes: Sequence[Entry], details: Sequence[Detail], budget: int, tell: Tell) -> str:
    """The same with details that somebody wrote, the most telling first, in place of those chosen by salience."""
    bound = {name: each for name, each in extracted(notes).items() if each.statement.binds}
    carried = {name[1] for name in bound}
    written = {
        (STATE, key(text)): Said(Statement(text, STATE, binds=False), tuple(sorted(set(by))))
        for text, by in details
        if key(text) not in carried
    }
    said = {**bound, **dict(sorted(written.items(), key=lambda pair: pair[1].by))}
    return _fitted(notes, said, lambda _: list(written.values()), budget, tell)


def extracted(notes: Sequence[Entry]) -> Mapping[_Name, Said]:
    """What the notes say that a summary may hold, in their order, by group and key; a title has a line of its own."""
    found: dict[_Name, Said] = {}
    for number, note in enumerate(notes, 1):
        told = statements(note)
        title = key(told[0].text)
        for each in told[1:]:
            name = each.group, key(each.text)
            if each.aside or (name[1] == title and not each.binds):
                continue
            known = found.get(name)
            if known is None:
                found[name] = Said(each, (number,))
            elif number not in known.by:
                found[name] = Said(known.statement, (*known.by, number))
    return found


def _fitted(
    notes: Sequence[Entry],
    said: Mapping[_Name, Said],
    rank: Callable[[int], Sequence[Said]],
    budget: int,
    tell: Tell,
) -> str:
    """The body with as much of what `rank` gives as the budget takes beside what binds."""
    bound = [each for each in said.values() if each.statement.binds]
    names = {f"- [{number}] {title_in_line(note)}": _told_by(note, tell) for number, note in enumerate(notes, 1)}
    room = budget - tokens("\n".join([*names, *(each.line for each in bound), NUMBERED])) - _HEADINGS
    ranked = rank(room)
    while True:
        text = _text(names, said, {*bound, *_chosen(ranked, room)})
        over = tokens(text) - budget
        if over <= 0 or room <= 0:
            return text
        room -= over


def _text(names: Mapping[str, Sequence[str]], said: Mapping[_Name, Said], chosen: Collection[Said]) -> str:
    out = []
    for group in GROUPS:
        kept = [each.line for each in said.values() if each in chosen and each.statement.group == group]
        out += [f"## {group}\n" + "\n".join(kept)] if kept else []
    out = out or [NOTHING]
    named = f"## {ORIGINALS}\n" + "\n".join(_named(names, out))
    return "\n\n".join([NUMBERED, named, *out])


def _ranked(said: Sequence[Said], salience: Salience) -> list[Said]:
    """What describes the state and isn't too long, the most salient first."""
    fitting = [each for each in said if len(each.statement.text) <= _LONGEST]
    weights = salience([each.statement.text for each in fitting]) if fitting else []
    return [each for _, each in sorted(zip(weights, fitting, strict=True), key=lambda pair: -pair[0])]


def _chosen(ranked: Sequence[Said], room: int) -> list[Said]:
    """Of what is ranked as much as the room takes, nothing twice."""
    chosen: list[Said] = []
    for each in ranked:
        cost = tokens(each.line) + 1
        if cost <= room and not any(_alike(each.statement.text, other.statement.text) for other in chosen):
            chosen.append(each)
            room -= cost
    return chosen


def _told_by(note: Entry, tell: Tell) -> list[str]:
    """The terms that tell the note from others, but for those of its title."""
    known, title = set(terms(note.text)), set(terms(note.title))
    return [term for term in tell(note) if term in known and term not in title and term.isalnum()]


def _named(names: Mapping[str, Sequence[str]], out: Sequence[str]) -> list[str]:
    """By the line that names a note its terms: the line with those of them that nothing else holds."""
    held = set(terms("\n".join(out)))
    lines = []
    for name, found in names.items():
        more = [term for term in found if term not in held][:MOST_TERMS]
        held.update(more)
        lines.append(f"{name} · {', '.join(more)}" if more else name)
    return lines


def _alike(one: str, other: str) -> bool:
    """Whether the second sentence adds nothing. Those that differ in a claim or a negation say different things,
    however alike they look."""
    first, second = set(_WORD.findall(one.lower())), set(_WORD.findall(other.lower()))
    same = len(first & second) >= _SAME * len(first | second)
    return same and atoms(one) == atoms(other) and negations(one) == negations(other)
