"""What a model sees of a session: numbered turns between delimiters that no turn can fake, in bounded windows."""

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256

from minutebook.ground.frozen import frozen
from minutebook.ground.session import Session, Turn
from minutebook.ground.unseen import made_visible

WINDOW = 160_000
"""Characters of one window: about forty thousand tokens."""
_CONTEXT = 6
_SHOWN = {"user": (8_000, 2_000), "assistant": (4_000, 1_500), "tool": (700, 300)}
_CALL = (300, 0)
"""How much of the head and of the tail of a turn is shown, in characters."""


@frozen
class Window:
    """Consecutive turns as shown. Turns up to number `after` were read before: they are context, and back nothing."""

    turns: Mapping[int, Turn]
    after: int
    text: str


def windows(session: Session, after: int = 0) -> Iterator[Window]:
    """The turns after number `after`, a few of those before them included, in as many windows as it takes."""
    spoken = [turn for turn in session.turns if turn.text.strip()]
    mark = _mark(session, spoken)
    fresh = next((at for at, turn in enumerate(spoken) if turn.number > after), len(spoken))
    while fresh < len(spoken):
        start = max(0, fresh - _CONTEXT)
        end, size = start, 0
        while end < len(spoken) and (end <= fresh or size + _size(spoken[end]) <= WINDOW):
            size += _size(spoken[end])
            end += 1
        inside = spoken[start:end]
        read = max(after, spoken[fresh].number - 1)
        yield Window({turn.number: turn for turn in inside}, read, _text(inside, mark, read))
        fresh = end


def parts_shown(turn: Turn) -> list[tuple[int, int]]:
    """The stretches of the turn's text that a model is shown: all of it, or a head and a tail."""
    head, tail = _CALL if turn.kind == "tool-call" else _SHOWN[turn.role]
    if len(turn.text) <= head + tail:
        return [(0, len(turn.text))]
    return [(0, head), *([(len(turn.text) - tail, len(turn.text))] if tail else [])]


def _size(turn: Turn) -> int:
    return sum(end - start for start, end in parts_shown(turn)) + 100


def _mark(session: Session, turns: Sequence[Turn]) -> str:
    """A word that stands in no turn. It comes from the hash of the whole session, so nobody who writes a turn can
    know it before."""
    for attempt in range(100):
        mark = "turn-" + sha256(f"{session.sha256}{attempt}".encode()).hexdigest()[:10]
        if not any(mark in turn.text for turn in turns):
            return mark
    return mark


def _text(turns: Sequence[Turn], mark: str, after: int) -> str:
    return "\n".join(_turn(turn, mark, read=turn.number <= after) for turn in turns)


def _turn(turn: Turn, mark: str, *, read: bool) -> str:
    said = [f'number="{turn.number}"', f'role="{turn.role}"', f'kind="{turn.kind}"']
    said += [f'at="{turn.at[:16]}"'] if turn.at else []
    said += ['read-before="yes"'] if read else []
    return f"<{mark} {' '.join(said)}>\n{_words(turn)}\n</{mark}>"


def _words(turn: Turn) -> str:
    """The text with its middle left out where it is long; what can't be seen is spelled out."""
    parts = parts_shown(turn)
    shown = [_visible(turn.text[start:end]) for start, end in parts]
    left = len(turn.text) - sum(end - start for start, end in parts)
    if left and len(shown) == 1:
        return f"{shown[0]}\n[… {left} characters left out]"
    return f"\n[… {left} characters left out …]\n".join(shown)


def _visible(text: str) -> str:
    """What can't be seen is spelled out, in at most twice the length: a text of nothing else isn't worth its tokens."""
    return made_visible(text, lambda each: f"‹U+{ord(each):04X}›")[: 2 * len(text) + 100]
