"""A page with front matter in three versions into one: its fields by the type's rules, its body line by line."""

from __future__ import annotations

from minutebook.ground import front_matter
from minutebook.ground.errors import CannotJudge
from minutebook.ground.frozen import frozen
from minutebook.ground.markdown import split_lines
from minutebook.ground.strict_yaml import StrictYamlError, load
from minutebook.merge.lines import Lines, conflict, merged_lines, settled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from minutebook.ground.memory_type import MemoryType
    from minutebook.merge.lines import Way

_LATER = frozenset({"updated", "verified"})
_OURS = {"created_at": "created", "updated_at": "updated"}


@frozen
class _Front:
    """Front matter: the text of each top-level key with its lines, and the fields by the names that we use."""

    blocks: Mapping[str, str]
    fields: Mapping[str, Any]


def merged_page(base: str, ours: str, theirs: str, mtype: MemoryType, way: Way) -> Lines:
    """Raises CannotJudge when front matter can't be read."""
    known = settled(base, ours, theirs)
    if known is not None:
        return Lines(known[0])
    found = [front_matter.split(text) for text in (base, ours, theirs)]
    was, mine, other = found
    if mine is None or other is None:
        return merged_lines(base, ours, theirs, way)
    yaml = (was[0] if was is not None else "", mine[0], other[0])
    bodies = (was[1] if was is not None else base, mine[1], other[1])
    front = _merged_front(_front(yaml[0], mtype), _front(yaml[1], mtype), _front(yaml[2], mtype), mtype, way)
    body = merged_lines(bodies[0], bodies[1], bodies[2], way)
    opening = split_lines(ours)[0]
    closing = split_lines(ours[len(opening) + len(mine[0]) :])[0]
    return Lines(f"{opening}{front.text}{closing}{body.text}", front.clean and body.clean)


def _front(text: str, mtype: MemoryType) -> _Front:
    rows = split_lines(text)
    try:
        lines = load(text, first_line=0).lines
    except StrictYamlError as error:
        raise CannotJudge(f"its front matter can't be read: {error}", error.hint) from None
    starts = sorted((line, str(path[0])) for path, line in lines.items() if len(path) == 1)
    if any(rows[line][:1] in " \t{?" for line, _ in starts):
        raise CannotJudge("its front matter doesn't have each key at the start of a line of its own")
    blocks = {"": "".join(rows[: starts[0][0]] if starts else rows)}
    ends = [*(line for line, _ in starts[1:]), len(rows)]
    for (line, key), end in zip(starts, ends, strict=False):
        blocks[key] = "".join(rows[line:end])
    fields, _ = front_matter.read_fields(text, mtype)
    return _Front(blocks, fields)


def _merged_front(base: _Front, ours: _Front, theirs: _Front, mtype: MemoryType, way: Way) -> Lines:
    out, clean = list[str](), True
    for key in {**ours.blocks, **theirs.blocks}:
        texts = tuple(front.blocks.get(key, "") for front in (base, ours, theirs))
        found = (
            merged_lines(texts[0], texts[1], texts[2], way)
            if not key
            else _field(key, texts, (base, ours, theirs), mtype, way)
        )
        clean = clean and found.clean
        out.append(found.text)
    return Lines("".join(out), clean)


def _field(key: str, texts: tuple[str, ...], sides: tuple[_Front, ...], mtype: MemoryType, way: Way) -> Lines:
    bare = [text.rstrip() for text in texts]
    known = settled(*bare)
    if known is not None:
        return Lines(texts[1] if known[0] == bare[1] else texts[2])
    if any("#" in text for text in texts):  # a comment perhaps, and that is nobody's to drop
        return Lines(conflict(texts[1], texts[2], way), clean=False)
    name = _OURS.get(key, key)
    values = tuple(side.fields.get(name) for side in sides)
    value = settled(*values)
    if value is not None:
        return Lines(texts[1] if value[0] == values[1] else texts[2])
    text = _by_rule(key, name, values, texts, mtype, sides)
    return Lines(text) if text is not None else Lines(conflict(texts[1], texts[2], way), clean=False)


def _by_rule(
    key: str,
    name: str,
    values: tuple[Any, ...],
    texts: tuple[str, ...],
    mtype: MemoryType,
    sides: tuple[_Front, ...],
) -> str | None:
    """The field that both sides changed, as the type's `merge` says; None when it has no rule for that."""
    was, mine, other = values
    rule = "union" if name == "relations" else mtype.merge.get(name, "")
    if name in _LATER and mine and other:
        return texts[1] if str(mine) >= str(other) else texts[2]
    if rule == "union":
        value = _union(was, mine, other)
        return _dumped(key, value, texts[1]) if value is not None else None
    if rule == "sum" and all(isinstance(each, int) for each in (mine, other)):
        return _dumped(key, mine + other - (was if isinstance(was, int) else 0), texts[1])
    days = [str(side.fields.get("updated", "")) for side in sides[1:]]
    if rule == "replace" and days[0] != days[1] and mine and other:
        return texts[1] if days[0] > days[1] else texts[2]
    return None


def _union(was: Any, mine: Any, other: Any) -> Any:
    """What either side has and neither took away, in our order; of mappings of lists, list by list."""
    if all(isinstance(each, dict) for each in (mine, other)):
        old = was if isinstance(was, dict) else {}
        parts = {key: _union(old.get(key), mine.get(key, []), other.get(key, [])) for key in {**mine, **other}}
        return None if None in parts.values() else parts
    lists = [each if each is not None else [] for each in (was, mine, other)]
    if not all(isinstance(each, list) for each in lists):
        return None
    before, ours, theirs = lists
    kept = [item for item in ours if item in theirs or item not in before]
    return kept + [item for item in theirs if item not in ours and item not in before]


def _dumped(key: str, value: Any, like: str) -> str:
    text = front_matter.dump_fields({key: value})
    return text.replace("\n", "\r\n") if "\r\n" in like else text
