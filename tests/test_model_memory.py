"""What a model sees of the existing memory, and that nothing is replaced that it didn't read."""

import json
from base64 import b64encode
from hashlib import sha256

import pytest

from conftest import PROJECT
from minutebook.extract.model.loop import Place
from scripted import decision, memory_with, proposal, read_by, told
from stand_ins.messages_api import used
from talk import said as talk_of

CACHE = "Let's use SQLite for the local cache, because it needs no server."


def test_it_looks_before_it_proposes_and_what_it_sees_is_json() -> None:
    log = "ctx://acme/project/decisions/_log"
    _, api = read_by(
        talk_of(CACHE),
        used(("list", {"uri": "ctx://acme/"}), ("read", {"uri": f"{log}#DEC-2026-11-03-01"})),
        used(("read", {"uri": log}), ("get_relations", {"uri": f"{log}#DEC-2026-11-03-01"})),
    )
    listed, entry, entries, relations = (json.loads(text) for text, _ in told(api))
    assert listed["count"] == 6
    assert {"uri", "id", "title", "abstract"} <= set(listed["entries"][0])
    assert entry["id"] == "DEC-2026-11-03-01"
    assert "SKIP LOCKED" in entry["text"]
    assert entries["count"] == 3
    assert relations == {"uri": f"{log}#DEC-2026-11-03-01", "id": "DEC-2026-11-03-01"}
    assert "case 1, decision 3, pattern 1, project 1" in api.created[0]["messages"][0]["content"][1]["text"]


def test_a_list_that_is_too_long_says_how_many_lie_where() -> None:
    page = "---\ntype: pattern\nid: pattern-{0}\ntitle: Pattern {0}\nabstract: It is number {0}.\n---\nBody.\n"
    more = {f".memory/patterns/p{number}.md": page.format(f"p{number}") for number in range(100)}
    _, api = read_by(talk_of(CACHE), used(("list", {"uri": "ctx://acme/"})), memory=memory_with(more))
    listed = json.loads(told(api)[0][0])
    assert (listed["count"], len(listed["entries"])) == (106, 60)
    assert listed["beneath"] == {"ctx://acme/agents/": 1, "ctx://acme/project/": 105}


def test_relations_are_told_from_both_sides() -> None:
    old = (
        "# Decisions\n\n### DEC-2026-11-05-01 — Queue in Redis\n**Decision:** Jobs go to Redis.\n**Date:** 2026-11-05\n"
    )
    old += "**Supersedes:** DEC-2026-11-03-01\n"
    memory = memory_with({".memory/decisions/queues.md": old})
    uris = [f"ctx://acme/project/decisions/{name}" for name in ("queues#DEC-2026-11-05-01", "_log#DEC-2026-11-03-01")]
    _, api = read_by(talk_of(CACHE), used(*(("get_relations", {"uri": uri}) for uri in uris)), memory=memory)
    new, former = (json.loads(text) for text, _ in told(api))
    assert new["supersedes"] == ["DEC-2026-11-03-01"]
    assert former["supersedes it"] == ["DEC-2026-11-05-01"]


PRIVATE = "---\ntype: preference\nid: preference-{0}\ntitle: Tabs of {0}\nabstract: {0} likes tabs a lot.\n---\nTabs.\n"


def test_only_the_users_own_space_and_only_this_account_can_be_read() -> None:
    memory = memory_with(
        {
            ".memory/users/ada/preferences/tabs.md": PRIVATE.format("ada"),
            ".memory/users/bob/preferences/tabs.md": PRIVATE.format("bob"),
            ".memory/archive/users/bob/preferences/old.md": PRIVATE.format("bob-old"),
        }
    )
    asked = (
        "ctx://acme/users/ada/memories/preferences/tabs",
        "ctx://acme/users/bob/memories/preferences/tabs",
        "ctx://acme/archive/users/bob/memories/preferences/old",
        "preference-bob",
        "ctx://other/users/ada/memories/preferences/tabs",
        "../../etc/passwd",
        "/etc/passwd",
        "ctx://acme/../../etc/passwd",
    )
    calls = [("read", {"uri": uri}) for uri in asked]
    lists = [("list", {"uri": uri}) for uri in ("ctx://acme/", "ctx://acme/users/bob/", "ctx://other/")]
    _, api = read_by(talk_of(CACHE), used(*calls, *lists), memory=memory)
    answers = told(api)
    assert [wrong for _, wrong in answers] == [False, *[True] * 7, False, False, True]
    assert "bob" not in answers[8][0]
    assert json.loads(answers[9][0])["count"] == 0
    assert not any("likes tabs" in text for text, _ in answers[1:8])


def test_secrets_and_hidden_characters_in_memory_go_no_further() -> None:
    secret = "ghp_" + b64encode(sha256(b"a").digest()).decode().replace("/", "x").replace("+", "y")[:36]
    page = "---\ntype: pattern\nid: pattern-x\ntitle: Deploys\nabstract: How to deploy things.\n---\n"
    memory = memory_with({".memory/patterns/x.md": f"{page}Use {secret} here.\u202e\n"})
    _, api = read_by(talk_of(CACHE), used(("read", {"uri": "pattern-x"})), memory=memory)
    text = json.loads(told(api)[0][0])["text"]
    assert secret not in text
    assert "[redacted:" in text
    assert "‹U+202E›" in text


QUEUE = "Let's move the job queue from PostgreSQL to Redis, polling is too slow."
NEW = decision(1, "move the job queue from PostgreSQL to Redis", "Move the job queue from PostgreSQL to Redis")


def test_an_entry_that_was_not_read_is_shown_instead_of_replaced() -> None:
    given = (NEW[0], NEW[1] | {"replaces": "DEC-2026-11-03-01"})
    found, api = read_by(talk_of(QUEUE), used(given))
    assert found.candidates == ()
    text, wrong = told(api)[0]
    assert text.startswith("Not taken yet")
    assert "SKIP LOCKED" in text
    assert not wrong
    assert "wasn't read before" in found.refusals[0].reason


@pytest.mark.parametrize("name", ["DEC-2026-11-03-01", "ctx://acme/project/decisions/_log#DEC-2026-11-03-01"])
def test_once_it_was_read_it_can_be_replaced(name: str) -> None:
    given = (NEW[0], NEW[1] | {"replaces": name})
    found, _ = read_by(talk_of(QUEUE), used(("read", {"uri": name})), used(given))
    assert [each.target for each in found.candidates] == ["DEC-2026-11-03-01"]
    again, _ = read_by(talk_of(QUEUE), used(given), used(given))
    assert [each.target for each in again.candidates] == ["DEC-2026-11-03-01"]
    assert again.refusals == ()


def test_what_it_would_contradict_has_to_be_read_even_if_it_is_not_named() -> None:
    talk = talk_of("We never use Liquibase for the audit tables.")
    same = proposal("pattern", 1, "never use Liquibase for the audit tables", "Never use Liquibase for audit tables")
    page = "---\ntype: pattern\nid: pattern-liquibase\ntitle: Liquibase\nabstract: {}\n---\nBody.\n"
    memory = memory_with({".memory/patterns/a.md": page.format("Use Liquibase for the audit tables.")})
    found, api = read_by(talk, used(same), memory=memory)
    assert found.candidates == ()
    assert "pattern-liquibase" in told(api)[0][0]
    taken, _ = read_by(talk, used(("read", {"uri": "pattern-liquibase"})), used(same), memory=memory)
    assert len(taken.candidates) == 1


PAGE = (
    "A small service that stores uploads for a mobile app.\n\nPython and PostgreSQL, one process, two developers."
    "\n\nIt runs in Frankfurt only."
)
MOVED = "The upload service runs in Frankfurt only, we agreed on that with the customer."


def rewritten(body: str, said: str = MOVED, **more: str) -> tuple[str, list[str]]:
    """(why it was refused, the reasons for quarantine) of a new project page with this body."""
    quote = said.partition(",")[0]
    given = {"abstract": quote, "body": body} | more
    look = used(("read", {"uri": "project-context"}))
    found, _ = read_by(talk_of(said), look, used(proposal("project", 1, quote, "The upload service", **given)))
    return "".join(each.reason for each in found.refusals), [each.quarantine for each in found.candidates]


PROJECT_PAGE = (
    "---\ntype: project\nid: project-context\ntitle: The upload service\nabstract: Stores uploads.\n---\n"
    "## Overview\nWe use PostgreSQL.\n"
)


def test_a_page_that_is_written_anew_keeps_what_it_said() -> None:
    assert rewritten(PAGE) == ("", [""])
    for lost in ("A small service that stores uploads for a mobile app.", "Python and PostgreSQL, one process, two"):
        why, _ = rewritten(PAGE.replace(lost, ""))
        assert why.startswith("project-context says “")
    assert rewritten(PAGE.replace("two dev", "three dev"), "We are three developers now, not two.")[0] == ""
    why, _ = rewritten(PAGE.replace("two developers", "three developers"))
    assert "two developers" in why
    why, _ = rewritten(PAGE.replace("that stores", "that never stores"))
    assert why


def test_of_a_page_only_what_is_denied_goes() -> None:
    said = "We don't use PostgreSQL any more, the service has one process and two developers."
    memory = memory_with({PROJECT: PROJECT_PAGE})
    look = used(("read", {"uri": "project-context"}))
    body = "Stores uploads.\n\nOne process and two developers, no PostgreSQL any more."
    page = proposal("project", 1, said.partition(",")[0], "We don't use PostgreSQL any more", body=body)
    found, _ = read_by(talk_of(said), look, used(page), memory=memory)
    assert [each.target or each.type for each in found.candidates] == ["project"]


def test_a_page_that_would_be_taken_over_has_to_be_read() -> None:
    talk = talk_of("The project is a service that stores photos for a mobile app, in Go.")
    quote = "a service that stores photos for a mobile app"
    page = proposal("project", 1, quote, "A service that stores photos for a mobile app")
    found, api = read_by(talk, used(page))
    assert found.candidates == ()
    assert "project-context" in told(api)[0][0]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("DEC-1999-01-01-01", "may be read here"),
        ("ctx://other/project/decisions/_log#DEC-2026-11-03-01", "may be read here"),
        ("pattern-migrations", "a decision can't take its place"),
    ],
)
def test_what_can_not_be_replaced_is_refused(name: str, words: str) -> None:
    found, _ = read_by(talk_of(QUEUE), used((NEW[0], NEW[1] | {"replaces": name})))
    assert found.candidates == ()
    assert words in found.refusals[0].reason


def test_what_was_superseded_can_not_be_superseded_again() -> None:
    text = "# Queues\n\n### DEC-2026-11-05-01 — Queue in NATS\n**Decision:** Jobs go to NATS.\n**Date:** 2026-11-05\n"
    text += "**Supersedes:** DEC-2026-11-03-01\n"
    given = (NEW[0], NEW[1] | {"replaces": "DEC-2026-11-03-01"})
    found, _ = read_by(talk_of(QUEUE), used(given), memory=memory_with({".memory/decisions/queues.md": text}))
    assert found.candidates == ()
    assert "no longer holds (superseded)" in found.refusals[0].reason


def test_the_spaces_of_agents_are_read_unless_one_agent_is_named() -> None:
    page = "---\ntype: case\nid: case-{0}\ntitle: A case of {0}\nabstract: It was solved.\n---\n"
    names = ("reviewer", "claude-code")
    memory = memory_with({f".memory/agents/{name}/cases/2026-11-03-a.md": page.format(name) for name in names})
    look = used(("list", {"uri": "ctx://acme/agents/"}))
    for place, count in ((Place("acme", "ada"), 3), (Place("acme", "ada", "claude-code"), 1)):
        _, api = read_by(talk_of(CACHE), look, memory=memory, place=place)
        assert json.loads(told(api)[0][0])["count"] == count
