"""The gate's word on a commit, in process or through the command line, beside the oracle's."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from conftest import Repo
from histories.building import CONFIG, Trees
from histories.history import History, Judged
from histories.model import TODAY
from histories.oracle import Verdict
from minutebook.checks import judge
from minutebook.checks.cases import Side, cases
from minutebook.edges.git_batch import Batch
from minutebook.edges.trees import compared, memory_at
from minutebook.ground.change import File, Tree
from minutebook.ground.config import Config, read_config
from minutebook.ground.entry import MemoryFile
from minutebook.ground.memory import read_file
from minutebook.ground.memory_type import MemoryType
from minutebook.ground.problem import Problem

RULES = ("append-only", "scope", "modes", "ids")


@dataclass(frozen=True, slots=True)
class Differs:
    """Where the gate and the oracle don't agree."""

    history: History
    judged: Judged
    way: str
    why: str
    problems: tuple[str, ...]

    def __str__(self) -> str:
        said = "".join(f"\n    {problem}" for problem in self.problems) or "\n    nothing"
        expected = self.judged.expected
        blamed = ", ".join(sorted(expected.errors or expected.warnings))
        return (
            f"{self.why}: `{self.judged.kind}` makes commit {self.judged.commit}, judged {self.way} against commit "
            f"{self.judged.base}\n  the oracle: {expected.word} {blamed}\n  the gate:{said}\n  {self.history.script}"
        )


def disagreement(expected: Verdict, problems: Sequence[tuple[str, str, str]]) -> str:
    """Why a gate that found these (severity, path, entry) is wrong; "" when it is right."""
    errors = [(path, entry) for severity, path, entry in problems if severity == "error"]
    word = "reject" if errors else "warn" if problems else "accept"
    if word != expected.word:
        missed = ("accept", "warn", "reject").index(word) < ("accept", "warn", "reject").index(expected.word)
        return "a miss" if missed else "a false alarm"
    known = expected.errors if errors else expected.warnings
    named = errors or [(path, entry) for _, path, entry in problems]
    if known and not any(path in known or entry in known for path, entry in named):
        return "the wrong entry is named"
    if not expected.vague and any(entry and entry not in known and path not in known for path, entry in errors):
        return "an innocent entry is named"
    return ""


class Court:
    """Judges the commits of a batch in one process: git's objects by one `cat-file --batch`, the gate's own cases and
    rules on them."""

    def __init__(self, batch: Batch) -> None:
        self._trees = Trees(batch)
        self._read: dict[tuple[str, bytes, str, str], MemoryFile] = {}

    def problems(self, ids: Sequence[str], judged: Judged) -> list[Problem]:
        base, head = self._trees.of(ids[judged.base]), self._trees.of(ids[judged.commit])
        sides = (
            [self._trees.of(ids[each]) for each in group] for group in (judged.parents, judged.witnesses, judged.forks)
        )
        parents, witnesses, forks = sides
        return self._judge(Side(base, _config(base)), Side(head, _config(head)), parents, witnesses, forks)

    def problems_as_compared(self, repo: Repo, ids: Sequence[str], judged: Judged) -> list[Problem]:
        """The same from what `edges.trees` reads, as `minutebook check` does."""
        top = repo.path
        parents = [ids[each] for each in judged.parents]
        found = compared(top, ids[judged.base], ids[judged.commit], parents)
        if not found.touches_memory and not parents:
            return []
        witnesses, forks = (
            [memory_at(top, ids[each], found.places) for each in group] for group in (judged.witnesses, judged.forks)
        )
        before, after = Side(found.before, found.old), Side(found.after, found.new)
        return self._judge(before, after, found.others, witnesses, forks)

    def _judge(
        self, before: Side, after: Side, parents: Sequence[Tree], witnesses: Sequence[Tree], forks: Sequence[Tree]
    ) -> list[Problem]:
        found = cases(before, after, TODAY, parents, witnesses, forks, self._file)
        return [problem for case in found for problem in judge(case, RULES)]

    def _file(self, path: str, file: File, mtype: MemoryType, config: Config) -> MemoryFile:
        key = (path, file.data, file.mode, mtype.name)
        if key not in self._read:
            self._read[key] = read_file(path, file, mtype, config)
        return self._read[key]


def _config(tree: Tree) -> Config:
    return read_config(tree[CONFIG].data if CONFIG in tree else None)


def rows(problems: Sequence[Problem]) -> list[tuple[str, str, str]]:
    return [(problem.severity, problem.path, problem.entry) for problem in problems]


def by_command(repo: Repo, ids: Sequence[str], judged: Judged) -> list[dict[str, str]]:
    """What the real command line says: of a commit against the published branch, of a merge before it is committed."""
    repo.git("update-ref", "refs/remotes/origin/main", ids[judged.main])
    only = [option for rule in RULES for option in ("--only", rule)]
    options = [*only, "--format", "json", "--today", TODAY.isoformat()]
    merging = repo.path / ".git" / "MERGE_HEAD"
    if judged.parents:
        repo.git("update-ref", "--no-deref", "HEAD", ids[judged.parents[0]])
        repo.git("read-tree", ids[judged.commit])
        merging.write_text(f"{ids[judged.parents[1]]}\n", "ascii")
        done = repo.minutebook("check", "--staged", *options)
        merging.unlink()
    else:
        done = repo.minutebook("check", "--since", "origin/main", "--head", ids[judged.commit], *options)
    assert done.code in (0, 1), done.err
    found: list[dict[str, str]] = json.loads(done.out)["problems"]
    assert done.code == any(each["severity"] == "error" for each in found)
    return found
