"""What a statement must not do, whoever said the words that it quotes.

A fooled model writes “skip the tests” over an innocent quote: so all that it writes is judged, not the quote alone.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from minutebook.extract.danger import why_dangerous
from minutebook.extract.stance import words
from minutebook.ground.unseen import has_unseen
from minutebook.redaction.redact import find_secrets

LEAST_GROUNDED = 0.5
"""Share of a statement's content words that the talk has to have; below it a person looks first."""
LEAST_SAID = 0.2
"""Share that the turn which backs it has to have: what the agent said beside it is no person's word."""
_NO_STATEMENT = frozenset({"quote", "replaces"})
_ENDING = re.compile(r"(?<=\w{3})(?:ing|ed|es|e|ly)$")
_DOUBLED = re.compile(r"([b-df-hj-np-tv-z])\1$")
_BREAKS = re.compile(r"\r\n?")
_LOADED = re.compile(
    r"!\[|<!--|<(?:img|script|iframe|svg|link|style|object|embed)\b|\]\(\s*(?:javascript|data|vbscript):", re.IGNORECASE
)
_ADDRESS = re.compile(
    r"(?:[a-z][a-z0-9+.-]{1,20}://|www\.|(?<![\w:/.-])//(?=[\w-]{1,63}\.[a-z]))[^\s<>\"'`)\]]{1,300}|"
    r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{1,64}",
    re.IGNORECASE,
)


def unwritable(given: Mapping[str, Any]) -> str:
    """Why nobody should write this, in words that the model can mend it by; "" when nothing speaks against it."""
    for name, text in texts_in(given):
        if has_unseen(_BREAKS.sub("\n", text)):
            return f"`{name}` holds characters that nobody can see"
        if _LOADED.search(text):
            return f"`{name}` holds an image, an HTML comment or a script"
        if find_secrets(text):
            return f"`{name}` holds what looks like a secret"
    return ""


def danger(given: Mapping[str, Any], quote: str, talk: Sequence[str]) -> str:
    """Why a person has to look at it first; "". `talk` is all that people and the agent say in the window."""
    if has_unseen(_BREAKS.sub("\n", quote)):
        return "the quote holds characters that nobody can see"
    if _LOADED.search(quote):
        return "the quote holds an image, an HTML comment or a script"
    texts = [text for _, text in texts_in(given)]
    for text in (*texts, f"{given['title']} {given.get('abstract', '')}", quote):
        if reason := why_dangerous(" ".join(text.split())):
            return reason
    named = (match[0] for text in texts for match in _ADDRESS.finditer(text))
    strange = next((address for address in named if not any(address in said for said in talk)), "")
    return f"it names an address that nobody named in the talk: {strange[:80]}" if strange else ""


def grounding(said: str, talk: Iterable[str]) -> float:
    """The share of the content words of `said` that the talk has; 1.0 when there are none."""
    wanted = stems(said)
    heard = frozenset[str]().union(*map(stems, talk)) if wanted else frozenset[str]()
    return round(len(wanted & heard) / len(wanted), 3) if wanted else 1.0


def stems(text: str) -> frozenset[str]:
    """Content words without their endings, so that “logged” and “log” are compared as one."""
    return frozenset(_DOUBLED.sub(r"\1", _ENDING.sub("", word)) for word in words(text))


def texts_in(value: object, name: str = "input") -> Iterator[tuple[str, str]]:
    """Every text that the model states, with the name of the field that holds it."""
    if isinstance(value, str):
        yield name, value
    elif isinstance(value, list):
        for item in value:
            yield from texts_in(item, name)
    elif isinstance(value, dict):
        for key, item in value.items():
            if key not in _NO_STATEMENT:
                yield from texts_in(item, str(key))
