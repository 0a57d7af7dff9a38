"""Today's debt, frozen: what a baseline accepts and what it never does."""

import json
from datetime import date
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import LOG, Repo
from minutebook.checks import judge
from minutebook.checks.append_only import append_only
from minutebook.checks.baseline import NEVER, Baseline, baseline_bytes, compared, without_known
from minutebook.checks.cases import Side, cases
from minutebook.checks.judgement import Case
from minutebook.ground.change import File
from minutebook.ground.config import Config
from minutebook.ground.errors import CannotJudge
from minutebook.ground.frozen import replace
from minutebook.ground.memory import read_memory
from minutebook.ground.problem import Problem

FILE = ".memory/baseline.json"
BAD = Problem(".memory/a.md", 3, "schema", "`date` is missing", "date: 2026-11-02", "a")
POOR = "---\nid: poor\ntitle: A poor entry\n---\nNo abstract.\n"
POOR_PATH = ".memory/patterns/poor.md"
BROKEN = "---\nid: x\nid: y\n---\n"
TODAY = date(2026, 11, 20)
problems = st.lists(
    st.builds(
        Problem,
        path=st.sampled_from(["a.md", "b.md"]),
        line=st.integers(0, 9),
        rule=st.sampled_from(["schema", "text", "append-only"]),
        message=st.sampled_from(["one", "two"]),
        severity=st.sampled_from(["error", "warning"]),
    )
)


def case_of(tree: dict[str, str]) -> Case:
    files = {path: File(text.encode()) for path, text in tree.items()}
    return Case(read_memory(files, ".memory", Config()), files, None, {}, (), TODAY)


EMPTY_CASE = case_of({})


def judged(tree: dict[str, str]) -> tuple[Problem, ...]:
    return tuple(problem for problem in judge(case_of(tree)) if problem.rule not in NEVER)


def accepting(found: list[Problem], case: Case = EMPTY_CASE) -> Baseline | None:
    data = baseline_bytes(found, case)
    return Baseline(data, case) if data is not None else None


def new_after(before: dict[str, str], after: dict[str, str]) -> list[tuple[str, str]]:
    """(rule, path) of what is new in `after` to the baseline of `before`."""
    data = baseline_bytes(judged(before), case_of(before))
    assert data is not None
    found = compared(judged(after), Baseline(data, case_of(after)))
    return [(problem.rule, problem.path) for problem in found.new]


@given(problems, st.integers(0, 9))
def test_what_is_accepted_stays_accepted_when_lines_shift_and_history_never_is(
    found: list[Problem], shift: int
) -> None:
    shifted = [replace(problem, line=problem.line + shift, fix="another") for problem in found]
    got = compared(shifted, accepting(found))
    assert {problem.rule for problem in got.new} <= NEVER
    assert {problem.rule for problem in got.known} & NEVER == set()
    assert sorted(got.new + got.known) == sorted(shifted)
    assert got.unused == ()


def test_one_more_of_the_same_is_new() -> None:
    got = compared([BAD, replace(BAD, line=5), replace(BAD, line=9)], accepting([BAD, replace(BAD, line=7)]))
    assert (got.new, got.known) == ((replace(BAD, line=9),), (BAD, replace(BAD, line=5)))


@pytest.mark.parametrize(
    "change", [{"message": "x"}, {"path": "x"}, {"entry": "x"}, {"rule": "text"}, {"severity": "warning"}]
)
def test_another_problem_is_new(change: dict[str, str]) -> None:
    assert compared([replace(BAD, **change)], accepting([BAD])).known == ()


MOVES: dict[str, tuple[dict[str, str], dict[str, str], list[tuple[str, str]]]] = {
    "an entry with an id moves": ({POOR_PATH: POOR}, {".memory/patterns/rich.md": POOR}, []),
    "and is edited": ({POOR_PATH: POOR}, {".memory/patterns/rich.md": f"{POOR}More.\n"}, []),
    "another id in its place": ({POOR_PATH: POOR}, {POOR_PATH: POOR.replace("id: poor", "id: other")},
                                [("schema", POOR_PATH)]),
    "a file without id moves": ({POOR_PATH: POOR.replace("id: poor\n", "")},
                                {".memory/patterns/rich.md": POOR.replace("id: poor\n", "")}, []),
    "it is edited where it is": ({POOR_PATH: POOR.replace("id: poor\n", "")},
                                 {POOR_PATH: POOR.replace("id: poor\n", "") + "More.\n"}, []),
    "a copy of a broken file": ({POOR_PATH: BROKEN}, {POOR_PATH: BROKEN, ".memory/patterns/copy.md": BROKEN},
                                [("yaml", ".memory/patterns/copy.md")]),
    "a broken file moves": ({POOR_PATH: BROKEN}, {".memory/patterns/rich.md": BROKEN}, []),
    "another of its name elsewhere": ({POOR_PATH: POOR.replace("id: poor\n", "")},
                                      {".memory/archive/patterns/poor.md": POOR.replace("id: poor\n", "") + "Other.\n"},
                                      [("certificate", ".memory/archive/patterns/poor.md")]
                                      + [("schema", ".memory/archive/patterns/poor.md")] * 2),
    "it moves to two places": ({POOR_PATH: BROKEN}, {".memory/patterns/a.md": BROKEN, ".memory/patterns/b.md": BROKEN},
                               [("yaml", ".memory/patterns/b.md")]),
    "another broken file elsewhere": ({POOR_PATH: BROKEN}, {".memory/patterns/rich.md": BROKEN.replace("id", "title")},
                                      [("yaml", ".memory/patterns/rich.md")]),
    "two of one id, one moves": ({POOR_PATH: POOR, ".memory/patterns/b.md": POOR},
                                 {POOR_PATH: POOR, ".memory/patterns/c.md": POOR}, []),
    "a third of one id": ({POOR_PATH: POOR, ".memory/patterns/b.md": POOR},
                          {POOR_PATH: POOR, ".memory/patterns/b.md": POOR, ".memory/patterns/c.md": POOR},
                          [("schema", POOR_PATH), ("ids", POOR_PATH)]),
}  # fmt: skip


@pytest.mark.parametrize("name", MOVES)
def test_debt_moves_with_what_has_it_and_excuses_nothing_else(name: str) -> None:
    before, after, new = MOVES[name]
    assert new_after(before, after) == new


def test_the_file_is_sorted_and_says_what_it_accepts_one_a_line() -> None:
    other = replace(BAD, path=".memory/0.md")
    data = baseline_bytes([BAD, other], EMPTY_CASE)
    assert data is not None
    assert data == baseline_bytes([other, BAD], EMPTY_CASE)
    lines = data.decode().split("\n")
    assert ['.memory/0.md"' in lines[3], '.memory/a.md"' in lines[4]] == [True, True]
    assert [row and row["rule"] for row in json.loads(data)["known"]] == ["schema", "schema", None]
    alone = baseline_bytes([other], EMPTY_CASE)
    assert alone is not None
    assert alone.decode().split("\n") == [*lines[:4], *lines[5:]]  # so rows come and go without touching others


def test_without_known_counts() -> None:
    assert without_known([BAD], None) == ([BAD], 0)
    assert without_known([BAD], accepting([BAD])) == ([], 1)
    assert baseline_bytes([], EMPTY_CASE) is None
    assert baseline_bytes([replace(BAD, rule="append-only")], EMPTY_CASE) is None


UNREADABLE = [
    b"", b"{", b"[]", b'{"known": []}', b'{"version": 3, "known": []}', b'{"version": 1, "known": [1]}', b"\xff",
    b"[" * 100_000, b'{"version": true, "known": []}',
]  # fmt: skip


@pytest.mark.parametrize("data", UNREADABLE)
def test_a_baseline_that_cannot_be_read_is_no_pass(data: bytes) -> None:
    with pytest.raises(CannotJudge):
        compared([BAD], Baseline(data, EMPTY_CASE))


def test_one_that_cannot_be_read_is_made_anew(memory_repo: Repo) -> None:
    memory_repo.write(POOR_PATH, POOR)
    memory_repo.write(FILE, "{")
    memory_repo.commit("Broken")
    assert memory_repo.minutebook("check", "--all").code == 2
    assert memory_repo.minutebook("compact").code == 0
    assert memory_repo.minutebook("baseline").code == 0
    memory_repo.commit("Mended")
    assert memory_repo.minutebook("check", "--all").code == 0


def version_1(*found: Problem) -> bytes:
    """A file as version 1 wrote it."""
    rows = []
    for each in found:
        parts = (each.rule, each.severity, each.path, each.entry, each.message, "0")
        mark = sha256("\0".join(parts).encode()).hexdigest()
        rows.append({"path": each.path, "rule": each.rule, "entry": each.entry, "fingerprint": mark})
    return json.dumps({"version": 1, "known": rows}).encode()


def test_a_file_of_version_1_is_still_read(memory_repo: Repo) -> None:
    old = version_1(*judged({POOR_PATH: POOR}))
    assert compared(judged({POOR_PATH: POOR}), Baseline(old, case_of({POOR_PATH: POOR}))).new == ()
    memory_repo.write(POOR_PATH, POOR)
    memory_repo.write(FILE, old)
    memory_repo.commit("Old debt, accepted long ago")
    done = memory_repo.minutebook("check", "--all")
    assert (done.code, "1 more in the baseline" in done.err) == (0, True)
    assert memory_repo.minutebook("baseline").code == 0
    assert '"version": 2' in memory_repo.read(FILE)


def test_a_rewritten_decision_is_accepted_by_no_baseline_of_any_version() -> None:
    """Not even by rows that somebody works out for the very problem."""
    old = "# D\n\n### DEC-2026-11-01-01 — PostgreSQL\n**Decision:** PostgreSQL it is.\n**Date:** 2026-11-01\n"
    sides = [
        {LOG: File(old.encode())},
        {LOG: File(old.replace("PostgreSQL it is", "MySQL it is").encode())},
    ]
    (case,) = cases(Side(sides[0], Config()), Side(sides[1], Config()), TODAY)
    (problem,) = append_only(case)
    named = replace(problem, rule="schema")
    by_hand = baseline_bytes([named, replace(problem, rule="text")], case)
    assert by_hand is not None
    marks = [row for row in json.loads(by_hand)["known"] if row]
    of_a_file = replace(problem, rule="modes", entry="")
    content = _forged(of_a_file, case)[0] | {"path": ".memory/gone.md", "fingerprint": "none"}
    assert "content" in content
    forged = Baseline(json.dumps({"version": 2, "known": [content]}).encode(), case)
    assert compared([of_a_file], forged).new == (of_a_file,)
    for rule in ("append-only", "schema"):
        for data in (
            version_1(problem, named),
            json.dumps({"version": 2, "known": [{**row, "rule": rule} for row in marks]}).encode(),
            json.dumps({"version": 2, "known": _forged(problem, case)}).encode(),
        ):
            assert compared([problem], Baseline(data, case)).new == (problem,)


def _forged(problem: Problem, case: Case) -> list[dict[str, str]]:
    """The rows that would accept the problem if history could be accepted: made with the rule let through."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("minutebook.checks.baseline.NEVER", frozenset())
        data = baseline_bytes([problem], case)
        assert data is not None
        assert compared([problem], Baseline(data, case)).new == ()
    return [row for row in json.loads(data)["known"] if row]


def test_the_verb_accepts_today_and_fails_tomorrow(memory_repo: Repo) -> None:
    memory_repo.write(".memory/patterns/poor.md", POOR)
    memory_repo.commit("Old debt")
    assert memory_repo.minutebook("check", "--all").code == 1
    done = memory_repo.minutebook("baseline")
    assert done.code == 0, done.err
    assert "schema: 1 accepted" in done.out
    assert f"+ {FILE}" in done.out
    assert "commit it" in done.out
    memory_repo.commit("Accept it")
    assert memory_repo.minutebook("check", "--all").code == 0

    memory_repo.write(".memory/patterns/poor.md", "\n".join((POOR.rstrip("\n"), "More of it.", "")))
    memory_repo.write(".memory/patterns/other.md", POOR.replace("id: poor", "id: other"))
    memory_repo.git("add", "--all")
    done = memory_repo.minutebook("check", "--staged")
    assert done.code == 1
    assert "other.md:1: schema" in done.out
    assert "poor.md" not in done.out


def test_running_it_twice_changes_nothing_and_what_is_mended_leaves(memory_repo: Repo) -> None:
    memory_repo.write(".memory/patterns/poor.md", POOR)
    assert memory_repo.minutebook("baseline").code == 0
    first = memory_repo.read(FILE)
    done = memory_repo.minutebook("baseline")
    assert "nothing to write" in done.out
    assert memory_repo.read(FILE) == first
    memory_repo.write(".memory/patterns/poor.md", POOR.replace("title:", "abstract: One sentence, now.\ntitle:"))
    done = memory_repo.minutebook("baseline")
    assert (done.code, f"- {FILE}  nothing is left of it" in done.out) == (0, True)
    assert not (memory_repo.path / FILE).exists()
    assert memory_repo.minutebook("baseline").out == "note: nothing to accept\nnothing to write\n"


RICH = POOR.replace("title:", "abstract: One sentence, now.\ntitle:")


def test_check_says_which_rows_can_go_and_the_next_verb_drops_them(memory_repo: Repo) -> None:
    other = POOR.replace("id: poor", "id: other")
    memory_repo.write(POOR_PATH, POOR)
    memory_repo.write(".memory/patterns/other.md", other)
    assert memory_repo.minutebook("baseline").code == 0
    memory_repo.commit("Old debt")
    assert "rows can go" not in memory_repo.minutebook("check", "--all").out
    memory_repo.write(POOR_PATH, RICH)
    memory_repo.git("add", "--all")
    assert "rows can go" not in memory_repo.minutebook("check", "--staged").out  # what isn't judged may need them
    memory_repo.commit("Mended")
    done = memory_repo.minutebook("check", "--all")
    assert (done.code, "no longer there (schema, poor): the rows can go" in done.out) == (0, True)
    assert "rows can go" not in memory_repo.minutebook("check", "--all", "--only", "schema").out
    before = memory_repo.read(FILE)
    done = memory_repo.minutebook("index")
    assert f"~ {FILE}  what is mended leaves it" in done.out
    assert [row for row in before.split("\n") if "poor" not in row] == memory_repo.read(FILE).split("\n")
    memory_repo.commit("Clean")
    assert "rows can go" not in memory_repo.minutebook("check", "--all").out
    assert memory_repo.minutebook("index").out.startswith("nothing to write\n")
    memory_repo.write(".memory/patterns/other.md", other.replace("title:", "abstract: One sentence, now.\ntitle:"))
    assert f"- {FILE}" in memory_repo.minutebook("split", "--to", "database", "DEC-2026-11-01-01").out
    assert not (memory_repo.path / FILE).exists()


def test_a_proposal_takes_along_what_is_mended(memory_repo: Repo) -> None:
    memory_repo.write(POOR_PATH, POOR)
    assert memory_repo.minutebook("baseline").code == 0
    memory_repo.commit("Old debt")
    asked = ("propose", "--dry-run", "--format", "json")
    paths = [change["path"] for change in json.loads(memory_repo.minutebook(*asked).out)["changes"]]
    assert FILE not in paths
    memory_repo.write(POOR_PATH, RICH)
    memory_repo.commit("Mended")
    paths = [change["path"] for change in json.loads(memory_repo.minutebook(*asked).out)["changes"]]
    assert FILE in paths


def test_no_baseline_shows_all(memory_repo: Repo) -> None:
    memory_repo.write(POOR_PATH, POOR)
    assert memory_repo.minutebook("baseline").code == 0
    memory_repo.git("mv", "-k", POOR_PATH, ".memory/patterns/moved.md")
    memory_repo.commit("Old debt")
    assert memory_repo.minutebook("check", "--all").code == 0
    assert memory_repo.minutebook("check", "--all", "--no-baseline").code == 1


def test_a_dry_run_accepts_nothing(memory_repo: Repo) -> None:
    memory_repo.write(POOR_PATH, POOR)
    done = memory_repo.minutebook("baseline", "--dry-run", "--format", "json")
    assert [change["path"] for change in json.loads(done.out)["changes"]] == [FILE]
    assert not (memory_repo.path / FILE).exists()


def test_a_rewritten_decision_is_never_accepted(memory_repo: Repo) -> None:
    memory_repo.write(LOG, memory_repo.read(LOG).replace("SKIP LOCKED", "a lock"))
    assert memory_repo.minutebook("baseline").code == 0
    memory_repo.git("add", "--all")
    done = memory_repo.minutebook("check", "--staged")
    assert done.code == 1
    assert "append-only" in done.out


def test_a_change_cannot_excuse_itself(memory_repo: Repo) -> None:
    memory_repo.write(".memory/patterns/poor.md", POOR)
    assert memory_repo.minutebook("baseline").code == 0
    memory_repo.git("add", "--all")
    assert memory_repo.minutebook("check", "--staged").code == 1


def test_private_spaces_leave_no_trace_in_the_baseline(memory_repo: Repo) -> None:
    memory_repo.write(".memory/users/ada/profile.md", POOR)
    memory_repo.write(".memory/patterns/poor.md", POOR)
    assert memory_repo.minutebook("baseline").code == 0
    assert "ada" not in memory_repo.read(FILE)
    assert "poor.md" in memory_repo.read(FILE)


def test_a_copy_of_a_broken_file_is_another_one_even_where_the_first_is_not_judged(memory_repo: Repo) -> None:
    memory_repo.write(POOR_PATH, BROKEN)
    assert memory_repo.minutebook("baseline").code == 0
    memory_repo.commit("Old debt")
    memory_repo.write(".memory/patterns/copy.md", BROKEN)
    memory_repo.git("add", "--all")
    done = memory_repo.minutebook("check", "--staged")
    assert (done.code, "copy.md:3: yaml" in done.out) == (1, True)
    memory_repo.git("rm", "--quiet", POOR_PATH)
    assert memory_repo.minutebook("check", "--staged").code == 0


def test_a_file_of_fingerprints_is_no_secret(memory_repo: Repo) -> None:
    memory_repo.write(".memory/patterns/poor.md", POOR)
    assert memory_repo.minutebook("baseline").code == 0
    memory_repo.git("add", FILE)
    done = memory_repo.minutebook("check", "--staged")
    assert done.code == 0, done.out


@pytest.mark.parametrize("data", ["{", '{"version": 3, "known": []}'])
def test_a_broken_one_is_refused_where_it_comes_and_blocks_nothing_where_it_is(memory_repo: Repo, data: str) -> None:
    def staged() -> tuple[int, bool, bool]:
        memory_repo.git("add", "--all")
        done = memory_repo.minutebook("check", "--staged")
        return done.code, f"{FILE}: baseline: the baseline" in done.out, "it accepts nothing" in done.out

    memory_repo.write(FILE, data)
    assert staged() == (1, True, False)
    memory_repo.commit("Broken")
    memory_repo.write(POOR_PATH, RICH)
    assert staged() == (0, False, True)
    memory_repo.write(POOR_PATH, POOR)
    assert staged() == (1, False, True)
    (memory_repo.path / POOR_PATH).unlink()
    (memory_repo.path / FILE).unlink()
    assert staged() == (0, False, True)
