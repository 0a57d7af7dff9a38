"""`minutebook audit` on two real histories of decision records, against labels made by line comparison.

Run: python tests/bench/bench_histories.py (needs the data set histories beside the checkout, or in the folder that
MINUTEBOOK_SHARED names). An alarm is a published break that names the commit and the record of a label. What labels and
audit disagree on is listed with the reason, worked out from the two versions of the record: a label compares lines, and
knows neither drafts, nor moved files, nor where in a record a line was put.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any, NamedTuple

from minutebook.ground.change import File
from minutebook.ground.config import Config, read_config
from minutebook.ground.entry import decode
from minutebook.ground.memory import read_memory
from minutebook.ground.record import is_record

HISTORIES = {
    "opendatahub-adr": 'places: {decision: "**/ODH-ADR*.md"}\nstatus: {decision: {draft: [review, tbd]}}\n',
    "agentv-adr-beads": "places: {decision: docs/adr/*.md}\n",
}
BROKEN = ("rewrite", "removed-or-renamed")


class Judged(NamedTuple):
    """A label, whether the audit raised an alarm there, whether the record was sealed then, and why they differ."""

    label: dict[str, Any]
    alarm: bool
    sealed: bool
    reason: str


def shared() -> Path:
    named = os.environ.get("MINUTEBOOK_SHARED")
    return Path(named) if named else Path(__file__).resolve().parents[3] / "shared"


def git(top: Path, *arguments: str) -> bytes:
    return subprocess.run(["git", "-C", str(top), *arguments], check=True, capture_output=True).stdout


def audit(top: Path, config: Path) -> dict[str, Any]:
    command = [sys.executable, "-m", "minutebook", "audit", "--format", "json", "--config", str(config)]
    done = subprocess.run(command, cwd=top, capture_output=True, check=False)
    if done.returncode > 1:
        raise SystemExit(f"bench_histories: {done.stderr.decode()}")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def alarms(report: dict[str, Any]) -> set[tuple[str, str]]:
    """(commit, the record's id) of every published break."""
    return {(each["commit"], row["entry"]) for row in report["broken"] for each in row["breaks"] if each["published"]}


def judged(top: Path, config: Config, labels: list[dict[str, Any]], raised: set[tuple[str, str]]) -> Iterator[Judged]:
    for label in labels:
        path, commit = label["path"], label["commit"]
        name = path.rsplit("/", 1)[-1]
        old = git(top, "show", f"{commit}^1:{path}")
        memory = read_memory({path: File(old)}, ".memory", config)
        entry = next(memory.entries(), None)
        sealed = entry is not None and memory.type_of(entry).stage(entry.status) != "draft"
        alarm = (commit, name.removesuffix(".md")) in raised
        reason = ""
        if alarm != (label["kind"] in BROKEN):
            reason = _reason(top, label, old, sealed=sealed)
        yield Judged(label, alarm, sealed, reason)


def _reason(top: Path, label: dict[str, Any], old: bytes, *, sealed: bool) -> str:
    path, commit = label["path"], label["commit"]
    if not is_record(path.rsplit("/", 1)[-1]):
        return "a template is no record"
    if label["kind"] == "removed-or-renamed":
        blob = git(top, "rev-parse", f"{commit}^1:{path}").decode().strip()
        rows = git(top, "ls-tree", "-r", "-z", commit).decode("utf-8", "replace").split("\0")
        if any(f" {blob}\t" in row and row.endswith(path.rsplit("/", 1)[-1]) for row in rows):
            return "the file was moved, its name and every word kept"
    if not sealed:
        return "the record was a draft"
    before, after = (decode(data).split("\n") for data in (old, git(top, "show", f"{commit}:{path}")))
    gone, come = _where(before, after)
    if label["kind"] == "append" and come - {"Status"}:
        return f"lines were put into “{min(come - {'Status'})}”, which is sealed"
    if label["kind"] == "rewrite" and gone == {"Status"} and come <= {"Status"}:
        return "no line is gone: one of the section Status was continued, and more said below it"
    return "UNEXPLAINED"


def _where(before: list[str], after: list[str]) -> tuple[set[str], set[str]]:
    """The sections from which lines are gone, and those into which lines have come."""
    gone, come = set[str](), set[str]()
    for what, start, end, at, until in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if what != "equal":
            gone |= {_section(before, start)} if end > start else set()
            come |= {_section(after, at)} if until > at else set()
    return gone, come


def _section(lines: list[str], at: int) -> str:
    return next((line.strip("# ") for line in reversed(lines[: at + 1]) if line.startswith("## ")), "")


def share(part: int, whole: int) -> str:
    return f"{part / whole:.2f} ({part} of {whole})" if whole else "none"


def report(name: str, rows: list[Judged], raised: set[tuple[str, str]]) -> None:
    broken = [row for row in rows if row.label["kind"] in BROKEN]
    sealed = [row for row in broken if row.sealed and "moved" not in row.reason]
    rightly = sum(row.alarm for row in broken)
    lawful = [row for row in rows if row.label["kind"] not in BROKEN]
    known = {(row.label["commit"], row.label["path"].rsplit("/", 1)[-1].removesuffix(".md")) for row in rows}
    print(f"{name}: {len(rows)} labels, {len(raised)} alarms")
    print(f"  recall over rewrites and removals of sealed records: {share(sum(r.alarm for r in sealed), len(sealed))}")
    print(f"  recall over all labels of that kind: {share(rightly, len(broken))}")
    print(f"  precision over all alarms: {share(rightly, len(raised))}; without a label: {len(raised - known)}")
    print(f"  alarms on appends and status changes: {share(sum(r.alarm for r in lawful), len(lawful))}")
    told = Counter((row.label["kind"], "alarm" if row.alarm else "no alarm", row.reason) for row in rows if row.reason)
    for (kind, what, reason), count in sorted(told.items()):
        print(f"  disagreement ×{count}: label {kind}, {what}: {reason}")


def main() -> int:
    data = shared() / "data" / "histories"
    if not data.is_dir():
        print("bench_histories: skipped, the histories are not here (set MINUTEBOOK_SHARED)")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        for name, text in HISTORIES.items():
            top = Path(folder) / name
            subprocess.run(["git", "clone", "-q", str(data / f"{name}.bundle"), str(top)], check=True)
            config = Path(folder) / f"{name}.yaml"
            config.write_text(text, "utf-8")
            labels = json.loads((data / f"{name}.labels.json").read_bytes())["labels"]
            raised = alarms(audit(top, config))
            report(name, list(judged(top, read_config(text.encode()), labels, raised)), raised)
    return 0


if __name__ == "__main__":
    sys.exit(main())
