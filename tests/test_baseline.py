"""Today's debt, frozen: what a baseline accepts and what it never does."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import LOG, Repo
from minutebook.checks.baseline import NEVER, accepted, baseline_bytes, split, without_known
from minutebook.ground.errors import CannotJudge
from minutebook.ground.frozen import replace
from minutebook.ground.problem import Problem

FILE = ".memory/baseline.json"
BAD = Problem(".memory/a.md", 3, "schema", "`date` is missing", "date: 2026-11-02", "a")
POOR = "---\nid: poor\ntitle: A poor entry\n---\nNo abstract.\n"
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


@given(problems, st.integers(0, 9))
def test_what_is_accepted_stays_accepted_when_lines_shift_and_history_never_is(
    found: list[Problem], shift: int
) -> None:
    shifted = [replace(problem, line=problem.line + shift, fix="another") for problem in found]
    new, known = split(shifted, accepted(baseline_bytes(found)))
    assert {problem.rule for problem in new} <= NEVER
    assert {problem.rule for problem in known} & NEVER == set()
    assert sorted(new + known) == sorted(shifted)


def test_one_more_of_the_same_is_new() -> None:
    known = accepted(baseline_bytes([BAD, replace(BAD, line=7)]))
    assert split([BAD, replace(BAD, line=5), replace(BAD, line=9)], known) == (
        [replace(BAD, line=9)],
        [BAD, replace(BAD, line=5)],
    )


@pytest.mark.parametrize(
    "change", [{"message": "x"}, {"path": "x"}, {"entry": "x"}, {"rule": "text"}, {"severity": "warning"}]
)
def test_another_problem_is_new(change: dict[str, str]) -> None:
    assert split([replace(BAD, **change)], accepted(baseline_bytes([BAD])))[1] == []


def test_the_file_is_sorted_and_says_what_it_accepts_one_a_line() -> None:
    other = replace(BAD, path=".memory/0.md")
    data = baseline_bytes([BAD, other])
    assert data is not None
    assert data == baseline_bytes([other, BAD])
    lines = data.decode().split("\n")
    assert ['.memory/0.md"' in lines[3], '.memory/a.md"' in lines[4]] == [True, True]
    assert [row["rule"] for row in json.loads(data)["known"]] == ["schema", "schema"]


def test_without_known_counts() -> None:
    assert without_known([BAD], None) == ([BAD], 0)
    assert without_known([BAD], baseline_bytes([BAD])) == ([], 1)
    assert baseline_bytes([]) is None
    assert baseline_bytes([replace(BAD, rule="append-only")]) is None


UNREADABLE = [
    b"", b"{", b"[]", b'{"known": []}', b'{"version": 2, "known": []}', b'{"version": 1, "known": [1]}', b"\xff",
    b"[" * 100_000,
]  # fmt: skip


@pytest.mark.parametrize("data", UNREADABLE)
def test_a_baseline_that_cannot_be_read_is_no_pass(data: bytes) -> None:
    with pytest.raises(CannotJudge):
        accepted(data)


def test_the_verb_accepts_today_and_fails_tomorrow(memory_repo: Repo) -> None:
    memory_repo.write(".memory/patterns/poor.md", POOR)
    memory_repo.commit("Old debt")
    assert memory_repo.minutebook("check", "--all").code == 1
    done = memory_repo.minutebook("baseline")
    assert done.code == 0, done.err
    assert "schema: 1 accepted" in done.out
    assert f"{FILE} is written" in done.out
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
    assert "nothing changed" in done.out
    assert memory_repo.read(FILE) == first
    memory_repo.write(".memory/patterns/poor.md", POOR.replace("title:", "abstract: One sentence, now.\ntitle:"))
    done = memory_repo.minutebook("baseline")
    assert (done.code, "is gone" in done.out) == (0, True)
    assert not (memory_repo.path / FILE).exists()
    assert memory_repo.minutebook("baseline").out == "nothing to accept\nnothing changed\n"


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


def test_a_file_of_fingerprints_is_no_secret(memory_repo: Repo) -> None:
    memory_repo.write(".memory/patterns/poor.md", POOR)
    assert memory_repo.minutebook("baseline").code == 0
    memory_repo.git("add", FILE)
    done = memory_repo.minutebook("check", "--staged")
    assert done.code == 0, done.out
