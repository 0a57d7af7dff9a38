"""One commit against what was published before it, by the gate's own rules."""

from __future__ import annotations

from collections import OrderedDict
from datetime import date

from minutebook.audit.past import Reading
from minutebook.audit.windows import Outline, grown, is_whole, outline, window
from minutebook.checks.append_only import append_only
from minutebook.checks.cases import Side, cases
from minutebook.checks.judgement import Case
from minutebook.checks.scope import scope
from minutebook.ground.change import REGULAR, Change, File
from minutebook.ground.config import CONFIG
from minutebook.ground.entry import encode
from minutebook.ground.frozen import frozen, replace
from minutebook.ground.memory import TYPES, Memory, file_type, read_file, read_memory

TYPE_CHECKING = False  # typing.TYPE_CHECKING, without the import
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from minutebook.audit.past import Past
    from minutebook.audit.windows import Window
    from minutebook.ground.commits import Listed
    from minutebook.ground.config import Config
    from minutebook.ground.entry import MemoryFile
    from minutebook.ground.memory_type import MemoryType
    from minutebook.ground.problem import Problem

_NO_DAY = date(9000, 1, 1)
"""A day that no entry is later than: what was in the future then isn't what an audit looks for."""
_MOST_OUTLINES = 64


@frozen
class _Seen:
    """A log that changed: its window, before and after, and the outline of all of it after."""

    path: str
    part: Window
    before: MemoryFile
    after: MemoryFile
    grown: Outline


class Judging:
    """The problems of commits; it remembers what it has read."""

    def __init__(self, past: Past) -> None:
        self._past = past
        self._read = Reading()
        self._outlines: OrderedDict[tuple[str, str], Outline | None] = OrderedDict()
        self._held: dict[tuple[str, str], frozenset[str]] = {}
        self._types: dict[tuple[str, ...], tuple[Config, Mapping[str, MemoryType]]] = {}
        self.whole = 0
        """How many commits were judged as a whole, not by a window."""

    def problems(
        self, commit: str, base: str, changed: Collection[str] | None = None,
        sides: Sequence[str] = (), forks: Sequence[str] = (), merged: Callable[[], Sequence[str]] = tuple,
    ) -> tuple[Problem, ...]:  # fmt: skip
        """What the commit breaks of what `base` promises; in a merge of `sides`, which parted at `forks`, what these
        hold counts too. `changed` are the paths that differ, where somebody knows them already; `merged` gives the
        parents of merges on the way from the base, which may explain an order."""
        old, new = self._past.listed(base), self._past.listed(commit)
        if changed is None:
            changed = [path for path in {*old, *new} if old.get(path) != new.get(path)]
        if not changed and not sides:
            return ()
        if not sides and self._plain(old, new, changed):
            return ()
        self.whole += 1
        found = self._judged(old, new, sides, forks, ())
        if found and (witnesses := merged()):
            found = self._judged(old, new, sides, forks, witnesses)
        return found

    def entries(self, commit: str) -> int:
        """How many entries the commit holds where its config looks for them."""
        listed = self._past.listed(commit)
        side = Side(self._past.tree(listed), self._past.config(listed))
        found = cases(None, side, _NO_DAY, read=self._read)
        return sum(1 for case in found for _ in case.result.entries(archived=True))

    def _judged(
        self, old: Listed, new: Listed, sides: Sequence[str], forks: Sequence[str], merged: Sequence[str]
    ) -> tuple[Problem, ...]:
        past = self._past
        before = Side(past.tree(old), past.config(old))
        after = Side(past.tree(new), past.config(new, before.config))
        joined, seen, parted = ([past.tree(past.listed(each)) for each in group] for group in (sides, merged, forks))
        found = {
            problem: None
            for case in cases(before, after, _NO_DAY, joined, seen, parted, self._read)
            for rule in (append_only, scope)
            for problem in rule(case)
            if problem.severity == "error"
        }
        return tuple(sorted(found))

    def _plain(self, old: Listed, new: Listed, changed: Collection[str]) -> bool:
        """Whether all that changed are logs that the gate has nothing against, as their windows show."""
        if self._past.given is None and old.get(CONFIG) != new.get(CONFIG):
            return False
        config = self._past.config(old)
        seen: dict[str, list[_Seen]] = {}
        known: dict[str, Mapping[str, MemoryType]] = {}
        for path in changed:
            root = _root_of(path, config)
            types = known.get(root) or known.setdefault(root, self._types_of(root, old, config))
            mtype = file_type(path, root, types, config)
            if mtype is None or not mtype.append_only:
                if any(path in side and side[path][0] != REGULAR for side in (old, new)) or f"/{TYPES}" in path:
                    return False
                continue
            if not all(side.get(path, ("", ""))[0] == REGULAR for side in (old, new)):
                return False
            each = self._seen(path, old, new, mtype, config)
            if each is None:
                return False
            seen.setdefault(root, []).append(each)
        parts = (
            Memory(root, config, known[root], {each.path: each.before for each in logs}) for root, logs in seen.items()
        )
        return all(self._agrees(base, old, new, seen[base.root]) for base in parts)

    def _seen(self, path: str, old: Listed, new: Listed, mtype: MemoryType, config: Config) -> _Seen | None:
        """The windows of a log that changed; None for a file that isn't plainly one."""
        known = self._outline(path, old, mtype, config)
        if known is None or known.twice:
            return None
        was, now = (self._past.file(*side[path]).data for side in (old, new))
        part = window(was, now, known)
        if not (is_whole(was, known, part, part.old_end) and is_whole(now, known, part, part.new_end)):
            return None
        texts = File(was[part.start : part.old_end]), File(now[part.start : part.new_end])
        before, after = (read_file(path, text, mtype, config) for text in texts)
        grew = grown(known, part, before, after, now) if before.log and after.log else None
        return _Seen(path, part, before, after, grew) if grew is not None else None

    def _agrees(self, base: Memory, old: Listed, new: Listed, seen: Sequence[_Seen]) -> bool:
        """Whether the gate has nothing against the windows of one root's logs, and no other file holds a new id."""
        result = replace(base, files={each.path: each.after for each in seen})
        fresh: set[str] = set()
        for each in seen:
            more = {entry.id for entry in each.after.entries} - {entry.id for entry in each.before.entries}
            newest_first = base.order(base.types[each.before.type]) == "newest-first"
            if more and (each.part.above if newest_first else each.part.below):
                return False  # it stands past entries that aren't in the window
            if any(not other.grown.known.isdisjoint(more) for other in seen if other is not each):
                return False
            fresh |= more
        if not self._unheard_of(fresh, base, old):
            return False
        changes = tuple(Change(each.path, _file(each.before), _file(each.after)) for each in seen)
        befores = {each.path: each.old for each in changes if each.old is not None}
        afters = {each.path: each.new for each in changes if each.new is not None}
        case = Case(result, afters, base, befores, changes, _NO_DAY)
        if any(found.severity == "error" for found in append_only(case)):
            return False
        for each in seen:
            each.grown.known.update(fresh)
            self._remember((each.path, new[each.path][1]), each.grown)
        return True

    def _unheard_of(self, fresh: set[str], base: Memory, old: Listed) -> bool:
        """Whether no other file of the root holds one of these ids. A heading that only points to an entry's own file
        holds one, too: then the whole is judged."""
        for path in old if fresh else ():
            mtype = base.type_at(path) if path not in base.files else None
            held = self._ids(path, old, mtype, base.config) if mtype is not None and mtype.append_only else ()
            if not fresh.isdisjoint(held):
                return False
        return True

    def _ids(self, path: str, listed: Listed, mtype: MemoryType, config: Config) -> Collection[str]:
        """The ids in a file."""
        mode, blob = listed[path]
        if (path, blob) in self._held:
            return self._held[path, blob]
        known = self._outline(path, listed, mtype, config) if mtype.layout == "log" else None
        if known is not None:
            return known.known
        file = self._read(path, self._past.file(mode, blob), mtype, config)
        return self._held.setdefault((path, blob), frozenset(entry.id for entry in file.entries))

    def _types_of(self, root: str, listed: Listed, config: Config) -> Mapping[str, MemoryType]:
        inside = {path: each for path, each in listed.items() if path.startswith(f"{root}/{TYPES}")}
        key = (root, *(f"{path}\0{blob}" for path, (_, blob) in inside.items()))
        found = self._types.get(key)
        if found is None or found[0] != config:
            found = config, read_memory(self._past.tree(inside), root, config).types
            self._types[key] = found
        return found[1]

    def _outline(self, path: str, listed: Listed, mtype: MemoryType, config: Config) -> Outline | None:
        """The outline of a log; None for a file of another kind."""
        mode, blob = listed[path]
        key = (path, blob)
        if key in self._outlines:
            self._outlines.move_to_end(key)
        else:
            data = self._past.file(mode, blob).data
            file = self._read(path, File(data, mode), mtype, config)
            self._remember(key, outline(data, file) if file.log else None)
        return self._outlines[key]

    def _remember(self, key: tuple[str, str], found: Outline | None) -> None:
        self._outlines[key] = found
        if len(self._outlines) > _MOST_OUTLINES:
            self._outlines.popitem(last=False)


def _root_of(path: str, config: Config) -> str:
    """The memory root that the path belongs to; what is mapped from beside the roots, to the first."""
    return next((root for root in config.places if path.startswith(f"{root}/")), config.places[0])


def _file(read: MemoryFile) -> File:
    return File(encode(read.text))
