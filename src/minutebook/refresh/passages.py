"""The stretches of a file, then and now, that tell what became of a thing in it."""

from collections.abc import Sequence
from difflib import SequenceMatcher

from minutebook.ground.frozen import frozen
from minutebook.ground.markdown import split_lines

_AROUND = 12
_MOST_LINES = 60
_MOST_PLACES = 3
_LONGEST = 4000
"""Lines of a file that is still compared line by line; in longer ones the name alone tells where to look."""
_LONGEST_LINE = 300


@frozen
class Passages:
    """`then` and `now` are to be shown, each under the path of its file; `ground` is all the text of now."""

    then: str = ""
    now: str = ""
    ground: str = ""

    @staticmethod
    def joined(several: Sequence["Passages"]) -> "Passages":
        return Passages(
            "\n".join(each.then for each in several if each.then),
            "\n".join(each.now for each in several if each.now),
            "\n".join(each.ground for each in several if each.ground),
        )


def vanished_file(path: str, text: str, name: str) -> Passages:
    """Of a file that is no more: what stood around the name, or at its head."""
    lines = split_lines(text)
    return Passages(_shown(path, lines, _around(lines, name) or [0]), f"{path}: the file is gone\n")


def changed_file(was: str, path: str, then: str, now: str, name: str) -> Passages:
    """Of a file that lies at `path` now: what stood around the name, and what stands in its place."""
    old, new = split_lines(then), split_lines(now)
    places = _around(old, name) or [0]
    return Passages(_shown(was, old, places), _shown(path, new, _there(old, new, places, name)), f"{path}\n{now}")


def _around(lines: Sequence[str], name: str) -> list[int]:
    """The numbers, from 0, of the first lines that hold the name."""
    wanted = name.lower()
    return [at for at, line in enumerate(lines) if wanted in line.lower()][:_MOST_PLACES]


def _there(old: Sequence[str], new: Sequence[str], places: Sequence[int], name: str) -> list[int]:
    """Where in the new text the lines of these places went: by longest common runs of lines (Ratcliff and Metzener
    1988)."""
    if max(len(old), len(new)) > _LONGEST:
        return _around(new, name) or [0]
    blocks = SequenceMatcher(None, old, new, autojunk=True).get_matching_blocks()
    before = [next((each for each in reversed(blocks) if each.a <= place), None) for place in places]
    found = [
        each.b + min(place - each.a, each.size) if each is not None else 0
        for each, place in zip(before, places, strict=True)
    ]
    return sorted(dict.fromkeys(found))


def _shown(path: str, lines: Sequence[str], places: Sequence[int]) -> str:
    wanted = sorted({at for place in places for at in range(max(0, place - _AROUND), place + _AROUND)})[:_MOST_LINES]
    out = [f"{path}:\n"]
    last = -1
    for at in (at for at in wanted if at < len(lines)):
        out += ["    …\n"] if at != last + 1 else []
        out.append(f"    {lines[at].rstrip()[:_LONGEST_LINE]}\n")
        last = at
    return "".join(out)
