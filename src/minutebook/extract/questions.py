"""Questions and their answers as one statement: “How should users specify gist visibility?” “Unlisted” is
“Gist visibility: Unlisted”."""

import re

from minutebook.extract.phrases import choice

_ASIDE = re.compile(r"\s*\([^()]{0,200}\)")
_LEADS = (
    r"(?:how|what|which|where|when|who)\b(?:\s+(?:kind|type|sort) of)?",
    r"(?:should|do|does|would|will|can|is|are|to)\b",
    r"(?:we|i|you|users?|the (?:plugin|command|tool|app|script|system)|it|this|be)\b",
    r"(?:like|want|prefer)?\s*(?:to\b)?",
    choice(
        "specify", "use", "handle", "store", "do", "have", "like", "name", "call", "choose", "pick", "set", "configure"
    )
    + r"\b",
    r"(?:the|a|an|for|be)\b",
)
_COMPILED = tuple(re.compile(rf"\s*{lead}\s*", re.IGNORECASE) for lead in _LEADS)
_INNER = re.compile(r"\b(?:should|be|would|will|do|does)\s+", re.IGNORECASE)
_SHORT = 8
_LONG_TOPIC = 9


def topic(question: str) -> str:
    """The thing a question asks about, in its own words; "" when that is more than nine words."""
    rest = re.split(r"[.?!:]\s", _ASIDE.sub("", question).rstrip(" ?:."))[-1]
    for pattern in _COMPILED:
        match = pattern.match(rest)
        rest = rest[match.end() :] if match else rest
    rest = _INNER.sub("", rest)
    return rest[:1].upper() + rest[1:] if 0 < len(rest.split()) <= _LONG_TOPIC else ""


def answered(question: str, answer: str) -> str:
    """The answer as a statement that can stand alone."""
    subject = topic(question)
    return f"{subject}: {answer}" if subject and len(answer.split()) <= _SHORT else answer
