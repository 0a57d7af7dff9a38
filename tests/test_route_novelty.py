"""What was said before, and what contradicts it: one entry a fact, the last word, or a question for a person."""

import json
from collections.abc import Sequence
from datetime import date
from pathlib import Path

import pytest

from conftest import Repo
from minutebook.ground.change import File, Plan, Refusal
from minutebook.ground.config import Config
from minutebook.ground.entry import Entry
from minutebook.ground.frozen import replace
from minutebook.ground.memory import Memory, read_memory
from minutebook.ground.session import Candidate
from minutebook.pages.plan_report import plan_text
from minutebook.pages.render import page
from minutebook.route.plan import after, route
from minutebook.route.step import Rules
from minutebook.similar import similarities
from talk import jsonl, records, said, turn

TODAY = date(2026, 11, 20)
ROOT = ".memory"
RULES = Rules("ada", "claude-code")
MARKS = ("", "!", "...", " please", ", ok?", " - thanks", ".", " (really)", ";", " now")


def memory(files: dict[str, str] | None = None) -> Memory:
    return read_memory({f"{ROOT}/{path}": File(text.encode()) for path, text in (files or {}).items()}, ROOT, Config())


def thought(
    text: str,
    type_name: str = "decision",
    number: int = 1,
    session: str = "s-1",
    *,
    at: str = "2026-11-10T09:00:00Z",
    date: str = "2026-11-10",
    target: str = "",
) -> Candidate:
    """A candidate that says this, as a person did in that turn of that session."""
    spoken = replace(turn(number, "user", f"{session}: {text}", at=at), text=text)
    own = {"decision": text} if type_name == "decision" else {}
    return Candidate(
        type=type_name,
        title=text[:60],
        abstract=text,
        body=text,
        quote=text,
        turn=spoken,
        session=session,
        signal="cue:adoption",
        score=0.9,
        fields={"date": date, **own},
        extractor="offline-2",
        target=target,
    )


def put(known: Memory, *found: Candidate, rules: Rules = RULES) -> tuple[Plan, Memory]:
    plan = route(said("x"), found, known, TODAY, similarities, rules)
    return plan, after(known, plan.changes)


def entries(known: Memory, type_name: str = "decision") -> list[Entry]:
    return [entry for entry in known.entries() if entry.type == type_name]


def verbs(plan: Plan) -> list[str]:
    return [entry.verb for change in plan.changes for entry in change.entries]


def only(plan: Plan) -> Refusal:
    (refusal,) = plan.refusals
    return refusal


# said again


@pytest.mark.parametrize("type_name", ["decision", "pattern", "preference", "event"])
def test_200_near_duplicates_of_one_session_are_one_entry(type_name: str) -> None:
    found = [
        thought(f"{'We ' * (n % 2)}use httpx for {'all ' * (n % 3)}outgoing calls{MARKS[n % 10]}", type_name, n + 1)
        for n in range(200)
    ]
    _, new = put(memory(), *found)
    assert len(entries(new, type_name)) == 1


def test_200_near_duplicates_of_one_turn_that_differ_in_a_number_are_one_entry_and_questions() -> None:
    found = [thought(f"Use httpx for outgoing calls, variant {n}") for n in range(200)]
    plan, new = put(memory(), *found)
    assert len(entries(new)) == 1
    assert {each.kind for each in plan.refusals} == {"question"}


def test_numbers_given_one_after_the_other_leave_the_last_one() -> None:
    found = [thought(f"Use port {8000 + n} for the upload API", number=n + 1) for n in range(200)]
    plan, new = put(memory(), *found)
    assert [entry.fields["decision"] for entry in entries(new)] == ["Use port 8199 for the upload API"]
    assert verbs(plan) == ["append"]
    assert all(each.reason.startswith("taken back in turn ") for each in plan.refusals)


def test_a_decision_that_is_known_is_named_and_the_entry_not_touched() -> None:
    _, known = put(memory(), thought("Use httpx for outgoing calls"))
    plan, new = put(known, thought("For outgoing calls, use httpx", session="s-2"))
    assert plan.changes == ()
    assert only(plan).reason == f"already known: {entries(known)[0].id}"
    assert new.files == known.files


def test_a_pattern_that_is_said_again_gets_the_other_source() -> None:
    _, known = put(memory(), thought("Always write a regression test first", "pattern"))
    plan, new = put(known, thought("Write a regression test first, always", "pattern", session="s-2"))
    assert verbs(plan) == ["merge"]
    (entry,) = entries(new, "pattern")
    assert [source["session"] for source in entry.fields["sources"]] == ["s-1", "s-2"]
    assert [source["extractor"] for source in entry.fields["sources"]] == ["offline-2", "offline-2"]


def test_the_words_of_a_resumed_session_are_those_of_the_first() -> None:
    at = "2026-11-10T09:00:00.412Z"
    _, known = put(memory(), thought("Always write a regression test first", "pattern", at=at))
    plan, _ = put(known, thought("Always write a regression test first", "pattern", session="s-2", at=at))
    assert (plan.changes, plan.refusals) == ((), ())
    assert plan.figures["already in memory"] == 1


def test_a_pattern_that_a_decision_says_is_known() -> None:
    _, known = put(memory(), thought("Use httpx for outgoing calls"))
    plan, _ = put(known, thought("Always use httpx for outgoing calls", "pattern", session="s-2"))
    assert only(plan).reason.startswith("already known: DEC-")


def test_the_preference_of_somebody_else_is_not_ours_to_merge_into() -> None:
    _, known = put(memory(), thought("I prefer tabs for indentation", "preference"), rules=Rules("bob", "codex"))
    plan, new = put(known, thought("I prefer tabs for indentation", "preference", session="s-2"))
    assert verbs(plan) == ["create"]
    assert [entry.path.split("/")[2] for entry in entries(new, "preference")] == ["ada", "bob"]


def test_the_same_run_twice_gives_the_same_bytes() -> None:
    found = [thought(f"Use tool{n} for job{n}", number=n + 1) for n in range(5)]
    assert put(memory(), *found) == put(memory(), *found)


# contradicted


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("I prefer tabs for code indentation", "I prefer spaces for code indentation"),
        ("I prefer tabs over spaces", "I prefer spaces over tabs"),
        ("I prefer short answers", "I prefer long answers"),
    ],
)
def test_a_preference_that_changed_is_one_of_its_own_and_the_old_one_keeps_its_words(first: str, second: str) -> None:
    _, known = put(memory(), thought(first, "preference"))
    (old,) = entries(known, "preference")
    plan, new = put(known, thought(second, "preference", session="s-2"))
    assert verbs(plan) == ["supersede"]
    kept, latest = sorted(entries(new, "preference"), key=lambda each: each.id != old.id)
    assert kept.text == old.text
    assert latest.ids("supersedes") == (old.id,)
    assert [source["quote"] for source in latest.fields["sources"]] == [second]


def test_a_preference_said_before_the_one_that_is_known_supersedes_nothing() -> None:
    _, known = put(memory(), thought("I prefer tabs over spaces", "preference"))
    older = thought(
        "I prefer spaces over tabs", "preference", session="s-2", date="2026-10-01", at="2026-10-01T09:00:00Z"
    )
    plan, _ = put(known, older)
    assert plan.changes == ()
    assert "is newer (2026-11-10)" in only(plan).reason


def test_a_pattern_that_says_the_opposite_is_a_question_that_names_both() -> None:
    _, known = put(memory(), thought("Always squash commits before merging", "pattern"))
    plan, _ = put(known, thought("Never squash commits before merging", "pattern", session="s-2"))
    asked = only(plan)
    assert plan.changes == ()
    assert (asked.kind, asked.type, asked.id[:5]) == ("question", "pattern", "cand-")
    assert "“Never squash commits before merging”" in asked.reason
    assert "“Always squash commits before merging”" in asked.reason


def test_a_pattern_that_contradicts_a_decision_is_a_question() -> None:
    _, known = put(memory(), thought("We won't support Windows builds"))
    plan, _ = put(known, thought("Always support Windows builds", "pattern", session="s-2"))
    assert plan.changes == ()
    assert only(plan).kind == "question"


def test_all_that_is_contradicted_is_superseded() -> None:
    _, known = put(memory(), thought("Use Redis for the session store"))
    other = entries(known)[0]
    text = other.text.replace(other.id, "DEC-2026-11-09-0001").replace("Redis", "PostgreSQL")
    log = f"{known.files[other.path].text}\n{text}"
    both = memory({"decisions/_log.md": log})
    plan, new = put(both, thought("Use Valkey for the session store", session="s-2", date="2026-11-12"))
    assert verbs(plan) == ["supersede"]
    assert sorted(entries(new)[0].ids("supersedes")) == sorted([other.id, "DEC-2026-11-09-0001"])


@pytest.mark.parametrize(
    ("change", "kind", "why"),
    [
        ({"score": 0.4}, "question", "a person has to say which holds"),
        ({"fields": {"date": "2026-11-01", "decision": "x" * 9}}, "refused", "is newer (2026-11-10)"),
    ],
)
def test_what_is_weak_or_older_supersedes_nothing(change: dict[str, object], kind: str, why: str) -> None:
    _, known = put(memory(), thought("Use Redis for the session store"))
    plan, _ = put(known, replace(thought("Use Valkey for the session store", session="s-2"), **change))
    assert plan.changes == ()
    assert only(plan).kind == kind
    assert why in only(plan).reason


def test_what_a_person_accepts_by_its_id_holds_against_what_it_contradicts() -> None:
    _, known = put(memory(), thought("Use Redis for the session store"))
    weak = replace(thought("Use Valkey for the session store", session="s-2"), score=0.4)
    plan, _ = put(known, weak, rules=Rules("ada", "codex", accepted={weak.id}))
    assert verbs(plan) == ["supersede"]


def test_a_question_about_a_pattern_is_answered_with_its_id(memory_repo: Repo, tmp_path: Path) -> None:
    one = talk(tmp_path, "1.jsonl", ["Always squash commits before merging"], session_id(1), "2026-10-01")
    two = talk(tmp_path, "2.jsonl", ["Never squash commits before merging"], session_id(2), "2026-10-02")
    extract(memory_repo, one)
    memory_repo.commit("The first")
    refusals = extract(memory_repo, two)["refusals"]
    assert isinstance(refusals, list)
    (entry,) = of_kind(extract(memory_repo, two, "--accept", refusals[0]["id"]), "supersede")
    assert entry["supersedes"] == ["pattern-always-squash-commits-before-merging"]
    memory_repo.git("add", "--all")
    done = memory_repo.minutebook("check", "--staged", "--today", "2026-11-20")
    assert done.code == 0, done.out
    found = memory_repo.minutebook("search", "squash commits", "--format", "json").out
    assert str(entry["id"]) in found


def test_two_sessions_of_which_nobody_knows_which_came_first_leave_a_question() -> None:
    _, known = put(memory(), thought("Use Redis for the session store"))
    rules = Rules("ada", "codex", unordered={entries(known)[0].id})
    plan, _ = put(known, thought("Use Valkey for the session store", session="s-2"), rules=rules)
    assert plan.changes == ()
    assert only(plan).kind == "question"


def test_what_no_longer_holds_is_not_merged_into() -> None:
    _, known = put(memory(), thought("Always squash commits before merging", "pattern"))
    (old,) = entries(known, "pattern")
    closed = replace(known.files[old.path], text=old.text.replace("created:", "superseded_by: pattern-x\ncreated:"))
    gone = memory({closed.path.removeprefix(f"{ROOT}/"): closed.text})
    plan, new = put(gone, thought("Always squash commits before merging", "pattern", session="s-2"))
    assert verbs(plan) == ["create"]
    assert new.files[old.path].text == closed.text


def test_what_happened_later_does_not_contradict_what_happened_before() -> None:
    _, known = put(memory(), thought("Release 2.0 went out", "event"))
    plan, _ = put(known, thought("Release 2.1 went out", "event", session="s-2"))
    assert verbs(plan) == ["create"]


# the entry that a candidate names


def test_the_entry_that_a_person_s_words_are_to_replace_is_superseded() -> None:
    _, known = put(memory(), thought("Sessions live in Redis"))
    (old,) = entries(known)
    plan, new = put(known, thought("The store of uploads is Valkey", session="s-2", target=old.id))
    assert verbs(plan) == ["supersede"]
    assert entries(new)[0].ids("supersedes") == (old.id,)


@pytest.mark.parametrize("target", ["DEC-2026-01-01-9999", "pattern-x", "../../etc/passwd", "profile-bob"])
def test_a_name_that_is_no_active_entry_of_the_type_here_is_refused(target: str) -> None:
    plan, _ = put(memory(), thought("The store of uploads is Valkey", target=target))
    assert plan.changes == ()
    assert "no active decision here" in only(plan).reason


@pytest.mark.parametrize("accepted", [False, True])
def test_what_no_person_said_supersedes_nothing_even_when_it_is_accepted(accepted: bool) -> None:
    _, known = put(memory(), thought("Use Redis for the session store"))
    for planted in (
        thought("Use Valkey for the session store", session="s-2"),
        thought("The store of uploads is Valkey", session="s-2", target=entries(known)[0].id),
    ):
        printed = replace(planted, turn=replace(planted.turn, role="tool"))
        rules = replace(RULES, accepted={printed.id}) if accepted else RULES
        plan, _ = put(known, printed, rules=rules)
        assert plan.changes == ()
        assert only(plan).kind == ("question" if accepted else "quarantine")


def test_what_the_agent_said_alone_backs_its_own_experience_and_nothing_else() -> None:
    spoken = turn(2, "assistant", "The upload test raced the server's start")
    fields = {"date": "2026-11-10", "problem": "a race", "outcome": "waits"}
    case = replace(thought(spoken.text, "case"), turn=spoken, fields=fields)
    rule = replace(thought(spoken.text, "pattern"), turn=spoken)
    plan, _ = put(memory(), case, rule)
    assert [change.entries[0].type for change in plan.changes] == ["case"]
    assert only(plan).kind == "quarantine"
    assert only(plan).reason == "the agent said it, and no person accepted it"


# how a question looks


def test_a_question_stands_in_text_and_page_under_a_heading_of_its_own() -> None:
    _, known = put(memory(), thought("Always squash commits before merging", "pattern"))
    plan, _ = put(known, thought("Never squash commits before merging", "pattern", session="s-2"))
    name = only(plan).id
    text = plan_text(plan)
    assert text.startswith("open questions (a person has to say which holds; nothing was written):\n")
    assert f"  {name}: Never squash commits before merging: contradicts pattern-" in text
    shown = page(plan)
    assert "## Open questions" in shown
    assert f"`{name}`" in shown
    assert "**1 open question**" in shown


# through the door


def extract(repo: Repo, *arguments: str | Path) -> dict[str, object]:
    done = repo.minutebook("extract", *map(str, arguments), "--format", "json", "--today", "2026-11-20")
    assert done.code == 0, done.err + done.out
    document: dict[str, object] = json.loads(done.out)
    return document


def of_kind(document: dict[str, object], verb: str) -> list[dict[str, object]]:
    changes = document["changes"]
    assert isinstance(changes, list)
    return [entry for change in changes for entry in change["entries"] if entry["verb"] == verb]


def talk(folder: Path, name: str, texts: Sequence[str], session: str, day: str = "2026-11-10") -> Path:
    rows = records(*(("user", text) for text in texts), id=session)
    for row in rows:
        row["timestamp"] = row["timestamp"].replace("2026-11-10", day)
    path = folder / name
    path.write_text(jsonl(rows), "utf-8")
    return path


def session_id(number: int) -> str:
    return f"{number:08d}-2222-4333-8444-555555555555"


def test_the_same_transcript_in_two_files_teaches_once(memory_repo: Repo, tmp_path: Path) -> None:
    words = ("Let's use httpx for outgoing calls because it has timeouts", "Always write a regression test first")
    one = talk(tmp_path, "one.jsonl", words, session_id(1))
    two = talk(tmp_path, "two.jsonl", words, session_id(1))
    document = extract(memory_repo, one, two)
    assert len(of_kind(document, "append")) == 1
    assert len(of_kind(document, "create")) == 1
    assert len(of_kind(document, "note")) == 1


def test_forty_sessions_that_say_the_same_make_one_entry(memory_repo: Repo, tmp_path: Path) -> None:
    folder = tmp_path / "talks"
    folder.mkdir()
    for n in range(40):
        words = (
            f"Let's use httpx for outgoing calls{MARKS[n % 4]}",
            f"Always write a regression test first{MARKS[n % 3]}",
        )
        talk(folder, f"{n}.jsonl", words, session_id(n), f"2026-10-{1 + n % 28:02d}")
    document = extract(memory_repo, folder)
    assert len(of_kind(document, "append")) == 1
    assert len(of_kind(document, "create")) == 1
    assert of_kind(document, "supersede") == []


def test_minds_that_changed_more_than_once_in_a_run_leave_the_last_word(memory_repo: Repo, tmp_path: Path) -> None:
    found = [
        talk(tmp_path, f"{n}.jsonl", [f"Let's use Python 3.{n} for the CI images"], session_id(n), f"2026-10-{n:02d}")
        for n in range(10, 14)
    ]
    document = extract(memory_repo, *found)
    assert [entry["title"] for entry in of_kind(document, "append")] == ["Use Python 3.13 for the CI images"]
    assert of_kind(document, "supersede") == []


def test_a_later_session_of_the_run_supersedes_and_one_of_unknown_time_asks(memory_repo: Repo, tmp_path: Path) -> None:
    one = talk(tmp_path, "1.jsonl", ["Let's use Redis for the session store"], session_id(1), "2026-10-01")
    two = talk(tmp_path, "2.jsonl", ["Let's use Valkey for the session store"], session_id(2), "2026-10-02")
    assert len(of_kind(extract(memory_repo, two, one, "--dry-run"), "supersede")) == 1
    two.write_text(two.read_text("utf-8").replace("2026-10-02", "2026-10-01"), "utf-8")
    document = extract(memory_repo, two, one, "--dry-run")
    assert of_kind(document, "supersede") == []
    refusals = document["refusals"]
    assert isinstance(refusals, list)
    assert [each["kind"] for each in refusals] == ["question"]


def test_an_open_question_stays_in_the_note_of_its_session(memory_repo: Repo, tmp_path: Path) -> None:
    one = talk(tmp_path, "1.jsonl", ["Always squash commits before merging"], session_id(1), "2026-10-01")
    two = talk(tmp_path, "2.jsonl", ["Never squash commits before merging"], session_id(2), "2026-10-02")
    document = extract(memory_repo, one, two)
    (_, second) = of_kind(document, "note")
    assert "Held back: 1 with an open question." in str(second["text"])
    assert "### Open questions" in str(second["text"])
    done = memory_repo.minutebook("check", "--today", "2026-11-20")
    assert done.code == 0, done.out
