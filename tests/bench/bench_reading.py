"""Prints how fast transcripts are read: records to turns, against json.loads over the same lines.

python tests/bench/bench_reading.py            the ratio with and without redaction, 50 to 200 MB, memory
python tests/bench/bench_reading.py --gb 1     a gigabyte too
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any
from unittest.mock import patch

from measure import PYTHON, environment

from minutebook.transcripts import claude_records, codex_records, copilot_records

HERE = Path(__file__).parent
SHARED = Path(os.environ.get("MINUTEBOOK_SHARED", HERE.parents[2] / "shared")) / "data" / "transcripts"
FIXTURES = HERE.parent / "transcripts"
SHAPES: dict[str, type[object]] = {
    "claude-code": claude_records.Record,
    "codex": codex_records.Record,
    "copilot-cli": copilot_records.Event,
}
PAIRS = 15
MEGABYTE = 10**6


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--gb", type=float, default=0.0, help="also read a file of this size")
    parser.add_argument("--peak", help="read this file and print seconds and peak memory")
    given = parser.parse_args()
    if given.peak:
        return print(json.dumps(peak(Path(given.peak))))
    with tempfile.TemporaryDirectory() as folder:
        for format in ("claude-code", "codex", "copilot-cli"):
            ratios(Path(folder), format)
        growth(Path(folder), [50, 100, 200, *([int(given.gb * 1000)] if given.gb else [])])
    return None


def sample(format: str) -> bytes:
    """The longest shared transcripts of a format, or the fixture where they aren't here: the lines that are records."""
    files = sorted((SHARED / format).rglob("*.jsonl"), key=lambda path: path.stat().st_size)[-4:]
    content = b"".join(file.read_bytes() for file in files or sorted((FIXTURES / format).glob("*.jsonl")))
    return b"".join(line + b"\n" for line in content.split(b"\n") if is_record(line))


def is_record(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except ValueError:
        return False


def grown(content: bytes, size: int, file: Path) -> None:
    """Copies of the content with ids of their own, or the reader would rightly drop them."""
    with file.open("wb") as out:
        number = 0
        while out.tell() < size:
            mark = f"{number:04x}".encode()
            out.write(content.replace(b'uuid":"', b'uuid":"' + mark).replace(b'Uuid":"', b'Uuid":"' + mark))
            number += 1


def ratios(folder: Path, format: str) -> None:
    from minutebook.redaction.redact import Redactor

    file = folder / f"{format}.jsonl"
    grown(sample(format), 8 * MEGABYTE, file)
    pairs(file, f"{format}, with redaction")
    same: dict[str, Any] = dict.fromkeys(("redact", "redact_json", "redact_all"), lambda _, given: given)
    with patch.multiple(Redactor, **same):
        pairs(file, f"{format}, without")
        parts(file, format)


def pairs(file: Path, name: str) -> None:
    rows = [(timed(lambda: read(file)), timed(lambda: plain(file))) for _ in range(PAIRS)]
    ours, base = (min(row[at] for row in rows) for at in (0, 1))
    size = file.stat().st_size / MEGABYTE
    ratio = statistics.median(row[1] / row[0] for row in rows)
    print(
        f"{name}: {size / ours:.0f} MB/s, json.loads {size / base:.0f} MB/s: {base / ours:.2f} x its speed,"
        f" median of {PAIRS} pairs {ratio:.2f}"
    )


def parts(file: Path, format: str) -> None:
    """What a record's time goes to: bytes with their hash, lines with their decoding, the rest."""
    from minutebook.transcripts.records import RecordStream

    def all_of(step: Callable[[RecordStream], Iterable[object]]) -> None:
        with file.open("rb") as content:
            for _ in step(RecordStream(content)):
                pass

    steps: list[Callable[[], None]] = [
        lambda: all_of(lambda stream: stream.chunks()),
        lambda: all_of(lambda stream: stream.typed(SHAPES[format])),
        lambda: read(file),
    ]
    hashed, decoded, turned = (min(timed(step) for _ in range(PAIRS)) for step in steps)
    number = file.read_bytes().count(b"\n") / 10**6
    print(
        f"{format}, without, microseconds a record: {hashed / number:.1f} to read and hash the bytes,"
        f" {(decoded - hashed) / number:.1f} to find and decode the lines, {(turned - decoded) / number:.1f} for turns"
    )


def read(file: Path) -> None:
    from minutebook.transcripts import read_transcript

    with file.open("rb") as content:
        read_transcript(content, file.name)


def plain(file: Path) -> None:
    with file.open("rb") as content:
        for line in content:
            json.loads(line)


def timed(work: Callable[[], None]) -> float:
    """Seconds of processor time: what else runs on the machine counts least there."""
    start = time.process_time()
    work()
    return time.process_time() - start


def growth(folder: Path, sizes: list[int]) -> None:
    """Each size in a process of its own, for its peak of memory."""
    content = sample("claude-code")
    for size in sizes:
        file = folder / "grown.jsonl"
        grown(content, size * MEGABYTE, file)
        command = [PYTHON, __file__, "--peak", str(file)]
        done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=True)
        seen = json.loads(done.stdout)
        speed = size / seen["seconds"]
        print(
            f"{size} MB: {seen['seconds']:.1f} s, {speed:.0f} MB/s, peak {seen['peak']} MB, dropped {seen['dropped']}"
        )


def peak(file: Path) -> dict[str, float | int]:
    from minutebook.transcripts import read_transcript

    start = time.process_time()
    with file.open("rb") as content:
        session = read_transcript(content, file.name)
    seconds = time.process_time() - start
    dropped = sum(count for reason, count in session.skipped.items() if reason.startswith("dropped-"))
    unit = 1 if sys.platform == "darwin" else 1024
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit // MEGABYTE
    return {"seconds": seconds, "peak": used, "dropped": dropped}


if __name__ == "__main__":
    main()
