"""What an entry refers to: its anchors, and the paths, commands and identifiers that its text names.

Only code spans, link targets and tokens that are shaped like paths count; fenced examples, HTML comments, quotations
and URLs don't. A token that is no reference does no harm: what never resolved is unknown, and never flagged.
"""

import re
from collections.abc import Iterator
from typing import Literal

from minutebook.ground import front_matter
from minutebook.ground.entry import Entry
from minutebook.ground.frozen import frozen
from minutebook.ground.log_lines import read_label
from minutebook.ground.markdown import Line, read_lines

Kind = Literal["path", "glob", "dir", "command", "identifier"]

_COMMENT = re.compile(r"<!--.*?(?:-->|$)")
_URL = re.compile(r"(?i)\b[a-z][a-z0-9+.-]{1,20}://[^\s<>)\"'`]+")
_SPAN = re.compile(r"(`{1,3})(?!`)(.{1,300}?)(?<!`)\1(?!`)")
_LINK = re.compile(r"\]\(<?([^()\s<>]+)>?(?:\s+\"[^\"]*\")?\)")
_LINE_SUFFIX = re.compile(r"(?:#[A-Za-z0-9_-]*|:[0-9]+(?:-[0-9]+)?(?::[0-9]+)?)$")
_PATH = re.compile(r"[A-Za-z0-9_.@+*?\[\]-]+(?:/[A-Za-z0-9_.@+*?\[\]-]+)*/?")
_EXTENSION = re.compile(r"[A-Za-z0-9_*\]?-]\.(?=[A-Za-z0-9]*[A-Za-z])[A-Za-z0-9]{1,12}$")
_BARE = re.compile(
    r"(?i)[\w.-]+\.(?:bash|c|cc|cfg|conf|cpp|cs|css|csv|cts|env|ex|exs|go|gradle|h|hpp|hs|html|ini|ipynb|java|js"
    r"|json|jsonl|jsx|kt|lock|lua|md|mdc|mdx|mjs|mts|php|pl|prisma|proto|ps1|py|pyi|r|rb|rs|rst|scala|scss|sh|sql|svelte"
    r"|swift|tf|toml|ts|tsx|txt|vue|xml|yaml|yml|zig)"
)
_KNOWN_FILES = frozenset(
    {"Makefile", "GNUmakefile", "justfile", "Dockerfile", "Containerfile", "Procfile", "Gemfile", "Rakefile", "LICENSE"}
)
_IDENTIFIER = re.compile(r"(?:[A-Za-z_]\w*(?:\.|::|#))*([A-Za-z_]\w{2,63})(\(.{0,80}\))?")
_TELLING = re.compile(r"[A-Za-z0-9]_[A-Za-z0-9]|[a-z0-9][A-Z]|^[A-Z]{2,}[A-Z0-9]{2,}$|^_[a-z]")
_COMMAND = re.compile(r"(?:\$ )?([a-z][a-z0-9_.-]{0,40})((?:\s+\S+)+)")
_PLACEHOLDER = re.compile(r"[<>{}$…|\\^%]|\.\.\.|YYYY|XXX")
_LONGEST = 300
_WILDCARDS = 6
_NO_CLAIMS = frozenset(
    {"anchors", "source", "tags", "related", "supersedes", "superseded_by", "status", "date", "verified", "updated"}
)


@frozen
class Reference:
    """`text` is what is looked for: a path with `/`, a glob, a folder without its last `/`, a command line or a
    bare identifier. `line` is 1-based in the entry's file. `explicit` is an anchor that somebody set."""

    kind: Kind
    text: str
    line: int
    explicit: bool = False


def references(entry: Entry) -> tuple[Reference, ...]:
    """Each thing once, anchors first, then in the order of the text."""
    found: dict[tuple[str, str], Reference] = {}
    for reference in (*_anchors(entry), *_in_text(entry)):
        found.setdefault((reference.kind, reference.text), reference)
    return tuple(found.values())


def looked_for(anchor: str) -> str:
    """What an anchor as written looks for; "" when it is nothing that can be looked for."""
    return next((reference.text for reference in _path(anchor, 0, explicit=True)), "")


def _anchors(entry: Entry) -> Iterator[Reference]:
    anchors = entry.fields.get("anchors", ())
    for index, anchor in enumerate(anchors if isinstance(anchors, list) else ()):
        line = entry.lines.get(("anchors", index), entry.line_of("anchors"))
        yield from _path(str(anchor), line, explicit=True)


def _in_text(entry: Entry) -> Iterator[Reference]:
    text, first = entry.text, entry.line
    found = None if entry.in_log else front_matter.split(text)
    if found is not None:
        _, text, first = found
    label = ""
    for row in read_lines(text, first):
        opened = read_label(row.text) if row.live else None
        label = opened[0] if opened else "" if row.level or not row.text.strip() else label
        if row.live and label not in _NO_CLAIMS and not row.text.lstrip().startswith(">"):
            yield from _in_line(row)


def _in_line(row: Line) -> Iterator[Reference]:
    line = _COMMENT.sub(" ", row.text.rstrip("\n"))
    for match in _SPAN.finditer(line):
        yield from _in_span(match[2].strip(), row.number)
    prose = _SPAN.sub(" ", line)
    for match in _LINK.finditer(prose):
        if "://" not in match[1] and not match[1].startswith(("#", "mailto:")):
            yield from _path(match[1], row.number)
    prose = _URL.sub(" ", _LINK.sub("] ", prose))
    for word in prose.split():
        if len(word) > _LONGEST:
            continue
        bare = word.strip("*_,;:!?()[]\"'“”‘’").rstrip(".")
        deep = "/" in bare and (_EXTENSION.search(bare) or bare.endswith("/") or bare.count("/") > 1)
        if deep or _BARE.fullmatch(bare):
            yield from _path(bare, row.number)


def _in_span(span: str, line: int) -> Iterator[Reference]:
    if _URL.search(span) or _PLACEHOLDER.search(span):
        return
    words = span.split()
    if len(words) == 1:
        yield from _path(span, line)
        name = _IDENTIFIER.fullmatch(span)
        if name and "/" not in span and not _BARE.fullmatch(span) and (name[2] or _TELLING.search(name[1])):
            yield Reference("identifier", name[1], line)
        return
    if _COMMAND.fullmatch(span):
        yield Reference("command", " ".join(words).removeprefix("$ "), line)
    for word in words:
        if "/" in word or _BARE.fullmatch(word):
            yield from _path(word, line)


def _path(token: str, line: int, *, explicit: bool = False) -> Iterator[Reference]:
    if len(token) > _LONGEST:
        return
    text = _LINE_SUFFIX.sub("", token.strip().strip("`"))
    while text.startswith("./"):
        text = text[2:]
    shaped = explicit or "/" in text or text in _KNOWN_FILES or _BARE.fullmatch(text)
    if not text.strip("./*") or text.startswith(("/", "~", "-", "@")) or not shaped or not _PATH.fullmatch(text):
        return
    if "*" in text or "?" in text:  # brackets are parts of names: app/[slug]/page.tsx
        if len(re.findall(r"\*+/?|\?", text)) <= _WILDCARDS:
            yield Reference("glob", text, line, explicit)
    elif text.endswith("/"):
        yield Reference("dir", text.rstrip("/"), line, explicit)
    else:
        yield Reference("path", text, line, explicit)
