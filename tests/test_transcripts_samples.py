"""The shared samples, with the counts that their README and the readers of their own programs give."""

import os
from collections import Counter
from pathlib import Path

import pytest

from minutebook.ground.session import Session
from minutebook.transcripts import read_transcript

SHARED = Path(os.environ.get("MINUTEBOOK_SHARED", Path(__file__).parents[2] / "shared")) / "data"
pytestmark = pytest.mark.skipif(not SHARED.is_dir(), reason="the shared data are not here")
CLAUDE, CODEX, COPILOT = "claude-code", "codex", "copilot-cli"
ENTIRE, FIXTURES, PROJECTS = (
    f"{CLAUDE}/entire-cli",
    f"{CLAUDE}/session-share/fixtures",
    f"{CLAUDE}/session-share/projects",
)
# name; records; what people typed; tool calls; answers, approved plans, corrected plans, refused tool calls; skipped
ROWS = [
    (f"{ENTIRE}/94-de498254e2-0", 425, 15, 116, (0, 0, 0, 0), {}),
    (f"{ENTIRE}/98-78b713483d-0", 424, 7, 119, (0, 0, 0, 0), {}),
    (f"{ENTIRE}/ed-51f6581660-0", 539, 5, 106, (0, 1, 0, 2), {}),
    (f"{ENTIRE}/5c-5cb639eac4-0", 1309, 32, 208, (0, 0, 0, 6), {}),
    (f"{CLAUDE}/m-claude/8d471a2e-e373-408e-aaf4-81e16e07898c", 340, 5, 23, (0, 0, 0, 0), {"broken": 112}),
    (f"{CLAUDE}/m-claude/c10f5964-20bd-4783-aa1a-30b06c8a702a", 174, 6, 46, (1, 0, 0, 1), {"broken": 5}),
    (f"{CLAUDE}/m-claude/agent-a17266e", 1, 0, 0, (0, 0, 0, 0), {"sidechain": 1}),
    (f"{CLAUDE}/m-claude/e6804af6-fe01-478c-9e10-75e94f3e93cb", 1, 0, 0, (0, 0, 0, 0), {}),
    (f"{CLAUDE}/constructed/glued-records", 40, 3, 12, (0, 0, 0, 0), {}),
    (f"{FIXTURES}/general-tool-calls", 560, 10, 110, (2, 2, 2, 3), {"comment": 2}),
    (f"{FIXTURES}/images-in-user-messages", 26, 3, 2, (0, 0, 0, 0), {"comment": 2, "rewound": 2}),
    (f"{PROJECTS}/0ccf1a04-1b4c-43b6-8aa5-79e41db43a68", 86, 3, 7, (0, 0, 0, 0), {}),
    (f"{CODEX}/agentv-33-5841c2d678-0", 1343, 13, 318, (0, 0, 0, 0), {}),
    (f"{CODEX}/agentv-3c-162d1d8ad4-1", 901, 26, 150, (0, 0, 0, 0), {}),
    (f"{CODEX}/agentv-a3-92ff332928-0", 92, 2, 23, (0, 0, 0, 0), {}),
    (f"{CODEX}/agentv-dd-08c8dc0d47-0", 284, 4, 76, (0, 0, 0, 0), {}),
    (f"{COPILOT}/agentv-26-9e1b9e5502-0", 551, 1, 68, (0, 0, 0, 0), {}),
    (f"{COPILOT}/agentv-db-325365b92c-0", 15, 1, 0, (0, 0, 0, 0), {}),
    (f"{COPILOT}/agentv-6a-6787e4f86b-0", 15, 1, 0, (0, 0, 0, 0), {}),
]
STRUCTURED = ("answer", "plan-approved", "plan-corrected", "tool-refused")


def read(name: str) -> Session:
    with (SHARED / "transcripts" / f"{name}.jsonl").open("rb") as file:
        return read_transcript(file, name)


@pytest.mark.parametrize(("name", "records", "typed", "calls", "structured", "skipped"), ROWS)
def test_a_sample_has_the_counts_that_are_known_of_it(
    name: str, records: int, typed: int, calls: int, structured: tuple[int, ...], skipped: dict[str, int]
) -> None:
    session = read(name)
    kinds: Counter[str] = Counter(turn.kind for turn in session.turns)
    people = sum(turn.role == "user" and turn.kind == "text" for turn in session.turns)
    assert (session.records, people, kinds["tool-call"]) == (records, typed, calls)
    assert tuple(kinds[kind] for kind in STRUCTURED) == structured
    assert session.skipped == skipped


def test_a_compaction_summary_is_nobodys_words() -> None:
    for name in ("98-78b713483d-0", "ed-51f6581660-0", "5c-5cb639eac4-0"):
        session = read(f"{ENTIRE}/{name}")
        assert not [turn for turn in session.turns if turn.text.startswith("This session is being continued")]


def test_the_subagents_of_a_session_have_nobodys_words() -> None:
    files = sorted((SHARED / "transcripts" / PROJECTS).rglob("agent-*.jsonl"))
    assert len(files) == 6
    for file in files:
        session = read(str(file.relative_to(SHARED / "transcripts").with_suffix("")))
        assert (session.turns, set(session.skipped)) == ((), {"sidechain"})


def test_codex_patches_of_the_samples_name_their_files() -> None:
    session = read(f"{CODEX}/agentv-33-5841c2d678-0")
    patches = [turn for turn in session.turns if turn.kind == "tool-call" and turn.detail["tool"] == "apply_patch"]
    assert len(patches) == 28
    assert all(turn.detail["writes"] == "yes" for turn in patches)
