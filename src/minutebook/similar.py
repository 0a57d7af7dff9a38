"""How alike texts are: cosine of TF-IDF vectors (Salton and Buckley 1988), by scikit-learn. The only module that
imports it, inside its functions: the import costs seconds.

Tokens are the words that search knows (`ground/words.py`: lower case, identifiers split at `_`, `-`, `.` and at the
humps of camelCase, no stop words), without a plural s; counts are damped (1 + log tf). Weights come from the texts at
hand, nothing is downloaded.
"""

from collections.abc import Sequence
from typing import Any

from minutebook.ground.errors import CannotJudge
from minutebook.ground.nouns import singular
from minutebook.ground.words import terms

_BLOCK = 512


def similarities(first: Sequence[str], second: Sequence[str]) -> list[list[float]]:
    """Cosine of every text of `first` (rows) with every text of `second`; weights are fitted on both together."""
    if not first or not second:
        return [[] for _ in first]
    vectors = _vectors([*first, *second])
    if vectors is None:
        return [[0.0] * len(second) for _ in first]
    left, right = vectors[: len(first)], vectors[len(first) :].T.tocsc()
    rows: list[list[float]] = []
    for start in range(0, len(first), _BLOCK):
        block = (left[start : start + _BLOCK] @ right).toarray()
        rows += [[min(1.0, round(float(value), 4)) for value in row] for row in block]
    return rows


def salience(sentences: Sequence[str]) -> list[float]:
    """How much each sentence says of the whole: cosine with the centroid of all (Radev et al. 2004), 0 to 1."""
    vectors = _vectors(sentences) if sentences else None
    if vectors is None:
        return [0.0] * len(sentences)
    centroid = vectors.T @ ([1.0] * len(sentences))
    length = sum(float(weight) ** 2 for weight in centroid) ** 0.5
    return [min(1.0, round(float(score) / length, 4)) for score in vectors @ centroid]


def _tokens(text: str) -> list[str]:
    return [singular(word) for word in terms(text)]


def _vectors(texts: Sequence[str]) -> Any:
    """A sparse matrix of unit rows, one a text (a row of zeros where there is no term); None when none has a term."""
    if not any(terms(text) for text in texts):
        return None
    try:
        from sklearn.feature_extraction.text import TfidfVectorizer
    except ImportError:
        raise CannotJudge("comparing texts needs the maintain extra", "pip install 'minutebook[maintain]'") from None
    return TfidfVectorizer(analyzer=_tokens, sublinear_tf=True).fit_transform(texts)
