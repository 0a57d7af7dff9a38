"""JSON in and out, fast: of a line only what a reader asks for is built, and what it keeps has one spelling."""

from collections.abc import Callable
from types import UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints, is_typeddict

from minutebook.ground.errors import CannotJudge

Json = dict[str, Any]
Shape = TypeVar("Shape")
_NONE = object()
_LACKING = ("reading transcripts needs the maintain extra", "pip install 'minutebook[maintain]'")


def decoder(shape: type[Shape]) -> Callable[[bytes | memoryview], Shape | None]:
    """A function from a line to its record, or None for a line that isn't exactly one record of this shape: glued
    records, broken JSON, half a surrogate pair, NaN, a value of another kind. What those are, the json module says.

    `shape` is a TypedDict with `total=False`; the record has its keys alone, as far as the line has them. Values that
    are passed over are checked as JSON, but not that they are UTF-8, nor how long their numbers are.
    """
    try:
        import msgspec
    except ImportError:
        raise CannotJudge(*_LACKING) from None
    decode: Callable[[bytes | memoryview], Shape] = msgspec.json.Decoder(shape).decode
    refused = (msgspec.DecodeError, RecursionError)

    def decoded(line: bytes | memoryview) -> Shape | None:
        try:
            return decode(line)
        except refused:
            return None

    return decoded


def encoder() -> Callable[[object], bytes]:
    """A function from lists, mappings and strings to their canonical JSON: sorted keys, no spaces, nothing escaped
    that needn't be, UTF-8. That is what RFC 8785 says, and what `json.dumps(…, ensure_ascii=False, sort_keys=True,
    separators=(",", ":"))` gives. Raises UnicodeEncodeError for half a surrogate pair."""
    try:
        import msgspec
    except ImportError:
        raise CannotJudge(*_LACKING) from None
    encode: Callable[[object], bytes] = msgspec.json.Encoder(order="deterministic").encode
    return encode


def conformed(value: Json, shape: type[Shape]) -> Shape:
    """What of a record has the shape that is asked for: a value of another kind is as good as none."""
    return _fit(value, shape)  # type: ignore[no-any-return]


def _fit(value: Any, kind: Any) -> Any:
    """The value as far as it is of this kind, or _NONE."""
    if kind is Any:
        return value
    if isinstance(kind, UnionType):
        return next((fit for each in get_args(kind) if (fit := _fit(value, each)) is not _NONE), _NONE)
    if is_typeddict(kind):
        return _fitting(value, kind) if isinstance(value, dict) else _NONE
    of = get_origin(kind) or kind
    if not isinstance(value, of):
        return _NONE
    if of is list and (inner := get_args(kind)):
        return [fit for each in value if (fit := _fit(each, inner[0])) is not _NONE]
    return value


def _fitting(value: Json, shape: Any) -> Json:
    pairs = ((name, _fit(value[name], kind)) for name, kind in get_type_hints(shape).items() if name in value)
    return {name: fit for name, fit in pairs if fit is not _NONE}
