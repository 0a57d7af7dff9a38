"""The store: a plan is applied whole or not at all, once or twice, by one or by many, killed at any moment."""

import itertools
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conftest import Repo
from minutebook.edges import store as store_module
from minutebook.edges.git import repository
from minutebook.edges.store import Recovery, Store, apply, recover, take_back
from minutebook.ground.change import Change, File, Plan
from minutebook.ground.errors import CannotJudge, Refused

ROOT = ".memory"
NAMES = ("decisions/_log.md", "patterns/a.md", "patterns/b.md", "sessions/2026-11-02-x.md", "index.md")
Tree = dict[str, bytes]

contents = st.binary(max_size=64)
trees = st.dictionaries(st.sampled_from([f"{ROOT}/{name}" for name in NAMES]), contents, max_size=5)


def opened(repo: Repo) -> Store:
    return Store(repository(repo.path), ROOT)


def lay(repo: Repo, tree: Tree) -> None:
    """Make the files beneath the root exactly these."""
    for path in sorted((repo.path / ROOT).rglob("*"), reverse=True):
        path.unlink() if path.is_file() else path.rmdir()
    for name, data in tree.items():
        repo.write(name, data)


def lies(repo: Repo) -> Tree:
    found = (path for path in (repo.path / ROOT).rglob("*") if path.is_file())
    return {path.relative_to(repo.path).as_posix(): path.read_bytes() for path in found}


def without_drafts(repo: Repo) -> Tree:
    return {path: data for path, data in lies(repo).items() if not path.endswith(".minutebook-draft")}


def between(old: Tree, new: Tree) -> Plan:
    def file(tree: Tree, path: str) -> File | None:
        return File(tree[path]) if path in tree else None

    paths = sorted({*old, *new})
    return Plan(tuple(Change(p, file(old, p), file(new, p)) for p in paths if old.get(p) != new.get(p)))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(old=trees, new=trees)
def test_a_plan_applied_twice_is_a_plan_applied_once(repo: Repo, old: Tree, new: Tree) -> None:
    lay(repo, old)
    store, plan = opened(repo), between(old, new)
    written = apply(store, plan)
    assert sorted(written) == [change.path for change in plan.changes]
    assert lies(repo) == new
    assert apply(store, plan) == ()
    assert lies(repo) == new
    assert not store.journal.exists()


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(old=trees, new=trees, theirs=trees)
def test_a_plan_made_from_an_older_state_changes_nothing(repo: Repo, old: Tree, new: Tree, theirs: Tree) -> None:
    lay(repo, theirs)
    store, plan = opened(repo), between(old, new)
    stale = [c for c in plan.changes if theirs.get(c.path) not in (old.get(c.path), new.get(c.path))]
    if stale:
        with pytest.raises(Refused, match="changed since this was planned"):
            apply(store, plan)
        assert lies(repo) == theirs
    else:
        apply(store, plan)
        expected = dict(theirs)
        for change in plan.changes:
            expected.pop(change.path, None)
        assert lies(repo) == expected | {c.path: c.new.data for c in plan.changes if c.new is not None}


class Killed(BaseException):
    """Stands for the end of the process: nothing in the code catches it, nothing after it runs."""


@contextmanager
def killed_at(step: int, seen: list[str]) -> Iterator[None]:
    """End the run at the `step`-th thing that the system is asked to do: before it, or half-way through a write."""
    counter = itertools.count(1)
    real_fsync, real_replace, real_unlink, real_open = os.fsync, Path.replace, Path.unlink, Path.open

    def at(name: str, halfway: Callable[[], None] = lambda: None) -> None:
        seen.append(name)
        if next(counter) == step:
            halfway()
            raise Killed(name)

    def fsync(handle: int) -> None:
        at("fsync", lambda: _cut(handle))
        real_fsync(handle)

    def replace(self: Path, target: Path) -> Path:
        at("replace")
        return real_replace(self, target)

    def unlink(self: Path, missing_ok: bool = False) -> None:
        at("unlink")
        real_unlink(self, missing_ok=missing_ok)

    def open_(self: Path, mode: str = "r", *rest: object, **named: object) -> object:
        if mode in ("wb", "xb"):
            at("open")
        return real_open(self, mode, *rest, **named)  # type: ignore[call-overload]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", fsync)
        patch.setattr(Path, "replace", replace)
        patch.setattr(Path, "unlink", unlink)
        patch.setattr(Path, "open", open_)
        yield


def _cut(handle: int) -> None:
    """What a power cut before fsync may leave of a file: half of it."""
    size = os.fstat(handle).st_size
    with suppress(OSError):  # a folder's handle can't be cut
        os.ftruncate(handle, size // 2)


OLD: Tree = {
    f"{ROOT}/decisions/_log.md": b"old log\n" * 50,
    f"{ROOT}/patterns/a.md": b"a\n",
    f"{ROOT}/index.md": b"i\n",
}
NEW: Tree = {
    f"{ROOT}/decisions/_log.md": b"new log\n" * 50,
    f"{ROOT}/patterns/b.md": b"b\n",
    f"{ROOT}/index.md": b"j\n",
}


SWAPPED: Tree = {f"{ROOT}/patterns": b"a file\n", f"{ROOT}/index.md/deep/er.md": b"a folder\n"}


@pytest.mark.parametrize("new", [NEW, SWAPPED], ids=["files", "files and folders in each other's place"])
def test_a_run_that_ends_at_any_step_leaves_the_old_state_or_the_new_one(repo: Repo, new: Tree) -> None:
    store, plan = opened(repo), between(OLD, new)
    outcomes = []
    for step in itertools.count(1):
        lay(repo, OLD)
        seen: list[str] = []
        try:
            with killed_at(step, seen):
                apply(store, plan)
        except Killed:
            committed, begun = store.journal.exists(), without_drafts(repo) != OLD
            found = recover(store)
            assert lies(repo) == (new if begun else OLD)
            assert found.finished == (committed and begun)
            assert bool(found.written) <= found.finished
            assert found.dropped >= (committed and not begun)
            outcomes.append(lies(repo) == new)
            assert not store.journal.exists()
            assert apply(store, between(lies(repo), new)) is not None
            assert lies(repo) == new
        else:
            break
    assert step > 20
    assert outcomes == sorted(outcomes)
    assert {True, False} == set(outcomes)
    assert {"fsync", "replace", "unlink", "open"} <= set(seen)


@pytest.mark.skipif(os.name == "nt", reason="folders can't be synced there")
def test_everything_is_on_the_disk_before_what_relies_on_it(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    lay(repo, OLD)
    store, done = opened(repo), list[tuple[str, Path]]()
    known: dict[int, Path] = {}
    real_fsync, real_replace, real_unlink = os.fsync, Path.replace, Path.unlink

    def fsync(handle: int) -> None:
        top = repo.path
        known.update({path.stat().st_ino: path for path in (top, *top.rglob("*"))})
        done.append(("sync", known[os.fstat(handle).st_ino]))
        real_fsync(handle)

    def replace(self: Path, target: Path) -> Path:
        done.append(("rename", Path(target)))
        assert ("sync", self) in done
        return real_replace(self, target)

    def unlink(self: Path, missing_ok: bool = False) -> None:
        done.extend([("unlink", self)] * self.exists())
        real_unlink(self, missing_ok=missing_ok)

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fsync)
        patch.setattr(Path, "replace", replace)
        patch.setattr(Path, "unlink", unlink)
        apply(store, between(OLD, NEW | {f"{ROOT}/project/deep/new.md": b"new\n"}))
    acts = [at for at, (what, _) in enumerate(done) if what != "sync"]
    assert done[acts[0]] == ("rename", store.journal)
    assert done[acts[-1]] == ("unlink", store.journal)
    assert len(acts) == 7
    for at, following in zip(acts, [*acts[1:], len(done)], strict=True):
        assert ("sync", done[at][1].parent) in done[at:following], done[at]
    deep = done.index(("rename", repo.path / ROOT / "project/deep/new.md"))
    assert {("sync", repo.path / ROOT), ("sync", repo.path / ROOT / "project")} <= {*done[:deep]}


def test_a_journal_of_an_older_minutebook_is_finished(repo: Repo) -> None:
    store = opened(repo)
    store.journal.parent.mkdir(parents=True)
    row = {"path": f"{ROOT}/patterns/a.md", "old": "", "new": "YQo="}
    gone = {"path": f"{ROOT}/patterns/b.md", "old": sha256(b"b\n").hexdigest(), "new": None}
    more = {"path": f"{ROOT}/patterns/c.md", "old": "", "new": "Ywo="}
    store.journal.write_text(json.dumps({"within": ROOT, "changes": [gone, row, more]}), "utf-8")
    repo.write(f"{ROOT}/patterns/c.md", b"c\n")
    repo.write(f"{ROOT}/patterns/b.md", b"b\n")
    with pytest.raises(CannotJudge, match="an older minutebook"):
        take_back(store)
    assert recover(store).written == (f"{ROOT}/patterns/a.md", f"{ROOT}/patterns/b.md")
    assert lies(repo) == {f"{ROOT}/patterns/a.md": b"a\n", f"{ROOT}/patterns/c.md": b"c\n"}


def test_a_recovery_that_is_killed_itself_is_finished_by_the_next(repo: Repo) -> None:
    store, plan = opened(repo), between(OLD, NEW)
    for first, second in itertools.product((9, 12, 15), range(1, 12)):
        lay(repo, OLD)
        with suppress(Killed), killed_at(first, []):
            apply(store, plan)
        with suppress(Killed), killed_at(second, []):
            recover(store)
        recover(store)
        assert lies(repo) in (OLD, NEW)
        assert not store.journal.exists()


def test_an_edit_during_an_interrupted_run_is_never_overwritten(repo: Repo) -> None:
    store, plan = opened(repo), between(OLD, NEW)
    lay(repo, OLD)
    for step in itertools.count(1):
        with pytest.raises(Killed), killed_at(step, []):
            apply(store, plan)
        if store.journal.exists():
            break
        lay(repo, OLD)
    path = f"{ROOT}/index.md"
    repo.write(path, "somebody's own words\n")
    repo.write(f"{ROOT}/patterns/b.md", NEW[f"{ROOT}/patterns/b.md"])
    half = lies(repo)
    with pytest.raises(CannotJudge, match="edited while an interrupted run was half done") as told:
        recover(store)
    assert "`minutebook restore NAME` gives it up" in told.value.hint
    assert lies(repo) == half
    repo.write(path, OLD[path])
    recover(store)
    assert lies(repo) == NEW


KILLED = """
import json, os, sys
from pathlib import Path
from minutebook.ground.change import Change, File, Plan
from minutebook.edges.git import repository
from minutebook.edges.store import Store, apply
top, step = Path(sys.argv[1]), int(sys.argv[2])
calls = iter(range(1, 10_000))
real = os.fsync
def fsync(handle):
    if next(calls) == step:
        os.kill(os.getpid(), 9)
    real(handle)
os.fsync = fsync
rows = json.loads(sys.stdin.read())
file = lambda text: File(text.encode()) if text is not None else None
plan = Plan(tuple(Change(path, file(old), file(new)) for path, old, new in rows))
apply(Store(repository(top), ".memory"), plan)
"""


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="needs SIGKILL")
def test_a_process_that_is_killed_leaves_old_or_new_and_the_next_verb_says_which(memory_repo: Repo) -> None:
    path, added = ".memory/patterns/migrations.md", ".memory/patterns/added.md"
    old = memory_repo.read(path)
    new = old.replace("reversible", "fully reversible")
    entry = old.replace("pattern-migrations", "pattern-added")
    rows = json.dumps([[path, old, new], [added, None, entry]])
    ends, told = set(), set()
    for step in range(1, 9):
        memory_repo.write(path, old)
        (memory_repo.path / added).unlink(missing_ok=True)
        command = [sys.executable, "-c", KILLED, str(memory_repo.path), str(step)]
        done = subprocess.run(command, input=rows.encode(), capture_output=True, check=False, env=dict(memory_repo.env))
        assert done.returncode in (0, -9), done.stderr.decode()
        shown = memory_repo.minutebook("snapshot")
        assert shown.code == 0, shown.err
        state = (memory_repo.read(path) == new, (memory_repo.path / added).exists())
        assert state in ((False, False), (True, True))
        ends.add(state)
        told.add("finished an interrupted run" in shown.err)
        leftovers = [p for p in (memory_repo.path / ".memory").rglob(".*draft") if p.is_file()]
        assert leftovers == []
    assert len(ends) == 2
    assert told == {False, True}


APPENDER = """
import sys
from pathlib import Path
from minutebook.ground.change import Change, File, Plan
from minutebook.ground.errors import Refused
from minutebook.edges.git import repository
from minutebook.edges.store import Store, apply
top, name, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
store, path = Store(repository(top), ".memory"), top / ".memory/log.md"
for number in range(count):
    while True:
        old = path.read_bytes()
        new = old + f"{name}-{number}\\n".encode()
        try:
            apply(store, Plan((Change(".memory/log.md", File(old), File(new)),)))
            break
        except Refused:
            continue
"""


def test_concurrent_appliers_lose_no_update(repo: Repo) -> None:
    repo.write(".memory/log.md", "")
    count = 15
    running = [
        subprocess.Popen([sys.executable, "-c", APPENDER, str(repo.path), name, str(count)], env=dict(repo.env))
        for name in ("a", "b", "c")
    ]
    assert [process.wait(timeout=120) for process in running] == [0, 0, 0]
    lines = repo.read(".memory/log.md").split()
    assert sorted(lines) == sorted(f"{name}-{number}" for name in "abc" for number in range(count))
    for name in "abc":
        assert [line for line in lines if line.startswith(name)] == [f"{name}-{number}" for number in range(count)]


@pytest.mark.parametrize(
    "path",
    [
        "README.md",
        ".memory/../README.md",
        ".memory/./a.md",
        ".memory//a.md",
        ".memory/a/",
        "/etc/passwd",
        ".git/config",
        ".GIT/config",
        ".memory/.git/config",
        ".memory/sub/.Git/hooks/pre-commit",
        "C:/x.md",
        ".memory/a:b.md",
        ".memory\\a.md",
        ".memory/a\0.md",
        ".memory",
        "",
        ".",
    ],
)
def test_no_path_outside_of_the_store_is_written(repo: Repo, path: str) -> None:
    repo.write(".memory/patterns/a.md", "a\n")
    with pytest.raises(CannotJudge):
        apply(opened(repo), Plan((Change(path, None, File(b"x")),)))
    assert not opened(repo).journal.exists()


def test_a_whole_work_tree_store_still_keeps_out_of_git(repo: Repo) -> None:
    store = Store(repository(repo.path), "")
    apply(store, Plan((Change("AGENTS.md", None, File(b"x\n")),)))
    assert repo.read("AGENTS.md") == "x\n"
    for path in (".git/hooks/pre-commit", "deep/.git/config"):
        with pytest.raises(CannotJudge):
            apply(store, Plan((Change(path, None, File(b"x")),)))


def test_one_bad_path_stops_the_whole_plan(repo: Repo) -> None:
    plan = Plan((Change(".memory/a.md", None, File(b"a")), Change("../b.md", None, File(b"b"))))
    with pytest.raises(CannotJudge):
        apply(opened(repo), plan)
    assert not (repo.path / ".memory").exists()


def test_nothing_is_written_through_a_symlink(repo: Repo, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (repo.path / ".memory").mkdir()
    (repo.path / ".memory" / "patterns").symlink_to(outside, target_is_directory=True)
    (repo.path / ".memory" / "x.md").symlink_to(outside / "x.md")
    for path in (".memory/patterns/a.md", ".memory/x.md"):
        with pytest.raises(CannotJudge, match="symlink"):
            apply(opened(repo), Plan((Change(path, None, File(b"x")),)))
    assert list(outside.iterdir()) == []


def test_a_symlink_in_the_place_of_a_draft_is_not_followed(repo: Repo, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_bytes(b"theirs")
    repo.write(f"{ROOT}/patterns/a.md", b"old")
    (repo.path / ROOT / "patterns/.a.md.minutebook-draft").symlink_to(outside)
    apply(opened(repo), between({f"{ROOT}/patterns/a.md": b"old"}, {f"{ROOT}/patterns/a.md": b"new"}))
    assert outside.read_bytes() == b"theirs"
    assert repo.read(f"{ROOT}/patterns/a.md") == "new"


def test_what_can_not_be_written_is_told_and_the_rest_is_taken_back(repo: Repo) -> None:
    in_the_way = repo.path / ROOT / "patterns/.b.md.minutebook-draft"
    in_the_way.mkdir(parents=True)
    new = {f"{ROOT}/patterns/a.md": b"a", f"{ROOT}/patterns/b.md": b"b"}
    with pytest.raises(CannotJudge, match=r"patterns/b\.md can't be written.*taken back"):
        apply(opened(repo), between({}, new))
    assert lies(repo) == {}
    assert recover(opened(repo)) == Recovery()
    in_the_way.rmdir()
    assert apply(opened(repo), between({}, new)) == tuple(sorted(new))
    assert lies(repo) == new


def test_a_folder_in_the_place_of_a_file_is_told(repo: Repo) -> None:
    repo.write(".memory/a.md/b.md", "b\n")
    with pytest.raises(CannotJudge, match="folder"):
        apply(opened(repo), Plan((Change(".memory/a.md", None, File(b"x")),)))


def test_a_journal_that_is_no_journal_is_told_and_kept(repo: Repo) -> None:
    store = opened(repo)
    store.journal.parent.mkdir(parents=True)
    row = '{"within": ".memory", "changes": [{"path": ".memory/a.md", "old": "", "new": %s}]}'
    wrong = ("{", "[]", '{"within": ".memory", "changes": [{}]}', '{"within": 3, "changes": 4}', row % '"no base64"')
    for text in (*wrong, "[" * 100_000):
        store.journal.write_text(text, "utf-8")
        with pytest.raises(CannotJudge, match="journal"):
            recover(store)
        assert store.journal.read_text("utf-8") == text


HOLDER = """
import sys
from filelock import FileLock
lock = FileLock(sys.argv[1])
lock.acquire()
print("held", flush=True)
sys.stdin.read()
"""


def test_a_second_run_waits_for_the_first_and_says_so_when_it_waited_too_long(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = opened(repo)
    apply(store, Plan((Change(".memory/a.md", None, File(b"a")),)))
    command = [sys.executable, "-c", HOLDER, str(store.journal.parent / "lock")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdin is not None
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        monkeypatch.setattr(store_module, "_WAIT_SECONDS", 0)
        with pytest.raises(CannotJudge, match="another minutebook run"):
            apply(store, Plan((Change(".memory/b.md", None, File(b"b")),)))
        other.stdin.close()
    assert apply(store, Plan((Change(".memory/b.md", None, File(b"b")),))) == (".memory/b.md",)


def test_an_interrupted_plan_of_the_whole_tree_is_finished_by_a_store_of_the_root(repo: Repo) -> None:
    whole, store = Store(repository(repo.path), ""), opened(repo)
    plan = Plan((Change("AGENTS.md", None, File(b"x\n")), Change(".memory/a.md", None, File(b"a\n"))))
    for step in itertools.count(1):
        with pytest.raises(Killed), killed_at(step, []):
            apply(whole, plan)
        if whole.journal.exists() and without_drafts(repo):
            break
    assert recover(store).written == ("AGENTS.md",)
    assert repo.read("AGENTS.md") == "x\n"
    assert repo.read(".memory/a.md") == "a\n"


def test_an_empty_plan_writes_nothing_at_all(repo: Repo) -> None:
    store = opened(repo)
    assert apply(store, Plan()) == ()
    assert not (repo.path / ROOT).exists()
