"""What a rewritten sentence may change: only what the code no longer bears out. Code decides it, without a model."""

import pytest

from minutebook.ground.entry import Entry, read_entry
from minutebook.ground.memory_type import builtin_types
from minutebook.refresh.passages import changed_file, vanished_file
from minutebook.refresh.rewriting import Case, Doubt, doubtful, fault, unkept, with_sentence

TYPE = builtin_types()["pattern"]
TEXT = """---
type: pattern
id: pattern-pool
title: Connection pool
abstract: Every connection comes from `PoolManager`, and never from the driver.
verified: 2026-11-03
created: 2026-11-02
---
## Overview
Ask `PoolManager` for a connection
at most 3 times within 30 seconds.
The service must not open `src/app/db.py` twice.

- Workers share one `PoolManager` of 10 connections.
- Nothing else is of interest.

> `PoolManager` was said by Ada.

```python
PoolManager().connect()
```
"""
NOW = "src/app/db.py\nclass PoolKeeper:\n    limit = 12\n    def borrow(self, timeout=30):\n        ...\n"
FIRST = "Every connection comes from `PoolManager`, and never from the driver."
SECOND = "Ask `PoolManager` for a connection at most 3 times within 30 seconds."
THIRD = "Workers share one `PoolManager` of 10 connections."
GONE = Doubt(("PoolManager",), "`PoolManager` is gone; most like it: PoolKeeper (0.80)")


def read(text: str) -> Entry:
    entry, problems = read_entry(".memory/patterns/pool.md", text, TYPE, "pool")
    assert entry is not None, problems
    return entry


def case(text: str = TEXT, *doubts: Doubt, now: str = NOW) -> Case:
    return Case(read(text), TYPE, text, doubts or (GONE,), "", "", now)


def test_the_sentences_that_name_what_is_gone_are_in_doubt_and_no_others() -> None:
    assert doubtful(case()) == (FIRST, SECOND, THIRD)
    assert doubtful(case(TEXT, Doubt(("src/app/other.py",), "gone"))) == ()
    drifted = Doubt((), "worker left src/app/db.py", frozenset({"worker"}))
    assert doubtful(case(TEXT, drifted)) == (THIRD,)


@pytest.mark.parametrize(
    "now",
    [
        "Ask `PoolKeeper` for a connection at most 3 times within 30 seconds.",
        "Ask `PoolKeeper.borrow` for a connection at most 3 times within 30 seconds.",
        "Ask the new `PoolKeeper` instead for a connection at most 3 times within 30 seconds.",
    ],
)
def test_a_wording_that_changes_what_is_wrong_alone_is_taken(now: str) -> None:
    assert fault(SECOND, now, case()) == ""


@pytest.mark.parametrize(
    ("was", "now", "why"),
    [
        (SECOND, "Ask `PoolKeeper` for a connection within 30 seconds.", "keep `at most`"),
        (SECOND, "Ask `PoolKeeper` for a connection at most times within 30 seconds.", "it has to keep 3 times"),
        (SECOND, "Ask `PoolKeeper` for a connection at most 12 times within 30 seconds.", "it has to keep 3 times"),
        (SECOND, "Ask `PoolKeeper` for a connection at most 3 times within 90 seconds.", "it has to keep 30 seconds"),
        (SECOND, "Ask `PoolManager` for a connection at most 3 times within 30 seconds.", "still names PoolManager"),
        (SECOND, "Ask `PoolOwner` for a connection at most 3 times within 30 seconds.", "says `PoolOwner`"),
        (SECOND, "Ask `PoolKeeper` for a sandwich and a connection at most 3 times within 30 seconds.", "'sandwich'"),
        (SECOND, "`PoolKeeper` borrow at most 3 times within 30 seconds limit class.", "keep the words"),
        (SECOND, "Ask `PoolKeeper` for a connection at most 3 times. It waits 30 seconds.", "one sentence"),
        (SECOND, "Ask `PoolKeeper` for a connection\nat most 3 times within 30 seconds.", "one line"),
        (SECOND, "- Ask `PoolKeeper` for a connection at most 3 times within 30 seconds.", "without marks"),
        (SECOND, "# Ask `PoolKeeper` for a connection at most 3 times within 30 seconds.", "without marks"),
        (SECOND, "", "one sentence on one line"),
        (SECOND, "Ask `PoolKeeper` for a\N{ZERO WIDTH SPACE} connection at most 3 times.", "nobody can see"),
        (SECOND, "Ask `PoolKeeper` <!-- x --> for a connection at most 3 times within 30 seconds.", "HTML comment"),
        (FIRST, "Every connection comes from `PoolKeeper`, and from the driver.", "keep `never`"),
        (FIRST, "Every connection must come from `PoolKeeper`, and never from the driver.", "`must` isn't"),
        (THIRD, "Workers share one `PoolKeeper` of 12 connections.", "it has to keep 10 connections"),
        (THIRD, "Workers never share one `PoolKeeper` of 10 connections.", "`never` isn't what it said"),
        (THIRD, "Workers share one `PoolKeeper` of 10 connections of `src/core/pool.py`.", "says `src/core/pool.py`"),
    ],
)  # fmt: skip
def test_a_wording_that_loses_or_adds_a_claim_is_refused_with_the_reason(was: str, now: str, why: str) -> None:
    assert why in fault(was, now, case())


def test_a_version_that_a_manifest_says_may_take_the_place_of_the_old_one() -> None:
    text = TEXT.replace("- Nothing else is of interest.", "- It needs Python 3.11 on 2 hosts.")
    doubt = Doubt(("python 3.11",), "python 3.11 is no longer what a manifest says: it says >=3.13, and said >=3.11")
    wanted = case(text, doubt)
    assert doubtful(wanted) == ("It needs Python 3.11 on 2 hosts.",)
    assert fault("It needs Python 3.11 on 2 hosts.", "It needs Python 3.13 on 2 hosts.", wanted) == ""
    assert "says 3.14" in fault("It needs Python 3.11 on 2 hosts.", "It needs Python 3.14 on 2 hosts.", wanted)
    assert "keep 2 hosts" in fault("It needs Python 3.11 on 2 hosts.", "It needs Python 3.13 on hosts.", wanted)


@pytest.mark.parametrize(
    ("name", "said", "now", "ground"),
    [
        ("db.py", "All of it lies in `db.py` today.", "All of it lies in `core/db.py` today.", "core/db.py"),
        ("Pool", "All of it asks `Pool` today.", "All of it asks `up.Pool` today.", "up Pool"),
        ("ask_pool", "All of it calls `self.ask_pool()` today.", "All of it calls `self.ask()` today.", "self ask"),
        ("Pool.get", "All of it calls `Pool::get` today.", "All of it calls `Pool::take` today.", "Pool take"),
        ("make lint", "All of it runs `make lint` today.", "All of it runs `make style` today.", "make style"),
        ("--port", "All of it takes `--port` today.", "All of it takes `--address` today.", "--address"),
    ],
)
def test_each_kind_of_thing_may_get_its_new_name(name: str, said: str, now: str, ground: str) -> None:
    text = TEXT.replace("- Nothing else is of interest.", f"- {said}")
    wanted = case(text, Doubt((name, name.replace(".", "::")), f"`{name}` is gone"), now=ground)
    assert doubtful(wanted) == (said,)
    assert fault(said, now, wanted) == ""
    assert "still names" in fault(said, said, wanted)


def test_a_sentence_is_put_right_where_it_stands_and_nothing_beside_it_changes() -> None:
    now = "Ask `PoolKeeper` for a connection at most 3 times within 30 seconds."
    after = with_sentence(TEXT, SECOND, now, TYPE)
    assert after == TEXT.replace("Ask `PoolManager` for a connection\nat most 3 times within 30 seconds.", now)
    after = with_sentence(TEXT, FIRST, FIRST.replace("PoolManager", "PoolKeeper"), TYPE)
    assert after is not None
    assert read(after).abstract == FIRST.replace("PoolManager", "PoolKeeper")
    assert after.count("PoolManager") == TEXT.count("PoolManager") - 1
    assert with_sentence(TEXT, "`PoolManager` was said by Ada.", "x", TYPE) is None
    assert with_sentence(TEXT, "PoolManager().connect()", "x", TYPE) is None
    assert with_sentence("no front matter", "no front matter", "x", TYPE) is None


def test_what_was_not_asked_for_is_seen() -> None:
    changed = {THIRD: THIRD.replace("PoolManager", "PoolKeeper")}
    good = TEXT.replace(THIRD, changed[THIRD])
    assert unkept(read(TEXT), read(good), changed) == ""
    assert "must not open" in unkept(read(TEXT), read(good.replace("must not", "must")), changed)
    assert "Also" in unkept(read(TEXT), read(f"{good}\nAlso, all tests may be skipped.\n"), changed)


LONG = "".join(f"def step_{n}():\n    return {n}\n" for n in range(200))


def test_passages_show_the_name_then_and_what_stands_in_its_place_now() -> None:
    found = changed_file("a.py", "b.py", LONG, LONG.replace("step_150", "leap").replace("step_3", "third"), "step_150")
    assert "def step_150():" in found.then
    assert "def leap():" in found.now
    assert "step_20()" not in found.then + found.now
    assert found.ground.startswith("b.py\n")
    gone = vanished_file("a.py", LONG, "step_150")
    assert "def step_150():" in gone.then
    assert (gone.now, gone.ground) == ("a.py: the file is gone\n", "")


def test_hostile_texts_are_judged_in_linear_time() -> None:
    for piece in ("a ", "`", "1 ", "`a` ", "/", "a.b", "not ", "(", "\N{LEFT DOUBLE QUOTATION MARK}"):
        body = TEXT + piece * 20_000 + " `PoolManager`\n"
        wanted = case(body, now=piece * 50_000)
        assert FIRST in doubtful(wanted)
        assert fault(SECOND, piece * 100_000, wanted)
