"""What two texts have in common at their ends is what comparing them letter by letter finds."""

from itertools import takewhile

from hypothesis import given
from hypothesis import strategies as st

from minutebook.ground.alike import same_end, same_start

PARTS = st.lists(st.sampled_from(["a", "b", "—", "a" * 1023, "a" * 1500, "ab" * 2000]), max_size=5).map("".join)


def by_letters(old: str, new: str, most: int) -> int:
    return min(most, sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False))))


@given(PARTS, PARTS, PARTS, PARTS, st.sampled_from([0, 1, 2]))
def test_what_is_the_same(before: str, old: str, new: str, after: str, less: int) -> None:
    one, other = before + old + after, before + new + after
    most = max(0, min(len(one), len(other)) - less)
    assert same_start(one, other, most) == by_letters(one, other, most)
    assert same_end(one, other, most) == by_letters(one[::-1], other[::-1], most)
