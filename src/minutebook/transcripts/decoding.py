"""JSON in and out, fast: of a line only what a reader asks for is built, and what it keeps has one spelling."""

from collections.abc import Callable
from functools import cache, reduce
from operator import or_
from types import UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints, is_typeddict

from minutebook.ground.errors import CannotJudge

Json = dict[str, Any]
Shape = TypeVar("Shape")
Decoding = tuple[Callable[[bytes | memoryview | str], Shape], tuple[type[Exception], ...]]
_NONE = object()


class Partial:
    """What is read of an object: a subclass annotates names, each with the value that stands for a name which the
    object lacks. Records decoded so take half of the time that dictionaries do to be asked and let go."""


_LACKING = ("reading transcripts needs the maintain extra", "pip install 'minutebook[maintain]'")


def decoder(shape: type[Shape]) -> Decoding[Shape]:
    """A function from a line to its record, and what it raises for a line that isn't exactly one record of this shape:
    glued records, broken JSON, half a surrogate pair, NaN, a value of another kind. What those are, the json module
    says.

    `shape` is a Partial, or a TypedDict with `total=False`, whose record has its keys as far as the line has them.
    Values that are passed over are checked as JSON, but not that they are UTF-8, nor how long their numbers are.
    """
    try:
        import msgspec
    except ImportError:
        raise CannotJudge(*_LACKING) from None
    return msgspec.json.Decoder(_decoded_as(shape)).decode, (msgspec.DecodeError, RecursionError)


def _decoded_as(kind: Any) -> Any:
    """The type with structs in place of what is Partial."""
    if isinstance(kind, UnionType):
        return reduce(or_, map(_decoded_as, get_args(kind)))
    if get_origin(kind) is list:
        return list[_decoded_as(get_args(kind)[0])]  # type: ignore[misc]
    return _struct(kind) if _is_partial(kind) else kind


def _is_partial(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Partial)


@cache
def _struct(shape: type[Partial]) -> Any:
    import msgspec

    fields = [(name, _decoded_as(kind), getattr(shape, name)) for name, kind in get_type_hints(shape).items()]
    return msgspec.defstruct(shape.__name__, fields, gc=False)  # nothing decoded has a cycle


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
    if _is_partial(kind):
        return _struct(kind)(**_fitting(value, kind)) if isinstance(value, dict) else _NONE
    of = get_origin(kind) or kind
    if not isinstance(value, of):
        return _NONE
    if of is list and (inner := get_args(kind)):
        return [fit for each in value if (fit := _fit(each, inner[0])) is not _NONE]
    return value


def _fitting(value: Json, shape: Any) -> Json:
    pairs = ((name, _fit(value[name], kind)) for name, kind in get_type_hints(shape).items() if name in value)
    return {name: fit for name, fit in pairs if fit is not _NONE}
