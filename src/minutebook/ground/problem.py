"""What a check found. A finding is data; how it looks is in report.py."""

from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True, order=True)
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
