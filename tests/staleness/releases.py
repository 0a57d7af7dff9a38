"""The releases whose documentation and code the second staleness set is made of, fetched as source distributions.

Run: python tests/staleness/releases.py FOLDER (a scratch folder; what lies there already isn't fetched again).
Each package is permissively licensed (MIT, BSD or Apache-2.0) and ships its documentation with its code. A release
that can't be fetched is left out and said; nothing of any of them is kept in this repository.
"""

import os
import subprocess
import sys
import tarfile
from hashlib import sha256
from pathlib import Path

RELEASES = {
    "aiohttp": ("3.6.3", "3.7.4.post0", "3.8.6", "3.9.5", "3.11.18"),
    "alembic": ("1.4.3", "1.7.7", "1.10.4", "1.13.3"),
    "arrow": ("0.15.8", "1.0.3", "1.2.3", "1.3.0"),
    "attrs": ("19.3.0", "20.3.0", "21.4.0", "23.2.0", "25.3.0"),
    "celery": ("5.2.7", "5.3.6", "5.5.2"),
    "click": ("7.0", "7.1.2", "8.0.4", "8.1.8", "8.2.1"),
    "coverage": ("4.5.4", "5.0.4", "5.5", "6.5.0", "7.6.12"),
    "falcon": ("2.0.0", "3.0.1", "3.1.3", "4.0.2"),
    "flask": ("1.0.4", "1.1.4", "2.0.3", "2.3.3", "3.1.0"),
    "jinja2": ("2.10.3", "2.11.3", "3.0.3", "3.1.6"),
    "marshmallow": ("3.0.0", "3.8.0", "3.13.0", "3.19.0", "3.26.1"),
    "peewee": ("3.13.3", "3.14.10", "3.15.4", "3.17.9"),
    "pytest": ("5.4.3", "6.2.5", "7.4.4", "8.3.5"),
    "sphinx": ("2.4.5", "3.5.4", "4.5.0", "5.3.0", "7.4.7"),
    "structlog": ("19.2.0", "20.2.0", "21.5.0", "23.3.0", "25.3.0"),
    "tornado": ("5.1.1", "6.0.4", "6.1", "6.3.3", "6.5"),
    "trio": ("0.15.1", "0.19.0", "0.22.2", "0.27.0"),
    "werkzeug": ("0.16.1", "1.0.1", "2.0.3", "2.3.8", "3.1.3"),
    "wtforms": ("2.3.3", "3.0.1", "3.1.2", "3.2.1"),
}
HELD_OUT = tuple(name for name in RELEASES if sha256(name.encode()).digest()[0] % 2)
"""The packages that training never sees, chosen by the digest of their names."""
CHAINS = ("click", "coverage", "tornado")
"""Held-out packages with five releases: alarms are counted from each one to the next."""
UNSEEN = {
    "apscheduler": ("3.6.3", "3.8.1", "3.10.4", "3.11.0"),
    "gunicorn": ("19.10.0", "20.0.4", "20.1.0", "21.2.0", "23.0.0"),
    "kombu": ("4.6.11", "5.0.2", "5.2.4", "5.3.7", "5.5.3"),
    "mako": ("1.0.14", "1.1.6", "1.2.4", "1.3.10"),
    "pip": ("20.0.2", "21.0.1", "22.0.4", "23.3.2", "25.0.1"),
    "scrapy": ("1.8.2", "2.3.0", "2.6.3", "2.11.2", "2.13.3"),
    "tox": ("3.14.6", "3.28.0", "4.6.4", "4.25.0"),
}
"""Packages chosen when rules and weights were done, before anything was measured on them: neither was changed after
that. The resolvers had been looked at on the packages above, held out or not, so their figures flatter."""
_LARGEST = 1 << 20


def fetch(folder: Path, name: str, version: str) -> Path | None:
    """The folder of the unpacked release; None when pip can't get it."""
    place = folder / f"{name}-{version}"
    if place.is_dir():
        return place
    wheels = folder / "sdists" / place.name
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:", "--dest"]
    done = subprocess.run([*command, wheels, f"{name}=={version}"], capture_output=True, check=False)
    archive = next(iter(sorted(wheels.glob("*.tar.gz"))), None) if wheels.is_dir() else None
    if done.returncode or archive is None:
        return None
    with tarfile.open(archive) as packed:
        packed.extractall(place, filter="data")
    return place


def named_folder() -> Path | None:
    """The scratch folder that the command line or MINUTEBOOK_RELEASES names."""
    named = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("MINUTEBOOK_RELEASES", "")
    return Path(named) if named else None


def read_release(place: Path) -> dict[str, str]:
    """Path (without the archive's own top folder) to text of every file that is text and no larger than 1 MiB."""
    found = {}
    for path in sorted(place.rglob("*")):
        if path.is_file() and not path.is_symlink() and path.stat().st_size <= _LARGEST:
            data = path.read_bytes()
            if b"\0" not in data[:8192]:
                found[path.relative_to(place).as_posix().partition("/")[2]] = data.decode("utf-8", "replace")
    return found


def main() -> int:
    folder = Path(sys.argv[1])
    for name, versions in (RELEASES | UNSEEN).items():
        for version in versions:
            place = fetch(folder, name, version)
            print(f"{name} {version}: {'here' if place is not None else 'could not be fetched'}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
