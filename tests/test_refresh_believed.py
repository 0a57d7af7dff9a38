"""Which moves are believed: content that says nothing is no evidence, whatever git pairs."""

from collections.abc import Mapping

import pytest

from conftest import Repo
from test_refresh import POOL, reasons, stale
from test_refresh_kinds import fate_of
from test_refresh_signals import LONG, PAGE

TELLING = "def handle_user(event):\n    body = json.loads(event['body'])\n    return {'status': 200, 'id': body}\n"
RUN = '#!/bin/sh\nexec python -m acme "$@"\n'


@pytest.mark.parametrize(
    ("then", "now", "renamed", "target"),
    [
        ({"a/user.py": TELLING}, {"b/users.py": TELLING}, {}, "b/users.py"),
        ({"a/user.py": TELLING}, {"b/users.py": TELLING + "# more\n"}, {"a/user.py": "b/users.py"}, "b/users.py"),
        ({"a/user.py": "x = 1\n"}, {"b/user.py": "x = 1\n"}, {}, "b/user.py"),
        ({"a/README.md": "# Up\n"}, {"a/Readme.md": "# Up\n"}, {"a/README.md": "a/Readme.md"}, "a/Readme.md"),
        ({"a/__init__.py": TELLING}, {"b/__init__.py": TELLING}, {}, "b/__init__.py"),
        ({"vendor/one/x.sh": RUN}, {"vendor/two/x.sh": RUN}, {}, "vendor/two/x.sh"),
        ({"a/user.py": TELLING}, {"b/user.py": TELLING, "vendor/user.py": TELLING}, {}, "b/user.py"),
        ({"a/user.py": "\n"}, {"b/users.py": "\n"}, {}, ""),
        ({"a/.eslintrc.json": "{}\n"}, {"a/biome.json": "{}\n"}, {"a/.eslintrc.json": "a/biome.json"}, ""),
        ({"a/__init__.py": "pass\n"}, {"b/__init__.py": "pass\n"}, {"a/__init__.py": "b/__init__.py"}, ""),
        ({"a/one.sh": RUN}, {"vendor/x/run.sh": RUN}, {"a/one.sh": "vendor/x/run.sh"}, ""),
        ({"a/user.py": TELLING}, {"node_modules/x/user.py": TELLING}, {}, ""),
        ({"a/user.py": TELLING}, {"b/other.py": LONG}, {"a/user.py": "b/other.py"}, ""),
    ],
)
def test_a_move_needs_a_name_or_a_text_of_its_own(
    then: Mapping[str, str], now: Mapping[str, str], renamed: Mapping[str, str], target: str
) -> None:
    keep = {"keep.txt": "kept\n"}
    fate = fate_of(f"`{next(iter(then))}`", {**keep, **now}, renamed, {**keep, **then})["path"]
    assert fate is not None
    assert (fate.kind, fate.target) == ("moved" if target else "gone", target)


def test_empty_files_of_a_folder_neither_make_a_move_nor_hinder_one() -> None:
    then = {"src/jobs/__init__.py": "pass\n", "src/jobs/user.py": TELLING, "keep.txt": "x\n"}
    now = {"lib/work/__init__.py": "pass\n", "lib/work/user.py": TELLING, "keep.txt": "x\n"}
    fate = fate_of("`src/jobs/`", now, {}, then)["dir"]
    assert fate is not None
    assert fate.target == "lib/work"
    hollow = {path: text for path, text in now.items() if path != "lib/work/user.py"}
    fate = fate_of("`src/jobs/`", hollow, {}, then)["dir"]
    assert fate is not None
    assert fate.kind == "gone"


def test_a_doubtful_move_is_never_written(memory_repo: Repo) -> None:
    memory_repo.write("src/a/__init__.py", "")
    memory_repo.write(".eslintrc.json", "{}\n")
    memory_repo.write(PAGE, POOL.format(anchor="README.md", text="`src/a/__init__.py` and `.eslintrc.json` stay."))
    memory_repo.commit("Said")
    memory_repo.git("rm", "--quiet", "src/a/__init__.py", ".eslintrc.json")
    memory_repo.write("src/c/__init__.py", "")
    memory_repo.write("biome.json", "{}\n")
    memory_repo.commit("Changed")
    assert "moved" not in reasons(stale(memory_repo)["pattern-pool"])
    memory_repo.minutebook("refresh", "--apply")
    assert "`src/a/__init__.py` and `.eslintrc.json` stay." in memory_repo.read(PAGE)
