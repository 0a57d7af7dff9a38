"""How long a refresh of a large memory takes: cold, with its cache, and after one file changed.

Run: python tests/bench/bench_staleness_speed.py [ENTRIES FILES]   (10,000 against 50,000 when nothing is said)
The same at half the size tells whether it grows linearly. Ratios of one run travel; seconds don't.
"""

import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from measure import PYTHON, environment, git, seconds

_WORDS = ("migration", "queue", "cache", "retry", "index", "schema", "client", "token", "worker", "release", "upload")
_COMMITS = 50
_FIRST = 3
_REFRESH = [PYTHON, "-m", "minutebook", "refresh", "--today", "2026-11-20", "--format", "json"]


def code(number: int) -> str:
    """A module of some thirty lines; the same number gives the same module."""
    draw = random.Random(number)
    names = [f"{draw.choice(_WORDS)}_{draw.choice(_WORDS)}_{number}_{each}" for each in range(6)]
    body = "".join(
        f"def {name}({draw.choice(_WORDS)}, limit=3):\n    # {draw.choice(_WORDS)} first\n"
        f"    value = {draw.choice(_WORDS)}_{number % 97}(limit)\n    return value\n\n\n"
        for name in names
    )
    return f'"""The {draw.choice(_WORDS)} of part {number}."""\n\nimport os\n\n\n{body}'


def place(number: int) -> str:
    return f"src/part{number % 200}/area{number % 40}/module_{number}.py"


def entry(number: int, files: int) -> str:
    """An entry with an anchor, two paths and two names of the code."""
    draw = random.Random(number)
    at, near = draw.randrange(files), draw.randrange(files)
    name = code(at).split("def ", 1)[1].split("(", 1)[0]
    words = " ".join(draw.choice(_WORDS) for _ in range(40))
    return (
        f"---\ntype: pattern\nid: pattern-rule-{number}\ntitle: Rule {number} for the {draw.choice(_WORDS)}\n"
        f"abstract: Every {draw.choice(_WORDS)} number {number} has a {draw.choice(_WORDS)} of its own.\n"
        f"created: 2026-11-02\nanchors: [{place(at)}]\n---\n## Overview\nAsk `{name}` in `{place(near)}`.\n\n"
        f"## Detail\n{words}; see `{place(at)}` and `module_{near}.py`.\n"
    )


def repository(folder: Path, entries: int, files: int) -> Path:
    """Code in one commit, memory in fifty, one module in a hundred changed after each tenth of them."""
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    stream = b"".join(_history(entries, files))
    subprocess.run(["git", "fast-import", "--quiet"], cwd=folder, input=stream, check=True, env=environment())
    git(folder, "reset", "-q", "--hard", "main")
    return folder


def _history(entries: int, files: int) -> Iterator[bytes]:
    yield _commit(0)
    yield from (_file(place(number), code(number)) for number in range(files))
    for step in range(_COMMITS):
        yield _commit(step + 1)
        mine = range(step, entries, _COMMITS)
        yield from (_file(f".memory/patterns/rule-{number}.md", entry(number, files)) for number in mine)
        if step % 5 == 4:
            yield from (_file(place(n), f"{code(n)}CHANGED = {step}\n") for n in range(step, files, 1000))
            yield from (f"D {place(n)}\n".encode() for n in range(step + 7, files, 2000))


def _commit(step: int) -> bytes:
    when = 1_790_000_000 + step * 3600
    return f"commit refs/heads/main\ncommitter bench <bench@example.com> {when} +0000\ndata 1\nx\n".encode()


def _file(path: str, text: str) -> bytes:
    data = text.encode()
    return f"M 100644 inline {path}\ndata {len(data)}\n".encode() + data + b"\n"


@dataclass(frozen=True, slots=True)
class Spent:
    """Seconds that passed, and seconds of computing by the run and by git, which other work beside it changes less."""

    passed: float
    computed: float


def round_of(folder: Path, number: int) -> dict[str, Spent]:
    """One run of each kind, side by side. The last says what a run says that knows nothing, or it is worth nothing."""
    shutil.rmtree(folder / ".git" / "minutebook", ignore_errors=True)
    found = {"cold": spent(folder)[0]}
    spent(folder)
    found["nothing changed"] = spent(folder)[0]
    (folder / place(number)).write_text(f"{code(number)}LAST = 1\n", "utf-8")
    git(folder, "commit", "-qam", "one file", "--no-verify")
    found["one changed file of code"] = spent(folder)[0]
    path = folder / ".memory" / "patterns" / f"rule-{number}.md"
    path.write_text(f"{path.read_text('utf-8')}It holds for `{place(number + 1)}` too.\n", "utf-8")
    git(folder, "commit", "-qam", "one entry", "--no-verify")
    found["one changed entry"], said = spent(folder)
    if number == _FIRST:
        shutil.rmtree(folder / ".git" / "minutebook")
        assert spent(folder)[1] == said, "a run that remembers says something else"
    return found


def spent(folder: Path) -> tuple[Spent, bytes]:
    """What one run took, and what it said."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(_REFRESH, cwd=folder, env=environment(), capture_output=True, check=True)
    passed, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    computed = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return Spent(passed, computed), done.stdout


def measured(entries: int, files: int, rounds: int) -> dict[str, Spent]:
    """The quickest of each kind over the rounds; a printed ratio is the best of those within one round."""
    with tempfile.TemporaryDirectory() as name:
        folder = repository(Path(name) / "repository", entries, files)
        seconds([PYTHON, "-c", "import minutebook.commands.refresh"], folder)
        found = [round_of(folder, _FIRST + each) for each in range(rounds)]
        size = sum(path.stat().st_size for path in (folder / ".git" / "minutebook").rglob("*") if path.is_file())
    print(f"refresh of {entries:,} entries against {files:,} files (the cache has {size / 1e6:.0f} MB):")
    for kind in found[0]:
        passed, computed = (min(getattr(each[kind], part) for each in found) for part in ("passed", "computed"))
        by_clock = max(each["cold"].passed / each[kind].passed for each in found)
        by_work = max(each["cold"].computed / each[kind].computed for each in found)
        times = f": {by_clock:.0f} x faster by the clock, {by_work:.0f} x less work" if kind != "cold" else ""
        print(f"  {kind:25} {passed:6.2f} s, {computed:6.2f} s of computing{times}")
    sys.stdout.flush()
    return {kind: min((each[kind] for each in found), key=lambda one: one.computed) for kind in found[0]}


def main() -> int:
    entries, files = (int(sys.argv[1]), int(sys.argv[2])) if len(sys.argv) > 2 else (10_000, 50_000)
    half = measured(entries // 2, files // 2, 1)
    whole = measured(entries, files, 2)
    for kind in ("cold", "one changed file of code"):
        growth = whole[kind].computed / half[kind].computed
        print(f"twice the size takes {growth:.1f} x the work, {kind}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
