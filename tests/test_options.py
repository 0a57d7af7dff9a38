"""What the verbs have in common: options of one wording, JSON that a terminal and a runner can bear, one way to say
no."""

import json
from collections import defaultdict
from importlib import import_module
from pathlib import Path

import click
import pytest

from conftest import PATTERN, TODAY, Repo
from minutebook.cli import VERBS
from minutebook.ground.nouns import counted

HOSTILE = "Tilde \u202e \x7f \u200b é ##[group]x ::error::y"
SESSION = Path(__file__).parent / "transcripts" / "claude-code" / "session-share.jsonl"
# What an option means in one verb alone, and why its wording is its own.
APART = {
    ("--dry-run", "propose"),  # shows a page
    ("--dry-run", "refresh"),  # shows what --apply would do
    ("--root", "init"),  # makes the root
}


def command(name: str) -> click.Command:
    module = name.replace("-", "_")
    found: click.Command = getattr(import_module(f"minutebook.commands.{module}"), module)
    return found


@pytest.mark.parametrize("option", ["--root", "--format", "--dry-run", "--user"])
def test_an_option_has_one_wording(option: str) -> None:
    wordings = defaultdict(list)
    for verb in VERBS:
        for each in command(verb).params:
            if isinstance(each, click.Option) and option in each.opts and (option, verb) not in APART:
                wordings[each.help, each.metavar, each.default].append(verb)
    assert len(wordings) == 1
    assert sum(map(len, wordings.values())) >= 4


@pytest.fixture
def hostile_repo(memory_repo: Repo) -> Repo:
    """Memory with a title that no terminal should get, a stale entry, and a snapshot."""
    memory_repo.write("src/db.py", "def connect() -> None: ...\n")
    text = memory_repo.read(PATTERN).replace("Database migrations", json.dumps(HOSTILE))
    memory_repo.write(PATTERN, text.replace("created:", "anchors: [src/db.py]\ncreated:"))
    memory_repo.commit("Hostile")
    assert memory_repo.minutebook("snapshot", "--label", "before", "--today", TODAY).code == 0
    (memory_repo.path / "src/db.py").unlink()
    memory_repo.write(".memory/patterns/new.md", memory_repo.read(PATTERN).replace("pattern-migrations", "pattern-new"))
    memory_repo.commit("Gone")
    return memory_repo


@pytest.mark.parametrize(
    "arguments",
    [
        ("types",), ("types", "pattern"), ("check", "--all"), ("extract", str(SESSION), "--dry-run"),
        ("extract", "--list-tools"), ("index",), ("retrieve", "migrations"), ("search", "tilde"),
        ("show", "pattern-migrations"), ("refresh",), ("refresh", "--apply"), ("compact",), ("snapshot",),
        ("snapshot", "--list"), ("restore", "2026", "--dry-run"), ("propose", "--dry-run"),
    ],
    ids=" ".join,
)  # fmt: skip
def test_json_is_one_document_in_ascii_without_control_characters(
    hostile_repo: Repo, arguments: tuple[str, ...]
) -> None:
    if arguments[0] == "restore":
        listed = json.loads(hostile_repo.minutebook("snapshot", "--list", "--format", "json").out)
        arguments = ("restore", listed["snapshots"][0]["name"], "--dry-run")
    dated = () if arguments[0] in ("types", "index", "retrieve", "search", "show") else ("--today", TODAY)
    form = () if "--list-tools" in arguments else ("--format", "json")
    done = hostile_repo.minutebook(*arguments, *form, *dated)
    assert done.code == 0, done.err
    assert done.out.isascii()
    assert done.out.replace("\n", "").isprintable()
    assert "##[" not in done.out
    document = json.loads(done.out)
    if arguments[0] in ("retrieve", "search", "show"):
        assert HOSTILE in document_texts(document)


def document_texts(document: object) -> set[str]:
    if isinstance(document, str):
        return {document}
    values = document.values() if isinstance(document, dict) else document if isinstance(document, list) else ()
    return {text for value in values for text in document_texts(value)}


def test_an_unknown_type_is_named_alike_by_every_verb(memory_repo: Repo) -> None:
    runs = [("new", "decison"), ("types", "decison"), ("search", "x", "--type", "decison")]
    told = {memory_repo.minutebook(*arguments)[::2] for arguments in runs}
    assert told == {(2, "minutebook: no type 'decison'\n  did you mean decision?\n")}
    assert "try: minutebook types" in memory_repo.minutebook("types", "qqq").err


def test_a_refusal_ends_alike_in_every_verb(memory_repo: Repo) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    done = memory_repo.minutebook("new", "decision", "--title", "Token", "--set", f"decision=It is {secret}")
    assert (done.code, done.err.split("\n")[-2]) == (
        1, "refused: the new entry breaks the rules above, nothing was written",
    )  # fmt: skip
    memory_repo.write(PATTERN, memory_repo.read(PATTERN).replace("Database migrations", f"With {secret}"))
    memory_repo.commit("Nobody looked")
    for verb, outcome in (("index", "nothing was written"), ("propose", "nothing was proposed")):
        done = memory_repo.minutebook(verb)
        assert (done.code, done.err.split("\n")[-2]) == (
            1, f"refused: the plan breaks the rules above, {outcome}",
        )  # fmt: skip
        assert "secret" in done.err
    for verb in ("index", "propose"):
        done = memory_repo.minutebook(verb, "--format", "json")
        assert (done.code, done.err.count("\n")) == (1, 1)
        assert any(problem["rule"] == "secrets" for problem in json.loads(done.out)["problems"])


def test_words_are_counted_in_good_english() -> None:
    assert [counted(number, "entry") for number in (0, 1, 2)] == ["0 entries", "1 entry", "2 entries"]
    assert (counted(2, "note"), counted(1, "file"), counted(2, "day")) == ("2 notes", "1 file", "2 days")
