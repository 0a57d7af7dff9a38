"""What tools printed in a session: a recommendation that repeats it isn't the agent's, and a yes doesn't make it so."""

from collections.abc import Sequence

from minutebook.extract.clause import Clause
from minutebook.extract.phrases import phrases
from minutebook.extract.stance import words
from minutebook.ground.session import Turn

REPEATED = "the agent repeats what a tool printed, and the person only said yes to it"
_MANY = "more recommendations were accepted than can be compared with what tools printed"
_MOST_ASKED = 64
_MOST_PLACES = 40
_AROUND, _NEAR = 240, 80
_ADVISES = phrases(
    *(
        "us(?:e|es|ing)",
        r"recommend\w*",
        "install",
        "should",
        "must",
        "adopt",
        "switch",
        "prefer",
        r"advis\w+",
        "go with",
    ),
    *("always", "never", r"suggest\w*"),
)
_FEW = 3
_MOST_SHARE = 0.8
_AGENTS_OWN = frozenset({"accepted", "option"})


class Printed:
    """What the tools of a session printed, to be asked about a bounded number of times."""

    def __init__(self, turns: Sequence[Turn]) -> None:
        self._turns = turns
        self._low: dict[int, str] | None = None
        self._asked = 0

    def why_not(self, clause: Clause) -> str:
        """Why an accepted recommendation needs a look: a tool printed it before the agent said it; "" if none did."""
        if clause.draft.signal not in _AGENTS_OWN:
            return ""
        self._asked += 1
        if self._asked > _MOST_ASKED:
            return _MANY
        if self._low is None:
            self._low = {t.number: " ".join(t.text.split()).lower() for t in self._turns if t.kind == "tool-result"}
        before = clause.draft.turn.number
        said = " ".join(clause.draft.abstract.rstrip(".").split()).lower()
        named = words(said)
        whole = clause.draft.signal == "option"
        return (
            REPEATED
            if any(_says(text, said, named, whole=whole) for n, text in self._low.items() if n < before)
            else ""
        )


def _says(text: str, said: str, named: frozenset[str], *, whole: bool) -> bool:
    """Whether a text says it word for word, or has four in five of its content words in one place. Where it has few
    words, that place must advise something; the options of a question count only `whole`."""
    few = len(named) < _FEW
    if not few and said in text:
        return True
    if whole or not named:
        return False
    around, least = (_NEAR, len(named)) if few else (_AROUND, max(_MOST_SHARE * len(named), _FEW))
    key, at = max(named, key=len), -1
    for _ in range(_MOST_PLACES):
        at = text.find(key, at + 1)
        if at < 0:
            return False
        near = text[max(0, at - around // 2) : at + around]
        if sum(word in near for word in named) >= least and (not few or _ADVISES.search(near)):
            return True
    return False
