"""The certificate of a compaction: what it lets through, and what it refuses, without a model."""

import json
import re
from collections.abc import Callable
from datetime import date
from pathlib import Path

import jsonschema
import pytest

from compaction import faults, rounds, year
from compaction.rounds import ROOT
from conftest import TODAY, Repo
from minutebook.checks import judge
from minutebook.checks.judgement import Case
from minutebook.compact.claims import atoms
from minutebook.compact.grouping import Limits
from minutebook.compact.statements import key, said
from minutebook.ground.change import File, Tree, changes_between
from minutebook.ground.config import Config
from minutebook.ground.entry import encode
from minutebook.ground.memory import read_memory
from test_compact import SUMMARY, compact, with_notes

LEDGER = ".memory/archive/ledgers/sessions-2026-11.jsonl"
SCHEMA = Path(__file__).parents[1] / "schemas" / "ledger.schema.json"
Edit = Callable[[str], str]


@pytest.fixture(scope="module")
def small() -> Tree:
    """A memory of 40 notes and some decisions, compacted."""
    tree = rounds.tree_of({**dict(year.notes(40)), "decisions/_log.md": year.log(8)})
    return rounds.after(tree, rounds.compacted(tree, year.TODAY, rounds.plain, Limits()))


@pytest.fixture
def compacted(memory_repo: Repo) -> Repo:
    with_notes(memory_repo, {"uploader": "2026-11-10", "queue": "2026-11-12"})
    compact(memory_repo)
    return memory_repo


def problems(repo: Repo) -> list[str]:
    """What the rule says of what is staged."""
    repo.git("add", "--all")
    done = repo.minutebook("check", "--staged", "--only", "certificate", "--format", "json", "--today", TODAY)
    assert done.code in (0, 1), done.err
    return [row["message"] for row in json.loads(done.out)["problems"]]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("of the queue must never exceed 90 MB", "of the queue must never exceed 30 MB", "90 MB became 30 MB"),
        ("of the queue must never exceed 90 MB", "of the queue must never exceed 90 GB", "90 MB became 90 GB"),
        ("of the queue must never exceed 90 MB", "of the queue must exceed 90 MB", "`never` is gone from it"),
        ("of the queue must never", "of the queue may never", "`must` became `may`"),
        (
            "We decided to keep the queue in one process. [2]",
            "We decided to keep the queue in one process. [1]",
            "doesn't say so",
        ),
        (
            "- We decided to keep the queue in one process. [2]\n",
            "",
            "no line carries what binds in session-2026-11-12",
        ),
        ("- Who rotates the keys of the queue? [2]\n", "", "no line carries what binds in session-2026-11-12"),
        ("## Constraints\n", "## Constraints\n- Backups are kept for 400 days. [1]\n", "original 1 doesn't say so"),
        ("## Constraints\n", "## Constraints\n- Backups are kept for 400 days.\n", "doesn't say which original"),
        (
            "## Constraints\n",
            "## Constraints\n- Uploads of the queue must never exceed 90 MB. [7]\n",
            "there is no original 7",
        ),
        ("## Constraints\n", "## Rumours\n", "no compaction writes a section 'Rumours'"),
        ("[1] Work on uploader", "[1] Work on downloader", "original 1 doesn't say so"),
        ("Work on queue.", "Work on 12 queues in 3 days.", "no original says"),
        ("to 2026-11-12 came to", "to 2026-11-12 never came to", "the abstract rules something in or out"),
        ("derived_from: [session-2026-11-10-uploader, ", "derived_from: [", "names other originals than its ledger"),
    ],
)
def test_a_summary_that_says_something_else_is_refused(compacted: Repo, old: str, new: str, message: str) -> None:
    assert problems(compacted) == []
    text = compacted.read(SUMMARY)
    assert old in text
    compacted.write(SUMMARY, text.replace(old, new))
    found = problems(compacted)
    assert any(message in each for each in found), found


def drop_line(part: str) -> Edit:
    return lambda text: "".join(f"{line}\n" for line in text.split("\n")[:-1] if part not in line)


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (drop_line('"90 MB"'), "the ledger doesn't account for number '90 MB'"),
        (lambda text: re.sub(r'("90 MB","line":)[0-9]+', r"\g<1>99", text), "the ledger doesn't account for number"),
        (
            lambda text: text + '{"of":1,"number":"5","left in the archive":"detail"}\n',
            "the ledger says what the originals",
        ),
        (
            lambda text: text.replace('"41","left in the archive":"a field of the note"', '"41","line":16'),
            "account for",
        ),
        (drop_line('"original":1'), "names other originals"),
        (lambda text: "no JSON\n", "this is no ledger"),
        (lambda text: "[]\n", "this is no ledger"),
        (lambda text: "", "this is no ledger"),
        (lambda text: '{"ledger":2}\n', "this is no ledger"),
        (lambda text: "[" * 50_000, "this is no ledger"),
    ],
)
def test_a_ledger_that_is_not_the_one_of_its_summary_is_refused(compacted: Repo, edit: Edit, message: str) -> None:
    compacted.write(LEDGER, edit(compacted.read(LEDGER)))
    found = problems(compacted)
    assert any(message in each for each in found), found


def test_an_original_that_changed_on_its_way_to_the_archive_is_refused(compacted: Repo) -> None:
    path = ".memory/archive/sessions/2026-11-12-queue.md"
    compacted.write(path, compacted.read(path).replace("the same load", "the same  load"))
    assert any("isn't what was compacted, byte for byte" in each for each in problems(compacted))


def test_a_ledger_that_is_taken_away_is_missed(compacted: Repo) -> None:
    (compacted.path / LEDGER).unlink()
    assert problems(compacted) == [f"its ledger {LEDGER} is gone"]
    text = compacted.read(SUMMARY)
    compacted.write(SUMMARY, text.replace("ledger: archive/ledgers/sessions-2026-11.jsonl\n", ""))
    assert problems(compacted) == ["it stands for notes that this change archives, and has no ledger"]


def test_a_published_summary_keeps_its_ledger_and_its_claims(compacted: Repo) -> None:
    compacted.commit("Compacted")
    text = compacted.read(SUMMARY)
    compacted.write(SUMMARY, text.replace("90 MB", "30 MB"))
    assert len(problems(compacted)) == 4
    compacted.write(SUMMARY, text.replace("ledger: archive/ledgers/sessions-2026-11.jsonl\n", ""))
    assert sorted(problems(compacted)) == ["its ledger was taken away"]
    compacted.write(SUMMARY, text)
    compacted.write(LEDGER.replace("11.jsonl", "12.jsonl"), compacted.read(LEDGER))
    assert problems(compacted) == ["no summary names this ledger"]


def test_an_original_that_is_gone_is_named(compacted: Repo) -> None:
    compacted.commit("Compacted")
    (compacted.path / ".memory/archive/sessions/2026-11-12-queue.md").unlink()
    assert problems(compacted) == ["its original session-2026-11-12-queue is in no archive"]


def test_a_summary_that_somebody_wrote_needs_no_ledger(memory_repo: Repo) -> None:
    text = "---\nid: summary-x\ntitle: By hand\nabstract: What we know by hand.\nsources: [{session: a}]\n---\nWords.\n"
    memory_repo.write(".memory/summaries/x.md", text)
    assert problems(memory_repo) == []


def test_a_ledger_is_what_its_schema_says(small: Tree) -> None:
    schema = json.loads(SCHEMA.read_text("utf-8"))
    validator = jsonschema.Draft202012Validator(schema)
    lines = [
        json.loads(line)
        for path, file in small.items()
        if path.startswith(f"{ROOT}/archive/ledgers/")
        for line in file.data.decode().split("\n")[:-1]
    ]
    assert len(lines) > 100
    assert [line for line in lines if not validator.is_valid(line)] == []
    assert not validator.is_valid({"of": 1, "number": "90 MB"})
    assert not validator.is_valid({"of": 1, "decision": "We use it.", "left in the archive": "too long"})


def test_nothing_is_said_of_what_compaction_wrote(small: Tree) -> None:
    assert rounds.summaries(small)
    assert rounds.said(small) == []


@pytest.mark.parametrize("kind", faults.KINDS)
def test_seeded_faults_are_caught(small: Tree, kind: str) -> None:
    found = list(rounds.faulty(small, 20, (kind,), faults.fault))
    assert len(found) == 20
    assert [said for _, said in found if not said] == []


def test_what_makes_notes_unfindable_is_refused_in_the_change_that_does_it() -> None:
    tree = rounds.tree_of({**dict(year.notes(40)), "decisions/_log.md": year.log(8)})
    after = rounds.after(tree, rounds.compacted(tree, year.TODAY, rounds.plain, Limits()))
    config = Config(budget=100)
    many = {
        f"{ROOT}/patterns/p{at}.md": File(
            encode(text.replace("type: session", "type: pattern").replace("id: s", "id: p"))
        )
        for at, (_, text) in enumerate(year.notes(40))
    }
    case = Case(
        read_memory({**after, **many}, ROOT, config), {**after, **many}, read_memory(tree, ROOT, config), tree,
        changes_between(tree, {**after, **many}), date(2026, 11, 20),
    )  # fmt: skip
    messages = [each.message for each in judge(case, ["certificate"])]
    assert any("found the notes that are archived, and" in each for each in messages), messages


@pytest.mark.parametrize(
    ("text", "kind", "claim"),
    [
        ("It holds 90 MB.", "number", "90 MB"),
        ("It took 12 of them.", "number", "12"),
        ("Up to 1.5 GB/s", "number", "1.5 GB/s"),
        ("by 40 % now", "number", "40 %"),
        ("on 2026-11-02 then", "date", "2026-11-02"),
        ("with v2.3.1 of it", "version", "v2.3.1"),
        ("since 2.3.1-rc1 came", "version", "2.3.1-rc1"),
        ("see DEC-2026-11-02-01 for it", "id", "DEC-2026-11-02-01"),
        ("see #123 for it", "id", "#123"),
        ("in `src/app/main.py` now", "path", "src/app/main.py"),
        ("in main.py now", "path", "main.py"),
        ("with --dry-run first", "identifier", "--dry-run"),
        ("set MAX_SIZE there", "identifier", "MAX_SIZE"),
        ("call readFile there", "identifier", "readFile"),
        ('call it "the old name" there', "quote", '"the old name"'),
        ("at https://example.org/x, say", "url", "https://example.org/x"),
    ],
)
def test_atoms_are_told_with_their_units(text: str, kind: str, claim: str) -> None:
    assert (kind, claim) in [(each.kind, each.text) for each in atoms(text)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("It must not be 90 MB.", "It must be 90 MB."),
        ("It is 90 MB.", "It is 90 GB."),
        ("Is it done?", "It is done."),
        ("Use src/a.py", "Use src/b.py"),
        ("< 90 MB", "> 90 MB"),
        ("Delete before the backup", "Delete after the backup"),
        ("The queue was on Redis", "The queue is on Redis"),
        ("Use Redis, never files", "Use Redis never, files"),
        ("Plan A is chosen", "Plan is chosen"),
        ("Column a must not be null", "Column must not be null"),
        ("A may read t1", "The may read t1"),
        ("They never fail", "They rarely fail"),
    ],
)
def test_sentences_that_say_different_things_have_different_keys(one: str, other: str) -> None:
    assert key(one) != key(other)
    assert key(f"The {one[0].lower()}{one[1:]}") == key(one)


def test_what_binds_is_found_in_prose_lists_tables_quotes_and_headings() -> None:
    text = (
        "Prose must count.\n\n- [ ] An item must count.\n\n| a | must count |\n|---|---|\n\n> A quote must count.\n\n"
        "### A heading must count\n\n```\ncode must not\n```\n"
    )
    found = list(said(text))
    assert [each.text for each in found if each.binds] == [
        "Prose must count.", "An item must count.", "a | must count", "A quote must count.", "A heading must count",
    ]  # fmt: skip
    assert [each.text for each in found if each.aside.startswith("in a code block")] == ["code must not"]


def test_hostile_texts_are_read_in_no_time() -> None:
    for sign in ('"', "`", "/", "a/", "-", "1.", "A-1", "0", "a_", "> ", "| ", "[", "“", "x.py "):
        text = (sign * 200_000)[:200_000]
        assert len(list(said(text))) < 200_000
        atoms(text)


def test_a_title_of_two_words_is_carried_by_its_own_line() -> None:
    notes = list(year.notes(300))[:12]
    texts = {path: re.sub(r"(?m)^title: .*", "title: Hello Claude", text) for path, text in notes}
    plan = rounds.compacted(rounds.tree_of(texts), year.TODAY, rounds.plain, Limits())
    assert plan.refusals == ()
    assert plan.figures["notes compacted"] == 12
