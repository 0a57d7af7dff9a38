"""The examples of tests/examples: what each says of itself, and what `minutebook check` says of them on real git.

`<type>/{good,bad}/*.md` are entries and logs; `types`, `index`, `config` and `attributes` hold what is
no entry. A file lies at the
place of its type, its name filling the place's last placeholder. What its comments say:

    caught: schema 4, text 9    the rules that must speak, and the lines (0: the file); a good one has none
    at: patterns/aux.md         the place, from the memory root, when it isn't the type's
    mode: 100755                git's mode, when it isn't that of a regular file
    config: users: private      the repository's config, when it isn't `users: commit`

`x.before.md` is what the published commit holds in the place of `x.md`; a good one is a lawful change of it.
`x.theirs.md` is what another branch has made of it, which is tried with `--merged-with`. `⟦U+202E⟧` and `⟦0xE9⟧` stand
for a character and a byte that nobody could see in the file, `⟦⟧` for nothing: it keeps a made-up secret from looking
like one here.
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from conftest import TODAY, Repo, environment
from minutebook.ground.config import CONFIG
from minutebook.ground.memory_type import MemoryType, builtin_types, read_type
from minutebook.ground.uris import place_of

FOLDER = Path(__file__).parent / "examples"
HANDOFF = FOLDER / "types" / "good" / "handoff.yaml"
PROMISE = ("append-only", "scope", "attributes", "merge")
"""Rules that compare: `check --all`, which compares with nothing, can't speak by them."""
_SHARED = "users: commit"
_SAID = re.compile(r"^(?:<!-- |# )(caught|at|mode|config): (.*?)(?: -->)?$", re.MULTILINE)
_STANDS_FOR = re.compile(r"⟦(?:U\+(?P<character>[0-9A-F]{4,6})|0x(?P<byte>[0-9A-F]{2}))?⟧")
_OTHERS = {"types": "types/{}.yaml", "config": CONFIG, "attributes": ".gitattributes"}
_FIELDS = {"date": "2026-11-02", "user": "ada", "agent": "reviewer"}


@dataclass(frozen=True, slots=True)
class Example:
    """One example file. `place` is from its memory root; `caught` is sorted."""

    file: Path
    place: str
    caught: tuple[tuple[str, int], ...]
    mode: str
    config: str

    @property
    def kind(self) -> str:
        return self.file.parents[1].name

    @property
    def good(self) -> bool:
        return self.file.parent.name == "good"

    @property
    def name(self) -> str:
        return self.file.relative_to(FOLDER).as_posix()

    @property
    def root(self) -> str:
        """A memory root of its own, so that no example is judged by what another one says."""
        return self.name.removesuffix(self.file.suffix)

    @property
    def before(self) -> Path | None:
        return self._beside("before")

    @property
    def theirs(self) -> Path | None:
        return self._beside("theirs")

    def _beside(self, what: str) -> Path | None:
        path = self.file.with_suffix(f".{what}{self.file.suffix}")
        return path if path.exists() else None


def examples() -> list[Example]:
    """Every example, in the order of their names."""
    files = (path for path in sorted(FOLDER.glob("*/*/*")) if path.suffixes[-2:-1] not in ([".before"], [".theirs"]))
    return [_example(path) for path in files]


def example_types() -> dict[str, MemoryType]:
    """The types that examples are of: those that ship, and the one that a repository might bring."""
    return {**builtin_types(), "handoff": read_type(HANDOFF.read_text("utf-8"), "types/handoff.yaml")}


def real_bytes(path: Path) -> bytes:
    """What the file stands for."""

    def real(match: re.Match[str]) -> str:
        code = int(match["character"] or match["byte"] or "0", 16)
        return chr(code + 0xDC00 if match["byte"] else code) if match[1] or match["byte"] else ""

    return _STANDS_FOR.sub(real, path.read_text("utf-8")).encode("utf-8", "surrogateescape")


def _example(path: Path) -> Example:
    said = dict(_SAID.findall(path.read_text("utf-8")))
    pairs = (each.split() for each in said["caught"].split(",")) if "caught" in said else ()
    caught = tuple(sorted((rule, int(line)) for rule, line in pairs))
    return Example(path, said.get("at") or _place(path), caught, said.get("mode", ""), said.get("config", _SHARED))


def _place(path: Path) -> str:
    kind = path.parents[1].name
    if kind in _OTHERS:
        return _OTHERS[kind].format(path.stem)
    mtype = example_types()[kind]
    last = re.findall(r"\{(\w+)\}", mtype.place)[-1:]
    return place_of(mtype, {**_FIELDS, **dict.fromkeys(last, path.stem)})


@dataclass(frozen=True, slots=True)
class Judged:
    """What was found in an example by a check of all memory (`whole`) and by one against what was published."""

    example: Example
    whole: tuple[dict[str, Any], ...]
    compared: tuple[dict[str, Any], ...]


def judged_alone(folder: Path, chosen: Iterable[Example]) -> Iterator[Judged]:
    """Each of the examples, no config among them, in a memory root of its own; a repository for each config."""
    groups: dict[str, list[Example]] = {}
    for each in chosen:
        if each.theirs is not None:
            yield Judged(each, (), tuple(_merged(folder / each.file.stem, each, each.theirs)))
        else:
            groups.setdefault(each.config, []).append(each)
    for number, (config, group) in enumerate(groups.items()):
        repo = _repository(folder / f"alone{number}")
        repo.write(CONFIG, f"{config}\nroots: [{', '.join(each.root for each in group)}]\n")
        for each in group:
            _surround(repo, each.root, handoff=each.kind == "handoff")
            if each.before is not None:
                repo.write(f"{each.root}/{each.place}", real_bytes(each.before))
        repo.commit("Published")
        for each in group:
            repo.write(f"{each.root}/{each.place}", real_bytes(each.file))
        repo.git("add", "--all")
        for each in group:
            if each.mode:
                oid = repo.git("rev-parse", f":{each.root}/{each.place}")
                repo.git("update-index", "--cacheinfo", f"{each.mode},{oid},{each.root}/{each.place}")
        whole, compared = check(repo, "--all"), check(repo, "--staged")
        for each in group:
            yield Judged(each, _beneath(each.root, whole), _beneath(each.root, compared))


def _merged(folder: Path, example: Example, theirs: Path) -> list[dict[str, Any]]:
    """What a merge with the other branch would bring."""
    repo = _repository(folder)
    repo.write(CONFIG, f"{example.config}\nroots: [{example.root}]\n")
    _surround(repo, example.root, handoff=False)
    for branch, file in (("main", example.before), ("theirs", theirs), ("ours", example.file)):
        if branch != "main":
            repo.git("checkout", "--quiet", "-b", branch, "main")
        if file is not None:
            repo.write(f"{example.root}/{example.place}", real_bytes(file))
        repo.commit(branch)
    return check(repo, "--merged-with", "theirs")


def house(folder: Path, good: Iterable[Example], *, grown: bool = True) -> Repo:
    """A repository whose one memory root will hold the good examples, the first for each place: they are staged, on
    top of a commit that holds, in memory that has `grown`, what some of them were before."""
    repo = _repository(folder)
    repo.write(CONFIG, f"{_SHARED}\n")
    _surround(repo, ".memory", handoff=True)
    first = {each.place: each for each in reversed(list(good))}.values()
    for each in first:
        if each.before is not None and grown:
            repo.write(f".memory/{each.place}", real_bytes(each.before))
    repo.commit("Published")
    for each in first:
        repo.write(f".memory/{each.place}", real_bytes(each.file))
    repo.git("add", "--all")
    return repo


def with_config(repo: Repo, example: Example) -> None:
    """Stage the config of an example."""
    repo.write(CONFIG, real_bytes(example.file))
    repo.git("add", CONFIG)


def check(repo: Repo, *arguments: str) -> list[dict[str, Any]]:
    """The problems as JSON has them."""
    done = repo.minutebook("check", *arguments, "--format", "json", "--today", TODAY)
    assert done.out, done.err
    found: list[dict[str, Any]] = json.loads(done.out)["problems"]
    return found


def caught(rows: Iterable[dict[str, Any]]) -> tuple[tuple[str, int], ...]:
    """(rule, line) of each problem, sorted."""
    return tuple(sorted((row["rule"], row["line"]) for row in rows))


def _repository(folder: Path) -> Repo:
    folder.mkdir()
    repo = Repo(folder, environment(folder.parent))
    repo.git("init", "--quiet", "--initial-branch=main")
    return repo


def _surround(repo: Repo, root: str, *, handoff: bool) -> None:
    """An index made by hand, which is left alone, and the type of a handoff."""
    repo.write(f"{root}/index.md", "# What there is\n")
    if handoff:
        repo.write(f"{root}/types/handoff.yaml", HANDOFF.read_bytes())


def _beneath(root: str, rows: list[dict[str, Any]]) -> tuple[dict[str, Any], ...]:
    return tuple(row for row in rows if row["path"].startswith(f"{root}/"))
