"""One change of a memory, and where in a merge it stands."""

from dataclasses import dataclass

from conftest import TODAY
from core.edits import nothing
from core.sketch import Edit, judged, memory


@dataclass(frozen=True, slots=True)
class Scene:
    """`before` makes what is published; every other edit starts from that. `after` makes what is judged; `parents` are
    what a merge joins, `merged` the sides of merges in between, `forks` where the sides parted."""

    after: Edit
    before: Edit = nothing
    parents: tuple[Edit, ...] = ()
    merged: tuple[Edit, ...] = ()
    forks: tuple[Edit, ...] = ()
    today: str = TODAY

    def verdict(self) -> str:
        """The problems, one a line, with all that they say; a fix stands on a line of its own."""
        base = memory(self.before)
        parents, merged, forks = (
            [base.after(edit) for edit in group] for group in (self.parents, self.merged, self.forks)
        )
        rows = []
        for each in judged(base, base.after(self.after), parents, merged, forks, self.today):
            rows.append(f"{each.severity} {each.path}:{each.line} {each.rule} {each.entry or '-'}: {each.message}")
            rows += [f"  fix: {each.fix}"] if each.fix != "" else []
        return "".join(f"{row}\n" for row in rows) or "nothing\n"
