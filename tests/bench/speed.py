"""How long a commit waits: paired with `python -c pass` of the same environment, which is made as pre-commit makes one.

Printed by `make bench`; alone: python tests/bench/speed.py noop hook one twenty log all
"""

import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from measure import BIN, Command, environment, git, paired, pattern, seconds

TOP = Path(__file__).parents[2]
ROUNDS = 20
LOG = ".memory/decisions/_log.md"


def installed(folder: Path) -> Path | None:
    """The `bin` of a new environment with minutebook in it, bytecode compiled; None without a registry."""
    made = folder / "environment"
    # pre-commit makes its environments by virtualenv, whose pip is newer than the one that Python brings.
    subprocess.run([sys.executable, "-m", "virtualenv", made], check=True, capture_output=True, env=environment())
    pip = [str(made / "bin" / "python"), "-m", "pip"]
    done = subprocess.run([*pip, "install", "--quiet", "--compile", str(TOP)], capture_output=True, check=False,
                          env=environment())  # fmt: skip
    if done.returncode:
        print("skipped: no package registry can be reached, so no environment can be made as pre-commit makes one")
        return None
    version = subprocess.run([*pip, "--version"], capture_output=True, check=True, env=environment()).stdout.decode()
    print(f"environment: {' '.join(version.split()[:2])} wrote the console script, {sys.version.split()[0]}")
    return made / "bin"


def repository(folder: Path, minutebook: Path, files: dict[str, str]) -> Path:
    """A repository with memory in it, committed and packed."""
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    subprocess.run([minutebook, "init"], cwd=folder, env=environment(), check=True, capture_output=True)
    written(folder, files)
    git(folder, "commit", "-qm", "memory", "--no-verify")
    git(folder, "gc", "-q")
    return folder


def written(folder: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")
    git(folder, "add", "-A")


def patterns(first: int, count: int) -> dict[str, str]:
    from minutebook.ground.front_matter import compose

    return {f".memory/patterns/rule-{n}.md": compose(*pattern(n)) for n in range(first, first + count)}


def decisions(first: int, last: int) -> str:
    """Entries of a log, the newest on top."""
    return "\n".join(
        f"### DEC-{n:05d}-x1 — Choice {n}\n**Context:** Number {n} had to be settled, and somebody asked.\n"
        f"**Decision:** We do number {n} in the way that number {n // 2} showed, and in no other.\n"
        f"**Rationale:** It held before, and what holds is kept until it no longer does.\n**Date:** 2026-11-02\n"
        for n in range(last, first - 1, -1)
    )


def said(what: str, command: Command, bare: Command, folder: Path, rounds: int = ROUNDS) -> None:
    ours, base, ratio = paired(command, bare, folder, rounds)
    print(f"{what}: {ours * 1000:.1f} ms against {base * 1000:.1f} ms: {ratio:.2f} x `{' '.join(bare[1:])}`")


def must_pass(command: Command, folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, env=environment(), capture_output=True, check=False)
    if done.returncode:
        raise SystemExit(f"{command}: exit {done.returncode}\n{done.stdout.decode()}{done.stderr.decode()}")


def noop(folder: Path, bin_: Path, bare: Command) -> None:
    place = repository(folder / "noop", bin_ / "minutebook", patterns(0, 20))
    written(place, {"code.py": "print(1)\n"})
    said("no-op commit, console script", [str(bin_ / "minutebook"), "check", "--staged"], bare, place)
    said("no-op commit, hooks/pre-commit", [str(TOP / "hooks" / "pre-commit")], bare, place)


def one(folder: Path, bin_: Path, bare: Command) -> None:
    command = [str(bin_ / "minutebook"), "check", "--staged"]
    for entries in (100, 1_000, 10_000):
        place = repository(folder / f"one-{entries}", bin_ / "minutebook", patterns(0, entries))
        written(place, patterns(90_000, 1))
        must_pass(command, place)
        said(f"one new entry beside {entries:,}", command, bare, place)
    place = repository(folder / "twenty", bin_ / "minutebook", patterns(0, 100))
    written(place, patterns(90_000, 20))
    said("twenty new entries beside 100", command, bare, place)


def log(folder: Path, bin_: Path, bare: Command) -> None:
    head = "# Decision log\n\n"
    place = repository(folder / "log", bin_ / "minutebook", {LOG: head + decisions(1, 10_000)})
    written(place, {LOG: head + decisions(1, 10_001)})
    command = [str(bin_ / "minutebook"), "check", "--staged"]
    must_pass(command, place)
    said("one entry appended to a log of 10,000", command, bare, place)


def everything(folder: Path, bin_: Path, bare: Command) -> None:
    """10,000 entries, against check-jsonschema over the same mappings and the same schema: as YAML, which they are in
    front matter, and as JSON, which is read ten times as fast."""
    from minutebook.ground.memory_type import builtin_types

    texts = patterns(0, 10_000)
    place = repository(folder / "all", bin_ / "minutebook", texts)
    plain = folder / "plain"
    plain.mkdir()
    for number, text in enumerate(texts.values()):
        (plain / f"{number}.yaml").write_text(text.split("---\n")[1], "utf-8")
        (plain / f"{number}.json").write_text(json.dumps(pattern(number)[0]), "utf-8")
    (plain / "schema.json").write_text(json.dumps(builtin_types()["pattern"].schema), "utf-8")
    ours = [str(bin_ / "minutebook"), "check", "--all"]
    must_pass(ours, place)
    for form in ("yaml", "json"):
        theirs = [str(BIN / "check-jsonschema"), "--schemafile", "schema.json", *(f"{n}.{form}" for n in range(10_000))]
        rows = [(seconds(ours, place), seconds(theirs, plain)) for _ in range(5)]
        mine, other = (statistics.median(row[at] for row in rows) for at in (0, 1))
        ratio = statistics.median(b / a for a, b in rows)
        what = f"{ratio:.1f} x faster than check-jsonschema over the same in {form.upper()}"
        print(f"check --all of 10,000 entries: {mine:.2f} s against {other:.2f} s: {what}")


def memory(folder: Path, bin_: Path, bare: Command) -> None:
    """The peak of `check --all` over 100,000 small entries."""
    text = "---\ntype: pattern\nid: pattern-p{0}\ntitle: Rule {0}\nabstract: The rule of number {0}.\n"
    text += "created: 2026-11-02\nupdated: 2026-11-02\n---\n## Overview\nNumber {0} is done like all the others.\n"
    files = {f".memory/patterns/p{n}.md": text.format(n) for n in range(100_000)}
    place = repository(folder / "many", bin_ / "minutebook", files)
    program = (
        "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=False, capture_output=True);"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    command = [sys.executable, "-c", program, str(bin_ / "minutebook"), "check", "--all"]
    done = subprocess.run(command, cwd=place, env=environment(), capture_output=True, check=True)
    peak = int(done.stdout) / 1024
    print(f"check --all of 100,000 entries: a peak of {peak:.0f} MiB, git's own processes included")


BENCHES: dict[str, Callable[[Path, Path, Command], None]] = {
    "noop": noop, "one": one, "log": log, "all": everything, "memory": memory,
}  # fmt: skip


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        bin_ = installed(folder)
        for each in (sys.argv[1:] or BENCHES) if bin_ is not None else ():
            assert bin_ is not None
            BENCHES[each](folder, bin_, [str(bin_ / "python"), "-c", "pass"])
            sys.stdout.flush()


if __name__ == "__main__":
    main()
