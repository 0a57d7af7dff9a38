"""What a person said of a text in a person's place: harnesses put there what hooks, skills and programs say, too."""

import re
from typing import Any

HUMANS = (None, "", "human", "user")
"""Who said it, where a format names that: nobody in particular, or a person."""
_UNSEEN = (
    r"\s\x00-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    r"\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff"
)
_BEFORE = re.compile(f"[{_UNSEEN}]+")
"""Characters that take no ink, of which any number may stand before the first that is seen."""
_EVENTS = (
    "(?:PreToolUse|PostToolUse|PostToolUseFailure|UserPromptSubmit|SessionStart|SessionEnd|Stop|StopFailure"
    "|SubagentStart|SubagentStop|PreCompact|PostCompact|Notification|PermissionRequest)"
)
_SAYS = "(?:feedback|additional context|success|(?:non-)?blocking error|error|stopped|warning|output)"
_INJECTED = re.compile(
    rf"{_EVENTS}(?::\S{{1,200}} hook\b| hook {_SAYS})"
    r"|Contents of \S{1,500}(?: \([^)\n]{1,200}\))?:\s"
    r"|\[Image: ?source|\[SYSTEM NOTIFICATION"
    r"|The user (?:opened the file \S{1,500} in the IDE|selected the lines \d{1,9} to \d{1,9} from )"
    r"|Base directory for this skill:|Called the \w{1,60} tool with the following input:|Result of calling the "
    r"|<(?:system[-_](?:reminder|notification)|task-notification|channel|memory)\b"
)
_OPENS = re.compile(r"<system[-_](?:reminder|notification)\b[^<>]{0,200}>?", re.IGNORECASE)
_CLOSES = re.compile(r"</system[-_](?:reminder|notification)\s{0,9}>", re.IGNORECASE)


def spoken(text: str, openings: tuple[str, ...]) -> str:
    """The text without reminders in it, or "" where it begins as no person's does: with one of `openings`, or with what
    any harness injects."""
    before = _BEFORE.match(text)
    start = before.end() if before else 0
    if start == len(text) or text.startswith(openings, start) or _INJECTED.match(text, start):
        return ""
    return _without_reminders(text) if "<" in text else text


def is_human(named: Any) -> bool:
    """Whether a mark of origin, a name or an object with a `kind`, names a person, or nobody."""
    return (named.get("kind") if isinstance(named, dict) else named) in HUMANS


def _without_reminders(text: str) -> str:
    """Cut from the first that opens to the last that closes: what a reminder quotes may hold the end of one, and what
    follows that is no more a person's than what stands before it. One that doesn't close goes on to the end."""
    opens = _OPENS.search(text)
    if opens is None:
        return text
    end = len(text)
    for closes in _CLOSES.finditer(text, opens.end()):
        end = closes.end()
    unclosed = _OPENS.search(text, end)
    return text[: opens.start()].rstrip() + text[end : unclosed.start() if unclosed else len(text)]
