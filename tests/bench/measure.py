"""What the figures are measured with: pairs of runs, side by side, so that a noisy machine hits both alike."""

import os
import random
import statistics
import subprocess
import sys
import time
from pathlib import Path

PYTHON = sys.executable
BIN = Path(sys.executable).parent
Command = list[str]


def environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "PYTHON"))}
    return kept | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}


def seconds(command: Command, folder: Path) -> float:
    start = time.perf_counter()
    subprocess.run(command, cwd=folder, env=environment(), capture_output=True, check=False)
    return time.perf_counter() - start


def paired(first: Command, second: Command, folder: Path, rounds: int) -> tuple[float, float, float]:
    """Median seconds of each and the median of their ratios, round by round, so that noise hits both alike."""
    seconds(first, folder)  # a warm-up: bytecode is compiled, files are in the page cache
    seconds(second, folder)
    rows = [(seconds(first, folder), seconds(second, folder)) for _ in range(rounds)]
    ratio = statistics.median(a / b for a, b in rows)
    return statistics.median(a for a, _ in rows), statistics.median(b for _, b in rows), ratio


def git(folder: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=bench", "-c", "user.email=bench@example.com", "-c", "gc.auto=0"]
    subprocess.run(["git", *identity, *arguments], cwd=folder, env=environment(), check=True, capture_output=True)


def pattern(number: int) -> tuple[dict[str, object], str]:
    """The fields and the body of a plausible entry; the same number gives the same entry."""
    draw = random.Random(number)
    words = ["migration", "queue", "cache", "retry", "index", "schema", "client", "token", "worker", "release"]
    body = " ".join(draw.choice(words) for _ in range(120))
    fields: dict[str, object] = {
        "type": "pattern",
        "id": f"pattern-rule-{number}",
        "title": f"Rule {number} for the {draw.choice(words)}",
        "abstract": f"Every {draw.choice(words)} has a {draw.choice(words)} of its own, number {number}.",
        "tags": sorted(draw.sample(words, 3)),
        "created": "2026-11-02",
        "updated": "2026-11-20",
        "anchors": [f"src/{draw.choice(words)}.py"],
    }
    return fields, f"## Overview\n{body[:200]}\n\n## Detail\n{body}\n"
