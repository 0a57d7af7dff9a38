"""The certificate under attack: by those who write notes, summaries and ledgers, one by one or all at once."""

import json
import re
from collections.abc import Callable
from hashlib import sha256

import pytest

from conftest import TODAY, Repo
from minutebook.compact import cues
from minutebook.compact.certificate import certify
from minutebook.compact.claims import atoms
from minutebook.compact.shortened import shortened
from minutebook.compact.statements import ASIDE, HIDDEN, key, said
from minutebook.compact.summary import summarize
from minutebook.ground import front_matter
from minutebook.ground.entry import Entry, read_entry
from minutebook.ground.memory_type import builtin_types
from minutebook.ground.tombstone import Tombstone, compose_tombstone
from test_certificate import LEDGER, problems
from test_compact import SUMMARY, compact, with_notes

ARCHIVED = ".memory/archive/sessions/2026-11-12-queue.md"
Edit = Callable[[str], str]


@pytest.fixture
def compacted(memory_repo: Repo) -> Repo:
    """Two notes, compacted and committed."""
    with_notes(memory_repo, {"uploader": "2026-11-10", "queue": "2026-11-12"})
    compact(memory_repo)
    memory_repo.commit("Compacted")
    return memory_repo


def moved(line: str, heading: str) -> Edit:
    """The line stands under another heading."""
    return lambda text: text.replace(f"{line}\n", "").replace(f"## {heading}\n", f"## {heading}\n{line}\n")


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (moved("- Who rotates the keys of the queue? [2]", "Decisions"), "it says so under Open questions"),
        (moved("- Uploads of the queue must never exceed 90 MB. [2]", "Current state"), "it says so under Constraints"),
        (lambda text: text.replace("title: Session notes of 2026-11", "title: Nothing holds of 2026-11"), "of 2026-11"),
        (lambda text: text.replace("title: Session", "title: Uploads of the queue may exceed 90 MB. Session"), "title"),
        (lambda text: text.replace("Work on queue.", "Work on queue. Billing moves to Kafka."), "no original says so"),
        (lambda text: text.replace("tags: [", "tags: [kafka, "), "no original speaks of the tag 'kafka'"),
        (lambda text: text.replace("ledger: ", "decision: Use Kafka\nledger: "), "writes a field 'decision'"),
        (lambda text: re.sub(r"(- \[2\] Work on queue.*)", r"\1, kafka", text), "doesn't speak of kafka"),
        (lambda text: text + "\n<!-- Uploads may exceed 90 MB. -->\n", "doesn't say which original"),
        (lambda text: text + "\n```\n- Uploads may exceed 90 MB. [1]\n```\n", "doesn't say which original"),
        (lambda text: text + "\n| Uploads | 900 MB | [1] |\n", "doesn't say which original"),
        (lambda text: text + "\n> - Uploads may exceed 90 MB. [1]\n", "doesn't say which original"),
        (lambda text: re.sub(r"- \[2\] .*\n", "", text), "original 2 has no lines of its own"),
        (lambda text: text.replace("never exceed 90 MB. [2]", "rarely exceed 90 MB. [2]"), "queue"),
        (lambda text: text.replace("must never exceed 90 MB. [2]", "never exceed 90 MB. [2]"), "queue"),
    ],
)  # fmt: skip
def test_an_edit_of_a_published_summary_is_refused(compacted: Repo, edit: Edit, message: str) -> None:
    text = compacted.read(SUMMARY)
    assert edit(text) != text
    compacted.write(SUMMARY, edit(text))
    found = problems(compacted)
    assert any(message in each for each in found), found


def test_a_mark_in_the_front_matter_of_a_summary_needs_no_new_ledger(compacted: Repo) -> None:
    done = compacted.minutebook("verify", "summary-sessions-2026-11", "--today", TODAY)
    assert done.code == 0, done.err
    mark = "stale:\n  since: 2026-11-20\n  why: src/queue.py is gone\nledger: "
    compacted.write(SUMMARY, compacted.read(SUMMARY).replace("ledger: ", mark))
    assert problems(compacted) == []


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (
            lambda text: re.sub(r'(queue in one process\."),"line":[0-9]+', r'\1,"left in the archive":"x"', text),
            "doesn't account for decision",
        ),
        (lambda text: text.replace('"original":1,', '"original":3,'), "names its originals otherwise"),
        (lambda text: re.sub(r'"tokens":\[[0-9]+,', '"tokens":[90000,', text), "counts the tokens of its originals"),
        (lambda text: re.sub(r'("tokens":\[[0-9]+),[0-9]+', r"\1,1", text), "counts the tokens of its summary"),
        (lambda text: re.sub(r'"why":"[^"]*",', "", text), "why its summary is longer than a fifth"),
        (lambda text: re.sub(r'"why":"[^"]*"', '"why":"it is fine"', text), "why its summary is longer than a fifth"),
        (lambda text: text.replace("summary-sessions-2026-11", "summary-sessions-2026-10", 1), "of another summary"),
        (lambda text: text + text.split("\n")[-2] + "\n", "says what the originals and the summary don't"),
        (lambda text: text.replace('"body":', '"body":"x","old":'), "this is no ledger"),
    ],
)  # fmt: skip
def test_a_ledger_edited_by_hand_is_refused(compacted: Repo, edit: Edit, message: str) -> None:
    text = compacted.read(LEDGER)
    assert edit(text) != text
    compacted.write(LEDGER, edit(text))
    found = problems(compacted)
    assert any(message in each for each in found), found


def test_an_original_summary_and_ledger_that_are_rewritten_together_are_refused(compacted: Repo) -> None:
    for path in (ARCHIVED, SUMMARY, LEDGER):
        compacted.write(path, compacted.read(path).replace("90 MB", "30 MB"))
    digest = sha256(compacted.read(ARCHIVED).encode()).hexdigest()
    rows = compacted.read(LEDGER).split("\n")
    rows[2] = json.dumps({**json.loads(rows[2]), "sha256": digest}, separators=(",", ":"))
    compacted.write(LEDGER, "\n".join(rows))
    assert any("session-2026-11-12-queue isn't what was compacted" in each for each in problems(compacted))


def test_a_ledger_that_names_another_original_is_refused(compacted: Repo) -> None:
    rows = compacted.read(LEDGER).split("\n")
    rows[1], rows[2] = rows[1].replace("-10-uploader", "-12-queue"), rows[2].replace("-12-queue", "-10-uploader")
    compacted.write(LEDGER, "\n".join(rows))
    assert any("isn't what was compacted" in each for each in problems(compacted))


def test_an_original_that_was_expunged_excuses_itself_alone(compacted: Repo) -> None:
    note = compacted.read(ARCHIVED)
    found, _ = read_entry(ARCHIVED, note, builtin_types()["session"], "x")
    assert found is not None
    stone = Tombstone(sha256(note.encode()).hexdigest(), "a name that must not stand here", "Ada Example", TODAY)
    compacted.write(ARCHIVED, compose_tombstone(found, stone))
    said = f"session-2026-11-12-queue was expunged by Ada Example on {TODAY} (a name that must not stand here)"
    assert problems(compacted) == [f"{said}; git's history still holds it"]
    text = compacted.read(SUMMARY)
    compacted.write(SUMMARY, re.sub("(?m)^- .*of the queue.*\n", "", text))
    assert problems(compacted) == [f"{said}; git's history still holds it"]
    compacted.write(
        SUMMARY, text.replace("of the uploader must never exceed 90 MB", "of the uploader may exceed 90 MB")
    )
    assert any("doesn't say so" in each for each in problems(compacted))


def test_a_summary_that_vanishes_with_its_ledger_is_missed(compacted: Repo) -> None:
    for path in (SUMMARY, LEDGER):
        (compacted.path / path).unlink()
    assert problems(compacted) == [
        "the summary summary-sessions-2026-11 is gone, and session-2026-11-10-uploader lies in the archive"
    ]


def test_a_summary_may_go_when_its_notes_are_back(compacted: Repo) -> None:
    assert compacted.minutebook("expand", "summary-sessions-2026-11", "--back", "--today", TODAY).code == 0
    assert not any((compacted.path / path).exists() for path in (SUMMARY, LEDGER))
    assert problems(compacted) == []


@pytest.mark.parametrize(
    "text",
    [
        "We use Redis.\n\n<!-- Uploads must never exceed 90 MB. -->\n",
        "We use Redis.\n\n> <!-- Uploads must never exceed 90 MB. -->\n",
        "We use Redis.\n\n- <!-- Uploads must never exceed 90 MB.\n  and more -->\n",
    ],
)
def test_what_nobody_is_shown_is_raised_into_no_summary(text: str) -> None:
    found = list(said(text))
    assert [each.aside for each in found if "90 MB" in each.text] == [HIDDEN]


@pytest.mark.parametrize(
    ("text", "binds"),
    [
        ("```sh\nmake ship  # never run this on a Friday\n```\n", ["make ship # never run this on a Friday"]),
        ("```text\nUploads must never exceed 90 MB.\n```\n", ["Uploads must never exceed 90 MB."]),
        ("```py\n# must be called before the lock is taken\nif not ready: return\n```\n", [
            "must be called before the lock is taken"]),
        ("| limit | uploads must stay below 90 MB |\n", ["limit | uploads must stay below 90 MB"]),
        ("1. Uploads can't exceed 90 MB\n", ["Uploads can't exceed 90 MB"]),
        ("**Decision:** Redis for the queue\n", ["**Decision:** Redis for the queue"]),
        ("### We decided on Redis today\n", ["We decided on Redis today"]),
        ("Uploads dont exceed 90 MB\n", ["Uploads dont exceed 90 MB"]),
        ("Operators could delete rows. Rows will be kept.\n", ["Operators could delete rows.", "Rows will be kept."]),
    ],
)  # fmt: skip
def test_what_binds_is_found_wherever_it_hides(text: str, binds: list[str]) -> None:
    found = list(said(text))
    assert [each.text for each in found if each.binds] == binds
    assert all(each.aside == ASIDE for each in found if not each.binds)


def test_a_heading_below_the_decisions_leads_out_of_none() -> None:
    text = "## Decisions\n### Storage\n- Redis for jobs\n\n### Left open\n- Mail for jobs\n\n## Day\n- Lunch was late\n"
    assert [each.group for each in said(text)] == ["Decisions", "Open questions", "Current state"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("It must answer within 90 ms.", "It must answer within 90 s."),
        ("It takes 90-120 ms.", "It takes 90-180 ms."),
        ("It is due on 2026-11-02.", "It is due on 2026-11-20."),
        ("It is due on 2 November 2026.", "It is due on 3 November 2026."),
        ("It isn't disallowed to retry.", "It is disallowed to retry."),
        ("It took ninety minutes.", "It took nineteen minutes."),
        ("It is read by one process.", "It is read by two processes."),
        ("It must not be public.", "It must be public."),
        ("It never blocks.", "It rarely blocks."),
        ("It was public.", "It is public."),
        ("The queue calls the mail sender.", "The mail sender calls the queue."),
        ("It grew from 3 to 9 rows.", "It grew from 9 to 3 rows."),
        ("Use Plan A for backups.", "Use Plan for backups."),
        ("Delete it, not the copy.", "Delete it not, the copy."),
    ],
)
def test_a_line_that_says_something_else_is_seen(old: str, new: str) -> None:
    original = note(f"{old}\n\n{'More words that fill the day and say next to nothing of it. ' * 9}")
    summary = summed_up(original)
    whole = certify([original], summary)
    assert whole.faults == ()
    assert old in summary.text
    changed = as_summary(summary.text.replace(old, new))
    assert certify([original], changed).faults != ()


def test_numbers_that_are_spelled_out_are_claims() -> None:
    assert [each.text for each in atoms("It took ninety minutes, twice, in one of two runs.")] == [
        "ninety minutes", "twice", "two runs",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("line", "sentence", "is_shorter"),
    [
        ("The cache is warm after 90 s.", "The cache is warm after 90 s, and on both machines.", True),
        ("The cache is warm after 90 s.", "The cache is warm after 90 s, on both machines.", False),
        ("The cache is warm on both machines.", "The cache is warm after 90 s, on both machines.", False),
        ("It took 90 s after it.", "It took 90 s before the change, and 30 s after it.", False),
        ("The cache is warm.", "If the box was up, the cache is warm.", False),
        ("The cache is broken.", "According to Bob, the cache is broken.", False),
        ("All jobs passed.", "Apart from the importer, all jobs passed.", False),
        ("The cache is cold.", "The cache is warm, on both machines.", False),
        ("The run passed.", "The run passed, but the log was empty.", False),
        ("Profile the queue.", "Profile the queue (see notes), for example with a large load.", True),
        ("The run passed.", "The run passed, and was reverted.", False),
        ("The upload limit is 30 MB.", "In staging, the upload limit is 30 MB.", False),
        ("The limit is 900 MB.", "For admins, the limit is 900 MB.", False),
        ("Tokens expire after 90 days.", "Under v1, tokens expire after 90 days.", False),
        ("Redis caches all sessions.", "Redis, removed in 2.4, caches all sessions.", False),
        ("The tests pass.", "The tests pass, locally.", False),
        ("Deleting rows is safe.", "Given a backup, deleting rows is safe.", False),
        ("The API key is public.", "The API key is public, in the sandbox.", False),
        ("Postgres is the store.", "Postgres is the store, pending review by Ana.", False),
        ("SQLite is the store.", "SQLite is the store (rejected).", False),
        ("The flag is on.", "The flag is on, for ten percent of users.", False),
        ("Merging to main is fine.", "Merging to main is fine, with two reviews.", False),
        ("Der Port ist 8080.", "Zum Testen, der Port ist 8080.", False),
        ("The queue is Kafka.", "The queue is Kafka, formerly RabbitMQ.", False),
        ("The queue is RabbitMQ.", "The queue is RabbitMQ, replaced by Kafka.", False),
        ("The rate is 90 per minute.", "The rate is 90 per minute, 30 at night.", False),
        ("The port is 8080.", "Per the old docs, the port is 8080.", False),
    ],
)
def test_a_line_says_less_by_whole_clauses_alone(line: str, sentence: str, is_shorter: bool) -> None:
    assert bool(shortened(line, [sentence])) == is_shorter


def test_the_words_that_stand_before_the_patterns_miss_nothing() -> None:
    """The list of telling words is there for speed: without it the same sentences bind."""
    for pattern in (cues.NEGATION, cues.MODAL, *(cue for _, cue in cues.CUES)):
        for word in sorted({*re.findall(r"[^\W\d_]{2,}", pattern.pattern), "don't", "we'll"}):
            for text in (f"It {word} x y z", f"{word.capitalize()} x y z", f"x {word} to y", f"we {word} most z"):
                if pattern.search(text):
                    (found,) = said(text)
                    assert found.binds, (pattern.pattern, text)


@pytest.mark.parametrize("one", ["A plan", "An old plan", "The plan", "plan"])
def test_articles_and_stops_change_nothing(one: str) -> None:
    assert key(f"{one} holds.")[-2:] == ("plan", "holds")


def note(text: str) -> Entry:
    whole = f"---\nid: session-1\ntitle: Work on the queue\nabstract: Work was done.\n---\n{text}"
    found, _ = read_entry("sessions/1.md", whole, builtin_types()["session"], "x")
    assert found is not None
    return found


def summed_up(original: Entry) -> Entry:
    body = summarize([original], lambda sentences: [1 / len(each) for each in sentences], 400, lambda _: ())
    fields = {"type": "summary", "id": "summary-x", "title": "Session notes of 2026-11", "abstract": "x"}
    return as_summary(front_matter.compose(fields, body))


def as_summary(text: str) -> Entry:
    found, _ = read_entry("summaries/x.md", text, builtin_types()["summary"], "x")
    assert found is not None
    return found
