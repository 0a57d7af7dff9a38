"""Which references a change can have reached at all: the rest lead where they led, and needn't be looked for twice."""

import re
from collections.abc import Callable, Iterable, Mapping
from posixpath import basename, normpath

from minutebook.ground.frozen import cached, frozen
from minutebook.refresh.anchors import TOOLS, Reference
from minutebook.refresh.listing import glob_pattern

_MANIFESTS = frozenset({
    "pyproject.toml", "package.json", "Cargo.toml", "setup.py", "setup.cfg", "go.mod", ".python-version", ".nvmrc",
    "Makefile", "makefile", "GNUmakefile", "justfile", "Justfile", ".justfile", "main.go", "main.rs",
})  # fmt: skip


@frozen
class Reach:
    """`paths` are those that differ, `names` their parts, `words` the words that the code in them holds or held;
    `has_new` says whether there are files that weren't there, where what was gone may have gone."""

    paths: tuple[str, ...]
    has_new: bool
    names: frozenset[str]
    words: frozenset[str]

    def may_touch(self, reference: Reference) -> bool:
        """False only where the reference is sure to lead to the same before and after."""
        text, kind = reference.text, reference.kind
        if kind in ("path", "dir", "url"):
            return basename(text) in self.names
        if kind in ("symbol", "word", "constant"):
            parts = text.split(".")
            last = parts[-1]
            return not self.words.isdisjoint(parts) or last in self.names or f"{last}.py" in self.names
        if kind in ("package", "version", "tool"):
            return self._of_manifest(text)
        if kind == "flag":
            return text in self.words or self.declares
        if kind == "command":
            said = [form for word in text.split() for form in (word, word.replace("-", "_"))]
            return self.declares or not self.words.isdisjoint(said) or " -m " in text
        return kind == "entry" or any(map(_fits(text), self.paths))

    @cached
    def declares(self) -> bool:
        """Whether a manifest is among what differs."""
        return any(name in _MANIFESTS or name.startswith("requirements") for name in self.names)

    def _of_manifest(self, text: str) -> bool:
        return self.declares or text in self.names or not self.names.isdisjoint(TOOLS.get(text, ()))


def _fits(glob: str) -> Callable[[str], object]:
    """A glob may be meant from the entry's own folder: what it ends like is enough."""
    return re.compile(rf"(?:.*/)?{glob_pattern(normpath(glob).lstrip('./')).pattern}").fullmatch


def reach_of(before: Mapping[str, str], words: Iterable[str]) -> Reach:
    """`before` leads from each path that differs to its blob before, "" where it wasn't there."""
    listed = tuple(before)
    return Reach(
        listed,
        not all(before.values()),
        frozenset(part for path in listed for part in path.split("/")),
        frozenset(words),
    )
