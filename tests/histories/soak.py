"""Random histories for as long as one likes: `make soak`, or python tests/histories/soak.py --histories N.

What was done is kept in a file after each batch: stopped by Ctrl-C or by a crash, it goes on there. The same seed makes
the same histories. Exit code 0: the gate and the oracle agree; 1: they don't; 130: stopped.
"""

import argparse
import json
import secrets
import signal
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field, fields
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from histories.script import random_script
from histories.trial import Tally, shrunk, tried

_STATE = Path(__file__).resolve().parents[2] / "build" / "soak.json"
_COUNTED = tuple(each.name for each in fields(Tally))


@dataclass(slots=True)
class Soak:
    """How far it has come; `next` is the number of the first history that wasn't judged."""

    seed: str
    next: int = 0
    seconds: float = 0.0
    differs: list[str] = field(default_factory=list)
    tally: Tally = field(default_factory=Tally)

    def save(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_name(f"{path.name}.new")
        tally = {name: getattr(self.tally, name) for name in _COUNTED}
        stored = {
            "seed": self.seed,
            "next": self.next,
            "seconds": self.seconds,
            "differs": self.differs,
            "tally": tally,
        }
        beside.write_text(json.dumps(stored, indent=1), "utf-8")
        beside.replace(path)


def load(path: Path) -> Soak | None:
    if not path.is_file():
        return None
    stored = json.loads(path.read_text("utf-8"))
    tally = stored.pop("tally")
    words, kinds, ways = (Counter[str](tally[name]) for name in ("words", "kinds", "ways"))
    return Soak(**stored, tally=Tally(tally["histories"], words, kinds, ways, tally["unclear"]))


def soak(state: Soak, path: Path, histories: int, batch: int, asked_to_stop: list[int] | None = None) -> None:
    """Go on until so many are judged, or a signal is in the list; what was judged is kept after each batch."""
    while state.next < histories and not asked_to_stop:
        start = time.monotonic()
        numbers = range(state.next, min(histories, state.next + batch))
        scripts = [random_script(f"{state.seed}:{number}") for number in numbers]
        with tempfile.TemporaryDirectory(prefix="minutebook-soak-", ignore_cleanup_errors=True) as folder:
            tally, found = tried(Path(folder) / "batch", scripts, commands=len(scripts) // 50)
            for differs in found[:3]:
                text = str(shrunk(Path(folder) / "shorter", differs))
                state.differs.append(text)
                print(text, flush=True)
        state.tally.add(tally)
        state.next = numbers.stop
        state.seconds += time.monotonic() - start
        state.save(path)
        if sys.stderr.isatty() or state.next % (batch * 10) == 0:
            print(f"{state.next:,} of {histories:,} histories, {state.seconds:.0f} s", file=sys.stderr, flush=True)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--histories", type=int, default=10_000, metavar="N")
    parser.add_argument("--seed", help="the same histories again; without it, others each time")
    parser.add_argument("--batch", type=int, default=100, metavar="N", help="so many in one repository")
    parser.add_argument("--state", type=Path, default=_STATE, metavar="FILE", help="where it says how far it has come")
    parser.add_argument("--fresh", action="store_true", help="start anew, whatever was stopped")
    asked = parser.parse_args(arguments)
    stopped = None if asked.fresh else load(asked.state)
    if stopped is not None and asked.seed not in (None, stopped.seed):
        stopped = None
    state = stopped or Soak(asked.seed or secrets.token_hex(4))
    print(f"seed {state.seed}, from history {state.next:,} to {asked.histories:,}", flush=True)
    asked_to_stop: list[int] = []
    # Not by an exception, which could come anywhere: the batch under way is finished first.
    usual = signal.signal(signal.SIGINT, lambda number, _: asked_to_stop.append(number))
    soak(state, asked.state, asked.histories, asked.batch, asked_to_stop)
    signal.signal(signal.SIGINT, usual)
    if asked_to_stop and state.next < asked.histories:
        print(f"stopped after {state.next:,} histories; the same command goes on there", file=sys.stderr)
        return 130
    print("\n".join(state.tally.lines()))
    print(f"  {state.seconds:.0f} s; {len(state.differs)} times the gate and the oracle differ")
    asked.state.unlink(missing_ok=True)
    return int(bool(state.differs))


if __name__ == "__main__":
    sys.exit(main())
