"""Whether a person's answer accepts what the agent proposed: a yes as a whole, and not to another question."""

import re

from minutebook.extract import guard
from minutebook.extract.model.polarity import is_against
from minutebook.extract.model.whole import whole
from minutebook.extract.phrases import choice, phrases
from minutebook.extract.prose import sentences
from minutebook.extract.stance import words
from minutebook.extract.yes import YES

_LONGEST = 160
_THAT = choice("it", "that", "this", "so")
_TAIL = choice(
    *("thanks?", "thank you", "then", "now", "to me", "by me", "for me", "with me", "man", "mate", "indeed", "so far"),
    rf"(?:and )?(?:please )?(?:go ahead(?: and)?|proceed|continue|start)(?: with {_THAT})?",
    rf"(?:and )?(?:please )?(?:let['’]?s )?(?:implement|build|do|make|apply|write|fix|add|use|take|proceed|continue)"
    rf"(?: with)? {_THAT}",
)
_YES = re.compile(rf"\W*{YES}(?!\w)(?:[\s,.!…–—-]*(?:{YES}|{_TAIL})(?!\w)){{0,4}}[\s,.!…]*", re.IGNORECASE)
_SAID_FIRST = re.compile(rf"\W*(?:{YES}(?!\w)[\s,.!:–—-]*){{1,3}}", re.IGNORECASE)
_UNSURE = phrases(
    "if", "unless", "until", "but", "however", "except", "maybe", "think", "first", "later", "instead", "wait"
)
_PICK = re.compile(
    r"(?:ok(?:ay)?|yes|let'?s go with|go with|i prefer)?[,\s]*(?:option\s+)?([A-D]|[1-5])\W*", re.IGNORECASE
)
_OPTION = r"(?m)^[ \t>*-]{{0,8}}(?:Option[ \t]+)?{0}[.):*]+"
_OPEN = words(
    "sound right good ok okay agree agreed proceed ahead continue start fine work like think thought make sense "
    "approve approved prefer correct happy shall would should could can does did are you me with implement apply write "
    "build create add set up do it that this one way go what how about alright yes question confirm objection "
    "accept acceptable look feedback concern change anything else before begin approach plan proposal idea"
)
"""Words of a question that asks for nothing but a yes to what was just said."""


def accepts(answer: str, proposal: str, span: tuple[int, int]) -> bool:
    """Whether `answer` says yes to the stretch of `proposal`, or picks the option that it stands in."""
    said = answer.strip()
    if len(said) > _LONGEST or "?" in said or guard.is_joke(said):
        return False
    pick = _PICK.fullmatch(said)
    if pick is not None:
        line = proposal.rfind("\n", 0, span[0]) + 1
        return re.match(_OPTION.format(re.escape(pick[1])), proposal[line : span[0] + 8], re.IGNORECASE) is not None
    quoted = proposal[span[0] : span[1]]
    if _YES.fullmatch(said) is None and not _repeats(said, quoted):
        return False
    return not _answers_another(proposal, span)


def _repeats(answer: str, quoted: str) -> bool:
    """“Yes, use Redis for the queue”: a yes, and then nothing but words of what it says yes to."""
    first = _SAID_FIRST.match(answer)
    rest = answer[first.end() :] if first else ""
    named = words(rest)
    return (
        bool(named) and named <= words(quoted) and is_against(rest) == is_against(quoted) and not _UNSURE.search(rest)
    )


def _answers_another(proposal: str, span: tuple[int, int]) -> bool:
    """Whether the last that the agent asks is about something else than what is quoted: a yes answers that."""
    asked = [each.text for each in sentences(proposal) if guard.is_question(each.text)]
    if not asked:
        return False
    start, end = whole(proposal, span)
    named = words(asked[-1]) - _OPEN
    return bool(named) and not named & words(proposal[start:end])
