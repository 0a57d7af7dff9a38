"""A batch of histories is built, judged and compared with the oracle; what differs is made as short as it can be."""

import shutil
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from histories.building import built
from histories.history import History, told
from histories.judging import Court, Differs, by_command, disagreement, rows
from histories.script import Script
from minutebook.edges.git_batch import Batch

EVERY = 20
"""Of so many commits, one is read as `minutebook check` reads it too."""
_TRIES = 120


@dataclass(slots=True)
class Tally:
    """What was judged so far."""

    histories: int = 0
    words: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    ways: Counter[str] = field(default_factory=Counter)
    unclear: int = 0

    def add(self, other: "Tally") -> None:
        self.histories += other.histories
        self.unclear += other.unclear
        self.words.update(other.words)
        self.kinds.update(other.kinds)
        self.ways.update(other.ways)

    def lines(self) -> list[str]:
        words = ", ".join(f"{self.words[word]:,} {word}" for word in ("accept", "warn", "reject"))
        ways = ", ".join(f"{count:,} {way}" for way, count in self.ways.most_common())
        found = [f"{self.histories:,} histories, {sum(self.words.values()):,} commits judged: {words}", f"  {ways}"]
        found += (
            [f"  {self.unclear:,} left out: the base is one that the gate would have refused"] if self.unclear else []
        )
        cells = [f"{kind} {count:,}" for kind, count in self.kinds.most_common()]
        return [*found, *("  " + ", ".join(cells[at : at + 6]) for at in range(0, len(cells), 6))]


def tried(folder: Path, scripts: Sequence[Script], commands: int = 0) -> tuple[Tally, list[Differs]]:
    """Judge every commit of every history; `commands` of them through the real command line too. `folder` is made."""
    histories = [told(script) for script in scripts]
    repo, ids = built(folder, histories)
    tally, found = Tally(len(histories)), list[Differs]()
    total = sum(len(history.judged) for history in histories)
    step = max(1, total // commands) if commands else total + 1
    number = 0
    with Batch(folder) as batch:
        for history, names in zip(histories, ids, strict=True):
            tally.unclear += history.unclear
            court = Court(batch)
            for judged in history.judged:
                number += 1
                tally.words[judged.expected.word] += 1
                tally.kinds[judged.kind] += 1
                verdicts = {"in process": rows(court.problems(names, judged))}
                if number % EVERY == 0:
                    verdicts["as check reads"] = rows(court.problems_as_compared(repo, names, judged))
                if number % step == 0 and _is_alone(history, judged.commit):
                    said = by_command(repo, names, judged)
                    verdicts["by the command line"] = [(each["severity"], each["path"], each["entry"]) for each in said]
                for way, problems in verdicts.items():
                    tally.ways[way] += 1
                    why = disagreement(judged.expected, problems)
                    if why:
                        found.append(Differs(history, judged, way, why, tuple(" ".join(each) for each in problems)))
    return tally, found


def _is_alone(history: History, commit: int) -> bool:
    """Whether one base counts for the commit: the command line gives one answer for all of them."""
    return sum(judged.commit == commit for judged in history.judged) == 1


def shrunk(folder: Path, differs: Differs) -> Differs:
    """The same kind of disagreement with as few steps as can be; `folder` is made and removed for each try."""
    best = differs
    at = len(best.history.script.steps) - 1
    tries = 0
    while at >= 0 and tries < _TRIES:
        tries += 1
        steps = best.history.script.steps
        script = replace(best.history.script, steps=(*steps[:at], *steps[at + 1 :]))
        _, found = tried(folder, [script], commands=1000 if best.way == "by the command line" else 0)
        shutil.rmtree(folder)
        same = next((each for each in found if (each.way, each.why) == (best.way, best.why)), None)
        if same is not None:
            best = same
            at = len(script.steps)
        at -= 1
    return best
