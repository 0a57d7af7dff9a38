"""A refresh that remembers says byte for byte what one without a cache says: random edits of code, memory, history,
config and day, each run of one repository beside one that knows nothing."""

import contextlib
import os
import random
import shutil
import sqlite3
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path

import pytest

from conftest import LOG, TODAY, Repo
from minutebook.cli import run
from minutebook.edges import seen_files
from minutebook.ground.change import File
from minutebook.ground.config import Config
from minutebook.ground.frozen import replace
from minutebook.ground.memory import Memory, read_file
from minutebook.ground.memory_type import builtin_types
from minutebook.refresh.claims import Claim
from minutebook.refresh.contradictions import contradictions
from minutebook.staleness.disputes import MOST_PARTIES, MOST_VALUES
from test_refresh import POOL
from test_refresh_cache import OTHER, cache_of, gone_names, prepared

SEEDS = int(os.environ.get("MINUTEBOOK_REFRESH_SEEDS", "4"))
STEPS_EACH = 10
CODE = (
    "class {name}:\n    def connect(self):\n        return '{name}'\n\n\ndef {word}_all(limit=3):\n    return limit\n"
)
NAMES = ("Pool", "Queue", "Cache", "Worker", "Broker")
WORDS = ("retry", "upload", "index", "token")
PLACES = ("src/app/pool.py", "src/app/queue.py", "lib/cache.py", "lib/worker.py", "tools/broker.js", "src/core/pool.py")
ENTRY = """---
type: {type}
id: {type}-{number}
title: {name} number {number}
abstract: Every {name} keeps {count} connections.
created: 2026-{month:02}-02
{anchors}{relations}---
## Overview
Ask `{name}.connect` in `{place}`, run `make {target}`, and see {other}. It is kept for {count} days.
"""
DECISION = "### DEC-2026-11-1{day}-0{number} — {title}\n**Decision:** {text}\n**Date:** 2026-11-1{day}\n\n"
KINDS = {"pattern": "patterns", "summary": "summaries"}


class Life:
    """A repository that changes at random, in ways that matter to a refresh."""

    def __init__(self, repo: Repo, seed: int) -> None:
        self.repo, self.draw, self.day, self.branches = repo, random.Random(seed), 20, ["main"]

    def code(self) -> None:
        place = self.draw.choice(PLACES)
        self.repo.write(place, CODE.format(name=self.draw.choice(NAMES), word=self.draw.choice(WORDS)))

    def grown_code(self) -> None:
        there = self.there("src", "lib", "tools")
        if there:
            self.repo.write(there, self.repo.read(there) + f"\nLIMIT_{self.draw.randrange(9)} = 1\n")

    def deleted_code(self) -> None:
        there = self.there("src", "lib", "tools")
        if there:
            (self.repo.path / there).unlink()

    def moved_code(self) -> None:
        there = self.there("src", "lib", "tools")
        if there:
            target = self.repo.path / self.draw.choice(("src/app", "src/core", "lib")) / Path(there).name
            target.parent.mkdir(parents=True, exist_ok=True)
            (self.repo.path / there).rename(target)

    def manifest(self) -> None:
        targets = self.draw.sample(("lint", "test", "docs"), 2)
        self.repo.write("Makefile", "".join(f"{each}:\n\ttrue\n\n" for each in targets))
        self.repo.write(
            "pyproject.toml", f"[project]\nname = 'x'\ndependencies = ['up>={self.draw.randrange(1, 4)}']\n"
        )

    def entry(self) -> None:
        kind, number = self.draw.choice(tuple(KINDS)), self.draw.randrange(8)
        others = [f"{self.draw.choice(tuple(KINDS))}-{self.draw.randrange(8)}" for _ in range(2)]
        relation = self.draw.choice(("supersedes", "related_to", "derived_from", "contradicts"))
        text = ENTRY.format(
            type=kind, number=number, name=self.draw.choice(NAMES), place=self.draw.choice(PLACES),
            count=self.draw.randrange(3, 6), month=self.draw.choice((2, 11)), other=others[0],
            target=self.draw.choice(("lint", "test", "docs")),
            anchors=self.draw.choice(("", f"anchors: [{self.draw.choice((*PLACES, 'src/app/', 'lib/*.py'))}]\n")),
            relations=self.draw.choice(("", f"{relation}: [{others[1]}]\n")),
        )  # fmt: skip
        self.repo.write(f".memory/{KINDS[kind]}/{kind}-{number}.md", text)

    def deleted_entry(self) -> None:
        there = self.there(".memory/patterns", ".memory/summaries")
        if there:
            (self.repo.path / there).unlink()

    def moved_entry(self) -> None:
        there = self.there(".memory/patterns")
        target = self.repo.path / ".memory/patterns" / self.draw.choice(("x1.md", "sub/x2.md"))
        if there and not target.exists():
            target.parent.mkdir(exist_ok=True)
            (self.repo.path / there).rename(target)

    def reworded_entry(self) -> None:
        there = self.there(".memory/patterns")
        if there:
            self.repo.write(there, self.repo.read(there).rstrip("\n") + "\nOne more sentence.\n")

    def broken_entry(self) -> None:
        there = self.there(".memory/patterns")
        if there:
            self.repo.write(there, self.repo.read(there).replace("created:", "tags: [broken\ncreated:"))

    def decision(self) -> None:
        log = self.repo.read(LOG)
        text = f"Connections come from `{self.draw.choice(PLACES)}`, as pattern-{self.draw.randrange(8)} says."
        new = DECISION.format(day=self.draw.randrange(9), number=self.draw.randrange(1, 9), title="A way", text=text)
        if new.partition(" —")[0] not in log:
            at = log.index("### ")
            self.repo.write(LOG, log[:at] + new + log[at:])

    def verified(self) -> None:
        there = self.there(".memory/patterns")
        if there:
            self.repo.minutebook("verify", Path(there).stem, "--today", self.today)

    def committed(self) -> None:
        self.repo.commit("Work")

    def branched(self) -> None:
        self.repo.commit("Before")
        self.branches.append(f"topic-{len(self.branches)}")
        self.repo.git("switch", "--quiet", "--create", self.branches[-1])

    def switched(self) -> None:
        self.repo.commit("Before")
        self.repo.git("switch", "--quiet", self.draw.choice(self.branches))

    def merged(self) -> None:
        self.repo.commit("Before")
        side = self.draw.choice(("ours", "theirs"))
        self.repo.git(
            "merge", "--quiet", "--no-edit", "-X", side, "--no-ff", "-m", "Both", self.draw.choice(self.branches)
        )

    def config(self) -> None:
        self.repo.write(".minutebook.yaml", f"budget: {self.draw.choice((3000, 4000))}\n")

    def types(self, allowed: str = "") -> None:
        """Another time to live for patterns."""
        shipped = (Path(__file__).parents[1] / "schemas" / "types" / "pattern.yaml").read_text("utf-8")
        allowed = allowed or self.draw.choice(("1d", "180d"))
        self.repo.write(".memory/types/pattern.yaml", shipped.replace("stale_after: 180d", f"stale_after: {allowed}"))

    def another_day(self) -> None:
        self.day += self.draw.choice((1, 200))

    @property
    def today(self) -> str:
        return (date(2026, 11, 1) + timedelta(days=self.day)).isoformat()

    def there(self, *folders: str) -> str:
        found = sorted(path for each in folders for path in (self.repo.path / each).rglob("*.*") if path.is_file())
        return self.draw.choice(found).relative_to(self.repo.path).as_posix() if found else ""


STEPS: tuple[Callable[[Life], None], ...] = (
    Life.code, Life.code, Life.grown_code, Life.deleted_code, Life.moved_code, Life.manifest, Life.entry, Life.entry,
    Life.deleted_entry, Life.decision, Life.verified, Life.committed, Life.committed, Life.branched, Life.switched,
    Life.merged, Life.config, Life.types, Life.another_day, Life.moved_entry, Life.reworded_entry, Life.broken_entry,
)  # fmt: skip


@pytest.fixture
def refreshed(
    memory_repo: Repo, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., str]:
    """Runs refresh in this process, and gives all that it says."""
    for name in [*os.environ]:
        if name not in memory_repo.env:
            monkeypatch.delenv(name)
    for name, value in memory_repo.env.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(memory_repo.path)

    def refresh(*arguments: str) -> str:
        code = run(["refresh", "--today", TODAY, "--threshold", "0", "--format", "json", *arguments])
        said = capsys.readouterr()
        assert code == 0, said.err
        return said.out

    return refresh


def without_cache(repo: Repo, work: Callable[[], str]) -> str:
    """What is said by a run that knows nothing; the cache is put back afterwards."""
    kept, aside = repo.path / ".git" / "minutebook", repo.path / ".git" / "aside"
    kept.rename(aside)
    found = work()
    shutil.rmtree(kept)
    aside.rename(kept)
    return found


def rewritten_memory(repo: Repo) -> None:
    repo.write(OTHER, repo.read(OTHER).replace("See `lib/old.py`.", "Ask `PoolManager` and `old_thing`."))


def moved(repo: Repo) -> None:
    (repo.path / "tools").mkdir()
    repo.git("mv", "lib/old.py", "tools/very_old.py")


def no_target(repo: Repo) -> None:
    repo.write("Makefile", "test:\n\ttrue\n")


def one_more_decision(repo: Repo) -> None:
    log = repo.read(LOG)
    newer = "### DEC-2026-11-10-01 — X\n**Decision:** Jobs wait in `lib/old.py`.\n**Date:** 2026-11-10\n\n"
    repo.write(LOG, log.replace("### DEC-2026-11-03", f"{newer}### DEC-2026-11-03", 1))


def names_a_class_alone(repo: Repo) -> None:
    text = repo.read(OTHER).replace("lib/*.py", "Makefile").replace("See `lib/old.py`.", "Ask `PoolManager`.")
    repo.write(OTHER, text)


def without_glob(repo: Repo) -> None:
    repo.write(OTHER, repo.read(OTHER).replace("lib/*.py", "lib/old.py"))


def deleted(repo: Repo) -> None:
    (repo.path / "lib/old.py").unlink()


def copied(repo: Repo) -> None:
    repo.write("tools/very_old.py", "def old_thing():\n    return 1\n")


def copy_changed(repo: Repo) -> None:
    repo.write("tools/very_old.py", "def thing():\n    return 1\n")


def superseding(repo: Repo) -> None:
    newer = POOL.replace("pattern-pool", "pattern-newer").replace("created", "supersedes: [pattern-pool]\ncreated")
    repo.write(".memory/patterns/newer.md", newer.format(anchor="Makefile", text="Ask nobody."))


def nothing_supersedes(repo: Repo) -> None:
    (repo.path / ".memory/patterns/newer.md").unlink()


def names_a_decision(repo: Repo) -> None:
    repo.write(OTHER, repo.read(OTHER).replace("See `lib/old.py`.", "It rests on DEC-2026-11-02-01."))


def decision_replaced(repo: Repo) -> None:
    log = repo.read(LOG).replace("### DEC-2026-11-02-01", "> x\n\n### DEC-2026-11-02-01")
    new = (
        "### DEC-2026-11-12-01 — Y\n**Decision:** By hand.\n**Supersedes:** DEC-2026-11-02-01\n**Date:** 2026-11-12\n\n"
    )
    at = log.index("### ")
    marked = log.replace(
        "**Date:** 2026-11-02", "**Date:** 2026-11-02\n\n> SUPERSEDED by DEC-2026-11-12-01 (2026-11-12)"
    )
    repo.write(LOG, marked[:at] + new + marked[at:])


def disagreeing(repo: Repo) -> None:
    for name, count in (("one", 3), ("two", 5)):
        text = POOL.replace("pattern-pool", f"pattern-{name}").replace(
            "comes from the pool", f"is kept for {count} days"
        )
        repo.write(f".memory/patterns/{name}.md", text.format(anchor="Makefile", text="So it is."))


def agreeing(repo: Repo) -> None:
    repo.write(".memory/patterns/two.md", repo.read(".memory/patterns/two.md").replace("5 days", "3 days"))


def named_entry_breaks(repo: Repo) -> None:
    """What can't be read holds no entry: who names it is told from the commit on that follows."""
    repo.write(OTHER, repo.read(OTHER).replace("created:", "tags: [broken\ncreated:"))


def names_the_other(repo: Repo) -> None:
    path = ".memory/patterns/pool.md"
    repo.write(path, repo.read(path).replace("Ask `PoolManager`,", "Ask `PoolManager` and see pattern-other,"))


def entry_moved(repo: Repo) -> None:
    repo.git("mv", ".memory/patterns/pool.md", ".memory/patterns/moved.md")


def same_deletion_elsewhere(repo: Repo) -> None:
    """The same file, deleted by another commit, on another branch."""
    repo.git("switch", "--quiet", "--create", "elsewhere", "HEAD~1")
    deleted(repo)


@pytest.mark.parametrize("steps", [
    (without_glob, deleted, copied), (without_glob, deleted, copied, copy_changed), (moved, copy_changed),
    (deleted, same_deletion_elsewhere), (superseding, gone_names), (superseding, nothing_supersedes),
    (names_a_decision, decision_replaced, gone_names), (disagreeing, agreeing),
    (names_a_class_alone, gone_names), (gone_names,), (moved,), (no_target,), (moved, gone_names),
    (names_the_other, named_entry_breaks), (gone_names, entry_moved),
    (rewritten_memory, gone_names), (one_more_decision, moved), (gone_names, rewritten_memory), (no_target, no_target),
])  # fmt: skip
def test_a_run_that_remembers_says_what_a_run_says_that_does_not(
    memory_repo: Repo, refreshed: Callable[..., str], steps: tuple[Callable[[Repo], None], ...]
) -> None:
    prepared(memory_repo)
    said = {refreshed()}
    for step in steps:
        step(memory_repo)
        memory_repo.commit(step.__name__)
        remembered = refreshed()
        assert remembered == refreshed() == without_cache(memory_repo, refreshed)
        said.add(remembered)
    assert len(said) > 1


def test_what_was_seen_before_its_commit_is_compared_with_its_commit_later(
    memory_repo: Repo, refreshed: Callable[..., str]
) -> None:
    prepared(memory_repo)
    rewritten_memory(memory_repo)
    refreshed()
    memory_repo.commit("As it was seen")
    refreshed()
    gone_names(memory_repo)
    memory_repo.commit("Gone")
    assert '"id": "pattern-other"' in refreshed()
    assert refreshed() == without_cache(memory_repo, refreshed)


def test_age_tells_on_the_day_on_which_it_tells(memory_repo: Repo, refreshed: Callable[..., str]) -> None:
    prepared(memory_repo)
    days = ("2026-11-20", "2026-12-24", "2027-05-01", "2027-05-02", "2027-05-03", "2026-11-20", "9999-12-31")
    said = {day: refreshed("--today", day) for day in days}
    assert len(set(said.values())) > 3
    for day in days:
        assert said[day] == without_cache(memory_repo, lambda: refreshed("--today", day))  # noqa: B023


def test_other_types_find_other_things(memory_repo: Repo, refreshed: Callable[..., str]) -> None:
    prepared(memory_repo)
    said = refreshed()
    Life(memory_repo, 1).types("1d")
    assert refreshed() != said
    assert refreshed() == without_cache(memory_repo, refreshed)


def test_a_file_of_the_same_length_is_read_again(
    memory_repo: Repo, refreshed: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seen_files, "_AGED", 0)
    prepared(memory_repo)
    gone_names(memory_repo)
    memory_repo.commit("Gone")
    assert '"id": "pattern-pool"' in refreshed()
    memory_repo.write(OTHER, memory_repo.read(OTHER).replace("pattern-other", "pattern-newer"))
    assert '"id": "pattern-newer"' in refreshed()


def test_what_an_older_minutebook_found_is_forgotten(memory_repo: Repo, refreshed: Callable[..., str]) -> None:
    prepared(memory_repo)
    gone_names(memory_repo)
    memory_repo.commit("Gone")
    said = refreshed()
    with contextlib.closing(sqlite3.connect(cache_of(memory_repo))) as cache, cache:
        cache.execute("UPDATE entry SET finding = ''")
    assert refreshed() != said
    with contextlib.closing(sqlite3.connect(cache_of(memory_repo))) as cache, cache:
        cache.execute("UPDATE note SET said = 'older' WHERE what = 'rules'")
    assert refreshed() == said


def test_a_row_that_is_no_json_any_more_is_made_anew(memory_repo: Repo, refreshed: Callable[..., str]) -> None:
    prepared(memory_repo)
    gone_names(memory_repo)
    memory_repo.commit("Gone")
    said = refreshed()
    with contextlib.closing(sqlite3.connect(cache_of(memory_repo))) as cache, cache:
        cache.execute("UPDATE entry SET finding = substr(finding, 1, 9)")
    assert refreshed() == said


@pytest.mark.parametrize("damage", [
    "UPDATE entry SET finding = 'null'", "UPDATE entry SET finding = '[1, 2]' WHERE finding != ''",
    "UPDATE entry SET finding = NULL, heard = '{}'", "UPDATE entry SET finding = NULL, heard = NULL, named = '[[1]]'",
    "UPDATE entry SET finding = NULL, disputed = '7'", "UPDATE entry SET finding = NULL, touch = 'a b c'",
    "UPDATE entry SET finding = NULL, heard = NULL, touch = '" + "ab" * 20 + " 2026-11-20' WHERE touch != ''",
    "UPDATE entry SET finding = CAST(x'ff' AS TEXT)", "UPDATE note SET said = 'no' || char(0) WHERE key = 'head'",
    "DROP TABLE entry", "ALTER TABLE entry DROP COLUMN quiet", "DROP TABLE note", "PRAGMA user_version = 99",
    "DROP TABLE claim; CREATE VIEW claim AS SELECT 1 AS number",
])  # fmt: skip
def test_a_cache_of_another_shape_is_made_anew(memory_repo: Repo, refreshed: Callable[..., str], damage: str) -> None:
    prepared(memory_repo)
    gone_names(memory_repo)
    memory_repo.commit("Gone")
    said = refreshed()
    with contextlib.closing(sqlite3.connect(cache_of(memory_repo))) as cache, cache:
        cache.executescript(damage)
    assert refreshed() == said
    assert refreshed() == said
    with contextlib.closing(sqlite3.connect(cache_of(memory_repo))) as cache:
        assert cache.execute("SELECT count(*) FROM entry WHERE finding IS NOT NULL AND quiet != ''").fetchone()[0]


def test_bytes_that_flip_or_are_missing_change_nothing_that_is_said(
    memory_repo: Repo, refreshed: Callable[..., str]
) -> None:
    prepared(memory_repo)
    gone_names(memory_repo)
    memory_repo.commit("Gone")
    said, draw = refreshed(), random.Random(7)
    whole = cache_of(memory_repo).read_bytes()
    schema = range(100, 4096)
    for _ in range(40):
        damaged = bytearray(whole)
        for at in draw.sample(schema, 60):
            damaged[at] = draw.randrange(128, 256)
        cache_of(memory_repo).write_bytes(damaged)
        assert refreshed() == said
    for end in (0, 1, 99, 100, 4095, 4096, len(whole) // 2, len(whole) - 1):
        cache_of(memory_repo).write_bytes(whole[:end])
        assert refreshed() == said


@pytest.mark.skipif(getattr(os, "geteuid", lambda: 0)() == 0, reason="root may write whatever it is told not to")
def test_a_cache_that_cannot_be_written_is_left_alone(memory_repo: Repo, refreshed: Callable[..., str]) -> None:
    prepared(memory_repo)
    before = cache_of(memory_repo).read_bytes()
    cache_of(memory_repo).chmod(0o400)
    gone_names(memory_repo)
    memory_repo.commit("Gone")
    assert '"id": "pattern-pool"' in refreshed()
    assert cache_of(memory_repo).read_bytes() == before


@pytest.mark.parametrize(("values", "parties"), [(MOST_VALUES + 1, MOST_VALUES + 1), (2, MOST_PARTIES + 1)])
def test_no_dispute_is_as_large_as_what_is_left_out(values: int, parties: int) -> None:
    """`staleness/disputes.py` passes over subjects of which so much is said."""
    mtype = builtin_types()["pattern"]
    text = "---\ntype: pattern\nid: pattern-{0}\ntitle: T{0}\nabstract: A\ncreated: 2026-11-02\n---\n## Overview\nx\n"
    files = {}
    for number in range(parties):
        path = f".memory/patterns/{number}.md"
        files[path] = read_file(path, File(text.format(number).encode()), mtype)
    memory = Memory(".memory", Config(), builtin_types(), files)
    assert not list(contradictions(memory, lambda entry: (Claim("s", str(int(entry.title[1:]) % values), "x"),)))
    few = replace(memory, files=dict(list(files.items())[:2]))
    assert list(contradictions(few, lambda entry: (Claim("s", entry.title, "x"),)))


@pytest.mark.parametrize("seed", range(SEEDS))
def test_every_run_says_what_a_run_says_that_remembers_nothing(
    memory_repo: Repo, refreshed: Callable[..., str], monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    if seed % 2:  # files that were just written are read every time: here they are told by their times alone
        monkeypatch.setattr(seen_files, "_AGED", 0)
    life = Life(memory_repo, seed)
    for each in (Life.code, Life.code, Life.manifest, *[Life.entry] * 5, Life.committed):
        each(life)
    said = set()
    told = []
    for _ in range(STEPS_EACH):
        for _ in range(life.draw.choice((1, 1, 3))):
            step = life.draw.choice(STEPS)
            told.append(step.__name__)
            step(life)
        asked = ("--today", life.today, *life.draw.choice(((), (), (), ("--since", "HEAD~1"))))
        remembered = refreshed(*asked)
        said.add(remembered)
        assert remembered == refreshed(*asked) == without_cache(memory_repo, lambda: refreshed(*asked)), told  # noqa: B023
    assert len(said) > 1
