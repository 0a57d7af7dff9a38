"""A log split by domain: entries move byte for byte, in their order, and the check agrees."""

import json

import pytest

from conftest import FIRST, LOG, LOG_HEAD, SECOND, THIRD, TODAY, Done, Repo

DATABASE = ".memory/decisions/database.md"
QUEUE = ".memory/decisions/queue.md"
ONE, TWO, THREE = "DEC-2026-11-01-01", "DEC-2026-11-02-01", "DEC-2026-11-03-01"


def split(repo: Repo, *arguments: str, stdin: str | None = None) -> Done:
    return repo.minutebook("split", *arguments, "--today", TODAY, stdin=stdin)


def judged(repo: Repo) -> Done:
    repo.git("add", "--all")
    return repo.minutebook("check", "--staged", "--today", TODAY)


@pytest.mark.parametrize("order", ["newest-first", "oldest-first"])
def test_entries_move_byte_for_byte_in_their_order(memory_repo: Repo, order: str) -> None:
    texts = [THIRD, SECOND, FIRST] if order == "newest-first" else [FIRST, SECOND, THIRD]
    memory_repo.write(".minutebook.yaml", f"order: {{decision: {order}}}\n")
    memory_repo.write(LOG, LOG_HEAD + "\n".join(texts))
    memory_repo.commit("A log")
    done = split(memory_repo, "--to", "database", ONE, TWO)
    assert done.code == 0, done.out + done.err
    assert "entries moved 2" in done.out
    assert memory_repo.read(LOG) == f"{LOG_HEAD}{THIRD}" + ("\n" if order == "newest-first" else "")
    head, _, _ = memory_repo.read(DATABASE).partition("### ")
    assert memory_repo.read(DATABASE) == head + "\n".join(each for each in texts if each != THIRD) + "\n"
    assert head.startswith("# Decision log\n")
    assert judged(memory_repo).code == 0

    memory_repo.commit("Split")
    assert split(memory_repo, "--to", "database", THREE, ONE).code == 0
    ids = [line.split()[1] for line in memory_repo.read(DATABASE).split("\n") if line.startswith("### ")]
    assert ids == ([THREE, TWO, ONE] if order == "newest-first" else [ONE, TWO, THREE])
    assert judged(memory_repo).code == 0
    assert "every entry is where it should be" in split(memory_repo, "--to", "database", ONE, "--from", "database").out


def test_the_index_follows_and_references_need_no_change(memory_repo: Repo) -> None:
    newer = f"### DEC-2026-11-04-01 — MySQL\n**Decision:** MySQL.\n**Date:** 2026-11-04\n**Supersedes:** {ONE}\n"
    memory_repo.write(LOG, memory_repo.read(LOG).replace(LOG_HEAD, f"{LOG_HEAD}{newer}\n"))
    assert memory_repo.minutebook("index").code == 0
    memory_repo.commit("An index")
    assert split(memory_repo, "--to", "database", ONE).code == 0
    assert "](decisions/database.md)" in memory_repo.read(".memory/index.md")
    done = judged(memory_repo)
    assert (done.code, done.out) == (0, "")


def test_by_tag(memory_repo: Repo) -> None:
    tagged = THIRD.replace("**Date:**", "**Tags:** Queue, database\n**Date:**")
    memory_repo.write(LOG, LOG_HEAD + f"{tagged}\n{SECOND.rstrip()}\n**Tags:** database\n\n{FIRST}")
    memory_repo.commit("Tags")
    done = split(memory_repo, "--by", "tag")
    assert done.code == 0, done.err
    assert f"1 entry without tags stay in {LOG}" in done.out
    assert memory_repo.read(QUEUE).endswith(f"{tagged}\n")
    assert TWO in memory_repo.read(DATABASE)
    assert judged(memory_repo).code == 0


@pytest.mark.parametrize("stdin", [True, False])
def test_by_a_file(memory_repo: Repo, stdin: bool) -> None:
    lines = f"# where they go\n{THREE} queue\n\n{ONE}   database\n"
    memory_repo.write("map.txt", lines)
    done = split(memory_repo, "decision", "--map", "-" if stdin else "map.txt", stdin=lines)
    assert done.code == 0, done.err
    assert memory_repo.read(LOG) == f"{LOG_HEAD}{SECOND}\n"
    assert THREE in memory_repo.read(QUEUE)
    assert ONE in memory_repo.read(DATABASE)


REFUSED: list[tuple[tuple[str, ...], int, str]] = [
    (("--to", "database", "DEC-2026-11-02-02"), 2, "did you mean DEC-2026-11-0"),
    (("--to", "database", "pattern-migrations"), 1, "stands in .memory/patterns/migrations.md"),
    (("--to", "../x", ONE), 2, "can't be '../x'"),
    (("--to", "readme", ONE), 2, "can't be a domain"),
    (("--to", "database"), 2, "--to takes ids"),
    ((ONE,), 2, "one of --to, --by and --map"),
    (("--to", "a", "--by", "tag", ONE), 2, "one of --to, --by and --map"),
    (("case", "--by", "tag"), 1, "case has no logs by domain"),
    (("--map", "map.txt"), 2, "map.txt:2"),
    (("--to", "one", ONE), 1, "is one entry, and no log"),
    (("--to", "deep", ONE), 1, "their headings' levels differ"),
]


@pytest.mark.parametrize(("arguments", "code", "words"), REFUSED, ids=[" ".join(case[0]) for case in REFUSED])
def test_what_is_refused_leaves_everything_as_it_was(
    memory_repo: Repo, arguments: tuple[str, ...], code: int, words: str
) -> None:
    memory_repo.write("map.txt", f"{ONE} database\n{ONE} queue\n")
    memory_repo.write(".memory/decisions/one.md", "---\nid: one-1\ntitle: One\ndecision: One it is.\n---\n")
    memory_repo.write(".memory/decisions/deep.md", "##### DEC-2026-10-01-01 — High\n**Decision:** High.\n")
    memory_repo.commit("More")
    done = split(memory_repo, *arguments)
    assert (done.code, words in done.out + done.err) == (code, True), done
    assert memory_repo.git("status", "--porcelain") == ""


def test_a_dry_run_prints_the_plan(memory_repo: Repo) -> None:
    done = split(memory_repo, "--to", "database", ONE, "--dry-run", "--format", "json")
    assert done.code == 0
    plan = json.loads(done.out)
    assert [change["path"] for change in plan["changes"]] == [LOG, DATABASE]
    assert [(row["verb"], row["id"]) for row in plan["changes"][1]["entries"]] == [("move", ONE)]
    assert memory_repo.git("status", "--porcelain") == ""


def test_what_was_published_in_the_middle_does_not_come_back_at_the_end(memory_repo: Repo) -> None:
    assert split(memory_repo, "--to", "database", ONE, TWO).code == 0
    before = memory_repo.git("status", "--porcelain"), memory_repo.read(LOG)
    done = split(memory_repo, "--from", "database", "--to", "_log", TWO)
    assert (done.code, f"{TWO} stood in {LOG} when that was published" in done.err) == (1, True), done
    assert (memory_repo.git("status", "--porcelain"), memory_repo.read(LOG)) == before
    memory_repo.commit("Split")  # with no published branch known, HEAD is what the commit will be compared with
    assert split(memory_repo, "--from", "database", "--to", "_log", TWO).code == 0
    assert judged(memory_repo).code == 0


def test_what_was_published_last_may_come_back(memory_repo: Repo) -> None:
    assert split(memory_repo, "--to", "database", THREE).code == 0
    assert split(memory_repo, "--from", "database", "--to", "_log", THREE).code == 0
    assert judged(memory_repo).code == 0
