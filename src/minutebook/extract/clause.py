"""What was said and may be worth remembering, before it is weighed."""

from minutebook.extract.prose import looks_pasted, sentences
from minutebook.ground.frozen import frozen
from minutebook.ground.session import Candidate, Turn

_TAIL = 400
_LAST = 600
_LONGEST_CONTEXT = 250
_LOOKED_AT = 6000


@frozen
class Setting:
    """What stands around the words: the length of their turn in characters and of its longest line, whether that turn
    is the first that a person took, looks pasted or asks something, whether the agent had just asked, and the last
    sentence that the agent said."""

    length: int = 0
    longest: int = 0
    first: bool = False
    pasted: bool = False
    asks: bool = False
    asked: bool = False
    before: str = ""


@frozen
class Clause:
    """A candidate that isn't weighed yet, with what it is weighed by.

    `cue` is the row of the grammar that it fits ("" where the transcript itself marks it), `sure` whether that row is a
    sure one; `said` are the words that count, `reason` whether they give one; `danger` is all that must not be
    dangerous, `near` where paths are looked for.
    """

    draft: Candidate
    cue: str
    sure: bool
    said: str
    reason: bool
    danger: str
    near: str
    setting: Setting


def setting_of(turn: Turn, proposal: Turn | None, *, first: bool) -> Setting:
    """The setting of a person's turn; `proposal` is the agent's text before it, if any."""
    text = turn.text
    lines = text[:_LOOKED_AT].split("\n")
    asks = any(line.rstrip().endswith("?") for line in lines)
    asked = proposal is not None and "?" in proposal.text[-_TAIL:]
    before = _last_sentence(proposal.text) if proposal is not None else ""
    return Setting(len(text), max(map(len, lines)), first, looks_pasted(text), asks, asked, before)


def _last_sentence(text: str) -> str:
    """The last sentence of the agent's last lines, where it is short enough to stand as a context."""
    said = sentences(text[-_LAST:]) if text else []
    return said[-1].text if said and len(said[-1].text) <= _LONGEST_CONTEXT else ""
