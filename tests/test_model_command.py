"""`extract --model`: the real command in a process of its own, against a server that speaks the Messages API."""

import json
from base64 import b64encode
from collections.abc import Callable, Iterator
from hashlib import sha256

import pytest

from conftest import LOG, TODAY, Done, Repo
from scripted import decision
from stand_ins.loopback import serving
from stand_ins.messages_api import MessagesApi, error, messages_handler, said, used
from talk import jsonl, records

CONFIG = "model:\n  extract: scripted-1\n  budget_usd: 1\n  prices: {input: 3, output: 15}\n"
CACHE = "Let's use SQLite for the local cache, because it needs no server."
CALL = decision(1, "use SQLite for the local cache", "Use SQLite for the local cache")
Run = Callable[..., Done]


@pytest.fixture
def api() -> MessagesApi:
    return MessagesApi(key="sk-test-4711")


@pytest.fixture
def run(memory_repo: Repo, api: MessagesApi) -> Iterator[Run]:
    """Runs `extract --model` on the transcript talk.jsonl."""
    memory_repo.write(".minutebook.yaml", CONFIG)
    memory_repo.write("talk.jsonl", jsonl(records(("user", CACHE), ("assistant", "Done."))))
    with serving(messages_handler(api)) as address:

        def command(*arguments: str, **extra: str) -> Done:
            environment = {"ANTHROPIC_BASE_URL": address, "ANTHROPIC_API_KEY": api.key, **extra}
            return memory_repo.minutebook(
                "extract", "--model", "--today", TODAY, "talk.jsonl", *arguments, **environment
            )

        yield command


def test_it_writes_what_a_person_said_and_says_what_it_cost(run: Run, api: MessagesApi, memory_repo: Repo) -> None:
    api.script = [used(("list", {"uri": "ctx://repo/"})), used(CALL), said("That is all.")]
    done = run()
    assert (done.code, done.err) == (0, "")
    assert api.refused == []
    log = memory_repo.read(LOG)
    assert "Use SQLite for the local cache" in log
    assert "> use SQLite for the local cache" in log
    assert "extractor model:scripted-1:2" in log
    assert "model calls 3" in done.out
    assert "cost in micro-USD" in done.out
    assert memory_repo.minutebook("check", "--all").code == 0


def test_a_transcript_that_was_read_is_not_paid_for_again(run: Run, api: MessagesApi) -> None:
    assert run().code == 0
    asked = len(api.requests)
    done = run()
    assert done.code == 0
    assert "read before" in done.out
    assert len(api.requests) == asked


def test_a_dry_run_gives_the_figures_as_json_and_writes_nothing(run: Run, api: MessagesApi, memory_repo: Repo) -> None:
    api.script = [used(CALL)]
    done = run("--dry-run", "--format", "json")
    plan = json.loads(done.out)
    assert plan["figures"]["model calls"] == 2
    assert plan["figures"]["cost in micro-USD"] > 0
    (entry,) = (entry for change in plan["changes"] for entry in change["entries"] if entry["type"] == "decision")
    assert entry["candidate"].startswith("cand-")
    assert "SQLite" not in memory_repo.read(LOG)


def test_no_secret_reaches_the_model(run: Run, api: MessagesApi, memory_repo: Repo) -> None:
    token = "ghp_" + b64encode(sha256(b"a").digest()).decode().replace("/", "x").replace("+", "y")[:36]
    memory_repo.write("talk.jsonl", jsonl(records(("user", f"Push with {token} please."), ("assistant", "Done."))))
    assert run().code == 0
    assert len(api.created) == 1
    assert token not in json.dumps(api.requests)
    assert "[redacted:" in json.dumps(api.requests)


def test_without_a_model_in_the_config_it_says_which_lines_to_add(
    run: Run, api: MessagesApi, memory_repo: Repo
) -> None:
    memory_repo.write(".minutebook.yaml", "index: warn\n")
    done = run()
    assert done.code == 2
    assert "names no model" in done.err
    assert "model: {extract:" in done.err
    assert api.requests == []


def test_without_a_key_nothing_is_sent(run: Run, api: MessagesApi) -> None:
    done = run(ANTHROPIC_API_KEY="")
    assert done.code == 2
    assert "ANTHROPIC_API_KEY isn't set" in done.err
    assert api.requests == []


def test_a_service_that_fails_ends_the_run_with_three_and_changes_nothing(
    run: Run, api: MessagesApi, memory_repo: Repo
) -> None:
    memory_repo.commit()
    api.faults = [error(529, f"overloaded, {api.key}", retry_after_ms="1")] * 9
    done = run()
    assert done.code == 3
    assert done.err.splitlines()[0] == "minutebook: the model's service answered 529: overloaded, ***"
    assert len(done.err.splitlines()) == 2
    assert api.key not in done.out + done.err
    assert memory_repo.git("status", "--porcelain") == ""


def test_what_was_paid_for_is_kept_when_the_service_fails_later(run: Run, api: MessagesApi, memory_repo: Repo) -> None:
    later = records(("user", "Always write a test first."), id="22222222-2222-4333-8444-555555555555")
    memory_repo.write("talk.jsonl", jsonl(records(("user", CACHE))))
    memory_repo.write("later.jsonl", jsonl(later))
    api.script = [used(CALL), said("That is all."), *[error(529, "overloaded", retry_after_ms="1")] * 9]
    done = run("later.jsonl")
    assert done.code == 3
    assert "not read: the outside service failed" in done.out
    assert "Use SQLite for the local cache" in memory_repo.read(LOG)
    assert "Always write a test first" not in memory_repo.read(LOG)
    assert len(memory_repo.git("ls-files", "--others", ".memory/sessions").split()) == 1  # the other is read again


def test_a_wrong_key_ends_the_run_with_three_and_is_not_shown(run: Run) -> None:
    done = run(ANTHROPIC_API_KEY="sk-wrong-0815")
    assert done.code == 3
    assert "answered 401" in done.err
    assert "sk-wrong-0815" not in done.out + done.err


def test_what_the_budget_does_not_allow_is_not_sent_and_said(run: Run, api: MessagesApi, memory_repo: Repo) -> None:
    memory_repo.write(".minutebook.yaml", "model: {extract: scripted-1, budget_tokens: 1000}\n")
    done = run()
    assert done.code == 0
    assert "2 turns not read: the budget of 1000 tokens is used up" in done.out
    assert api.created == []
    assert "nothing to write" in done.out  # no note either: the session is read again when there is more to spend
    memory_repo.write(".minutebook.yaml", CONFIG)
    api.script = [used(CALL)]
    assert "Use SQLite for the local cache" in run().out
