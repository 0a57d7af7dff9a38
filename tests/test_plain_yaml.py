"""The reader without a YAML library: what it reads is what libyaml reads, and what it leaves alone it leaves to it."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from minutebook.ground import libyaml
from minutebook.ground.front_matter import compose, split
from minutebook.ground.plain_yaml import read_plain
from minutebook.ground.strict_yaml import MAX_BYTES, Plain, StrictYamlError

CHECKOUT = Path(__file__).parents[1]
ENTRY = """type: pattern
id: pattern-x
title: "How we: migrate"
abstract: Every schema change can be undone.
tags: [database, 'a b', "two words"]
anchors:
  - src/**
  - '**/x.py'
stale:
  since: 2026-11-02
  why: it's gone
sources:
- session: 0e4c
  turn: 41
  quote: 'it''s so'
- session: 77aa

# the end
relations:
    related_to: [DEC-1]
    derived_from: []
note:
seen: {by: ada, on: '2026-11-02', why: so it is}
url: https://example.org/a#b?c=d
"""


def kinds(value: Any) -> Any:
    """The value with the class of every scalar, and the order of the keys."""
    if isinstance(value, dict):
        return [(key, kinds(item)) for key, item in value.items()]
    if isinstance(value, list):
        return [kinds(item) for item in value]
    return (type(value), value)


def agrees(text: str) -> bool:
    """Whether the text is read; if so, as libyaml reads it: values, what is quoted, and lines."""
    lines: dict[tuple[str | int, ...], int] = {}
    found = read_plain(text, lines, 7)
    if found is None:
        return False
    document = libyaml.read(text, 7)
    assert kinds(found) == kinds(document.value)
    assert lines == document.lines
    assert kinds(read_plain(text)) == kinds(found)
    return True


def test_front_matter_as_people_write_it_is_read() -> None:
    assert agrees(ENTRY)
    found = read_plain(ENTRY) or {}
    assert (type(found["type"]), type(found["title"])) == (Plain, str)
    assert found["sources"] == [{"session": "0e4c", "turn": "41", "quote": "it's so"}, {"session": "77aa"}]


LEFT = [
    "a: 1\na: 2", "a: &x 1", "a: *x", "a: !t 1", "<<: 1", "1: x", "null: x", "True: x", "? a", "- a", "a", "a:\n  b",
    "a: b: c", "a: b #c", "a: 'b' # c", "a: |\n  b", "a: >\n  b", "a: {b: c, b: d}", "a: {b}", "a: {b:c}", "a: {b: }",
    "a: {'b': c}", "a: {b: c: d}", "a: {b: {c: d}}", "a: {b: c", "a: [b: c]", "a: [b, ]",
    "a: [b\n  , c]", "a: b\n  c", "a: b\n  c: d", "a: 'b\n  c'", "a: \"\\n\"", "a: 'b", "a: 'b'c", "\ta: b", "a:\tb",
    "a: b\tc", "a: b\r\n", "a: b\x85c", "a: b\u2028c", "\ufeffa: b", "a: b\x00", "a: b\ud800", "a: b\u200bc",
    "---\na: b", "a: b\n...", "%YAML 1.2", " a: b", "a:\n- b\n c: d", "a:\n  - b\n - c", "a:\n  - b\n    - c",
    "a:\n  - - b", "a:\n  -", "a:\n  b: c\n d: e", "a:b", "a :b", "'a': b", "a b: c", "a: @b", "a: `b", "a: %b",
    "a: -b", "a: ?b", "a: [a?b]", "a: [a#b]", "a: ['a, b']", "a:\n  b: 1\n  b: 2", "a:\n- b: 1\n  b: 2",
    "a:\n- b: 1\n c: 2", f"a: {'x' * MAX_BYTES}", "é: b", "-a: b", "a: b:",
    "".join(f"{' ' * n}a:\n" for n in range(40)),
]  # fmt: skip


@pytest.mark.parametrize("text", LEFT, ids=lambda text: repr(text[:20]))
def test_what_is_not_surely_read_the_same_is_left_to_libyaml(text: str) -> None:
    assert read_plain(text) is None


FILES = sorted(
    path
    for folder in ("tests", "schemas", "ci", ".")
    for path in (CHECKOUT / folder).glob("*.md" if folder == "." else "**/*")
    if path.suffix in (".md", ".yaml", ".yml", ".json")
)


def test_the_files_of_this_repository_are_read_as_libyaml_reads_them() -> None:
    read = 0
    for path in FILES:
        text = path.read_bytes().decode("utf-8", "replace")
        found = split(text)
        texts = [found[0]] if found is not None else text.split("\n---\n") if path.suffix != ".md" else []
        read += sum(agrees(each) for each in texts)
    assert read > 20


indents = st.sampled_from(["", "", "", " ", "  ", "  ", "    ", "      "])
keys = st.sampled_from(["a: ", "b: ", "c:", "d-e: ", "f:  ", "null: ", "7: ", "- ", "- a: ", "- b:", "-   c: ", "", ""])
values = st.sampled_from(
    ["x", "x y", "'q'", "'it''s'", '"dq"', "[a, b]", "[]", "[ ]", "['a', \"b\", c/**]", "[a,, b]", "[a: b]", "[a b,]",
     "1", "~", "no", "a:b", "a: b", "a #b", "a# b", "x:", "-5", "- x", "é ü", "", "", " ", "'a' # c", "# c", "|", ">-",
     '["a, b"]', "['a, b']", "['''', x]", "['a'', b']", "(x)", "<<", "=", "...", "---", "a?b", "[a?b]", "[x] ", "'a",
     "a'b", "[a'b, c]", '[a"b]', "*x", "&x", "!t", "{a: b}", "{ a: b,c: 'd e' }", "{}", "{a: 'b: c'}", "{a: b, a: c}",
     "{a: ''}", "{null: a}", "{a: b}x", "\u2028", "\x85", "\t", "x\tx", "x\r", "🎉", "“x”"]
)  # fmt: skip
rows = st.tuples(indents, keys, values, st.sampled_from(["\n", "\n", "\n", " \n", "\n\n", "\n# c\n", "\n  # c\n", ""]))
structured = st.lists(rows.map("".join), max_size=9).map("".join)
word = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | values
composed = st.dictionaries(
    st.from_regex(r"[a-z]{1,3}(-[a-z])?", fullmatch=True),
    word | st.lists(word, max_size=3)
    | st.lists(st.fixed_dictionaries({"session": word, "turn": st.integers()}), max_size=2)
    | st.dictionaries(st.sampled_from(["x", "y"]), word | st.lists(word, max_size=2), max_size=2),
    max_size=5,
).map(lambda fields: (split(compose(fields, "")) or ("",))[0])  # fmt: skip


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """Front matter as minutebook writes it or as in ENTRY, with something put in place of a part of it."""
    text = draw(composed | st.just(ENTRY) | structured)
    at = draw(st.integers(0, len(text)))
    end = min(len(text), at + draw(st.integers(0, 3)))
    put = draw(st.sampled_from(["", "", " ", "  ", "\n", ":", "#", "'", '"', "-", "[", "]", ",", "\t", "a: b\n", "?"]))
    return text[:at] + put + text[end:]


@settings(max_examples=1500, deadline=None)
@given(structured | composed | mutated() | st.text(max_size=30))
@example("a: ''''\nb: ['''']\n")
@example("a:\n- b:\n  - c\n- d\ne: f")
def test_any_text_is_read_as_libyaml_reads_it_or_left_alone(text: str) -> None:
    try:
        agrees(text)
    except StrictYamlError as error:
        raise AssertionError(f"read, though libyaml refuses it: {error}") from error
