"""How people say that something holds from now on, as one table: a row is a kind, a name, and what it fits.

These rows are the sure ones; the first that fits wins, and `errands` has those that are tried after them. What a row
weighs isn't written here: `weights.json` has it.
"""

from typing import Literal

from minutebook.extract.phrases import choice

Kind = Literal["adoption", "rejection", "rule", "preference", "correction", "fact"]
_TAKE = choice(
    *("us(?:e|ing)", "go(?:ing)? with", "stick(?:ing)? (?:with|to)"),
    *("adopt(?:ing)?", "(?:switch(?:ing)?|mov(?:e|ing)|migrat(?:e|ing))(?: (?:over|away))?(?: from [^,;.]{2,60}?)? to"),
    *("stay(?:ing)? (?:on|with)", "rely(?:ing)? on"),
    *("standardi[sz](?:e|ing) on", "keep using", "settl(?:e|ing) on"),
    *("pick(?:ing)?", "choos(?:e|ing)", "default(?:ing)? to"),
)  # fmt: skip
_WE = choice(
    *("let'?s", "let us", "we'?ll", "we will", "we'?re going to", "we are going to", "we're", "we are", "i want us to"),
    "we want to",
)
_NOT = choice("let'?s not", "we won'?t", "we will not", "we(?:'re| are) not going to", "we should(?:n'?t| not)")
_NEW = choice(
    *("use", "using", "adopt", "go with", "support", "rely on", "relying on", "depend on", "need", "introduce"),
    *("bring in", "hard-?code", "mock"),
)
SUBJECT = r"(?P<subject>(?!(?:it|this|that|they|you|we|there|i|these|those|he|she|who|what)\b)[\w`'\"./@ -]{2,70}?)"
_OWES = choice(
    *(
        "gets?",
        "must",
        "should(?! we)",
        "shall",
        "needs?",
        "ha(?:s|ve) to",
        "may(?: not)?",
        "can't",
        "cannot",
        "goes",
        "go",
    ),
    *("lives?", "stays?"),
)
_STATE = choice("deprecated", "removed", "opt-in", "opt-out", "optional", "required", "the default", r"\w+ by default")
_PRAISED = choice(
    *("that", "it(?! when)", "this", "how", "your", "these", "those", "to see"),
    "the (?:idea|approach|plan|look|name|first|second|third|direction|way|sound|new)",
)
_STYLE = choice(
    *("german", "french", "spanish", "dutch", "chinese", "japanese"),
    "spelling",
    "english",
    "tone",
    "emojis?",
    "answers",
    "replies",
    "responses",
    "explanations",
    "summaries",
)

Row = tuple[Kind, str, str]


def row(kind: Kind, name: str, *pieces: str) -> Row:
    """A row whose pattern is written in pieces."""
    return kind, name, "".join(pieces)


SURE: tuple[Row, ...] = (
    row(
        "rule",
        "from now on",
        r"^(?:from (?:now|today)(?: on(?:wards?)?)?|going forward|in (?:the )?future|as a rule|by convention|",
        r"henceforth|for future reference)\b[,:]?\s+(?P<value>.+)",
    ),
    row(
        "rule",
        "always or never",
        r"^(?:please\s+)?(?:always|never)\s+(?!(?:mind|again|been|had|seen|before|works?|worked|fails?|failing|",
        r"the|an?|on|red|green|fine|ok|breaks?|broken|crash\w*|happen\w*|wrong|slow|",
        r"returns? (?:null|none|nothing)|errors?|gets? stuck)\b)",
        r"(?P<value>[a-z`].+)",
    ),
    row(
        "rule",
        "must always",
        r"\b(?:we|you|must|should|shall)\s+(?:should\s+|must\s+)?(?:always|never)\s+(?P<value>[a-z].+)",
    ),
    row(
        "rule",
        "every one must",
        rf"^(?:every|each|all|any|no|new)\s+(?!(?:of|time)\b)[\w`'\"./ -]{{2,60}}?\s+{_OWES}\s+(?P<value>.+)",
    ),
    row(
        "rule",
        "wherever we can",
        r"^we\s+should\s+(?:be\s+)?(?P<value>.+\b(?:where(?:ver)? (?:we|you) can|everywhere|across the \w+)\b.*)",
    ),
    row(
        "rule",
        "in this repository",
        r"^(?:in|for) (?:this|our) (?:repo(?:sitory)?|project|code ?base|team)\b,?\s+(?:we\s+)?(?P<value>.+)",
    ),
    row(
        "rule",
        "the rule is",
        r"^(?:the|our|a) (?:rule|convention|policy|standard|house rule)\s+",
        r"(?:here )?is\b(?P<value>.+)",
    ),
    row("rule", "must", rf"^{SUBJECT}\s+must\s+(?:not\s+|never\s+|always\s+)?(?P<value>[a-z]+\b.+)"),
    row("rule", "remember to", r"^(?:please\s+)?remember\s*:?,?\s+(?:to|that)\s+(?P<value>.+)"),
    row("rule", "let's avoid", r"^let'?s\s+avoid\s+(?P<value>.+)"),
    row(
        "rule",
        "what we always do",
        r"^we\s+(?:always|never|usually|generally|normally|only(?! need)|don'?t ever)\s+",
        r"(?!(?:see|get|got|hit|saw|run into|end up|have (?:this|that|\w+ minutes)|fail)\b)(?P<value>.+)",
    ),
    row(
        "rule",
        "whenever",
        r"^(?:whenever|any ?time|every time|each time)\s+(?P<value>(?:you|we|i|a|an|the|someone)\b.+)",
    ),
    row(
        "adoption",
        "we go with",
        r"^we(?:'d| would)?\s+(?:now\s+|rather\s+|just\s+)?(?:go (?:back )?(?:with|to)|stay (?:on|with)|",
        r"stick (?:with|to)|switch (?:over )?(?:from [^,;.]{2,60}? )?to|move (?:over )?to|settle on|pick|choose)\s+",
        r"(?P<value>.+)",
    ),
    row(
        "adoption",
        "we use one instead of another",
        r"^we\s+(?:use|store|keep|build on|run)\s+(?P<value>[^,;]{2,80}?),?\s+(?:instead of|rather than)\s+\S.*",
    ),
    row(
        "adoption",
        "one for another",
        r"^(?:please\s+)?(?:switch|move|migrate)\s+(?:us\s+|it\s+|over\s+)*(?:away\s+)?from\s+[^,;.]{2,60}?\s+to\s+",
        r"(?P<value>.+)",
    ),
    row(
        "adoption",
        "replace one by another",
        rf"^(?:{_WE}\s+)?replace\s+[^,;.]{{2,60}}?\s+(?:with|by)\s+(?P<value>.+)",
    ),
    row("adoption", "let's use", rf"^{_WE}\s+(?:\w+ly\s+|just\s+|all\s+)?{_TAKE}\s+(?P<value>.+)"),
    row("adoption", "let's go", r"^let'?s go (?!(?:ahead|for|back|through|over|on|to|and)\b)(?P<value>.+)"),
    row(
        "adoption",
        "we should use",
        rf"^we should\s+(?:be\s+)?(?:\w+ly\s+|just\s+)?(?:{_TAKE}|keep|only)\s+(?P<value>.+)",
    ),
    row(
        "adoption",
        "one instead of another",
        r"^(?:use|go with|stick with|adopt|pick|choose|switch to|store|keep)\s+(?P<value>[^,;]{2,120}?),?\s+",
        r"(?:instead of|rather than|over|not)\s+[\w`\"'].*",
    ),
    row(
        "adoption",
        "we decided",
        r"^(?:we|i)(?:'ve| have)?\s+",
        r"(?:chose(?:n)?|(?:decided|agreed|settled|opted)\s+(?:to|on|that|for|we))\s+(?!not\b)(?P<value>.+)",
    ),
    row("adoption", "the decision is", r"^(?:the |our )?decision(?: is)?\s*[:—-]\s*(?:to\s+)?(?P<value>.{8,})"),
    row(
        "adoption",
        "shall be so",
        rf"^{SUBJECT}\s+(?:should|will|can)\s+be\s+",
        rf"(?P<value>(?:hard[- ]?|soft[- ]?)?{_STATE}\b.*)",
    ),
    row(
        "adoption",
        "by default",
        r"^(?P<value>(?:must|should|default(?:s|ing)?)\b.*",
        r"\b(?:default(?:s|ing)?(?: to)?|off|on)\b.*)",
    ),
    row("rejection", "let's not", rf"^{_NOT}\s+(?:be\s+)?{_NEW}\s+(?P<value>.+)"),
    row(
        "rejection",
        "decided against",
        r"^(?:we|i)(?:'ve| have)?\s+(?:decided|agreed)\s+",
        r"(?:not to|against)\s+(?P<value>.+)",
    ),
    row("rejection", "don't use", rf"^(?:please\s+)?(?:do not|don'?t|stop|avoid)\s+(?:ever\s+)?{_NEW}\s+(?P<value>.+)"),
    row("rejection", "we don't need", r"^we (?:don'?t|do not|no longer) (?:need|want|support)\s+(?!to\b)(?P<value>.+)"),
    row(
        "rejection",
        "out of scope",
        rf"^{SUBJECT}\s+(?:is|are)\s+(?P<value>(?:out of scope|a non-?goal|not (?:a goal|supported|in scope))\b.*)",
    ),
    row(
        "preference",
        "I prefer",
        r"^i(?:'d| would)?\s+(?:(?:really\s+|strongly\s+|much\s+|generally\s+)?prefer|rather)\s+(?P<value>.+)",
    ),
    row("preference", "my preference is", r"^my preference is\s+(?P<value>.+)"),
    row("preference", "prefer", r"^(?:please\s+)?prefer\s+(?P<value>.+)"),
    row(
        "preference",
        "I like",
        r"^i\s+(?:really\s+|don'?t\s+)?(?:like|love|hate|dislike)\s+",
        rf"(?!{_PRAISED}\b)(?P<value>.+)",
    ),
    row(
        "preference",
        "style",
        r"^(?:please\s+)?(?:use|write(?: in)?|answer(?: in)?|reply(?: in)?|keep)\s+(?:the\s+|a\s+|your\s+)?",
        rf"(?P<value>(?:\w+\s+){{0,3}}{_STYLE}\b.*)",
    ),
    row(
        "rule",
        "a known convention",
        r"^(?:please\s+)?(?:use|follow|stick to|adhere to)\s+(?P<value>(?:the\s+)?",
        r"(?:conventional|semantic|kebab|snake|camel|pascal|sentence|title|absolute|google|airbnb|",
        r"pep ?8|iso|imperative|trunk-based|strict)\b.+)",
    ),
    row(
        "preference",
        "how to talk to me",
        r"^(?:please\s+)?(?P<value>(?:be (?:more )?(?:concise|brief|terse|direct|blunt|honest)|",
        r"(?:talk|speak|write|explain|reply|answer) to me|",
        r"(?:always )?(?:show|ask|tell|warn|check with) me (?:the \w+ )?(?:before|first|when)|",
        r"(?:don'?t|no need to|stop) (?:summari[sz]\w+|explain\w*|apologi[sz]\w+|prais\w+|thank\w*|repeat\w*))\b.*)",
    ),
    row(
        "rule",
        "no longer has to",
        r"^(?:you|we|nobody|one)\s+(?:(?:don'?t|do not|doesn'?t)\s+(?:have|need)\s+to(?=.*\b(?:any ?more|any longer|",
        r"from now on)\b)|no longer\s+(?:has|have|needs?)\s+to)\s+(?P<value>.+)",
    ),
    row("fact", "it turns out", r"^(?:it\s+)?turns out\s+(?:that\s+)?(?P<value>.+)"),
    row(
        "fact",
        "the root cause is",
        r"^the (?:root cause|real reason|actual cause|culprit)\s+(?:is|was)\s+(?P<value>.+)",
    ),
    row(
        "fact",
        "for the record",
        r"^(?:for the record|fyi|heads[- ]up|just so you know|note that|keep in mind(?: that)?|",
        r"be aware(?: that)?|for context)\b[,:]?\s+(?:that\s+)?(?P<value>.+)",
    ),
)
