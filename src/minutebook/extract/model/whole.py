"""The whole sentence that a quote is cut from: “don't [use Redis]” or “if they pay, [we use Redis]” is no “use Redis”.

A quote begins where its sentence does, or after words that change nothing. What stands before it decides.
"""

import re

from minutebook.extract import guard
from minutebook.extract.phrases import phrases
from minutebook.extract.stance import words

Span = tuple[int, int]
_FAR = 600
_BLANK = re.compile(r"\n[ \t]*\n|\n[ \t]*(?=[-*+•>#|]|(?:[0-9]{1,2}|[A-Za-z])[.):]\s|```|Option\b)")
_LINE = re.compile(r"(?m)^[ \t]*#.*\n|\n[ \t]*(?=[A-Z`])")
_GOES_ON = re.compile(
    r"(?:,|\b(?:that|of|to|if|and|or|not|never|no|unless|said|says|until|when|than|instead|from|the|a|because|only))\Z",
    re.IGNORECASE,
)
_STOP = re.compile(r"[.!?…][\"')\]*_]*\s+|[;:]\s*\n|;\s+")
_ABBREVIATION = re.compile(r"\b(?:e\.g|i\.e|vs|etc|cf|approx|incl|resp)\.\s+\Z", re.IGNORECASE)
_MARK = re.compile(
    r"(?i)^[\s>*_#`\"'(\[-]*(?:(?:option )?(?:[0-9]{1,2}|[A-Za-z])[.):]+(?=\s|\*)|[-*+•])?[\s*_`\"'(\[]*"
)
_NEGATION = phrases(
    *(
        "never",
        "not",
        "no(?! problem)",
        "nor",
        "neither",
        "none",
        "cannot",
        "hardly",
        "stop",
        "avoid",
        "without",
        "only",
    ),
    *(r"\w+n['’]t", "dont", "doesnt", "wont", "cant", "shouldnt", "against", "refuse[sd]?", "forbid\\w*", "instead of"),
    *("rather than", "in place of", "nobody", "nothing", "except", "deny", "denied", "false that", "wrong (?:to|that)"),
    *("hate", "dislike", "fail(?:s|ed)? to", "forget", "(?:too|no) (?:bad|way)", "drop", "remove", "opposed to"),
)
_CONDITION = phrases("if", "unless", "until", "suppose", "supposing", "assuming", "provided", "in case", "when", "once")
_IF = re.compile(
    r"\b(?<!even )(?<!as )(?<!check )(?<!see )(?<!know )(?<!ask )(?:if(?! not\b| any\b| so\b| possible\b| needed\b)|"
    r"unless|until|provided that|assuming|in case|as long as|only when)\b",
    re.IGNORECASE,
)
_CONDITION_ENDS = re.compile(r"[,;:.!?—]|\s-\s|\bthen\b", re.IGNORECASE)
_NOBODY = phrases("said (?:nobody|no one)")
_AFTERWARDS = re.compile(
    r"\bbut\b.{0,60}\b(?:against|not|never|wrong|bad|hate|\w+n['’]t)\b|\b(?:would|is|was)\b.{0,40}\b(?:wrong|bad idea|"
    r"mistake|nonsense|stupid|silly)\b|\bsaid (?:nobody|no one)\b|\b(?:we|i|they) (?:tried|dropped|gave up)\b",
    re.IGNORECASE,
)
_PLAIN = frozenset(
    re.findall(
        r"\S+",
        "ok okay yes yeah yep yup sure so and also well hmm right good great cool alright fine perfect please pls btw "
        "oh then thanks thank you i we it you they there let's lets let us me my our your the this that these a an to "
        "think believe suggest say feel like recommend propose prefer decide decided agreed want need have "
        "i'd i'm i'll i've we'll we're we've we'd it's that's there's you'll you should must will shall would can may "
        "going go gonna be is are was has do does just really definitely absolutely always also now actually still "
        "probably from on here in future repo project repository forward general generally as rule decision "
        "recommendation option answer plan note remember please make sure ensure get for all both every each "
        "simply better best could",
    )
)
_BOUNDARY = re.compile(r"(?:[,:;]|\s[-–—]+|—|\b(?:and|so|then|because|but|since))[\s*_`\"'(]*\Z", re.IGNORECASE)
_LABEL = re.compile(r"[^\n.!?]{1,60}:[\s*_`\"']*\Z")
_WORDS = re.compile(r"[\w'’]+")


def whole(text: str, span: Span) -> Span:
    """The sentence or sentences around a stretch, across lines that were only wrapped."""
    first, last = max(0, span[0] - _FAR), min(len(text), span[1] + _FAR)
    before = text[first : span[0]]
    starts = [match.end() for match in _BLANK.finditer(before)]
    starts += [match.end() for match in _LINE.finditer(before) if not _GOES_ON.search(before, 0, match.start())]
    starts += [m.end() for m in _STOP.finditer(before) if not _ABBREVIATION.search(before, 0, m.end())]
    start = first + max(starts, default=0)
    ends = [
        match.start() for pattern in (_BLANK, _STOP) if (match := pattern.search(text, max(span[0], span[1] - 1), last))
    ]
    return start, max(span[1], min(ends, default=last))


def cut_out(text: str, span: Span) -> str:
    """Why the words of a stretch can't be taken without the sentence they stand in; ""."""
    start, end = whole(text, span)
    around, before, after = text[start:end], text[start : span[0]], text[span[1] : end]
    if guard.doubt(" ".join(around.split())) == "unmeant" or _NOBODY.search(around):
        return f"the sentence says that it isn't so: {_short(around)}"
    lead = _MARK.sub("", before, count=1).strip()
    if _NEGATION.search(lead):
        return f"a negation stands before the quote in its sentence: {_short(around)}"
    if _CONDITION.search(lead):
        return f"a condition stands before the quote in its sentence: quote it too: {_short(around)}"
    if _AFTERWARDS.search(after):
        return f"the sentence goes on to speak against it: {_short(around)}"
    if not _changes_nothing(before, lead):
        return f"the quote begins in the middle of a sentence: begin it where the sentence does: {_short(around)}"
    return ""


def left_out(around: str, said: str) -> str:
    """Why the statement `said` drops what the sentence around its quote makes it depend on; ""."""
    condition = _IF.search(around)
    if condition is None:
        return ""
    end = _CONDITION_ENDS.search(around, condition.end())
    clause = around[condition.start() : end.start() if end else len(around)]
    on = words(clause) - words(condition[0])
    return f"it leaves out the condition “{_short(clause)}”" if on and not on & words(said) else ""


def _changes_nothing(before: str, lead: str) -> bool:
    if not lead or before.rstrip(" \t").endswith("\n") or _BOUNDARY.search(before) or _LABEL.search(before):
        return True
    return all(word.lower().replace("’", "'") in _PLAIN for word in _WORDS.findall(lead))


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 100 else f"{line[:100].rsplit(' ', 1)[0]} …"
