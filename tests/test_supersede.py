"""A change of mind in one step: a new entry, and the old one marked."""

import json
import re

import pytest

from conftest import CASE, LOG, LOG_HEAD, TODAY, Done, Repo

ONE, TWO = "DEC-2026-11-01-01", "DEC-2026-11-02-01"
NEW = ("--title", "MySQL", "--set", "decision=The service stores its data in MySQL.")


def supersede(repo: Repo, *arguments: str, stdin: str | None = None) -> Done:
    return repo.minutebook("supersede", *arguments, "--today", TODAY, stdin=stdin)


def judged(repo: Repo) -> Done:
    repo.git("add", "--all")
    return repo.minutebook("check", "--staged", "--today", TODAY)


def test_the_new_entry_says_so_and_the_old_one_is_marked(memory_repo: Repo) -> None:
    before = memory_repo.read(LOG)
    done = supersede(memory_repo, ONE, *NEW)
    assert done.code == 0, done.out + done.err
    text = memory_repo.read(LOG)
    match = re.search(r"### (DEC-2026-11-20-\w+) — MySQL\n", text)
    assert match is not None
    mark = f"> SUPERSEDED by {match[1]}\n\n"
    assert f"### {ONE} — PostgreSQL\n{mark}**Context:**" in text
    added = text[len(LOG_HEAD) : text.index("### DEC-2026-11-03-01")]
    assert f"**Supersedes:** {ONE}\n" in added
    assert text.replace(mark, "").replace(added, "") == before
    done = judged(memory_repo)
    assert (done.code, "append-only" in done.out) == (0, False), done.out


def test_a_value_comes_from_standard_input(memory_repo: Repo) -> None:
    done = supersede(memory_repo, ONE, "--title", "MySQL", "--set", "decision=-", stdin="MySQL it is:\n\nfor now.\n")
    assert done.code == 0, done.err
    assert "**Decision:** MySQL it is:\n\nfor now.\n" in memory_repo.read(LOG)


def test_the_new_entry_goes_to_the_old_ones_domain(memory_repo: Repo) -> None:
    assert memory_repo.minutebook("split", "--to", "database", ONE).code == 0
    memory_repo.commit("Split")
    assert supersede(memory_repo, ONE, *NEW).code == 0
    assert "— MySQL" in memory_repo.read(".memory/decisions/database.md")
    assert supersede(memory_repo, TWO, *NEW, "--domain", "tools").code == 0
    assert "— MySQL" in memory_repo.read(".memory/decisions/tools.md")
    assert judged(memory_repo).code == 0


@pytest.mark.parametrize(
    ("name", "path", "more"),
    [
        ("DEC-2026-11-05-01", ".memory/decisions/DEC-2026-11-05-01.md", "status: accepted\n"),
        ("DEC-2026-11-05-01", ".memory/decisions/DEC-2026-11-05-01.md", ""),
        ("case-reviewer-2026-11-02-flaky-upload", CASE, ""),
    ],
)
def test_an_entry_in_a_file_of_its_own_gets_fields(memory_repo: Repo, name: str, path: str, more: str) -> None:
    if path != CASE:
        memory_repo.write(".minutebook.yaml", "decisions: files\n")
        front = f"id: {name}\ntitle: Uploads\ndate: 2026-11-05\ndecision: Uploads go to object storage.\n{more}"
        memory_repo.write(path, f"---\n{front}---\nThe disk is too small.\n")
        memory_repo.commit("A file")
    fields = ("--set", "abstract=The server was slow; it is waited for.", "--set", "outcome=The test waits for it.")
    more_fields = ("--set", "problem=It fails now and then.") if path == CASE else ()
    done = supersede(memory_repo, name, *(("--title", "Waiting", *fields, *more_fields) if path == CASE else NEW))
    assert done.code == 0, done.out + done.err
    text = memory_repo.read(path)
    assert re.search(r"\nsuperseded_by: \S+\n", text)
    assert "\nstatus: superseded\n" in text
    assert judged(memory_repo).code == 0


def test_a_record_without_front_matter_gets_a_marker(memory_repo: Repo) -> None:
    path = ".memory/users/ada/events/2026-11-02-release.md"
    memory_repo.write(".minutebook.yaml", "users: commit\n")
    memory_repo.write(path, "# Release\n\nThe first release went out to everybody.\n")
    memory_repo.commit("An event")
    done = supersede(
        memory_repo, "2026-11-02-release", "--title", "The release was pulled", "--user", "ada",
        "--set", "abstract=The first release was pulled after an hour.",
    )  # fmt: skip
    assert done.code == 0, done.out + done.err
    assert re.search(r"everybody\.\n\n> SUPERSEDED by \S+\n$", memory_repo.read(path))


def test_what_was_superseded_already_names_what_holds_today(memory_repo: Repo) -> None:
    assert supersede(memory_repo, ONE, *NEW).code == 0
    first = re.findall(r"### (DEC-2026-11-20-\w+)", memory_repo.read(LOG))[0]
    assert supersede(memory_repo, first, "--title", "SQLite", *NEW[2:]).code == 0
    second = next(each for each in re.findall(r"### (DEC-2026-11-20-\w+)", memory_repo.read(LOG)) if each != first)
    for name in (ONE, first):
        done = supersede(memory_repo, name, *NEW)
        assert (done.code, f"superseded already, by {second} ({LOG}:5)" in done.err) == (1, True)
        assert f"try: minutebook supersede {second}" in done.err


def test_what_another_entry_superseded_without_a_mark_is_superseded(memory_repo: Repo) -> None:
    entry = f"### DEC-2026-11-04-01 — MySQL\n**Decision:** MySQL.\n**Date:** 2026-11-04\n**Supersedes:** {ONE}\n"
    memory_repo.write(LOG, memory_repo.read(LOG).replace(LOG_HEAD, f"{LOG_HEAD}{entry}\n"))
    done = supersede(memory_repo, ONE, *NEW)
    assert (done.code, "by DEC-2026-11-04-01" in done.err) == (1, True)


def test_a_draft_has_superseded_nothing_yet(memory_repo: Repo) -> None:
    entry = f"### DEC-2026-11-04-01 — MySQL\n**Decision:** MySQL.\n**Status:** proposed\n**Supersedes:** {ONE}\n"
    memory_repo.write(LOG, memory_repo.read(LOG).replace(LOG_HEAD, f"{LOG_HEAD}{entry}\n"))
    memory_repo.commit("A draft")
    assert supersede(memory_repo, ONE, *NEW).code == 0


REFUSED: list[tuple[tuple[str, ...], int, str]] = [
    (("DEC-2026-11-01-02", *NEW), 2, "did you mean DEC-2026-11-0"),
    (("DEC-2026-11-04-01", *NEW), 1, "is a draft: just edit it"),
    (("DEC-2026-11-04-02", *NEW), 1, "no longer holds: retracted"),
    (("pattern-migrations", *NEW), 1, "is a pattern: just edit it"),
    ((ONE, "--title", "MySQL"), 1, 'has to be complete\n  try: --set decision="…"\n'),
    ((ONE,), 1, 'has to be complete\n  try: --title "…" --set decision="…"\n'),
    ((ONE, "--title", "My", *NEW[2:]), 1, "--title 'My' is too short: 2 characters, and it needs 3"),
    ((ONE, *NEW[:2], "--set", "decision=Yes"), 1, "--set decision 'Yes' is too short: 3 characters, and it needs 5"),
    ((ONE, *NEW, "--set", "status=proposed"), 1, "has to hold itself"),
    ((ONE, *NEW, "--set", "colour=blue"), 2, "no field 'colour'"),
    ((ONE, *NEW, "--set", "nonsense"), 2, "write FIELD=VALUE"),
]


@pytest.mark.parametrize(("arguments", "code", "words"), REFUSED, ids=[" ".join(case[0][:5]) for case in REFUSED])
def test_what_is_refused_leaves_everything_as_it_was(
    memory_repo: Repo, arguments: tuple[str, ...], code: int, words: str
) -> None:
    draft = "### DEC-2026-11-04-01 — Backups\n**Decision:** Dump it.\n**Date:** 2026-11-04\n**Status:** proposed\n"
    gone = "### DEC-2026-11-04-02 — Restores\n> RETRACTED\n\n**Decision:** Rehearse it.\n**Date:** 2026-11-04\n"
    memory_repo.write(LOG, memory_repo.read(LOG).replace(LOG_HEAD, f"{LOG_HEAD}{draft}\n{gone}\n"))
    memory_repo.commit("More")
    done = supersede(memory_repo, *arguments)
    assert (done.code, words in done.out + done.err) == (code, True), done
    assert memory_repo.git("status", "--porcelain") == ""


def test_a_dry_run_prints_one_plan(memory_repo: Repo) -> None:
    done = supersede(memory_repo, ONE, *NEW, "--dry-run", "--format", "json")
    assert done.code == 0
    (change,) = json.loads(done.out)["changes"]
    assert [row["verb"] for row in change["entries"]] == ["create", "edit"]
    assert memory_repo.git("status", "--porcelain") == ""
