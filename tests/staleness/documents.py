"""Documentation as entries: reStructuredText and Markdown brought into the Markdown that entries are written in."""

import re
from collections.abc import Iterator

from minutebook.ground.entry import Entry, read_entry
from minutebook.ground.memory_type import builtin_types

_DOCUMENT = re.compile(r"(?:(?:docs?|documentation)/.*|[^/]*)\.(?:rst|md)")
_HISTORY = re.compile(
    r"(?i)(?:^|[/_.-])(?:changes?|changelog|history|news|releases?|release[-_ ]?notes|whats?[-_]?new|authors"
    r"|contributors|license|copying|upgrading|migrat\w*|announce|deprecat\w*|thanks)(?:$|[/_.\d-])"
)
_ROLE = re.compile(r":(?:[a-z+-]+:)?([a-z+_-]+):`([^`\n]{1,200})`")
_TARGET = re.compile(r".*<([^<>]+)>$")
_CODE_ROLES = frozenset(
    [
        "func",
        "meth",
        "class",
        "attr",
        "data",
        "exc",
        "mod",
        "obj",
        "option",
        "envvar",
        "file",
        "program",
        "command",
        "const",
        "confval",
        "setting",
        "rst-dir",
        "std-option",
        "code",
        "literal",
        "samp",
        "kbd",
        "signal",
        "fixture",
        "mark",
        "hook",
        "macro",
        "flag",
    ]
)
_AUTO = re.compile(r"^\s*\.\. (?:py:)?(?:auto)?(?:function|class|method|attribute|module|exception|data)::\s+([\w.]+)")
_BLOCK = re.compile(
    r"^(\s*)(?:\.\. (?:code-block|sourcecode|code|parsed-literal|literalinclude|highlight|click:|jinja|doctest"
    r"|testcode|testoutput|ipython|prompt|tab|graphviz|image|figure|raw)\b|(?!\s*\.\. ).*::\s*$)"
)
_UNDERLINE = re.compile(r"([~=^\"'#*+.`-])\1{2,}\s*")
_LITERAL = re.compile(r"(?<![`\\:])`([^`\n<>]{1,120})`(?![`_])")


def documents(files: dict[str, str]) -> dict[str, Entry]:
    """The documents among the files of a release as entries, without those that tell of other releases."""
    found = {}
    for path, text in files.items():
        if _DOCUMENT.fullmatch(path) and not _HISTORY.search(path.rpartition(".")[0]):
            body = "".join(_plain(text)) if path.endswith(".rst") else text
            entry, _ = read_entry(path, f"---\nid: doc\ntitle: doc\n---\n{body}", builtin_types()["pattern"], "doc")
            if entry is not None:
                found[path] = entry
    return found


def _plain(text: str) -> Iterator[str]:
    """reStructuredText without its literal blocks and comments, roles and literals as code spans."""
    deep = -1
    for line in text.split("\n"):
        indent = len(line) - len(line.lstrip())
        if deep >= 0 and (not line.strip() or indent > deep):
            continue
        deep = -1
        block = _BLOCK.match(line)
        if block is not None:
            deep = indent
            if line.lstrip().startswith(".. "):
                continue
        auto = _AUTO.match(line)
        if auto is not None:
            yield f"- `{auto[1]}`\n"
        elif not _UNDERLINE.fullmatch(line) and not line.lstrip().startswith((">>>", "...", "$ ")):
            yield _LITERAL.sub(r"`\1`", _ROLE.sub(_as_span, line)).lstrip().replace("::", ":") + "\n"


def _as_span(match: re.Match[str]) -> str:
    if match[1] not in _CODE_ROLES:
        return " "
    target = _TARGET.match(match[2])
    return f"`{(target[1] if target else match[2]).strip().lstrip('~!.')}`"
