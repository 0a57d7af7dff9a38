"""Where a quote stands in a turn: exact search, after both were written the same way.

What is evened out is what a model, a terminal or an editor changes without changing a word: Unicode's composed form
(NFC), runs of white space, typographic quotation marks. Nothing else: no case, no punctuation, no missing word.
"""

import re
import unicodedata
from functools import lru_cache

from minutebook.ground.frozen import frozen

_PIECES = re.compile(r"\s+|[\u1100-\u115f]?[^\s][\u0300-\u036f\u1160-\u11ff\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]*")
_MARKS = str.maketrans({"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "‚": "'"})
_MOST = 20


@frozen
class Evened:
    """A text written the plain way. Character `i` of it comes from `places[i]` of the text, and `places` has one more:
    the text's end. No places: each character stands where it stood."""

    text: str
    places: tuple[int, ...]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The stretch of the text that [start:end] comes from."""
        return (self.places[start], self.places[end]) if self.places else (start, end)


def evened(text: str) -> str:
    """The text in its plain writing, without white space at its ends."""
    return _evened(text).text.strip()


def places_of(quote: str, text: str) -> list[tuple[int, int]]:
    """The first twenty stretches of `text` that say `quote`, in order; none when the quote is empty."""
    wanted, plain = evened(quote), _evened(text)
    found: list[tuple[int, int]] = []
    at = plain.text.find(wanted) if wanted else -1
    while at >= 0 and len(found) < _MOST:
        found.append(plain.span(at, at + len(wanted)))
        at = plain.text.find(wanted, at + len(wanted))
    return found


@lru_cache(maxsize=2048)
def _evened(text: str) -> Evened:
    if text.isascii() and "  " not in text and not re.search(r"[\t\n\r\f\v]", text):
        return Evened(text, ())
    out: list[str] = []
    places: list[int] = []
    for piece in _PIECES.finditer(text):
        plain = " " if piece[0].isspace() else unicodedata.normalize("NFC", piece[0]).translate(_MARKS)
        out.append(plain)
        places += [piece.start()] * len(plain)
    return Evened("".join(out), (*places, len(text)))
