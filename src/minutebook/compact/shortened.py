"""Whether a line says less than a sentence, and nothing else: whole clauses may be left out, and no word may.

Deleting words is how sentences are compressed (Knight and Marcu 2002), and how they are made to lie: “it took 90 s
before and 30 s after” becomes “it took 90 s after”. So what is left out ends at commas, semicolons, dashes or brackets,
and holds nothing that the rest hangs on: no negation, no modal, no condition, no contrast, no source, no doubt.
"""

import re
from collections.abc import Iterable, Iterator

from minutebook.compact.statements import modals, negations

_PIECE = re.compile(r"(?<=[,;:)])\s+|\s+(?=\()|\s+[—–-]\s+")
_EDGE = ",;:()—–. "
_LEAST_WORDS = 3
_HANGS = re.compile(
    r"(?i)\b(?:if|unless|until|till|when(?:ever)?|while|where(?:ver)?|whether|since|because|so that|in case|provided|"
    r"but|however|although|though|yet|still|instead|rather|than|other(?:wise)?|else|apart|besides|excluding|before|after|"
    r"once|except|according|said|says?|claim(?:s|ed)?|thinks?|thought|believes?d?|suppose[ds]?|supposedly|allegedly|"
    r"reported(?:ly)?|maybe|perhaps|probably|possibly|likely|seems?|seemed|looks?|guess(?:ed)?|assum\w{1,4}|"
    r"partly|planned?|wants?|wanted|tried|tries|fail\w{0,3}|false|wrong|joke)\b"
)


def shortened(line: str, sentences: Iterable[str]) -> str:
    """The sentence that the line is a shorter form of; "" when it is of none."""
    words = _words(line)
    if len(words) < _LEAST_WORDS or "<!--" in line:
        return ""
    return next((each for each in sentences if _is_cut_of(words, each)), "")


def _is_cut_of(words: list[str], sentence: str) -> bool:
    at, left = 0, list[str]()
    for piece in _PIECE.split(sentence):
        own = _words(piece)
        if own and words[at : at + len(own)] == own:
            at += len(own)
        else:
            left.append(piece)
    return at == len(words) and bool(left) and not any(map(_carries_weight, left))


def _carries_weight(piece: str) -> bool:
    return bool(negations(piece) or modals(piece) or _HANGS.search(piece))


def _words(text: str) -> list[str]:
    """The words without the signs at which pieces end; the first without its capital."""
    return [*_lowered(word for each in text.split() if (word := each.strip(_EDGE)))]


def _lowered(words: Iterable[str]) -> Iterator[str]:
    for at, word in enumerate(words):
        yield word.lower() if at == 0 and word[1:].islower() else word
