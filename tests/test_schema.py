"""What is surely valid, and what a pattern is: in agreement with jsonschema and `re`."""

import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from datetime import date
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from referencing.exceptions import Unresolvable

from minutebook.ground import schema as schemas
from minutebook.ground import shipped
from minutebook.ground.foreign_schema import _endless
from minutebook.ground.memory_type import builtin_types
from minutebook.ground.patterns import OURS, Automaton, fault, finder
from minutebook.ground.schema import schema_fault, violations
from minutebook.ground.schema_values import is_day
from minutebook.ground.sure import judge_of

PATTERNS = ["^[a-z]+$", "a|b", r"^\d{2,3}$", "^(x-)?[^a]*$", "b+$", r"\w \s?", "^$", "^.$"]
texts = st.text("ab0 -x\n٣é", max_size=5)
numbers = st.integers(-3, 3) | st.sampled_from([0.0, 1.0, 1.5, -2.0, float("inf")])
scalars = st.none() | st.booleans() | numbers | texts
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=8,
)
KNOWN = {
    "type": st.sampled_from(["string", "array", "object", "integer", "number", "boolean", "null"])
    | st.lists(st.sampled_from(["string", "integer", "null", "array"]), min_size=1, max_size=3, unique=True),
    "enum": st.lists(values, min_size=1, max_size=4),
    "const": values,
    "pattern": st.sampled_from(PATTERNS),
    "minLength": st.integers(0, 3),
    "maxLength": st.integers(0, 4),
    "minItems": st.integers(0, 3),
    "maxItems": st.integers(0, 3),
    "uniqueItems": st.booleans(),
    "minimum": numbers,
    "maximum": numbers,
    "required": st.lists(st.sampled_from("abc"), max_size=2, unique=True),
    "title": st.just("a title"),
    "$ref": st.sampled_from(["#", "#/$defs/a", "#/$defs/date", "#/$defs/nowhere"]),
    "multipleOf": st.sampled_from([1, 2]),
    "minProperties": st.integers(0, 2),
    "contains": st.just({"type": "string"}),
    "if": st.just({"type": "string"}),
    "then": st.just({"minLength": 2}),
}


def within(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    some = st.lists(inner, min_size=1, max_size=3)
    fields = st.dictionaries(st.sampled_from("abc"), inner, max_size=3)
    applied = {
        "properties": fields,
        "additionalProperties": inner,
        "propertyNames": inner,
        "items": inner,
        "prefixItems": some,
        "allOf": some,
        "anyOf": some,
        "oneOf": some,
        "not": inner,
    }
    return st.fixed_dictionaries({}, optional=KNOWN | applied)


leaves = st.booleans() | st.lists(st.sampled_from(sorted(KNOWN)), max_size=3, unique=True).flatmap(
    lambda names: st.fixed_dictionaries({name: KNOWN[name] for name in names})
)
nodes = st.recursive(leaves, within, max_leaves=6)
definitions = st.fixed_dictionaries({"a": nodes, "date": st.just({"title": "a day", "type": "string"}) | nodes})
wholes = st.tuples(nodes, definitions).map(
    lambda pair: {**(pair[0] if isinstance(pair[0], dict) else {"not": {}}), "$defs": pair[1]}
)


def by_jsonschema(value: Any, schema: dict[str, Any]) -> bool | None:
    """Whether jsonschema finds nothing; None when it gives the schema up, as when that refers to nothing. One that
    goes round in circles is not even tried: type files with such are refused, and the depths of jsonschema may panic.
    """
    if "without end" in _endless(schema):
        return None
    try:
        return next(schemas._validator(schema).iter_errors(value), None) is None
    except Unresolvable:
        return None


@settings(max_examples=300, deadline=None)
@given(wholes, values)
@example({"type": "integer"}, True)
@example({"type": "integer"}, 1.0)
@example({"enum": [1]}, True)
@example({"const": [1.0]}, [1])
@example({"uniqueItems": True}, [[1], [True], [1]])
@example({"oneOf": [{}, {"multipleOf": 2}]}, 2)
@example({"$ref": "#/$defs/a", "maxLength": 1, "$defs": {"a": {"type": "string"}}}, "ab")
@example({"not": {"anyOf": [{"multipleOf": 2}, {"type": "string"}]}}, "x")
@example({"items": {"type": "string"}, "prefixItems": [{"type": "integer"}]}, [1, "a"])
@example({"pattern": "^a$"}, "a\n")
@example({"allOf": [{"$ref": "#/$defs/a"}], "$defs": {"a": {"allOf": [{"$ref": "#"}]}}}, 1)
def test_what_is_sure_is_what_jsonschema_says(schema: dict[str, Any], value: Any) -> None:
    verdict = judge_of(schema)(value)
    assume(verdict is not None)
    assert by_jsonschema(value, schema) in (verdict, None)


ENTRY = {
    "type": "decision", "id": "DEC-2026-11-02-01", "title": "Alembic for migrations", "tags": ["database"],
    "abstract": "Every schema change is a migration.", "status": "accepted", "created": "2026-11-02",
    "updated": "2026-11-20 10:00", "verified": "2024-02-29", "date": "2026-11-02",
    "stale": {"since": "2026-11-20", "why": "the file is gone"}, "anchors": ["migrations/**"],
    "sources": [{"session": "0e4c", "turn": 41, "role": "user", "quote": "from now on", "sha256": "9" * 64}],
    "relations": {"related_to": ["DEC-1"], "derived_from": [], "contradicts": []}, "supersedes": "DEC-2026-08-14-02",
    "superseded_by": ["DEC-3"], "unknown": {"of": ["ours"]},
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(builtin_types()))
def test_a_good_entry_of_ours_is_surely_valid(name: str) -> None:
    schema = builtin_types()[name].schema
    texts = {field: "A sentence of its own." for field in schema["required"] if field not in ENTRY}
    assert judge_of(schema)({**texts, **ENTRY, "type": name}) is True


BROKEN = {
    "id": "a b", "title": "A\n" * 200, "abstract": "short", "tags": ["x", "x"], "created": "2026-02-30",
    "stale": {"since": "2026-11-20"}, "sources": [{"session": "s", "turn": True}], "supersedes": 3,
    "relations": {"others": []}, "verified": "2026-11-02\n",
}  # fmt: skip


@pytest.mark.parametrize(("field", "value"), BROKEN.items(), ids=BROKEN)
def test_a_broken_field_of_ours_is_told_in_jsonschemas_words(field: str, value: Any) -> None:
    schema = builtin_types()["summary"].schema
    assert judge_of(schema)({**ENTRY, field: value}) is False
    assert [found.path[0] for found in violations({**ENTRY, field: value}, schema)] == [field]


def test_jsonschema_is_imported_only_when_something_may_be_wrong() -> None:
    script = (
        "import sys\nfrom minutebook.ground.memory_type import builtin_types\n"
        "from minutebook.ground.schema import violations\n"
        "schema = builtin_types()['pattern'].schema\n"
        "good = {'id': 'a', 'title': 'A title', 'abstract': 'It is so and so.', 'created': '2026-11-02'}\n"
        "print(list(violations(good, schema)), 'jsonschema' in sys.modules)\n"
        "print(len(list(violations({'id': 'a'}, schema))), 'jsonschema' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "[] False\n2 True\n"


# Days


@given(st.integers(0, 9999), st.integers(1, 12), st.integers(1, 31))
@example(2026, 2, 31)
@example(2024, 2, 29)
@example(1900, 2, 29)
@example(0, 1, 1)
def test_a_date_is_a_day_that_the_calendar_has(year: int, month: int, day: int) -> None:
    text = f"{year:04}-{month:02}-{day:02}"
    try:
        real = date(year, month, day).isoformat() == text
    except ValueError:
        real = False
    assert is_day(text) is real
    found = list(violations({**ENTRY, "verified": text}, builtin_types()["summary"].schema))
    assert [(each.field, each.message) for each in found] == (
        [] if real else [("verified", f"`verified`: '{text}' is no day that the calendar has")]
    )


def test_a_definition_of_ones_own_that_is_called_date_is_no_day() -> None:
    schema = {"properties": {"when": {"$ref": "#/$defs/date"}}, "$defs": {"date": {"enum": ["2026-02-31", "never"]}}}
    assert list(violations({"when": "2026-02-31"}, schema)) == []


# Patterns


pieces = st.sampled_from(
    ["a", "b", ".", "[ab]", "[^a]", r"\d", r"\W", "^", "$", "(a|b)", "(?:ab)", "", r"\s", "é", "|"]
)
repeats = st.sampled_from(["", "*", "+", "?", "{2}", "{1,2}", "{0,3}", "{,2}", "{2,}", "+?", "*?"])
flat = st.lists(st.tuples(pieces, repeats), max_size=5).map(lambda parts: "".join(a + b for a, b in parts))
nested = st.tuples(flat, flat, repeats, flat).map(lambda parts: f"{parts[0]}({parts[1]}){parts[2]}{parts[3]}")


@settings(max_examples=300, deadline=None)
@given(flat | nested, st.text("ab0é \n", max_size=8))
@example("^$", "")
@example("$^", "")
@example("$^", "a")
@example("a$|^b", "xa")
@example("^a|b$", "ab")
@example("(^a|b)+$", "ab")
@example("(a*)*$", "b")
@example("(|a)+$", "aa")
@example("a{0}b", "b")
def test_a_pattern_is_found_where_re_finds_it(pattern: str, text: str) -> None:
    try:
        meant = re.compile(pattern.replace("$", r"\Z"))
    except re.error:
        assume(False)
    assert finder(pattern)(text) is (meant.search(text) is not None)


EVIL = [
    "(a+)+$", "(a|a)*b", "(a|aa)+$", "^(([a-z])+.)+[A-Z]([a-z])+$", "(.*)*$", "^.*.*.*.*.*=.*$", "a*a*a*a*a*a*b",
    r"\s+$", "(x+x+)+y", "[a-z]{1,30}[a-z]{1,30}[a-z]{1,30}!", r"(\d+)*$", "(a?){20}a{20}",
]  # fmt: skip


@pytest.mark.parametrize("pattern", EVIL)
def test_no_pattern_takes_for_ever(pattern: str) -> None:
    """Under the limit of `adversarial/`, each would take hours with `re`; here they are found or not at once."""
    for piece in ("a", "ab", "x", " ", "1", "a=", "."):
        finder(pattern)((piece * 10_000)[:9_999] + "!")


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("(a+)+$", "for ever"),
        ("(a|a)*b", "for ever"),
        ("^(-[a-z-]+)*$", "for ever"),
        ("(a|b)*a[ab]{14}$", "for ever"),
        ("[ab]*a[ab]{14}$", "too ambiguous"),
        ("(?:){999}" * 3, "for ever"),
        ("a{1,99999}", "repeats too often"),
        ("a" * 1001, "too long"),
        ("(" * 30 + ")" * 30, "for ever"),
        (r"(a)\1", "`|`"),
        ("^(?!a)", "`|`"),
        ("(?<=a)b", "`|`"),
        (r"\ba", "`|`"),
        ("(?i)a", "`|`"),
        ("(?>a+)b", "`|`"),
        ("a++b", "`|`"),
        ("[", "not a 'regex'"),
        ("[[a]", "not a 'regex'"),
        ("^[a-z0-9]+(-[a-z0-9]+)*$", ""),
        (r"^[A-Z]{2,5}-\d+(\.\d+)?$", ""),
        ("^(low|medium|high)$", ""),
        (r"^[^@\s]+@[^@\s]+\.[a-z]{2,}$", ""),
    ],
)
def test_a_pattern_of_ones_own_is_judged_before_it_is_used(pattern: str, words: str) -> None:
    assert words in fault(pattern)
    assert bool(fault(pattern)) is bool(words)
    assert (schema_fault({"properties": {"a": {"pattern": pattern}}}) == "") is (words == "")


# Schemas of one's own


def doubling(depth: int) -> dict[str, Any]:
    names = [f"d{number}" for number in range(depth)]
    twice = {a: {"anyOf": [{"$ref": f"#/$defs/{b}"}] * 2} for a, b in pairwise(names)}
    return {"properties": {"a": {"$ref": "#/$defs/d0"}}, "$defs": {**twice, names[-1]: {"type": "integer"}}}


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        (doubling(30), "more than 500 times"),
        ({"items": {"$ref": "#"}, "anyOf": [{"items": {"$ref": "#"}}] * 3}, "more than 500 times"),
        ({"allOf": [{"$ref": "#"}]}, "itself without end"),
        ({"properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"not": {"$ref": "#/$defs/a"}}}}, "without end"),
        ({"properties": {str(number): {"title": "x"} for number in range(2000)}}, "more than 1000 parts"),
        ({"anyOf": [{"pattern": f"^{number}"} for number in range(30)]}, "more than 20 patterns"),
        ({"$ref": "other.json"}, "nothing is fetched"),
        ({"$dynamicRef": "https://example.org/x.json"}, "nothing is fetched"),
        ({"$ref": "#/properties/a"}, "in `$defs` at the top"),
        ({"properties": {"a": {"$id": "https://example.org/x.json"}}}, "`$id` is not read"),
        ({"properties": {"a": {"$schema": "http://json-schema.org/draft-07/schema#"}}}, "`$schema` is not read"),
        ({"patternProperties": {"(a+)+$": {}}}, "`patternProperties` is not read"),
        ({"properties": {"$id": {"type": "string"}, "$ref": {"type": "string"}}}, ""),
        ({"$schema": "https://json-schema.org/draft/2020-12/schema", "properties": {}}, ""),
        ({"properties": {"a": {"items": {"$ref": "#"}}}}, ""),
        (doubling(7), ""),
    ],
)  # fmt: skip
def test_a_schema_that_can_take_for_ever_or_leads_outside_is_refused(schema: dict[str, Any], words: str) -> None:
    assert words in schema_fault(schema)
    assert bool(schema_fault(schema)) is bool(words)


def test_values_without_number_are_one_violation() -> None:
    schema = builtin_types()["summary"].schema
    (found,) = violations({**ENTRY, "tags": [{}] * 20_000}, schema)
    assert found.message == "it holds more than 10000 values"
    assert len(list(violations({**ENTRY, "anchors": [3] * 5_000}, schema))) == 100


def test_items_that_are_alike_are_found_in_time() -> None:
    schema = {"uniqueItems": True}
    assert list(violations([{"a": number} for number in range(4_000)], schema)) == []
    (found,) = violations([*({"a": number} for number in range(4_000)), {"a": 7}], schema)
    assert found.keyword == "uniqueItems"
    assert len(list(violations([[1], [True], [1.0]], schema))) == 1  # which jsonschema's own way of sorting misses
    assert list(violations([[1], [True], ["1"], {"1": 1}, {"1": True}], schema)) == []


def test_a_schema_of_another_draft_brings_no_keywords_back() -> None:
    schema = {"$schema": "http://json-schema.org/draft-07/schema#", "items": {"$ref": "#"}, "pattern": "^a$"}
    assert [found.keyword for found in violations(["a\n"], schema)] == ["pattern"]


def patterns_in(value: object) -> Iterator[str]:
    inner: Iterable[object] = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    if isinstance(value, dict) and isinstance(value.get("pattern"), str):
        yield value["pattern"]
    for each in inner:
        yield from patterns_in(each)


def test_the_patterns_that_re_is_trusted_with_are_those_of_the_built_in_types() -> None:
    assert {*patterns_in(shipped.ENTRY), *patterns_in(shipped.TYPES)} == OURS
    assert [fault(pattern) for pattern in sorted(OURS)] == [""] * len(OURS)


@given(st.sampled_from(sorted(OURS)), st.text("0123456789-TZ .:+azAZ_\n", max_size=14) | st.text(max_size=3))
@example(min(OURS), "2026-11-02")
@example(min(OURS), "2026-11-02\n")
def test_re_finds_in_them_what_the_automaton_finds(pattern: str, text: str) -> None:
    assert finder(pattern)(text) == Automaton(pattern).found_in(text)
