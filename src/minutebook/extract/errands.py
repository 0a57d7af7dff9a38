"""Words that open as many errands as decisions: “we need to …”, “let's …”, “the button should …”.

These rows are looked for at the start of a sentence alone, after the sure ones of `grammar`, and only what else is said
there can lift a clause over the threshold.
"""

from minutebook.extract.grammar import SUBJECT, Row, row
from minutebook.extract.phrases import choice

_PRONOUN = r"we|i|it|this|that|they|you|there|these|those|what|he|she"
_NO_THING = (
    rf"{_PRONOUN}|since|after|before|when|if|because|while|until|as|for|in|on|at|but|and|so|then|yesterday|today|now"
)
_THING = (
    rf"(?:the |our |a |an )?(?!(?:{_NO_THING})\b)(?:`[^`]{{2,60}}`|"
    r"[A-Z][\w.-]+(?: [A-Z][\w.-]+){0,2}|[\w-]+[._/][\w./-]+|"
    rf"(?!(?:{_NO_THING})\b)[\w-]+(?: (?!(?:{_PRONOUN})\b)[\w-]+){{0,3}}?)"
)
_DO = choice(
    *("keep", "drop", "make", "store", "name", "call", "rename", "remove", "put", "start with", "limit", "support"),
    *("have", "track", "split", "merge", "move", "leave", "treat", "model", "expose", "hide", "require", "allow"),
    *("build", "only"),
    *("ship", "target", "write", "return", "save", "cache", "pin", "get rid of", "replace", "separate", "avoid"),
)
_IMPERATIVE = choice(
    *("use", "name", "call", "keep", "make", "store", "put", "support", "require", "default", "drop", "leave"),
    *(
        "limit",
        "return",
        "follow",
        "only",
        "treat",
        r"write(?! (?:to|an?|the|it|this|that|down|me|\S{0,40}[\"'“]))",
        "render",
        "show",
        "respect",
        "reuse",
        "target",
    ),
    *("stick to", "include", "exclude", "group", "sort", "log", "validate", "pin", "cache", "expose", "separate"),
)
WEAK: tuple[Row, ...] = (
    row(
        "rule",
        "for each",
        r"^(?:please\s+)?(?P<value>(?:run|add|write|update|use|call|check|bump|regenerate|format|lint|build|make|open|",
        r"create|tag|put|keep|log|document|test|review|rebase|squash|ask|name|prefix|validate|mock|type)\s(?:.{2,200}?\s)?",
        r"(?:(?:(?:before|after|with|on|for|in|per|when|of)\s+(?:you\s+)?)?(?:each|every|any|all)\s|(?:before|after|when|on)\s+",
        r"(?:you\s+)?(?:commit|push|open|releas|merg)\w*\b).*)",
    ),
    row(
        "rule",
        "for such things",
        r"^(?:for|in)\s+(?P<value>(?!(?:this|that|these|those|now|the moment|me)\b)[\w./` -]{3,40}?,?\s+",
        r"(?:we\s+|please\s+|always\s+|only\s+)?(?:use|prefer|avoid|write|follow|name|put|keep|never)\b.+)",
    ),
    row(
        "rule",
        "what we do",
        r"^we\s+(?:all\s+)?(?P<value>(?:don'?t\s+|do not\s+)?(?:use|follow|keep|write|name|put|deploy|ship|test|store|",
        r"review|squash|release|tag|pin|document|mock|allow|support|version|generate)\b.+)",
    ),
    row(
        "rule",
        "this repository",
        r"^(?:this|our|the) (?:repo(?:sitory)?|project|code ?base|package|service|team)\s+(?P<value>(?:uses?|follows?|",
        r"has|keeps?|targets?|only|doesn'?t|is|needs?|supports?)\b.+)",
    ),
    row(
        "rule",
        "where it goes",
        rf"^(?P<value>{_THING}\s+(?:go(?:es)?|belongs?|lives?|stays?)\s+",
        r"(?:in|into|next to|under|with|to|on|at|beside)\b.+)",
    ),
    row(
        "rule",
        "all of them",
        r"^(?:every|each|all|no)\s+(?:our |the )?(?P<value>[\w`./-]+(?:\s[\w`./-]+){0,3}?\s+(?:is|are|starts?|uses?|",
        r"ha(?:s|ve)|goes|go|lives?|comes?|gets?|returns?|takes?)\b.+)",
    ),
    row("rule", "there should be", r"^there\s+(?:should|must|shall)\s+(?P<value>(?:not |never |always |only )?be\b.+)"),
    row(
        "adoption",
        "we need",
        r"^we(?: also| still| really| _?do_?)? (?:(?:need|want)(?: to)?|have to)\s+(?P<value>.+)",
    ),
    row(
        "adoption", "let's", rf"^(?:let'?s|let us|we'?ll|we will)\s+(?:also\s+|just\s+|always\s+)?(?P<value>{_DO}\b.+)"
    ),
    row("adoption", "we should", r"^we\s+should\s+(?:also\s+|just\s+|probably\s+|be\s+)?(?P<value>.+)"),
    row(
        "adoption",
        "should",
        rf"^{SUBJECT}\s+(?:should(?:n'?t)?|shall|needs?(?: to)?|ha(?:s|ve) to|will)\s+",
        r"(?:also\s+|not\s+)?(?P<value>.+)",
    ),
    row("adoption", "it must", r"^(?:it|they|this|that)?\s*must\s+(?:not\s+)?(?P<value>.+)"),
    row("adoption", "I want", r"^i(?:'d| would)?(?: really)? (?:want|like|need)\s+(?P<value>.+)"),
    row(
        "rule", "make sure", r"^(?:please\s+)?(?:make sure|ensure|be sure)\b(?:\s+(?:to|that|you|we))*\s+(?P<value>.+)"
    ),
    row("rule", "don't", r"^(?:please\s+)?(?:do not|don'?t|stop|avoid)\s+(?P<value>.+)"),
    row(
        "rule",
        "when you",
        r"^(?:when|before|after|if|for)\s+(?P<value>(?:you|we|adding|writing|changing|committing|merging|creating|",
        r"naming|every|each|any|all|a|new)\b.+)",
    ),
    row("rejection", "no need", r"^(?:there(?:'s| is) )?no (?:need|point|reason)\s+(?:for|to|in)\s+(?P<value>.+)"),
    row(
        "rule",
        "no such thing",
        r"^no\s+(?!(?:problem|worries|idea|need|one|it|that|this|i|we|you|thanks)\b)",
        r"(?P<value>[a-z`].+)",
    ),
    row("adoption", "imperative", rf"^(?:please\s+|just\s+|always\s+)?(?P<value>{_IMPERATIVE}\s+.+)"),
    row(
        "fact",
        "we have",
        r"^(?:we(?:'ve)?(?: already| also)? (?:have|run|got)|there(?:'s| is| are)(?: already| also)?)\s+(?P<value>.+)",
    ),
    row(
        "fact",
        "is",
        rf"^(?P<value>{_THING}\s+(?:is|are|isn't|aren't|has|have|doesn'?t|does not|can(?:'t|not)|only|",
        r"lives?|runs?|uses?|",
        r"expects?|returns?|requires?|supports?|comes?|belongs?)\b.+)",
    ),
)
