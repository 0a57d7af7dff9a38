"""Prints how fast and how right minutebook is: ratios measured in one run, since these machines are shared and noisy.

make bench                                everything
python tests/bench/run.py speed read      only these
"""

import subprocess
import sys
from pathlib import Path

from measure import PYTHON, environment

BENCHES = {
    "speed": "speed.py",
    "read": "bench_reading.py",
    "redact": "bench_redaction.py",
    "extract": "bench_extract.py",
    "retrieve": "bench_retrieve.py",
    "staleness": "bench_staleness.py",
    "histories": "bench_histories.py",
    "audit": "bench_audit.py",
}


def main() -> None:
    for name in sys.argv[1:] or BENCHES:
        subprocess.run([PYTHON, Path(__file__).with_name(BENCHES[name])], env=environment(), check=True)


if __name__ == "__main__":
    main()
