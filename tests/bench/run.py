"""Prints how fast and how right minutebook is: ratios measured in one run, since these machines are shared and noisy.

make bench                                everything, an hour or so
python tests/bench/run.py speed read      only these

Each figure stands below the command that measures it. What needs data that isn't here says so in a line of its own:
MINUTEBOOK_SHARED names the folder with the public data sets, MINUTEBOOK_RELEASES the one that
tests/staleness/releases.py fills. A bench that fails doesn't stop the others; the exit code is 1 then.
"""

import os
import subprocess
import sys
from pathlib import Path

from measure import PYTHON, environment

TOP = Path(__file__).parents[2]
BENCHES = {
    "speed": ("tests/bench/speed.py",),
    "read": ("tests/bench/bench_reading.py",),
    "redact": ("tests/bench/bench_redaction.py",),
    "extract": ("tests/bench/bench_extract.py",),
    "retrieve": ("tests/bench/bench_retrieve.py",),
    "staleness": ("tests/bench/bench_staleness.py",),
    "agentlore": ("tests/bench/bench_staleness_agentlore.py",),
    "refresh": ("tests/bench/bench_staleness_speed.py",),
    "compact": ("tests/bench/bench_compact.py",),
    "killed": ("-m", "pytest", "-q", "tests/test_killed.py"),
    "histories": ("tests/bench/bench_histories.py",),
    "audit": ("tests/bench/bench_audit.py",),
}
SETTINGS = {"killed": {"MINUTEBOOK_KILLS": "100"}}


def measured(name: str) -> bool:
    """Run one bench below its command; whether it came to its end."""
    more = SETTINGS.get(name, {})
    settings = "".join(f"{key}={value} " for key, value in more.items())
    print(f"== {name}\n$ {settings}python {' '.join(BENCHES[name])}", flush=True)
    done = subprocess.run([PYTHON, *BENCHES[name]], cwd=TOP, env={**environment(), **more}, check=False)
    if done.returncode:
        print(f"{name}: no figure, it ended with exit code {done.returncode}")
    print(flush=True)
    return done.returncode == 0


def main() -> int:
    wanted = sys.argv[1:] or list(BENCHES)
    if unknown := [name for name in wanted if name not in BENCHES]:
        print(f"no bench is called {unknown[0]!r}; there are {', '.join(BENCHES)}", file=sys.stderr)
        return 2
    for variable, what in (("MINUTEBOOK_SHARED", TOP.parent / "shared"), ("MINUTEBOOK_RELEASES", None)):
        where = os.environ.get(variable) or what
        found = where is not None and Path(where).is_dir()
        print(f"{variable}: {'found' if found else 'not here, so what needs it is left out and says so'}")
    print(flush=True)
    failed = [name for name in wanted if not measured(name)]
    if failed:
        print(f"without a figure: {', '.join(failed)}")
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
