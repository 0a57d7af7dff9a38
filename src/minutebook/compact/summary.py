"""A summary made of the notes' own sentences: extractive, deterministic, no model, and always from the originals.

Method: sentences are grouped by the heading they stand under and by cue words. What binds is carried word for word,
all of it; two sentences that differ in articles alone are one line. What describes the state is chosen by salience
until the budget is spent, without what a chosen sentence says already (Jaccard similarity of word sets: maximal
marginal relevance, Carbonell and Goldstein 1998, with a hard limit). Order is kept.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence

from minutebook.compact.certificate import NOTHING, NUMBERED, ORIGINALS
from minutebook.compact.claims import atoms
from minutebook.compact.statements import GROUPS, Statement, key, negations, statements
from minutebook.ground.entry import Entry
from minutebook.ground.frozen import frozen
from minutebook.ground.tokens import tokens
from minutebook.ground.words import terms

Salience = Callable[[Sequence[str]], Sequence[float]]
_Key = tuple[str, ...]

_SAME = 0.8
_LONGEST = 600
_MOST_TERMS = 4
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


def summarize(
    notes: Sequence[Entry], salience: Salience, budget: int, telling: Callable[[Entry], Sequence[str]]
) -> str:
    """The body of a summary of these notes, Markdown: a section for each group, then a line a note.

    `budget` is in tokens and bounds what is chosen by salience, what is carried in any case is taken off first. A line
    ends with the numbers of the notes, from 1, that say so; a note's own line holds its title, and those of its
    `telling` terms that the summary would not hold otherwise, so that it is still found by them.
    """
    said = _said(notes)
    bound = [each for each in said.values() if each.statement.binds]
    names = [f"- [{number}] {note.title}" for number, note in enumerate(notes, 1)]
    room = budget - tokens("\n".join([*names, *(each.line for each in bound), NUMBERED])) - _HEADINGS
    rest = [each for each in said.values() if not each.statement.binds]
    ranked = _ranked(rest, salience) if room > 0 else []
    while True:
        text = _text(notes, names, said, {*bound, *_chosen(ranked, room)}, telling)
        over = tokens(text) - budget
        if over <= 0 or room <= 0:
            return text
        room -= over


def _text(
    notes: Sequence[Entry],
    names: Sequence[str],
    said: Mapping[_Key, Said],
    chosen: Collection[Said],
    telling: Callable[[Entry], Sequence[str]],
) -> str:
    out = []
    for group in GROUPS:
        kept = [each.line for each in said.values() if each in chosen and each.statement.group == group]
        out += [f"## {group}\n" + "\n".join(kept)] if kept else []
    out = out or [NOTHING]
    return "\n\n".join([*out, f"## {ORIGINALS}\n" + "\n".join(_named(notes, names, out, telling)), NUMBERED])


def _said(notes: Sequence[Entry]) -> Mapping[_Key, Said]:
    """What the notes say that a summary may hold, in their order; the title has a line of its own."""
    found: dict[_Key, Said] = {}
    for number, note in enumerate(notes, 1):
        title = key(note.title)
        for each in statements(note):
            name = key(each.text)
            if each.aside or name == title:
                continue
            known = found.get(name)
            if known is None:
                found[name] = Said(each, (number,))
            elif number not in known.by:
                binding = known.statement if known.statement.binds else each
                found[name] = Said(binding, (*known.by, number))
    return found


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


def _named(
    notes: Sequence[Entry], names: Sequence[str], out: Sequence[str], telling: Callable[[Entry], Sequence[str]]
) -> list[str]:
    held = set(terms("\n".join(out)))
    lines = []
    for note, name in zip(notes, names, strict=True):
        known = set(terms(note.text))
        more = [term for term in telling(note) if term not in held and term in known and term.isalnum()]
        more = [term for term in more if term not in set(terms(note.title))][:_MOST_TERMS]
        held.update(more)
        lines.append(f"{name} · {', '.join(more)}" if more else name)
    return lines


def _alike(one: str, other: str) -> bool:
    """Whether the second sentence adds nothing. Those that differ in a claim or a negation say different things,
    however alike they look."""
    first, second = set(_WORD.findall(one.lower())), set(_WORD.findall(other.lower()))
    same = len(first & second) >= _SAME * len(first | second)
    return same and atoms(one) == atoms(other) and negations(one) == negations(other)
