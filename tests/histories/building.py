"""Many histories in one repository: one `git fast-import`, then one `git cat-file --batch` reads it all back."""

import subprocess
from collections.abc import Sequence
from pathlib import Path

from conftest import Repo, environment
from histories.history import History
from histories.model import rendered
from minutebook.edges.git_batch import Batch
from minutebook.ground.change import File

CONFIG = ".minutebook.yaml"
Ids = list[list[str]]
"""By history and by commit, what git calls it."""


def built(folder: Path, histories: Sequence[History]) -> tuple[Repo, Ids]:
    """A repository at `folder` with every commit of every history."""
    folder.mkdir(parents=True)
    repo = Repo(folder, environment(folder.parent))
    repo.git("init", "--quiet", "--initial-branch=main")
    stream, marks = _stream(histories)
    (folder / "stream").write_bytes(stream)
    command = ["git", "fast-import", "--quiet", "--force", "--done", "--export-marks=marks"]
    with (folder / "stream").open("rb") as source:
        importing = subprocess.Popen(command, cwd=folder, env={**repo.env}, stdin=source)
        try:
            importing.wait()
        finally:  # by Ctrl-C too: while it writes, the folder can't be removed
            importing.wait()
    assert importing.returncode == 0, "git fast-import failed"
    rows = (line.split() for line in (folder / "marks").read_text("ascii").splitlines())
    known = {int(mark[1:]): oid for mark, oid in rows}
    return repo, [[known[mark] for mark in row] for row in marks]


def _stream(histories: Sequence[History]) -> tuple[bytes, list[list[int]]]:
    out: list[bytes] = []
    blobs: dict[bytes, int] = {}
    numbers: list[list[int]] = []
    mark = 0

    def blob(data: bytes) -> int:
        nonlocal mark
        if data not in blobs:
            mark += 1
            blobs[data] = mark
            out.append(b"blob\nmark :%d\ndata %d\n%s\n" % (mark, len(data), data))
        return blobs[data]

    for number, history in enumerate(histories):
        marks: list[int] = []
        config = _config(history)
        for commit in history.commits:
            files = {path: (mode, blob(data)) for path, (mode, data) in rendered(commit.state).items()}
            files[CONFIG] = ("100644", blob(config))
            mark += 1
            who = f"committer A <a@example.org> {1_700_000_000 + mark} +0000"
            head = f"commit refs/histories/{number}\nmark :{mark}\n{who}\ndata 0\n"
            links = [f"{'from' if at == 0 else 'merge'} :{marks[parent]}\n" for at, parent in enumerate(commit.parents)]
            if not links:
                head = f"reset refs/histories/{number}\n{head}"
            rows = [f"M {mode} :{each} {path}\n" for path, (mode, each) in files.items()]
            out.append("".join([head, *links, "deleteall\n", *rows]).encode())
            marks.append(mark)
        numbers.append(marks)
    out.append(b"done\n")
    return b"".join(out), numbers


def _config(history: History) -> bytes:
    order = "newest-first" if history.script.newest_first else "oldest-first"
    return f"order: {{decision: {order}}}\n{'seal: [bytes]' if history.script.strict else ''}\n".encode()


class Trees:
    """Trees and blobs by id, each read once."""

    def __init__(self, batch: Batch) -> None:
        self._batch = batch
        self._known: dict[str, dict[str, File]] = {}
        self._blobs: dict[str, bytes] = {}

    def of(self, commit: str) -> dict[str, File]:
        return self._tree(f"{commit}^{{tree}}")

    def _tree(self, name: str) -> dict[str, File]:
        if name not in self._known:
            found: dict[str, File] = {}
            for mode, path, oid in _rows(self._object(name)):
                if mode == "40000":
                    found |= {f"{path}/{inner}": file for inner, file in self._tree(oid).items()}
                else:
                    found[path] = File(self._blob(oid), mode)
            self._known[name] = found
        return self._known[name]

    def _blob(self, oid: str) -> bytes:
        if oid not in self._blobs:
            self._blobs[oid] = self._object(oid)
        return self._blobs[oid]

    def _object(self, name: str) -> bytes:
        (found,) = self._batch.objects([name])
        assert found is not None, name
        return found[2]


def _rows(data: bytes) -> list[tuple[str, str, str]]:
    rows = []
    at = 0
    while at < len(data):
        zero = data.index(b"\0", at)
        mode, _, path = data[at:zero].decode().partition(" ")
        rows.append((mode, path, data[zero + 1 : zero + 21].hex()))
        at = zero + 21
    return rows
