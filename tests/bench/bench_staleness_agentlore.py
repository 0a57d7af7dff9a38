"""agentlore beside minutebook, on the cases that it can express: what is anchored to a file.

Run: python tests/bench/bench_staleness_agentlore.py FOLDER (as bench_staleness.py; fetches agentlore from the package
registry by pip, and says so where it can't). Of the held-out packages every stale token whose file was known, and for
each pair of releases up to fifty others, become memories anchored to that file at the older release, stamped by
`agentlore verify --all`; then the newer release is checked out and `agentlore check --github` is asked. Tokens that
never resolved can't be anchored, so they are left out for both.
"""

import random
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "staleness"))

import pairs
from documents import documents
from figures import Scored, at_threshold, auc
from releases import HELD_OUT, fetch, named_folder, read_release

from minutebook.refresh.anchors import references
from minutebook.refresh.resolvers import resolve
from minutebook.staleness.past import shipped_model

_MOST_FILES, _OTHERS = 3, 50
_FLAGGED = re.compile(r"title=MEMORY-HEALTH%?[^:]*: (?:stale memory|anchor has no code)::(DEC-[\w-]+)")
_ENTRY = """
## Ref {number}
<!-- agentlore
id: {id}
type: decision
status: accepted
anchors: {anchors}
evidence: documentation
author: bench
created: 2026-01-01
-->

It speaks of {token}.
"""


def installed(folder: Path) -> Path | None:
    """The script of agentlore, from the registry; None where there is none."""
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(folder), "agentlore"]
    done = subprocess.run(command, capture_output=True, check=False)
    return next(iter(sorted(folder.rglob("bin/agentlore"))), None) if done.returncode == 0 else None


def expressible(folder: Path, name: str) -> Iterator[tuple[str, list[tuple[pairs.Row, tuple[str, ...]]]]]:
    """By pair of releases, the rows with evidence and the one to three files that each stood for in the older one."""
    rows: dict[str, list[pairs.Row]] = defaultdict(list)
    for row in pairs.rows_of(folder, name):
        if row.label in ("stale", "fresh"):
            rows[row.pair].append(row)
    for pair, mine in rows.items():
        old, _, new = pair.partition("..")
        place = fetch(folder, name, old)
        docs = documents(read_release(place)) if place is not None else {}
        then, _, _ = pairs.views(folder / "git" / name, old, new, docs)
        where: dict[tuple[str, str], tuple[str, ...]] = {}
        for path, entry in docs.items():
            for reference in references(entry):
                found = resolve(reference, then, path.rpartition("/")[0])
                if found is not None and 0 < len(found.files) <= _MOST_FILES and not found.foreign:
                    where.setdefault((path, reference.text), found.files)
        known = [(row, where[row.document, row.token]) for row in mine if (row.document, row.token) in where]
        stale = [each for each in known if each[0].label == "stale"]
        others = [each for each in known if each[0].label != "stale"]
        yield pair, stale + random.Random(pair).sample(others, min(_OTHERS, len(others)))


def flagged(script: Path, top: Path, pair: str, cases: list[tuple[pairs.Row, tuple[str, ...]]]) -> list[bool]:
    """What agentlore says of each case."""
    old, _, new = pair.partition("..")
    with tempfile.TemporaryDirectory() as name:
        place = Path(name) / "repository"
        run(Path(name), "git", "clone", "--quiet", str(top), str(place))
        run(place, "git", "checkout", "--quiet", old)
        run(place, sys.executable, str(script), "init")
        entries = [
            _ENTRY.format(number=at, id=f"DEC-2026-01-01-{at:04x}", anchors=" ".join(where), token=row.token)
            for at, (row, where) in enumerate(cases)
        ]
        (place / ".memory" / "decisions.md").write_text("# Decisions\n" + "".join(entries), "utf-8")
        commit(place)
        run(place, sys.executable, str(script), "verify", "--all")
        commit(place)
        run(place, "git", "rm", "-r", "--quiet", "--ignore-unmatch", "--", ".", ":!.memory", ":!.gitignore")
        run(place, "git", "checkout", "--quiet", new, "--", ".")
        commit(place)
        run(place, sys.executable, str(script), "index")
        said = set(_FLAGGED.findall(run(place, sys.executable, str(script), "check", "--github")))
    return [f"DEC-2026-01-01-{at:04x}" in said for at in range(len(cases))]


def commit(place: Path) -> None:
    identity = ("-c", "user.name=bench", "-c", "user.email=bench@example.org")
    run(place, "git", *identity, "add", "--all")
    run(place, "git", *identity, "commit", "--quiet", "--allow-empty", "--no-verify", "--message", "step")


def run(folder: Path, *command: str) -> str:
    return subprocess.run(command, cwd=folder, capture_output=True, check=False).stdout.decode("utf-8", "replace")


def main() -> int:
    folder = named_folder()
    if folder is None:
        print("bench_staleness_agentlore: skipped, no folder of releases (tests/staleness/releases.py FOLDER)")
        return 0
    model = shipped_model()
    theirs: list[Scored] = []
    ours: list[Scored] = []
    with tempfile.TemporaryDirectory() as name:
        script = installed(Path(name))
        if script is None:
            print("bench_staleness_agentlore: skipped, agentlore can't be installed here")
            return 0
        for package in HELD_OUT:
            for pair, cases in expressible(folder, package):
                said = flagged(script, folder / "git" / package, pair, cases)
                for (row, _), flag in zip(cases, said, strict=True):
                    theirs.append(Scored(float(flag), row.label == "stale"))
                    score = model.probability(row.features) if row.features is not None else 0.0
                    ours.append(Scored(score, row.label == "stale"))
    print(f"cases that agentlore can express: {len(theirs)}, {sum(row.stale for row in theirs)} of them stale")
    for who, rows in (("agentlore", theirs), ("minutebook", ours)):
        precision, recall, flags = at_threshold(rows, 0.5)
        print(f"  {who}: AUC {auc(rows):.3f}, precision {precision:.2f}, recall {recall:.2f}, {flags} flags")
    return 0


if __name__ == "__main__":
    sys.exit(main())
