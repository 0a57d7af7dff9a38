"""Which references a change can have reached at all: the rest lead where they led, and needn't be looked for twice."""

import re
from collections.abc import Callable, Iterable, Iterator
from posixpath import basename, normpath

from minutebook.ground.frozen import cached, frozen
from minutebook.refresh.anchors import TOOLS, Reference
from minutebook.refresh.claim_words import EXCLUSIVE
from minutebook.refresh.listing import glob_pattern

_MANIFESTS = frozenset({
    "pyproject.toml", "package.json", "Cargo.toml", "setup.py", "setup.cfg", "go.mod", ".pre-commit-config.yaml",
    ".python-version", ".nvmrc",
    "Makefile", "makefile", "GNUmakefile", "justfile", "Justfile", ".justfile", "main.go", "main.rs",
})  # fmt: skip
_MANIFEST, _ANY = "manifest", "any"


@frozen
class Reach:
    """`paths` are those that differ, `names` their parts, `words` the words that the code in them holds or held."""

    paths: tuple[str, ...]
    names: frozenset[str]
    words: frozenset[str]

    def may_touch(self, reference: Reference) -> bool:
        """False only where the reference is sure to lead to the same before and after."""
        if reference.kind == "entry":
            return True
        if self.marks.isdisjoint(marks_of(reference)):
            return False
        return reference.kind != "glob" or any(map(_fits(reference.text), self.paths))

    @cached
    def marks(self) -> frozenset[str]:
        """The marks of all references that the change may touch."""
        if not self.paths:
            return frozenset()
        found = {*(f"name {name}" for name in self.names), *(f"word {word}" for word in self.words), _ANY}
        return frozenset(found | {_MANIFEST} if any(map(_declares, self.names)) else found)


def marks_of(reference: Reference) -> Iterator[str]:
    """What a change has to touch before it can touch the reference: a name in a path, a word of code, a manifest, or
    anything at all. Other entries are no code, so an id has none."""
    text, kind = reference.text, reference.kind
    last = basename(normpath(text))
    if kind in ("path", "dir", "url"):
        yield f"name {last}" if last != ".." else _ANY
    elif kind in ("symbol", "word", "constant"):
        yield from (f"word {part}" for part in text.split("."))
        last = text.rpartition(".")[2]
        yield from (f"name {last}", f"name {last}.py")
    elif kind in ("package", "version", "tool"):
        yield from (_MANIFEST, f"name {last}")
        for tool in _alike(text) if kind == "tool" else ():
            yield from (f"name {tool}", *(f"name {basename(name)}" for name in TOOLS.get(tool, ())))
    elif kind == "flag":
        yield from (_MANIFEST, f"word {text}")
    elif kind == "command":
        yield _ANY if " -m " in text else _MANIFEST
        yield from (f"word {form}" for word in text.split() for form in (word, word.replace("-", "_")))
    elif kind == "glob":
        whole = [part for part in normpath(text).split("/") if part != ".." and not re.search(r"[*?]", part)]
        yield f"name {whole[-1]}" if whole else _ANY


def _alike(tool: str) -> list[str]:
    """The tool, and those of which a project has one in its place."""
    group = EXCLUSIVE.get(tool)
    return [tool, *(name for name, of in EXCLUSIVE.items() if of == group and name != tool)]


def _declares(name: str) -> bool:
    return name in _MANIFESTS or name.startswith(
        ("requirements", "Dockerfile", "Containerfile", "docker-compose", "compose.")
    )


def _fits(glob: str) -> Callable[[str], object]:
    """A glob may be meant from the entry's own folder: what it ends like is enough."""
    return re.compile(rf"(?:.*/)?{glob_pattern(normpath(glob).lstrip('./')).pattern}").fullmatch


def reach_of(paths: Iterable[str], words: Iterable[str]) -> Reach:
    """Of the paths that differ, and the words of code that they hold or held."""
    listed = tuple(paths)
    return Reach(listed, frozenset(part for path in listed for part in path.split("/")), frozenset(words))


def all_marks(references: Iterable[Reference]) -> set[str]:
    return {mark for reference in references for mark in marks_of(reference)}
