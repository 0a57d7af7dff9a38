"""A commit in the words of `git fast-import`, which takes bytes as they are: no filter, no index, no work tree."""

import os
from collections.abc import Iterable

from minutebook.ground.change import File


def commit_stream(ref: str, files: Iterable[tuple[str, File]], message: bytes, when: int) -> bytes:
    """What makes `ref` a commit of exactly these files, without parents, at `when` (Unix time), by nobody in
    particular."""
    out = [b"feature done\n", b"commit %s\n" % ref.encode(), b"committer minutebook <minutebook> %d +0000\n" % when]
    out.append(b"data %d\n%s\n" % (len(message), message))
    for path, file in files:
        out.append(b"M %s inline %s\n" % (file.mode.encode(), _quoted(path)))
        out.append(b"data %d\n%s\n" % (len(file.data), file.data))
    return b"".join([*out, b"done\n"])


def _quoted(path: str) -> bytes:
    # C style, all bytes but plain ones as octal: fast-import splits on spaces and newlines otherwise.
    plain = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/"
    return b'"' + b"".join(b"%c" % each if each in plain else b"\\%03o" % each for each in os.fsencode(path)) + b'"'
