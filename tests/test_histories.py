"""Random histories on real git: the gate's word on every commit, beside that of an oracle which never reads a text."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from conftest import Repo, environment
from histories.building import Ids, built
from histories.history import History, told
from histories.judging import Court, by_command, disagreement, rows
from histories.script import FEWEST, KINDS, LONGEST, MOST, Script, Step, random_script, script_of
from histories.soak import Soak, load
from histories.soak import soak as run
from histories.trial import shrunk, tried
from minutebook.checks import RULES
from minutebook.edges.git_batch import Batch

PARTS, EACH = 4, 500
"""Parts may run side by side: 2,000 histories in all."""
COMMANDS = 10
SOAK = Path(__file__).parent / "histories" / "soak.py"

NUMBERS = st.integers(0, MOST)
STEPS = st.builds(Step, st.sampled_from(KINDS), st.integers(0, 9), NUMBERS, NUMBERS)
SCRIPTS = st.builds(
    Script, st.booleans(), st.sampled_from([False] * 5 + [True]),
    st.lists(STEPS, min_size=FEWEST, max_size=LONGEST).map(tuple),
)  # fmt: skip


def scripts(part: int, count: int) -> list[Script]:
    """So many scripts as Hypothesis makes them, the same ones for the same part."""
    found: list[Script] = []

    def draw(script: Script) -> None:
        found.append(script)

    machine = settings(
        max_examples=count, phases=[Phase.generate], database=None, deadline=None,
        suppress_health_check=list(HealthCheck),
    )(given(SCRIPTS)(draw))  # fmt: skip
    seed(part)(machine)()
    return found


@pytest.mark.parametrize("part", range(PARTS))
def test_the_gate_and_the_oracle_agree_on_every_commit_of_random_histories(
    part: int, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    drawn = scripts(part, EACH)
    assert len(drawn) == EACH
    tally, found = tried(tmp_path / "batch", drawn, COMMANDS)
    record_property("histories", tally.lines())
    print(*tally.lines(), sep="\n")
    shown = "\n".join(str(shrunk(tmp_path / "shorter", differs)) for differs in found[:3])
    assert not found, f"{len(found)} times they differ; as short as can be, for REGRESSIONS:\n{shown}"
    assert len(tally.kinds) > 0.9 * len({*KINDS}), f"never done: {sorted({*KINDS} - {*tally.kinds})}"
    assert tally.ways["by the command line"] >= COMMANDS - 2


# What a history's last commit is, told by hand: the oracle has to say so too, and the gate, and the command line.
# The log begins with a draft, a marked entry and three others, newest first; before it come a case and a decision in
# files of their own.
PINNED = {
    "an entry is appended": ("append.0.1.0", "accept"),
    "an entry is inserted": ("insert.0.0.1", "reject"),
    "an entry of long ago is appended": ("backdated.0.1.0", "warn"),
    "a word of a sealed entry": ("edit.0.6.0", "reject"),
    "a word of a draft": ("edit.0.2.0", "accept"),
    "a word in a fence of a sealed entry": ("edit.0.5.3", "reject"),
    "a word of a case": ("edit.0.0.1", "reject"),
    "a paragraph is wrapped anew": ("rewrap.0.6.0", "reject"),
    "an id is changed": ("change_id.0.6.0", "reject"),
    "the id of a draft is changed, below another entry": ("append.0.1.0 change_id.0.3.0", "accept"),
    "white space at a line's end": ("space.0.6.1", "warn"),
    "every line end": ("line_ends.0.2.1", "warn"),
    "the final newline": ("line_ends.0.2.0", "warn"),
    "the words above the log": ("preamble.0.0.1", "accept"),
    "a marker is set": ("mark.0.1.0", "accept"),
    "a marker is taken away": ("unmark.0.0.0", "reject"),
    "a marker is set again": ("unmark.0.0.1", "reject"),
    "an accepted one becomes a draft": ("status.0.4.0", "reject"),
    "an accepted one is superseded": ("status.0.4.4", "accept"),
    "a draft is sealed": ("seal.0.0.0", "accept"),
    "a draft is sealed, then edited": ("seal.0.0.0 edit.0.2.0", "reject"),
    "an addendum": ("addendum.0.6.0", "accept"),
    "an addendum is edited": ("edit_addendum.0.0.0", "reject"),
    "a sealed entry is deleted": ("delete.0.6.0", "reject"),
    "a draft is deleted": ("delete.0.2.0", "accept"),
    "a log is deleted": ("delete_file.0.2.0", "reject"),
    "a log is cut at its end": ("cut.0.0.4", "reject"),
    "two sealed entries change places": ("reorder.0.0.3", "reject"),
    "a draft changes its place": ("reorder.0.0.0", "accept"),
    "a log is split": ("split.0.0.0", "accept"),
    "a log is split and one entry lost": ("split.0.0.4", "reject"),
    "a marked entry goes to the archive": ("archive.0.0.0", "accept"),
    "an active entry goes to the archive": ("move.0.5.2", "reject"),
    "a file is renamed": ("rename.0.0.1", "accept"),
    "a file is renamed out of its place": ("rename.0.0.0", "reject"),
    "a file is renamed and another takes its place": ("rename.0.1.1", "reject"),
    "a file is renamed and edited": ("rename_and_edit.0.0.0", "reject"),
    "an old one is superseded": ("supersede.0.1.1", "accept"),
    "what was superseded is superseded again": ("supersede.0.2.0", "warn"),
    "an id stands twice with one text": ("duplicate.0.6.0", "reject"),
    "an id stands twice with two texts": ("duplicate.0.6.1", "reject"),
    "the words of another entry": ("copy.0.3.0", "accept"),
    "a symlink": ("mode.0.2.1", "reject"),
    "an executable": ("mode.0.2.0", "reject"),
    "a published entry is reverted": ("append.0.1.0 revert.0.0.0", "reject"),
    "an entry of its own branch is reverted": ("append.3.1.0 revert.3.0.0", "accept"),
    "an entry of its own branch is edited": ("append.3.1.0 edit.3.2.0", "accept"),
    "an entry is picked that is there already": ("cherry_pick.0.4.0", "reject"),
    "an entry is picked from a branch": ("append.3.1.0 cherry_pick.0.0.1", "accept"),
    "two branches append, ours first": ("append.3.1.0 append.0.1.0 merge.0.1.0", "accept"),
    "two branches append, theirs first": ("append.3.1.0 append.0.1.0 merge.0.0.0", "accept"),
    "main is merged into a branch": ("append.3.1.0 append.0.1.0 merge.3.1.0", "accept"),
    "a merge loses an entry": ("append.3.1.0 append.0.1.0 merge_losing.0.2.0", "reject"),
    "a merge edits an entry": ("append.3.1.0 append.0.1.0 merge_editing.0.2.0", "reject"),
    "a merge brings an entry": ("append.3.1.0 append.0.1.0 merge_adding.0.1.0", "reject"),
    "a merge changes the order": ("append.3.1.0 append.3.1.0 append.0.1.0 merge_turning.0.0.0", "reject"),
    "a branch is squashed": ("append.3.1.0 append.0.1.0 squash.0.0.0", "accept"),
    "a branch is squashed below the newest": ("append.3.1.0 append.0.1.0 squash.0.1.0", "reject"),
    "a squashed branch is merged": ("append.3.1.0 append.0.1.0 squash.0.0.0 append.3.1.0 merge.0.0.0", "accept"),
    "a branch is rebased": ("append.3.1.0 append.0.1.0 rebase.3.1.0", "accept"),
    "a branch on a branch edits what is its own": (
        "append.3.1.0 unchanged.9.1.0 edit.5.2.0 append.7.6.0 merge.7.6.0", "accept",
    ),
    "a branch on a branch drops what is its own": (
        "append.3.1.0 unchanged.9.1.0 delete.5.2.0 append.7.6.0 merge.7.6.0", "accept",
    ),
    "a branch parted from an older commit": ("append.0.1.0 append.0.1.0 append.8.1.3 merge.0.0.0", "accept"),
}  # fmt: skip
# Scripts on which the gate and the oracle differed once.
REGRESSIONS = {
    "an entry with a marker gets the status of a draft": (
        "newest words merge_editing.4.700.502 archive.0.461.431 status.3.272.432 merge.6.178.519"
    ),
    "a marker and the status of a draft at once": "newest words status.5.664.904 supersede.2.235.20 squash.2.386.69",
    "a copy with another id is picked": (
        "newest bytes append.0.21.663 new_file.4.268.133 addendum.3.482.586 change_id.8.287.743 cherry_pick.1.627.89"
    ),
    "a file is copied into a log and deleted": "oldest words duplicate.5.180.592 delete_file.5.268.497",
    "a blank line at the end comes and goes": "newest words append.5.643.463 space.4.144.592 line_ends.5.918.896",
    "of two copies one is marked": (
        "oldest words append.2.401.798 revert.1.745.361 cherry_pick.9.316.183 insert.4.61.33 mark.6.795.69 "
        "mark.8.948.420"
    ),
}


def test_what_is_told_by_hand_is_what_the_oracle_the_gate_and_the_command_line_say(tmp_path: Path) -> None:
    histories = [told(script_of(f"newest words {steps}")) for steps, _ in PINNED.values()]
    repo, ids = built(tmp_path / "pinned", histories)
    with Batch(repo.path) as batch:
        for (name, (steps, word)), history, names in zip(PINNED.items(), histories, ids, strict=True):
            assert len(history.commits) == 1 + len(steps.split()), f"{name}: a step was left out"
            last = history.judged[-1]
            assert (last.commit, last.expected.word) == (len(steps.split()), word), name
            assert not disagreement(last.expected, rows(Court(batch).problems(names, last))), name
    for at in range(0, len(histories), 8):
        said = by_command(repo, ids[at], histories[at].judged[-1])
        problems = [(each["severity"], each["path"], each["entry"]) for each in said]
        assert not disagreement(histories[at].judged[-1].expected, problems), list(PINNED)[at]


def test_white_space_is_sealed_where_the_config_says_bytes() -> None:
    history = told(script_of("newest bytes space.0.6.1"))
    assert history.judged[-1].expected.word == "reject"


@pytest.mark.parametrize(
    "script",
    [pytest.param(script, id=name.replace(" ", "-")) for name, script in REGRESSIONS.items()],
)
def test_what_differed_once_agrees(script: str, tmp_path: Path) -> None:
    tally, found = tried(tmp_path / "batch", [script_of(script)])
    assert sum(tally.words.values()) > 1
    assert not found, str(found[0])


def test_a_script_is_read_back_from_its_text() -> None:
    script = random_script("any")
    assert script_of(str(script)) == script


@pytest.fixture(scope="module")
def some(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[History], Repo, Ids]:
    """Histories to try a broken gate on."""
    chosen = [script_of(f"newest words {steps}") for steps, _ in PINNED.values()]
    histories = [told(script) for script in [*chosen, *(random_script(f"broken:{number}") for number in range(100))]]
    repo, ids = built(tmp_path_factory.mktemp("some") / "batch", histories)
    return histories, repo, ids


def nothing(*_: object, **__: object) -> Iterator[object]:
    return iter(())


# A part of the gate, and what the gate is without it. The first ones keep silent, the last ones cry wolf.
BROKEN: dict[str, object] = {
    "append_only.gone": nothing,
    "append_only.changes": nothing,
    "append_only.displaced": nothing,
    "append_only.misplaced": nothing,
    "append_only.merged": nothing,
    "merged.gone": nothing,
    "merged.changes": nothing,
    "merged.displaced": nothing,
    "newcomers._from_nowhere": nothing,
    "newcomers._dates": nothing,
    "newcomers._supersedes": nothing,
    "kept._moved": nothing,
    "kept._slight": nothing,
    "sealed._amended": nothing,
    "sealed._kept": nothing,
    "log_order._explained": lambda *_: False,
    "kept.closed_as": lambda *_: "",
    "merged._settled_elsewhere": lambda *_: frozenset(),
    "pairing._renamed": lambda kept, gone, rest: (kept, gone, rest),
}


@pytest.mark.parametrize("part", [*BROKEN, "rule ids", "rule modes"])
def test_a_gate_with_a_broken_part_is_found_out(
    part: str, some: tuple[list[History], Repo, Ids], monkeypatch: pytest.MonkeyPatch
) -> None:
    if part.startswith("rule "):
        monkeypatch.setitem(RULES, part.removeprefix("rule "), nothing)
    else:
        module, _, name = part.partition(".")
        monkeypatch.setattr(sys.modules[f"minutebook.checks.{module}"], name, BROKEN[part])
    histories, repo, ids = some
    with Batch(repo.path) as batch:
        assert any(
            disagreement(judged.expected, rows(Court(batch).problems(names, judged)))
            for history, names in zip(histories, ids, strict=True)
            for judged in history.judged
        )


def test_what_differs_is_made_as_short_as_it_can_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["minutebook.checks.append_only"], "gone", nothing)
    long = script_of("newest words append.0.1.0 addendum.3.1.0 delete.0.7.0 append.3.1.0 mark.0.1.0")
    _, found = tried(tmp_path / "batch", [long])
    assert str(shrunk(tmp_path / "shorter", found[0]).history.script) == "newest words delete.0.7.0"
    assert "a miss" in str(found[0])


def soak(folder: Path, *arguments: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, str(SOAK), "--seed", "s", "--state", str(folder / "soak.json"), *arguments],
        env=environment(folder), encoding="utf-8", stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


@pytest.mark.skipif(os.name != "posix", reason="Ctrl-C is sent as a signal")
def test_a_soak_that_is_stopped_says_so_and_keeps_what_it_did(tmp_path: Path) -> None:
    with soak(tmp_path, "--histories", "5000", "--batch", "1") as running:
        assert running.stderr is not None
        assert running.stderr.readline().startswith("10 of 5,000 histories")
        running.send_signal(signal.SIGINT)
        _, err = running.communicate(timeout=60)
    assert running.returncode == 130, err
    kept = load(tmp_path / "soak.json")
    assert kept is not None
    assert kept.next == kept.tally.histories >= 10
    assert f"stopped after {kept.next:,} histories" in err


def test_a_soak_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    whole, _ = soak(tmp_path, "--histories", "6", "--batch", "2").communicate(timeout=300)
    assert "6 histories" in whole
    assert not (tmp_path / "soak.json").exists()
    state = Soak("s")
    run(state, tmp_path / "soak.json", 4, 2)
    rest, _ = soak(tmp_path, "--histories", "6").communicate(timeout=300)
    assert "from history 4 to 6" in rest
    assert rest.splitlines()[1:-1] == whole.splitlines()[1:-1]
