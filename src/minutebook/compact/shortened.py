"""Whether a line says less than a sentence, and nothing else: what may be left out is told by its first words.

Deleting words is how sentences are compressed (Knight and Marcu 2002), and how they are made to lie: “the limit is
30 MB” is no shorter form of “in staging, the limit is 30 MB”, nor “Postgres is the store” of “Postgres is the store,
pending review”. Most clauses limit the rest in one way or another, and no list of words tells all that do. So only
clauses that begin as additions and examples do (and, also, such as, for example) may go, from a comma, a semicolon, a
dash or a bracket to the next, and none that holds a negation, a modal, a condition, a contrast, a source, a doubt, or
something that came later.
"""

import re
from collections.abc import Iterable, Iterator

from minutebook.compact.statements import modals, negations

_PIECE = re.compile(r"(?<=[,;:)])\s+|\s+(?=\()|\s+[—–-]\s+")
_EDGE = ",;:()—–. "
_LEAST_WORDS = 3
_ADDS = re.compile(
    r"(?i)(?:and|also|plus|as well as|such as|including|for example|for instance|e\.g\.|namely|among them|by the way|"
    r"incidentally|as expected|of course|in passing|in the end|after all|see|see also)\b"
)
_HANGS = re.compile(
    r"(?i)\b(?:if|unless|until|till|when(?:ever)?|while|where(?:ver)?|whether|since|because|so that|in case|provided|"
    r"but|however|although|though|yet|still|instead|rather|than|other(?:wise)?|else|apart|besides|excluding|before|after|"
    r"once|except|according|said|says?|claim(?:s|ed)?|thinks?|thought|believes?d?|suppose[ds]?|supposedly|allegedly|"
    r"reported(?:ly)?|maybe|perhaps|probably|possibly|likely|seems?|seemed|looks?|guess(?:ed)?|assum\w{1,4}|"
    r"partly|planned?|wants?|wanted|tried|tries|fail\w{0,3}|false|wrong|joke|just|merely|alone|now|formerly|later|today|"
    r"replac\w+|remov\w+|drop\w*|revert\w*|withdr\w+|supersed\w+|gone|pending|given|propos\w+|undone|off|disabled|broke\w*|"
    r"that|this|it|so|then (?:it|this|that))\b"
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
    return at == len(words) and bool(left) and all(map(_only_adds, left))


def _only_adds(piece: str) -> bool:
    bare = piece.strip(_EDGE)
    return _ADDS.match(bare) is not None and not (negations(bare) or modals(bare) or _HANGS.search(bare))


def _words(text: str) -> list[str]:
    """The words without the signs at which pieces end; the first without its capital."""
    return [*_lowered(word for each in text.split() if (word := each.strip(_EDGE)))]


def _lowered(words: Iterable[str]) -> Iterator[str]:
    for at, word in enumerate(words):
        yield word.lower() if at == 0 and word[1:].islower() else word
