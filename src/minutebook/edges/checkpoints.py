"""Transcripts that the Entire CLI keeps in git, found among git's objects; nothing is checked out, nothing is fetched.

A commit names its checkpoint by the trailer `Entire-Checkpoint:` with 12 hex digits or 26 characters (a ULID). The
checkpoint is a subtree of the branch `entire/checkpoints/v1`, `<first 2>/<the other 10>/`, or the tree of a ref of its
own, `refs/entire/checkpoints/<last 2>/<id>`. In it each session has a folder with a number: `full.jsonl`, whatever the
format, with `full.jsonl.001` and so on when it is long, and `metadata.json`. All of it is untrusted: names that aren't
of this form are counted and ignored, and a name is never used as a path. Layout and names after Entire's own
documentation of sessions and checkpoints.
"""

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from minutebook.edges import git, git_objects
from minutebook.ground.change import EXECUTABLE, REGULAR
from minutebook.ground.errors import CannotJudge
from minutebook.ground.frozen import frozen

BRANCH = "entire/checkpoints/v1"
_REFS = "refs/entire/checkpoints/"
_FETCH = f"git fetch origin {BRANCH}:{BRANCH}"
_HEX, _ULID = "[0-9a-f]{12}", "[0-9ABCDEFGHJKMNPQRSTVWXYZ]{26}"
_ID = re.compile(f"(?:{_HEX}|{_ULID})")
_TRAILER = re.compile(rf"(?m)^Entire-Checkpoint:[ \t]*({_HEX}|{_ULID})[ \t]*\r?$")
_FOLDER = re.compile(r"([0-9a-f]{2})/([0-9a-f]{10})/(.+)", re.DOTALL)
_OF_SESSION = re.compile(r"([0-9]{1,4})/(?:full\.jsonl(?:\.([0-9]{3}))?|(metadata\.json))")
_BESIDE = re.compile(
    r"metadata\.json|tasks/.+|[0-9]{1,4}/(?:(?:transcript\.jsonl|prompt\.txt|context\.md|content_hash\.txt)|assets/[^/]+)"
)
_METADATA_MOST = 2**20
_FEW = 50

Files = dict[str, str]
"""Blob ids by path in a checkpoint."""


@frozen
class Checkpoint:
    """The transcript of one session as one checkpoint holds it: `blobs` are its pieces in order, `size` their bytes.
    `about` is what its metadata says, EMPTY where that can't be read."""

    id: str
    number: int
    blobs: tuple[str, ...]
    size: int
    about: Mapping[str, Any]

    @property
    def name(self) -> str:
        return f"entire:{self.id}/{self.number}"


@frozen
class Found:
    """The checkpoints that were asked for, in the order of their commits, newest first. `odd` counts the files that
    have no place in a checkpoint, `absent` the checkpoints that commits name and this clone doesn't have, `asked` all
    that were asked for."""

    checkpoints: tuple[Checkpoint, ...]
    odd: int = 0
    absent: int = 0
    asked: int = 0


def find(top: Path | str, wanted: str) -> Found:
    """The checkpoints of one id, of one commit, of a range of commits (`A..B`), or ("") of all that HEAD reaches.

    Raises CannotJudge when nothing is of that name, when HEAD reaches none, or when there are none here at all.
    """
    refs, branches = _kept(top)
    ids = _ids(top, wanted)
    if not ids and not wanted:
        raise CannotJudge("no commit of HEAD names a checkpoint", "entire:CHECKPOINT, or entire:A..B of other commits")
    listed: dict[str, Files] = {}
    odd = 0
    for id in ids:
        tip = refs.get(f"{_REFS}{id[-2:]}/{id}")
        if tip is not None:
            listed[id], more = _sorted_out(git_objects.list_tree(top, tip))
            odd += more
    for branch in branches:
        on_branch, more = _of_branch(top, branch, [id for id in ids if id not in listed])
        listed |= on_branch
        odd += more
    if ids == [wanted] and not listed:
        raise CannotJudge(f"there is no checkpoint {wanted} here", _FETCH)
    found = _read(top, {id: listed[id] for id in ids if id in listed})
    return Found(tuple(found), odd, sum(id not in listed for id in ids), len(ids))


def find_all(top: Path | str) -> Found:
    """Every checkpoint that is here, whether a commit names it or not. Raises CannotJudge when there are none."""
    refs, branches = _kept(top)
    listed: dict[str, Files] = {}
    for ref, commit in refs.items():
        if _ID.fullmatch(id := ref.rpartition("/")[2]):
            listed[id] = _sorted_out(git_objects.list_tree(top, commit))[0]
    for branch in branches:
        listed = _of_branch(top, branch, None)[0] | listed
    return Found(tuple(_read(top, listed)), asked=len(listed))


def are_here(top: Path | str) -> bool:
    """Whether this clone has any."""
    return bool(_branches(top)) or bool(git.list_refs(top, _REFS))


def _kept(top: Path | str) -> tuple[dict[str, str], list[str]]:
    """The refs that are checkpoints, by name, and the commits of the branches that hold some."""
    refs = {ref.ref: ref.commit for ref in git.list_refs(top, _REFS)}
    branches = _branches(top)
    if not branches and not refs:
        raise CannotJudge(f"there is no branch {BRANCH} here", _FETCH)
    return refs, branches


def _branches(top: Path | str) -> list[str]:
    """The commits of the branch here and as each remote has it: one may hold what the other hasn't yet."""
    elsewhere = [ref.commit for ref in git.list_refs(top, f"refs/remotes/*/{BRANCH}")]
    here = git.commit_id(top, f"refs/heads/{BRANCH}")
    return list(dict.fromkeys([*([here] if here else []), *elsewhere]))


def _ids(top: Path | str, wanted: str) -> list[str]:
    if not wanted or ".." in wanted:
        if not wanted and git.commit_id(top, "HEAD") is None:
            raise CannotJudge("there is no commit yet that could name a checkpoint")
        for end in re.split(r"\.{2,3}", wanted, maxsplit=1):
            if end and git.commit_id(top, end) is None:
                raise CannotJudge(f"entire:{wanted}: there is no commit {end} here", "entire:A..B, two commits")
        return _named_by(top, "--grep=^Entire-Checkpoint:", "--end-of-options", wanted or "HEAD")
    commit = git.commit_id(top, wanted)
    if commit is not None:
        return _named_by(top, "--max-count=1", "--end-of-options", commit)
    if not _ID.fullmatch(wanted):
        raise CannotJudge(f"entire:{wanted} is neither a checkpoint nor a commit here", "entire, or entire:A..B")
    return [wanted]


def _named_by(top: Path | str, *which: str) -> list[str]:
    said = git.run(top, "log", "-z", "--format=%B", *which).decode("utf-8", "replace")
    return list(dict.fromkeys(id for message in said.split("\0") for id in _TRAILER.findall(message)))


def _of_branch(top: Path | str, commit: str, ids: Collection[str] | None) -> tuple[dict[str, Files], int]:
    """The files of these checkpoints, by id (of all with None), and how many odd ones there are in what was looked
    through: a few checkpoints are asked for by their folders, many by one listing of all."""
    folders = [f"{id[:2]}/{id[2:]}" for id in ids if len(id) == 12] if ids is not None else []
    rows: dict[str, list[tuple[str, str, str]]] = {}
    odd = 0
    few = folders if len(folders) <= _FEW else ()
    listed = git_objects.list_tree(top, commit, *few) if folders or ids is None else ()
    for path, mode, oid in listed:
        match = _FOLDER.fullmatch(path)
        if match is None:
            odd += 1
        elif ids is None or match[1] + match[2] in ids:
            rows.setdefault(match[1] + match[2], []).append((match[3], mode, oid))
    sorted_out = {id: _sorted_out(files) for id, files in rows.items()}
    return {id: files for id, (files, _) in sorted_out.items()}, odd + sum(more for _, more in sorted_out.values())


def _sorted_out(rows: Iterable[tuple[str, str, str]]) -> tuple[Files, int]:
    """The files of sessions in one checkpoint, by their path in it, and the number of those that have no place there:
    other names, links, submodules."""
    found: Files = {}
    odd = 0
    for path, mode, oid in rows:
        plain = mode in (REGULAR, EXECUTABLE)
        if plain and _OF_SESSION.fullmatch(path):
            found[path] = oid
        elif not plain or not _BESIDE.fullmatch(path):
            odd += 1
    return found, odd


def _read(top: Path | str, listed: Mapping[str, Files]) -> Iterator[Checkpoint]:
    blobs = dict.fromkeys(oid for files in listed.values() for oid in files.values())
    sizes = git_objects.blob_sizes(top, blobs) if blobs else {}
    about = dict.fromkeys(
        oid
        for files in listed.values()
        for path, oid in files.items()
        if path.endswith("/metadata.json") and sizes.get(oid, _METADATA_MOST + 1) <= _METADATA_MOST
    )
    data = git_objects.read_blobs(top, about)
    for id, files in listed.items():
        numbers = sorted({int(path.partition("/")[0]) for path in files})
        for number in numbers:
            pieces = _pieces(files, number)
            said = _object(data.get(files.get(f"{number}/metadata.json", ""), b""))
            if pieces:
                yield Checkpoint(id, number, pieces, sum(sizes.get(oid, 0) for oid in pieces), said)


def _pieces(files: Files, number: int) -> tuple[str, ...]:
    found = []
    for path, oid in files.items():
        match = _OF_SESSION.fullmatch(path)
        if match is not None and int(match[1]) == number and not match[3]:
            found.append((int(match[2] or 0), oid))
    return tuple(oid for _, oid in sorted(found))


def _object(data: bytes) -> Mapping[str, Any]:
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
