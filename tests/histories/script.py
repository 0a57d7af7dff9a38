"""What decides a history: steps, drawn at random or read back from a line of text."""

import random
from dataclasses import dataclass

from histories.operations import OPERATIONS

MERGES = ("merge", "merge_losing", "merge_editing", "merge_adding", "merge_turning")
EVIL = {"merge_losing": "delete", "merge_editing": "edit", "merge_adding": "append", "merge_turning": "reorder"}
_OFTEN = ("append",) * 8 + (
    "new_file",
    "mark",
    "seal",
    "addendum",
    "edit_draft",
    "status",
    "archive",
    "split",
    "supersede",
) * 2
_BRANCHED = ("merge",) * 24 + MERGES[1:] * 5 + ("squash", "cherry_pick", "revert") * 3 + ("rebase",) * 8
KINDS = (*OPERATIONS, *_OFTEN, *_BRANCHED)
"""What a step may be, the usual ones several times."""
MOST = 999
FEWEST, LONGEST = 4, 16


@dataclass(frozen=True, slots=True)
class Step:
    """`where`: 0 to 2 main, 3 to 6 the branch at hand, 7 any of them, 8 and 9 a new one; `a` and `b` choose."""

    kind: str
    where: int
    a: int
    b: int

    def __str__(self) -> str:
        return f"{self.kind}.{self.where}.{self.a}.{self.b}"


@dataclass(frozen=True, slots=True)
class Script:
    """All that decides a history. As text it goes into the table of regressions."""

    newest_first: bool
    strict: bool
    steps: tuple[Step, ...]

    def __str__(self) -> str:
        flags = f"{'newest' if self.newest_first else 'oldest'} {'bytes' if self.strict else 'words'}"
        return " ".join([flags, *map(str, self.steps)])


def script_of(text: str) -> Script:
    order, seal, *steps = text.split()
    rows = (step.split(".") for step in steps)
    return Script(order == "newest", seal == "bytes", tuple(Step(row[0], *map(int, row[1:])) for row in rows))


def random_script(seed: str) -> Script:
    """The same for the same seed."""
    draw = random.Random(seed)
    steps = (
        Step(draw.choice(KINDS), draw.randrange(10), draw.randint(0, MOST), draw.randint(0, MOST))
        for _ in range(draw.randint(FEWEST, LONGEST))
    )
    return Script(draw.random() < 0.6, draw.random() < 0.15, tuple(steps))
