"""What stands under a heading, behind a lead-in or in a column says what that makes of it, and binds by it."""

import json
import re

import pytest

from conftest import TODAY, Repo
from minutebook.compact.certificate import UNREAD, certify
from minutebook.compact.claims import BINDING, claims
from minutebook.compact.statements import said
from minutebook.compact.summary import summarize
from minutebook.ground import front_matter
from minutebook.ground.entry import Entry, read_entry
from minutebook.ground.memory_type import builtin_types
from test_certificate import LEDGER, problems
from test_compact import SUMMARY, compact

HEAD = (
    "---\ntype: session\nid: session-{n}\ntitle: Talk {n}\nabstract: Talk number {n}.\ncreated: 2026-11-0{n}\n---\n\n"
)
TURNED = """## Rejected
- MongoDB with sharding for the ledger of tenant {n}

## Never
- restart the broker of tenant {n} during a deploy
- log customer tokens of tenant {n}

Don't:
- force-push to branch rel-{n}

| Don't | Do |
|---|---|
| merge commits on rel-{n} | rebase |
"""
CARRIED = (
    "- Rejected: MongoDB with sharding for the ledger of tenant {n} [{n}]",
    "- Never: restart the broker of tenant {n} during a deploy [{n}]",
    "- Never: log customer tokens of tenant {n} [{n}]",
    "- Never: Don't: force-push to branch rel-{n} [{n}]",
    "- Never: Don't: merge commits on rel-{n} | Do: rebase [{n}]",
)
CALLS = "".join(f"12:{k}:07 worker[{k}] GET /api/v1/ledger?page={k} 200 {k}ms\n" for k in range(10, 60))


def bound(text: str) -> list[str]:
    return [each.text for each in said(text) if each.binds]


@pytest.fixture
def turned(memory_repo: Repo) -> Repo:
    """Three notes whose lists and tables say the opposite of their items, compacted."""
    for n in (1, 2, 3):
        text = HEAD.format(n=n) + TURNED.format(n=n) + f"\n```text\n{CALLS}```\n"
        memory_repo.write(f".memory/sessions/2026-11-0{n}-talk.md", text)
    memory_repo.commit("Notes")
    compact(memory_repo, "--force")
    return memory_repo


def test_a_summary_says_what_was_rejected_or_forbidden_as_that(turned: Repo) -> None:
    summary = turned.read(SUMMARY).split("\n")
    for n in (1, 2, 3):
        assert [line.format(n=n) for line in CARRIED if line.format(n=n) not in summary] == []
    assert problems(turned) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("- Rejected: MongoDB", "- MongoDB"),
        ("- Never: restart", "- restart"),
        ("- Never: Don't: force-push", "- force-push"),
        ("Don't: merge commits on rel-1 | Do: rebase", "Do: merge commits on rel-1 | Don't: rebase"),
        ("- Rejected: MongoDB", "- Accepted: MongoDB"),
    ],
)
def test_a_line_without_what_turns_it_round_is_refused(turned: Repo, old: str, new: str) -> None:
    text = turned.read(SUMMARY)
    assert old in text
    turned.write(SUMMARY, text.replace(old, new, 1))
    assert any("doesn't say so" in each for each in problems(turned))


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Never do these on production:\n- drop tables\n", "Never do these on production: drop tables"),
        ("Don't:\n\n* touch `billing.lock`\n", "Don't: touch `billing.lock`"),
        ("**Don't:**\n* restart it\n", "Don't: restart it"),
        ("Rejected\n- MongoDB\n", "Rejected: MongoDB"),
        ("We looked at it. These are forbidden.\n- raw SQL\n", "These are forbidden: raw SQL"),
        ("Which of them stays?\n- Redis\n", "Which of them stays? Redis"),
        ("We agreed on two things:\n1. Postgres for jobs\n", "We agreed on two things: Postgres for jobs"),
        ("- Rejected\n  - MongoDB\n    - with sharding\n", "Rejected: with sharding"),
        ("- Broker\n  - Never:\n    - restart it\n", "Never: restart it"),
        ("> Don't:\n> - restart it\n", "Don't: restart it"),
        ("## Rejected\n### Storage\nMongoDB for the ledger.\n", "Rejected: MongoDB for the ledger."),
        ("## Out of scope\n- Windows XP\n", "Out of scope: Windows XP"),
        ("## Don'ts\n- restart it\n", "Don'ts: restart it"),
        ("## Limits\n- uploads: 90 MB\n", "Limits: uploads: 90 MB"),
        ("## Decided against\n- MongoDB\n", "Decided against: MongoDB"),
        ("## Rules that no longer hold\n- review by two\n", "Rules that no longer hold: review by two"),
        ("## What we must never do on production\n- drop tables\n", "What we must never do on production: drop tables"),
        ("| Do | Don't |\n|---|---|\n| rebase | force-push |\n", "Do: rebase | Don't: force-push"),
        ("| action | allowed |\n|---|---|\n| force push | ✗ |\n", "action: force push | allowed: ✗"),
        ("| flag | state |\n|---|---|\n| telemetry | disabled |\n", "flag: telemetry | state: disabled"),
        ("| Aktion | erlaubt |\n|---|---|\n| force-push | nein |\n", "Aktion: force-push | erlaubt: nein"),
        ("Never run:\n```sh\nmake reset-db\n```\n", "Never run: make reset-db"),
        ("Don't:\n\nrestart the broker\n", "Don't: restart the broker"),
        ("## Entscheidungen\n- Postgres statt SQLite\n", "Entscheidungen: Postgres statt SQLite"),
        ("## Abgelehnt\n- MongoDB\n", "Abgelehnt: MongoDB"),
        ("Interdit :\n- redémarrer le broker\n", "Interdit: redémarrer le broker"),
    ],
)
def test_what_governs_is_said_with_what_it_governs(text: str, line: str) -> None:
    assert line in bound(text)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("In staging:\n- debug output is on\n", "In staging: debug output is on"),
        ("## Before 2.4\n- the cache is off\n", "Before 2.4: the cache is off"),
        ("## Ideas\n- MongoDB for the ledger\n", "Ideas: MongoDB for the ledger"),
        ("| | staging | elsewhere |\n|---|---|---|\n| port | 80 | 90 |\n", "port | staging: 80 | elsewhere: 90"),
        ("When the box is up:\n- the cache is warm\n", "When the box is up: the cache is warm"),
    ],
)
def test_what_limits_or_dates_goes_with_a_detail_and_makes_it_bind_no_more(text: str, line: str) -> None:
    found = {each.text: each.binds for each in said(text)}
    assert found.get(line) is False, found


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("## Decisions\n- Redis for jobs\n", ["Redis for jobs"]),
        ("## Open questions\n- Mail for jobs\n", ["Mail for jobs"]),
        ("The modules:\n- the reader of notes\n", ["The modules:", "the reader of notes"]),
        ("Never restart it.\n\nThe day was long.\n\n- lunch was late\n", [
            "Never restart it.", "The day was long.", "lunch was late"]),
        ("## Rejected\n- MongoDB\n\n## What was done\n- lunch was late\n", ["Rejected: MongoDB", "lunch was late"]),
        ("Don't:\n- restart it\n\nThe day was long.\n", ["Don't:", "Don't: restart it", "The day was long."]),
        ("- Never\n  - by hand\n- lunch was late\n", ["Never", "Never: by hand", "lunch was late"]),
        ("# 2026-11-03\nThe day was long.\n", ["2026-11-03", "The day was long."]),
    ],
)  # fmt: skip
def test_what_governs_ends_where_its_section_or_list_does(text: str, lines: list[str]) -> None:
    assert [each.text for each in said(text)] == lines


def test_a_title_that_rejects_governs_the_whole_note() -> None:
    assert [each.text for each in said("- MongoDB for jobs\n", "Rejected ideas")] == [
        "Rejected ideas: MongoDB for jobs"
    ]
    assert [each.text for each in said("- MongoDB for jobs\n", "Ideas")] == ["MongoDB for jobs"]


def test_a_box_that_is_not_ticked_is_open_and_a_ticked_one_says_so() -> None:
    found = list(said("- [ ] move the broker\n- [x] move the queue\n\n## Todo\n- [x] drop the table\n"))
    assert [(each.text, each.group) for each in found] == [
        ("move the broker", "Open questions"), ("move the queue", "Current state"),
        ("[x] drop the table", "Open questions"),
    ]  # fmt: skip


def test_a_label_that_is_long_keeps_the_words_that_turn_it_round() -> None:
    lead = f"{'In all the years that this has been here ' * 8}we never:"
    (line,) = [each.text for each in said(f"{lead}\n- restart the broker\n") if "restart" in each.text]
    assert line == "… never: restart the broker"


@pytest.mark.parametrize(
    "sentence",
    [
        "We _never_ deploy on Friday evening.",
        "Keys do __not__ belong into the log.",
        "We don´t deploy on Friday evening.",
        "We donʼt deploy on Friday evening.",
        "We don&#39;t deploy on Friday evening.",
        "We can`t restart it by hand.",
        "We ne\u00adver deploy on Friday evening.",
        "We ne\u200bver deploy on Friday evening.",
        "We ｎｅｖｅｒ deploy on Friday evening.",
        "Do\u00a0not restart it.",
        "Never delete e.g. The orders table.",
        "Do not merge without a word of Dr. Smith.",
        "The port must be as in issue No. (12).",
        "Restarting it by hand loses messages. So we never do that.",
        "We went with Postgres for the ledger.",
        "Going with Postgres for the ledger, final.",
        "We settled on Postgres for the ledger.",
        "Picked Postgres over SQLite for the ledger.",
        "Use Postgres for the ledger.",
        "Keep uploads below 90 MB.",
        "Stop using SQLite in tests.",
        "The v1 API is deprecated and banned from new code.",
        "MongoDB is ruled out for the ledger.",
        "We rejected MongoDB for the ledger.",
        "Production is off-limits to agents.",
        "Ann turned the idea of sharding down.",
        "Renaming a tenant is impossible.",
        "Logging of names is illegal in the EU.",
        "The lock is held at all times during a migration.",
        "Uploads: max 90 MB.",
        "Uploads are <= 90 MB.",
        "The maximum upload is 90 MB.",
        "IMPORTANT: rotate the key every 90 days.",
        "There is a ban on raw SQL in handlers.",
        "Every deploy excludes Fridays.",
        "TBD: who runs the broker",
        "Who runs the broker is undecided.",
        "Read again on 2026-01-02, we must never use redis again",
        "Wir rollen nie am Freitag aus.",
        "Schlüssel gehören nicht ins Log.",
        "Es gibt keine zweite Datenbank.",
        "Alle Uploads müssen unter 90 MB bleiben.",
        "Der Broker darf nachts neu starten.",
        "Wir haben beschlossen, Postgres zu nehmen.",
        "Offen: Wer betreibt den Broker",
        "Il ne faut jamais redémarrer le broker.",
        "Les clés restent sans date.",
        "Le broker doit rester en place.",
        "Nunca reinicies el broker en producción.",
        "El broker debe quedar en su lugar.",
        "Il broker deve restare al suo posto.",
        "Le chiavi vanno senza data.",
        "O broker não reinicia de dia.",
        "O broker precisa ficar no lugar.",
        "De broker start nooit overdag.",
        "De broker moet blijven staan.",
    ],
)
def test_a_sentence_binds_in_whatever_letters_and_in_seven_languages(sentence: str) -> None:
    shown = sentence.replace("\u00ad", "").replace("\u200b", "")
    assert bound(f"{sentence}\n") == [" ".join(shown.split())]


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        ("Ann: we agreed to never deploy on Friday\nBob: yes", ["Ann: we agreed to never deploy on Friday"]),
        ("LIMIT = 90  # never raise this", ["LIMIT = 90 # never raise this"]),
        ('"""must not be called twice in a row"""', ["must not be called twice in a row"]),
        ("rule: never restart the broker by hand", ["rule: never restart the broker by hand"]),
        ("12:01:02 worker[3] GET /x?never=1 200", []),
        ("if not ready: return must(x)", []),
    ],
)
def test_in_code_binds_what_is_a_sentence_there(code: str, lines: list[str]) -> None:
    assert bound(f"```\n{code}\n```\n") == lines


@pytest.mark.parametrize("heading", ["Decided: Postgres", "Never deploy", "No Fridays"])
def test_a_heading_of_two_words_that_says_something_is_carried(heading: str) -> None:
    assert bound(f"## {heading}\n") == [heading]


def test_a_comment_behind_code_is_still_shown_to_nobody() -> None:
    text = "```\nmake\n```\n<!-- Uploads must never exceed 90 MB. -->\n"
    assert bound(text) == []


def test_every_sentence_that_binds_is_of_a_kind_that_may_not_stay_behind() -> None:
    texts = ("## Rejected\n- MongoDB\n", "- [ ] move it\n", "| a | b |\n|---|---|\n| x | ✗ |\n", "## Limits\n- one\n")
    for each in (each for text in texts for each in said(text) if each.binds):
        assert claims(each)[0].kind in BINDING


@pytest.mark.parametrize(
    "text",
    [
        "- Never:\n" * 20_000,
        "".join(f"{' ' * (at % 200)}- not {at}\n" for at in range(5_000)),
        "## Rejected\n" * 20_000,
        "| Don't |\n|---|\n" + "| x |\n" * 20_000,
        "| Don't " * 20_000 + "\n|---\n" + "| x " * 20_000,
        "Don't:\n" + "```\nx\n```\n" * 5_000,
        f"{'never ' * 20_000}:\n- x\n",
        "turned " * 20_000,
        "**" * 50_000 + ":\n- x\n",
        "So never do that. " * 20_000,
        "a: " * 50_000,
    ],
)
def test_hostile_lists_and_tables_come_to_no_more_than_their_size(text: str) -> None:
    found = list(said(text))
    assert sum(len(each.text) for each in found) < 60 * len(text)


def test_what_is_in_no_alphabet_that_is_read_is_said_to_be_left_unread() -> None:
    text = "Сервер никогда не перезапускают днём.\n\nThe day was long and the lunch was late.\n"
    whole = front_matter.compose({"id": "session-1", "title": "Talk", "abstract": "A talk."}, text)
    note = as_entry("sessions/1.md", whole, "session")
    body = summarize([note], lambda found: [1.0 for _ in found], 0, lambda _: ())
    summary = as_entry("summaries/x.md", front_matter.compose({"id": "summary-x", "title": "x"}, body), "summary")
    left = [(row.claim.kind, row.claim.text, row.left) for row in certify([note], summary).rows]
    assert left == [("unread", "Сервер никогда не перезапускают днём.", UNREAD)]


def as_entry(path: str, text: str, kind: str) -> Entry:
    found, _ = read_entry(path, text, builtin_types()[kind], "x")
    assert found is not None
    return found


def test_a_ledger_accounts_for_what_is_turned_round_as_what_binds(turned: Repo) -> None:
    rows = [json.loads(line) for line in turned.read(LEDGER).split("\n")[:-1]]
    kinds = {name: row["line"] for row in rows for name in row if name in BINDING and "line" in row}
    assert {"decision", "constraint"} <= kinds.keys()
    assert not any(name in row for row in rows if "left in the archive" in row for name in BINDING)
    assert re.search(r'"decision":"Rejected: MongoDB', turned.read(LEDGER))
    turned.git("add", "--all")
    assert turned.minutebook("check", "--all", "--only", "certificate", "--today", TODAY).code == 0
