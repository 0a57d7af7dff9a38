"""A constant whose value an entry tells (`MAX_RETRIES` is 5), and the value that code gives it."""

import re

from minutebook.refresh.anchors import Reference
from minutebook.refresh.resolvers import resolve
from minutebook.refresh.view import View
from minutebook.refresh.vocabulary import code_of

_NUMBER = r"-?[0-9][0-9_]*(?:\.[0-9]+)?"
_IS = r"=|:|\bis(?: set to| always)?\b|\bstays(?: at)?\b|\bequals\b|\bdefaults to\b|\bof\b|,? which is\b"
_TOLD = rf"`?\s*(?:{_IS})\s*`?({_NUMBER})(?![\w.]*[\w%*/])"
_MOST_FILES = 20


def value_told(reference: Reference) -> str:
    """The number that the sentence gives to the constant, "" when it gives none, or more than one."""
    pattern = rf"(?<![\w.]){re.escape(reference.text)}{_TOLD}"
    found = {_plain(number) for number in re.findall(pattern, reference.said)}
    return found.pop() if len(found) == 1 else ""


def value_given(reference: Reference, view: View) -> str:
    """The one number that code gives to the constant wherever it does; "" when there is none, or several."""
    there = resolve(reference, view, "")
    pattern = re.compile(
        rf"(?<![\w.]){re.escape(reference.text)}[\"']?[ \t]{{0,8}}(?::[^=\n]{{1,60}})?[=:][ \t]{{0,8}}({_NUMBER})"
        r"(?=[ \t]*(?:[;,)}#\n]|//|$))"
    )
    files = there.files[:_MOST_FILES] if there is not None else ()
    texts = (code_of(view.text(path), path.rpartition(".")[2].lower()) for path in files)
    found = {_plain(number) for text in texts for number in pattern.findall(text)}
    return found.pop() if len(found) == 1 else ""


def another_value(reference: Reference, then: View, now: View) -> str:
    """The number that the constant has now, where code had the one that the entry tells; "" otherwise."""
    told = value_told(reference) if reference.kind == "constant" else ""
    if not told or value_given(reference, then) != told:
        return ""
    given = value_given(reference, now)
    return given if given != told else ""


def _plain(number: str) -> str:
    return f"{float(number.replace('_', '')):g}"
