"""Where an entry and the code of today can't both be right: a tool in place of which the project has another one of the
same group, a version that a manifest rules out. Told by what stands there now, so that it shows as well when the entry
was never right."""

import re
from collections.abc import Iterable, Iterator

from minutebook.ground.frozen import frozen
from minutebook.refresh.anchors import Reference
from minutebook.refresh.claim_words import CONDITIONS, EXCLUSIVE, NEGATIONS
from minutebook.refresh.resolvers import resolve
from minutebook.refresh.resolvers.manifests import version_said
from minutebook.refresh.view import View

OF_TODAY = ("tool", "version")
"""Kinds of references that are looked for in the code of today whenever it was that the entry was written."""
_GROUPS = frozenset({"package manager", "python packaging", "test runner", "python tests", "python formatter"})
_IN_USE = re.compile(
    r"(?i)\b(?:use[sd]?|using|runs?|running|install(?:s|ed)?|managed?|with|via|through|prefer\w*|needs?|requires?|on)\b"
)
_NEEDS = (
    r"(?i)\b(?:needs?|requires?|runs? (?:on|with)|running on|uses?|using|targets?|pinned (?:to|at)|stays? (?:on|at)"
    r"|(?:is|are|we're) (?:on|at))\W{1,3}(?:\w{1,20}\W{1,3}){0,2}"
)
_NOT_IN_USE = re.compile(
    r"(?i)\b(?:registry|publish\w*|released?|upload\w*|badge|support\w*|compatib\w*|drop\w*|deprecat\w*|upgrad\w*"
    r"|migrat\w*|moved?|replac\w*|compar\w*|instead|formerly|previously|since|until|at least|minimum|or newer|or later"
    r"|bug|issue|changelog)\b|[0-9]\+"
)
_WORD = re.compile(r"[A-Za-z](?:[\w.'-]{0,60}\w)?")
_BOUND = re.compile(r"(===?|~=|>=|<=|!=|>|<|\^|~)?\s{0,4}v?([0-9]+(?:\.[0-9]+)*)")
_AT_LEAST = frozenset({"", ">=", ">", "^", "~", "~=", "==", "==="})


@frozen
class Disagreement:
    """`reference` is what the entry names, `words` what the code has in its place."""

    reference: Reference
    words: str


def disagreements(named: Iterable[Reference], now: View) -> Iterator[Disagreement]:
    """Where the entry says plainly that it is so: sentences that deny, compare, tell of another time or of what is
    supported besides say nothing."""
    several = [each for each in named if each.kind in OF_TODAY]
    for each in several:
        if each.kind == "tool" and (other := _other_tool(each, now)) and _says_so(each):
            yield Disagreement(each, f"says {each.text} (“{_short(each.said)}”), and the project has {other}")
        elif each.kind == "version" and (said := _ruled_out(each, now)) and _is_needed(each):
            rest = [other for other in several if other is not each and other.line == each.line]
            if not any(_product(other) == _product(each) for other in rest):
                words = f"says {each.text} (“{_short(each.said)}”), and a manifest says {said}"
                yield Disagreement(each, words)


def _says_so(reference: Reference) -> bool:
    words = {word.lower() for word in _WORD.findall(reference.said)}
    group = EXCLUSIVE.get(reference.text)
    alone = group is None or sum(EXCLUSIVE.get(word) == group for word in words) == 1
    plain = words.isdisjoint(NEGATIONS) and words.isdisjoint(CONDITIONS)
    return alone and plain and bool(_IN_USE.search(reference.said)) and not _NOT_IN_USE.search(reference.said)


def _is_needed(reference: Reference) -> bool:
    """Whether the version is said to be the one that is needed, and not only spoken of."""
    return _says_so(reference) and re.search(_NEEDS + re.escape(_product(reference)), reference.said) is not None


def _other_tool(reference: Reference, now: View) -> str:
    """The one tool of its group that the project has, where it hasn't the one that is named."""
    group = EXCLUSIVE.get(reference.text)
    if group not in _GROUPS or resolve(reference, now, "") is not None:
        return ""
    others = [name for name, of in EXCLUSIVE.items() if of == group and name != reference.text]
    found = [name for name in others if resolve(Reference("tool", name, 0), now, "") is not None]
    return found[0] if len(found) == 1 else ""


def _ruled_out(reference: Reference, now: View) -> str:
    """What the manifests say of the product, where the number that is named lies outside of it."""
    name, _, number = reference.text.rpartition(" ")
    said = version_said(name, now)
    if not said or "||" in said or resolve(reference, now, "") is not None:
        return ""
    wanted = _parts(number)
    return said if any(_breaks(wanted, sign, _parts(bound)) for sign, bound in _BOUND.findall(said)) else ""


def _breaks(wanted: tuple[int, ...], sign: str, bound: tuple[int, ...]) -> bool:
    """Compared as far as both numbers go: 3.9 breaks >=3.11, and 3 doesn't."""
    length = min(len(wanted), len(bound))
    mine, theirs = wanted[:length], bound[:length]
    if sign in _AT_LEAST:
        return mine < theirs
    return mine > theirs if sign == "<=" else sign == "<" and len(wanted) >= len(bound) and mine >= theirs


def _product(reference: Reference) -> str:
    return reference.text.rpartition(" ")[0]


def _parts(number: str) -> tuple[int, ...]:
    return tuple(map(int, number.split(".")))


def _short(said: str) -> str:
    line = " ".join(said.split())
    return line if len(line) <= 100 else f"{line[:100].rpartition(' ')[0]} …"
