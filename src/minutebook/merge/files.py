"""One file of memory in three versions into one, whatever kind of file it is."""

from __future__ import annotations

from posixpath import normpath

from minutebook.ground.change import File
from minutebook.ground.entry import decode, encode
from minutebook.ground.errors import CannotJudge
from minutebook.ground.frozen import replace
from minutebook.ground.memory import INDEX, read_file
from minutebook.merge.index import merged_index
from minutebook.merge.lines import Way
from minutebook.merge.log import Known, Merged, merged_log
from minutebook.merge.pieces import Log, cut, ended
from minutebook.merge.renaming import with_ids_of_their_own
from minutebook.merge.single import merged_single
from minutebook.pages.index_page import is_generated

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from minutebook.ground.entry import MemoryFile
    from minutebook.ground.memory import Memory
    from minutebook.merge.renaming import Read

Three = tuple[bytes, bytes, bytes]
"""The bytes in the common past (empty where it had no such file), on our side and on theirs."""


def is_ours_to_merge(memory: Memory, path: str, three: Three) -> bool:
    """Whether the file holds entries, or is the generated index; anything else is plain text."""
    if path == memory.outer(INDEX):
        return all(is_generated(decode(data)) for data in three[1:])
    return memory.type_at(path) is not None


def merged_file(memory: Memory, path: str, three: Three, known: Callable[[str], Known], way: Way) -> Merged:
    """The merged file; `memory` gives the config and the types, `known` what git knows of a file.

    Raises CannotJudge for what can't be read, or has no order that is right for both sides: then nobody knows what an
    entry is, and a person has to look.
    """
    texts = [decode(data) for data in three]
    final = _settled(*(not text or text.endswith("\n") for text in texts))
    crlf = _settled(*(_is_crlf(text or texts[1]) for text in texts))
    unequal = len({_is_crlf(text) for text in texts if text}) > 1
    plain = [text.replace("\r\n", "\n") for text in texts] if unequal else texts
    if path == memory.outer(INDEX):
        merged = Merged(
            merged_index((plain[0], plain[1], plain[2]), lambda inner: normpath(memory.outer(inner)), known)
        )
    else:
        merged = _merged_entries(memory, path, plain, known(path), way)
    text = ended(merged.text) if final else merged.text.removesuffix("\n").removesuffix("\r")
    return replace(merged, text=text.replace("\n", "\r\n") if unequal and crlf else text)


def _merged_entries(memory: Memory, path: str, texts: list[str], known: Known, way: Way) -> Merged:
    mtype = memory.type_at(path)
    if mtype is None:
        raise CannotJudge(f"{path} holds no entries")

    def read(text: str) -> MemoryFile:
        return read_file(path, File(encode(text)), mtype, memory.config)

    files = _read(texts, read)
    if not files[1].log:
        return merged_single(files, mtype, known, way)
    base, ours, theirs = (cut(file) for file in files)
    if base is None or ours is None or theirs is None:
        raise CannotJudge("an id stands twice in it")
    logs, renamed = with_ids_of_their_own((base, ours, theirs), read, mtype, known)
    merged = merged_log(*logs, mtype, known, way)
    if merged is None:
        raise CannotJudge("the two sides hold the same entries in another order")
    if not merged.conflicts:
        _must_hold_all(read(merged.text), logs)
    return replace(merged, renamed=renamed)


def _read(texts: list[str], read: Read) -> tuple[MemoryFile, ...]:
    files = [read(text) for text in texts]
    for name, file in zip(("the common past", "ours", "theirs"), files, strict=True):
        broken = [problem for problem in file.problems if problem.severity == "error"]
        if broken:
            raise CannotJudge(f"it can't be read ({name}, line {broken[0].line}): {broken[0].message}")
    if not texts[0]:
        files[0] = replace(files[0], log=files[1].log, entries=())
    if len({file.log for file in files}) > 1:
        raise CannotJudge("it is a log on one side, and a single entry on another")
    return tuple(files)


def _must_hold_all(merged: MemoryFile, logs: tuple[Log, Log, Log]) -> None:
    """A fence or a comment that one side leaves open would swallow what comes after it."""
    held = {entry.id.casefold() for entry in merged.entries}
    base, ours, theirs = (log.pieces for log in logs)
    for name, piece in {**ours, **theirs}.items():
        if name not in held and (name not in base or (name in ours and name in theirs)):
            raise CannotJudge(f"{piece.entry.id} would disappear in a code fence or a comment that is left open")


def _is_crlf(text: str) -> bool:
    return text.partition("\n")[0].endswith("\r")


def _settled(base: bool, ours: bool, theirs: bool) -> bool:
    """As the side that changed it has it."""
    return theirs if ours == base else ours
