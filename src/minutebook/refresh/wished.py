"""Whether an entry itself asks for a thing to be gone, or speaks of it as gone: a removal that was decided, something
that is forbidden, a time that is over. That such a thing is gone is no staleness: the entry came true."""

import re
from collections.abc import Iterator

_SENTENCE_END = re.compile(r"(?<=[.!?])\s|;|\n")
_LONGEST = 400
_MOST = 200
_NO = r"(?:never|not|[a-z]{2,7}n['’]t|don['’]?t|cannot|no longer|nobody|without|avoid|stop)"
_REMOVAL = (
    r"(?:remov(?:e|ed|ing)|delet(?:e|ed|ing)|drop(?:ped|ping)?|retir(?:e|ed|ing)|uninstall(?:ed|ing)?|sunset(?:ting)?"
    r"|deprecat(?:e|ed|ing)|eliminat(?:e|ed|ing)|g[eo]t(?:ting)? rid of|phas(?:e|ed|ing) out|replac(?:e[sd]?|ing)"
    r"|stop(?:ped|ping)? using|(?:migrat\w+|mov(?:e[sd]?|ing)|switch\w*)(?: \w+){0,3}? (?:off|away from)"
    r"|migrat(?:e[sd]?|ing)(?: \w+){0,3}? from|instead of|rather than|in place of|formerly|previously"
    r"|(?:until|before|in) [0-9]{4},? we (?:used|had|ran))"
)
_USE = (
    r"(?:us(?:e|ed|ing)|add(?:ed|ing)?|import(?:ed|ing)?|install(?:ed|ing)?|(?:re-?)?introduc(?:e|ed|ing)|bring back"
    r"|adopt|depend(?:ing)? on|rely(?:ing)? on|pull in|go(?:ing)? back to|return(?:ing)? to|reach(?:ing)? for|choose"
    r"|pick)"
)
_CUT = re.compile(
    r"(?i)\b(?:by|via|using|through|in favou?r of|so|because|since|which|that|who|when|if|before|unless|until|after"
    r"|but|use|uses|keep|keeps|add|adds|to|into|onto|as|than|from|in|on|with(?!\s+(?:its|their|all)\b))\b|:|[—–]"
)
_BEFORE = re.compile(rf"(?i)(?<![\w-])({_REMOVAL})(?![\w-])")
_DENIED = re.compile(rf"(?i)(?<![\w-]){_NO}\W+(?:\w+\W+){{0,2}}$")
_FORBIDDEN = re.compile(
    rf"(?i)(?<![\w-])(?:{_NO}\W{{1,3}}(?:(?:ever|again|also)\W{{1,3}})?{_USE}|avoid(?:ing)?|ban(?:ned)?)(?![\w-])"
)
_BARE_NOT = re.compile(r"(?i)(?<![\w-])(?:not|never|no)\W{1,4}$")
_AFTER = re.compile(
    r"(?i)[`'\"\w.()]{0,20}\s{1,3}(?:"
    r"(?:is|are|was|were|has been|have been|will be|gets|shall be|must be|is to be|being)\s+(?:now\s+|being\s+|all\s+)?"
    r"(?:removed|deleted|dropped|retired|deprecated|replaced|phased out|banned|forbidden|obsolete)"
    r"|(?:is|are) (?:not|no longer) (?:used|needed|supported)(?: any ?more)?"
    r"|go(?:es)? away|(?:is|are) going away|must go)\b"
)
_LIMIT = re.compile(
    r"(?i)\b(?:without|outside|unless|except|only|if|when(?:ever)?|before|while|inside|within|directly|twice|each"
    r"|every|from (?:the|its|a|your)|by hand|more than|at once|in (?:tests?|a|an|the|production|loops?)|on|for)\b"
)


def wished_gone(name: str, text: str) -> bool:
    """Whether a sentence of the text asks for this name to be gone, forbids it altogether, or tells of it as past.

    `name` is looked for whatever its case. What holds under a condition alone ("never call it outside of a lock",
    "remove it before each build") says nothing against the thing itself, and a removal that is denied protects it.
    """
    pattern = re.compile(rf"(?i)(?<![\w./@-]){re.escape(name)}(?![\w/-]|\.\w)")
    return any(_asks(before, after) for before, after in _around(pattern, text))


def _around(pattern: re.Pattern[str], text: str) -> Iterator[tuple[str, str]]:
    """What stands before the name and after it, in each sentence that holds it."""
    for count, match in enumerate(pattern.finditer(text)):
        if count == _MOST:
            return
        before = _SENTENCE_END.split(text[max(0, match.start() - _LONGEST) : match.start()])[-1]
        after = _SENTENCE_END.split(text[match.end() : match.end() + _LONGEST], maxsplit=1)[0]
        yield before, after


def _asks(before: str, after: str) -> bool:
    if _limited(after):
        return False
    if _AFTER.match(after):
        return True
    removal, forbidden = _last(_BEFORE, before), _last(_FORBIDDEN, before)
    if removal is not None and not _DENIED.search(before[: removal.start()]) and _governs(before[removal.end() :]):
        return True
    if forbidden is not None and _governs(before[forbidden.end() :]):
        return True
    return bool(_BARE_NOT.search(before.rstrip("`'\"(")))


def _limited(after: str) -> bool:
    """Whether what follows binds the sentence to some cases. Of a removal the release may be named ("in 2.0")."""
    return bool(_LIMIT.search(after))


def _last(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    return next(reversed(list(pattern.finditer(text))), None)


def _governs(between: str) -> bool:
    """Whether the words between a verb and a name leave the name its object."""
    return _CUT.search(re.sub(r"`[^`]*`", "`", between)) is None
