"""Prints how fast minutebook is, as ratios measured in one run: these machines are shared and noisy, ratios travel.

make bench            everything
python tests/bench/run.py speed read      only these
"""

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from measure import PYTHON, environment

FIXTURE = Path(__file__).parents[1] / "transcripts" / "claude-code" / "session-share.jsonl"


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
    "speed": script("speed.py"),
    "read": read,
    "retrieve": script("bench_retrieve.py"),
    "staleness": script("bench_staleness.py"),
    "histories": script("bench_histories.py"),
    "audit": script("bench_audit.py"),
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
