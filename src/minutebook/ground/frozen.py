"""Frozen records: what `dataclass(frozen=True, slots=True)` makes, at a twentieth of what it costs to make one.

A hook pays for every class at every commit, and importing `dataclasses` alone costs more than a bare interpreter does.
Here a class gets its slots at once, and its `__init__` when it is first called. Type checkers read it as a dataclass.
"""

from __future__ import annotations

from operator import attrgetter
from types import MappingProxyType

TYPE_CHECKING = False  # typing.TYPE_CHECKING, without the import
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, TypeVar, dataclass_transform

    Item = TypeVar("Item")
    cached = property
else:

    def dataclass_transform(**_):
        return lambda decorator: decorator

    class cached:
        """A property of a record that is worked out once, when somebody asks for it; no field."""

        def __init__(self, work):
            self.work = work


EMPTY: Mapping[str, Any] = MappingProxyType({})
"""The default of a field that holds a mapping."""


class FrozenError(AttributeError):
    """Somebody tried to change a record."""


@dataclass_transform(frozen_default=True)
def frozen(cls: type[Item]) -> type[Item]:
    """Make a frozen record of a class whose body annotates its fields, in order, with their defaults. These are
    shared by all, so they must not be mutable. Equality, hash and repr go by the fields."""
    names = tuple(cls.__annotations__)
    body = {name: value for name, value in cls.__dict__.items() if name not in ("__dict__", "__weakref__")}
    defaults = {name: body.pop(name) for name in names if name in body}
    lazy: dict[str, Any] = {name: value for name, value in body.items() if isinstance(value, cached)}
    values = _values_of(names)

    def first_call(self: Any, *args: Any, **kwargs: Any) -> None:
        made.__init__ = _init(made, names, defaults)
        made.__init__(self, *args, **kwargs)

    def same(self: Any, other: object) -> Any:
        return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

    def words(self: Any) -> str:
        return f"{cls.__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in names)})"

    body |= {
        "__slots__": (*names, *(f"_{name}" for name in lazy)), "__match_args__": names, "__init__": first_call,
        "__eq__": same, "__hash__": lambda self: hash(values(self)), "__repr__": words,
        "__setattr__": _refuse, "__delattr__": _refuse, "__reduce__": lambda self: (made, values(self)),
    }  # fmt: skip
    made: Any = type(cls.__name__, cls.__bases__, body)
    for name, each in lazy.items():
        setattr(made, name, _once(each.work, getattr(made, f"_{name}")))
    return made  # type: ignore[no-any-return]


def replace(item: Item, **changes: Any) -> Item:
    """The record with these fields in place of its own."""
    fields = as_dict(item)
    if unknown := changes.keys() - fields.keys():
        raise TypeError(f"{type(item).__name__} has no field {', '.join(sorted(unknown))}")
    return type(item)(**(fields | changes))


def as_dict(item: object) -> dict[str, Any]:
    """The fields of a record by name, as they are: not copied."""
    return {name: getattr(item, name) for name in type(item).__match_args__}  # type: ignore[attr-defined]


def as_tuple(item: object) -> tuple[Any, ...]:
    """The fields of a record, in order: what records are sorted by."""
    return tuple(getattr(item, name) for name in type(item).__match_args__)  # type: ignore[attr-defined]


def _init(made: Any, names: tuple[str, ...], defaults: Mapping[str, Any]) -> Callable[..., None]:
    parameters = ", ".join(f"{name}=defaults[{name!r}]" if name in defaults else name for name in names)
    lines = "".join(f" put_{name}(self, {name})\n" for name in names) or " pass\n"
    # The slots themselves: `object.__setattr__` would look each up by its name.
    space: dict[str, Any] = {"defaults": defaults} | {f"put_{name}": getattr(made, name).__set__ for name in names}
    exec(f"def __init__(self, {parameters}):\n{lines}", space)
    return space["__init__"]  # type: ignore[no-any-return]


def _values_of(names: tuple[str, ...]) -> Callable[[Any], tuple[Any, ...]]:
    if len(names) > 1:
        return attrgetter(*names)
    return lambda self: tuple(getattr(self, name) for name in names)


def _once(work: Callable[[Any], Any], slot: Any) -> property:
    def get(self: Any) -> Any:
        try:
            return slot.__get__(self)
        except AttributeError:
            value = work(self)
            slot.__set__(self, value)
            return value

    return property(get, doc=work.__doc__)


def _refuse(self: object, name: str, *_: object) -> None:
    raise FrozenError(f"{type(self).__name__} is a record: its {name} can't be changed")
