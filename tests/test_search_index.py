"""The search index: ranking, hostile queries, and what it survives. And the verbs search and show."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import CASE, LOG, Repo
from minutebook.edges.search_index import Index, find, open_index
from minutebook.ground.change import File
from minutebook.ground.config import Config
from minutebook.ground.memory import Memory, read_memory
from minutebook.ground.words import snippet, terms

TITLES = {
    "queue": "Jobs wait in a PostgreSQL queue",
    "upload": "userName is checked by validate_upload in src/app/upload.py",
    "alembic": "Every schema change is an Alembic migration",
}


def pattern(name: str, title: str, body: str = "") -> tuple[str, File]:
    text = f"---\ntype: pattern\nid: pattern-{name}\ntitle: {title}\nabstract: About {name} only.\n---\n{body}\n"
    return f".memory/patterns/{name}.md", File(text.encode())


def memory_of(*files: tuple[str, File]) -> Memory:
    return read_memory(dict(files), ".memory", Config())


def titled() -> Memory:
    return memory_of(*(pattern(name, title) for name, title in TITLES.items()))


def found(memory: Memory, text: str, git_dir: Path | None = None) -> list[str]:
    with closing(open_index(git_dir, memory)) as index:
        return [hit.id for hit in find(index, text, 10)]


@pytest.fixture(scope="module")
def opened() -> Iterator[Index]:
    with closing(open_index(None, titled())) as index:
        yield index


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("queue of jobs", "queue"),
        ("migrations", "alembic"),
        ("user name", "upload"),
        ("username", "upload"),
        ("validate upload", "upload"),
        ("app/upload.py", "upload"),
        ("pattern-queue", "queue"),
    ],
)
def test_words_are_found_as_they_stand_in_code(query: str, name: str) -> None:
    assert found(titled(), query)[0] == f"pattern-{name}"


def test_an_id_finds_its_entry_before_those_with_a_like_one() -> None:
    entry = "### DEC-2026-11-0{0}-01 — Title {0}\n**Decision:** The choice is {0}.\n**Date:** 2026-11-0{0}\n\n"
    log = File("".join(entry.format(day) for day in (3, 2, 1)).encode())
    assert found(memory_of((".memory/decisions/_log.md", log)), "DEC-2026-11-02-01")[0] == "DEC-2026-11-02-01"


def test_text_without_spaces_is_found_too() -> None:
    memory = memory_of(pattern("a", "数据库迁移必须可逆"), pattern("b", "上传服务"))
    assert found(memory, "迁移") == ["pattern-a"]


@pytest.mark.parametrize(
    "query",
    [
        '"',
        "queue OR",
        "NEAR(queue, 2",
        "title:queue AND (",
        "queue*",
        "-queue ^queue",
        "{title} : queue",
        "queue'; DROP TABLE entry; --",
        "\0queue",
        "queue\udcff",
    ],
)
def test_query_syntax_is_words(query: str) -> None:
    assert found(titled(), query) in ([], ["pattern-queue"])


@given(st.text())
def test_no_text_breaks_the_query(opened: Index, text: str) -> None:
    assert len(find(opened, text, 2)) <= 2


@given(st.text(alphabet="aA_-./1 é迁移", max_size=60))
def test_terms_are_lower_case_words(text: str) -> None:
    assert all(term == term.lower() and term.isalnum() for term in terms(text))


def test_stop_words_alone_find_nothing() -> None:
    assert found(titled(), "is it the one that was") == []


def test_an_index_that_is_brought_up_to_date_answers_like_a_new_one(tmp_path: Path) -> None:
    files = dict(pattern(name, title) for name, title in TITLES.items())
    before = read_memory(files, ".memory", Config())
    with closing(open_index(tmp_path, before)) as index:
        assert (index.added, index.removed) == (3, 0)
    changed = dict([pattern("alembic", "Schema changes wait in a queue"), pattern("new", "A queue of one's own")])
    after = read_memory({**files, **changed}, ".memory", Config())
    with closing(open_index(tmp_path, after)) as index, closing(open_index(None, after)) as fresh:
        assert (index.added, index.removed) == (2, 1)
        assert find(index, "queue of changes", 10) == find(fresh, "queue of changes", 10)
    with closing(open_index(tmp_path, after)) as index:
        assert (index.added, index.removed) == (0, 0)


def test_lines_follow_an_entry_that_moved_within_its_log(tmp_path: Path) -> None:
    entry = "### DEC-2026-11-01-01 — Queue\n**Decision:** Jobs wait in a queue.\n**Date:** 2026-11-01\n"
    for head, line in (("", 1), ("# Decisions\n\n", 3)):
        memory = memory_of((".memory/decisions/_log.md", File((head + entry).encode())))
        with closing(open_index(tmp_path, memory)) as index:
            assert [hit.line for hit in find(index, "queue", 5)] == [line]


@pytest.mark.parametrize("rubbish", [b"", b"not a database at all" * 100, b"SQLite format 3\0" + b"\xff" * 4000])
def test_a_file_that_is_no_index_is_replaced(tmp_path: Path, rubbish: bytes) -> None:
    path = tmp_path / "minutebook" / "index.sqlite"
    path.parent.mkdir()
    path.write_bytes(rubbish)
    with closing(open_index(tmp_path, titled())) as index:
        assert index.path == path
        assert [hit.id for hit in find(index, "queue", 5)] == ["pattern-queue"]
    assert found(titled(), "queue", tmp_path) == ["pattern-queue"]


def test_pages_damaged_in_the_middle_are_survived_and_mended(tmp_path: Path) -> None:
    memory = memory_of(*(pattern(f"p{n}", f"Title {n} queue", "words and more words " * 200) for n in range(20)))
    expected = found(memory, "title queue", tmp_path)
    path = tmp_path / "minutebook" / "index.sqlite"
    whole = bytearray(path.read_bytes())
    for at in range(4096 * 2, len(whole), 4096):
        whole[at : at + 2000] = b"\xa5" * 2000
    path.write_bytes(whole)
    assert found(memory, "title queue", tmp_path) == expected
    assert found(memory, "title queue", tmp_path) == expected
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_an_index_of_another_version_is_made_anew(tmp_path: Path) -> None:
    found(titled(), "queue", tmp_path)
    with closing(sqlite3.connect(tmp_path / "minutebook" / "index.sqlite", isolation_level=None)) as connection:
        connection.execute("DROP TABLE word")
        connection.execute("ALTER TABLE entry RENAME COLUMN type TO name")
        connection.execute("PRAGMA user_version = 99")
    assert found(titled(), "queue", tmp_path) == ["pattern-queue"]


def test_it_is_durable_and_shared_as_safety_asks(tmp_path: Path) -> None:
    with closing(open_index(tmp_path, titled())) as index:
        assert index.connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert index.connection.execute("PRAGMA synchronous").fetchone() == (2,)


def test_a_git_directory_that_cannot_be_written_is_no_obstacle(tmp_path: Path) -> None:
    (tmp_path / "minutebook").write_text("in the way")
    with closing(open_index(tmp_path, titled())) as index:
        assert index.path is None
        assert index.why
        assert [hit.id for hit in find(index, "queue", 5)] == ["pattern-queue"]


def test_while_another_run_writes_the_index_it_is_held_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("minutebook.edges.search_index._WAIT_SECONDS", 0.05)
    found(titled(), "queue", tmp_path)
    with closing(sqlite3.connect(tmp_path / "minutebook" / "index.sqlite", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        more = memory_of(pattern("more", "Another queue"))
        with closing(open_index(tmp_path, more)) as index:
            assert index.path is None
            assert [hit.id for hit in find(index, "queue", 5)] == ["pattern-more"]


def test_the_snippet_shows_where_the_words_stand() -> None:
    text = "Something else. " * 40 + "The queue lives in PostgreSQL. " + "And so on. " * 40
    shown = snippet(text, "postgresql queue")
    assert "queue lives in PostgreSQL" in shown
    assert len(shown) < 260
    assert snippet("", "queue") == ""


def test_search_prints_rank_type_title_and_place(memory_repo: Repo) -> None:
    done = memory_repo.minutebook("search", "alembic", "migration")
    assert done.code == 0
    lines = done.out.split("\n")
    assert lines[0].endswith("DEC-2026-11-02-01  decision  Alembic for migrations")
    assert lines[1].strip() == f"{LOG}:11"
    assert "Alembic migration" in lines[2]
    assert lines[3].endswith("pattern-migrations  pattern  Database migrations")
    assert float(lines[0].split()[0]) > float(lines[3].split()[0]) > 0


def test_search_by_type_and_limit(memory_repo: Repo) -> None:
    done = memory_repo.minutebook("search", "migration", "--type", "decision", "--limit", "1", "--format", "json")
    (hit,) = json.loads(done.out)["hits"]
    assert (hit["id"], hit["type"], hit["path"], hit["line"]) == ("DEC-2026-11-02-01", "decision", LOG, 11)
    assert hit["score"] > 0


def test_search_for_a_type_that_is_not_there(memory_repo: Repo) -> None:
    done = memory_repo.minutebook("search", "migration", "--type", "decisions")
    assert done.code == 2
    assert "did you mean decision?" in done.err


def test_search_neutralises_what_a_terminal_would_obey(memory_repo: Repo) -> None:
    memory_repo.write(".memory/patterns/evil.md", "---\nid: pattern-evil\ntitle: Evil\n---\nzebra \x1b[2J\u202e here\n")
    done = memory_repo.minutebook("search", "zebra")
    assert "zebra" in done.out
    assert "\x1b" not in done.out
    assert "\u202e" not in done.out


def test_archived_entries_are_found_on_demand(memory_repo: Repo) -> None:
    memory_repo.write(CASE.replace(".memory/", ".memory/archive/"), memory_repo.read(CASE))
    (memory_repo.path / CASE).unlink()
    assert json.loads(memory_repo.minutebook("search", "flaky", "--format", "json").out)["hits"] == []
    done = memory_repo.minutebook("search", "flaky", "--archived")
    assert "[archived]" in done.out
    shown = memory_repo.minutebook("show", "case-reviewer-2026-11-02-flaky-upload")
    assert shown.code == 0
    assert "archived" in shown.err


def test_show_prints_the_exact_text(memory_repo: Repo) -> None:
    assert memory_repo.minutebook("show", "case-reviewer-2026-11-02-flaky-upload").out == memory_repo.read(CASE)
    done = memory_repo.minutebook("show", "DEC-2026-11-01-01")
    assert done.out == memory_repo.read(LOG)[memory_repo.read(LOG).index("### DEC-2026-11-01-01") :]


def test_show_gives_each_level(memory_repo: Repo) -> None:
    abstract = memory_repo.minutebook("show", "pattern-migrations", "--level", "abstract")
    assert abstract.out == "Every schema change is a reversible Alembic migration.\n"
    overview = memory_repo.minutebook("show", "pattern-migrations", "--level", "overview", "--format", "json")
    assert json.loads(overview.out)["text"] == "Every migration has a way down, and a test that runs it."


def test_show_takes_the_uri_it_gives(memory_repo: Repo) -> None:
    for name in ("DEC-2026-11-02-01", "pattern-migrations", "case-reviewer-2026-11-02-flaky-upload"):
        uri = json.loads(memory_repo.minutebook("show", name, "--format", "json").out)["uri"]
        assert json.loads(memory_repo.minutebook("show", uri, "--format", "json").out)["id"] == name


@pytest.mark.parametrize(
    "name", ["dec-2026-11-02-01", "DEC-2026-11-02-1", "ctx://repo/project/decisions/_log#DEC-2026-11-02-0"]
)
def test_show_suggests_what_was_meant(memory_repo: Repo, name: str) -> None:
    done = memory_repo.minutebook("show", name)
    assert done.code == 2
    assert done.out == ""
    assert "did you mean" in done.err
    assert "DEC-2026-11-02-01" in done.err


def test_show_writes_out_what_cannot_be_seen(memory_repo: Repo) -> None:
    text = "---\nid: pattern-evil\ntitle: Evil\n---\nhidden \u202e\x1b[31m text\n"
    memory_repo.write(".memory/patterns/evil.md", text)
    done = memory_repo.minutebook("show", "pattern-evil")
    assert "\x1b" not in done.out
    assert "--format json" in done.err
    exact = memory_repo.minutebook("show", "pattern-evil", "--format", "json")
    assert "\x1b" not in exact.out
    assert json.loads(exact.out)["text"] == text
