"""Where the files that ship with minutebook lie: beside `src/` in a checkout, inside the package in a wheel."""

from pathlib import Path

from minutebook.ground.errors import CannotJudge


def shipped(name: str) -> Path:
    """The folder `name` (schemas, ci) as installed. Raises CannotJudge when the installation is broken."""
    inside = Path(__file__).parents[1] / "_shipped" / name
    beside = Path(__file__).parents[3] / name
    for place in (inside, beside):
        if place.is_dir():
            return place
    raise CannotJudge(f"the folder {name}/ is missing from this installation", "reinstall minutebook")
