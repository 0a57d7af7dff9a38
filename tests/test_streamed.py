"""One large JSON document, read member by member: what it says is what json.loads says, whatever is wrong with it."""

import hashlib
import io
import json
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minutebook.ground.errors import CannotJudge
from minutebook.transcripts.building import DEEPEST, TEXT_MOST
from minutebook.transcripts.mending import STRING_KEPT
from minutebook.transcripts.records import LINE_MOST, PARTS_MOST, RecordStream
from minutebook.transcripts.streamed import members, shape

C_BACKEND, NAMES = "ijson.backends.yajl2_c", ("messages", "id", "about")


@pytest.fixture(params=["c", "python"])
def backend(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Each parser in turn: the one in Python is what there is where no C one was built."""
    if request.param == "python":
        monkeypatch.setitem(sys.modules, C_BACKEND, None)
    else:
        pytest.importorskip(C_BACKEND)
    return str(request.param)


def read(content: bytes, *names: str) -> tuple[list[tuple[str, int, Any]], dict[str, int]]:
    stream = RecordStream(io.BytesIO(content))
    found = list(members(stream, names or NAMES))
    assert stream.sha256() == hashlib.sha256(content).hexdigest()
    return found, dict(stream.skipped)


@pytest.mark.parametrize(
    ("content", "found", "skipped"),
    [
        (b'{"id": "s", "messages": [{"a": 1}]}', [("id", 0, "s"), ("messages", 1, {"a": 1})], {}),
        (b'\xef\xbb\xbf{"messages": [{"a": 1}]}\r\n', [("messages", 1, {"a": 1})], {}),
        (b'{"messages": [{"a": 1}, {"a": 2}], "messages": [{"a": 3}], "id": "s"}', [
            ("messages", 1, {"a": 1}), ("messages", 2, {"a": 2}), ("messages", 1, {"a": 3}), ("id", 0, "s")], {}),
        (b'{"messages": [{"a": 1, "a": 2}]}', [("messages", 1, {"a": 2})], {}),
        (b'{"other": {"messages": [{"a": 1}]}, "about": {"id": [1, {"b": null}]}}',
            [("about", 0, {"id": [1, {"b": None}]})], {}),
        (b'{"messages": [{"a": 1}, {"a": 2}, {"a": "cut sho', [("messages", 1, {"a": 1}), ("messages", 2, {"a": 2})],
            {"truncated": 1}),
        (b'{"messages": [{"a": 1}}', [("messages", 1, {"a": 1})], {"broken": 1}),
        (b'{"messages": [{"a": 1}]}{"messages": [{"a": 2}]}', [("messages", 1, {"a": 1})], {"broken": 1}),
        (b'{"messages": [1, [2], "x", {"a": 1}, null]}', [("messages", 4, {"a": 1})], {"not-an-object": 4}),
        (b'{"messages": "none", "id": [{"a": 1}]}', [("messages", 0, "none"), ("id", 1, {"a": 1})], {}),
        (b'{"messages": [{"a": NaN, "b": -Infinity, "c": Infinity}]}',
            [("messages", 1, {"a": None, "b": None, "c": None})], {}),
        (b'{"messages": [{"a": -1.5e3, "b": 1E+2, "c": -0, "d": 12345678901234567890}]}',
            [("messages", 1, {"a": -1500.0, "b": 100.0, "c": 0, "d": 12345678901234567890})], {}),
        (b'{"messages": [{"a": "\\ud800x\\udc00\\ud83d\\ude00"}]}',
            [("messages", 1, {"a": "\ufffdx\ufffd\U0001f600"})], {}),
        (b'{"messages": [{"a": "x\ny\tz\x00"}]}', [("messages", 1, {"a": "x\ny\tz\x00"})], {}),
        (b'{"messages": [{"a": "C:\\work \\u12 \\q"}]}', [("messages", 1, {"a": "C:\\work \\u12 \\q"})], {}),
        (b'{"messages": [{"a": "\xff\xc3("}]}', [("messages", 1, {"a": "\ufffd\ufffd("})], {}),
        (b"", [], {"truncated": 1}),
        (b"[", [], {"truncated": 1}),
        (b"{]", [], {"broken": 1}),
        (b"null", [], {}),
    ],
)  # fmt: skip
def test_what_is_wrong_is_mended_or_counted(
    backend: str, content: bytes, found: list[tuple[str, int, Any]], skipped: dict[str, int]
) -> None:
    assert read(content) == (found, skipped)


def test_a_list_is_the_member_without_a_name(backend: str) -> None:
    assert read(b'[{"a": 1}, 2, {"b": [3]}]', "") == ([("", 1, {"a": 1}), ("", 3, {"b": [3]})], {"not-an-object": 1})


def test_long_strings_are_shortened_and_the_longest_skipped(backend: str) -> None:
    long, longest = 'x\\"' * STRING_KEPT, "y" * LINE_MOST
    content = json.dumps({"messages": [{"a": long, "b": "kept"}, {"a": longest, "b": "kept"}]}).encode()
    found, skipped = read(content)
    (_, _, first), (_, _, second) = found
    assert long.startswith(first["a"][:-1])
    assert len(first["a"]) > STRING_KEPT // 3
    assert (first["b"], second, skipped) == ("kept", {"a": "", "b": "kept"}, {"too-long": 1})


def test_a_message_is_kept_within_bounds() -> None:
    texts = ["z" * STRING_KEPT] * (TEXT_MOST // STRING_KEPT + 2)
    deep = json.loads("[" * (DEEPEST + 5) + "]" * (DEEPEST + 5))
    found, skipped = read(json.dumps({"messages": [{"a": texts, "b": deep, "c": 1}]}).encode())
    assert (sum(map(len, found[0][2]["a"])), found[0][2]["c"]) == (TEXT_MOST, 1)
    assert skipped == {"too-long": 1, "too-deep": 1}
    found, skipped = read(b'{"messages": [{"a": [' + b"[]," * PARTS_MOST + b"0]}]}")
    assert (len(found[0][2]["a"]) < PARTS_MOST, skipped) == (True, {"too-many-parts": 1})


@pytest.mark.parametrize("unit", ["[", "{},", '{"a": [' + "[]," * 2**21], ids=["depth", "tiny", "parts"])
def test_noise_is_left_and_counted(unit: str) -> None:
    found, skipped = read(b'{"messages": [' + unit.encode() * (2**20 if len(unit) < 9 else 1))
    assert skipped["unread"] == 1
    assert len(found) < 2**17


def test_a_number_of_thousands_of_digits_is_cut_wherever_it_lies() -> None:
    for before in (0, 2**20 - 50, 2**20 - 5000):
        content = b'{"messages": [{"a": "' + b"x" * before + b'", "b": ' + b"9" * 9000 + b', "c": 1}]}'
        ((_, _, message),) = read(content)[0]
        assert (message["b"] > 10**200, message["c"]) == (True, 1)


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=20,
)


class Pieces(RecordStream):
    """A stream whose chunks are exactly these."""

    def __init__(self, pieces: list[bytes]) -> None:
        super().__init__(())
        self._pieces = pieces

    def chunks(self) -> Iterator[bytes]:
        yield from self._pieces


@settings(deadline=None)
@given(st.lists(st.dictionaries(TEXT, VALUES), max_size=4), st.booleans(), st.lists(st.integers(0, 300), max_size=4))
def test_what_is_read_is_what_json_says_however_it_is_cut(given: list[Any], escaped: bool, cuts: list[int]) -> None:
    content = json.dumps({"messages": given}, ensure_ascii=escaped).encode()
    places = sorted({min(cut, len(content)) for cut in cuts})
    pieces = [content[a:b] for a, b in zip([0, *places], [*places, len(content)], strict=True)]
    found = [value for _, number, value in members(Pieces(pieces), NAMES) if number]
    assert found == json.loads(content)["messages"]


@settings(deadline=None)
@given(st.binary(max_size=200), st.sampled_from([b"", b'{"messages":[{"a":"', b'[{"a":', b'{"id":']))
def test_no_bytes_crash_it(noise: bytes, start: bytes) -> None:
    read(start + noise)
    assert isinstance(shape(start + noise), dict)


def test_the_beginning_shows_what_it_can() -> None:
    head = b'{"id": "s", "about": {"a": 1}, "messages": [{"a": 1}, {"b": {"c": "is cut'
    assert shape(head) == {"id": "s", "about": {"a": 1}, "messages": [{"a": 1}, {"b": {"c": "is cut"}}]}
    assert shape(b"# prose {}") == {}


def test_without_ijson_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ijson", None)
    with pytest.raises(CannotJudge, match="maintain") as caught:
        read(b"{}")
    assert caught.value.hint == "pip install 'minutebook[maintain]'"
