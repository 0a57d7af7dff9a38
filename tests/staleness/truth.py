"""Whether a token of a document means something in a release: by Python's own parser, and not by minutebook's rules."""

import ast
import re
import warnings
from collections.abc import Iterator
from posixpath import basename

_OUTSIDE = re.compile(
    r"(?:^|/)(?:tests?|testing|docs?|examples?|benchmarks?|extra|requests)/|(?:^|/)(?:test_|conftest)"
)
_IN_TEXT = re.compile(r"--?[A-Za-z][\w-]*|[A-Za-z_][\w.-]*")
_SHORT = 200


class Release:
    """What one release defines: its files, and the names in its Python code outside of tests, docs and examples."""

    def __init__(self, files: dict[str, str]) -> None:
        self.paths = set(files)
        self.folders = {path.rsplit("/", depth)[0] for path in files for depth in range(1, path.count("/") + 1)}
        self.names: set[str] = set()
        for path, text in files.items():
            if path.endswith(".py") and not _OUTSIDE.search(path):
                self.names.update(_defined(text))
                self.names.update(path.removesuffix(".py").split("/"))
        self.manifests = "\n".join(
            files.get(name, "") for name in ("setup.py", "setup.cfg", "pyproject.toml", "tox.ini")
        )

    def means(self, token: str) -> bool:
        """Whether a path, a flag or a name (dotted or not) is there."""
        if "/" in token or is_file(token):
            bare = token.strip("/")
            return (
                bare in self.paths
                or bare in self.folders
                or any(f"/{path}".endswith(f"/{bare}") for path in self.paths)
            )
        if token.startswith("-"):
            return token in self.names
        *before, last = token.split(".")
        parent = before[-1] if before else ""
        return last in self.names and (not parent[:1].isupper() or parent in self.names)


def is_file(token: str) -> bool:
    return bool(re.fullmatch(r"[\w.-]+\.(?:py|cfg|toml|ini|txt|rst|md|yml|yaml|json|html|sh|js|css)", basename(token)))


def _defined(text: str) -> Iterator[str]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield node.name
                yield from (each.arg for each in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs))
            case ast.ClassDef():
                yield node.name
            case ast.Name(ctx=ast.Store()):
                yield node.id
            case ast.Attribute(ctx=ast.Store()):
                yield node.attr
            case ast.alias():
                yield (node.asname or node.name).rpartition(".")[2]
            case ast.Constant(value=str() as said) if len(said) < _SHORT and "\n" not in said:
                yield from _IN_TEXT.findall(said) if len(said.split()) < 4 else ()
            case _:
                pass
