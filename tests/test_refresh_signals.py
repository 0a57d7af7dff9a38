"""Every kind of signal on real git: what each one flags, and the look-alikes that it leaves alone."""

import pytest

from conftest import LOG, TODAY, Repo
from test_refresh import CODE, DB, POOL, reasons, stale

PAGE = ".memory/patterns/pool.md"
PYPROJECT = """[project]
name = "up"
requires-python = ">=3.11"
dependencies = ["click>=8.1", "redis>=5"]
[project.scripts]
up = "up:main"
[tool.pytest.ini_options]
"""
CLI = """import click


@main.command("serve")
def serve(port):
    parser.add_argument("--port")
    return os.environ["UPLOAD_DSN"]


MAX_RETRIES = 3
"""
LONG = "".join(f"def step_{n}(value):\n    return value + {n}\n\n\n" for n in range(20))


def said(repo: Repo, text: str, files: dict[str, str], anchor: str = "README.md") -> Repo:
    """The repository with these files and with an entry that says this."""
    for path, content in files.items():
        repo.write(path, content)
    repo.write(PAGE, POOL.format(anchor=anchor, text=text))
    repo.commit("Said")
    return repo


@pytest.mark.parametrize(
    ("text", "path", "before", "after", "reason"),
    [
        ("Start it by `up serve`.", "src/up/cli.py", CLI, CLI.replace("serve", "run"), "`up serve` is gone"),
        ("Pass `--port` to it.", "src/up/cli.py", CLI, CLI.replace("--port", "--address"), "`--port` is gone"),
        ("It reads `UPLOAD_DSN`.", "src/up/cli.py", CLI, CLI.replace("UPLOAD_DSN", "DSN"), "`UPLOAD_DSN` is gone"),
        ("`MAX_RETRIES` is small.", "src/up/cli.py", CLI, CLI.replace("MAX_RE", "MOST_RE"), "`MAX_RETRIES` is gone"),
        ("Ask `PoolManager`.", DB, CODE, CODE.replace("PoolManager", "Pool"), "`PoolManager` is gone"),
        ("Ask `PoolManager.connect`.", DB, CODE, CODE.replace("connect", "open"), "`PoolManager.connect` is gone"),
        ("It needs `redis`.", "pyproject.toml", PYPROJECT, PYPROJECT.replace(', "redis>=5"', ""), "`redis` is gone"),
        ("It needs `redis>=5`.", "pyproject.toml", PYPROJECT, PYPROJECT.replace("redis>=5", "redis>=6"),
         "redis 5 is no longer what a manifest says: it says >=6, and said >=5 at"),
        ("It needs Python 3.11.", "pyproject.toml", PYPROJECT, PYPROJECT.replace("3.11", "3.13"),
         "python 3.11 is no longer what a manifest says: it says >=3.13, and said >=3.11 at"),
        ("Tests run with pytest.", "pyproject.toml", PYPROJECT, PYPROJECT.replace("[tool.pytest.ini_options]", ""),
         "`pytest` is gone"),
    ],
)  # fmt: skip
def test_a_thing_that_code_or_a_manifest_no_longer_has_is_named(
    memory_repo: Repo, text: str, path: str, before: str, after: str, reason: str
) -> None:
    said(memory_repo, text, {"pyproject.toml": PYPROJECT, path: before})
    assert stale(memory_repo) == {}
    memory_repo.write(path, after)
    memory_repo.commit("Changed")
    found = stale(memory_repo, "--threshold", "0.3")["pattern-pool"]
    assert reason in reasons(found)
    assert found["line"] == 10


@pytest.mark.parametrize(
    ("text", "before", "after"),
    [
        ("The pool connects slowly.", CODE, "x = 1\n"),
        ("Call `session_scope()`.", "# session_scope\n", "x = 1\n"),
        ("Call `session_scope()`.", "def f():\n    '''Not session_scope.'''\n", "x = 1\n"),
        ("Ask `numpy.ndarray` nicely.", "x = 1\n", "y = 2\n"),
        ("```\nPoolManager().connect()\n```", CODE, "x = 1\n"),
        ("> `PoolManager` said somebody", CODE, "x = 1\n"),
        ("See <https://example.org/PoolManager/src/app/db.py>.", CODE, "x = 1\n"),
        ("Run `git commit --amend` first.", "run('git', 'commit', '--amend')\n", "x = 1\n"),
        ("It is on www.example.com as `example.com`.", "HOST = 'example.com'\n", "x = 1\n"),
        ("Ask `PoolManager`.", CODE, CODE.replace("connect", "open")),
    ],
)
def test_what_looks_like_a_reference_and_is_none_raises_no_alarm(
    memory_repo: Repo, text: str, before: str, after: str
) -> None:
    said(memory_repo, text, {"src/app/db.py": before})
    memory_repo.write("src/app/db.py", after)
    memory_repo.commit("Changed")
    assert stale(memory_repo) == {}


def test_a_name_that_only_another_document_holds_is_unknown(memory_repo: Repo) -> None:
    said(memory_repo, "Ask `PoolManager`.", {"docs/pool.md": "# PoolManager\n`PoolManager`\n"})
    memory_repo.write("docs/pool.md", "# Nothing\n")
    memory_repo.commit("Changed")
    assert stale(memory_repo, "--threshold", "0") == {}


def test_a_file_that_moved_and_changed_is_followed_as_git_follows_it(memory_repo: Repo) -> None:
    said(memory_repo, f"Look into `{DB}` and ./{DB}:3 first.\n\n> {DB} was said\n", {DB: LONG}, DB)
    memory_repo.git("rm", "--quiet", DB)
    memory_repo.write("src/core/pool.py", LONG.replace("step_3", "third_step"))
    memory_repo.commit("Move and edit")
    found = stale(memory_repo)["pattern-pool"]
    assert found["kind"] == "moved"
    assert f"{DB} moved to src/core/pool.py" in reasons(found)
    assert memory_repo.minutebook("refresh", "--apply", "--today", TODAY).code == 0
    after = memory_repo.read(PAGE)
    assert "anchors: [src/core/pool.py]" in after
    assert "Look into `src/core/pool.py` and src/core/pool.py:3 first." in after
    assert f"> {DB} was said" in after
    assert "stale" not in after
    memory_repo.commit("Refresh")
    assert stale(memory_repo) == {}


def test_a_url_of_this_repository_is_followed_and_a_permalink_is_not(memory_repo: Repo) -> None:
    host = "https://git.example.org/own/up"
    text = f"See {host}/blob/main/{DB} and {host}/blob/0a1b2c3d4e5f/{DB}."
    said(memory_repo, text, {DB: CODE})
    memory_repo.git("rm", "--quiet", DB)
    memory_repo.commit("Gone")
    found = stale(memory_repo)["pattern-pool"]
    assert len(reasons(found).split("\n")) == 1
    assert reasons(found).startswith(f"{DB} is gone since")


def test_what_is_new_and_most_like_it_is_proposed(memory_repo: Repo) -> None:
    said(memory_repo, "Ask `PoolManager` for a connection.", {DB: CODE})
    memory_repo.write(DB, CODE.replace("PoolManager", "PoolKeeper"))
    memory_repo.commit("Rename")
    assert "; most like it: PoolKeeper (0." in reasons(stale(memory_repo)["pattern-pool"])


def test_an_entry_that_is_named_and_gone_and_one_that_rests_on_what_holds_no_more(memory_repo: Repo) -> None:
    said(memory_repo, "As DEC-2026-11-03-01 and case-old-1 say.", {".memory/agents/reviewer/cases/case-old-1.md": """---
type: case
id: case-old-1
title: Old
abstract: An old case of no interest.
date: 2026-11-01
---
## Problem
It failed once.

## Outcome
It was mended.
"""})  # fmt: skip
    memory_repo.git("rm", "--quiet", ".memory/agents/reviewer/cases/case-old-1.md")
    log = memory_repo.read(LOG)
    newer = (
        "### DEC-2026-11-10-01 — Queue in Redis\n**Decision:** Jobs are kept in Redis.\n**Date:** 2026-11-10\n"
        "**Supersedes:** DEC-2026-11-03-01\n\n"
    )
    mark = "> SUPERSEDED by DEC-2026-11-10-01\n\n"
    marked = log.replace("PostgreSQL\n**Context:** Jobs", f"PostgreSQL\n{mark}**Context:** Jobs")
    memory_repo.write(LOG, marked.replace("### DEC-2026-11-03", f"{newer}### DEC-2026-11-03", 1))
    memory_repo.commit("Changed")
    words = reasons(stale(memory_repo, "--threshold", "0.2")["pattern-pool"])
    assert "names DEC-2026-11-03-01, which DEC-2026-11-10-01 supersedes" in words
    assert "`case-old-1` is gone" in words


@pytest.mark.parametrize(
    ("first", "second", "contradict"),
    [
        ("The upload timeout is 30 seconds.", "The upload timeout is 90 seconds.", True),
        ("The upload timeout is 60 seconds.", "The upload timeout is 1 minute.", False),
        ("Packages are installed with pnpm.", "Use yarn to install everything.", True),
        ("Indent source code with tabs.", "Indent source code with spaces.", True),
        ("Raw SQL is allowed in migrations.", "Raw SQL is never allowed in migrations.", True),
        ("The audit trail is kept in Kafka.", "The audit trail is kept in Redis.", True),
        ("Always squash commits.", "Never squash commits.", True),
        ("Always squash commits.", "Never squash releases.", False),
        ("Always squash commits.", "Never squash commits unless asked.", False),
        ("The upload timeout is 30 seconds.", "The download timeout is 90 seconds.", False),
        ("Packages are installed with pnpm.", "Before 2026 packages came from yarn.", False),
        ("Tests need Docker.", "Deployments need Kubernetes.", False),
    ],
)
def test_two_entries_that_cannot_both_hold(memory_repo: Repo, first: str, second: str, contradict: bool) -> None:
    entry = POOL.replace("anchors: [{anchor}]\n", "").replace("Every connection comes from the pool.", "{said}")
    memory_repo.write(PAGE, entry.format(said=first, text="Nothing."))
    other = entry.replace("pattern-pool", "pattern-other").replace("Connection pool", "Another thing")
    other = other.replace("2026-11-02", "2026-11-05")
    memory_repo.write(".memory/patterns/other.md", other.format(said=second, text="Something."))
    memory_repo.commit("Two")
    found = stale(memory_repo)
    assert list(found) == (["pattern-pool"] if contradict else [])
    if contradict:
        assert f"says “{first}”, and pattern-other says “{second}”" in reasons(found["pattern-pool"])


def test_a_relation_between_two_entries_settles_what_they_disagree_on(memory_repo: Repo) -> None:
    entry = "---\ntype: pattern\nid: pattern-{0}\ntitle: T {0}\nabstract: The retry limit is {1} times.\n"
    entry += "created: 2026-11-02\n{2}---\n"
    memory_repo.write(".memory/patterns/a.md", entry.format("a", 3, ""))
    memory_repo.write(".memory/patterns/b.md", entry.format("b", 5, ""))
    memory_repo.commit("Two")
    assert set(stale(memory_repo)) == {"pattern-a", "pattern-b"}
    memory_repo.write(".memory/patterns/b.md", entry.format("b", 5, "relations: {contradicts: [pattern-a]}\n"))
    memory_repo.commit("Known")
    assert stale(memory_repo) == {}


SUMMARY = """---
type: summary
id: summary-uploads
title: Uploads
abstract: What three notes came to.
created: 2027-01-10
sources: [{{session: s-1}}]
relations: {{derived_from: [pattern-migrations, project-context]}}
{verified}---
## Decisions
Uploads are kept.
"""


def test_a_summary_is_as_old_as_the_oldest_of_its_sources(memory_repo: Repo) -> None:
    path = ".memory/summaries/uploads.md"
    memory_repo.write(path, SUMMARY.format(verified=""))
    memory_repo.commit("Summary")
    assert "summary-uploads" not in stale(memory_repo, "--threshold", "0.03", today="2027-04-30")
    found = stale(memory_repo, "--threshold", "0.03", today="2027-05-01")["summary-uploads"]
    assert reasons(found).startswith("not verified for 181 days (since 2026-11-01, of its source project-context)")
    memory_repo.write(path, SUMMARY.format(verified="verified: 2027-04-01\n"))
    memory_repo.commit("Looked at")
    assert "summary-uploads" not in stale(memory_repo, "--threshold", "0.03", today="2027-05-01")


def test_since_shows_what_a_change_makes_doubtful_and_nothing_else(memory_repo: Repo) -> None:
    said(memory_repo, "Ask `PoolManager`, see `lib/old.py`.", {DB: CODE, "lib/old.py": LONG})
    memory_repo.git("rm", "--quiet", "lib/old.py")
    start = memory_repo.commit("Long ago")
    memory_repo.git("switch", "--quiet", "--create", "topic")
    memory_repo.write(DB, CODE.replace("PoolManager", "Pool"))
    memory_repo.commit("The change")
    words = reasons(stale(memory_repo, "--since", start, today="2028-01-01")["pattern-pool"])
    assert "PoolManager" in words
    assert "old.py" not in words
    assert set(stale(memory_repo, "--since", "main", today="2028-01-01")) == {"pattern-pool"}
    assert stale(memory_repo, "--since", "HEAD", today="2028-01-01") == {}
    page = memory_repo.read(PAGE)
    memory_repo.write(PAGE, page.replace("Ask `PoolManager`", "Ask nobody"))
    memory_repo.commit("And the memory with it")
    assert stale(memory_repo, "--since", "main", today="2028-01-01") == {}
    done = memory_repo.minutebook("refresh", "--since", "nowhere")
    assert done.code == 2
    assert "no such commit" in done.err


def test_decisions_that_lie_where_the_config_maps_them_are_judged_too(memory_repo: Repo) -> None:
    memory_repo.write(".minutebook.yaml", "places: {decision: 'docs/adr/*.md'}\n")
    memory_repo.write(DB, CODE)
    text = f"# 1. Pool\n\nDate: 2026-11-02\n\n## Status\n\nAccepted\n\n## Decision\n\nThe pool lives in `{DB}`.\n"
    memory_repo.write("docs/adr/0001-pool.md", text)
    memory_repo.commit("Record")
    memory_repo.git("rm", "--quiet", DB)
    memory_repo.commit("Gone")
    (found,) = stale(memory_repo).values()
    assert found["path"] == "docs/adr/0001-pool.md"
    assert found["kind"] == "gone"


def test_json_gives_each_signal_with_its_probability_and_where_it_moved(memory_repo: Repo) -> None:
    said(memory_repo, "Nothing.", {DB: LONG}, DB)
    memory_repo.git("mv", "src/app", "src/core")
    memory_repo.commit("Move")
    found = stale(memory_repo)["pattern-pool"]
    assert isinstance(found["signals"], list)
    (signal,) = found["signals"]
    assert signal["kind"] == "moved"
    assert signal["moved"] == {"from": DB, "to": "src/core/db.py"}
    assert signal["probability"] == found["score"]


def test_annotations_hold_no_command_of_an_entry(memory_repo: Repo) -> None:
    why = "100%25 gone%0A::error::x\\n::set-output name=a::b\\r\\n::stop-commands::t"
    hostile = f'stale: {{since: 2026-11-01, why: "{why}"}}\ncreated:'
    memory_repo.write(PAGE, POOL.format(anchor="README.md", text="Nothing.").replace("created:", hostile))
    memory_repo.commit("Hostile")
    done = memory_repo.minutebook("refresh", "--format", "github", "--today", TODAY)
    assert done.code == 0
    line, *rest = done.out.split("\n")
    assert line.startswith(f"::warning file={PAGE},line=6,")
    assert "::" not in "".join(rest)
    assert "100%2525 gone%250A::error::x ::set-output name=a::b ::stop-commands::t" in line
    assert "\r" not in line


def test_a_threshold_is_the_least_score_that_is_shown(memory_repo: Repo) -> None:
    said(memory_repo, "Ask `PoolManager`.", {DB: CODE})
    memory_repo.write(DB, CODE.replace("PoolManager", "Pool"))
    memory_repo.commit("Rename")
    score = float(str(stale(memory_repo)["pattern-pool"]["score"]))
    assert 0.5 <= score < 0.999
    assert set(stale(memory_repo, "--threshold", str(score))) == {"pattern-pool"}
    assert stale(memory_repo, "--threshold", str(score + 0.001)) == {}
    for wrong in ("1.5", "-0.1", "often"):
        assert memory_repo.minutebook("refresh", "--threshold", wrong).code == 2


def test_a_title_and_an_abstract_are_read_and_mended_too(memory_repo: Repo) -> None:
    memory_repo.write(DB, LONG)
    page = POOL.format(anchor="README.md", text="Nothing.")
    page = page.replace("Every connection comes from the pool.", f"Code in `step_3` of `{DB}` makes them.")
    memory_repo.write(PAGE, page)
    memory_repo.commit("Said")
    memory_repo.git("mv", "src/app", "src/core")
    memory_repo.commit("Moved")
    found = stale(memory_repo)["pattern-pool"]
    assert (found["kind"], found["line"]) == ("moved", 5)
    assert memory_repo.minutebook("refresh", "--apply", "--today", TODAY).code == 0
    assert memory_repo.read(PAGE) == page.replace("src/app", "src/core")
    memory_repo.commit("Mended")
    memory_repo.git("rm", "--quiet", "-r", "src/core")
    memory_repo.commit("Gone")
    words = reasons(stale(memory_repo)["pattern-pool"])
    assert "src/core/db.py is gone since" in words
    assert "`step_3` is gone" in words
