"""Records: frozen, compared by their fields, and cheap to make."""

import copy
import pickle

import pytest

from minutebook.ground.frozen import EMPTY, FrozenError, as_dict, as_tuple, cached, frozen, replace

CALLS: list[str] = []


@frozen
class Point:
    """A place."""

    x: int
    y: int = 2
    name: str = ""

    @cached
    def total(self) -> int:
        """Worked out once."""
        CALLS.append(self.name)
        return self.x + self.y


@frozen
class Empty:
    """Nothing."""


def test_a_record_is_its_fields() -> None:
    point = Point(1, name="a")
    assert (point.x, point.y, point.name) == (1, 2, "a")
    assert point == Point(1, 2, "a") != Point(1, 3, "a")
    assert hash(point) == hash(Point(1, 2, "a"))
    assert repr(point) == "Point(x=1, y=2, name='a')"
    assert as_dict(point) == {"x": 1, "y": 2, "name": "a"}
    assert as_tuple(point) == (1, 2, "a")
    assert Point.__doc__ == "A place."
    assert Empty() == Empty()
    assert repr(Empty()) == "Empty()"


def test_nothing_of_it_can_be_changed() -> None:
    point = Point(1)
    for name in ("x", "other", "total"):
        with pytest.raises(FrozenError, match=name):
            setattr(point, name, 3)
    with pytest.raises(FrozenError):
        del point.x
    assert not hasattr(point, "__dict__")
    with pytest.raises(TypeError):
        EMPTY["x"] = 1  # type: ignore[index]


def test_wrong_arguments_are_refused_at_the_first_call_and_later() -> None:
    for _ in range(2):
        with pytest.raises(TypeError, match="argument"):
            Point()  # type: ignore[call-arg]
        with pytest.raises(TypeError, match="argument"):
            Point(1, z=3)  # type: ignore[call-arg]


def test_replace_makes_another_one() -> None:
    assert replace(Point(1), y=5) == Point(1, 5)
    with pytest.raises(TypeError, match="no field z"):
        replace(Point(1), z=5)


def test_what_is_cached_is_worked_out_once_and_is_no_field() -> None:
    CALLS.clear()
    point = Point(1, name="once")
    assert (point.total, point.total) == (3, 3)
    assert CALLS == ["once"]
    assert point == Point(1, name="once")


def test_records_are_copied_and_pickled_by_their_fields() -> None:
    point = Point(1, name="p")
    assert point.total == 3
    assert copy.copy(point) == copy.deepcopy(point) == pickle.loads(pickle.dumps(point)) == point
