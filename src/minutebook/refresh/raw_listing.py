"""The files of a commit as git lists them, searched as they are: for a few questions that is sooner done than making
an index of all."""

from collections.abc import Iterator

from minutebook.ground.entry import decode, encode
from minutebook.ground.frozen import cached, frozen
from minutebook.refresh.listing import Listing


@frozen
class RawListing:
    """`rows` is what `git ls-tree -r -z` says, files of code alone: `MODE blob ID TAB PATH NUL` each, by path."""

    rows: bytes

    def __iter__(self) -> Iterator[str]:
        return iter(self.listing)

    def blob(self, path: str) -> str:
        at = self.rows.find(b"\t%s\0" % encode(path)) if path else -1
        return self._blob_before(at) if at >= 0 else ""

    def called(self, name: str) -> list[str]:
        return self._found(b"%s\0" % encode(name), b"\t/")

    def holding(self, blob: str) -> list[str]:
        return self._found(b"%s\t" % blob.encode(), b" ") if blob else []

    def under(self, folder: str) -> list[str]:
        found, start = [], b"\t%s/" % encode(folder)
        at = self.rows.find(start)
        while at >= 0 and self.rows.startswith(start, at):
            end = self.rows.index(b"\0", at)
            found.append(decode(self.rows[at + 1 : end]))
            at = self.rows.find(b"\t", end)
        return found

    def matching(self, glob: str) -> list[str]:
        return self.listing.matching(glob)

    @cached
    def listing(self) -> Listing:
        return Listing(dict(self._pairs()))

    def _pairs(self) -> Iterator[tuple[str, str]]:
        for row in self.rows.split(b"\0")[:-1]:
            head, _, path = row.partition(b"\t")
            yield decode(path), head.rpartition(b" ")[2].decode()

    def _found(self, what: bytes, before: bytes) -> list[str]:
        """The paths of the rows that hold `what` after one of these bytes."""
        found, at = [], self.rows.find(what)
        while at >= 0:
            if self.rows[at - 1] in before:
                found.append(self._path_around(at))
            at = self.rows.find(what, at + 1)
        return found

    def _path_around(self, at: int) -> str:
        end = self.rows.index(b"\0", at)
        return decode(self.rows[self.rows.rindex(b"\t", 0, end) + 1 : end])

    def _blob_before(self, at: int) -> str:
        return self.rows[self.rows.rindex(b" ", 0, at) + 1 : at].decode()
