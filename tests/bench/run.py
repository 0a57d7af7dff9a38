"""Prints how fast minutebook is, as ratios measured in one run: these machines are shared and noisy, ratios travel.

make bench            everything
python tests/bench/run.py noop check read      only these
"""

import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

PYTHON = sys.executable
BIN = Path(sys.executable).parent
FIXTURE = Path(__file__).parents[1] / "transcripts" / "claude-code" / "session-share.jsonl"
ROUNDS = 20
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
    identity = ["-c", "user.name=bench", "-c", "user.email=bench@example.com"]
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


def noop(folder: Path) -> None:
    """A commit that touches no memory, against the bare interpreter."""
    git(folder, "init", "-q", "-b", "main")
    subprocess.run([BIN / "minutebook", "init"], cwd=folder, env=environment(), check=True, capture_output=True)
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "memory")
    (folder / "code.py").write_text("print(1)\n", "utf-8")
    git(folder, "add", "-A")
    ours, bare, ratio = paired([str(BIN / "minutebook"), "check", "--staged"], [PYTHON, "-c", "pass"], folder, ROUNDS)
    print(f"no-op commit: {ours * 1000:.1f} ms against {bare * 1000:.1f} ms for `python -c pass`: {ratio:.2f} x")


def check(folder: Path) -> None:
    """1,000 entries, against check-jsonschema over the same fields and the same schema."""
    from minutebook.ground.front_matter import compose
    from minutebook.ground.memory_type import builtin_types

    git(folder, "init", "-q", "-b", "main")
    subprocess.run([BIN / "minutebook", "init"], cwd=folder, env=environment(), check=True, capture_output=True)
    plain = folder.with_name(f"{folder.name}-plain")
    plain.mkdir()
    for number in range(1000):
        fields, body = pattern(number)
        place = folder / ".memory" / "patterns" / f"rule-{number}.md"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(compose(fields, body), "utf-8")
        (plain / f"{number}.json").write_text(json.dumps(fields), "utf-8")
    schema = plain / "schema.json"
    schema.write_text(json.dumps(builtin_types()["pattern"].schema), "utf-8")
    git(folder, "add", "-A")
    theirs = [
        str(BIN / "check-jsonschema"),
        "--schemafile",
        str(schema),
        *(str(plain / f"{n}.json") for n in range(1000)),
    ]
    ours, other, ratio = paired([str(BIN / "minutebook"), "check", "--all"], theirs, folder, 5)
    print(f"check of 1,000 entries: {ours:.2f} s against {other:.2f} s for check-jsonschema: {ratio:.2f} x")


def read(folder: Path) -> None:
    """Records to redacted turns, against json.loads over the same lines."""
    from minutebook.transcripts import read_transcript

    big = folder / "big.jsonl"
    data = b"".join(line for line in FIXTURE.read_bytes().splitlines(keepends=True) if line.startswith(b"{"))
    copies = max(1, (8 << 20) // len(data))
    with big.open("wb") as out:
        for number in range(copies):  # uuids must differ, or the reader rightly drops the copies
            out.write(data.replace(b'"uuid":"', f'"uuid":"{number}-'.encode()))
    size = big.stat().st_size / 1e6

    def ours() -> None:
        with big.open("rb") as lines:
            read_transcript(lines, "big.jsonl")

    def plain() -> None:
        with big.open("rb") as lines:
            for line in lines:
                json.loads(line)

    rows = [(timed(ours), timed(plain)) for _ in range(5)]
    mine, base = (statistics.median(row[at] for row in rows) for at in (0, 1))
    ratio = statistics.median(a / b for a, b in rows)
    speed = f"{size / mine:.1f} MB/s against {size / base:.1f} MB/s for json.loads"
    print(f"reading {size:.0f} MB of records: {speed}: {ratio:.2f} x its time")


def timed(work: Callable[[], None]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def script(name: str) -> Callable[[Path], None]:
    def run(_: Path) -> None:
        subprocess.run([PYTHON, Path(__file__).with_name(name)], env=environment(), check=True)

    return run


BENCHES: dict[str, Callable[[Path], None]] = {
    "noop": noop,
    "check": check,
    "read": read,
    "retrieve": script("bench_retrieve.py"),
    "staleness": script("bench_staleness.py"),
}


def main() -> None:
    for name in sys.argv[1:] or BENCHES:
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder) / "repository"
            place.mkdir()
            BENCHES[name](place)
            sys.stdout.flush()


if __name__ == "__main__":
    main()
