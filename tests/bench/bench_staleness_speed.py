"""How long a refresh of a large memory takes: cold, with its cache, and after one file changed.

Run: python tests/bench/bench_staleness_speed.py [ENTRIES FILES]   (10,000 against 50,000 when nothing is said)
The same at half the size tells whether it grows linearly. Ratios of one run travel; seconds don't.
"""

import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from measure import PYTHON, environment, git, seconds

_WORDS = ("migration", "queue", "cache", "retry", "index", "schema", "client", "token", "worker", "release", "upload")
_COMMITS = 50
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


def measured(entries: int, files: int) -> tuple[float, float, float]:
    """Seconds cold, with the cache, and after one file changed."""
    with tempfile.TemporaryDirectory() as name:
        folder = repository(Path(name) / "repository", entries, files)
        seconds([PYTHON, "-c", "import minutebook.commands.refresh"], folder)
        cold = seconds(_REFRESH, folder)
        warm = statistics.median(seconds(_REFRESH, folder) for _ in range(3))
        (folder / place(3)).write_text(f"{code(3)}LAST = 1\n", "utf-8")
        git(folder, "commit", "-qam", "one file", "--no-verify")
        changed = seconds(_REFRESH, folder)
        size = sum(path.stat().st_size for path in (folder / ".git" / "minutebook").rglob("*") if path.is_file())
        words = f"cold {cold:.1f} s, with the cache {warm:.1f} s, after one changed file {changed:.1f} s"
        print(
            f"refresh of {entries:,} entries against {files:,} files: {words}: {cold / changed:.0f} x faster;", end=""
        )
        print(f" the cache has {size / 1e6:.0f} MB", flush=True)
        keep = os.environ.get("MINUTEBOOK_KEEP")
        if keep:
            shutil.copytree(folder, keep, dirs_exist_ok=True)
    return cold, warm, changed


def main() -> int:
    entries, files = (int(sys.argv[1]), int(sys.argv[2])) if len(sys.argv) > 2 else (10_000, 50_000)
    half = measured(entries // 2, files // 2)
    whole = measured(entries, files)
    print(f"twice the size takes {whole[0] / half[0]:.1f} x the time cold, {whole[2] / half[2]:.1f} x after a change")
    return 0


if __name__ == "__main__":
    sys.exit(main())
