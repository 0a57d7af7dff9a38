"""The pieces of the core by themselves, where a whole verdict says too little."""

from hashlib import sha256
from itertools import combinations, permutations

import pytest

from conftest import CASE, FIRST, LOG, SECOND, THIRD
from core.edits import (
    DOMAIN,
    ONE_RULING,
    RULING,
    RULING_TYPE,
    entry,
    stone,
)  # fmt: skip
from core.sketch import Sketch
from minutebook.checks.log_order import _longest_rising
from minutebook.checks.pairing import Pairing, paired, same_ends
from minutebook.checks.parts import MARKERS, Row, parts, sealed_hash, sealed_text
from minutebook.checks.sealed import Breach, breaches
from minutebook.ground.config import Config
from minutebook.ground.entry import Entry
from minutebook.ground.memory import Memory, read_memory, tree_config
from minutebook.ground.standing import closed_as, says_superseded, successors
from minutebook.ground.tombstone import Tombstone, compose_tombstone, looks_expunged, read_tombstone

ID = "DEC-2026-11-02-01"
SLIGHT = "only white space changed"


def read(tree: Sketch, config: Config | None = None) -> Memory:
    return read_memory(tree.files, ".memory", config or tree_config(tree.files))


def only(text: str, path: str = LOG, mtype: str = "") -> tuple[Entry, Memory]:
    """The first entry of a file with this text."""
    tree = Sketch()
    tree.write(path, text)
    if mtype:
        tree.write(RULING_TYPE, mtype)
    found = read(tree)
    return found.files[path].entries[0], found


# what must stay


@pytest.mark.parametrize(
    ("text", "stays"),
    [
        ("a  \r\nb\t\n", "a\nb"),
        ("a\n\n \n---\n\n", "a"),
        ("a\n * * *\n___\n", "a"),
        ("a\n--\n", "a\n--"),
        ("a\n---\nb", "a\n---\nb"),
        ("  a\n", "  a"),
        ("a\u00a0\n", "a\u00a0"),
        ("a\v\f\n", "a"),
        ("\n\n", ""),
    ],
)
def test_what_must_stay_of_a_text(text: str, stays: str) -> None:
    assert sealed_text(text) == stays
    assert sealed_hash(text) == sha256(stays.encode()).hexdigest()


def test_the_hash_is_that_of_the_bytes() -> None:
    assert sealed_hash("a\udcff\n") == sha256(b"a\xff").hexdigest()


@pytest.mark.parametrize(
    ("old", "new", "at_end"),
    [
        ("x\n", "x\n\n", True),
        ("x\n", "x\n---\r\n", True),
        ("x\ny\n", "x\ny\n---\n", True),
        ("x\n", "x \n", False),
        ("x\n\u00a0\n", "x\n\u00a0 \n", False),
        ("x\n---\u00a0\n", "x\n---\u00a0 \n", False),
        ("x\n---\ny\n", "x\n--- \ny\n", False),
    ],
)
def test_white_space_at_an_end_is_told_from_white_space_within(old: str, new: str, at_end: bool) -> None:
    before, found = only(f"### {ID} — A\n{old}")
    after, _ = only(f"### {ID} — A\n{new}")
    assert list(breaches(before, after, found.types["decision"])) == [Breach(SLIGHT, slight=True, at_end=at_end)]
    assert list(breaches(before, before, found.types["decision"])) == []


def test_an_entry_of_a_log_taken_apart() -> None:
    text = (
        f"### {ID} — A\n\n> OBSOLETE — why\n  > so\n\n\nText. \n**Status:** accepted\n**Date:** 2026-11-02\n"
        "**Source:** session a\n> OBSOLETE\n\nAfter.\n> quoted\n**Superseded by:** DEC-1\n"
        "```\n**Status:** x\n```\n\n---\n"
    )
    entry, found = only(text)
    taken = parts(entry, found.types["decision"])
    assert taken.rows == (
        Row(f"### {ID} — A", 0, 0, False),
        Row("Text.", 6, 3, True),
        Row("**Date:** 2026-11-02", 8, 0, True),
        Row("**Source:** session a", 9, 0, False),
        Row("> OBSOLETE", 10, 0, False),
        Row("After.", 12, 1, False),
        Row("> quoted", 13, 0, False),
        Row("```", 15, 0, True),
        Row("**Status:** x", 16, 0, False),
        Row("```", 17, 0, False),
    )
    assert taken.amended == {
        MARKERS: ("> OBSOLETE — why", "> so"), "status": ("accepted",), "superseded_by": ("DEC-1",)
    }  # fmt: skip
    assert taken.front == {}


def test_an_entry_of_its_own_file_taken_apart() -> None:
    text = (
        "---\nid: one \ntags:\n- a\n\"status\": retracted\n'superseded_by' :\n- x\n\t\n# note\n---\n"
        "> OBSOLETE\n## Problem\n**Status:** x\n"
    ).replace("\t\n", "")
    entry, found = only(text, CASE)
    taken = parts(entry, found.types["case"])
    assert taken.rows == (
        Row("---", 0, 0, False),
        Row("id: one", 1, 0, False),
        Row("tags:", 2, 0, False),
        Row("- a", 3, 0, False),
        Row("# note", 7, 0, True),
        Row("---", 8, 0, False),
        Row("## Problem", 10, 0, True),
        Row("**Status:** x", 11, 0, False),
    )
    assert taken.amended == {MARKERS: ("> OBSOLETE",), "status": ("retracted",), "superseded_by": ("['x']",)}
    assert taken.front == {"id": "one", "tags": ["a"]}


def test_front_matter_of_amendments_alone_is_an_amendment_with_its_fences() -> None:
    entry, found = only("---\nsuperseded_by: two\n---\n# One\n\n## Ruling\nSo.\n", ONE_RULING, RULING)
    taken = parts(entry, found.types["ruling"])
    assert taken.rows == (Row("# One", 3, 0, True), Row("## Ruling", 5, 1, False), Row("So.", 6, 0, False))
    assert (taken.amended, taken.front) == ({"superseded_by": ("two",)}, {})


# which entry is which


def places(found: Pairing) -> dict[str, list[tuple[str, str]]]:
    return {
        "kept": [(old.path, new.path) for old, new in found.kept],
        "gone": [(old.id, old.path) for old in found.gone],
        "new": [(new.id, new.path) for new in found.new],
        "twice": [(new.path, other.path) for new, other in found.twice],
    }


MORE = ".memory/decisions/more.md"
EVERY, SOME, NO = SECOND, SECOND.replace("Every", "Some"), SECOND.replace("Every", "No")


def pair(before: dict[str, str], after: dict[str, str]) -> dict[str, list[tuple[str, str]]]:
    trees = [Sketch(), Sketch()]
    for tree, texts in zip(trees, (before, after), strict=True):
        for path, text in texts.items():
            tree.write(path, text)
    return places(paired(read(trees[0]), read(trees[1])))


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ({LOG: EVERY, DOMAIN: SOME}, {DOMAIN: SOME.replace("hand.", "hand. ")},
         {"kept": [(DOMAIN, DOMAIN)], "gone": [(ID, LOG)]}),
        ({LOG: EVERY, DOMAIN: f"{EVERY}\n{FIRST}"}, {DOMAIN: f"{EVERY} \n{FIRST}"}, {"kept": [(DOMAIN, DOMAIN)]}),
        ({LOG: EVERY, DOMAIN: SOME}, {DOMAIN: NO}, {"kept": [(DOMAIN, DOMAIN)], "gone": [(ID, LOG)]}),
        ({LOG: EVERY, DOMAIN: SOME}, {MORE: NO}, {"kept": [(LOG, MORE)], "gone": [(ID, DOMAIN)]}),
        ({LOG: EVERY}, {DOMAIN: SOME, MORE: NO}, {"kept": [(LOG, DOMAIN)], "twice": [(MORE, DOMAIN)]}),
        ({LOG: EVERY}, {DOMAIN: SOME, MORE: EVERY}, {"kept": [(LOG, MORE)], "twice": [(DOMAIN, MORE)]}),
        ({LOG: EVERY}, {LOG: SOME, MORE: EVERY}, {"kept": [(LOG, MORE)], "twice": [(LOG, MORE)]}),
        ({LOG: f"{THIRD}\n{EVERY}"}, {LOG: f"{THIRD}\n{EVERY.replace(ID, 'DEC-7')}"}, {"kept": [(LOG, LOG)]}),
        ({LOG: EVERY}, {LOG: SOME.replace(ID, "DEC-7")}, {"gone": [(ID, LOG)], "new": [("DEC-7", LOG)]}),
        ({LOG: EVERY, DOMAIN: EVERY}, {LOG: EVERY}, {}),
        ({LOG: EVERY, DOMAIN: SOME}, {LOG: EVERY}, {"gone": [(ID, DOMAIN)]}),
        ({LOG: EVERY}, {LOG: EVERY, DOMAIN: SOME}, {"twice": [(DOMAIN, LOG)]}),
    ],
)  # fmt: skip
def test_entries_are_paired_by_the_best_fit(
    before: dict[str, str], after: dict[str, str], expected: dict[str, list[tuple[str, str]]]
) -> None:
    assert pair(before, after) == {"kept": [], "gone": [], "new": [], "twice": []} | expected


def test_a_file_that_another_type_covers_keeps_nothing() -> None:
    tree = Sketch()
    tree.write("DECISIONS.md", EVERY)
    as_decisions = read(tree, Config(mapped={"decision": ("DECISIONS.md",)}))
    as_events = read(tree, Config(mapped={"event": ("DECISIONS.md",)}))
    found = places(paired(as_decisions, as_events))
    assert found["kept"] == [("DECISIONS.md", "DECISIONS.md")]


@pytest.mark.parametrize(
    ("mine", "theirs", "ends"),
    [("abc", "abc", (3, 0)), ("abc", "ac", (1, 1)), ("aa", "a", (1, 0)), ("ab", "xab", (0, 2)), ("", "a", (0, 0)),
     ("ab", "ba", (0, 0)), ("abcd", "axcd", (1, 2))],
)  # fmt: skip
def test_what_is_the_same_at_both_ends(mine: str, theirs: str, ends: tuple[int, int]) -> None:
    def entries(letters: str) -> list[Entry]:
        return [only(entry(1, letter))[0] for letter in letters]

    assert same_ends(entries(mine), entries(theirs)) == ends


def test_the_longest_rising_places_are_as_many_as_can_be() -> None:
    for values in permutations(range(5)):
        found = sorted(_longest_rising(values))
        kept = [values[at] for at in found]
        assert kept == sorted(kept)
        rising = (size for size in range(5, 0, -1) for each in combinations(values, size) if list(each) == sorted(each))
        assert len(kept) == next(rising)
    assert _longest_rising([]) == set()


# whether it still holds

QUOTED = "**Source:** session a\n> So.\n"


@pytest.mark.parametrize(
    ("text", "path", "word"),
    [
        (FIRST, LOG, ""),
        (f"{FIRST}**Status:** superseded\n", LOG, "superseded"),
        (f"{FIRST}**Status:** Deprecated\n", LOG, "deprecated"),
        (f"{FIRST}**Superseded by:** DEC-2\n", LOG, "superseded"),
        (f"{FIRST}> RETRACTED\n", LOG, "retracted"),
        (f"{FIRST}> see SUPERSEDED\n", LOG, ""),
        (stone(FIRST), LOG, "expunged"),
        ("---\nid: a\ntitle: A\n---\nText.\n> obsolete\n", CASE, "obsolete"),
        ("---\nid: a\ntitle: A\n---\n> Retracted by us\n", CASE, "retracted"),
        ("---\nid: a\ntitle: A\nsuperseded_by: b\n---\nText.\n", CASE, "superseded"),
        ("---\nid: a\ntitle: A\nabstract: |\n  Text.\n  > OBSOLETE\n---\nText.\n", CASE, ""),
        ("# A\n> OBSOLETE\n", CASE, "obsolete"),
        ("# A\n```\n> OBSOLETE\n```\n", CASE, ""),
        ("# A\n**Source:** b\n> OBSOLETE\n", CASE, "obsolete"),
        ("# A\n> quoted\nText > OBSOLETE\n", CASE, ""),
        ("# A\n> OBSOLETE\n> RETRACTED\n", CASE, "obsolete"),
    ],
)
def test_the_word_by_which_an_entry_no_longer_holds(text: str, path: str, word: str) -> None:
    found, holder = only(text, path)
    assert closed_as(found, holder.type_of(found)) == word


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("> OBSOLETE\n", "obsolete"),
        ("  > **RETRACTED**\n", "retracted"),
        (f"{QUOTED}> OBSOLETE\n", ""),
        (f"{QUOTED}  > OBSOLETE\n", ""),
        (f"{QUOTED}  > More.\n> OBSOLETE\n", ""),
        (f"{QUOTED}\n> OBSOLETE\n", "obsolete"),
        (f"{QUOTED}**Ruling:** So.\n> OBSOLETE\n", "obsolete"),
        ("**Ruling:** So.\n> OBSOLETE\n", "obsolete"),
        ("> quoted\nText.\n> OBSOLETE\n", "obsolete"),
        ("> quoted\n> OBSOLETE\n", "obsolete"),
        ("```\n**Source:** a\n```\n> OBSOLETE\n", "obsolete"),
        ("```\n> OBSOLETE\n```\n", ""),
        ("**Ruling:** source\n> OBSOLETE\n", "obsolete"),
        ("a > b\n", ""),
        ("---\na\n---\n> OBSOLETE\n", "obsolete"),
    ],
)
def test_a_marker_counts_where_the_type_knows_no_such_status(text: str, word: str) -> None:
    found, holder = only(f"### RUL-one — One\n{text}", ONE_RULING, RULING.replace("layout: file", "layout: log"))
    assert closed_as(found, holder.type_of(found)) == word


def test_what_says_that_it_supersedes() -> None:
    first, _ = only(f"{THIRD}**Supersedes:** {ID}, dec-2026-11-01-01\n")
    itself, _ = only(f"{FIRST}**Supersedes:** DEC-2026-11-01-01\n")
    mentions, _ = only(f"{THIRD}{ID} is not superseded by this\n")
    assert successors([first, itself, mentions]) == {ID: first, "dec-2026-11-01-01": first}
    names = [ID.casefold(), "dec-2026-11-01-01", "dec-7"]
    assert list(says_superseded(first, names)) == names[:2]
    assert list(says_superseded(itself, names)) == []
    assert list(says_superseded(mentions, names)) == []


# tombstones

STONE = Tombstone("a" * 64, "it's private", "Ada", "2026-11-20")
SAYS = f"> EXPUNGED 2026-11-20 by Ada.\n> reason: it's private\n> sha256 of the text that stood here: {'a' * 64}\n"


@pytest.mark.parametrize(
    ("name", "scalar"),
    [("case-1", "case-1"), ("a.b_c", "a.b_c"), ("2026", "'2026'"), ("it's", "'it''s'"), ("a b", "'a b'"),
     ("null", "'null'"), ("True", "'True'"), ("false", "'false'"), ("YES", "'YES'"), ("no", "'no'"),
     ("on", "'on'"), ("off", "'off'"), ("a:", "'a:'"), ("nullable", "nullable")],
)  # fmt: skip
def test_a_tombstone_of_a_file_names_the_id_so_that_it_is_read_again(name: str, scalar: str) -> None:
    found, _ = only(f'---\nid: "{name}"\ntitle: A\n---\nText.\n', CASE)
    assert compose_tombstone(found, STONE) == f"---\nid: {scalar}\ntitle: Expunged\n---\n{SAYS}"
    again, _ = only(compose_tombstone(found, STONE), CASE)
    assert (again.id, read_tombstone(again)) == (name, STONE)


def test_a_tombstone_in_a_log_keeps_the_level_of_its_heading() -> None:
    found, _ = only(f"  #### {ID} — A # b\nText.\n")
    assert compose_tombstone(found, STONE) == f"#### {ID} — Expunged\n{SAYS}"


@pytest.mark.parametrize(
    ("more", "counts"),
    [("", True), ("\n\n", True), ("\n---\n* * *\n___\n", True), ("\nX\n", False), ("XX\n", False),
     ("\n\t\n", True), ("  \r\n", True), ("\n- a\n", False)],
)  # fmt: skip
def test_a_tombstone_holds_nothing_more(more: str, counts: bool) -> None:
    found, _ = only(f"### {ID} — Expunged\n{SAYS.rstrip()}{more}")
    assert (read_tombstone(found) == STONE) is counts


@pytest.mark.parametrize(
    ("text", "looks"),
    [("> EXPUNGED on some day\n", True), (">**EXPUNGED**\n", True), ("> EXPUNGEDLY\n", False), ("EXPUNGED\n", False),
     ("a > EXPUNGED\n", False), ("> expunged\n", False)],
)  # fmt: skip
def test_what_looks_like_a_tombstone(text: str, looks: bool) -> None:
    assert looks_expunged(only(f"### {ID} — A\n{text}")[0]) is looks
