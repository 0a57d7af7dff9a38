"""The promise: what is published in a log stays. Every case is real git, judged through the command line."""

from collections.abc import Callable, Mapping
from datetime import date
from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import CASE, FIRST, LOG, LOG_HEAD, SECOND, THIRD, TODAY, Done, Repo
from core import sketch
from core.edits import (
    DRAFT,
    FILE_DECISION,
    FILE_TEXT,
    MOVED_CASE,
    NEW,
    OLD,
    ONE_RULING,
    OTHER,
    RULING,
    RULING_TYPE,
    entry,
)  # fmt: skip
from core.promise import ACCEPT, CASES, REJECT, WARN, Verdict
from minutebook.checks.append_only import append_only
from minutebook.checks.cases import Side, cases
from minutebook.ground.change import File
from minutebook.ground.config import Config
from minutebook.ground.entry import Entry
from minutebook.ground.problem import Problem

Edit = Callable[[Repo], object]


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


class OnDisk:
    """What the edits of the table do to a tree, done to a work tree and its index."""

    def __init__(self, repo: Repo) -> None:
        self.repo = repo
        self.write = repo.write
        self.read = repo.read

    def move(self, source: str, target: str) -> None:
        move(source, target)(self.repo)

    def remove(self, path: str) -> None:
        self.repo.git("rm", "-rq", path)

    def link(self, path: str, target: str) -> None:
        self.remove(path)
        place = self.repo.path / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.symlink_to(target)
        self.repo.git("add", path)

    def submodule(self, path: str) -> None:
        self.remove(path)
        head = self.repo.git("rev-parse", "HEAD")
        self.repo.git("update-index", "--add", "--cacheinfo", f"160000,{head},{path}")

    def make_executable(self, path: str) -> None:
        (self.repo.path / path).chmod(0o755)


def judged(repo: Repo) -> Done:
    return repo.minutebook("check", "--staged", "--only", "append-only", "--only", "modes", "--only", "scope",
                           "--today", TODAY)  # fmt: skip


def expect(done: Done, verdict: Verdict, words: str = "") -> None:
    code, warned = verdict
    assert done.code == code, done
    assert ("warning" in done.out) == warned, done
    assert (words in done.out) if words else (code or warned or not done.out), done


@pytest.mark.parametrize(("edit", "verdict", "words"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_change_of_a_published_log(memory_repo: Repo, edit: sketch.Edit, verdict: Verdict, words: str) -> None:
    edit(OnDisk(memory_repo))
    if "160000" not in memory_repo.git("ls-files", "--stage"):
        memory_repo.git("add", "--all")
    expect(judged(memory_repo), verdict, words)


def test_a_copy_is_one_problem_and_no_reason_to_move_what_is_new(memory_repo: Repo) -> None:
    log(f"{SECOND}\n{NEW}\n{OLD}")(memory_repo)
    memory_repo.git("add", "--all")
    done = judged(memory_repo)
    expect(done, REJECT, "DEC-2026-11-02-01 stands twice")
    assert done.out.count("append-only") == 1


def test_what_is_put_into_an_entry_cuts_no_label_short(memory_repo: Repo) -> None:
    text = OLD.replace("Alembic migration.\n", "Alembic migration,\nbut for those that only add an index.\n")
    log(text)(memory_repo)
    memory_repo.commit()
    for put in ("**Status:** accepted", "> OBSOLETE"):
        log(text.replace("migration,\n", f"migration,\n{put}\n"))(memory_repo)
        memory_repo.git("add", "--all")
        expect(judged(memory_repo), REJECT, "its decision is cut short")


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
def test_what_was_set_is_set_once(memory_repo: Repo, before: str, after: str, verdict: Verdict, words: str) -> None:
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


SUPERSEDING: dict[str, tuple[str, str, str]] = {
    "what another entry superseded without a mark": (
        f"{NEW.rstrip()}\n**Supersedes:** DEC-2026-11-01-01\n", "DEC-2026-11-01-01", "and so does DEC-2026-11-04-01"),
    "the same in other letters": (
        f"{NEW.rstrip()}\n**Supersedes:** dec-2026-11-01-01\n", "DEC-2026-11-01-01", "and so does DEC-2026-11-04-01"),
    "what was retracted, in other letters": (
        "", "dec-2026-11-02-01", "supersedes DEC-2026-11-02-01, which no longer holds"),
}  # fmt: skip


@pytest.mark.parametrize("name", SUPERSEDING)
def test_nothing_supersedes_silently_what_was_superseded(memory_repo: Repo, name: str) -> None:
    before, wanted, words = SUPERSEDING[name]
    text = OLD.replace("Alembic for migrations\n", "Alembic for migrations\n> RETRACTED\n")
    log(f"{before}\n{text}" if before else text)(memory_repo)
    memory_repo.commit()
    newest = f"{OTHER.rstrip()}\n**Supersedes:** {wanted}\n"
    log(f"{newest}\n{memory_repo.read(LOG).removeprefix(LOG_HEAD)}")(memory_repo)
    memory_repo.git("add", "--all")
    expect(judged(memory_repo), WARN, words)


def test_two_new_entries_that_supersede_one_are_a_warning(memory_repo: Repo) -> None:
    both_new = [f"{each.rstrip()}\n**Supersedes:** DEC-2026-11-01-01\n" for each in (OTHER, NEW)]
    log("\n".join([*both_new, OLD]))(memory_repo)
    memory_repo.git("add", "--all")
    expect(judged(memory_repo), WARN, "DEC-2026-11-04-02 supersedes DEC-2026-11-01-01, and so does DEC-2026-11-04-01")
    log(f"{both_new[1]}\n{OLD}")(memory_repo)
    memory_repo.git("add", "--all")
    expect(judged(memory_repo), ACCEPT)


def test_the_newest_date_is_that_of_an_entry_and_not_one_that_it_mentions(memory_repo: Repo) -> None:
    log(OLD.replace("by hand.", "by hand until 2026-12-24."))(memory_repo)
    memory_repo.commit()
    log(f"{NEW}\n{memory_repo.read(LOG).removeprefix(LOG_HEAD)}")(memory_repo)
    memory_repo.git("add", "--all")
    expect(judged(memory_repo), ACCEPT)


def test_an_entry_that_did_not_change_is_not_read_further(monkeypatch: pytest.MonkeyPatch) -> None:
    """A log of ten thousand entries costs a hook what is new in it."""
    read: list[str] = []
    fields = Entry.fields

    def counted(self: Entry) -> Mapping[str, object]:
        read.append(self.id)
        return fields.__get__(self)  # type: ignore[no-any-return]

    texts = [entry(number) for number in range(20, 0, -1)]
    new = entry(21)
    before, after = "\n".join(texts), "\n".join([new, *texts])
    monkeypatch.setattr(Entry, "fields", property(counted))
    assert [each for each in judged_in_memory({LOG: before}, {LOG: after}, "newest-first") if each.rule] == []
    assert set(read) <= {"DEC-2026-10-21-01"}


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


COPY = ".memory/decisions/DEC-2026-11-01-01.md"
RECORD = "docs/adr/0001-use-pg.md"
RECORD_TEXT = "# 1. Use PostgreSQL\n\nDate: 2026-11-01\n\n## Status\n\nAccepted\n\n## Decision\n\nWe use PostgreSQL.\n"
MAPS = "places:\n  decision: docs/adr/*.md\n"


@pytest.mark.parametrize(
    ("row", "verdict"),
    [
        ("File: `decisions/DEC-2026-11-01-01.md` | Domain: architecture\nDate: 2026-11-01\n", ACCEPT),
        ("- File: [DEC-2026-11-01-01](decisions/DEC-2026-11-01-01.md)\n", ACCEPT),
        ("**Decision:** MySQL it is, see decisions/DEC-2026-11-01-01.md.\n", REJECT),
        ("File: decisions/DEC-2026-11-01-01.md\n\nIt is MySQL now.\n", REJECT),
        ("File: decisions/DEC-2026-11-01-01.md | It is MySQL now.\n", REJECT),
        ("File: [MySQL](decisions/DEC-2026-11-01-01.md)\n", REJECT),
        ("Date: 2026-11-01\n", REJECT),
    ],
)
def test_only_a_heading_that_does_nothing_but_point_to_a_file_is_no_entry(
    memory_repo: Repo, row: str, verdict: Verdict
) -> None:
    """Whoever copies an entry to a file of its own may not rewrite what stood in the log."""
    memory_repo.write(COPY, FILE_TEXT.replace("DEC-2026-11-05-01", "DEC-2026-11-01-01"))
    log("### DEC-2026-11-01-01 — PostgreSQL\nFile: decisions/DEC-2026-11-01-01.md\n")(memory_repo)
    memory_repo.commit()
    log(f"### DEC-2026-11-01-01 — PostgreSQL\n{row}")(memory_repo)
    memory_repo.git("add", "--all")
    expect(judged(memory_repo), verdict, "stands twice" if verdict == REJECT else "")


@pytest.mark.parametrize(
    ("said", "words", "verdict", "message"),
    [
        ("approved", "closed: [approved]", REJECT, "`approved` could be moved to the archive"),
        ("approved", "draft: [approved]", REJECT, "`approved` would no longer be sealed"),
        ("approved", "sealed: [approved]", ACCEPT, ""),
        ("deprecated", "sealed: [deprecated]", REJECT, "`deprecated` would count as valid again"),
        ("superseded by DEC-2026-11-03-01", "sealed: [superseded]", REJECT, "would count as valid again"),
        ("accepted", "sealed: [deprecated]", ACCEPT, ""),
        ("accepted", "draft: [review]", ACCEPT, ""),
        ("accepted", "draft: [active]", REJECT, "`active` would no longer be sealed"),
    ],
)
def test_no_other_meaning_of_a_status_frees_hides_or_revives_what_is_there(
    memory_repo: Repo, said: str, words: str, verdict: Verdict, message: str
) -> None:
    log(OLD.replace("**Date:** 2026-11-01\n", f"**Date:** 2026-11-01\n**Status:** {said}\n"))(memory_repo)
    memory_repo.commit()
    memory_repo.write(".minutebook.yaml", f"status:\n  decision:\n    {words}\n")
    memory_repo.git("add", "--all")
    expect(judged(memory_repo), verdict, message)


def test_who_adopts_records_may_say_what_their_words_mean(repo: Repo) -> None:
    repo.write(RECORD, RECORD_TEXT)
    repo.commit("Records, before minutebook")
    repo.write(".minutebook.yaml", f"{MAPS}status:\n  decision:\n    draft: [review, active]\n")
    repo.git("add", "--all")
    expect(judged(repo), ACCEPT)


def test_files_that_the_config_maps_are_regular_too(repo: Repo) -> None:
    repo.write(".minutebook.yaml", MAPS)
    repo.write(RECORD, RECORD_TEXT)
    repo.write("docs/adr/tool.sh", "#!/bin/sh\n")
    repo.commit()
    (repo.path / "docs/adr/tool.sh").chmod(0o755)
    repo.git("add", "--all")
    expect(judged(repo), ACCEPT)
    (repo.path / RECORD).chmod(0o755)
    repo.git("add", "--all")
    expect(judged(repo), REJECT, f"{RECORD} is executable")
    (repo.path / RECORD).chmod(0o644)
    (repo.path / "docs/adr/0002-link.md").symlink_to("../../.minutebook.yaml")
    repo.git("add", "--all")
    expect(judged(repo), REJECT, "docs/adr/0002-link.md is a symlink")
