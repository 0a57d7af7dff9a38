"""`minutebook audit` of a log that grows by one entry a commit: linear in the bytes of the blobs that are read, and how
many times faster a commit than `agsync replay`, which parses and checks the work tree of every commit.

Run: python tests/bench/bench_audit.py. The histories are made by `git fast-import`, in the layout that both read: a log
DECISIONS.md of `## D-001 — …` entries with their dates, oldest first, here under `places:`, there beside `memory/`.
agsync is installed from the package index into an environment of its own; without one its part is skipped.
"""

import os
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path
from statistics import median
from typing import NamedTuple

AGSYNC = "agsync==0.1.1"
SIZES = (1000, 2000, 4000, 8000)
COMPARED = 2000
LOG = "memory/DECISIONS.md"
CONFIG = b"places: {decision: memory/DECISIONS.md}\norder: {decision: oldest-first}\n"
TIMES = 3


def entry(number: int) -> bytes:
    return (
        f"## D-{number:03d} — Decision number {number}\n\n"
        f"**Context:** The service met case {number} of its design, and two ways were open to it.\n"
        f"**Decision:** Case {number} is handled by the part that owns the data, never by its callers.\n"
        f"**Rationale:** The other way would have spread rule {number} over every caller there is.\n"
        f"**Date:** 20{10 + number // 336:02d}-{number // 28 % 12 + 1:02d}-{number % 28 + 1:02d}\n\n"
    ).encode()


def make_history(top: Path, commits: int) -> int:
    """A repository whose log grows by one entry a commit; the bytes of all the versions of the log."""
    subprocess.run(["git", "init", "-q", "-b", "main", str(top)], check=True)
    importer = subprocess.Popen(["git", "-C", str(top), "fast-import", "--quiet"], stdin=subprocess.PIPE)
    assert importer.stdin is not None
    text, total = b"# Decisions\n\n", 0
    for number in range(1, commits + 1):
        text += entry(number)
        total += len(text)
        files = [(LOG, text), *([(".minutebook.yaml", CONFIG)] if number == 1 else [])]
        importer.stdin.write(b"commit refs/heads/main\ncommitter a <a@example.org> %d +0000\n" % (1262304000 + number))
        importer.stdin.write(b"data 1\nc\n")
        for path, data in files:
            importer.stdin.write(b"M 100644 inline %s\ndata %d\n%s\n" % (path.encode(), len(data), data))
    importer.stdin.close()
    if importer.wait():
        raise SystemExit("bench_audit: git fast-import failed")
    subprocess.run(["git", "-C", str(top), "repack", "-adfq"], check=True)
    subprocess.run(["git", "-C", str(top), "reset", "-q", "--hard"], check=True)
    return total


class Run(NamedTuple):
    """How long a command took by the clock and in CPU seconds (git's with it), and its peak memory in MiB."""

    seconds: float
    cpu: float
    peak: float


def timed(command: list[str], top: Path) -> Run:
    """A run of a command that must find nothing wrong."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    started = time.perf_counter()
    process = subprocess.Popen(command, cwd=top, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    out = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"bench_audit: {' '.join(command)}: exit {process.returncode}\n{out.decode()[:2000]}")
    return Run(time.perf_counter() - started, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def agsync(folder: Path) -> Path | None:
    """agsync's command in an environment of its own; None without a package index."""
    venv.create(folder, with_pip=True)
    done = subprocess.run([str(folder / "bin" / "pip"), "install", "-q", AGSYNC], capture_output=True, check=False)
    return folder / "bin" / "agsync" if done.returncode == 0 else None


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        ours: dict[int, Run] = {}
        for commits in SIZES:
            top = Path(folder) / str(commits)
            size = make_history(top, commits) / 2**20
            command = [sys.executable, "-m", "minutebook", "audit"]
            runs = [timed(command, top) for _ in range(TIMES)]
            run = Run(*(median(values) for values in zip(*runs, strict=True)))
            ours[commits] = run
            print(
                f"audit {commits} commits: {run.seconds:.2f} s ({run.cpu:.2f} CPU), {size:.0f} MiB of blobs,"
                f" {size / run.seconds:.0f} MiB/s ({size / run.cpu:.0f} a CPU second), peak {run.peak:.0f} MiB"
            )
        theirs = agsync(Path(folder) / "agsync")
        if theirs is None:
            print(f"agsync: skipped, {AGSYNC} can't be installed here")
            return 0
        other, mine = timed([str(theirs), "replay", str(Path(folder) / str(COMPARED))], Path(folder)), ours[COMPARED]
        print(
            f"agsync replay of {COMPARED} commits: {other.seconds:.0f} s ({other.cpu:.0f} CPU): audit is"
            f" {other.seconds / mine.seconds:.0f} × faster a commit ({other.cpu / mine.cpu:.0f} × by CPU)"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
