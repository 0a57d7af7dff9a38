"""YAML read strictly; the cases of hostile and of careless YAML."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minutebook.ground.strict_yaml import MAX_BYTES, StrictYamlError, load, typed

STRING = {"type": "string"}


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("a: 1\na: 2\n", 2, "twice"),
        ("a:\n  b: 1\n  b: 2\n", 3, "twice"),
        ("a: 1\n'a': 2\n", 2, "twice"),
        ("a: &x 1\nb: *x\n", 1, "anchors"),
        ("a: 1\nb: *x\n", 2, "anchors"),
        ("a: &x [1]\n", 1, "anchors"),
        ("a: !!python/object:os.system x\n", 1, "tags"),
        ("a: !!str x\n", 1, "tags"),
        ("a: 1\n!!map b: 2\n", 2, "tags"),
        ("<<: {a: 1}\n", 1, "key"),
        ("1: x\n", 1, "quote it: '1'"),
        ("null: x\n", 1, "key"),
        ("true: x\n", 1, "key"),
        ("? [a]\n: x\n", 1, "key"),
        ("? {a: 1}\n: x\n", 1, "key"),
        ("a: 1\n---\nb: 2\n", 2, "more than one"),
        ("- a\n", 1, "key: value"),
        ("just words\n", 1, "key: value"),
        ("a: 1\nb: [1, 2\nc: 3\n", 3, "not YAML"),
        ("a: 1\nb: 'x\n", 3, "not YAML"),
        ("a: 1\n\tb: 2\n", 2, "not YAML"),
        ("a: 1\nb: \x00\n", 2, "not YAML"),
        ("a: 1\nb: \udc80\n", 2, "not UTF-8"),
    ],
)  # fmt: skip
def test_refused_with_its_line(text: str, line: int, words: str) -> None:
    with pytest.raises(StrictYamlError, match=words) as caught:
        load(text)
    assert caught.value.line == line


DEEP = ["a: " + "[" * 10_000, "a: " + "{b: " * 10_000, "a:\n" + "".join(" " * n + "- \n" for n in range(1, 200))]


@pytest.mark.parametrize("bomb", DEEP)
def test_depth_bombs_are_refused(bomb: str) -> None:
    with pytest.raises(StrictYamlError):
        load(bomb)


def test_depth_and_size_have_a_bound_and_what_is_within_is_read() -> None:
    assert load("a: " + "[" * 31 + "]" * 31).value
    with pytest.raises(StrictYamlError, match="deeper"):
        load("a: " + "[" * 33 + "]" * 33)
    with pytest.raises(StrictYamlError, match="more than"):
        load("a: " + "x" * MAX_BYTES)


def test_the_billion_laughs_are_refused_at_the_first_anchor() -> None:
    text = "a: &a [x]\n" + "".join(f"{b}: &{b} [*{a},*{a},*{a}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True))
    with pytest.raises(StrictYamlError) as caught:
        load(text)
    assert caught.value.line == 1


WORDS = ["no", "yes", "on", "off", "012", "1e3", "0x1F", "1_000", "2026-11-02", "1:30", "+5", "true", "3"]


@pytest.mark.parametrize("word", WORDS)
def test_words_stay_strings_where_the_schema_says_string(word: str) -> None:
    schema = {"properties": {"a": STRING, "b": {"items": STRING}, "c": {"anyOf": [STRING, {"type": "array"}]}}}
    assert typed(load(f"a: {word}\nb: [{word}]\nc: {word}\n").value, schema) == {"a": word, "b": [word], "c": word}


@pytest.mark.parametrize("word", ["no", "yes", "012", "1e3", "2026-11-02", "1:30", "0x1F"])
def test_words_stay_strings_where_the_schema_says_nothing(word: str) -> None:
    assert typed(load(f"a: {word}\n").value, {}) == {"a": word}


def test_what_the_schema_says_is_found_behind_references() -> None:
    schema = {
        "properties": {"a": {"$ref": "#/$defs/ids"}, "b": {"anyOf": [{"$ref": "#/$defs/word"}, {"type": "integer"}]}},
        "$defs": {"ids": {"items": {"$ref": "#/$defs/word"}}, "word": STRING, "loop": {"$ref": "#/$defs/loop"}},
    }
    assert typed(load("a: [12]\nb: 12\n").value, schema) == {"a": ["12"], "b": "12"}
    assert typed(load("a: 12\n").value, {**schema, "properties": {"a": {"$ref": "#/$defs/loop"}}}) == {"a": 12}


def test_numbers_and_truth_where_the_schema_asks_for_them() -> None:
    schema = {"properties": {"n": {"type": "integer"}, "x": {"type": "number"}, "t": {"type": "boolean"}}}
    assert typed(load("n: 12\nx: 1.5e1\nt: true\nu: 7\nv: false\nw: ~\n").value, schema) == {
        "n": 12, "x": 15.0, "t": True, "u": 7, "v": False, "w": None,
    }  # fmt: skip
    assert typed(load("n: '12'\nt: 'true'\n").value, schema) == {"n": "12", "t": "true"}


@pytest.mark.parametrize("separator", ["\u2028", "\u2029", "\x85"])
def test_lines_are_counted_on_line_feeds_alone(separator: str) -> None:
    document = load(f'a: "x{separator}y{separator}z"\nb: 1\nc: 2\n', first_line=2)
    assert (document.lines[("b",)], document.lines[("c",)]) == (3, 4)
    with pytest.raises(StrictYamlError) as caught:
        load(f'a: "x{separator}y"\nb: 1\nb: 2\n', first_line=2)
    assert caught.value.line == 4


def test_lines_lead_to_keys_and_items() -> None:
    lines = load("a: 1\nb:\n  - x\n  - y: 2\n", first_line=10).lines
    assert (lines[("a",)], lines[("b", 0)], lines[("b", 1, "y")]) == (10, 12, 13)


@pytest.mark.parametrize("empty", ["", "\n", "# only a comment\n", "---\n", "~\n"])
def test_nothing_is_an_empty_mapping(empty: str) -> None:
    assert load(empty).value == {}


@given(st.text(max_size=80))
def test_any_text_is_read_or_refused_with_a_line_of_its_own(text: str) -> None:
    try:
        line = max(load(text).lines.values(), default=1)
    except StrictYamlError as error:
        line = error.line
    assert 1 <= line <= text.count("\n") + 2


names = st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=1, max_size=10)
strings = st.text(st.characters(exclude_categories=["Cs"], max_codepoint=0xFFFF), max_size=20)
quoted = st.recursive(strings, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3))


@given(st.dictionaries(names, quoted, max_size=4))
def test_json_strings_are_yaml_of_the_same_value(value: dict[str, Any]) -> None:
    assert typed(load(json.dumps(value)).value, {}) == value
