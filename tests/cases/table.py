"""What a scene is, and why a way in may not be one for it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from cases.ways import COLUMNS, REJECT, WARN
from cases.world import World

NOT_APPLICABLE = {
    "a": "nothing is compared there: structure alone is judged, and the run says so",
    "h": "git runs no hook of its own for it: it is judged when it is pushed",
    "r": "a merge that is resolved by hand is concluded by `git commit`: see that column",
    "m": "GitHub can't make a merge commit of it: it conflicts, or shares no history",
    "l": "it is about the index, the work tree or where a hook runs: what is pushed or checked out has none of it",
    "o": "there is no remote: nothing is pushed, and nothing runs there",
    "p": "it is about refs of the remote, which only a push moves",
    "n": "there is no history yet that anything could be merged into",
    "w": "an audit asks what became of published entries: warnings, and the form of what is new, are the check's",
    "g": "git itself stops before it asks a hook",
    "s": "git fetches what is missing by itself before it asks the hook",
}
"""Why a case can't arise in a place."""

_USUAL = {("--all", WARN): "a", ("--all", REJECT): "a", ("audit", WARN): "w"}


@dataclass(frozen=True, slots=True)
class Scene:
    """One sub-case. `play` brings a world to where its last command is still to come; `verdict` is what every way
    says, but for those in `but`: another verdict, or why it is not applicable. `words` stand in every refusal.
    """

    case: int
    name: str
    play: Callable[[World], object]
    verdict: str
    words: tuple[str, ...] = ()
    but: Mapping[str, str] = field(default_factory=dict)

    def expected(self, way: str) -> str:
        """A verdict, or a letter of NOT_APPLICABLE."""
        usual = _USUAL.get((way, self.verdict), self.verdict)
        return self.but.get(way, usual)


def only(*ways: str, why: str) -> dict[str, str]:
    """Not applicable in the other columns, for this reason."""
    return {way: why for way in COLUMNS if way not in ways}


STRUCTURE = {"--all": REJECT}
"""What is wrong by itself, whatever it is compared with."""
FORM = {"--all": REJECT, "audit": "w"}
"""What is wrong with what is new, whatever became of what is old."""
