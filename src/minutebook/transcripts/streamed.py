"""Formats that are one JSON object or one list, read member by member: what is in memory is one message at a time.

The only module that imports ijson, inside its function: its C backend where there is one, else the one in Python.
"""

import re
from collections.abc import Callable, Collection, Iterator
from itertools import chain, islice
from typing import Any

from minutebook.ground.errors import CannotJudge
from minutebook.transcripts.building import ENDS, KEY_MOST, STARTS, Building
from minutebook.transcripts.decoding import Json
from minutebook.transcripts.mending import STRING_KEPT, mended
from minutebook.transcripts.records import RecordStream

_MANY, _LEAST = 20_000, 200
"""More elements than this, of fewer bytes than that, are no messages: an id and a time take as much."""
_DEEPEST_OF_ALL = 10_000
_SLICE = 2**16
_HEAD_MEMBERS = 200
_LINE_MOST = 1000
_OPENS = re.compile(rb"(?:\xef\xbb\xbf)?\s*[{\[]")
_COLOUR = re.compile(rb"\x1b\[[0-9;]{0,20}m")
_HINT = "pip install 'minutebook[maintain]'"
Event = tuple[str, Any]
Member = tuple[str, int, Any]
"""Name, place in the list (from 1; 0 for what stands in no list), value."""


def members(stream: RecordStream, wanted: Collection[str], words: bytes = b"") -> Iterator[Member]:
    """The members of the object that the file is, in their order: of a list its objects one by one, else the value.
    A file that is a list is the member "". Only names in `wanted` are built. A first line that starts with `words` is
    passed over.

    Counted in `stream.skipped`: `truncated` and `broken` (what comes after isn't read, what was read stays),
    `too-long` strings, `too-deep` and `too-many-parts` values (left out of their message), `not-an-object`, and
    `unread` where the rest was left, since no transcript looks so. Raises CannotJudge where ijson is missing.
    """
    return _walked(stream, _Walk(stream, wanted), words)


def after_words(chunk: bytes, words: bytes) -> bytes:
    """The beginning of a file without a first line that starts with `words`, if there are any; a terminal may have
    coloured them."""
    first, broken, rest = chunk[:_LINE_MOST].partition(b"\n")
    opens = bool(words and broken) and _COLOUR.sub(b"", first).startswith(words)
    return rest + chunk[_LINE_MOST:] if opens else chunk


def _walked(stream: RecordStream, walk: "_Walk", words: bytes = b"") -> Iterator[Member]:
    size, chunks = 0, stream.chunks()
    if words:
        chunks = chain((after_words(next(chunks, b""), words),), chunks)
    for events in _events(stream, chunks):
        for event, value in events:
            found = walk.take(event, value)
            if found is not None:
                yield found
        size += _SLICE
        if walk.is_noise(size):
            stream.skipped["unread"] += 1
            break
    for _ in chunks:
        pass


def shape(head: bytes) -> Json:
    """The members that the beginning of a file shows: of a list the first objects. The last of them may lack what
    the beginning doesn't show. For `sniff`."""
    seen: Json = {}
    if not starts_as_json(head):
        return seen
    stream = RecordStream([head])
    walk = _Walk(stream, _Everything())
    found = list(islice(_walked(stream, walk), _HEAD_MEMBERS))
    for name, number, value in (*found, *walk.half()):
        if number:
            seen.setdefault(name, []).append(value)
        else:
            seen[name] = value
    return seen


def starts_as_json(head: bytes) -> bool:
    """Whether a file is JSON and no prose: records may quote a whole page of prose."""
    return _OPENS.match(head) is not None


class _Everything(Collection[str]):
    def __contains__(self, name: object) -> bool:
        return True

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


class _Walk:
    """Where in the document the parser is. Outside a value of a member, `_depth` counts what is open around."""

    __slots__ = ("_depth", "_listed", "_name", "_number", "_passing", "_stream", "_value", "_wanted")

    def __init__(self, stream: RecordStream, wanted: Collection[str]) -> None:
        self._stream, self._wanted = stream, wanted
        self._name, self._number, self._depth, self._passing = "", 0, 0, 0
        self._listed = False
        self._value: Building | None = None

    def take(self, event: str, value: Any) -> Member | None:
        """The member that is whole with this event, if one is."""
        if self._value is not None:
            return self._built(event, value)
        if self._passing:
            self._passing += (event in STARTS) - (event in ENDS)
        elif event == "map_key":
            self._name, self._number = value[:KEY_MOST], 0
        elif event in ENDS:
            self._depth, self._listed = self._depth - 1, False
        elif not self._depth:
            self._depth, self._listed = 1, event == "start_array"
        elif self._listed:
            self._element(event, value)
        else:
            return self._member(event, value)
        return None

    def is_noise(self, size: int) -> bool:
        """Whether the rest can be left, by what the first `size` bytes were."""
        built = self._value.passed() if self._value is not None else 0
        tiny = self._number > _MANY and self._number * _LEAST > size
        return tiny or max(self._passing, built) > _DEEPEST_OF_ALL

    def half(self) -> list[Member]:
        """The member that isn't whole yet, if one is begun."""
        return [(self._name, self._number, self._value.half())] if self._value is not None else []

    def _member(self, event: str, value: Any) -> Member | None:
        if event == "start_array":
            if self._name in self._wanted:
                self._depth, self._listed = self._depth + 1, True
            else:
                self._passing = 1
        elif event == "start_map" and self._name in self._wanted:
            self._begin(event, value)
        elif event == "start_map":
            self._passing = 1
        elif self._name in self._wanted:
            return self._name, 0, value[:STRING_KEPT] if isinstance(value, str) else value
        return None

    def _element(self, event: str, value: Any) -> None:
        self._number += 1
        if event == "start_map" and self._name in self._wanted:
            self._begin(event, value)
            return
        self._passing = int(event in STARTS)
        if event != "start_map":
            self._stream.skipped["not-an-object"] += 1

    def _begin(self, event: str, value: Any) -> None:
        self._value = Building()
        self._value.take(event, value)

    def _built(self, event: str, value: Any) -> Member | None:
        built = self._value
        if built is None or not built.take(event, value):
            return None
        self._value = None
        self._stream.skipped.update(built.lacks)
        return self._name, self._number, built.whole


def _events(stream: RecordStream, chunks: Iterator[bytes]) -> Iterator[list[Event]]:
    """What the parser says, a slice of the file at a time."""
    events, send, close = _parser()
    for piece in mended(chunks, stream.skipped):
        for at in range(0, len(piece), _SLICE):
            whole = send(piece[at : at + _SLICE])
            yield events
            events.clear()
            if not whole:
                stream.skipped["broken"] += 1
                return
    whole = close()
    yield events
    if not whole:
        stream.skipped["truncated"] += 1


def _parser() -> tuple[list[Event], Callable[[bytes], bool], Callable[[], bool]]:
    """Where events come, what takes bytes, what ends the document: both say whether all is well."""
    try:
        import ijson  # type: ignore[import-untyped]
    except ImportError:
        raise CannotJudge("reading this transcript needs the maintain extra", _HINT) from None
    try:
        backend = ijson.get_backend("yajl2_c")
    except ImportError:
        backend = ijson.get_backend("python")
    events = ijson.sendable_list()
    parser = backend.basic_parse_coro(events)
    broken = (ijson.JSONError, ValueError, ArithmeticError)  # the last for 1e99999999999999999999

    def send(piece: bytes) -> bool:
        try:
            parser.send(piece)
        except broken:
            return False
        return True

    def close() -> bool:
        try:
            parser.close()
        except broken:
            return False
        return True

    return events, send, close
