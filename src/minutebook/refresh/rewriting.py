"""What a rewrite of an entry may change: the sentences that name what the code no longer bears out, one by one, and in
them nothing else. Code sees to it, whatever the model says; all other sentences stay as they are, letter for letter.

That a rewrite is judged claim by claim is the idea of Min et al. 2023 (“FActScore”), with the patterns of
`compact/claims.py` in place of a model.
"""

import re
from collections.abc import Iterable, Mapping

from minutebook.compact.claims import Claim, atoms
from minutebook.compact.statements import Statement, key, modals, negations, said, statements
from minutebook.extract.danger import why_dangerous
from minutebook.extract.model.danger import unwritable
from minutebook.ground import front_matter
from minutebook.ground.entry import Entry
from minutebook.ground.frozen import frozen
from minutebook.ground.markdown import read_lines
from minutebook.ground.memory_type import MemoryType
from minutebook.ground.nouns import singular
from minutebook.ground.words import terms

_FIELDS = ("title", "abstract")
_LONGEST = 600
_KEPT = 0.6
"""Share of a sentence's other words that its new wording has to have."""
_LINKS = frozenset(["instead", "lie", "live", "place", "replaced", "rename", "renamed", "now", "call", "called", "new"])
"""Words that say how a new name stands to an old one, which need no source."""
_MARKUP = re.compile(r"^\s*(?:#|>|[-*+]\s|[0-9]{1,3}[.)]\s|```|~~~|\||<!--|---)")


@frozen
class Doubt:
    """One thing that an entry names and the code no longer bears out: `names` are the ways in which it is named,
    `words` the reason. Where files drifted, `left` are the terms that left them, and nothing is named."""

    names: tuple[str, ...]
    words: str
    left: frozenset[str] = frozenset()


@frozen
class Case:
    """An entry to put right. `text` is its file's, `doubts` what is wrong, `then` and `now` what its anchors cover:
    passages to show, and `ground` all the text of now that a new wording may stand on."""

    entry: Entry
    mtype: MemoryType
    text: str
    doubts: tuple[Doubt, ...]
    then: str
    now: str
    ground: str


def doubtful(case: Case) -> tuple[str, ...]:
    """The sentences of its title, abstract and body that name a thing in doubt, each once, in order; those that can't
    be found in the text again letter for letter aren't offered."""
    there = dict.fromkeys(each.own for each in statements(case.entry) if not each.aside)
    return tuple(each for each in there if _names(each, case.doubts) and _found(each, case))


def fault(was: str, now: str, case: Case) -> str:
    """Why this wording can't take the sentence's place, in words that it can be mended by; "" when it can."""
    return (
        _misshapen(now, was)
        or next((f"it still names {name}" for name in _named(now, case.doubts)), "")
        or _lost(was, now, case)
        or _invented(was, now, case)
    )


def _found(sentence: str, case: Case) -> bool:
    return with_sentence(case.text, sentence, "", case.mtype) is not None


def with_sentence(text: str, was: str, now: str, mtype: MemoryType) -> str | None:
    """The file's text with another wording of a sentence, in its fields and beneath them; None where it isn't."""
    found = front_matter.bounds(text)
    if found is None:
        return None
    head, body = text[: found[2]], text[found[2] :]
    fields = front_matter.read_values(text[found[0] : found[1]], mtype)
    updates = {
        name: line.replace(was, now)
        for name in _FIELDS
        if isinstance(fields.get(name), str) and was in (line := " ".join(fields[name].split()))
    }
    pattern = re.compile(r"(?<![^\s(])" + r"\s+".join(map(re.escape, was.split())))
    speaks = _speaking(body)
    below = pattern.sub(lambda match: now if body.count("\n", 0, match.start()) in speaks else match[0], body)
    if below == body and not updates:
        return None
    return front_matter.set_fields(head, updates) + below if updates else head + below


def unkept(before: Entry, after: Entry, changed: Mapping[str, str]) -> str:
    """A sentence of the entry that a rewrite changed without having been asked to, or added; "" where there is none."""
    old, new = ([each.own for each in statements(entry)] for entry in (before, after))
    wanted = {key(changed.get(each, each)) for each in old}
    there = {key(each) for each in new}
    return next((each for each in old if key(changed.get(each, each)) not in there), "") or next(
        (each for each in new if key(each) not in wanted), ""
    )


def _names(sentence: str, doubts: Iterable[Doubt]) -> bool:
    held = {singular(term) for term in terms(sentence)}
    return any(not held.isdisjoint(doubt.left) for doubt in doubts) or bool(_named(sentence, doubts))


def _named(sentence: str, doubts: Iterable[Doubt]) -> list[str]:
    return [name for doubt in doubts for name in doubt.names if _holds(sentence, name)]


def _holds(sentence: str, name: str) -> bool:
    """Whether the text names it as a whole; a version where the product and the number stand close together."""
    parts = r".{1,12}?".join(map(re.escape, name.split(" "))) if re.search(r" [0-9.]+$", name) else re.escape(name)
    return re.search(rf"(?i)(?<![\w./-])(?:\./|self\.|this\.)?{parts}(?![\w-]|\.\w)", sentence) is not None


def _misshapen(now: str, was: str) -> str:
    if not now or now != " ".join(now.split()) or len(now) > _LONGEST or _MARKUP.match(now):
        return f"it has to be one sentence on one line, without marks of a list or a heading, of {_LONGEST} characters"
    if reason := unwritable({"now": now}):
        return reason
    if len(_sentences(now)) != 1:
        return "it has to be one sentence"
    if (reason := why_dangerous(now)) and not why_dangerous(was):
        return f"nobody asked for that: {reason}"
    return ""


def _sentences(text: str) -> list[Statement]:
    return [each for each in said(text) if not each.aside]


def _lost(was: str, now: str, case: Case) -> str:
    """What of the sentence isn't in doubt and is gone from its new wording."""
    for binding in (negations, modals):
        before, after = binding(was), binding(now)
        if before != after:
            lost = [word for word in before if word not in after]
            return f"it has to keep `{lost[0]}`" if lost else f"`{' '.join(after)}` isn't what it said"
    kept = {claim.text for claim in atoms(now)}
    for claim in atoms(was):
        if claim.text not in kept and not _in_doubt(claim, case.doubts):
            return f"it has to keep {claim.text}: nothing says that it is wrong"
    loose = {term for doubt in case.doubts for name in doubt.names for term in _terms(name)}
    loose |= {term for doubt in case.doubts for term in doubt.left}
    words = _terms(was) - loose - {term for claim in atoms(was) for term in _terms(claim.text)}
    if len(words & _terms(now)) < _KEPT * len(words):
        return "it has to keep the words of the sentence, but for what is wrong in it"
    return ""


def _in_doubt(claim: Claim, doubts: Iterable[Doubt]) -> bool:
    """Whether a claim holds something in doubt, or is nothing but a piece of it: `3.11` of `python 3.11`."""
    if _names(claim.text, doubts):
        return True
    return any(claim.text.strip("`").lower() in name.lower() for doubt in doubts for name in doubt.names)


def _invented(was: str, now: str, case: Case) -> str:
    """What neither the entry nor the code of now has."""
    known = f"{case.text}\n{case.ground}\n" + "\n".join(doubt.words for doubt in case.doubts)
    old = set(atoms(was))
    for claim in atoms(now):
        if claim not in old and not all(_stands_in(known, part) for part in _parts(claim)):
            return f"neither the entry nor the code says {claim.text}"
    named = (term for claim in atoms(now) if claim.kind == "identifier" for term in _terms(claim.text))
    heard = _terms(known) | _LINKS | set(named)
    strange = sorted(_terms(now) - heard)
    return f"neither the entry nor the code speaks of {strange[0]!r}" if strange else ""


def _parts(claim: Claim) -> list[str]:
    """What of a claim has to be found: a path, a date and the like whole, a name by its parts, a number without its
    unit."""
    bare = claim.text.strip('`"“”')
    if claim.kind == "number":
        return re.findall(r"[0-9][0-9,._]*", bare)
    return re.findall(r"[\w-]+", bare) if claim.kind == "identifier" and "/" not in bare else [bare]


def _stands_in(text: str, part: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(part.rstrip('.,_'))}(?!\w)", text) is not None


def _terms(text: str) -> set[str]:
    return {singular(term) for term in terms(text)}


def _speaking(body: str) -> frozenset[int]:
    """The numbers of the lines, from 0, that speak for themselves: no quotation, no example, no comment."""
    rows = enumerate(read_lines(body))
    return frozenset(number for number, row in rows if row.live and not row.text.lstrip().startswith(">"))
