"""The words of a file of code, and what each is there: defined, used, or a whole text in quotes. Words of comments are
none. No parser of any language takes part: what most languages have in common is enough to tell that a name is gone.
"""

import re
from collections.abc import Collection

from minutebook.refresh.view import DEFINED, QUOTED, USED

WORD = re.compile(r"--[A-Za-z][A-Za-z0-9_-]{1,60}|[A-Za-z_][A-Za-z0-9_]{1,63}")
NO_CODE = re.compile(
    r"(?i).*(?:\.(?:adoc|bin|csv|docx?|gif|gz|ico|jpe?g|jsonl|lock|map|md|mdc|mdx|mp[34]|pdf|png|po|pot|rst|svg|tar|tsv"
    r"|txt|webp|whl|woff2?|zip)|\.min\.(?:js|css)|(?:^|/)package-lock\.json)"
    r"|(?:.*/)?(?:changelog|changes|history|news|authors|readme|license|pkg-info|sources)"
)
_C_LIKE = frozenset(
    [
        "js",
        "jsx",
        "mjs",
        "cjs",
        "ts",
        "tsx",
        "mts",
        "cts",
        "go",
        "rs",
        "java",
        "kt",
        "kts",
        "c",
        "h",
        "cc",
        "cpp",
        "hpp",
        "cs",
        "swift",
        "scala",
        "php",
        "css",
        "scss",
        "proto",
        "gradle",
        "zig",
        "dart",
        "groovy",
        "m",
        "mm",
        "vue",
        "svelte",
    ]
)
_DASHED = frozenset({"sql", "lua", "hs", "elm"})
_BLOCK_COMMENT = re.compile(r"/\*[\s\S]*?(?:\*/|\Z)")
_SLASHES = re.compile(r"(?<![:\"'`])//[^\n]*")
_HASH = re.compile(r"(?m)(?:^|(?<=\s))#(?!\[|!)[^\n]*")
_DASHES = re.compile(r"(?m)(?:^|(?<=\s))--[^\n]*")
_LONG_STRING = re.compile(r"\"\"\"[\s\S]*?(?:\"\"\"|\Z)|'''[\s\S]*?(?:'''|\Z)")
_MARKUP = re.compile(r"<!--[\s\S]*?(?:-->|\Z)")
_KEYWORDS = (
    r"def|class|function\*?|func|fn|fun|struct|enum|trait|interface|type|const|let|var|val|static|module|mod|namespace"
    r"|macro_rules!|package|object|record|protocol|extension|union|typedef|model|table|resource|task|message|service|rpc"
)
_DEFINITION = re.compile(rf"(?:(?<![\w.])(?:{_KEYWORDS})|#define)\s{{1,8}}([A-Za-z_$][\w$]{{0,63}})(?![\w$])")
_METHOD_OF = re.compile(r"(?<!\w)func\s{0,4}\([^()\n]{1,80}\)\s{0,4}([A-Za-z_]\w{0,63})(?!\w)")
_ASSIGNED = re.compile(
    r"(?m)^[ \t]{0,80}(?:export[ \t]{1,4}|local[ \t]{1,4}|readonly[ \t]{1,4}|[\w\]\[.]{1,80}\.)?"
    r"([A-Za-z_]\w{0,63})[ \t]{0,8}(?::[^=\n]{1,100})?(?:=(?![=>~])|:=|\?=|:[ \t]{0,8}$|:[ \t])"
)
_BRACED = re.compile(
    r"(?m)^[ \t]{0,80}(?:[\w<>\[\].*&?@]{1,60},?[ \t]{1,4}){0,6}?\*?([A-Za-z_]\w{0,63})"
    r"[ \t]?\([^;{}\n]{0,200}\{?[ \t]{0,8}$"
)
_KEY = re.compile(r"(?<![\w-])([A-Za-z_][\w-]{0,63})[\"']?[ \t]{0,8}:(?!:)")
_SIGNATURE = re.compile(
    r"(?<!\w)(?:def|function|func|fn|fun)\s{1,8}[\w.]{0,100}\s{0,8}\(((?:[^()]|\([^()]{0,100}\)){0,1500})\)"
)
_PARAMETER = re.compile(r"(?:^|,)\s{0,80}[*&]{0,2}([A-Za-z_]\w{0,63})(?!\w)")
_TYPED = re.compile(r"(?<!\w)([A-Za-z_]\w{0,63})(?=,|$)")
_LIST_OF_NAMES = re.compile(r"(?m)^[ \t]{0,80}([A-Za-z_]\w{0,63})[ \t]{0,8}(?:=[^,\n]{1,60})?,[ \t]{0,8}$")
_IN_QUOTES = re.compile(r"([\"'`])(-{0,2}[A-Za-z_][\w-]{0,63})[=:]?\1")
_CASE = re.compile(r"(?m)^[ \t]{0,80}(?:-\w\|)?(--[a-z][\w-]{0,63})(?:\|[\w-]{1,63}|=\*){0,4}\)")
_LISTED = re.compile(r"[\"'`]([-\w]{1,64}(?:[ ,|/]{1,3}[-\w]{1,64}){1,30})[=:]?[\"'`]")
_LONGEST_LINE = 1000


def spots_in(text: str, suffix: str, asked: Collection[str]) -> dict[str, int]:
    """Each of the `asked` words that the code holds, with its bits. `suffix` is the file's, in lower case, no dot."""
    wanted = frozenset(WORD.findall(text)).intersection(asked)
    if not wanted:
        return {}
    code = code_of(text, suffix)
    wanted = wanted.intersection(WORD.findall(code))
    if not wanted:
        return {}
    defined, quoted = _defined(code, suffix), _quoted(code)
    return {word: USED | (DEFINED if word in defined else 0) | (QUOTED if word in quoted else 0) for word in wanted}


def names_defined(text: str, suffix: str) -> frozenset[str]:
    """All that the code defines."""
    return frozenset(_defined(code_of(text, suffix), suffix))


def code_of(text: str, suffix: str) -> str:
    """The text without its comments and docstrings, and without lines so long that nobody wrote them."""
    text = "\n".join(line for line in text.split("\n") if len(line) <= _LONGEST_LINE)
    if suffix in _C_LIKE:
        return _SLASHES.sub(" ", _BLOCK_COMMENT.sub(" ", text))
    if suffix in _DASHED:
        return _DASHES.sub(" ", text)
    if suffix in ("html", "xml", "svelte", "vue"):
        return _MARKUP.sub(" ", text)
    return _HASH.sub(" ", _LONG_STRING.sub(_no_docstring, text) if suffix in ("py", "pyi") else text)


def _no_docstring(match: re.Match[str]) -> str:
    """Nothing for a long string that a line starts with, and that no name is given to."""
    before = match.string[match.string.rfind("\n", 0, match.start()) + 1 : match.start()]
    return match[0] if before.strip(" \trRbBuU") else " "


def _defined(code: str, suffix: str) -> set[str]:
    found = {*_DEFINITION.findall(code), *_METHOD_OF.findall(code), *_ASSIGNED.findall(code), *_CASE.findall(code)}
    for signature in _SIGNATURE.findall(code):
        found.update((_TYPED if suffix in _C_LIKE else _PARAMETER).findall(signature))
    if suffix in _C_LIKE:
        found.update(_BRACED.findall(code), _LIST_OF_NAMES.findall(code))
    if suffix not in ("py", "pyi"):
        found.update(_KEY.findall(code))
    return found


def _quoted(code: str) -> set[str]:
    """Texts that are one name; and the names of texts that list a few (`"-v, --verbose"`)."""
    found = {name for _, name in _IN_QUOTES.findall(code)}
    for names in _LISTED.findall(code):
        found.update(re.split(r"[ ,|/]+", names))
    return found
