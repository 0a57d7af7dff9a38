"""What a check found. A finding is data; how it looks is in report.py."""

from __future__ import annotations

from minutebook.ground.frozen import as_tuple, frozen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    Severity = Literal["error", "warning"]
else:
    Severity = str


@frozen
class Problem:
    """One finding. `line` is 1-based; 0 means the whole file. `message` never names a line, so that
    fingerprints survive line shifts."""

    path: str
    line: int
    rule: str
    message: str
    fix: str = ""
    entry: str = ""
    severity: Severity = "error"

    def __lt__(self, other: Problem) -> bool:
        return as_tuple(self) < as_tuple(other)
