"""Whether an entry still holds, and whether it is private: one answer wherever it is asked."""

from datetime import date

import pytest

from minutebook.compact.archive import plan_archive
from minutebook.ground.change import File
from minutebook.ground.config import Config
from minutebook.ground.memory import Memory, read_memory
from minutebook.pages.index_page import index_page
from minutebook.refresh.drifted import UNMOVED
from minutebook.refresh.findings import Past
from minutebook.refresh.stale import find_stale
from minutebook.retrieve.candidates import Reader, candidates
from minutebook.route.matching import active

PATH = ".memory/decisions/DEC-2026-11-01-01.md"
DECISION = "---\ntype: decision\nid: DEC-2026-11-01-01\ntitle: Redis\n{front}---\n## Decision\nRedis it is.\n{end}"


def memory_of(text: str, config: Config | None = None) -> Memory:
    return read_memory({PATH: File(text.encode())}, ".memory", config or Config(decisions="files"))


def answers(memory: Memory) -> set[bool]:
    """What each verb makes of the one entry: whether it is closed."""
    entry = next(memory.entries())
    tree = {PATH: File(entry.text.encode())}
    found, _ = candidates(memory, {(PATH, entry.id): 1.0}, (), Reader(""))
    past = Past(lambda _: None, None, lambda _: "")
    old = date(2000, 1, 1).isoformat()
    marked = memory_of(entry.text.replace("title: Redis\n", f"title: Redis\nstale: {{since: {old}, why: old}}\n"))
    return {
        memory.is_closed(entry),
        not found,
        entry not in active(memory, "decision"),
        bool(plan_archive(memory, tree).changes),
        "| *" in index_page(memory),
        not find_stale(marked, past, date(2026, 11, 20), lambda *_: UNMOVED),
    }


@pytest.mark.parametrize(
    ("front", "end", "closed"),
    [
        ("", "", False),
        ("status: accepted\n", "", False),
        ("status: superseded\n", "", True),
        ("superseded_by: DEC-2026-11-02-01\n", "", True),
        ("status: accepted\n", "\n> SUPERSEDED by DEC-2026-11-02-01\n", True),
        ("", "\n> RETRACTED\n", True),
        ("", "\n```\n> RETRACTED\n```\n", False),
        ("", "\n`> RETRACTED` is what a marker looks like.\n", False),
    ],
)
def test_every_verb_has_the_same_answer_to_whether_an_entry_holds(front: str, end: str, closed: bool) -> None:
    assert answers(memory_of(DECISION.format(front=front, end=end))) == {closed}


def test_a_marker_is_called_by_its_own_word() -> None:
    memory = memory_of(DECISION.format(front="", end="\n> RETRACTED\n"))
    assert "| *retracted* Redis |" in index_page(memory)
    _, unserved = candidates(memory, {(PATH, "DEC-2026-11-01-01"): 1.0}, (), Reader(""))
    assert [each.why for each in unserved] == ["retracted"]


def test_private_is_what_lies_in_an_owner_space_of_this_root_and_stays_out_of_git() -> None:
    memory = memory_of(DECISION.format(front="", end=""))
    assert memory.is_private(".memory/users/ada/preferences/tabs.md")
    assert not memory.is_private("users/ada/notes.md")
    assert not memory.is_private(".memory/archive/decisions/_log.md")
    assert {"preference"} <= memory.private_types
    shared = memory_of(DECISION.format(front="", end=""), Config(users="commit"))
    assert not shared.is_private(".memory/users/ada/preferences/tabs.md")
    assert not shared.private_types
