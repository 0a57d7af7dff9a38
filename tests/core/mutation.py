"""How many mutants of the append-only core do the tests of this folder kill? `make mutation` prints the answer.

mutmut makes the mutants, in `mutants/`, and runs the tests; `[tool.mutmut]` in pyproject.toml says which files and
which tests. What survives must stand in survivors.toml with the reason why nobody could tell it from the code as it is.
"""

import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

TOP = Path(__file__).parents[2]
SURVIVORS = Path(__file__).with_name("survivors.toml")
LEAST = 95.0
_KILLED = ("killed", "timeout", "segfault")


def report(found: Mapping[str, str], changes: Mapping[str, str], listed: frozenset[str]) -> tuple[str, int]:
    """(what to print, the exit code). `found` has the status of each mutant; `changes` says of each that wasn't killed
    what it changes, as `listed` does of those that are known."""
    counts = Counter(found.values())
    killed = sum(counts[status] for status in _KILLED)
    percent = 100 * killed / len(found) if found else 0.0
    unlisted = sorted({change for change in changes.values() if change not in listed})
    stale = sorted(listed - set(changes.values()))
    by_time = f"{counts['timeout']} by running out of time"
    sums = f"{len(found)} mutants: {killed} killed ({by_time}), {len(found) - killed} survived"
    lines = [f"{sums}: {percent:.1f} % killed, {LEAST:.0f} % wanted"]
    lines += [f"survived, and not in {SURVIVORS.name}: {change}" for change in unlisted]
    lines += [f"in {SURVIVORS.name}, and no survivor any more: {change}" for change in stale]
    return "\n".join(lines), int(percent < LEAST or bool(unlisted) or bool(stale))


def known() -> frozenset[str]:
    """What the survivors that have a reason change."""
    groups = tomllib.loads(SURVIVORS.read_text("utf-8"))["survivors"]
    return frozenset(change for group in groups for change in group["mutants"])


def results() -> Iterator[tuple[str, str, Path]]:
    """(mutant, its status, the file that it changes) of the last run."""
    from mutmut.mutation.data import SourceFileMutationData
    from mutmut.stats import status_by_exit_code
    from mutmut.utils.file_utils import walk_mutatable_files

    for path in walk_mutatable_files():
        data = SourceFileMutationData(path=path)
        data.load()
        for name, code in data.exit_code_by_key.items():
            yield name, status_by_exit_code[code], path


def change(name: str, path: Path) -> str:
    """`checks.kept.gone: NEW LINE` for a mutant: what its name counts shifts with every edit of the function."""
    from mutmut.mutation.diff_apply import get_diff_for_mutant

    function = re.sub(r"x_(\w+?)__mutmut_\d+$", r"\1", name.removeprefix("minutebook."))
    rows = get_diff_for_mutant(name, path=path).split("\n")
    added = [row[1:].strip() for row in rows if row.startswith("+") and not row.startswith("+++")]
    return f"{function}: {' / '.join(added)}"


def main() -> int:
    os.chdir(TOP)
    shutil.rmtree("mutants", ignore_errors=True)
    print("mutation testing: ten minutes of one core, less with more of them", flush=True)
    start = time.monotonic()
    done = subprocess.run([Path(sys.executable).with_name("mutmut"), "run"], stdout=subprocess.PIPE, check=False)
    if done.returncode:
        sys.stdout.buffer.write(done.stdout[-4000:])
        return 2
    found = list(results())
    changes = {name: change(name, path) for name, status, path in found if status not in _KILLED}
    text, code = report({name: status for name, status, _ in found}, changes, known())
    print(f"{text}\nin {(time.monotonic() - start) / 60:.0f} minutes")
    return code


if __name__ == "__main__":
    sys.exit(main())
