"""The verb `merge-driver`: what git runs to merge memory, entry by entry."""

import os
import sysconfig
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conftest import CASE, FIRST, LOG, MEMORY, PATTERN, SECOND, THIRD, TODAY, Repo
from minutebook.checks import judge
from minutebook.checks.cases import Side, cases
from minutebook.ground.change import File
from minutebook.ground.config import Config
from minutebook.ground.entry import Entry
from minutebook.ground.errors import CannotJudge
from minutebook.ground.frozen import replace
from minutebook.ground.memory import read_memory
from minutebook.merge.files import merged_file
from minutebook.merge.lines import Way
from minutebook.merge.log import Known, Merged, Renamed
from minutebook.setup.texts import DRIVER

SCRIPTS = sysconfig.get_path("scripts")
ATTRIBUTES = "/.memory/**/*.md merge=minutebook\n"
BASE = MEMORY[LOG]
OURS = """### DEC-2026-11-04-01 — Redis for caching
**Decision:** Sessions are cached in Redis.
**Date:** 2026-11-04
"""
THEIRS = """### DEC-2026-11-05-01 — Uploads in chunks
**Decision:** Large files are uploaded in chunks of eight megabytes.
**Date:** 2026-11-05
"""
EARLIER = OURS.replace("2026-11-04-01", "2026-11-09-01").replace("Date:** 2026-11-04", "Date:** 2026-11-03")
MARK = "> SUPERSEDED by DEC-2026-11-04-01\n"
ADDENDUM = "\n**Addendum 2026-11-18:** Seen to hold with two workers.\n"
OTHER_ADDENDUM = "\n**Addendum 2026-11-19:** And with three.\n"


def top(*entries: str, base: str = BASE) -> str:
    """A newest-first log with these entries on top."""
    head, _, rest = base.partition("### ")
    return head + "".join(f"{entry}\n" for entry in entries) + f"### {rest}"


def marked(mark: str, base: str = BASE) -> str:
    """The log with a mark on its oldest entry."""
    return base.replace("— PostgreSQL\n", f"— PostgreSQL\n{mark}")


def merge(base: str, ours: str, theirs: str, path: str = LOG, known: Known | None = None) -> Merged:
    memory = read_memory({}, ".memory", Config())
    three = (base.encode(), ours.encode(), theirs.encode())
    return merged_file(memory, path, three, lambda _: known or Known(), Way())


def entries_of(text: str) -> list[Entry]:
    return list(read_memory({LOG: File(text.encode())}, ".memory", Config()).entries())


@pytest.fixture
def driven(memory_repo: Repo) -> Repo:
    """`memory_repo` with the merge driver in its attributes and its config, and minutebook on the PATH."""
    repo = Repo(memory_repo.path, {**memory_repo.env, "PATH": f"{SCRIPTS}{os.pathsep}{memory_repo.env['PATH']}"})
    for key, value in DRIVER.items():
        repo.git("config", key, value)
    repo.write(".gitattributes", ATTRIBUTES)
    repo.commit("Attributes")
    return repo


def branches(repo: Repo, ours: dict[str, str], theirs: dict[str, str]) -> None:
    """A commit on main and one on `other`, which parted before it; main is checked out."""
    repo.git("checkout", "--quiet", "-b", "other")
    for path, text in theirs.items():
        repo.write(path, text)
    repo.commit("Theirs")
    repo.git("checkout", "--quiet", "main")
    for path, text in ours.items():
        repo.write(path, text)
    repo.commit("Ours")


# What becomes of a log: what each side made of the base, and the result.
CLEAN = {
    "both append: ours first, theirs nearer to the open end":
        (top(OURS), top(THEIRS), top(THEIRS, OURS)),
    "one side appends, the other marks an old entry":
        (top(OURS), marked(MARK),
         marked(MARK, top(OURS))),
    "an entry that both sides have in the same words stands once":
        (top(OURS), top(OURS), top(OURS)),
    "an entry that is further along on one side stands as it is there":
        (top(OURS), top(OURS + ADDENDUM), top(OURS + ADDENDUM)),
    "both sides add to the end of one entry":
        (BASE + ADDENDUM, BASE + OTHER_ADDENDUM, BASE + ADDENDUM + OTHER_ADDENDUM),
    "the same addition on both sides is one":
        (BASE + ADDENDUM, BASE + ADDENDUM + OTHER_ADDENDUM, BASE + ADDENDUM + OTHER_ADDENDUM),
    "a status on one side and an addition after it on the other":
        (BASE + "**Status:** superseded\n", BASE + ADDENDUM, BASE + "**Status:** superseded\n" + ADDENDUM),
    "the page's own text on one side, an entry on the other":
        (BASE.replace("Newest first.", "The newest stands first."), top(THEIRS),
         top(THEIRS).replace("Newest first.", "The newest stands first.")),
    "a file without a final newline keeps that":
        (top(OURS).rstrip("\n"), BASE, top(OURS).rstrip("\n")),
    "line ends as the side has them that changed them":
        (BASE.replace("\n", "\r\n"), top(THEIRS), top(THEIRS).replace("\n", "\r\n")),
}  # fmt: skip


@pytest.mark.parametrize("case", CLEAN)
def test_a_log_is_merged_entry_by_entry(case: str) -> None:
    ours, theirs, wanted = CLEAN[case]
    merged = merge(BASE, ours, theirs)
    assert merged.conflicts == ()
    assert merged.text == wanted


def test_a_log_that_grows_at_its_end_gets_new_entries_there_and_keeps_its_rules_between_them() -> None:
    base = f"# Decisions\n\n{FIRST}\n---\n\n{SECOND}"
    merged = merge(base, f"{base}\n---\n\n{OURS}", f"{base}\n---\n\n{THEIRS}", known=Known(newest_first=False))
    assert merged.text == f"{base}\n---\n\n{OURS}\n---\n\n{THEIRS}"


def test_the_heading_of_a_year_that_both_sides_begin_stands_once() -> None:
    base = f"# Decisions\n\n## 2026\n\n{FIRST}"
    ours, theirs = (f"{base}\n## 2027\n\n{entry}" for entry in (OURS, THEIRS))
    merged = merge(base, ours, theirs, known=Known(newest_first=False))
    assert merged.text == f"{base}\n## 2027\n\n{OURS}\n{THEIRS}"
    again = f"{ours}\n## 2026\n\n{SECOND}"
    assert merge(base, again, base, known=Known(newest_first=False)).text == again


def test_what_groups_entries_is_in_conflict_when_both_sides_word_it_anew() -> None:
    base, ours, theirs = (f"# D\n\n{SECOND}\n## {year}\n\n{FIRST}" for year in ("2026", "In 2026", "2026 and before"))
    merged = merge(base, ours, theirs)
    assert merged.conflicts == (("DEC-2026-11-01-01", "both sides changed what stands before it"),)
    assert "<<<<<<< ours\n## In 2026\n=======\n## 2026 and before\n>>>>>>> theirs\n" in merged.text
    assert merge(base, base, theirs).text == theirs


def test_the_new_entries_of_the_side_that_is_first_stand_under_the_others_as_one_block() -> None:
    ours, theirs = (OURS, FOLLOWER), (EARLIER, THEIRS)
    for under, wanted in ((0, top(*theirs, *ours)), (1, top(*ours, *theirs))):
        known = Known(has_published=True, under=under)
        assert merge(BASE, top(*ours), top(*theirs), known=known).text == wanted
        turned = replace(known, under=1 - under)
        assert merge(BASE, top(*theirs), top(*ours), known=turned).text == wanted


def test_the_words_and_the_id_of_the_side_that_is_first_stay() -> None:
    ours, theirs = BASE + ADDENDUM, BASE + OTHER_ADDENDUM
    known = Known(has_published=True, under=1)
    assert merge(BASE, ours, theirs, known=known).text == BASE + OTHER_ADDENDUM + ADDENDUM
    assert merge(BASE, top(OURS), top(COLLIDING), known=known).renamed[0].title == "Redis for caching"


def test_what_nobody_has_published_may_be_in_another_order_on_either_side() -> None:
    ours, theirs = top(FOLLOWER, OURS, THEIRS), top(THEIRS, OURS)
    known = Known(has_published=True, under=1)
    assert merge(BASE, ours, theirs, known=known).text == top(FOLLOWER, THEIRS, OURS)
    for fixed in (Known(), replace(known, published=published(top(OURS, THEIRS)).published)):
        with pytest.raises(CannotJudge):
            merge(BASE, ours, theirs, known=fixed)


def published(text: str) -> Known:
    """A memory whose published log says this."""
    return Known(has_published=True, published={entry.id.casefold(): entry for entry in entries_of(text)})


def test_what_is_published_stands_before_what_is_not() -> None:
    assert merge(BASE, top(OURS), top(THEIRS), known=published(top(THEIRS))).text == top(OURS, THEIRS)
    assert merge(BASE, top(OURS), top(THEIRS), known=published(top(OURS))).text == top(THEIRS, OURS)
    ours, theirs = BASE + ADDENDUM, BASE + OTHER_ADDENDUM
    assert merge(BASE, ours, theirs, known=published(theirs)).text == BASE + OTHER_ADDENDUM + ADDENDUM
    base = f"{BASE}**Status:** accepted\n"
    ours, theirs = base.replace("accepted", "superseded") + ADDENDUM, base + OTHER_ADDENDUM
    wanted = base.replace("accepted", "superseded") + OTHER_ADDENDUM + ADDENDUM
    assert merge(base, ours, theirs, known=published(theirs)).text == wanted


DRAFT = THIRD.replace("**Date:**", "**Status:** proposed\n**Date:**")
WITH_DRAFT = BASE.replace(THIRD, DRAFT)
OTHER_MARK = "> RETRACTED\n"


# base, what each side made of it, the entry in conflict, and lines that must stand between the markers.
CONFLICTS = {
    "a sealed entry deleted on our side":
        (BASE, BASE.replace(f"{SECOND}\n", ""), top(THEIRS), "DEC-2026-11-02-01", ["", SECOND]),
    "a sealed entry deleted on their side":
        (BASE, top(OURS), BASE.replace(f"{SECOND}\n", ""), "DEC-2026-11-02-01", [SECOND, ""]),
    "a draft deleted here and edited there":
        (WITH_DRAFT, BASE.replace(f"{THIRD}\n", ""), WITH_DRAFT.replace("Jobs are kept", "Jobs stay"),
         "DEC-2026-11-03-01", ["", DRAFT.replace("Jobs are kept", "Jobs stay")]),
    "two marks on one entry":
        (BASE, marked(MARK), marked(OTHER_MARK), "DEC-2026-11-01-01", [MARK, OTHER_MARK]),
    "two marks on one entry in different places":
        (BASE, marked(MARK), f"{BASE}{OTHER_MARK}", "DEC-2026-11-01-01",
         [FIRST.replace("L\n", f"L\n{MARK}", 1), f"{FIRST}{OTHER_MARK}"]),
    "one line of a draft changed in two ways":
        (WITH_DRAFT, WITH_DRAFT.replace("table and", "table, and"),
         WITH_DRAFT.replace("Jobs are kept", "All jobs are kept"),
         "DEC-2026-11-03-01",
         ["**Decision:** Jobs are kept in a PostgreSQL table, and claimed with SKIP LOCKED.\n",
          "**Decision:** All jobs are kept in a PostgreSQL table and claimed with SKIP LOCKED.\n"]),
    "a draft sealed here and edited there":
        (WITH_DRAFT, WITH_DRAFT.replace("proposed", "accepted"), WITH_DRAFT.replace("claimed with", "taken with"),
         "DEC-2026-11-03-01",
         [DRAFT.replace("proposed", "accepted"), DRAFT.replace("claimed with", "taken with")]),
    "one new entry in two versions":
        (BASE, top(OURS), top(OURS.replace("Sessions are", "Everything is")), "DEC-2026-11-04-01",
         ["**Decision:** Sessions are cached in Redis.\n", "**Decision:** Everything is cached in Redis.\n"]),
}  # fmt: skip


@pytest.mark.parametrize("case", CONFLICTS)
def test_a_real_conflict_stays_one_with_markers_around_that_alone(case: str) -> None:
    base, ours, theirs, name, sides = CONFLICTS[case]
    merged = merge(base, ours, theirs)
    assert [each for each, _ in merged.conflicts] == [name]
    assert f"<<<<<<< ours\n{sides[0]}=======\n{sides[1]}>>>>>>> theirs\n" in merged.text
    assert merged.text.count("<<<<<<<") == 1


def test_a_deletion_that_is_a_move_is_none() -> None:
    def elsewhere(side: int) -> Mapping[str, Entry]:
        entry = next(each for each in entries_of(BASE) if each.id == moved)
        return {moved.lower(): replace(entry, path=".memory/decisions/database.md")} if side == 1 else {}

    moved = "DEC-2026-11-02-01"
    known = Known(elsewhere=elsewhere)
    without = BASE.replace(f"{SECOND}\n", "")
    assert merge(BASE, top(OURS), without, known=known).text == top(OURS, base=without)
    changed = merge(BASE, BASE.replace(SECOND, SECOND + ADDENDUM), without, known=known)
    assert changed.conflicts == (
        (moved, "theirs moved it to .memory/decisions/database.md, and the other side changed it"),
    )


def test_a_draft_deleted_on_one_side_is_gone() -> None:
    assert merge(WITH_DRAFT, WITH_DRAFT.replace(f"{DRAFT}\n", ""), WITH_DRAFT).text == BASE.replace(f"{THIRD}\n", "")


COLLIDING = THEIRS.replace("2026-11-05-01", "2026-11-04-01")
FOLLOWER = """### DEC-2026-11-06-01 — Chunks of four
**Decision:** As DEC-2026-11-04-01 says, but of four megabytes.
**Date:** 2026-11-06
**Supersedes:** DEC-2026-11-04-01
**Related:** DEC-2026-11-04-011, DEC-2026-11-01-01
**Source:** session s1, turn 3, user
> make DEC-2026-11-04-01 smaller
"""


def test_of_two_new_entries_with_one_id_the_second_gets_another_and_what_means_it_follows() -> None:
    theirs = marked("> SUPERSEDED by DEC-2026-11-04-01\n", top(FOLLOWER, COLLIDING))
    merged = merge(BASE, top(OURS), theirs)
    assert merged.conflicts == ()
    entries = {entry.title: entry for entry in entries_of(merged.text)}
    fresh = entries["Uploads in chunks"].id
    assert entries["Redis for caching"].id == "DEC-2026-11-04-01"
    assert fresh.startswith("DEC-2026-11-05-")
    assert entries["Chunks of four"].ids("supersedes") == (fresh,)
    assert entries["Chunks of four"].ids("related_to") == ("DEC-2026-11-04-011", "DEC-2026-11-01-01")
    assert f"As {fresh} says" in merged.text
    assert "> make DEC-2026-11-04-01 smaller" in merged.text  # a quote is what was said
    assert f"> SUPERSEDED by {fresh}\n" in merged.text
    assert merged.renamed == (Renamed("DEC-2026-11-04-01", fresh, "Uploads in chunks", 1),)
    again = merge(BASE, top(OURS), theirs)
    assert again == merged


def test_what_the_common_past_says_of_an_id_stays() -> None:
    base = BASE.replace("applied by hand.", "applied by hand, until DEC-2026-11-04-01.")
    merged = merge(base, top(OURS, base=base), marked(MARK, top(COLLIDING, base=base)))
    assert len(merged.renamed) == 1
    assert "applied by hand, until DEC-2026-11-04-01.\n" in merged.text


def test_the_entry_that_is_published_keeps_the_id() -> None:
    merged = merge(BASE, top(OURS), top(COLLIDING), known=published(top(COLLIDING)))
    entries = {entry.title: entry.id for entry in entries_of(merged.text)}
    assert entries["Uploads in chunks"] == "DEC-2026-11-04-01"
    assert entries["Redis for caching"] != "DEC-2026-11-04-01"


def test_a_new_id_is_free_in_other_files_too() -> None:
    merged = entries_of(merge(BASE, top(OURS), top(COLLIDING)).text)
    fresh = next(entry.id for entry in merged if "2026-11-05" in entry.id)
    taken = Known(elsewhere=lambda side: {fresh.casefold(): entries_of(BASE)[0]})
    assert fresh not in merge(BASE, top(OURS), top(COLLIDING), known=taken).text


UNREADABLE = {
    "an id that stands twice": (BASE, top(OURS, OURS), top(THEIRS), "an id stands twice in it"),
    "entries in another order on either side":
        (BASE, top(OURS, THEIRS), top(THEIRS, OURS), "the two sides hold the same entries in another order"),
    "a log here, a single entry there":
        (BASE, top(OURS), f"---\nid: DEC-2026-11-09-01\ntitle: One\n---\n{BASE}",
         "it is a log on one side, and a single entry on another"),
    "front matter that can't be read":
        (BASE, f"---\na: [\n---\n{BASE}", top(THEIRS), "it can't be read (ours, line 3)"),
}  # fmt: skip


@pytest.mark.parametrize("case", UNREADABLE)
def test_what_nobody_can_read_is_for_a_person(case: str) -> None:
    base, ours, theirs, why = UNREADABLE[case]
    with pytest.raises(CannotJudge) as raised:
        merge(base, ours, theirs)
    assert why in str(raised.value)


def test_a_fence_that_one_side_leaves_open_swallows_nothing() -> None:
    base = f"# Decisions\n\n{FIRST}"
    with pytest.raises(CannotJudge) as raised:
        merge(base, f"{base}\n{OURS}```sh\nmake\n", f"{base}\n{THEIRS}", known=Known(newest_first=False))
    assert "DEC-2026-11-05-01 would disappear in a code fence" in str(raised.value)


def test_heads_are_merged_field_by_field_and_the_later_day_counts() -> None:
    head = "---\ncategory: decisions\nupdated: 2026-11-{day}\ntags: [{tags}]\n---\n"
    base, ours, theirs = (
        head.format(day=day, tags=tags) for day, tags in (("03", "a, b"), ("05", "a, c"), ("04", "a, b, d"))
    )
    merged = merge(base + BASE, ours + top(OURS), theirs + top(THEIRS))
    assert merged.conflicts == ()
    assert merged.text == head.format(day="05", tags="a, c, d") + top(THEIRS, OURS)


PAGE = MEMORY[PATTERN]
TONE = ".memory/users/ada/preferences/tone.md"
TONE_PAGE = (
    "---\ntype: preference\nid: preference-ada-tone\ntitle: Tone\nabstract: {}\nupdated: {}\n---\n"
    "## Overview\nHow to write.\n"
)
PAGES = {
    "fields of one page, a rule of the type for each":
        (PATTERN, PAGE.replace("created", "tags: [a, b]\ncreated"),
         PAGE.replace("created", "tags: [b, c]\nverified: 2026-11-18\ncreated"),
         PAGE.replace("created", "tags: [a, b, d]\nverified: 2026-11-19\ncreated"),
         PAGE.replace("created", "tags: [b, c, d]\nverified: 2026-11-19\ncreated")),
    "what one side took out of a list and what the other put in":
        (PATTERN, PAGE.replace("created", "tags: [a, b]\ncreated"), PAGE.replace("created", "tags: [a, b, c]\ncreated"),
         PAGE.replace("created", "tags: [a, d]\ncreated"), PAGE.replace("created", "tags: [a, c, d]\ncreated")),
    "relations, list by list":
        (PATTERN, PAGE, PAGE.replace("created", "relations: {related_to: [DEC-1-1]}\ncreated"),
         PAGE.replace("created", "relations: {related_to: [DEC-1-2], derived_from: [DEC-1-3]}\ncreated"),
         PAGE.replace("created", "relations:\n  related_to: [DEC-1-1, DEC-1-2]\n  derived_from: [DEC-1-3]\ncreated")),
    "what newer facts replace":
        (TONE, TONE_PAGE.format("Be brief.", "2026-11-02"), TONE_PAGE.format("Be very brief.", "2026-11-03"),
         TONE_PAGE.format("Explain more.", "2026-11-04"), TONE_PAGE.format("Explain more.", "2026-11-04")),
    "a body changed in two places":
        (PATTERN, PAGE + "\nOne.\n\nTwo.\n", PAGE + "\nThe one.\n\nTwo.\n", PAGE + "\nOne.\n\nThe two.\n",
         PAGE + "\nThe one.\n\nThe two.\n"),
    "what both add to a body that accumulates":
        (PATTERN, PAGE, PAGE + "\nOurs.\n", PAGE + "\nTheirs.\n", PAGE + "\nOurs.\n\nTheirs.\n"),
    "a mark and an addendum on a sealed page":
        (CASE, MEMORY[CASE], MEMORY[CASE].replace("date:", "status: superseded\nsuperseded_by: case-x-1\ndate:"),
         MEMORY[CASE] + "\nSeen again.\n",
         MEMORY[CASE].replace("date:", "status: superseded\nsuperseded_by: case-x-1\ndate:") + "\nSeen again.\n"),
    "an addition below a last line that lost its newline on the other side":
        (PATTERN, PAGE + "\nUse it.\n", PAGE + "\nUse it.\nOnly here.\n", PAGE + "\nMore.\n\nUse it.",
         PAGE + "\nMore.\n\nUse it.\nOnly here."),
}  # fmt: skip


@pytest.mark.parametrize("case", PAGES)
def test_a_page_is_merged_by_its_fields_and_lines(case: str) -> None:
    path, base, ours, theirs, wanted = PAGES[case]
    merged = merge(base, ours, theirs, path)
    assert merged.conflicts == ()
    assert merged.text == wanted


SKILL = ".memory/agents/reviewer/skills/bisect.md"


def test_uses_are_summed() -> None:
    page = (
        "---\ntype: skill\nid: skill-reviewer-bisect\ntitle: Bisecting\nabstract: How to bisect.\nuses: {}\n---\n"
        "## Trigger\nA test broke.\n"
    )
    assert merge(page.format(3), page.format(5), page.format(4), SKILL).text == page.format(6)


TAGGED = PAGE.replace("created", "tags: [a]\ncreated")
AGAIN = MEMORY[CASE].replace("One run in five", "Every run")
WAY_DOWN = "{} a way down, and a test that runs it.\n"
# path, base, what each side made of it, and what stands between the markers.
PAGE_CONFLICTS = {
    "a title":
        (PATTERN, PAGE, PAGE.replace("Database m", "M"), PAGE.replace("Database m", "All m"),
         "title: Migrations\n", "title: All migrations\n"),
    "the same line":
        (PATTERN, PAGE, PAGE.replace("Every migration has", "Each has"),
         PAGE.replace("Every migration has", "All have"),
         WAY_DOWN.format("Each has"), WAY_DOWN.format("All have")),
    "a sealed page made twice":
        (CASE, "", MEMORY[CASE], AGAIN, MEMORY[CASE], AGAIN),
    "two marks in different places":
        (CASE, MEMORY[CASE], MEMORY[CASE].replace("## Problem\n", f"## Problem\n{MARK}"), f"{MEMORY[CASE]}{OTHER_MARK}",
         MEMORY[CASE].replace("## Problem\n", f"## Problem\n{MARK}"), f"{MEMORY[CASE]}{OTHER_MARK}"),
    "a field with a comment":
        (PATTERN, TAGGED, TAGGED.replace("[a]", "[a, b]  # ours"), TAGGED.replace("[a]", "[a, c]"),
         "tags: [a, b]  # ours\n", "tags: [a, c]\n"),
}  # fmt: skip


@pytest.mark.parametrize("case", PAGE_CONFLICTS)
def test_a_page_is_in_conflict_where_both_sides_say_different_things(case: str) -> None:
    path, base, ours, theirs, mine, other = PAGE_CONFLICTS[case]
    merged = merge(base, ours, theirs, path)
    assert len(merged.conflicts) == 1
    assert f"<<<<<<< ours\n{mine}=======\n{other}>>>>>>> theirs\n" in merged.text


WAYS: dict[str, list[tuple[str, ...]]] = {
    "merge": [("merge", "--quiet", "--no-edit", "other")],
    "rebase": [("checkout", "--quiet", "other"), ("rebase", "--quiet", "main")],
    "cherry-pick": [("cherry-pick", "other")],
    "squash": [("merge", "--quiet", "--squash", "other"), ("commit", "--quiet", "--message", "Squash")],
}  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
def test_git_asks_the_driver_however_it_merges(driven: Repo, way: str) -> None:
    branches(driven, {LOG: top(OURS)}, {LOG: marked(MARK, top(THEIRS))})
    for command in WAYS[way]:
        driven.git(*command)
    assert driven.read(LOG) == marked(MARK, top(THEIRS, OURS))
    assert driven.git("status", "--porcelain") == ""
    done = driven.minutebook("check", "--since", "HEAD~1", "--today", TODAY)
    assert done.code == 0, done.out + done.err


def test_a_stash_comes_back_entry_by_entry(driven: Repo) -> None:
    driven.write(LOG, top(THEIRS))
    driven.git("stash")
    driven.write(LOG, top(OURS))
    driven.commit("Ours")
    driven.git("stash", "pop")
    assert driven.read(LOG) == top(THEIRS, OURS)


def test_a_union_merge_loses_a_line_that_ours_keeps(driven: Repo) -> None:
    """Both entries end with the same line: git takes it for one."""
    ours, theirs = top(OURS.replace("2026-11-04\n", "2026-11-05\n")), top(THEIRS)
    branches(driven, {LOG: ours}, {LOG: theirs})
    driven.git("-c", "core.attributesFile=/dev/null", "merge", "--quiet", "--no-edit", "other")
    assert driven.read(LOG).count("**Date:** 2026-11-05") == 2
    driven.git("reset", "--quiet", "--hard", "HEAD~1")
    driven.write(".git/info/attributes", ATTRIBUTES.replace("minutebook", "union"))
    driven.git("merge", "--quiet", "--no-edit", "other")
    assert driven.read(LOG).count("**Date:** 2026-11-05") == 1


def test_a_conflict_is_left_to_a_person_with_all_that_merges_done(driven: Repo) -> None:
    branches(driven, {LOG: marked(MARK, top(OURS))}, {LOG: marked(OTHER_MARK, top(THEIRS))})
    done = driven.run("git", "merge", "other")
    assert done.code == 1
    text = driven.read(LOG)
    assert text.startswith(top(THEIRS, OURS).partition("### DEC-2026-11-03")[0])
    assert f"<<<<<<< ours\n{MARK}=======\n{OTHER_MARK}>>>>>>> theirs\n" in text
    said = done.err + done.out
    assert (
        "conflict in DEC-2026-11-01-01: both sides set its marker, “> SUPERSEDED by DEC-2026-11-04-01” (ours)" in said
    )
    assert " and “> RETRACTED” (theirs): keep one marker; let the other entry supersede that one" in said
    assert driven.git("ls-files", "--unmerged", "-z").count("\0") == 3


def test_branches_that_merged_each_other_merge_again(driven: Repo) -> None:
    driven.git("update-ref", "refs/remotes/origin/main", "main")
    branches(driven, {LOG: top(OURS + ADDENDUM)}, {LOG: top(THEIRS)})
    before = driven.git("rev-parse", "main")
    driven.git("merge", "--quiet", "--no-edit", "other")
    driven.git("checkout", "--quiet", "other")
    driven.git("merge", "--quiet", "--no-edit", before)
    assert driven.read(LOG) == driven.git("show", f"main:{LOG}") + "\n"
    driven.write(LOG, top(FOLLOWER, base=driven.read(LOG)))
    driven.commit("More")
    driven.git("checkout", "--quiet", "main")
    driven.write(LOG, driven.read(LOG) + OTHER_ADDENDUM)
    driven.commit("Added to")
    driven.git("merge", "--quiet", "--no-edit", "other")
    assert driven.read(LOG) == top(FOLLOWER, THEIRS, OURS + ADDENDUM) + OTHER_ADDENDUM


def test_what_merges_is_lawful_where_the_other_branch_is_published(driven: Repo) -> None:
    """A feature branch that merges main: main's entries stay next to the old ones, and its own go to the open end."""
    branches(driven, {LOG: top(THEIRS, base=BASE + OTHER_ADDENDUM)}, {LOG: top(OURS, base=BASE + ADDENDUM)})
    driven.git("update-ref", "refs/remotes/origin/main", "main")
    driven.git("checkout", "--quiet", "other")
    driven.git("merge", "--quiet", "--no-edit", "main")
    assert driven.read(LOG) == top(OURS, THEIRS, base=BASE + OTHER_ADDENDUM + ADDENDUM)
    driven.git("reset", "--quiet", "--soft", "main")
    driven.git("commit", "--quiet", "--message", "Squashed")
    done = driven.minutebook("check", "--since", "main", "--only", "append-only", "--today", TODAY)
    assert done.code == 0, done.out


FEATURES = {"ours": (OURS, FOLLOWER), "theirs": (EARLIER, THEIRS)}


@pytest.fixture
def features(driven: Repo) -> Repo:
    """Two branches that nobody has published, `ours` and `theirs`; both parted from origin/main. `ours` is current."""
    driven.git("update-ref", "refs/remotes/origin/main", "main")
    for branch, entries in FEATURES.items():
        driven.git("checkout", "--quiet", "-b", branch, "origin/main")
        for number in (1, 2):
            driven.write(LOG, top(*entries[-number:]))
            driven.commit(f"{branch} {number}")
    driven.git("checkout", "--quiet", "ours")
    return driven


def fine(repo: Repo) -> None:
    """The gate passes the branch as it is, and squashed onto origin/main."""
    for squashed in (False, True):
        if squashed:
            repo.git("reset", "--quiet", "--soft", "origin/main")
            repo.git("commit", "--quiet", "--message", "Squashed")
        done = repo.minutebook("check", "--since", "origin/main", "--only", "append-only", "--today", TODAY)
        assert done.code == 0, done.out + done.err


@pytest.mark.parametrize("first", [None, "theirs"])
@pytest.mark.parametrize("way", ["merge", "rebase"])
def test_a_branch_that_takes_in_another_can_go_onto_it_later(features: Repo, way: str, first: str | None) -> None:
    features.git(way, "--quiet", "theirs")
    assert features.read(LOG) == top(*FEATURES["ours"], *FEATURES["theirs"])
    if first:
        features.git("update-ref", "refs/remotes/origin/main", first)
    fine(features)


def test_the_published_branch_itself_keeps_what_it_has_under_what_it_takes_in(features: Repo) -> None:
    features.git("checkout", "--quiet", "-B", "main", "ours")
    features.git("merge", "--quiet", "--no-edit", "theirs")
    assert features.read(LOG) == top(*FEATURES["theirs"], *FEATURES["ours"])
    features.git("update-ref", "refs/remotes/origin/main", "ours")
    fine(features)


def test_features_that_merged_each_other_merge_again(features: Repo) -> None:
    before = features.git("rev-parse", "ours")
    features.git("merge", "--quiet", "theirs")
    features.git("checkout", "--quiet", "theirs")
    features.git("merge", "--quiet", before)
    for branch, addendum in (("ours", ADDENDUM), ("theirs", OTHER_ADDENDUM)):
        features.git("checkout", "--quiet", branch)
        features.write(LOG, features.read(LOG) + addendum)
        features.commit("Added to")
    features.git("merge", "--quiet", "ours")
    assert features.read(LOG) == top(*FEATURES["ours"], *FEATURES["theirs"]) + ADDENDUM + OTHER_ADDENDUM
    fine(features)


def test_the_root_is_the_one_that_the_config_names(driven: Repo) -> None:
    log = "docs/notes/decisions/_log.md"
    driven.write(".minutebook.yaml", "roots: [docs/notes, .memory]\norder: {decision: oldest-first}\n")
    driven.write(".gitattributes", "/docs/notes/**/*.md merge=minutebook\n")
    driven.write(log, f"# Decisions\n\n{FIRST}")
    driven.commit("Another root")
    branches(driven, {log: f"# Decisions\n\n{FIRST}\n{OURS}"}, {log: f"# Decisions\n\n{FIRST}\n{THEIRS}"})
    driven.git("merge", "--quiet", "--no-edit", "other")
    assert driven.read(log) == f"# Decisions\n\n{FIRST}\n{OURS}\n{THEIRS}"


def test_a_log_split_on_one_side_stays_split_when_the_other_appends(driven: Repo) -> None:
    split = ".memory/decisions/database.md"
    branches(
        driven,
        {LOG: top(OURS)},
        {
            LOG: BASE.replace(f"{SECOND}\n", ""),
            split: f"# Database\n\n{SECOND}",
            ".memory/decisions/queue.md": "# Queues\n",
        },
    )
    driven.git("merge", "--quiet", "--no-edit", "other")
    assert driven.read(LOG) == top(OURS, base=BASE.replace(f"{SECOND}\n", ""))
    assert driven.minutebook("check", "--since", "HEAD~1", "--today", TODAY).code == 0


def test_the_index_never_conflicts(driven: Repo) -> None:
    driven.minutebook("index")
    driven.commit("Index")
    branches(driven, {LOG: top(OURS)}, {LOG: top(THEIRS)})
    for branch in ("main", "other"):
        driven.git("checkout", "--quiet", branch)
        driven.minutebook("index")
        driven.commit("Index")
    driven.git("checkout", "--quiet", "main")
    driven.git("merge", "--quiet", "--no-edit", "other")
    assert driven.minutebook("index", "--check").code == 0


def test_the_index_has_its_rows_in_the_order_of_the_merged_entries(features: Repo) -> None:
    beside = {"ours": ".memory/decisions/zoo.md", "theirs": ".memory/decisions/ant.md"}
    features.git("checkout", "--quiet", "-B", "main", "origin/main")
    features.minutebook("index")
    features.commit("Index")
    features.git("update-ref", "refs/remotes/origin/main", "main")
    for number, (branch, path) in enumerate(beside.items()):
        features.git("checkout", "--quiet", branch)
        features.git("merge", "--quiet", "--no-edit", "main")
        features.write(path, f"# Beside\n\n{SECOND.replace('11-02-01', f'11-1{number}-01')}")
        features.minutebook("index")
        features.commit("Index")
    for published in ("main", "theirs", "ours"):
        features.git("update-ref", "refs/remotes/origin/main", published)
        features.git("checkout", "--quiet", "-B", "tried", "ours")
        features.git("merge", "--quiet", "--no-edit", "theirs")
        done = features.minutebook("index", "--check")
        assert done.code == 0, (published, done.out, done.err)


def test_an_index_made_by_hand_is_text_like_any_other(driven: Repo) -> None:
    driven.write(".memory/index.md", "# Ours\n\none\n")
    driven.commit("By hand")
    branches(driven, {".memory/index.md": "# Ours\n\ntwo\n"}, {".memory/index.md": "# Ours\n\nthree\n"})
    assert driven.run("git", "merge", "other").code == 1
    assert "<<<<<<<" in driven.read(".memory/index.md")


def test_without_minutebook_on_the_path_git_merges_the_text(driven: Repo) -> None:
    branches(driven, {LOG: top(OURS)}, {LOG: top(THEIRS)})
    bare = os.pathsep.join(
        each for each in driven.env["PATH"].split(os.pathsep) if not Path(each, "minutebook").exists()
    )
    done = driven.run("git", "merge", "other", PATH=bare)
    assert done.code == 1
    assert "<<<<<<< ours\n" in driven.read(LOG)
    for line in (*OURS.split("\n"), *THEIRS.split("\n")):
        assert line in driven.read(LOG)


def test_a_clone_that_knows_no_driver_merges_the_text(driven: Repo) -> None:
    branches(driven, {LOG: top(OURS)}, {LOG: top(THEIRS)})
    driven.git("config", "--remove-section", "merge.minutebook")
    assert driven.run("git", "merge", "other").code == 1
    assert "<<<<<<< HEAD\n" in driven.read(LOG)


def test_what_cannot_be_read_is_merged_as_text_and_left_to_a_person(driven: Repo) -> None:
    branches(driven, {LOG: f"---\na: [\n---\n{top(OURS)}"}, {LOG: BASE + ADDENDUM})
    done = driven.run("git", "merge", "other")
    assert done.code == 1
    assert "merged as plain text, since it can't be read (ours, line 3)" in done.err + done.out
    assert driven.read(LOG) == f"---\na: [\n---\n{top(OURS)}{ADDENDUM}"
    assert driven.git("ls-files", "--unmerged") != ""


def test_a_config_that_cannot_be_read_is_no_reason_to_lose_a_line(driven: Repo) -> None:
    driven.write(".minutebook.yaml", "roots: {}\n")
    driven.commit("Broken")
    branches(driven, {LOG: top(OURS)}, {LOG: BASE + ADDENDUM})
    assert driven.run("git", "merge", "other").code == 1
    assert driven.read(LOG) == top(OURS) + ADDENDUM


def test_other_files_are_text_and_a_longer_marker_is_used_when_git_asks_for_it(driven: Repo) -> None:
    driven.write(".gitattributes", f"{ATTRIBUTES}/notes.md merge=minutebook conflict-marker-size=12\n")
    driven.write("notes.md", "one\n")
    driven.commit("Notes")
    branches(driven, {"notes.md": "two\n"}, {"notes.md": "three\n"})
    assert driven.run("git", "merge", "other").code == 1
    assert driven.read("notes.md") == f"{'<' * 12} ours\ntwo\n{'=' * 12}\nthree\n{'>' * 12} theirs\n"


def test_the_bytes_of_a_file_that_is_no_text_stay_ours(driven: Repo) -> None:
    for name, data in (("base", b"\0a"), ("ours", b"\0b"), ("theirs", b"\0c")):
        driven.write(f"{name}.bin", data)
    done = driven.minutebook("merge-driver", "base.bin", "ours.bin", "theirs.bin", "x.bin")
    assert done.code == 1
    assert driven.read("ours.bin") == "\0b"


# What one side does to a log, as abstract entries; sealed ones change only as the gate allows.
@dataclass
class Item:
    """An entry: `words` are its own, `mark` and `addenda` what was set on it later."""

    id: str
    words: str
    draft: bool = False
    mark: str = ""
    addenda: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        status = "**Status:** proposed\n" if self.draft else ""
        added = "".join(f"\n{each}\n" for each in self.addenda)
        return f"### {self.id} — {self.words}\n{self.mark}**Decision:** {self.words} it is.\n{status}{added}"


WORDS = st.text(alphabet="abcdefghij ", min_size=3, max_size=12).map(
    lambda text: f"Use {' '.join(text.split())}".strip()
)


@st.composite
def histories(draw: st.DrawFn) -> tuple[list[Item], list[Item], list[Item], bool]:
    """A log, in age, and what each of two branches makes of it; and whether the newest entry stands first."""
    drafts = draw(st.lists(st.booleans(), max_size=5))
    base = [Item(f"DEC-1-{number}", draw(WORDS), draft) for number, draft in enumerate(drafts)]
    return base, _side(draw, base, "a"), _side(draw, base, "b"), draw(st.booleans())


def _side(draw: st.DrawFn, base: list[Item], name: str) -> list[Item]:
    side = [Item(item.id, item.words, item.draft) for item in base]
    for item in list(side):
        act = draw(st.sampled_from(["keep", "keep", "mark", "addendum", "edit", "seal", "drop"]))
        if act == "mark":
            item.mark = draw(st.sampled_from(["> SUPERSEDED by DEC-9-9\n", "> RETRACTED\n"]))
        elif act == "addendum":
            item.addenda = (f"Seen again by {name}.",)
        elif item.draft and act == "edit":
            item.words = draw(WORDS)
        elif item.draft and act == "seal":
            item.draft = False
        elif item.draft and act == "drop":
            side.remove(item)
    for number in range(draw(st.integers(0, 3))):
        own = draw(st.sampled_from([name, "c"])) if not number else name  # c: the other side may take the same id
        side.append(Item(f"DEC-2-{own}{number}", draw(WORDS)))
    return side


def written(items: list[Item], *, newest_first: bool) -> str:
    return "# Log\n\n" + "\n".join(item.text for item in (reversed(items) if newest_first else items))


def judged(base: str, result: str, parents: tuple[str, ...], fork: str, *, newest_first: bool) -> list[str]:
    """The errors of the append-only rule."""
    config = Config(order={"decision": "newest-first" if newest_first else "oldest-first"})
    trees = [{LOG: File(text.encode())} for text in (base, result, *parents, fork)]
    sides = trees[2:-1]
    found = cases(Side(trees[0], config), Side(trees[1], config), date(2026, 11, 20), sides, sides, trees[-1:])
    return [str(each) for case in found for each in judge(case, ["append-only"]) if each.severity == "error"]


@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(histories())
def test_whatever_two_branches_lawfully_do_merges_lawfully_or_is_a_conflict(
    history: tuple[list[Item], list[Item], list[Item], bool],
) -> None:
    *sides, newest_first = history
    base, ours, theirs = (written(side, newest_first=newest_first) for side in sides)
    known = Known(newest_first=newest_first)
    merged, other = merge(base, ours, theirs, known=known), merge(base, theirs, ours, known=known)
    assert [name for name, _ in merged.conflicts] == [name for name, _ in other.conflicts] or merged.conflicts
    for line in {*ours.split("\n"), *theirs.split("\n")} - set(base.split("\n")):
        if line and not merged.renamed:
            assert line in merged.text.split("\n")
    if merged.conflicts:
        return
    wanted = {entry.id for side in (ours, theirs) for entry in entries_of(side)}
    left = [{item.id for item in side} for side in sides[1:]]
    gone = {item.id for item in sides[0]} - (left[0] & left[1])
    ids = [entry.id for entry in entries_of(merged.text)]
    assert len(set(ids)) == len(ids) == len(wanted - gone) + len(merged.renamed)
    assert sorted(names(merged.text)) == sorted(names(other.text))
    turned = replace(known, under=1)
    assert merge(base, ours, theirs, known=known).text == merge(base, theirs, ours, known=turned).text
    for parent in (ours, theirs):
        # Where this side is the published one, its history may not be told otherwise.
        told = replace(known, has_published=True, published=published(parent).published)
        text = merge(base, ours, theirs, known=told).text
        assert judged(parent, text, (ours, theirs), base, newest_first=newest_first) == []
        for found in (text, merged.text):
            rest = iter(names(found))
            assert all(name in rest for name in names(parent) if name not in gone)


def names(text: str) -> list[str]:
    """What entries are known by when ids may change: a new one's words, an old one's id."""
    return [entry.id if entry.id.startswith("DEC-1") else entry.title for entry in entries_of(text)]
