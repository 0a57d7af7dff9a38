"""What an entry refers to: its anchors, and the paths, commands and names that its text holds.

Only code spans, link targets, URLs of files and tokens that are shaped like paths count, and tools and versions that
are called by name; fenced examples, HTML comments, quotations and other URLs don't. A token that is no reference does
no harm: what never resolved is unknown, and never flagged.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Literal
from urllib.parse import unquote

from minutebook.ground import front_matter
from minutebook.ground.entry import Entry
from minutebook.ground.frozen import frozen, replace
from minutebook.ground.log_lines import looks_like_id, read_label
from minutebook.ground.markdown import Line, read_lines

Kind = Literal[
    "path", "glob", "dir", "url", "command", "symbol", "word", "constant", "flag", "package", "version", "tool", "entry"
]

TOOLS: Mapping[str, tuple[str, ...]] = {
    "npm": ("package-lock.json",),
    "pnpm": ("pnpm-lock.yaml", "pnpm-workspace.yaml"),
    "yarn": ("yarn.lock", ".yarnrc.yml"),
    "poetry": ("poetry.lock",),
    "pipenv": ("Pipfile", "Pipfile.lock"),
    "uv": ("uv.lock",),
    "pytest": ("pytest.ini", "conftest.py", "tests/conftest.py"),
    "tox": ("tox.ini",),
    "nox": ("noxfile.py",),
    "jest": ("jest.config.js", "jest.config.ts"),
    "vitest": ("vitest.config.ts", "vitest.config.js"),
    "eslint": (".eslintrc", ".eslintrc.js", ".eslintrc.json", ".eslintrc.cjs", "eslint.config.js", "eslint.config.mjs"),
    "prettier": (".prettierrc", ".prettierrc.json", "prettier.config.js"),
    "biome": ("biome.json", "biome.jsonc"),
    "ruff": ("ruff.toml", ".ruff.toml"),
    "flake8": (".flake8",),
    "pylint": (".pylintrc", "pylintrc"),
    "mypy": ("mypy.ini", ".mypy.ini"),
    "pyright": ("pyrightconfig.json",),
    "webpack": ("webpack.config.js", "webpack.config.ts"),
    "vite": ("vite.config.ts", "vite.config.js"),
    "rollup": ("rollup.config.js", "rollup.config.mjs"),
    "alembic": ("alembic.ini",),
    "prisma": ("prisma/schema.prisma",),
    "travis": (".travis.yml",),
    "circleci": (".circleci/config.yml",),
    "jenkins": ("Jenkinsfile",),
    "lerna": ("lerna.json",),
    "turborepo": ("turbo.json",),
    "renovate": ("renovate.json", ".renovaterc"),
    "dependabot": (".github/dependabot.yml",),
}
"""Tools that prose calls by name, with the files at the top of a repository that say that one is in use."""

_COMMENT = re.compile(r"<!--.*?(?:-->|$)")
_URL = re.compile(r"(?i)\b[a-z][a-z0-9+.-]{1,20}://[^\s<>)\"'`]+")
_HOSTED = re.compile(r"(?i)https?://[^\s/]+/[^\s/]+/[^\s/]+/(?:-/)?(?:blob|tree)/([^\s/]+)/([^\s?#]+)")
_SPAN = re.compile(r"(`{1,3})(?!`)(.{1,300}?)(?<!`)\1(?!`)")
_LINK = re.compile(r"\]\((?:<([^<>\n]{1,300})>|([^()\s<>]+))(?:\s+\"[^\"]*\")?\)")
_LINE_SUFFIX = re.compile(r"(?:#[A-Za-z0-9_-]*|:[0-9]+(?:-[0-9]+)?(?::[0-9]+)?)$")
_PATH = re.compile(r"[\w.@+*?\[\]()$#%,~' -]+(?:/[\w.@+*?\[\]()$#%,~' -]+)*/?")
_EXTENSION = re.compile(r"[\w*\]?~%-]\.(?=[A-Za-z0-9]*[A-Za-z])[A-Za-z0-9]{1,12}$")
_BARE = re.compile(
    r"(?i)[\w.-]+\.(?:bash|c|cc|cfg|cjs|conf|cpp|cs|css|csv|cts|env|ex|exs|go|gradle|h|hpp|hs|html|ini|ipynb|java|js"
    r"|json|jsonl|jsx|kt|lock|lua|md|mdc|mdx|mjs|mts|php|pl|prisma|proto|ps1|py|pyi|r|rb|rs|rst|scala|scss|sh|sql|svelte"
    r"|swift|tf|toml|ts|tsx|txt|vue|xml|yaml|yml|zig)"
)
_KNOWN_FILES = frozenset({
    "Makefile", "GNUmakefile", "justfile", "Dockerfile", "Containerfile", "Procfile", "Gemfile", "Rakefile", "LICENSE",
    "CODEOWNERS", "Cargo.lock", "bun.lockb", "go.mod", "go.sum", "go.work",
})  # fmt: skip
_DOTFILE = re.compile(r"\.[a-z][\w-]{1,40}(?:\.[a-z][\w-]{0,40}){0,3}")
_PATH_WITH_SPACES = re.compile(r"(?!\S+/?\s+-)[^\s/]*/[^\n]{0,200}?[\w)\]]\.[A-Za-z][A-Za-z0-9]{0,9}")
_NAME = re.compile(r"((?:[A-Za-z_$][\w$]*(?:\.|::|#))*[A-Za-z_$][\w$]{1,63})(\(.{0,80}\))?")
_TELLING = re.compile(
    r"(?!(?:None|True|False|Self|Any)$)(?:[A-Za-z0-9]_[A-Za-z0-9]|[a-z0-9][A-Z]|^_[a-z]|^[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*$)"
)
_HOST = re.compile(r"\.(?:com|org|net|io|dev|edu)$")
_PLAIN = re.compile(r"(?!(?:true|false|none|null|self|this|main|master|string|object)$)[a-z][a-z0-9]{3,40}")
_CONSTANT = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[A-Z]{4,}[0-9]*")
_GIVEN = re.compile(r"([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\s{0,2}=(?!=)")
_FLAG = re.compile(r"(?<![\w-])(--[A-Za-z][A-Za-z0-9-]{1,40})(?=$|[\s=,\])])")
_PACKAGE = re.compile(r"@[a-z0-9][\w.-]*/[a-z0-9][\w.-]*|[A-Za-z][A-Za-z0-9]*(?:[-_.][A-Za-z0-9]+)*")
_VERSION = re.compile(
    r"(?<![\w./-])(@?[A-Za-z][\w.-]{0,40}(?:/[\w.-]{1,40}){0,4})(?:\s{1,2}v?|\s?(==|>=|~=|\^|@)\s?\^?)"
    r"([0-9]{1,4}(?:\.[0-9]{1,6}){0,3})(?![\w.-]*[\w-])"
)
_NO_PRODUCT = frozenset(
    [
        "version",
        "release",
        "section",
        "chapter",
        "part",
        "step",
        "figure",
        "table",
        "page",
        "line",
        "of",
        "is",
        "to",
        "than",
        "in",
        "at",
        "v",
        "by",
    ]
)
_RUNTIMES = frozenset({"python", "node", "nodejs", "node.js", "go", "rust", "ruby", "java", "php"})
_IMAGE = re.compile(r"([a-z][a-z0-9._/-]{0,60}):v?([0-9]{1,4}(?:\.[0-9]{1,6}){0,3})(?:-[a-z0-9.-]{1,30})?")
_SLUG = re.compile(r"[a-z]{3,30}(?:-[a-z0-9]{1,40}){1,12}")
_COMMAND = re.compile(r"(?:\$ )?([a-z][a-z0-9_.-]{0,40})((?:\s+\S+)+)")
_PLACEHOLDER = re.compile(r"<[^<>\s]*>|[{}$…|\\%]|\.\.\.|YYYY|XXX")
_UNFILLED = re.compile(r"[<>{}…|\\\s]|\.\.\.|YYYY|XXX|\$[A-Z(]")
_TABLE = re.compile(r"\[tool\.([a-z][\w-]{0,40})(?:\.[\w.-]{1,60})?\]")
_TABLED = frozenset({"black", "isort", "yapf", "autopep8", "bandit", "interrogate", "pydocstyle", "towncrier"})
"""Tools whose names are common words, or that have a table in pyproject.toml and no file: known in code spans alone."""
_TOOL = re.compile(rf"(?i)(?<![\w./@-])({'|'.join(TOOLS)})(?![\w/-]|\.\w)")
_ALNUM, _DIGIT = re.compile(r"[a-z0-9]+"), re.compile(r"[0-9]")
_LONGEST = 300
_WILDCARDS = 6
_NO_CLAIMS = frozenset(
    {"anchors", "source", "tags", "related", "supersedes", "superseded_by", "status", "date", "verified", "updated"}
)


@frozen
class Reference:
    """`text` is what is looked for: a path with `/`, a glob, a folder without its last `/`, a command line, a name
    with `.` between its parts. `line` is 1-based in the entry's file, `said` that line's words. `explicit` is an
    anchor that somebody set; `of` is the program that a flag stands behind."""

    kind: Kind
    text: str
    line: int
    explicit: bool = False
    of: str = ""
    said: str = ""


def references(entry: Entry) -> tuple[Reference, ...]:
    """Each thing once, anchors first, then in the order of the text."""
    found: dict[tuple[str, str], Reference] = {}
    for reference in (*_anchors(entry), *_in_text(entry)):
        found.setdefault((reference.kind, reference.text), reference)
    return tuple(found.values())


def _anchors(entry: Entry) -> Iterator[Reference]:
    anchors = entry.fields.get("anchors", ())
    for index, anchor in enumerate(anchors if isinstance(anchors, list) else ()):
        line = entry.lines.get(("anchors", index), entry.line_of("anchors"))
        yield from _path(str(anchor), line, explicit=True)


def _in_text(entry: Entry) -> Iterator[Reference]:
    text, first = entry.text, entry.line
    found = None if entry.in_log else front_matter.split(text)
    if found is not None:
        yield from _in_fields(entry)
        _, text, first = found
    label = ""
    for row in read_lines(text, first):
        opened = read_label(row.text) if row.live else None
        label = opened[0] if opened else "" if row.level or not row.text.strip() else label
        if row.live and label not in _NO_CLAIMS and not row.text.lstrip().startswith(">"):
            yield from _in_line(row, entry.id)


def _in_fields(entry: Entry) -> Iterator[Reference]:
    """What title and abstract name; where they stand is looked up only when they do."""
    for name in ("title", "abstract"):
        said = entry.fields.get(name)
        row = Line(0, " ".join(said.split()), live=True) if isinstance(said, str) else None
        for reference in _in_line(row, entry.id) if row is not None else ():
            yield replace(reference, line=entry.line_of(name))


def _in_line(row: Line, own: str) -> Iterator[Reference]:
    line = _COMMENT.sub(" ", row.text.rstrip("\n"))
    for match in _SPAN.finditer(line):
        yield from _in_span(match[2].strip(), row.number, line)
    prose = _SPAN.sub(" ", line)
    for match in _LINK.finditer(prose):
        target = match[1] or match[2]
        if "://" not in target and not target.startswith(("#", "mailto:")):
            yield from _path(unquote(target), row.number, line)
    for match in _URL.finditer(line):
        yield from _hosted(match[0], row.number, line)
    prose = _URL.sub(" ", _LINK.sub("] ", prose))
    if not TOOLS.keys().isdisjoint(_ALNUM.findall(prose.lower())):
        yield from (Reference("tool", match[1].lower(), row.number, said=line) for match in _TOOL.finditer(prose))
    yield from _versions(prose, row.number, line)
    for word in prose.split():
        if len(word) > _LONGEST:
            continue
        bare = word.strip("*_,;:!?()[]\"'“”‘’").rstrip(".")
        if bare.isalpha():  # most words: no path, no file name, no id
            continue
        deep = "/" in bare and (_EXTENSION.search(bare) or bare.endswith("/") or bare.count("/") > 1)
        if deep or _BARE.fullmatch(bare) or bare in _KNOWN_FILES:
            yield from _path(bare, row.number, line)
        elif bare != own and (looks_like_id(bare) or _is_sibling(bare, own)):
            yield Reference("entry", bare, row.number, said=line)
        elif (given := _GIVEN.match(bare)) is not None:
            yield Reference("constant", given[1], row.number, said=line)


def _is_sibling(word: str, own: str) -> bool:
    """Whether a word starts as this entry's own id does: `pattern-pool` beside `pattern-queue`."""
    head, dash, rest = own.partition("-")
    return bool(dash and rest) and word.startswith(f"{head}-") and _SLUG.fullmatch(word) is not None


def _in_span(span: str, line: int, said: str) -> Iterator[Reference]:
    if _URL.search(span):
        return
    if _PLACEHOLDER.search(span):
        if "/" in span and not _UNFILLED.search(span):
            yield from _path(span, line, said)
        return
    if (given := _GIVEN.match(span)) is not None:
        yield Reference("constant", given[1], line, said=said)
    if (table := _TABLE.fullmatch(span)) is not None:
        yield Reference("tool", table[1], line, said=said)
    words = span.split()
    if len(words) == 1:
        yield from _path(span, line, said)
        yield from _word(span, line, said)
        return
    of = words[1] if words and words[0] == "$" else words[0] if words else ""
    if _COMMAND.fullmatch(span):
        yield Reference("command", " ".join(words).removeprefix("$ "), line, said=said)
    else:
        of = ""
        if _PATH_WITH_SPACES.fullmatch(span):
            yield from _path(span, line, said)
        if len(words) == 2:  # a module of Go with its version
            yield from _versions(span, line, said)
    for word in words:
        if "/" in word or _BARE.fullmatch(word):
            yield from _path(word, line, said)
    yield from (Reference("flag", match[1], line, of=of, said=said) for match in _FLAG.finditer(span))


def _word(span: str, line: int, said: str) -> Iterator[Reference]:
    """What a code span of one word may be beside a path."""
    flag = _FLAG.match(span)
    if flag is not None:
        yield Reference("flag", flag[1], line, said=said)
        return
    yield from _versions(span, line, said)
    bare = span.removeprefix("@") if span.startswith("@") and "/" not in span else span
    name = _NAME.fullmatch(bare)
    if name is not None and not _BARE.fullmatch(bare) and bare not in _KNOWN_FILES:
        text = re.sub(r"::|#", ".", name[1]).removeprefix("self.").removeprefix("this.")
        last = text.rpartition(".")[2]
        if _CONSTANT.fullmatch(last):
            yield Reference("constant", last, line, said=said)
        elif (name[2] or "." in text or _TELLING.search(last)) and not _HOST.search(text):
            yield Reference("symbol", text, line, said=said)
        elif _PLAIN.fullmatch(last):
            yield Reference("word", last, line, said=said)
    if span in _TABLED:
        yield Reference("tool", span, line, said=said)
    is_file = _BARE.fullmatch(span) or span in _KNOWN_FILES
    if _PACKAGE.fullmatch(span) and span == span.lower() and not is_file:
        yield Reference("package", span, line, said=said)
    elif (image := _IMAGE.fullmatch(span)) is not None and not _EXTENSION.search(image[1]):
        yield Reference("version", f"image {image[1]} {image[2]}", line, said=said)
    if looks_like_id(span):
        yield Reference("entry", span, line, said=said)


def _versions(text: str, line: int, said: str) -> Iterator[Reference]:
    for match in _VERSION.finditer(text) if _DIGIT.search(text) else ():
        name = match[1].lower()
        if name in _NO_PRODUCT or not (match[2] or "." in match[3] or name in _RUNTIMES):
            continue
        yield Reference("version", f"{name} {match[3]}", line, said=said)


def _hosted(url: str, line: int, said: str) -> Iterator[Reference]:
    """The file behind a URL of a hosted repository, as a branch has it; a permalink to a commit stays what it is."""
    match = _HOSTED.match(url[:_LONGEST])
    if match is not None and not re.fullmatch(r"[0-9a-f]{7,64}|v?[0-9]+(?:\.[0-9]+)+.*", match[1]):
        yield Reference("url", match[2].strip("/.,;:"), line, said=said)


def _path(token: str, line: int, said: str = "", *, explicit: bool = False) -> Iterator[Reference]:
    if len(token) > _LONGEST:
        return
    text = _LINE_SUFFIX.sub("", token.strip().strip("`"))
    while text.startswith("./"):
        text = text[2:]
    shaped = explicit or "/" in text or text in _KNOWN_FILES or _BARE.fullmatch(text) or _DOTFILE.fullmatch(text)
    if not text.strip("./*") or text.startswith(("/", "~", "-", "@")) or not shaped or not _PATH.fullmatch(text):
        return
    if "*" in text or "?" in text:  # brackets are parts of names: app/[slug]/page.tsx
        if len(re.findall(r"\*+/?|\?", text)) <= _WILDCARDS:
            yield Reference("glob", text, line, explicit, said=said)
    elif text.endswith("/"):
        yield Reference("dir", text.rstrip("/"), line, explicit, said=said)
    else:
        yield Reference("path", text, line, explicit, said=said)
