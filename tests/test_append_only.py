"""The promise: what is published in a log stays. Every case is real git, judged through the command line."""

from collections.abc import Callable
from datetime import date
from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import CASE, FIRST, LOG, LOG_HEAD, SECOND, THIRD, TODAY, Done, Repo
from minutebook.checks.append_only import append_only
from minutebook.checks.cases import Side, cases
from minutebook.ground.change import File
from minutebook.ground.config import Config
from minutebook.ground.problem import Problem

NEW = """### DEC-2026-11-04-01 — Backups every night
**Context:** A disk broke.
**Decision:** The database is dumped every night.
**Date:** 2026-11-04
"""
OTHER = NEW.replace("11-04-01", "11-04-02").replace("Backups every night", "Restores are rehearsed")
OLD = f"{THIRD}\n{SECOND}\n{FIRST}"
DRAFT = NEW.replace("**Date:**", "**Status:** proposed\n**Date:**")
DOMAIN = ".memory/decisions/database.md"
MOVED_CASE = CASE.replace("flaky-upload", "slow-upload")
FILE_DECISION = ".memory/decisions/DEC-2026-11-05-01.md"
FILE_TEXT = """---
type: decision
id: DEC-2026-11-05-01
title: Uploads go to object storage
abstract: Uploads are stored in object storage, not on the server's disk.
date: 2026-11-05
decision: Uploads are stored in object storage.
---
## Overview
The disk of the server is too small.
"""

DECISION_MERGES = """name: decision
title: Decision
memory: episodic
describe: A choice that may be rewritten whenever somebody likes to.
place: decisions/{domain}.md
layout: log
write: merge
id: DEC-{date}-{hash:4}
load: selective
durability: durable
"""
MINUTES = (
    DECISION_MERGES.replace("name: decision", "name: minutes")
    .replace("{domain}", "_log")
    .replace("DEC-{date}-{hash:4}", "minutes-{date}")
)

Edit = Callable[[Repo], object]
ACCEPT, WARN, REJECT = (0, False), (0, True), (1, False)


def log(text: str, head: str = LOG_HEAD) -> Edit:
    return lambda repo: repo.write(LOG, head + text)


def swap(old: str, new: str, path: str = LOG) -> Edit:
    def edit(repo: Repo) -> None:
        before = repo.read(path)
        assert old in before
        repo.write(path, before.replace(old, new))

    return edit


def move(source: str, target: str) -> Edit:
    def edit(repo: Repo) -> None:
        (repo.path / target).parent.mkdir(parents=True, exist_ok=True)
        repo.git("mv", source, target)

    return edit


def both(*edits: Edit) -> Edit:
    def edit(repo: Repo) -> None:
        for each in edits:
            each(repo)

    return edit


def remove(path: str) -> Edit:
    return lambda repo: repo.git("rm", "-q", path)


def submodule(path: str) -> Edit:
    def edit(repo: Repo) -> None:
        repo.git("rm", "-rq", path)
        repo.git("update-index", "--add", "--cacheinfo", f"160000,{repo.git('rev-parse', 'HEAD')},{path}")

    return edit


def symlink(path: str, target: str) -> Edit:
    def edit(repo: Repo) -> None:
        repo.git("rm", "-rq", path)
        link = repo.path / path
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(target)
        repo.git("add", path)

    return edit


def judged(repo: Repo) -> Done:
    return repo.minutebook("check", "--staged", "--only", "append-only", "--only", "modes", "--only", "scope",
                           "--today", TODAY)  # fmt: skip


def expect(done: Done, verdict: tuple[int, bool], words: str = "") -> None:
    code, warned = verdict
    assert done.code == code, done
    assert ("warning" in done.out) == warned, done
    assert (words in done.out) if words else (code or warned or not done.out), done


CASES: list[tuple[str, Edit, tuple[int, bool], str]] = [
    ("1 append at the open end", log(f"{NEW}\n{OLD}"), ACCEPT, ""),
    ("1 append two", log(f"{OTHER}\n{NEW}\n{OLD}"), ACCEPT, ""),
    ("1 append with thematic breaks between", log(f"{NEW}\n---\n\n{OLD}"), ACCEPT, ""),
    ("2 entry deleted", log(f"{THIRD}\n{FIRST}"), REJECT, "DEC-2026-11-02-01 is sealed and is gone"),
    ("2 file deleted", remove(LOG), REJECT, "there is no .memory/decisions/_log.md any more"),
    ("2 one-file entry deleted", remove(CASE), REJECT, "case-reviewer-2026-11-02-flaky-upload is sealed and is gone"),
    ("2 log emptied", lambda repo: repo.write(LOG, ""), REJECT, "it no longer stands in"),
    ("2 log cut at the end", log(f"{THIRD}\n{SECOND}"), REJECT, "DEC-2026-11-01-01 is sealed and is gone"),
    ("2 entries commented out", log(f"<!--\n{OLD}\n-->\n"), REJECT, "is gone"),
    ("2 entries fenced", log(f"```\n{OLD}\n```\n"), REJECT, "is gone"),
    ("2 swallowed by a higher heading", log(f"# DEC-2026-11-09-01 — All\n\n{OLD}"), REJECT, "is gone"),
    ("3 one character changed", swap("SKIP LOCKED.", "SKIP LOCKED!"), REJECT, "[-LOCKED.-]{+LOCKED!+}"),
    ("3 one word removed", swap("Every schema", "Each schema"), REJECT, "[-Every-]{+Each+} schema change is"),
    ("3 title changed", swap("— PostgreSQL\n", "— MySQL\n"), REJECT, "[-PostgreSQL-]{+MySQL+}"),
    ("3 id changed", swap("### DEC-2026-11-02-01", "### DEC-2026-11-02-09"), REJECT,
     "id was changed to DEC-2026-11-02-09"),
    ("3 label renamed", swap("**Rationale:**", "**Reason:**"), REJECT, "[-**Rationale:**-]{+**Reason:**+}"),
    ("3 date changed", swap("**Date:** 2026-11-02", "**Date:** 2026-11-03"), REJECT, "[-2026-11-02-]{+2026-11-03+}"),
    ("3 heading level changed", swap("### DEC-2026-11-01-01", "## DEC-2026-11-01-01"), REJECT, "only its markup"),
    ("3 one-file body changed", swap("One run in five", "One run in six", CASE), REJECT, "[-five-]{+six+}"),
    ("3 one-file field changed", swap("title: The upload", "title: An upload", CASE), REJECT, "[-The-]{+An+}"),
    ("4 reordered", log(f"{SECOND}\n{THIRD}\n{FIRST}"), REJECT, "was moved within its log"),
    ("4 inserted in the middle", log(f"{THIRD}\n{NEW}\n{SECOND}\n{FIRST}"), REJECT, "new entries go to the top"),
    ("4 appended at the closed end", log(f"{OLD}\n{NEW}"), REJECT, "new entries go to the top"),
    ("5 copied within the log", log(f"{SECOND}\n{OLD}"), REJECT, "DEC-2026-11-02-01 stands twice"),
    ("5 copied to another log", lambda repo: repo.write(DOMAIN, SECOND), REJECT, "DEC-2026-11-02-01 stands twice"),
    ("5 a new entry takes an old id", log(NEW.replace("11-04-01", "11-02-01") + f"\n{OLD}"), REJECT, "stands twice"),
    ("6 trailing spaces", swap("migration.\n", "migration.  \n"), WARN, "only white space changed"),
    ("6 CRLF over the file", swap("\n", "\r\n"), WARN, "only white space changed"),
    ("6 final newline removed", log(OLD.rstrip("\n")), WARN, "only white space changed"),
    ("6 blank lines at the end", log(f"{OLD}\n\n"), WARN, "only white space changed"),
    ("6 re-wrapped", swap("SKIP LOCKED.", "SKIP\nLOCKED."), REJECT, "a formatter probably did it"),
    ("6 blank line between labels", swap("**Date:** 2026-11-02", "\n**Date:** 2026-11-02"), REJECT, "a formatter"),
    ("6 emphasis rewritten", swap("**Context:**", "__Context:__"), REJECT, "a formatter probably did it"),
    ("7 preamble changed", log(OLD, "# Decisions of the team\n\nOur log.\n\n"), ACCEPT, ""),
    ("7 front matter added", log(OLD, f"---\nupdated: 2026-11-20\n---\n{LOG_HEAD}"), ACCEPT, ""),
    ("8 marker set", swap("### DEC-2026-11-01-01 — PostgreSQL\n",
                          "### DEC-2026-11-01-01 — PostgreSQL\n> SUPERSEDED by DEC-2026-11-03-01\n"), ACCEPT, ""),
    ("8 marker set, blank lines around", swap("— PostgreSQL\n", "— PostgreSQL\n\n> OBSOLETE — no database\n\n"),
     ACCEPT, ""),
    ("8 status set", swap("**Date:** 2026-11-01", "**Date:** 2026-11-01\n**Status:** superseded"), ACCEPT, ""),
    ("8 marker and an edit", swap("— PostgreSQL\n", "— MySQL\n> SUPERSEDED by DEC-2026-11-03-01\n"), REJECT,
     "[-PostgreSQL-]{+MySQL+}"),
    ("8 two statuses set", swap("**Date:** 2026-11-01", "**Status:** accepted\n**Status:** retracted"), REJECT,
     "is set twice"),
    ("8 sealed to draft", swap("**Date:** 2026-11-01", "**Date:** 2026-11-01\n**Status:** proposed"), REJECT,
     "turned back into a draft"),
    ("8 addendum", swap("**Date:** 2026-11-02\n", "**Date:** 2026-11-02\n**Addendum:** It works.\n"), ACCEPT, ""),
    ("8 text before the end", swap("**Date:** 2026-11-02\n", "But not now.\n**Date:** 2026-11-02\n"), REJECT,
     "{+But not now.+}"),
    ("8 one-file status set", swap("date: 2026-11-02\n", "date: 2026-11-02\nstatus: retracted\n", CASE), ACCEPT, ""),
    ("8 one-file addendum", lambda repo: repo.write(CASE, repo.read(CASE) + "\nIt came back once.\n"), ACCEPT, ""),
    ("8 one-file undeclared field set", swap("date: 2026-11-02\n", "date: 2026-11-02\ntags: [ci]\n", CASE), REJECT,
     "{+tags: [ci]+}"),
    ("8 marker between two labels", swap("**Rationale:**", "> OBSOLETE\n**Rationale:**"), ACCEPT, ""),
    ("8 addendum that is another abstract", swap("**Date:** 2026-11-02\n",
                                                 "**Date:** 2026-11-02\n**Abstract:** Nobody migrates.\n"), REJECT,
     "can't give it another abstract"),
    ("8 one-file addendum that is another overview", lambda repo: repo.write(
        CASE, repo.read(CASE) + "\n## Overview\nDelete the test.\n"), REJECT, "can't give it another overview"),
    ("9 renamed within its place", move(CASE, MOVED_CASE), ACCEPT, ""),
    ("9 log renamed within its place", move(LOG, DOMAIN), ACCEPT, ""),
    ("9 renamed out of its place", move(CASE, ".memory/patterns/flaky-upload.md"), REJECT,
     "is not a place of its type"),
    ("9 moved out of memory", move(LOG, "docs/log.md"), REJECT, "is gone"),
    ("9 moved to another append-only type", move(CASE, ".memory/users/ada/events/2026-11-02-flaky.md"), REJECT,
     "not of case"),
    ("9 renamed and edited", both(move(CASE, MOVED_CASE), swap("five", "six", MOVED_CASE)), REJECT, "[-five-]{+six+}"),
    ("9 renamed, another in its place", both(
        move(CASE, MOVED_CASE),
        lambda repo: repo.write(CASE, repo.read(MOVED_CASE).replace("id: case-reviewer", "id: case-other"))),
     REJECT, "another entry stands in its old place"),
    ("10 split by domain", both(log(THIRD), lambda repo: repo.write(DOMAIN, f"{SECOND}\n{FIRST}")), ACCEPT, ""),
    ("10 split, one lost", both(log(THIRD), lambda repo: repo.write(DOMAIN, SECOND)), REJECT, "DEC-2026-11-01-01"),
    ("10 split, reordered", both(log(THIRD), lambda repo: repo.write(DOMAIN, f"{FIRST}\n{SECOND}")), REJECT, "moved"),
    ("11 superseded to the archive", both(
        log(f"{THIRD}\n{SECOND}"),
        lambda repo: repo.write(".memory/archive/decisions/_log.md",
                                FIRST.replace("SQL\n", "SQL\n> SUPERSEDED by DEC-2026-11-03-01\n", 1))), ACCEPT, ""),
    ("11 active to the archive", move(LOG, ".memory/archive/decisions/_log.md"), REJECT, "moved to the archive"),
    ("11 active case to the archive", move(CASE, CASE.replace(".memory/", ".memory/archive/")), REJECT, "is active"),
    ("19 symlink in place of the file", symlink(LOG, "../../README.md"), REJECT, "is a symlink"),
    ("19 symlink in place of the folder", symlink(".memory/decisions", "../elsewhere"), REJECT, "is a symlink"),
    ("19 symlink in place of the root", symlink(".memory", "elsewhere"), REJECT, ".memory is a symlink"),
    ("19 submodule in place of the root", submodule(".memory"), REJECT, ".memory is a submodule"),
    ("19 submodule in place of a folder", submodule(".memory/decisions"), REJECT, "is a submodule"),
    ("19 executable", lambda repo: (repo.path / LOG).chmod(0o755), REJECT, "is executable"),
    ("24 config moves the root", both(
        lambda repo: repo.write(".minutebook.yaml", "root: docs/memory\n"),
        lambda repo: repo.write("docs/memory/decisions/_log.md", repo.read(LOG)),
        remove(LOG)), REJECT, "no longer names .memory as a memory root"),
    ("24 type is no longer append-only", lambda repo: repo.write(".memory/types/decision.yaml", DECISION_MERGES),
     REJECT, "decision is no longer append-only"),
    ("24 type is changed and the log with it", both(
        lambda repo: repo.write(".memory/types/decision.yaml", DECISION_MERGES), swap("Every schema", "Some schema")),
     REJECT, "[-Every-]{+Some+}"),
    ("24 another type takes the place", lambda repo: repo.write(".memory/types/minutes.yaml", MINUTES), REJECT,
     "the type minutes would cover it"),
]  # fmt: skip


@pytest.mark.parametrize(("edit", "verdict", "words"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_change_of_a_published_log(memory_repo: Repo, edit: Edit, verdict: tuple[int, bool], words: str) -> None:
    edit(memory_repo)
    if "160000" not in memory_repo.git("ls-files", "--stage"):
        memory_repo.git("add", "--all")
    expect(judged(memory_repo), verdict, words)


def test_what_is_put_into_an_entry_cuts_no_label_short(memory_repo: Repo) -> None:
    text = OLD.replace("Alembic migration.\n", "Alembic migration,\nbut for those that only add an index.\n")
    log(text)(memory_repo)
    memory_repo.commit()
    for put in ("**Status:** accepted", "> OBSOLETE"):
        log(text.replace("migration,\n", f"migration,\n{put}\n"))(memory_repo)
        memory_repo.git("add", "--all")
        expect(judged(memory_repo), REJECT, "its decision is cut short")


RULING = """name: ruling
title: Ruling
memory: episodic
describe: A ruling that stands for good in this house.
place: rulings/{slug}.md
layout: file
write: append
id: RUL-{date}
load: selective
durability: durable
status: {draft: [proposed], sealed: [accepted]}
amend: [superseded_by]
addenda: end
sections: [Status, Ruling]
"""
RULING_TYPE = ".memory/types/ruling.yaml"
ONE_RULING = ".memory/rulings/one.md"


@pytest.mark.parametrize(
    ("mtype", "text", "addendum"),
    [
        (RULING, "# One rules\n\n## Ruling\nOne rules.\n", "\n## Status\nproposed\n"),
        (RULING.replace("layout: file", "layout: log"), "### RUL-one — One rules\n**Ruling:** One rules.\n",
         "**Status:** proposed\n"),
    ],
)  # fmt: skip
def test_no_addendum_makes_a_sealed_entry_a_draft(memory_repo: Repo, mtype: str, text: str, addendum: str) -> None:
    memory_repo.write(RULING_TYPE, mtype)
    memory_repo.write(ONE_RULING, text)
    memory_repo.commit()
    memory_repo.write(ONE_RULING, text + addendum)
    memory_repo.git("add", "--all")
    expect(judged(memory_repo), REJECT, "is sealed and would count as draft")


@pytest.mark.parametrize(
    ("old", "new", "text", "words"),
    [
        ("layout: file", "layout: log", "# One rules\n\n## Ruling\nOne rules.\n", "no longer be read as an entry"),
        ("layout: log\nwrite: append\nid: RUL", "layout: log\nwrite: append\nid: VER", "### RUL-one — One rules\n",
         "no longer be read as an entry"),
        ("{draft: [accepted], sealed: [accepted]}", "{sealed: [accepted], draft: [accepted]}", "# One rules\n",
         "would no longer be sealed"),
    ],
)  # fmt: skip
def test_a_type_may_not_lose_sight_of_its_entries(memory_repo: Repo, old: str, new: str, text: str, words: str) -> None:
    mtype = RULING.replace("{draft: [proposed], sealed: [accepted]}", "{draft: [accepted], sealed: [accepted]}")
    mtype = mtype.replace("layout: file", "layout: log") if "id: RUL" in old else mtype
    assert old in mtype
    memory_repo.write(RULING_TYPE, mtype)
    memory_repo.write(ONE_RULING, text)
    memory_repo.commit()
    memory_repo.write(RULING_TYPE, mtype.replace(old, new))
    memory_repo.git("add", "--all")
    expect(judged(memory_repo), REJECT, words)


def test_a_log_that_only_points_to_files_may_grow(memory_repo: Repo) -> None:
    def point(*ids: str) -> None:
        rows = [f"### {name} — Uploads\nFile: decisions/{name}.md\n" for name in ids]
        memory_repo.write(LOG, LOG_HEAD + "\n".join(rows))
        for name in ids:
            text = FILE_TEXT.replace("DEC-2026-11-05-01", name)
            memory_repo.write(f".memory/decisions/{name}.md", text)

    memory_repo.git("rm", "-q", LOG)
    point("DEC-2026-11-05-01")
    memory_repo.commit()
    point("DEC-2026-11-05-02", "DEC-2026-11-05-01")
    memory_repo.git("add", "--all")
    expect(judged(memory_repo), ACCEPT)


@pytest.mark.parametrize(
    ("before", "after", "verdict", "words"),
    [
        ("> SUPERSEDED by DEC-2026-11-03-01", "> SUPERSEDED by DEC-2026-11-02-01", REJECT, "set again"),
        ("> SUPERSEDED by DEC-2026-11-03-01", "", REJECT, "was taken away"),
        ("**Status:** accepted", "**Status:** retracted", ACCEPT, ""),
        ("**Status:** accepted", "**Status:** active", REJECT, "set again"),
        ("**Status:** accepted", "**Status:** draft", REJECT, "turned back into a draft"),
        ("**Status:** superseded", "**Status:** accepted", REJECT, "closed and reopened"),
        ("**Status:** superseded", "**Status:** retracted", REJECT, "set again"),
        ("**Status:** accepted", "", REJECT, "was taken away"),
        ("**Superseded by:** DEC-2026-11-02-01", "**Superseded by:** DEC-2026-11-03-01", REJECT, "set again"),
        ("**Status:** proposed", "**Status:** accepted", ACCEPT, ""),
        ("**Status:** proposed", "**Status:** draft\n**Impact:** to be seen", ACCEPT, ""),
    ],
)
def test_what_was_set_is_set_once(
    memory_repo: Repo, before: str, after: str, verdict: tuple[int, bool], words: str
) -> None:
    text = "**Date:** 2026-11-01\n"
    log(OLD.replace(text, f"{text}{before}\n"))(memory_repo)
    memory_repo.commit()
    log(OLD.replace(text, f"{text}{after}\n" if after else text))(memory_repo)
    memory_repo.git("add", "--all")
    expect(judged(memory_repo), verdict, words)


def test_a_draft_is_free_until_it_is_sealed(memory_repo: Repo) -> None:
    log(f"{DRAFT}\n{OLD}")(memory_repo)
    memory_repo.commit()
    for text in (f"{DRAFT.replace('every night', 'twice a day')}\n{OLD}", OLD, f"{NEW}\n{OLD}", f"{OLD}\n{DRAFT}"):
        log(text)(memory_repo)
        memory_repo.git("add", "--all")
        expect(judged(memory_repo), ACCEPT)
    log(f"{NEW}\n{OLD}")(memory_repo)
    memory_repo.commit()
    log(OLD)(memory_repo)
    memory_repo.git("add", "--all")
    expect(judged(memory_repo), REJECT, "DEC-2026-11-04-01 is sealed and is gone")


def test_decisions_as_files_are_kept_too(memory_repo: Repo) -> None:
    memory_repo.write(FILE_DECISION, FILE_TEXT)
    memory_repo.commit()
    swap("too small", "too slow", FILE_DECISION)(memory_repo)
    memory_repo.git("add", "--all")
    expect(judged(memory_repo), REJECT, "[-small.-]{+slow.+}")


def test_an_entry_without_id_is_known_by_its_text_when_its_file_is_renamed(memory_repo: Repo) -> None:
    text = memory_repo.read(CASE).replace("id: case-reviewer-2026-11-02-flaky-upload\n", "")
    memory_repo.git("rm", "-q", CASE)
    memory_repo.write(CASE, text)
    memory_repo.commit("No id")
    move(CASE, MOVED_CASE)(memory_repo)
    expect(judged(memory_repo), ACCEPT)
    swap("five", "six", MOVED_CASE)(memory_repo)
    memory_repo.git("add", "--all")
    expect(judged(memory_repo), REJECT, "is gone")


def test_last_line_without_newline_may_be_followed(memory_repo: Repo) -> None:
    memory_repo.write(".minutebook.yaml", "order: {decision: oldest-first}\n")
    log(f"{FIRST}\n{SECOND}\n{THIRD}".rstrip("\n"))(memory_repo)
    memory_repo.commit()
    log(f"{FIRST}\n{SECOND}\n{THIRD}\n{NEW}")(memory_repo)
    memory_repo.git("add", "--all")
    expect(judged(memory_repo), ACCEPT)
    log(f"{NEW}\n{FIRST}\n{SECOND}\n{THIRD}".rstrip("\n"))(memory_repo)
    memory_repo.git("add", "--all")
    expect(judged(memory_repo), REJECT, "new entries go to the end of this log")


def test_white_space_counts_when_bytes_are_sealed(memory_repo: Repo) -> None:
    memory_repo.write(".minutebook.yaml", "seal: bytes\n")
    memory_repo.commit()
    swap("migration.\n", "migration.  \n")(memory_repo)
    memory_repo.git("add", "--all")
    expect(judged(memory_repo), REJECT, "only white space changed")
    log(f"{NEW}\n{OLD}")(memory_repo)
    memory_repo.git("add", "--all")
    expect(judged(memory_repo), ACCEPT)


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ("seal: commit\n", "index: warn\n", "`seal: commit` is dropped"),
        ("published: [main]\n", "index: warn\n", "`main` is no longer a published branch"),
        ("roots: [.memory, lib/memory]\n", "roots: [lib/memory]\n", "no longer names .memory"),
    ],
)
def test_the_config_may_not_loosen_the_promise(memory_repo: Repo, before: str, after: str, words: str) -> None:
    memory_repo.write(".minutebook.yaml", before)
    memory_repo.commit()
    memory_repo.write(".minutebook.yaml", after)
    memory_repo.git("add", "--all")
    expect(judged(memory_repo), REJECT, words)


def test_a_date_before_the_newest_or_in_the_future_is_a_warning(memory_repo: Repo) -> None:
    log(f"{NEW.replace('**Date:** 2026-11-04', '**Date:** 2026-11-02')}\n{OLD}")(memory_repo)
    memory_repo.git("add", "--all")
    expect(judged(memory_repo), WARN, "before the newest published 2026-11-03")
    log(f"{NEW.replace('**Date:** 2026-11-04', '**Date:** 2027-11-04')}\n{OLD}")(memory_repo)
    memory_repo.git("add", "--all")
    expect(judged(memory_repo), WARN, "in the future")


def test_a_log_turned_around_is_a_handful_of_problems(memory_repo: Repo) -> None:
    entries = [entry(number) for number in range(20, 0, -1)]
    log("\n".join(entries))(memory_repo)
    memory_repo.commit("A longer log")
    log("\n".join(entries[::-1]))(memory_repo)
    memory_repo.git("add", "--all")
    done = judged(memory_repo)
    expect(done, REJECT, "14 more sealed entries were moved within this log")
    assert done.out.count("append-only") == 6


def test_superseding_what_is_superseded_is_a_warning(memory_repo: Repo) -> None:
    log(OLD.replace("— PostgreSQL\n", "— PostgreSQL\n> SUPERSEDED by DEC-2026-11-03-01\n"))(memory_repo)
    memory_repo.commit()
    entry = NEW.rstrip("\n") + "\n**Supersedes:** DEC-2026-11-01-01\n"
    log(f"{entry}\n{memory_repo.read(LOG).removeprefix(LOG_HEAD)}")(memory_repo)
    memory_repo.git("add", "--all")
    expect(judged(memory_repo), WARN, "which no longer holds already")


def test_the_word_diff_shows_no_secret(memory_repo: Repo) -> None:
    secret = f"ghp_{sha256(b'no real one').hexdigest()[:36]}"
    log(OLD.replace("One database less", f"The token {secret} is for one database less"))(memory_repo)
    memory_repo.commit()
    log(OLD.replace("One database less", "The token is for one database less"))(memory_repo)
    memory_repo.git("add", "--all")
    done = judged(memory_repo)
    expect(done, REJECT, "redacted")
    assert secret not in done.out + done.err


def test_a_file_that_cannot_be_read_any_more_is_one_problem(memory_repo: Repo) -> None:
    swap("date: 2026-11-02\n", "date: 2026-11-02\ndate: 2026-11-03\n", CASE)(memory_repo)
    memory_repo.git("add", "--all")
    done = memory_repo.minutebook("check", "--staged", "--today", TODAY)
    assert done.code == 1
    assert done.out.count(CASE) == 1
    assert "`date` stands twice" in done.out


def entry(number: int, words: str = "so") -> str:
    day = f"2026-10-{number:02d}"
    return f"### DEC-{day}-01 — Choice {number}\n**Decision:** We do it {words}.\n**Date:** {day}\n"


LAWFUL = ("nothing", "append", "split", "addendum", "marker", "spaces")
UNLAWFUL = ("edit", "remove", "swap", "insert", "copy", "rename", "unmarked to archive")


@settings(max_examples=300, deadline=None)
@given(
    size=st.integers(3, 8),
    order=st.sampled_from(["newest-first", "oldest-first"]),
    steps=st.lists(st.tuples(st.sampled_from([*LAWFUL, *UNLAWFUL]), st.integers(0, 100)), min_size=1, max_size=4),
)
def test_any_change_is_refused_exactly_when_a_step_of_it_is(
    size: int, order: str, steps: list[tuple[str, int]]
) -> None:
    """Each step works on entries of its own, so that no two of them cancel each other."""
    entries = [entry(number) for number in range(size, 0, -1)]
    untouched = list(range(size))
    logs: dict[str, list[str]] = {LOG: list(entries)}
    fresh = 20
    expected = False
    for step, choice in steps:
        if len(untouched) < 2:
            break
        old = entries[untouched.pop(choice % len(untouched))]
        other = entries[untouched.pop(0)] if step == "swap" else ""
        apply_step(step, old, other or entry(fresh), logs)
        fresh += 1
        expected |= step in UNLAWFUL
    base = {LOG: "\n".join(entries if order == "newest-first" else entries[::-1])}
    after = {path: "\n".join(texts if order == "newest-first" else texts[::-1]) for path, texts in logs.items()}
    problems = judged_in_memory(base, after, order)
    assert any(problem.severity == "error" for problem in problems) == expected, (steps, problems)


def apply_step(step: str, old: str, new: str, logs: dict[str, list[str]]) -> None:
    """Do one step to the entry `old`; `new` is one to add, or the one to swap it with."""
    log_entries = logs[LOG]
    at = log_entries.index(old)
    title = old.split("\n", 1)[0]
    if step == "append":
        log_entries.insert(0, new)
    elif step == "insert":
        log_entries.insert(at + 1, new)
    elif step == "addendum":
        log_entries[at] = f"{old}It held.\n"
    elif step == "marker":
        log_entries[at] = old.replace(title, f"{title}\n> RETRACTED")
    elif step == "spaces":
        log_entries[at] = old.replace("so.\n", "so.  \n")
    elif step == "edit":
        log_entries[at] = old.replace("so.", "otherwise.")
    elif step == "rename":
        log_entries[at] = old.replace("-01 —", "-77 —")
    elif step == "remove":
        del log_entries[at]
    elif step == "copy":
        logs.setdefault(f".memory/decisions/copy-{title[4:18]}.md", []).append(old)
    elif step in ("split", "unmarked to archive"):
        del log_entries[at]
        folder = "archive/decisions" if step.endswith("archive") else "decisions"
        logs.setdefault(f".memory/{folder}/of-{title[4:18]}.md", []).append(old)
    elif step == "swap":
        place = log_entries.index(new)
        log_entries[at], log_entries[place] = new, old


def judged_in_memory(base: dict[str, str], after: dict[str, str], order: str) -> list[Problem]:
    config = Config(order={"decision": order})
    before, now = (Side({path: File(text.encode()) for path, text in each.items()}, config) for each in (base, after))
    return [problem for case in cases(before, now, date(2026, 11, 20)) for problem in append_only(case)]
