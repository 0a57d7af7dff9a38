"""Where a line hands over to words that somebody else wrote: a mail, a chat, a file, a page, a patch."""

import re
from collections import Counter
from collections.abc import Iterable

from minutebook.extract.phrases import choice

_FIRST_NAMES = choice(
    *("alice", "bob", "carol", "dave", "eve", "mallory", "trent", "alex", "andrew", "anna", "ben", "chris", "daniel"),
    *("david", "emily", "emma", "eric", "frank", "george", "jack", "james", "jane", "jason", "jeff", "jim", "joe"),
    *("john", "jon", "julia", "kate", "kevin", "laura", "linda", "lisa", "maria", "martin", "mary", "matt"),
    *("mia", "michael", "mike", "nick", "olivia", "paul", "peter", "rachel", "richard", "robert", "ryan", "sam"),
    *("sara", "sarah", "scott", "simon", "sofia", "sophie", "stefan", "steve", "susan", "thomas", "tim", "tom"),
    *("chatgpt", "gpt", "copilot", "gemini", "llama", "grok", "assistant"),
)
_SOURCES = choice(
    r"(?:the |this |that |our |their |its |an? )?(?:[\w-]+ ){0,2}(?:docs?|documentation|readme(?:\.md)?|article|"
    r"blog(?: post)?|page|website|guide(?:lines)?|manual|wiki|ticket|issue|email|mail|message|letter|reviewer|review|"
    r"bot|log|output|spec(?:ification)?|rfc|tutorial|comment|thread|answer|customer|client|story|book|file|prompt|transcript)",
    *("he", "she", "they", "it", "someone", "somebody", "everyone"),
    rf"(?:the user|(?:my|our|the) (?:boss|manager|colleague|coworker|friend|lead|team|cto|ceo)|{_FIRST_NAMES}|claude)",
)
_SPEAK = choice(
    *(
        "says?",
        "said",
        "states?",
        "claims?",
        "suggests?",
        "recommends?",
        "told (?:me|us)",
        "mentions?",
        "answer(?:s|ed)",
    ),
    *("repl(?:y|ies|ied)", "wrote", "writes?", "reads?", "has", "respond(?:s|ed)", "goes", "explains?", "printed"),
)
_TIME = r"\[?(?:today at |yesterday at )?\d{1,2}:\d{2}(?::\d{2})?\]?"
HANDS_OVER = re.compile(
    rf"\s*(?:"
    rf"(?:here(?:'s| is| are) )?(?:the )?(?:contents?|text|body|excerpt|output|copy) (?:of|from) \S.{{0,100}}:\s*$|"
    rf"(?:here(?:'s| is| are)|this is|see|below is|i got) (?:what )?{_SOURCES}\b(?: [\w'-]+){{0,3}}:\s*$|"
    rf"(?:.{{0,40}}[,.] )?{_SOURCES}(?: in the \w+)? {_SPEAK}(?: \w+){{0,4}}:\s*$|"
    rf"{_SOURCES}(?: in the \w+)? (?:says?|said|answered|replied|wrote)\s*$|"
    rf"(?:on .{{0,60}}, )?\S.{{0,60}} wrote:\s*$|"
    rf"(?:from|to|cc|reply-to): (?:.{{0,80}}\w@\w|{_FIRST_NAMES}\b)|"
    rf"(?:sent|date): .{{0,40}}\d{{1,2}}[:.]\d{{2}}|subject: (?:re|fwd?): |"
    rf"-{{2,}}\s*(?:forwarded|original) message|"
    rf"@?{_FIRST_NAMES}(?: [a-z][\w.'-]{{0,20}})?(?: \([^()]{{1,40}}\))?:\s|"
    rf"[\w.'-]{{1,30}}(?: [\w.'-]{{1,30}})?,?\s+{_TIME} ?[ap]m\s*$|"
    rf"[\w.'-]{{1,30}}(?: [\w.'-]{{1,30}})?\s\s+{_TIME}\s*$|"
    rf"\[?{_TIME}(?: ?[ap]m)?\]?\s+<?[\w.'-]{{1,30}}>?:\s|"
    rf"[=*~]{{3,}}\s*[\w./-]{{1,80}}\s*[=*~]{{3,}}\s*$|"
    rf"<\?xml\b)",
    re.IGNORECASE,
)
"""A line after which nothing of a turn is its writer's: what is pasted has no end that one could see."""
_CAPITAL = r"[^\W\d_a-zß-ÿ]"
_SPEAKER = re.compile(
    rf"\s*@?(?P<name>{_CAPITAL}[\w.'-]{{1,30}}(?: {_CAPITAL}[\w.'-]{{0,30}})?)(?: \([^()]{{1,40}}\))?:\s+\S"
)
_LABELS = frozenset(
    (
        *("note", "notes", "todo", "fixme", "decision", "decisions", "rule", "rules", "question", "questions"),
        *("answer", "answers", "why", "reason", "context", "rationale", "problem", "solution", "goal", "idea", "fix"),
        *("bug", "error", "warning", "step", "task", "option", "example", "expected", "actual", "before", "after"),
        *("input", "output", "given", "when", "then", "plan", "result", "status", "title", "summary", "pro", "con"),
        *("pros", "cons", "update", "fact", "preference", "also", "important"),
    )
)
_PEOPLE, _TIMES = 2, 2
_TAG = re.compile(r"\s*<([A-Za-z][A-Za-z0-9_-]{0,40})(?:\s[^<>]{0,200})?>")
_LATE_TAG = re.compile(r"(?:^|.*[\s:(])<([A-Za-z][A-Za-z0-9_-]{0,40})(?:\s[^<>]{0,200})?>\s*$")
_HOLDERS = frozenset(
    (
        "document",
        "documents",
        "doc",
        "docs",
        "file",
        "page",
        "content",
        "contents",
        "context",
        "output",
        "result",
        "log",
    )
)
_BEGIN = re.compile(r"\s*-{3,}\s*begin\b", re.IGNORECASE)
_HUNK = re.compile(r"@@ -\d")
_PATCH = re.compile(r"(?:[+\-\\ ][^\n]*(?:\n|$))*")


def talk_start(lines: Iterable[str]) -> int:
    """The place of the first line of a talk that was pasted: two people at least, by names that nobody need know, one
    of whom speaks twice. -1 where there is none. `Note: …` and `Decision: …` are no names."""
    named = [(at, found["name"]) for at, line in enumerate(lines) if (found := _SPEAKER.match(line))]
    count = Counter(name for _, name in named if name.lower() not in _LABELS and not name.isupper())
    if len(count) < _PEOPLE or max(count.values()) < _TIMES:
        return -1
    return next(at for at, name in named if name in count)


def skipped_to(line: str, text: str, at: int) -> int:
    """Where the own words go on after a line that opens something pasted; `at` where it is that line alone, -1 where
    it opens nothing. `text` is the whole in small letters, `at` where the next line starts.

    A tag closes where the last of its name does: what stands inside may close it before.
    """
    low = line.lower()
    tag = _TAG.match(low)
    if tag:
        closing = f"</{tag[1]}>"
        return at if closing in low else _after(text, closing, at)
    if low.rstrip().endswith(">") and (late := _LATE_TAG.match(low)):
        closing = f"</{late[1]}>"
        return _after(text, closing, at) if late[1] in _HOLDERS or text.find(closing, at) >= 0 else -1
    if "<![cdata[" in low:
        return at if "]]>" in low else _after(text, "]]>", at)
    if _BEGIN.match(low):
        return _after(text, "-----end", at)
    if low.lstrip().startswith("/*"):
        return at if "*/" in low else _after(text, "*/", at)
    hunk = _PATCH.match(text, at) if _HUNK.match(low) else None
    return hunk.end() if hunk else -1


def _after(text: str, closing: str, at: int) -> int:
    """The start of the line after the last `closing`; the end where it doesn't come."""
    found = text.rfind(closing, at)
    end = text.find("\n", found) if found >= 0 else -1
    return end + 1 if end >= 0 else len(text)
