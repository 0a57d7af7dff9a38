"""The beginning of a file, which every format looks at to tell whether the file is one of its own."""

from collections import Counter
from collections.abc import Iterator
from itertools import islice

from minutebook.transcripts.decoding import Json
from minutebook.transcripts.lines import has_too_many_parts
from minutebook.transcripts.values import objects

HEAD_RECORDS, _MORE_RECORDS, _HEAD_LINES = 20, 180, 20_000


class Head(bytes):
    """The beginning of a file, whose first records are decoded once, however many formats look at them: a few, which
    tell nearly always, or more once they told nothing."""

    def __init__(self, _: bytes = b"") -> None:
        self._all = _records_of(self)
        self._rest = islice(self._all, HEAD_RECORDS)
        self._found: list[Json] = []

    def widened(self) -> bool:
        """Whether there are more to look at now; once at most."""
        if len(self._found) != HEAD_RECORDS:
            return False
        self._rest = islice(self._all, _MORE_RECORDS)
        return sum(1 for _ in self.records()) > HEAD_RECORDS

    def records(self) -> Iterator[Json]:
        at = 0
        while True:
            if at == len(self._found):
                if (value := next(self._rest, None)) is None:
                    return
                self._found.append(value)
            yield self._found[at]
            at += 1


def head_records(head: bytes) -> Iterator[Json]:
    """The first records that stand whole in the beginning of a file: what `sniff` looks at."""
    return (head if isinstance(head, Head) else Head(head)).records()


def _records_of(head: bytes) -> Iterator[Json]:
    at = 0
    for _ in range(_HEAD_LINES):
        if at >= len(head):
            return
        end = head.find(b"\n", at)
        line = head[at:] if end < 0 else head[at:end]
        if not has_too_many_parts(line):
            yield from objects(line, True, Counter())
        at += len(line) + 1
