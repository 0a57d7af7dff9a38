"""The verb `new`: what it writes for each type is read back as given, passes the check when it is complete, and is
refused by the check, on the right line, when it isn't."""

import re
import sys

import pytest

from conftest import LOG, PATTERN, TODAY, Done, Repo
from minutebook.ground.memory_type import builtin_types

TEXT = "Words that are long enough to pass as a sentence."
TITLE = 'The ferry: "nine", a # and it\'s --- [leaving]'
OWNED = {"case": ("--set", "agent=reviewer"), "skill": ("--set", "agent=reviewer")}
TYPES = sorted(name for name, mtype in builtin_types().items() if mtype.write != "derived")


def new(repo: Repo, *arguments: str, **extra: str) -> Done:
    return repo.minutebook("new", *arguments, "--today", TODAY, **extra)


def made(repo: Repo, *arguments: str) -> tuple[str, int, str]:
    """(path, line, what is left to fill in) of a new entry."""
    done = new(repo, *arguments)
    assert done.code == 0, done.err
    place, _, rest = done.out.partition("\n")
    path, _, line = place.rpartition(":")
    return path, int(line), rest


def complete(name: str) -> list[str]:
    """The arguments that fill every required field of a type."""
    required = [field for field in builtin_types()[name].schema["required"] if field not in ("id", "title", "date")]
    given = [part for field in required for part in ("--set", f"{field}={TEXT.replace(',', '')}")]
    return [name, "--title", TITLE, *given, *OWNED.get(name, ())]


def checked(repo: Repo, *arguments: str) -> Done:
    repo.git("add", "--all")
    return repo.minutebook("check", *arguments, "--today", TODAY)


def test_a_complete_entry_of_each_type_is_read_back_as_given_and_passes_the_check(repo: Repo) -> None:
    repo.write(".memory/README.md", "# Memory\n")
    repo.write(".minutebook.yaml", "users: commit\n")
    for name in TYPES:
        path, _, left = made(repo, *complete(name))
        assert left == ""
        place = re.escape(builtin_types()[name].place)
        assert re.fullmatch(r"\.memory/" + re.sub(r"\\{[a-z]+\\}", "[A-Za-z0-9_-]+", place), path)
    done = checked(repo, "--all")
    assert done.code == 0, done.out + done.err


def test_an_empty_template_of_each_type_is_refused_by_the_check_field_by_field(repo: Repo) -> None:
    repo.write(".memory/README.md", "# Memory\n")
    repo.write(".minutebook.yaml", "users: commit\n")
    expected = set()
    for name in TYPES:
        path, line, left = made(repo, name, "--title", f"A {name} to be filled in", *OWNED.get(name, ()))
        asked = re.findall(r"to fill in: (\w+)", left)
        assert set(asked) == set(builtin_types()[name].schema["required"]) - {"id", "title", "date"}
        expected |= {(path, field) for field in asked}
        assert repo.read(path).split("\n")[line - 1].lower().startswith((f"{asked[0]}:", f"**{asked[0]}:**"))
    done = checked(repo, "--all")
    assert done.code == 1
    found = re.findall(r"^(\S+?):\d+:.*`(\w+)` is missing", done.out, re.MULTILINE)
    assert expected <= set(found)


@pytest.mark.parametrize("name", ["decision", "project", "profile"])
def test_a_title_may_wait_where_the_place_does_not_need_it(repo: Repo, name: str) -> None:
    repo.write(".memory/README.md", "# Memory\n")
    _, _, left = made(repo, name)
    assert "to fill in: title" in left
    assert "`title`" in checked(repo, "--all").out


@pytest.mark.parametrize("name", ["pattern", "case", "session"])
def test_a_name_for_the_path_is_asked_for(repo: Repo, name: str) -> None:
    repo.write(".memory/README.md", "# Memory\n")
    done = new(repo, name, *OWNED.get(name, ()))
    assert done.code == 2
    assert "--title" in done.err


def test_a_decision_stands_at_the_open_end_and_every_old_byte_stays(memory_repo: Repo) -> None:
    old = memory_repo.read(LOG)
    made(memory_repo, *complete("decision"), "--set", "tags=ferries, times", "--set", "anchors=src/**")
    log = memory_repo.read(LOG)
    head, entry, rest = log.partition("### DEC-2026-11-20-")[0], *log.partition("### DEC-2026-11-20-")[1:]
    assert head + rest[rest.index("### ") :] == old
    assert "**Tags:** ferries, times\n**Anchors:** src/**\n" in entry + rest
    done = checked(memory_repo, "--staged")
    assert done.code == 0, done.out + done.err


def test_the_same_wish_twice_gives_two_ids(memory_repo: Repo) -> None:
    made(memory_repo, *complete("decision"))
    made(memory_repo, *complete("decision"))
    ids = re.findall(r"### (DEC-2026-11-20-\w+)", memory_repo.read(LOG))
    assert len(set(ids)) == 2


def test_a_decision_takes_the_place_of_an_older_one(memory_repo: Repo) -> None:
    made(memory_repo, *complete("decision"), "--supersedes", "DEC-2026-11-02-01")
    assert "**Supersedes:** DEC-2026-11-02-01\n" in memory_repo.read(LOG)
    done = checked(memory_repo, "--staged")
    assert done.code == 0, done.out + done.err


def test_an_unknown_id_is_not_superseded_and_a_close_one_is_named(memory_repo: Repo) -> None:
    done = new(memory_repo, *complete("decision"), "--supersedes", "DEC-2026-11-02-11")
    assert done.code == 2
    assert "did you mean DEC-2026-11-0" in done.err
    assert "DEC-2026-11-20" not in memory_repo.read(LOG)


def test_a_domain_is_a_log_of_its_own(memory_repo: Repo) -> None:
    path, line, _ = made(memory_repo, *complete("decision"), "--domain", "harbour")
    assert path == ".memory/decisions/harbour.md"
    assert memory_repo.read(path).split("\n")[line - 1].startswith("### DEC-2026-11-20-")
    assert checked(memory_repo, "--staged").code == 0


def test_a_log_that_grows_at_its_end_is_added_to_there(memory_repo: Repo) -> None:
    memory_repo.write(".minutebook.yaml", "order: {decision: oldest-first}\n")
    log = "# Decisions\n\n### DEC-2026-11-02-01 — Postgres\n**Decision:** Postgres it is.\n**Date:** 2026-11-02"
    memory_repo.write(LOG, log)
    made(memory_repo, *complete("decision"))
    assert memory_repo.read(LOG).startswith(log + "\n\n### DEC-2026-11-20-")


HOSTILE = [
    ("--title", "One\n### DEC-2026-11-20-ffff — Two"),
    ("--domain", "../../etc/passwd"),
    ("--domain", "a/b"),
    ("--domain", "readme"),
    ("--domain", "CON"),
    ("--set", "user=../x"),
    ("--set", "id=DEC-1"),
    ("--set", "nonsense=1"),
    ("--set", "decision"),
]


@pytest.mark.parametrize("arguments", HOSTILE, ids=lambda pair: " ".join(pair)[:40].replace("\n", " "))
def test_what_would_be_read_as_something_else_is_not_written(memory_repo: Repo, arguments: tuple[str, str]) -> None:
    before = memory_repo.git("status", "--porcelain", "--ignored")
    done = new(memory_repo, *complete("decision"), *arguments)
    assert done.code == 2, done.out + done.err
    assert memory_repo.git("status", "--porcelain", "--ignored") == before


TEXT_WITH_MARKS = [
    "decision=Postgres.\n\n### DEC-2026-11-20-ffff — Another\n**Decision:** Not asked for.",
    "decision=Postgres it is.\n**Status:** superseded",
    "decision=Postgres it is.\n> SUPERSEDED by DEC-2026-11-01-01",
]


@pytest.mark.parametrize("setting", TEXT_WITH_MARKS)
def test_text_that_looks_like_an_entry_or_a_label_stays_text(memory_repo: Repo, setting: str) -> None:
    made(memory_repo, "decision", "--title", "Postgres", "--set", setting)
    memory_repo.git("add", "--all")
    done = memory_repo.minutebook("check", "--staged", "--today", TODAY)
    assert done.code == 0, done.out + done.err
    assert len(re.findall(r"(?m)^### DEC-", memory_repo.read(LOG))) == 4
    assert len(re.findall(r"(?m)^(\*\*Status|> SUPERSEDED)", memory_repo.read(LOG))) == 0


def test_a_taken_place_is_refused(memory_repo: Repo) -> None:
    before = memory_repo.read(PATTERN)
    done = new(memory_repo, "pattern", "--title", "Migrations", "--set", f"abstract={TEXT}")
    assert done.code == 1
    assert "--slug" in done.err
    assert memory_repo.read(PATTERN) == before
    made(memory_repo, "pattern", "--title", "Migrations", "--slug", "more-migrations", "--set", f"abstract={TEXT}")


def test_an_entry_that_the_gate_refuses_is_not_written(memory_repo: Repo) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    done = new(memory_repo, "decision", "--title", "The token", "--set", f"decision=The token is {secret} for now.")
    assert done.code == 1
    assert "refused" in done.err
    assert secret not in memory_repo.read(LOG)
    assert secret not in done.err + done.out


def test_what_is_too_short_is_named_by_its_option(memory_repo: Repo) -> None:
    for arguments, words in (
        (("--title", "Sh"), "--title 'Sh' is too short: 2 characters, and it needs 3"),
        (("--title", "Shards", "--set", "decision=No"), "--set decision 'No' is too short"),
    ):
        done = new(memory_repo, "decision", *arguments)
        assert (done.code, words in done.err, LOG in done.out + done.err) == (1, True, False), done
    assert memory_repo.git("status", "--porcelain") == ""


@pytest.mark.parametrize("flag", ["--dry-run", "--stdout"])
def test_looking_writes_nothing(memory_repo: Repo, flag: str) -> None:
    before = memory_repo.git("status", "--porcelain")
    done = new(memory_repo, *complete("decision"), flag)
    assert "DEC-2026-11-20-" in done.out
    assert memory_repo.git("status", "--porcelain") == before
    if flag == "--stdout":
        assert done.out.startswith("### DEC-")


def test_a_type_that_is_not_there_names_a_close_one(memory_repo: Repo) -> None:
    done = new(memory_repo, "decison")
    assert done.code == 2
    assert "did you mean decision?" in done.err


@pytest.mark.parametrize("flag", ["--dry-run", "--stdout", "--edit"])
def test_what_only_a_compaction_writes_is_refused(memory_repo: Repo, flag: str) -> None:
    done = new(memory_repo, "summary", "--title", "November", "--set", f"abstract={TEXT}", flag)
    assert (done.code, done.out) == (1, "")
    assert "only a compaction writes a summary" in done.err
    assert "try: minutebook compact\n" in done.err
    assert memory_repo.git("status", "--porcelain") == ""


def test_owners_are_named_by_options(memory_repo: Repo) -> None:
    path, _, _ = made(memory_repo, "skill", "--title", "Restart the ferry", "--agent", "Claude Code")
    assert path == ".memory/agents/claude-code/skills/restart-the-ferry.md"
    path, _, _ = made(memory_repo, "preference", "--title", "Tabs", "--user", "ada")
    assert path == ".memory/users/ada/preferences/tabs.md"
    assert new(memory_repo, *complete("decision"), "--agent", "reviewer").code == 2
    path, _, _ = made(memory_repo, "skill", "--title", "Moor the ferry", "--agent", "../../x")
    assert path == ".memory/agents/x/skills/moor-the-ferry.md"


def test_the_only_agent_is_taken_for_the_owner(memory_repo: Repo) -> None:
    path, _, _ = made(memory_repo, "skill", "--title", "Restart the ferry")
    assert path == ".memory/agents/reviewer/skills/restart-the-ferry.md"


def test_a_strict_index_is_kept_in_step(repo: Repo) -> None:
    assert repo.minutebook("init").code == 0
    repo.write(".minutebook.yaml", "index: strict\n")
    made(repo, *complete("decision"))
    assert "The ferry" in repo.read(".memory/index.md")
    done = checked(repo, "--all")
    assert done.code == 0, done.out + done.err


def test_edit_opens_the_entry_in_the_editor(memory_repo: Repo) -> None:
    editor = memory_repo.write("editor.py", "import pathlib, sys; pathlib.Path('opened').write_text(sys.argv[1])\n")
    done = new(memory_repo, *complete("pattern"), "--edit", VISUAL=f'"{sys.executable}" "{editor}"', EDITOR="")
    assert done.code == 0, done.err
    assert memory_repo.read("opened").endswith(".memory/patterns/the-ferry-nine-a-and-it-s-leaving.md")
