"""A log that has changed is read in part again, and found to be what reading all of it finds."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from minutebook.ground import log_entry
from minutebook.ground.blocks import has_blocks
from minutebook.ground.frozen import replace
from minutebook.ground.log_again import kept_of
from minutebook.ground.log_entry import read_log
from minutebook.ground.memory_type import builtin_types

DECISION = builtin_types()["decision"]
PATH = ".memory/decisions/_log.md"
PIECES = [
    "### DEC-1 — One\n**Decision:** A.\n", "### DEC-2 — Two\n**Date:** 2026-11-02\n\n", "## D-3 — Three\ntext\n",
    "#### DEC-4: four\n", "  ### DEC-5 — Indented\nx\n", "### DEC-6 — Six", "### DEC-1 — One\n", "## 2026\n",
    "# Decisions\n", "loose words\n", "```\n", "~~~~\n", "````sh\n### DEC-7 — In a fence\n````\n", "<!--\n", "-->\n",
    "<!-- one line -->\n", "- item\n  ```\n", "  ```\n", "- ```\n  x\n", "1. one\n", "> quoted\n", "\n", "\r\n",
    "###\n", "# \n", "---\n", "---\nupdated: 2026-11-02\n---\n", "---\ntype: [\n---\n", "  ", "\t- x\n", "é\u2028\n",
    "### DEC-8 — Eight #\n",
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)
LOGS = st.lists(st.sampled_from(PIECES[:10]), max_size=14).map("".join)


@st.composite
def changed(draw: st.DrawFn) -> tuple[str, str]:
    """A log, and what became of it: something else stands in the place of a part of it."""
    text = draw(LOGS | TEXTS)
    ends = sorted(draw(st.tuples(st.integers(0, len(text)), st.integers(0, len(text)))))
    return text, text[: ends[0]] + draw(TEXTS) + text[ends[1] :]


ENTRIES = "".join(f"### DEC-{n} — Number {n}\n**Decision:** Do {n}.\n\n" for n in range(10, 40))


@settings(max_examples=1000, deadline=None)
@given(changed())
@example((ENTRIES, "### DEC-1 — New\n" + ENTRIES))
@example((ENTRIES, "## DEC-1 — New, and all the others beneath it\n" + ENTRIES))
@example((ENTRIES, "```\n" + ENTRIES))
@example((ENTRIES, "<!--\n" + ENTRIES + "-->\n"))
@example((ENTRIES, "- item\n  ```\n" + ENTRIES))
@example((ENTRIES, ENTRIES + "### DEC-99 — New\n"))
@example((ENTRIES.rstrip(), ENTRIES.rstrip() + "er\n### DEC-99 — New\n"))
@example((ENTRIES, ENTRIES.replace("Do 25.", "Do 26.")))
@example((ENTRIES, ENTRIES.replace("### DEC-25 — Number 25\n", "")))
@example((ENTRIES, "---\nupdated: x\n---\n" + ENTRIES))
@example(("---\na: 1\n---\n" + ENTRIES, "---\na: [\n---\n" + ENTRIES))
@example(("---\n" + ENTRIES, ("---\n" + ENTRIES).replace("Do 25.\n", "Do 25.\n---\n")))
@example((ENTRIES, ENTRIES.replace("\n", "\r\n")))
@example((ENTRIES, ""))
@example((ENTRIES, ENTRIES.replace("Do 25.\n", "Do 25.\n\n## 2025\n\nloose\n")))
def test_a_log_read_again_is_what_it_is_read_anew(both: tuple[str, str]) -> None:
    old, new = both
    earlier = read_log(PATH, old, DECISION)
    assert read_log(PATH, new, DECISION, earlier=earlier) == read_log(PATH, new, DECISION)


NEW = "### DEC-1 — New\n"
CHANGED = {
    "above": (NEW + ENTRIES, 0, 29),  # the first begins as the new one does
    "below": (ENTRIES + NEW, 29, 0),
    "between": (ENTRIES.replace("Do 20.", "Do."), 10, 19),
}


@pytest.mark.parametrize("where", CHANGED)
def test_what_is_still_the_same_is_not_read_again(where: str) -> None:
    new, first, last = CHANGED[where]
    kept = kept_of(read_log(PATH, ENTRIES, DECISION), new)
    assert kept is not None
    assert (len(kept.first), len(kept.last)) == (first, last)


USUAL = [
    *(piece for piece in PIECES if not has_blocks(piece)), "### DEC-3 - t\n", "###  DEC-3 — t", "### DEC-3 — #t\n",
    "### DEC-3 — t #\n", "### DEC-x — t\n", "### Trade-offs: x\n", "### DEC-3 — t\r\n", "###    DEC-9 : x\n",
    "### a-1 — \n", f"### a-{'b1' * 80} — long\n", f"### DEC-1 — {'x' * 1200}\n", "### DEC-1—t\n",
]  # fmt: skip


@settings(max_examples=1000, deadline=None)
@given(st.lists(st.sampled_from(USUAL), max_size=8).map("".join), st.sampled_from(["DEC-{date}", "{slug}", "x-{slug}"]))
@example(ENTRIES, "DEC-{date}")
@example("# Decisions\n\n" + ENTRIES, "DEC-{date}")
def test_a_log_that_looks_as_most_do_is_read_as_any_other(text: str, rule: str) -> None:
    mtype = replace(DECISION, id=rule)
    found = read_log(PATH, text, mtype)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(log_entry, "plain_entries", lambda *_: None)
        assert found == read_log(PATH, text, mtype)
