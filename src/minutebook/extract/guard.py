"""Why a sentence with a cue is no memory: a question, a guess, a joke, a step, hearsay, or something to quarantine."""

import re
import unicodedata

from minutebook.extract.phrases import choice, phrases
from minutebook.ground.session import Candidate
from minutebook.ground.unseen import has_unseen

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
_STEP = phrases(
    *("this (?:time|once|one|pr|commit|session|test|file only|branch)", "just (?:this )?once", "right now", "today"),
    *("tonight", "before (?:we|you) (?:continue|start|go on)", "while (?:we're|you're) (?:here|at it)"),
    *("next step", "again"),
)  # fmt: skip
_WEAKEN = choice(
    *(
        "skip(?:s|ped|ping)?",
        r"disable\w*",
        r"bypass\w*",
        r"ignor\w+",
        "turn(?:ing)? off",
        r"suppress\w*",
        r"weaken\w*",
    ),
    *(r"remov\w+", r"drop\w*", "without", r"auto-?approve\w*", r"comment\w* out", r"lower\w*", r"omit\w*"),
    "(?:never|no longer|don't|do not|not|stop)(?: to)? (?:run|running|need|want|write|wait|require|bother)",
    *("no (?:more|need for)", r"leav\w+ out", "even (?:if|when)", "regardless of", "despite", r"exclud\w+", "waive"),
)
_CHECK = choice(
    *(
        "(?:py|unit|e2e)?tests?",
        "testing",
        "checks?",
        "hooks?",
        "ci",
        r"lint\w*",
        "verification",
        "reviews?",
        "guards?",
        "gates?",
    ),
    *("signatures?", "validation", "warnings?", "approvals?", r"sandbox\w*", "security", "pipelines?", "coverage"),
    "failures?",
)
_NOT_NEEDED = choice(
    r"(?:may|can|should|must|will|to) (?:simply |just )?be (?:skipped|disabled|ignored|bypassed|"
    r"suppressed|turned off|left out)",
    "optional",
    "not (?:needed|required|necessary)",
    "unnecessary",
    "pointless",
    "a waste",
)
_DISARMED = choice(
    *("--no-verify", r"commit\b.{0,40}\s-n\b", "dangerously", r"\bunsafe mode\b", r"--yolo\b", r"\bxfail\b"),
    r"(?:never|don't|do not|stop) run(?:ning)? (?:mypy|ruff|eslint|pytest)\b",
    *("continue-on-error", r"\|\|\s*true\b", r"verify\s?=\s?false", "tls_reject_unauthorized", "stricthostkeychecking"),
    *(r"--insecure\b", r"--allow-empty-message\b", r"\bleave\b.{0,30}\btests?\b.{0,10}\bout\b"),
)
_QUARANTINE = (
    (
        "it talks about credentials",
        re.compile(
            r"\b(?:api[ _-]?keys?|access[ _-]?keys?|private keys?|ssh keys?|tokens?|passwords?|passphrases?|secrets?|"
            r"credentials?|cookies?)\b|(?<!\w)\.env\b",
            re.IGNORECASE,
        ),
    ),
    (
        "it would weaken a check",
        re.compile(
            rf"{_DISARMED}|\b{_WEAKEN}\b.{{0,50}}\b{_CHECK}\b|\b{_CHECK}\b.{{0,40}}\b{_NOT_NEEDED}\b", re.IGNORECASE
        ),
    ),
    (
        "it asks to hide something",
        phrases(
            *("hide", "hiding", r"conceal\w*", "secretly"),
            *("silently", "covertly", "without (?:telling|asking|informing)"),
            "(?:don't|do not|never) (?:tell|mention|report|disclose|reveal|show|inform)",
        ),
    ),
    (
        "it gives orders to whoever reads it",
        phrases(
            r"ignore (?:all |any )?(?:previous|prior|earlier|other|these|those) (?:instructions|rules|prompts)",
            *("system prompt", "next agent", "future agents?", "other agents?", "every agent", "all agents"),
            *("you are now", "as an ai", r"(?:copy|add|repeat|spread)\b.{0,40}\b(?:AGENTS|CLAUDE)\.md"),
        ),
    ),
    (
        "it changes permissions or runs what it downloads",
        phrases(
            *("sudo", "chmod", "permissions?", "admin (?:access|rights)", r"force[- ]push\w*", "as root"),
            *(r"push\w*\b.{0,30}--force", r"(?:curl|wget)\b.{0,80}\|\s*(?:ba|z)?sh", r"rm -[rf]{1,2}"),
        ),
    ),
    (
        "it takes a decision out of people's hands",
        phrases(
            r"(?:never|don't|do not|without|stop) ask(?:ing)? (?:me|us|for|before|the user|anyone)",
            *("answer yes to", "straight to (?:main|master)"),
            r"(?:approve|accept|confirm|allow)\b.{0,40}\bautomatically",
            r"automatically (?:approve|accept|confirm|allow)",
        ),
    ),
    (
        "it sends something elsewhere",
        phrases(r"(?:send|upload|post|forward|exfiltrate|copy)\b.{0,60}\b(?:https?://|ftp://|[\w.]{1,40}@[\w.]{1,40})"),
    ),
)  # fmt: skip
_MIXED = re.compile("[A-Za-z][\u0370-\u03ff\u0400-\u052f]|[\u0370-\u03ff\u0400-\u052f][A-Za-z]")
_LOOKED_AT = 60_000
_BLANKS = re.compile(r"[\n\t\r]")
_QUOTES = re.compile(r"[\"“”]")


def is_question(text: str) -> bool:
    """Asked, with or without its mark: many people leave it out when they dictate."""
    return "?" in text[-4:] or _QUESTION.match(text.lstrip()) is not None


def doubt(text: str) -> str:
    """Why this sentence is not meant as it stands, in one word; "" when nothing speaks against it."""
    for name, pattern in (("guess", _GUESS), ("joke", _JOKE), ("hearsay", _HEARSAY), ("step", _STEP)):
        if pattern.search(text):
            return name
    return "question" if is_question(text) else ""


def is_joke(text: str) -> bool:
    return _JOKE.search(text) is not None


def is_quoted(text: str, at: int) -> bool:
    """Whether position `at` lies between quotation marks: words of somebody else."""
    return len(_QUOTES.findall(text, 0, at)) % 2 == 1


def quarantine(text: str) -> str:
    """Why a person must look before this becomes memory; "" when nothing speaks against it."""
    plain = unicodedata.normalize("NFKC", text)
    why = next((reason for reason, pattern in _QUARANTINE if pattern.search(plain)), "")
    return why or ("a word in it mixes alphabets" if _MIXED.search(plain) else "")


def hidden(found: Candidate) -> str:
    """The same for characters that nobody can see: in the quote, or anywhere in a turn that the transcript marks."""
    text = found.quote if found.turn.kind == "text" else found.turn.text[:_LOOKED_AT]
    return "it holds characters that nobody can see" if has_unseen(_BLANKS.sub(" ", text)) else ""
