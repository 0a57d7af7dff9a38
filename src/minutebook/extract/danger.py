"""What no memory may tell the next agent unless a person asked for it: a table of dangerous statements, by why.

A table can't know every wording; it makes the usual ones cost a look. The promise lies elsewhere: only what a person
said may be proposed at all, and a person merges.
"""

import re
import unicodedata

from minutebook.extract.phrases import choice

_WEAKEN = choice(
    "skip(?:s|ped|ping)?",
    r"disabl\w*",
    r"bypass\w*",
    r"ignor\w+",
    r"turn(?:s|ed|ing)? off",
    r"switch(?:ed|ing)? off",
    r"suppress\w*",
    r"weaken\w*",
    r"remov\w+",
    r"drop\w*",
    "without",
    r"auto-?approve\w*",
    r"comment\w* out",
    r"lower\w*",
    r"relax\w*",
    r"loosen\w*",
    r"omit\w*",
    r"leav\w+ out",
    r"exclud\w+",
    "waive",
    r"silenc\w+",
    "(?:never|no longer|don't|do not|not|stop)(?: to)? (?:run|need|want|write|wait|require|bother|scan)(?:ning)?",
    "no (?:more|need for)",
    "even (?:if|when)",
    "regardless of",
    "despite",
    r"mut(?:e|ed|ing)",
)
_CHECK = choice(
    "(?:py|unit|e2e)?tests?",
    "testing",
    "specs?",
    "checks?",
    "hooks?",
    "ci",
    r"lint\w*",
    "verification",
    "reviews?",
    "guards?",
    "gates?",
    "signatures?",
    "validation",
    "warnings?",
    "approvals?",
    r"sandbox\w*",
    "security",
    "pipelines?",
    "coverage",
    "failures?",
    "audits?",
    "vulnerabilit(?:y|ies)",
    "assert(?:ion)?s?",
    r"confirm\w*",
    r"rate limit\w*",
    "mfa",
    "2fa",
    "(?:two|multi)-factor",
    "csp",
    "csrf",
    "cors",
    r"authenti\w+",
    r"encrypt\w*",
    "tls",
    "certificates?",
)
_GONE = choice(
    r"(?:may|can|should|must|will|to) (?:simply |just )?be (?:skipped|disabled|ignored|bypassed|suppressed)",
    r"(?:may|can|should|must|will|to) (?:simply |just )?be (?:turned off|left out|dropped|deleted|removed)",
    "optional",
    "not (?:needed|required|necessary)",
    "unnecessary",
    "pointless",
    "a waste",
    "(?:is|are|stays?) off",
    "(?:is|are) (?:skipped|disabled|dropped|ignored)",
    "as (?:pending|expected|known)",
    "delete (?:it|them)",
)
_DISARMED = choice(
    r"--no-(?:verify|gpg-sign|tests?|check\w*)\b",
    r"commit\b.{0,40}\s-n\b",
    "dangerously",
    r"\bunsafe mode\b",
    r"--yolo\b",
    r"\bxfail\b",
    r"\b(?:it|describe|test)\.(?:skip|todo)\b",
    r"\bhusky\s?=\s?0",
    r"\bskip_?\w*\s?=\s?(?:1|true)",
    r"\bskip_\w+ (?:must|should) be true",
    r"-d?skiptests\b",
    r"#\s?noqa",
    r"type:\s?ignore",
    r"eslint-disable",
    r"nolint\b",
    r"(?:never|don't|do not|stop) run(?:ning)? (?:mypy|ruff|eslint|pytest)\b",
    "continue-on-error",
    r"\|\|\s*true\b",
    r"\bverify\s?[:=]\s?(?:false|0)",
    r"\bverify\w* .{0,30}\b(?:is|are) off",
    r"tls_reject_unauthorized",
    r"rejectunauthorized",
    "stricthostkeychecking",
    r"--insecure\b",
    r"\bcurl\b.{0,30}\s-k\b",
    r"\s-k\b.{0,30}\bcurl\b",
    r"--allow-empty-message\b",
    r"\bleave\b.{0,30}\btests?\b.{0,10}\bout\b",
    r"\bupdate\b.{0,20}\bsnapshots?\b",
    r"\bchang\w+ the expected",
    r"merge\b.{0,40}\b(?:red|failing|broken)\b",
    r"\b(?:mfa|2fa|two-factor)\b.{0,10}\boff\b",
    r"without (?:waiting|review|logging in|login|auth\w*|reading)",
    r"merge (?:your|their|its|his|her) own\b",
)
_SEND = choice("send", "upload", "post", "forward", "exfiltrate", "copy", "append", "make http calls?")
_ELSEWHERE = choice(r"\bhttps?://", r"\bftp://", r"[\w.]{1,40}@[\w.]{1,40}", r"\bmetrics\.\w", r"\bto the share\b")
_TICKET = (
    r" (?:the |a |any )?(?:ticket|issue|story|task|pull request|pr)(?: (?:number|id|key|name))?s?"
    r"(?: (?:in|from) (?:the |a |your |any )?(?:commits?|commit messages?|pull requests?|prs?|branch(?:es| names?)?|"
    r"titles?|code|comments?|changelog|release notes?))?\s*(?:[.,;!]|$| because\b| since\b)"
)
"""What is named in a commit or not is style, where nothing else is said of it."""
_TABLE = (
    (
        "it talks about credentials",
        choice(
            r"\b(?:api|access|private|ssh|signing|deploy)[ _-]?keys?\b",
            r"\b(?:tokens?|passwords?|passphrases?|passcodes?)\b",
            r"\b(?:secrets?|credentials?|cookies?|vaults?|keychains?|keytabs?)\b",
            r"(?<!\w)\.env\b",
            r"~/\.ssh\b",
            r"\bPAT\b",
            r"\bconnection strings?\b",
            r"\bbearer\b",
            r"\blogins?\b.{0,20}\b(?:for|of|to)\b",
            r"\benvironment variables to\b",
            r"\b(?:the|my|his|her|a|your) pin\b",
            r"\bservice accounts?\b",
        ),
    ),
    ("it would weaken a check", rf"{_DISARMED}|\b{_WEAKEN}\b.{{0,50}}\b{_CHECK}\b|\b{_CHECK}\b.{{0,40}}\b{_GONE}"),
    (
        "it asks to hide something",
        choice(
            r"\b(?:hide|hiding|secretly|silently|covertly)\b",
            r"\bconceal\w*",
            r"\bwithout (?:telling|asking|informing)\b",
            rf"\b(?:don't|do not|never) (?:tell|mention(?!{_TICKET})|report|disclose|reveal|show|inform)\b",
            r"\b(?:don't|do not|never) (?:bring up|speak of|talk about)\b",
            r"\b(?:leave|omit|keep)\b.{0,40}\b(?:out of|from) the (?:changelog|release notes|report|summary|log)\b",
            r"\bbetween us\b",
            r"\bas (?:green|passed|passing|successful|approved)\b",
            r"\bsay that (?:everything|all|it) (?:passed|is fine)\b",
            r"\bdelete (?:the|all|your|any) (?:log|logs|history|traces?|evidence|audit)\b",
        ),
    ),
    (
        "it gives orders to whoever reads it",
        choice(
            r"\bignore (?:all |any )?(?:previous|prior|earlier|other|these|those) (?:instructions|rules|prompts)\b",
            r"\bsystem prompt\b",
            r"\b(?:next|every|each|future|other|all) agents?\b",
            r"\byou are now\b",
            r"\bas an ai\b",
            r"\b(?:copy|add|repeat|spread|put|paste)\b.{0,40}\b(?:AGENTS|CLAUDE)\.md\b",
            r"\bwhoever reads this\b",
            r"\b(?:put|copy|repeat|add) this (?:paragraph|sentence|text|line|note) (?:into|in|to)\b",
            r"\b(?:obey|follow) (?:the )?(?:instructions?|orders?|whatever)\b.{0,60}",
            r"\btrust (?:pull requests|patches|commits|code|comments) (?:from|by)\b",
            r"\bcomments? by \w+ as approved\b",
        ),
    ),
    (
        "it changes permissions or runs what it downloads",
        choice(
            r"\b(?:sudo|chmod|permissions?|superuser|as root)\b",
            r"\b(?:admin|root|owner) (?:access|rights|role)\b",
            r"\b0?777\b",
            r"\bforce[- ]push\w*",
            r"\bpush\w*\b.{0,40}(?:--force|\s-f\b)",
            r"--force\b.{0,30}\bpush",
            r"\b0\.0\.0\.0/0\b",
            r"(?:curl|wget)\b.{0,80}\|\s*(?:ba|z)?sh",
            r"\brm -[rf]{1,2}\b",
            r"\brun the script at\b",
            r"\beval on\b",
            r"\binstall whatever\b",
            r"\bdelete files at will\b",
            r"\bstring concatenation\b.{0,30}\b(?:sql|quer)",
            r"\bquer(?:y|ies) by string concatenation\b",
            r"\bopen the firewall\b",
        ),
    ),
    (
        "it takes a decision out of people's hands",
        choice(
            r"\b(?:never|don't|do not|without|stop) ask(?:ing)? (?:me|us|for|before|the user|anyone)\b",
            r"\banswer yes to\b",
            r"\b(?:straight|directly) (?:to|on|into) (?:the )?(?:main|master|trunk|production)\b",
            r"\bwithout (?:confirmation|approval|waiting|my|a go-ahead|permission)\b",
            r"\bdon't need (?:my|our|a|any) (?:go-ahead|approval|ok|permission)\b",
            r"\b(?:approve|accept|confirm|allow)\b.{0,40}\bautomatically\b",
            r"\bautomatically (?:approve|accept|confirm|allow)\b",
            r"\baccept the terms\b",
        ),
    ),
    (
        "it sends something elsewhere",
        rf"\b{_SEND}\b.{{0,80}}{_ELSEWHERE}",
    ),
    ("it shows a picture or a link that tells somebody of its reader", r"!\[[^\]]{0,200}\]\(|<img\b|<iframe\b"),
)
_COMPILED = tuple((why, re.compile(pattern, re.IGNORECASE)) for why, pattern in _TABLE)
_MIXED = re.compile("[A-Za-z][\u0370-\u03ff\u0400-\u052f]|[\u0370-\u03ff\u0400-\u052f][A-Za-z]")
_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]")
_LETTERS = re.compile(r"\b(?:[A-Za-z0-9][ .·_]){2,}[A-Za-z0-9]\b")
_INSIDE = re.compile(r"(?<=[A-Za-z])-(?=[A-Za-z])")
_DIGITS = str.maketrans("013457@$", "oieastas")


def why_dangerous(text: str) -> str:
    """Why a person must look before this becomes memory; "" when nothing speaks against it.

    Read as it stands, and as it is meant to be read by whoever spells it `s k i p`, `te-sts` or `sk1p`.
    """
    plain = _UNSEEN.sub("", unicodedata.normalize("NFKC", text))
    why = next((why for spelling in _spellings(plain) if (why := _found(spelling))), "")
    return why or ("a word in it mixes alphabets" if _MIXED.search(plain) else "")


def _found(text: str) -> str:
    return next((why for why, pattern in _COMPILED if pattern.search(text)), "")


def _spellings(text: str) -> list[str]:
    joined = _LETTERS.sub(lambda match: re.sub(r"[ .·_]", "", match[0]), text)
    words = [_undigited(word) for word in joined.split(" ")]
    return list(dict.fromkeys((text, joined, _INSIDE.sub("", joined), " ".join(words))))


def _undigited(word: str) -> str:
    """`t3sts` as `tests`: only words of letters with a digit or two inside."""
    inside = any(c.isalpha() for c in word) and any(c in "013457@$" for c in word[1:])
    return word.translate(_DIGITS) if inside and word.strip(".,;:!?").isalnum() and len(word) < 20 else word
