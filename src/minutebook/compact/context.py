"""What a heading, a lead-in, an item of a list or a column head does to what stands under it.

“MongoDB for the ledger” beneath `## Rejected`, behind “Don't:”, or in a column `Don't` says the opposite of the words
alone. So what is carried of it is “Rejected: MongoDB for the ledger”: the words above it, as they stand, a colon, and
the words themselves. What negates, rules, decides or asks makes all binding that it governs; what dates or limits it,
or calls it an idea, goes with it where it is carried.
"""

import re
from collections.abc import Iterable
from functools import lru_cache

from minutebook.compact.cues import CONSTRAINTS, DECISIONS, HEADINGS, NEGATION, QUESTIONS, RULING, readable
from minutebook.ground.frozen import frozen
from minutebook.ground.markdown import cut

_FEW = 4  # words of a label; what is longer is a sentence, and governs items and rows alone
_SOME = 6
_LEADING = 20
_LONGEST = 200
_MOST = 4
_EDGE = " *_~`:.—–-"


def _cue(anchored: str, words: str) -> re.Pattern[str]:
    """A pattern of these words, a pattern each; `anchored` is one that stands by itself."""
    return re.compile(rf"(?i){anchored}|\b(?:{'|'.join(words.split())})\b")


_REJECTED = _cue(
    r"\b(?:out of scope|(?:ruled|left) out|(?:decided|voted|reasons?|arguments?) against)\b",
    r"""
    reject\w* declin\w+ discard\w* dropped abandon\w* dismissed vetoed superseded obsolete retired non-?goals?
    abgelehnt\w* verworfen\w* rejeté\w* écarté\w* rechazad\w+ descartad\w+ scartat\w+ rifiutat\w+ rejeitad\w+ afgewezen
    """,
)
_FORBIDDEN = _cue(
    r"^important\b|\bdo not\b",
    r"""
    bann\w+ bans? forbid\w* prohibit\w* don['’]?ts? anti-?patterns? off-?limits exclu\w+ stop wrong false incorrect
    myths? misconceptions? mistakes? bad invariants? limits? requirements? mandatory warnings? caution
    """,
)
_ASKED = _cue(
    r"\?$|\b(?:to do|next steps?)\b",
    r"""
    tbd undecided unresolved unclear open pending questions? todos? offen\w* fragen ouvert\w* pendient\w+
    abiert\w+ apert\w+ abert\w+
    """,
)
_DECIDED = _cue(r"\bsettled on\b", "decided decisions? chose chosen agreed picked")
_TURNING = (
    (DECISIONS, (_REJECTED,)),
    (CONSTRAINTS, (NEGATION, _FORBIDDEN)),
    (QUESTIONS, (_ASKED,)),
    (DECISIONS, (_DECIDED,)),
    (CONSTRAINTS, (RULING,)),
)
"""What makes binding, and as what; the first that is found."""
_FRAMED = _cue(
    r"^(?:as of|in|on|for|under|before|after|until|till|since|during|if|when|while|per|from|at|by|within|given|"
    r"assuming|outside|inside)\b|\b(?:mac ?os|known issues)\b|\b(?:19|20)[0-9]{2}\b|\bv[0-9]|\b[0-9]+\.[0-9]",
    r"""
    staging production sandbox windows linux old former(?:ly)? previous(?:ly)? past legacy earlier history historical
    outdated plan(?:s|ned)? propos(?:ed|als?) drafts? future later tried attempts? experiments? ideas? alternatives?
    considered options? candidates? hypothes[ie]s assum\w+ unverified rumou?rs? suspect\w* suggest\w* maybe perhaps
    possibl[ey] examples? removed reverted retracted fixed will would could might yesterday tomorrow last Q[1-4]
    january february march april june july august september october november december monday tuesday wednesday thursday
    friday saturday sunday früher geplant vorher anciens? prévus? antes previst[oi]
    """,
)
"""What dates, limits, or calls it no more than an idea."""
_OWN = re.compile(r"(?:Continued|Accepted|Read again) on [0-9-]{10}\b.*")
_PLAIN = frozenset(
    re.findall(
        "[a-z]+",
        """
    decision decisions decided chosen agreed what was were we have came of it and the made taken key main our
    constraint constraints rule rules convention conventions preference preferences open question questions todo todos
    to do next step steps pending unresolved left still remaining things points issues items list log new current all
    project team coding code style general other
    """,
    )
)
_COMPOUND = re.compile(r"\w+(?:-\w+)+")  # `append-only` rules nothing
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_LEADS = re.compile(r"(?i)[:?—–…]$|\b(?:these|following|below|as follows)\b")


@frozen
class Context:
    """A heading or the like: its `label` as it stands, on one line, the group that what it governs is of ("" for none),
    whether that is `binding`, and whether the label has to be `said` with it. `few` says that it is a label, which
    governs paragraphs as well; else it governs items, rows and code."""

    label: str
    group: str = ""
    binding: bool = False
    said: bool = False
    few: bool = True


NONE = Context("")


@lru_cache(maxsize=1 << 12)
def of_heading(heading: str) -> Context:
    """What a heading, or a lead-in as short as one, does to what stands under it."""
    line = readable(heading)
    group, word = next(((group, match[0]) for group, cue in HEADINGS if (match := cue.search(line))), ("", ""))
    found = _governing(heading, line)
    if not group:
        return found
    plain = _PLAIN.issuperset(each.lower() for each in _WORD.findall(line))
    return Context(found.label or _shown(heading, word), group, binding=True, said=not plain)


@lru_cache(maxsize=1 << 12)
def of_words(words: str) -> Context:
    """What a lead-in, an item with items under it, or a column head does to what follows."""
    leads = len(words.split()) <= _FEW or words.rstrip("*_~ ")[-1:] in (":", "?")
    return of_heading(words) if leads else _governing(words, readable(words))


def of_title(title: str) -> Context:
    """What the title of a note does to all of it: only that it rejects or forbids, in a few words."""
    line = readable(title)
    few = len(line.split()) <= _FEW
    found = few and (_REJECTED.search(line) or _FORBIDDEN.match(line) or NEGATION.match(line))
    return _governing(title, line) if found else NONE


def names_something(heading: str) -> bool:
    """Whether a heading says more than what it does to what stands under it."""
    line = readable(heading)
    for cues in (_REJECTED, NEGATION, _FORBIDDEN, RULING, _ASKED, _DECIDED):
        line = cues.sub(" ", line)
    return any(word.lower() not in _PLAIN for word in _WORD.findall(line))


def lead_in(sentence: str) -> str:
    """The sentence, if it leads to what stands below it: by a colon, a question, a word that points there, or
    as no sentence."""
    bare = sentence.strip("*_~ ")
    ends = bare[-1:] in ".!?…:"
    return sentence if _LEADS.search(bare) or (bare and not ends and len(bare.split()) <= 2 * _FEW) else ""


def over(contexts: Iterable[Context], *, in_prose: bool) -> tuple[str, str, bool]:
    """Of the contexts above something, the outermost first: (the words to be said before it, the group that it is of,
    whether it binds)."""
    governing = [each for each in contexts if each.few or not in_prose]
    labels = list(dict.fromkeys(each.label for each in governing if each.said and each.label))
    group = next((each.group for each in reversed(governing) if each.group), "")
    return "".join(map(_before, labels[-_MOST:])), group, any(each.binding for each in governing)


def of_heads(heads: Iterable[str]) -> Context:
    """What the heads of a table do to its rows; which of them does is said by its cells, all of which are named."""
    found = [of_words(head) for head in heads if head]
    first = next((each for each in found if each.binding), next((each for each in found if each.said), NONE))
    return Context("", first.group, first.binding, first.said)


def _before(label: str) -> str:
    return f"{label} " if label.endswith("?") else f"{label}: "


def _governing(words: str, line: str) -> Context:
    if _OWN.fullmatch(line):
        return NONE
    few = len(line.split()) <= _FEW
    bare = line.strip("*_~`: ")
    for group, cues in _TURNING:
        text = _COMPOUND.sub(" ", bare) if RULING in cues else bare
        if found := next((match for cue in cues if (match := cue.search(text))), None):
            return Context(_shown(words, found[0]), group, binding=True, said=True, few=few)
    longest = _LEADING if words.rstrip("*_~ ").endswith(":") else _SOME
    if len(line.split()) <= longest and (found := _FRAMED.search(bare)):
        return Context(_shown(words, found[0]), said=True, few=few)
    return NONE


def _shown(words: str, telling: str) -> str:
    """The label as it stands; of one that is too long the part in which the telling word stands."""
    label = " ".join(words.split()).strip(_EDGE)
    at = label.find(telling) if telling else 0
    return cut(label, _LONGEST) if at < _LONGEST // 2 else f"… {cut(label[at:], _LONGEST)}"
