"""Why a sentence with a cue is no memory: a question, a guess, a joke, a step, hearsay, or something to quarantine."""

import re
from collections.abc import Iterable

from minutebook.extract.danger import why_dangerous
from minutebook.extract.phrases import choice, phrases
from minutebook.ground.session import Candidate
from minutebook.ground.unseen import has_unseen
from minutebook.redaction.redact import find_secrets

_QUESTION = re.compile(
    r"(?:(?:and|so|but|ok|also|or|q:|wait|hmm|however)[,\s]+)*"
    r"(?:can|could|should|shall|would|will|do|does|did|is|are|was|were|has|have|isn't|aren't|don't|doesn't|can't|"
    r"couldn't|"
    r"shouldn't|won't|what|why|how|where|who|which|what's|how's)\s+"
    r"(?:we|you|i|it|the|this|that|they|there|these|those|he|she|about|if|is|are|was|do|does|did|should|would|happens|"
    r"kind|of)\b",
    re.IGNORECASE,
)
_GUESS = phrases(
    *("maybe", "perhaps", "possibly", "might", "what if"),
    *("suppose", "imagine", "hypothetically", "i wonder", "wondering"),
    *("not sure", "i guess", "would be nice", "someday", "one day", "in theory", "could also", "we could", "you could"),
    *("what do you think", "thoughts"),
    *("let's (?:consider|discuss|think|see|explore|try)", "if we (?:were|had|ever|did)"),
)  # fmt: skip
_JOKE = re.compile(
    r"\b(?:lol|lmao|rofl|haha\w*|hehe\w*|jk|just kidding|joking|kidding)\b|(?:^|\s)[;:]-?[pP](?:\s|$)|😂|🤣|😜|\s/s\b",
    re.IGNORECASE,
)
_SPEAKERS = choice(
    r"the (?:docs?|readme|documentation|article|blog|page|error|message|log|comment|reviewer|bot|output|tutorial)",
    *(r"readme(?:\.md)?", "documentation", "it", "he", "she", "they", "someone", "claude", "copilot", "chatgpt"),
    "the linter",
)
_SPEAK = choice("says?", "said", "states?", "claims?", "suggests?", "recommends?", "told", "mentions?", "tells?")
_HEARSAY = phrases(rf"{_SPEAKERS}\s+{_SPEAK}", "according to", "for example", "approved by")
_UNMEANT = phrases(
    *("said nobody(?: ever)?", "in a perfect world", "it(?:'s| is) (?:not|n't) true", "(?:isn'?t|is not) true that"),
    r"(?:i|we|nobody|no one) (?:never|didn'?t|did not|don'?t|do not) "
    r"(?:say|said|mean|meant|claim\w*|agree|agreed)(?: that)?",
    r"in (?:the|that|an|my|our) (?:other|old|previous|last) (?:repo\w*|project|job|team|company)",
    *(r"or is (?:that|this|it) (?:dumb|stupid|silly|wrong|bad|overkill)", r"used (?:\w+ ){1,4}until \d{4}"),
)
_NOT_SERIOUS = phrases(
    *(
        "(?<!if )(?<!if you're )not serious",
        "(?:just|only|was|am|i'm|totally) (?:joking|kidding)",
        "jk",
        "i'?m kidding",
    ),
    *("what (?:could|can) (?:possibly )?go wrong", "(?:that|this|it) (?:was|is|'s) (?:just )?a joke"),
)
_STEP = phrases(
    *("this (?:time|once|one|pr|commit|session|test|file only|branch)", "just (?:this )?once", "right now"),
    r"(?<!\bfrom )(?<!\bas of )(?<!\bsince )(?<!\bstarting )today",
    *("tonight", "before (?:we|you) (?:continue|start|go on)", "while (?:we're|you're) (?:here|at it)"),
    *("next step", "again"),
)  # fmt: skip
_LOOKED_AT = 60_000
_BLANKS = re.compile(r"[\n\t\r]")
_SELECTORS = re.compile("[\U000e0100-\U000e01ef]|[\ufe00-\ufe0f]{2}|(?<=[A-Za-z])[\ufe00-\ufe0f]")
"""Variation selectors where no sign is varied: they can spell a whole text."""
_CODE = re.compile(r"`[^`\n]{1,200}`")
_LOADED = re.compile(
    r"!\[|<!--|</?(?:img|script|iframe|svg|link|style|object|embed|form|meta|base|video|audio|details)\b|"
    r"<\w[^<>]{0,200}\b(?:on\w{3,20}|href|src|style)\s*=|\]\(\s*(?:javascript|data|vbscript):",
    re.IGNORECASE,
)
_EDGE = re.compile(r"(?<=\w)[.!?,;:](?= |$)")
_QUOTES = re.compile(r"[\"“”]")


def is_question(text: str) -> bool:
    """Asked, with or without its mark: many people leave it out when they dictate."""
    return "?" in text[-4:] or _QUESTION.match(text.lstrip()) is not None


def doubt(text: str) -> str:
    """Why this sentence is not meant as it stands, in one word; "" when nothing speaks against it."""
    for name, pattern in (
        ("guess", _GUESS),
        ("joke", _JOKE),
        ("hearsay", _HEARSAY),
        ("unmeant", _UNMEANT),
        ("step", _STEP),
    ):
        if pattern.search(text):
            return name
    return "question" if is_question(text) else ""


def is_joke(text: str) -> bool:
    return _JOKE.search(text) is not None


def is_unserious(text: str) -> bool:
    """Whether somebody says of what they said that it isn't meant: that goes for the whole turn."""
    return _NOT_SERIOUS.search(text) is not None


def is_quoted(text: str, at: int) -> bool:
    """Whether position `at` lies between quotation marks: words of somebody else."""
    return len(_QUOTES.findall(text, 0, at)) % 2 == 1


def in_quarantine(found: Candidate, danger: str) -> str:
    """Why a person has to look at it first; "" when nothing speaks against it. All that gets into an entry is judged,
    as it was written and as it is put down, and so is `danger`, the words around it."""
    told = (found.title, found.abstract, found.body, *map(str, found.fields.values()), *found.anchors)
    around = danger if found.turn.kind == "text" else f"{danger}\n{found.turn.text[:_LOOKED_AT]}"
    if any(_hides(text) for text in (*told, found.quote, around)):
        return "it holds characters that nobody can see"
    texts = _apart(" ".join(text.split()) for text in (*told, found.quote, danger))
    why = next((why for text in texts if (why := why_dangerous(text))), "")
    loaded = any(_LOADED.search(_CODE.sub(" ", text)) for text in texts)
    return why or ("it holds HTML or a link that does more than show its words" if loaded else "")


def _apart(texts: Iterable[str]) -> list[str]:
    """The texts without those of which a longer one has every word, side by side: to judge that one is enough."""
    kept: list[str] = []
    for text in sorted(dict.fromkeys(texts), key=len, reverse=True):
        if not any(f" {text} " in f" {_EDGE.sub(' ', other)} " or f" {text} " in f" {other} " for other in kept):
            kept.append(text)
    return kept


def _hides(text: str) -> bool:
    return has_unseen(_BLANKS.sub(" ", text)) or _SELECTORS.search(text) is not None


def holds_secret(found: Candidate) -> bool:
    """Whether any text of it looks like a secret: its parts were taken from redacted turns, but put together anew."""
    told = (found.title, found.abstract, found.body, *map(str, found.fields.values()), *found.anchors, *found.why)
    return any(find_secrets(text) for text in dict.fromkeys((*told, found.quote)))
