"""What a clause is weighed by, each feature named as a reviewer reads it. A value is 1 where the feature is there.

The names are the keys of `weights.json`; after a change here, the weights are trained again (tests/labels/train.py).
"""

import re
from collections.abc import Mapping

from minutebook.extract.clause import Clause
from minutebook.extract.cues import is_passing
from minutebook.extract.phrases import choice, phrases
from minutebook.extract.prose import unmarked
from minutebook.extract.stance import words
from minutebook.extract.wording import is_hedged

CUE = "cue "
"""What the names of features start with that say how a clause was recognised; an explanation adds them up."""
_LONG_TURN, _LONG_LINE = 1500, 500
_FEW, _MANY = 2, 18
_ERRAND = choice(
    *("add", "update", "create", "write", "implement", "refactor", "change", "edit", "rewrite", "extract", "generate"),
    *("build", "set up", "convert", "replace", "clean up", "delete", "include", "insert", "append", "document"),
)
_STEP = choice(
    *("commit", "push", "pull", "merge", "rebase", "run", "re-?run", "install", "fix", "check", "look", "see", "find"),
    *("investigate", "debug", "continue", "proceed", "start", "try", "test", "review", "open", "deploy", "read"),
    *("figure", "compare", "explain", "show", "tell", "resolve", "address", "discuss", "think", "talk", "wait", "stop"),
    *("finish", "plan", "verify", "examine", "get(?! rid)", "give", "go(?! with)", "reply", "respond", "mark", "close"),
    "search",
)
_LEAD = (
    r"^(?:(?:please|just|also|now|then|first|so|let'?s|we(?:'ll| will| need to| should| can| have to)?|"
    r"i(?:'d| would)? (?:want|like|need)(?: you)? to|make sure (?:to|you)|to|you)\s+)*"
)
_NEXT = phrases(
    "next", "do", "proceed", "go on", "first", "execute", "would you like", "want me", "shall i", "should i", "now"
)
_STEP_WORD = phrases(_STEP, "update", "delete", "tasks?", "work on", "order")
_STEPS = frozenset({"starts with a step", "starts with an errand"})
_PATTERNS: Mapping[str, re.Pattern[str]] = {
    "names a thing": re.compile(r"`[^`]{2,80}`|\b\w+[._/]\w+|\b[A-Za-z]+[a-z][A-Z]\w*\b|\b[A-Z]{2,}\b|\B--\w"),
    "for now": phrases(
        *("for now", "for the moment", "for the time being", "temporarily", "first cut", "to start with"),
        *("at first", "initially", "as a start", "mvp"),
    ),
    "starts with a step": re.compile(rf"{_LEAD}{_STEP}\b", re.IGNORECASE),
    "starts with an errand": re.compile(rf"{_LEAD}{_ERRAND}\b", re.IGNORECASE),
    "speaks of this change": phrases(
        r"(?:this|the|that|your|my) (?:pr|branch|commit|diff|patch|change|merge|issue|ticket|task|bug|error|message|"
        r"failure|file|line|output|log|screenshot|plan|review|comment)s?",
        *("here", "above", "below", "(?<!from )now", "next(?! to)", "then", "rest", "too", "already", "yet", "still"),
        *("draft pr", "as well", "while"),
    ),
    "points at something not named": phrases("it", "this", "that", "these", "those", "them", "one"),
    "speaks of a fault": phrases(
        *(r"bugs?", r"errors?", r"fail(?:s|ed|ing|ure|ures)?", "broken?", "breaks", r"crash\w*", "wrong", "conflicts?"),
        *("not working", "doesn'?t work", "isn'?t working", "issue", "problem(?!\\+)", "missing", "typo"),
        *("flaky", "warning"),
    ),
    "speaks of the past": phrases(
        *("was", "were", "did", "had", "been", "got", "saw", "tried", "happened", "forgot", "noticed", "found"),
        *("just (?:tried|ran|did|saw)",),
    ),
    "tells what happened": re.compile(
        r"\b(?:(?:every|each) time|whenever|when|after|once|until|since) (?:i|it|this|that)\b|\bfor me\b|"
        r"\b(?:just|already) \w+ed\b|\bi(?:'m|'ve)\b",
        re.IGNORECASE,
    ),
    "says what must be": phrases(
        *("must", "should", "shall", "needs? to", "ha(?:s|ve) to", r"needs? (?!to\b)", "cannot", "can'?t", "may not"),
    ),
    "holds for all": phrases(
        *("always", "never", "every", "each", "all", "any", "everywhere", "wherever", "whenever", "by default"),
        *("only", "no", "none", "nowhere", "default(?:s|ing)?", "from now on", "in general", "consistent(?:ly)?"),
    ),
    "one against another": phrases("instead of", "rather than", "not", "over", "no longer", "instead", "but"),
    "speaks of we": phrases("we", "our", "us", "let'?s", "we'?ll", "we'?re"),
    "speaks of I": phrases("i", "i'?m", "i'?ll", "i'?d", "my", "me"),
    "speaks of you": phrases("you", "your", "yourself"),
    "asks politely": phrases("please", "pls", "can you", "could you", "would you"),
    "names a ticket": re.compile(r"#\d|\b[A-Z]{2,6}-\d+\b|https?://|\bPRs?\b|\bissues?\b"),
    "names a number": re.compile(r"\b\d+(?:\.\d+)?\b"),
    "says later": phrases("later", "eventually", "follow[- ]?up", "future", "at some point", "someday", "soon"),
    "a condition": phrases("if", "when", "whenever", "unless", "before", "after", "until", "once"),
    "speaks of code as text": phrases(
        *("function", "method", "variable", "import", r"line \d+", "(?:this|that) line", "paragraph"),
        *("section", "sentence", "test case"),
        *("heading", "wording", "button", "link", "image", "color", "column"),
    ),
    "speaks of how it behaves": phrases(
        *("support(?:s|ed)?", "config(?:ur\\w+)?", "format", "schema", "api", "users?", "clients?", "flags?"),
        *("opt-?in",),
        *("compatib\\w+", "convention", "naming", "depend\\w+", "database", "cache", "storage", "version", "release"),
        *("policy", "production", "staging", "stable", "public", "internal", "license", "timezone", "encoding"),
        *("source of truth", "responsib\\w+", "separate", "architecture", "boundary", "layer", "module"),
    ),
    "speaks of how work is done": phrases(
        *("commit messages?", "commits", "branches", "pull requests", "prs", "tests?", "lint\\w*", "reviews?", "docs"),
        *("changelog", "comments?", "types?", "naming", "style", "formatt\\w+", "migrations?", "fixtures", "ci"),
        *("spelling", "duplication", "coverage", "generated", "vendor(?:ed)?", "conventional"),
    ),
    "a state of the moment": re.compile(
        r"\b(?:is|are|looks?|seems?)\s+(?:(?:so|too|very|still|really|quite|now|a bit|just|all)\s+)*"
        r"(?:slow|broken|red|green|empty|down|stuck|wrong|missing|off|ugly|long|big|small|huge|fine|ready|done|gone|unused|behind|flaky|failing|full|weird)\b",
        re.IGNORECASE,
    ),
    "looks into something": phrases(
        r"to (?:look|find out|see|check|debug|figure|understand|inspect|reproduce|trace|search|step through)",
        *(
            "debugger",
            "profiler",
            "repl",
            "terminal",
            "(?:git )?stash",
            "git (?:log|bisect|blame|diff)",
            "screenshots?",
            r"print statements?",
        ),
    ),
    "speaks of one place or moment": phrases(
        r"(?:line|step|section|paragraph|page|row|column|item) \d+",
        r"(?:first|second|third|last|other|previous|current|same) (?:\w+ )?(?:one|file|test|branch|screenshot|button|"
        r"error|commit|version|line|section|step|heading|paragraph|image|edit|change|variant|approach|task)",
        "(?:version|one|variant|text|result|run|output) (?:before|above|below|again)",
        *("minutes?", "lunch", "tonight", "today", "tomorrow", "when you'?re (?:done|finished)", "afterwards"),
    ),
    "feels": re.compile(r"[!😀-🙏😅👍]|\b(?:cool|nice|great|thanks|awesome|sorry)\b", re.IGNORECASE),
}


def features_of(clause: Clause) -> dict[str, float]:
    """The features that a clause has, by name."""
    said, setting, signal = clause.said, clause.setting, clause.draft.signal
    found, quote = {f"{CUE}{signal}"}, unmarked(clause.draft.quote)
    if clause.cue:
        found.add(f"{CUE}{'sure' if clause.sure else 'weak'}")
        found.add(f"{CUE}{clause.cue}")
    found.update(name for name, pattern in _PATTERNS.items() if pattern.search(said))
    count = len(words(said))
    asked = str(clause.draft.fields.get("context", "")) if signal in ("answer", "option") else None
    facts = {
        "gives a reason": clause.reason,
        "hedged": is_hedged(clause.draft.quote),
        "very short": count < _FEW,
        "very long": count > _MANY,
        "long turn": setting.length > _LONG_TURN,
        "in a long paragraph": setting.longest > _LONG_LINE,
        "pasted look": setting.pasted,
        "first words of the session": setting.first,
        "the turn asks something": setting.asks,
        "the agent had asked": setting.asked,
        "about the agent's own tools": is_passing(said),
        "the agent asked what to do next": asked is not None and _NEXT.search(asked) is not None,
        "the agent asked about a step": asked is not None and _STEP_WORD.search(asked) is not None,
        "agrees to a step": not signal.startswith("cue:") and bool(found & _STEPS),
        "not at the start": not quote.endswith(said) or len(quote) - len(said) > _LEAD_IN,
    }
    found.update(name for name, is_there in facts.items() if is_there)
    return dict.fromkeys(sorted(found), 1.0)


_LEAD_IN = 12
