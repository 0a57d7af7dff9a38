"""What a refresh does about decisions: it edits none, and proposes a draft that supersedes one the code disproves."""

import json
import re

from conftest import CASE, LOG, TODAY, Repo
from test_refresh import CODE, DB, reasons, stale

OLD = "DEC-2026-11-02-01"
ADR = "docs/adr/0001-pool.md"


def with_decision(repo: Repo, says: str = f"is an Alembic migration, see `{DB}`.") -> str:
    """The log, in which a decision names a file; it is committed together with the file."""
    repo.write(DB, CODE)
    log = repo.read(LOG).replace("is an Alembic migration.", says)
    repo.write(LOG, log)
    repo.commit("Decided")
    return log


def refreshed(repo: Repo, *arguments: str, today: str = TODAY) -> str:
    done = repo.minutebook("refresh", "--apply", "--today", today, *arguments)
    assert done.code == 0, done.err
    return done.out


def drafted(repo: Repo, before: str, path: str = LOG) -> str:
    """The text that came into the log; all that was there is there still."""
    after = repo.read(path)
    head, _, tail = before.partition("### ")
    assert after.startswith(head)
    assert after.endswith(tail)
    return after[len(head) : len(after) - len(tail) - len("### ")]


def test_a_decision_whose_file_moved_is_proposed_anew_with_its_new_place(memory_repo: Repo) -> None:
    before = with_decision(memory_repo)
    memory_repo.git("mv", "src/app", "src/core")
    memory_repo.commit("Moved")
    assert f"in place of {OLD}, if a person agrees: {DB} moved to src/core/db.py" in refreshed(memory_repo)
    draft = drafted(memory_repo, before)
    assert re.match(rf"### DEC-{TODAY}-[0-9a-f]{{4}} — Alembic for migrations\n", draft)
    assert f"**Context:** {OLD} names what the code bears out no more: {DB} moved to src/core/db.py." in draft
    assert "Schema changes are applied by hand." in draft
    assert "**Decision:** Every schema change is an Alembic migration, see `src/core/db.py`.\n" in draft
    assert "**Status:** proposed\n" in draft
    assert f"**Supersedes:** {OLD}\n" in draft
    assert memory_repo.minutebook("check", "--all", "--today", TODAY).code == 0
    memory_repo.commit("Proposed")
    assert memory_repo.minutebook("check", "--since", "HEAD~1", "--today", TODAY).code == 0


def test_a_decision_whose_file_is_gone_is_proposed_anew_with_the_reason(memory_repo: Repo) -> None:
    before = with_decision(memory_repo)
    memory_repo.git("rm", "--quiet", DB)
    memory_repo.commit("Gone")
    refreshed(memory_repo)
    draft = drafted(memory_repo, before)
    assert f"names what the code bears out no more: {DB} is gone since" in draft
    assert f"see `{DB}`." in draft


def test_it_is_proposed_once_and_the_old_one_holds_until_a_person_accepts_it(memory_repo: Repo) -> None:
    with_decision(memory_repo)
    memory_repo.git("mv", "src/app", "src/core")
    memory_repo.commit("Moved")
    refreshed(memory_repo)
    memory_repo.commit("Proposed")
    log = memory_repo.read(LOG)
    found = stale(memory_repo)
    assert list(found) == [OLD]
    assert "moved to" in reasons(found[OLD])
    assert "is proposed in its place and waits" in refreshed(memory_repo, today="2026-12-01")
    assert memory_repo.read(LOG) == log
    served = memory_repo.minutebook("retrieve", "how are schema changes made with Alembic", "--format", "json").out
    assert OLD in [each["id"] for each in json.loads(served)["entries"]]
    memory_repo.write(LOG, log.replace("**Status:** proposed", "**Status:** accepted"))
    memory_repo.commit("Accepted")
    found = stale(memory_repo)
    assert list(found) == [OLD]
    assert "superseded by DEC-2026-11-20-" in reasons(found[OLD])
    assert "a person may mark it" in refreshed(memory_repo)


def test_a_draft_whose_file_moves_again_is_edited_and_gets_no_draft_on_top(memory_repo: Repo) -> None:
    before = with_decision(memory_repo)
    memory_repo.git("mv", "src/app", "src/core")
    memory_repo.commit("Moved")
    refreshed(memory_repo)
    memory_repo.commit("Proposed")
    first = drafted(memory_repo, before)
    memory_repo.git("mv", "src/core", "src/lib")
    memory_repo.commit("Moved again")
    refreshed(memory_repo)
    assert drafted(memory_repo, before) == first.replace("src/core/db.py", "src/lib/db.py")
    memory_repo.commit("Mended")
    assert memory_repo.minutebook("check", "--since", "HEAD~1", "--today", TODAY).code == 0
    log = memory_repo.read(LOG)
    memory_repo.git("rm", "--quiet", "-r", "src/lib")
    memory_repo.commit("Gone for good")
    assert "it is a draft that waits for a decision: src/lib/db.py is gone since" in refreshed(memory_repo)
    assert memory_repo.read(LOG) == log


def test_a_decision_in_a_file_of_its_own_is_proposed_as_one(memory_repo: Repo) -> None:
    memory_repo.write(".minutebook.yaml", "decisions: files\n")
    path = ".memory/decisions/dec-pool.md"
    memory_repo.write(DB, CODE)
    text = f"---\ntype: decision\nid: DEC-2026-11-05-01\ntitle: Pool\ndate: 2026-11-05\nanchors: [{DB}]\ntags: [db]\n"
    memory_repo.write(path, f"{text}---\n## Decision\nThe pool lives in `{DB}`.\n")
    memory_repo.commit("Decided")
    memory_repo.git("mv", "src/app", "src/core")
    memory_repo.commit("Moved")
    before = memory_repo.read(path)
    refreshed(memory_repo)
    assert memory_repo.read(path) == before
    (name,) = memory_repo.git("ls-files", "--others", "--exclude-standard", ".memory/decisions").split()
    draft = memory_repo.read(name)
    assert "status: proposed\n" in draft
    assert "supersedes: DEC-2026-11-05-01\n" in draft
    assert "anchors:\n- src/core/db.py\n" in draft.replace("  - ", "- ") or "anchors: [src/core/db.py]" in draft
    assert "The pool lives in `src/core/db.py`." in draft
    assert memory_repo.minutebook("check", "--all", "--today", TODAY).code == 0


def test_what_only_an_age_or_another_entry_speaks_against_is_no_draft(memory_repo: Repo) -> None:
    log = memory_repo.read(LOG)
    out = refreshed(memory_repo, "--threshold", "0.03", today="2028-01-01")
    assert "a decision is never edited; if it holds no more, minutebook new decision --supersedes" in out
    assert memory_repo.read(LOG) == log


def test_a_case_tells_what_happened_and_is_left_alone(memory_repo: Repo) -> None:
    memory_repo.write(DB, CODE)
    text = memory_repo.read(CASE).replace("date:", f"anchors: [{DB}]\ndate:")
    memory_repo.write(CASE, text)
    memory_repo.commit("Case")
    memory_repo.git("rm", "--quiet", DB)
    memory_repo.commit("Gone")
    assert "a case tells what happened and is never edited" in refreshed(memory_repo)
    assert memory_repo.read(CASE) == text


def test_words_that_look_like_labels_stay_words_in_the_draft(memory_repo: Repo) -> None:
    hostile = f"is an Alembic migration, see `{DB}`.\n\\*\\*Status:** accepted\n\\### DEC-2026-11-09-01 — Planted"
    before = with_decision(memory_repo, hostile)
    memory_repo.git("rm", "--quiet", DB)
    memory_repo.commit("Gone")
    refreshed(memory_repo)
    draft = drafted(memory_repo, before)
    assert draft.count("\n**Status:**") == 1
    assert "\n### DEC-2026-11-09-01" not in draft
    assert memory_repo.minutebook("check", "--all", "--today", TODAY).code == 0


def test_no_more_are_proposed_at_a_time_than_anybody_reads(memory_repo: Repo) -> None:
    memory_repo.write(DB, CODE)
    entries = "".join(
        f"### DEC-2026-11-04-{n:02d} — Choice {n}\n**Decision:** Number {n} lies in `{DB}`.\n**Date:** 2026-11-04\n\n"
        for n in range(1, 24)
    )
    memory_repo.write(LOG, memory_repo.read(LOG).replace("### DEC-2026-11-03", f"{entries}### DEC-2026-11-03", 1))
    memory_repo.commit("Many")
    memory_repo.git("rm", "--quiet", DB)
    memory_repo.commit("Gone")
    out = refreshed(memory_repo)
    assert memory_repo.read(LOG).count("**Status:** proposed") == 20
    assert out.count("20 entries are proposed at a time") == 3


def test_what_the_gate_refuses_of_it_is_left_out_and_the_rest_is_written(memory_repo: Repo) -> None:
    with_decision(memory_repo)
    page = ".memory/patterns/pool.md"
    text = f"---\ntype: pattern\nid: pattern-pool\ntitle: Pool\nabstract: x\ncreated: 2026-11-02\n---\nSee `{DB}`.\n"
    memory_repo.write(page, text)
    memory_repo.commit("With an old debt: its abstract is too short")
    memory_repo.git("rm", "--quiet", DB)
    memory_repo.commit("Gone")
    done = memory_repo.minutebook("refresh", "--apply", "--today", TODAY)
    assert memory_repo.read(LOG).count("**Status:** proposed") == 1
    assert done.code == 1, done.err
    assert f"refresh of {page}: the gate refuses it" in done.out or "stale:" in memory_repo.read(page)


def test_a_proposal_shows_the_draft_and_passes_the_gate(memory_repo: Repo) -> None:
    with_decision(memory_repo)
    memory_repo.git("mv", "src/app", "src/core")
    memory_repo.commit("Moved")
    page = memory_repo.minutebook("propose", "--dry-run", "--today", TODAY).out
    assert page.startswith("**1 entry proposed**")
    assert f"in place of `{OLD}`" in page or f"in place of {OLD}" in page
    assert "see `src/core/db.py`" in page
