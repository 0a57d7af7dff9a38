"""Whether a file that lies elsewhere now is the one that is gone. Git pairs by content alone, and the content of an
empty or tiny file, or of one that every project has, says nothing: two `{}` are no move, nor is a vendored copy."""

import re
from posixpath import basename, splitext

from minutebook.refresh.view import View

_WORD = re.compile(r"\w{2,}")
_FEWEST = 6
"""Different words from which a text is taken to be one of its own."""
_SHARED = 0.5
_EVERYWHERE = re.compile(
    r"(?i)(?:__init__\.pyi?|__main__\.py|conftest\.py|index\.\w+|mod\.rs|lib\.rs|main\.\w+|\.git(?:keep|ignore|attributes)|\.keep"
    r"|readme(?:\.\w+)?|license(?:\.\w+)?|makefile|dockerfile|package\.json|page\.tsx?|layout\.tsx?|setup\.(?:py|cfg))"
)
_BINARY = re.compile(r"(?i)\.(?:png|jpe?g|gif|ico|webp|pdf|zip|gz|woff2?|bin|onnx)$")
_FOREIGN = re.compile(
    r"(?i)(?:^|/)(?:vendor|vendored|third[_-]?party|node_modules|external|extern|_vendor|fixtures?|__fixtures__|testdata"
    r"|examples?|samples?|templates?|dist|build)/"
)


def is_telling(path: str, then: View) -> bool:
    """Whether the file's bytes can say where it went: enough words of its own. What isn't text is told by its bytes."""
    blob = then.tree.blob(path)
    text = then.read(blob) if blob else ""
    return len(set(_WORD.findall(text[:20_000]))) >= _FEWEST


def is_believable(path: str, after: str, then: View, now: View) -> bool:
    """Whether `after` holds now what `path` held then.

    One that only changed the case of its name did. Into a folder of other people's code, of examples or of what is
    built nothing moves unless it lay in such a one. A name that isn't found everywhere says so where it was kept; else
    the text must be long enough to be told from others, and half of its words must be left.
    """
    if path.casefold() == after.casefold():
        return True
    if _FOREIGN.search(after) and not _FOREIGN.search(path):
        return False
    kept = basename(path) == basename(after)
    if kept and not _EVERYWHERE.fullmatch(basename(path)):
        return True
    same = then.tree.blob(path) == now.tree.blob(after)
    if not is_telling(path, then):
        return same and _is_no_text(path, then) and splitext(path)[1] == splitext(after)[1]
    return same or _shared(then.text(path), now.text(after)) >= _SHARED


def _is_no_text(path: str, then: View) -> bool:
    """A picture or an archive: its bytes are its own, though they hold no words."""
    return not then.text(path) and _BINARY.search(path) is not None


def _shared(before: str, after: str) -> float:
    """The share of the former words that the later text has."""
    words = set(_WORD.findall(before[:200_000]))
    return len(words.intersection(_WORD.findall(after[:200_000]))) / len(words) if words else 0.0
