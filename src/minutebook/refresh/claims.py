"""What an entry claims, in a form in which two claims about the same thing can be laid side by side.

A claim is a sentence cut into its subject (its content words, as a set) and one value: a number with its unit, a side
of a pair of opposites, one of a few tools that exclude each other, a name, or whether it is denied. Two claims with the
same subject and another value contradict each other. No model takes part, so only what is said in nearly the same
words is found.
"""

import re
from collections.abc import Iterator

from minutebook.ground.entry import Entry
from minutebook.ground.frozen import frozen
from minutebook.ground.nouns import singular
from minutebook.refresh.claim_words import CONDITIONS, EXCLUSIVE, LABELS, MODALS, NEGATIONS, OPPOSITES, UNITS

_TOKEN = re.compile(r"`[^`\n]{1,60}`|[A-Za-z_][\w.+#/-]*[\w+#]|[A-Za-z]|[0-9]+(?:\.[0-9]+)*%?")
_SENTENCE = re.compile(r"[^.!?\n]{12,400}(?:[.!?](?=\s|$)|$|\n)|[^\n]{12,400}")
_SENTENCES = 40
_LONGEST = 30
_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?%?")
_FEWEST = 2
_RULES = frozenset({"always", "never"})
"""Of two rules that begin so and go on in the same words one is wrong, however short they are."""


@frozen
class Claim:
    """`subject` is what it is about, `value` what it says of it, `said` the sentence. Claims of one subject with
    different values can't both hold."""

    subject: str
    value: str
    said: str


def claims(entry: Entry) -> tuple[Claim, ...]:
    """The claims of its title, abstract, overview and decision."""
    texts = [entry.title, entry.abstract, str(entry.fields.get("decision", "")), "" if entry.in_log else entry.overview]
    found: dict[tuple[str, str], Claim] = {}
    for sentence in list(dict.fromkeys(_sentences(texts)))[:_SENTENCES]:
        for claim in _of_sentence(sentence):
            found.setdefault((claim.subject, claim.value), claim)
    return tuple(found.values())


def _sentences(texts: list[str]) -> Iterator[str]:
    for text in texts:
        for match in _SENTENCE.finditer(text):
            if not match[0].lstrip().startswith((">", "|", "#", "```")):
                yield " ".join(match[0].split())


def _of_sentence(sentence: str) -> Iterator[Claim]:
    raw = _TOKEN.findall(sentence.replace("’", "'").replace("n't", " not"))
    if not 3 <= len(raw) <= _LONGEST:
        return
    words = [singular(token.strip("`").lower()) for token in raw]
    denied = any(word in NEGATIONS for word in words)
    first = raw[0].lower()
    if first in _RULES and not CONDITIONS.intersection(words):
        yield Claim(f"rule: {_key(words[1:])}", first, sentence)
    content = [word for word in words if word not in MODALS and word not in NEGATIONS]
    yield from _polar(content, denied, sentence)
    yield from _numbers(content, denied, sentence)
    yield from _named(raw, content, denied, sentence)
    plain = [token.strip("`").lower() for token in raw]
    yield from _opposed(plain, content, denied, sentence)
    groups = [(word, EXCLUSIVE[word]) for word in dict.fromkeys(plain) if word in EXCLUSIVE]
    if len(groups) == 1 and not denied and not CONDITIONS.intersection(words):
        yield Claim(f"use: {groups[0][1]}", groups[0][0], sentence)


def _polar(content: list[str], denied: bool, sentence: str) -> Iterator[Claim]:
    if len(set(content)) > _FEWEST:
        yield Claim(f"so: {_key(content)}", "no" if denied else "yes", sentence)


def _numbers(content: list[str], denied: bool, sentence: str) -> Iterator[Claim]:
    at = [index for index, word in enumerate(content) if _NUMBER.fullmatch(word)]
    if len(at) != 1:
        return
    index = at[0]
    if index and content[index - 1] in LABELS:
        return
    unit = content[index + 1] if index + 1 < len(content) else ""
    base, factor = UNITS.get(unit, ("", 1))
    rest = content[:index] + content[index + (2 if base else 1) :]
    if len(set(rest)) >= (1 if base else _FEWEST):
        value = float(content[index].rstrip("%")) * factor
        yield Claim(f"number: {denied} {base} {_key(rest)}", f"{value:g}", sentence)


def _named(raw: list[str], content: list[str], denied: bool, sentence: str) -> Iterator[Claim]:
    """Each name of the sentence, with all else as its subject: `stores its data in PostgreSQL`."""
    for index, token in enumerate(raw):
        bare = token.strip("`")
        if (token.startswith("`") or (index and bare[:1].isupper())) and not _NUMBER.fullmatch(bare):
            name = singular(bare.lower())
            rest = [word for word in content if word != name]
            if len(set(rest)) > _FEWEST and len(rest) == len(content) - 1:
                yield Claim(f"name: {denied} {_key(rest)}", name, sentence)


def _opposed(plain: list[str], content: list[str], denied: bool, sentence: str) -> Iterator[Claim]:
    for word in dict.fromkeys(plain):
        if word in OPPOSITES:
            pair, side = OPPOSITES[word]
            rest = [each for each in content if each not in (word, singular(word))]
            if rest and sum(each in OPPOSITES for each in plain) == 1:
                yield Claim(f"side: {pair} {_key(rest)}", str(side ^ denied), sentence)


def _key(words: list[str]) -> str:
    return " ".join(sorted(set(words)))
