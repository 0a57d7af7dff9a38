"""What the promise says of every scene, word for word, as `verdicts.txt` keeps it.

python -m core.verdicts        in tests/: write the file anew; read what git shows before you commit it
"""

from pathlib import Path

from core import scenes_of_entries, scenes_of_logs, scenes_of_merges, scenes_of_scope, scenes_of_tombstones
from core.promise import CASES
from core.scene import Scene

FILE = Path(__file__).with_name("verdicts.txt")
_MARK = "== "

GROUPS: dict[str, dict[str, Scene]] = {
    "promise": {name: Scene(edit) for name, edit, _, _ in CASES},
    "entries": scenes_of_entries.SCENES,
    "logs": scenes_of_logs.SCENES,
    "scope": scenes_of_scope.SCENES,
    "merges": scenes_of_merges.SCENES,
    "tombstones": scenes_of_tombstones.SCENES,
}
SCENES = {f"{group}: {name}": scene for group, scenes in GROUPS.items() for name, scene in scenes.items()}


def kept() -> dict[str, str]:
    """The verdicts in the file, by the name of their scene."""
    parts = FILE.read_text("utf-8").split(f"\n{_MARK}")[1:]
    return {name: text.strip("\n") + "\n" for name, _, text in (part.partition("\n") for part in parts)}


def page() -> str:
    head = "What the gate says of each scene of this folder; `python -m core.verdicts` in tests/ writes it.\n"
    return head + "".join(f"\n{_MARK}{name}\n{scene.verdict()}" for name, scene in SCENES.items())


if __name__ == "__main__":
    FILE.write_text(page(), "utf-8")
