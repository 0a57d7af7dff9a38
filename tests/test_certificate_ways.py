"""Ways around the certificate that are closed, and honest ways that are open: renames, merges, deletions, edits."""

import json
from datetime import date
from hashlib import sha256
from pathlib import Path

import pytest

from compaction import rounds, year
from conftest import TODAY, Repo
from minutebook.checks import judge
from minutebook.checks.in_parts import Source, judged_in_parts
from minutebook.checks.judgement import Case
from minutebook.compact.grouping import Limits
from minutebook.ground.change import File
from minutebook.ground.config import Config
from minutebook.ground.entry import encode
from minutebook.ground.memory import read_memory
from test_compact import SUMMARY, compact, with_notes

LEDGER = ".memory/archive/ledgers/sessions-2026-11.jsonl"
NOTE = ".memory/sessions/2026-11-12-queue.md"
ARCHIVED = ".memory/archive/sessions/2026-11-12-queue.md"
QUEUE, UPLOADER = "session-2026-11-12-queue", "session-2026-11-10-uploader"
NAME = "summary-sessions-2026-11"
ORPHANED = "lies in the archive, and nothing that is shown stands for it"
PATTERN = "---\nid: pattern-{name}\ntitle: Tabs\nabstract: Tabs must be used.\n{more}---\nTabs must be used.\n"


@pytest.fixture
def noted(memory_repo: Repo) -> Repo:
    """Two notes, committed."""
    with_notes(memory_repo, {"uploader": "2026-11-10", "queue": "2026-11-12"})
    return memory_repo


@pytest.fixture
def compacted(noted: Repo) -> Repo:
    """The same, compacted and committed."""
    compact(noted)
    noted.commit("Compacted")
    return noted


def found(repo: Repo, *arguments: str) -> list[tuple[str, str]]:
    """(severity, message) of what the rule says of what is staged, or of what is asked for."""
    repo.git("add", "--all")
    asked = arguments or ("--staged",)
    done = repo.minutebook("check", *asked, "--only", "certificate", "--format", "json", "--today", TODAY)
    assert done.code in (0, 1), done.err
    return [(row["severity"], row["message"]) for row in json.loads(done.out)["problems"]]


def errors(repo: Repo, *arguments: str) -> list[str]:
    return [message for severity, message in found(repo, *arguments) if severity == "error"]


def run(repo: Repo, *arguments: str) -> None:
    done = repo.minutebook(*arguments, "--today", TODAY)
    assert done.code == 0, done.out + done.err


def moved(repo: Repo, old: str, new: str) -> None:
    (repo.path / new).parent.mkdir(parents=True, exist_ok=True)
    (repo.path / old).rename(repo.path / new)


def edited(repo: Repo, path: str, *pairs: tuple[str, str]) -> None:
    text = repo.read(path)
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    repo.write(path, text)


@pytest.mark.parametrize(
    "edits",
    [
        [(f"id: {NAME}", "id: summary-november"), ("ledger: archive/ledgers/sessions-2026-11.jsonl\n", "")],
        [(f"derived_from: [{UPLOADER}, {QUEUE}]", "derived_from: []")],
        [("ledger: ", "superseded_by: pattern-migrations\nledger: ")],
    ],
    ids=["another id and no ledger", "no originals", "hidden behind another entry"],
)
def test_notes_whose_summary_stands_for_them_no_more_are_missed(compacted: Repo, edits: list[tuple[str, str]]) -> None:
    assert found(compacted) == []
    edited(compacted, SUMMARY, *edits)
    (compacted.path / LEDGER).unlink()
    assert [each for each in errors(compacted) if ORPHANED in each or "is gone" in each] != []
    assert any(ORPHANED in each for each in errors(compacted, "--all"))


def test_an_entry_that_supersedes_a_summary_does_not_hide_it_unseen(compacted: Repo) -> None:
    compacted.write(".memory/patterns/tabs.md", PATTERN.format(name="tabs", more=f"supersedes: {NAME}\n"))
    assert len([each for each in errors(compacted) if ORPHANED in each]) == 2


def test_a_summary_that_becomes_a_pattern_stands_for_nothing(compacted: Repo) -> None:
    moved(compacted, SUMMARY, ".memory/patterns/november.md")
    edited(compacted, ".memory/patterns/november.md", ("type: summary", "type: pattern"))
    assert len([each for each in errors(compacted) if ORPHANED in each]) == 2


def test_an_original_under_another_id_is_an_original_that_is_gone(compacted: Repo) -> None:
    for path in (ARCHIVED, SUMMARY, LEDGER):
        edited(compacted, path, (QUEUE, f"{QUEUE}-2"), ("90 MB", "30 MB"))
    digest = sha256(compacted.read(ARCHIVED).encode()).hexdigest()
    rows = compacted.read(LEDGER).split("\n")
    rows[2] = json.dumps({**json.loads(rows[2]), "sha256": digest}, separators=(",", ":"))
    compacted.write(LEDGER, "\n".join(rows))
    assert f"{QUEUE}: gone from the archive, which kept what a compaction took away" in errors(compacted)


def test_summary_ledger_and_originals_may_not_go_together(compacted: Repo) -> None:
    for path in (SUMMARY, LEDGER, ARCHIVED, ARCHIVED.replace("12-queue", "10-uploader")):
        (compacted.path / path).unlink()
    assert len([each for each in errors(compacted) if "gone from the archive" in each]) == 2


def test_a_summary_by_hand_does_not_stand_for_notes_that_are_moved_later(noted: Repo) -> None:
    head = f"id: summary-x\ntitle: X\nabstract: By hand.\nsources: [{{session: a}}]\nderived_from: [{QUEUE}]"
    noted.write(".memory/summaries/x.md", f"---\n{head}\n---\nUploads may exceed 90 MB.\n")
    noted.commit("By hand")
    moved(noted, NOTE, ARCHIVED)
    assert errors(noted) == [f"{QUEUE} {ORPHANED}"]
    noted.commit("Moved")
    assert errors(noted, "--all") == [f"{QUEUE} {ORPHANED}"]


def test_a_note_that_git_put_into_the_archive_in_a_merge_is_named_and_comes_back(noted: Repo) -> None:
    noted.git("switch", "--quiet", "--create", "other")
    compact(noted)
    noted.commit("Compacted")
    noted.git("switch", "--quiet", "main")
    text = noted.read(NOTE).replace("queue", "vault").replace("11-12", "11-19")
    noted.write(NOTE.replace("12-queue", "19-vault"), text)
    noted.commit("A note")
    noted.git("switch", "--quiet", "other")
    noted.git("-c", "merge.directoryRenames=true", "merge", "--quiet", "--no-edit", "main")
    archived = ARCHIVED.replace("12-queue", "19-vault")
    assert (noted.path / archived).exists()
    assert errors(noted, "--all") == [f"session-2026-11-19-vault {ORPHANED}"]
    assert errors(noted, "--since", "main") == [f"session-2026-11-19-vault {ORPHANED}"]
    run(noted, "expand", "session-2026-11-19-vault", "--back")
    assert noted.read(NOTE.replace("12-queue", "19-vault")) == text
    assert (errors(noted), errors(noted, "--all")) == ([], [])


def test_a_deleted_note_is_a_warning_that_quotes_what_binds(noted: Repo) -> None:
    (noted.path / NOTE).unlink()
    ((severity, message),) = found(noted)
    assert severity == "warning"
    assert f"{QUEUE}: deleted, with what binds in it: We decided to keep the queue in one process." in message
    assert noted.minutebook("check", "--staged", "--today", TODAY).code == 0


def test_a_note_that_was_renamed_or_edited_is_not_deleted(noted: Repo) -> None:
    moved(noted, NOTE, NOTE.replace("queue", "line"))
    edited(noted, NOTE.replace("queue", "line"), (QUEUE, "session-2026-11-12-line"))
    assert found(noted) == []


@pytest.mark.parametrize(
    ("old", "new", "lost"),
    [
        ("must never exceed 90 MB", "must never exceed 30 MB", "Uploads of the queue must never exceed 90 MB."),
        ("created: ", "stale: {since: 2026-11-13, why: it moved}\ncreated: ", ""),
    ],
    ids=["a number", "a mark"],
)
def test_a_note_may_be_edited_and_then_compacted_in_one_branch(noted: Repo, old: str, new: str, lost: str) -> None:
    noted.git("branch", "base")
    edited(noted, NOTE, (old, new))
    noted.commit("Edited")
    compact(noted)
    noted.commit("Compacted")
    told = [message for severity, message in found(noted, "--since", "base") if severity == "warning"]
    assert errors(noted, "--since", "base") == []
    assert told == ([f"{QUEUE} was edited before it went to the archive, and no longer says: {lost}"] if lost else [])
    assert errors(noted, "--all") == []


def test_a_note_that_is_brought_back_takes_its_summary_along_and_may_be_edited(compacted: Repo) -> None:
    run(compacted, "expand", QUEUE, "--back")
    assert not (compacted.path / SUMMARY).exists()
    assert not (compacted.path / LEDGER).exists()
    assert (compacted.path / NOTE.replace("12-queue", "10-uploader")).exists()
    assert found(compacted) == []
    compacted.commit("Back")
    edited(compacted, NOTE, ("90 MB", "30 MB"))
    assert (errors(compacted), errors(compacted, "--all")) == ([], [])
    compacted.commit("Edited")
    compact(compacted)
    assert (errors(compacted), errors(compacted, "--all")) == ([], [])
    assert "must never exceed 30 MB. [2]" in compacted.read(SUMMARY)


def test_an_edit_that_a_merge_carried_into_the_archive_is_mended_by_bringing_the_notes_back(noted: Repo) -> None:
    noted.git("switch", "--quiet", "--create", "other")
    compact(noted)
    noted.commit("Compacted")
    noted.git("switch", "--quiet", "main")
    edited(noted, NOTE, ("90 MB", "30 MB"))
    noted.commit("Edited")
    noted.git("switch", "--quiet", "other")
    noted.git("merge", "--quiet", "--no-edit", "main")
    assert any("isn't what was compacted, byte for byte" in each for each in errors(noted, "--since", "main"))
    run(noted, "expand", NAME, "--back")
    assert "30 MB" in noted.read(NOTE)
    compact(noted)
    noted.commit("Compacted again")
    assert (errors(noted, "--since", "main"), errors(noted, "--all")) == ([], [])


def test_an_original_that_is_live_again_and_edited_names_the_way_out(compacted: Repo) -> None:
    moved(compacted, ARCHIVED, NOTE)
    compacted.commit("Moved by hand")
    edited(compacted, NOTE, ("90 MB", "30 MB"))
    assert errors(compacted, "--all") == [f"its original {QUEUE} is live again and says something else"]
    run(compacted, "expand", NAME, "--back")
    assert errors(compacted, "--all") == []


def test_an_original_is_expunged_with_what_its_summary_and_ledger_say_of_it(compacted: Repo) -> None:
    compacted.git("config", "user.name", "Ada Example")
    run(compacted, "expunge", QUEUE, "--reason", "it names a customer")
    for path in (ARCHIVED, SUMMARY, LEDGER):
        assert "the queue" not in compacted.read(path), path
    assert "[2] Expunged" in compacted.read(SUMMARY)
    assert "of the uploader must never exceed 90 MB. [1]" in compacted.read(SUMMARY)
    ((severity, message),) = found(compacted)
    assert (severity, f"{QUEUE} was expunged by Ada Example on {TODAY} (it names a customer)" in message) == (
        "warning",
        True,
    )
    assert compacted.minutebook("check", "--staged", "--today", TODAY).code == 0
    compacted.commit("Expunged")
    assert found(compacted, "--all") == []
    edited(compacted, SUMMARY, ("## Constraints\n", "## Constraints\n- Uploads may exceed 9 GB. [2]\n"))
    assert errors(compacted) == ["original 2 was expunged, and nothing tells that it said so: Uploads may exceed 9 GB."]


@pytest.mark.parametrize("digest", ["0" * 64, ""], ids=["of another text", "the right one"])
def test_a_tombstone_by_hand_excuses_no_line_that_was_not_there(compacted: Repo, digest: str) -> None:
    right = sha256(compacted.read(ARCHIVED).encode()).hexdigest()
    stone = f"> EXPUNGED {TODAY} by Ada.\n> reason: a name\n> sha256 of the text that stood here: {digest or right}\n"
    compacted.write(ARCHIVED, f"---\nid: {QUEUE}\ntitle: Expunged\n---\n{stone}")
    wrong = [each for each in errors(compacted) if "names another text" in each]
    assert bool(wrong) == bool(digest)
    edited(compacted, SUMMARY, ("of the queue must never exceed 90 MB", "of the queue may exceed 90 MB"))
    assert any("nothing tells that it said so: Uploads of the queue may" in each for each in errors(compacted))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("session: s-queue", "session: s-other", "no original comes from the session 's-other'"),
        ("title: Session notes of 2026-11", "title: Session notes of 2031-01", "of the title"),
    ],
)
def test_front_matter_that_no_original_says_is_refused(compacted: Repo, old: str, new: str, message: str) -> None:
    edited(compacted, SUMMARY, (old, new))
    assert any(message in each for each in errors(compacted)), errors(compacted)


def test_a_ledger_and_a_summary_may_be_renamed_together(compacted: Repo) -> None:
    moved(compacted, LEDGER, LEDGER.replace("sessions-2026-11", "n"))
    edited(compacted, SUMMARY, ("ledgers/sessions-2026-11", "ledgers/n"), ("tags: [", "tags: [queue, "))
    moved(compacted, SUMMARY, SUMMARY.replace("sessions-2026-11", "november"))
    assert errors(compacted) == []


def test_a_pattern_that_goes_to_the_archive_needs_one_that_says_it_or_a_mark(memory_repo: Repo) -> None:
    path, archived = (f".memory/{place}patterns/old.md" for place in ("", "archive/"))
    memory_repo.write(path, PATTERN.format(name="old", more=""))
    memory_repo.commit("A pattern")
    moved(memory_repo, path, archived)
    assert errors(memory_repo) == [f"pattern-old {ORPHANED}"]
    new = ".memory/patterns/new.md"
    memory_repo.write(new, PATTERN.format(name="new", more="relations: {derived_from: [pattern-old]}\n"))
    assert errors(memory_repo) == []
    edited(memory_repo, new, ("Tabs must be used", "Tabs may be used"))
    assert any("it took the place of pattern-old, and doesn't say" in each for each in errors(memory_repo))
    (memory_repo.path / new).unlink()
    memory_repo.write(archived, memory_repo.read(archived) + "\n> OBSOLETE — we format by machine\n")
    assert errors(memory_repo) == []


def test_an_adopted_archive_without_summaries_is_a_warning(repo: Repo) -> None:
    root = ".gaai/project/contexts/memory"
    repo.write(f"{root}/archive/patterns/old.md", PATTERN.format(name="old", more=""))
    repo.write(f"{root}/patterns/new.md", PATTERN.format(name="new", more=""))
    assert [severity for severity, _ in found(repo, "--all")] == ["warning"]


def test_an_edit_of_a_live_note_asks_for_no_certificate(noted: Repo) -> None:
    edited(noted, NOTE, ("90 MB", "30 MB"))
    noted.git("add", "--all")
    done = noted.minutebook("check", "--staged", "--today", TODAY, PYTHONPROFILEIMPORTTIME="1")
    assert done.code == 0
    assert "minutebook.checks.certificate" in done.err
    assert "minutebook.compact" not in done.err


def test_an_archive_is_judged_the_same_in_parts() -> None:
    tree = rounds.tree_of({**dict(year.notes(12)), "decisions/_log.md": year.log(4)})
    after = dict(rounds.after(tree, rounds.compacted(tree, year.TODAY, rounds.plain, Limits())))
    day, config = date.fromisoformat(TODAY), Config()

    def in_parts() -> list[str]:
        source = Source(rounds.ROOT, sorted(after), config, lambda paths: {path: after[path] for path in paths})
        return [each.message for each in judged_in_parts(source, day, ["certificate"], size=3).new]

    assert rounds.summaries(after)
    assert in_parts() == []
    name, text = next(iter(year.notes(12)))
    after[f"{rounds.ROOT}/archive/{name}".replace(".md", "-x.md")] = File(
        encode(text.replace("\nid: session-", "\nid: session-x-"))
    )
    case = Case(read_memory(after, rounds.ROOT, config), after, None, {}, (), day)
    assert in_parts() == [each.message for each in judge(case, ["certificate"])]
    assert [each for each in in_parts() if ORPHANED in each] != []


def test_a_type_that_moves_away_from_its_summaries_does_not_free_them(compacted: Repo) -> None:
    built_in = Path(__file__).parents[1] / "schemas/types/summary.yaml"
    elsewhere = built_in.read_text("utf-8").replace("place: summaries/", "place: digests/")
    compacted.write(".memory/types/summary.yaml", elsewhere)
    compacted.write(SUMMARY, compacted.read(SUMMARY).replace("must never exceed 90 MB", "may exceed 5 MB"))
    compacted.commit("Elsewhere")
    done = compacted.minutebook("check", "--since", "HEAD~1", "--exact")
    assert done.code == 1
    assert "the summary summary-sessions-2026-11 is gone" in done.out
