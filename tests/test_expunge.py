"""The one legal way out of an append-only log: a tombstone that names what it took away, and says it loudly."""

import json
import re
from collections.abc import Callable

import pytest

from conftest import CASE, FIRST, LOG, LOG_HEAD, SECOND, THIRD, TODAY, Done, Repo, environment

ID = "DEC-2026-11-02-01"
WORDS = "Every schema change is an Alembic migration."
REASON = "it holds a private address"
CASE_ID = "case-reviewer-2026-11-02-flaky-upload"


def expunge(repo: Repo, *arguments: str) -> Done:
    return repo.minutebook("expunge", *arguments, "--today", TODAY)


def judged(repo: Repo, *arguments: str, **extra: str) -> Done:
    repo.git("add", "--all")
    return repo.minutebook("check", *(arguments or ("--staged",)), "--today", TODAY, **extra)


def expunged(repo: Repo, name: str = ID) -> Done:
    done = expunge(repo, name, "--reason", REASON)
    assert done.code == 0, done.out + done.err
    return done


@pytest.mark.parametrize(("name", "path", "words"), [(ID, LOG, WORDS), (CASE_ID, CASE, "One run in five fails")])
def test_a_tombstone_takes_the_place_of_the_text_and_is_reported(
    memory_repo: Repo, name: str, path: str, words: str
) -> None:
    before = memory_repo.read(path)
    done = expunged(memory_repo, name)
    after = memory_repo.read(path)
    assert words in before
    assert words not in after + done.out + done.err
    assert re.search(
        rf"{name}(?: — Expunged|\ntitle: Expunged\n---)\n> EXPUNGED {TODAY} by Ada Example\.\n> reason: {REASON}\n"
        r"> sha256 of the text that stood here: [0-9a-f]{64}\n",
        after,
    )
    done = judged(memory_repo)
    assert done.code == 0, done.out
    assert f"warning: {name} was expunged by Ada Example on {TODAY} ({REASON})" in done.out
    assert words not in done.out + done.err
    found = json.loads(judged(memory_repo, "--staged", "--format", "json").out)["problems"]
    assert ("append-only", "warning", name) in {(row["rule"], row["severity"], row["entry"]) for row in found}
    assert f"::warning file={path}" in judged(memory_repo, "--staged", "--format", "github").out
    memory_repo.git("commit", "--quiet", "--message", "Expunge")
    assert judged(memory_repo, "--all").code == 0


@pytest.fixture
def git_name(memory_repo: Repo) -> Repo:
    memory_repo.git("config", "user.name", "Ada Example")
    return memory_repo


pytestmark = pytest.mark.usefixtures("git_name")


def test_every_other_byte_of_a_log_stays(memory_repo: Repo) -> None:
    text = LOG_HEAD + f"{THIRD}\n---\n\n{SECOND}\n---\n\n{FIRST}"
    memory_repo.write(LOG, text.replace("\n", "\r\n"))
    memory_repo.commit("Line ends")
    expunged(memory_repo)
    after = memory_repo.read(LOG)
    head, rest = after[: after.index(f"### {ID}")], after[after.index("here: ") + 70 :]
    start, end = text.index("### " + ID), text.index("\n---\n\n" + FIRST)
    assert head == text[:start].replace("\n", "\r\n")
    assert rest == "\r\n" + text[end:].replace("\n", "\r\n")
    assert judged(memory_repo).code == 0


def tombstone(repo: Repo) -> str:
    text = repo.read(LOG)
    return text[text.index(f"### {ID}") : text.index("### DEC-2026-11-01")]


Edit = Callable[[str], str]
BAD: dict[str, tuple[Edit, str]] = {
    "wrong hash": (lambda text: re.sub("here: ......", "here: 000000", text), "names another text"),
    "no hash": (lambda text: re.sub("> sha256.*\n", "", text), "more than a tombstone does, or less"),
    "no reason": (lambda text: re.sub("> reason.*\n", "", text), "more than a tombstone does, or less"),
    "text below": (lambda text: f"{text.rstrip()}\nIt was a mistake.\n\n", "more than a tombstone does"),
    "text above": (lambda text: text.replace("> EXPUNGED", "Gone.\n> EXPUNGED"), "more than a tombstone does"),
    "another title": (lambda text: text.replace("Expunged", "Alembic"), "more than a tombstone does"),
    "two reasons": (lambda text: text.replace("> sha256", "> reason: more\n> sha256"), "more than a tombstone does"),
    "a reason that repeats it": (lambda text: text.replace(REASON, "we said: schema changes are applied by hand"),
                                 "repeats what it takes away"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_what_is_no_tombstone_to_the_letter_is_refused_and_repeats_nothing(memory_repo: Repo, name: str) -> None:
    expunged(memory_repo)
    edit, words = BAD[name]
    whole, stone = memory_repo.read(LOG), tombstone(memory_repo)
    assert edit(stone) != stone
    memory_repo.write(LOG, whole.replace(stone, edit(stone)))
    done = judged(memory_repo)
    assert (done.code, words in done.out) == (1, True), done.out
    assert "Alembic migration" not in done.out + done.err
    assert "applied by hand" not in done.out + done.err


def test_the_same_edit_without_a_tombstone_is_refused(memory_repo: Repo) -> None:
    memory_repo.write(LOG, memory_repo.read(LOG).replace(SECOND, SECOND.split("\n", 1)[0] + "\n"))
    assert judged(memory_repo).code == 1
    memory_repo.write(LOG, memory_repo.read(LOG).replace(SECOND.split("\n", 1)[0] + "\n", ""))
    assert judged(memory_repo).code == 1


LATER: dict[str, Edit] = {
    "another reason": lambda text: text.replace(REASON, "nobody knows why"),
    "another hash": lambda text: re.sub("here: ......", "here: 000000", text),
    "an addendum": lambda text: f"{text.rstrip()}\n**Addendum:** It was nothing.\n\n",
    "a marker": lambda text: text.replace("> EXPUNGED", "> RETRACTED\n> EXPUNGED"),
    "a status": lambda text: f"{text.rstrip()}\n**Status:** superseded\n\n",
    "the old text": lambda text: f"{SECOND}\n",
    "nothing": lambda text: "",
}


@pytest.mark.parametrize("name", LATER)
def test_a_tombstone_stays_as_it_is(memory_repo: Repo, name: str) -> None:
    expunged(memory_repo)
    memory_repo.commit("Expunge")
    whole, stone = memory_repo.read(LOG), tombstone(memory_repo)
    memory_repo.write(LOG, whole.replace(stone, LATER[name](stone)))
    done = judged(memory_repo)
    assert (done.code, ID in done.out) == (1, True)
    assert "Alembic migration" not in done.out + done.err


def test_a_tombstone_is_closed(memory_repo: Repo) -> None:
    expunged(memory_repo)
    memory_repo.commit("Expunge")
    newer = f"### DEC-2026-11-05-01 — Flyway\n**Decision:** Flyway it is.\n**Date:** 2026-11-05\n**Supersedes:** {ID}\n"
    memory_repo.write(LOG, memory_repo.read(LOG).replace(LOG_HEAD, f"{LOG_HEAD}{newer}\n"))
    done = judged(memory_repo)
    assert (done.code, f"supersedes {ID}, which no longer holds" in done.out) == (0, True)
    assert "| *expunged* Expunged |" in _index(memory_repo)
    archived = memory_repo.minutebook("compact", "--today", TODAY)
    assert archived.code == 0, archived.err
    assert "EXPUNGED" in memory_repo.read(".memory/archive/decisions/_log.md")
    assert judged(memory_repo).code == 0


def _index(repo: Repo) -> str:
    assert repo.minutebook("index").code == 0
    return repo.read(".memory/index.md")


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        ((ID,), 2, "--reason"),
        (("DEC-2026-11-02-02", "--reason", REASON), 2, "did you mean DEC-2026-11-0"),
        (("pattern-migrations", "--reason", REASON), 1, "is a pattern, and may be edited"),
        ((ID, "--reason", "x" * 301), 1, "longer than 300"),
        ((ID, "--reason", "Every schema change is an issue"), 1, "the reason repeats"),
        ((ID, "--reason", "the key is ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"), 1, "the reason repeats"),
    ],
)
def test_what_cannot_be_expunged(memory_repo: Repo, arguments: tuple[str, ...], code: int, words: str) -> None:
    done = expunge(memory_repo, *arguments)
    assert (done.code, words in done.err) == (code, True), done.err
    assert memory_repo.git("status", "--porcelain") == ""


def test_only_what_is_published_as_it_stands_needs_a_tombstone(memory_repo: Repo) -> None:
    draft = "### DEC-2026-11-04-01 — Backups\n**Decision:** The database is dumped.\n**Date:** 2026-11-04\n"
    memory_repo.write(LOG, memory_repo.read(LOG).replace(LOG_HEAD, f"{LOG_HEAD}{draft}\n"))
    done = expunge(memory_repo, "DEC-2026-11-04-01", "--reason", REASON)
    assert (done.code, "was never published" in done.err) == (1, True)
    memory_repo.write(LOG, memory_repo.read(LOG).replace("by hand", "by [removed]"))
    done = expunge(memory_repo, ID, "--reason", REASON)
    assert (done.code, "reads otherwise here" in done.err) == (1, True)


def test_a_draft_may_be_edited(memory_repo: Repo) -> None:
    draft = "### DEC-2026-11-04-01 — Backups\n**Decision:** Dump it.\n**Date:** 2026-11-04\n**Status:** proposed\n"
    memory_repo.write(LOG, memory_repo.read(LOG).replace(LOG_HEAD, f"{LOG_HEAD}{draft}\n"))
    memory_repo.commit("A draft")
    done = expunge(memory_repo, "DEC-2026-11-04-01", "--reason", REASON)
    assert (done.code, "is a draft, and may be edited" in done.err) == (1, True)


def test_a_dry_run_writes_nothing(memory_repo: Repo) -> None:
    done = expunge(memory_repo, ID, "--reason", REASON, "--dry-run")
    assert (done.code, memory_repo.git("status", "--porcelain")) == (0, "")
    assert "a tombstone in its place" in done.out


def test_it_says_where_the_text_still_is_and_never_says_the_text(memory_repo: Repo) -> None:
    repo = memory_repo
    repo.write(".memory/patterns/quoting.md", f"---\nid: quoting\ntitle: Quoting it\n---\n> {WORDS}\n")
    later = f"### DEC-2026-11-04-01 — More\n**Decision:** As said: {WORDS}\n**Date:** 2026-11-04\n"
    repo.write(LOG, repo.read(LOG).replace(LOG_HEAD, f"{LOG_HEAD}{later}\n"))
    assert repo.minutebook("index").code == 0
    first = repo.git("rev-list", "--max-parents=0", "HEAD")[:12]
    repo.commit("Quoted")
    repo.git("branch", "topic")
    repo.git("tag", "v1")
    assert repo.minutebook("snapshot", "--today", TODAY).code == 0
    repo.write("notes.txt", f"{WORDS}\n")
    repo.git("add", "--all")
    repo.git("stash", "--quiet")
    repo.git("checkout", "--quiet", "-b", "gone")
    repo.write("elsewhere.txt", f"{WORDS}\nMore.\n")
    repo.commit("Elsewhere")
    repo.git("checkout", "--quiet", "main")
    repo.git("branch", "--quiet", "-D", "gone")
    repo.run("git", "hash-object", "-w", "--stdin", stdin=f"{WORDS} Loose.\n")
    done = expunge(repo, ID, "--reason", REASON)
    assert done.code == 0, done.err
    for words in (
        ".memory/patterns/quoting.md:5 (quoting) repeats some of it: edit it",
        f"{LOG}:6 (DEC-2026-11-04-01) repeats some of it: minutebook expunge DEC-2026-11-04-01 --reason …",
        f"history holds it since {first} ({TODAY}), in refs/heads/main, refs/heads/topic, refs/tags/v1, at ",
        "git filter-repo --replace-text FILE",
        "every clone and fork",
        "pull request refs",
        "the snapshot 20261120T000000Z holds it: git update-ref -d refs/minutebook/snapshots/20261120T000000Z",
        "a stash holds it: git stash list",
        "reflogs alone keep ",
        "1 object that no commit names",
        "index.sqlite may hold it: delete it",
    ):
        assert words in done.out, (words, done.out)
    assert WORDS not in done.out + done.err
    repo.commit("Expunge")
    again = expunge(repo, ID)
    assert (again.code, f"since {first}" in again.out, WORDS in again.out) == (0, True, False)
    assert expunge(repo, ID, "--reason", REASON).code == 1


def test_what_it_names_purges_it(memory_repo: Repo) -> None:
    repo = memory_repo
    expunged(repo)
    after = {path: repo.read(path) for path in repo.git("ls-files").split("\n")}
    repo.git("checkout", "--quiet", "--orphan", "clean")
    for path, text in after.items():
        repo.write(path, text)
    repo.commit("A history without it")
    repo.git("branch", "--quiet", "-D", "main")
    assert "reflogs alone keep" in expunge(repo, ID).out
    repo.git("reflog", "expire", "--expire=now", "--all")
    assert "that no commit names" in expunge(repo, ID).out
    repo.git("gc", "--quiet", "--prune=now")
    assert f"this repository holds nothing of {ID} any more" in expunge(repo, ID).out


def test_a_branch_that_holds_the_text_still_takes_the_tombstone_in(memory_repo: Repo) -> None:
    repo = memory_repo
    repo.git("checkout", "--quiet", "-b", "topic")
    marked = SECOND.replace("migrations\n", "migrations\n> OBSOLETE — by hand again\n\n", 1)
    repo.write(LOG, repo.read(LOG).replace(SECOND, marked))
    repo.commit("Marked")
    repo.git("checkout", "--quiet", "main")
    expunged(repo)
    repo.commit("Expunge")
    stone = repo.read(LOG)
    assert repo.run("git", "merge", "--no-commit", "topic").code == 1
    repo.write(LOG, stone)
    done = judged(repo)
    assert done.code == 0, done.out
    repo.write(LOG, repo.git("show", f"topic:{LOG}") + "\n")
    assert judged(repo).code == 1


def test_a_published_tombstone_is_judged_by_the_published_text(memory_repo: Repo) -> None:
    origin = memory_repo.path.parent / "origin.git"
    memory_repo.git("clone", "--quiet", "--bare", ".", origin)
    clone = memory_repo.path.parent / "clone"
    memory_repo.git("clone", "--quiet", origin, clone)
    repo = Repo(clone, environment(memory_repo.path.parent))
    repo.write(LOG, repo.read(LOG).replace("— PostgreSQL\n", "— PostgreSQL\n> RETRACTED\n\n"))
    repo.commit("Marked")
    done = expunge(repo, "DEC-2026-11-01-01", "--reason", REASON)
    assert (done.code, "reads otherwise here" in done.err) == (1, True)
    expunged(repo)
    assert judged(repo, "--since", "origin/main").code == 0
    repo.commit("Expunge")
    assert judged(repo, "--since", "origin/main").code == 0


def test_a_tombstone_of_what_was_never_there_is_a_warning(memory_repo: Repo) -> None:
    expunged(memory_repo)
    stone = tombstone(memory_repo).replace(ID, "DEC-2026-11-09-01")
    memory_repo.git("checkout", "--quiet", LOG)
    memory_repo.write(LOG, memory_repo.read(LOG).replace(LOG_HEAD, LOG_HEAD + stone))
    done = judged(memory_repo)
    assert (done.code, "there is nothing to expunge" in done.out) == (0, True)


def test_an_addendum_about_expunging_is_an_addendum(memory_repo: Repo) -> None:
    text = SECOND + "**Addendum:** A tombstone begins so:\n> EXPUNGED on some day\n"
    memory_repo.write(LOG, memory_repo.read(LOG).replace(SECOND, text))
    assert judged(memory_repo).code == 0
