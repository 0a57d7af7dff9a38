"""`minutebook redact`: shows a text with its secrets replaced."""

import codecs
import json
import sys
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import BinaryIO

import click

from minutebook.commands import options
from minutebook.ground.errors import CannotJudge, MinutebookError
from minutebook.ground.nouns import counted
from minutebook.pages.report import one_line
from minutebook.redaction.redact import Redactor
from minutebook.redaction.rules import RULES_VERSION
from minutebook.redaction.stream import Piece, redacted_pieces

_CHUNK = 1 << 20
_WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)


class Unreadable(MinutebookError):
    """A file whose text can't be told."""


@click.command()
@click.argument("files", nargs=-1, metavar="FILE...")
@click.option(
    "--check", is_flag=True, help="Print no text but the place and kind of each secret; exit 1 if there are any."
)
@options.form()
def redact(files: tuple[str, ...], check: bool, form: str) -> int:
    """Print the text of FILE with each secret replaced by `[redacted:KIND:N]`; `-` is standard input.

    The same secret has the same number all through a file, also where it is escaped or broken over lines. The figures
    by kind go to standard error. With --format json the findings are printed in place of the text: file, line, column,
    kind and length in characters, and nothing that comes from a secret itself.

    \b
    minutebook redact session.jsonl > shared.jsonl      a copy that can be shown to others
    git diff | minutebook redact --check -               exit 1 when something would leak
    minutebook redact --format json *.log                findings for a script

    Found are tokens that providers mark, private keys (torn ones too), headers, passwords in URLs, assignments, command
    lines and sentences, words that look random, and numbers of payment cards and bank accounts that pass their checks;
    all of it also escaped (JSON, URL, HTML), in base64, hex or full width, and in strings that are joined. A kind
    `crowded` is a stretch with so many near misses that all of it was taken out. It is a net, not a proof: what a
    person would need to know a secret by can't be found.

    Files of any size are read in pieces. Bytes that are no UTF-8 are kept as they are; a file with NUL bytes (UTF-16,
    pictures) can't be judged: exit 2.
    """
    if not files:
        raise CannotJudge("which text?", "minutebook redact FILE… (or - for standard input)")
    show = _Json() if form == "json" else _Check() if check else _Text()
    unread = 0
    for name in files:
        redactor, kinds = Redactor(), Counter[str]()
        try:
            _shown(name, redactor, show, kinds)
        except Unreadable as error:
            click.echo(f"minutebook: {error}\n  {error.hint}", err=True)
            unread += 1
        if form != "json" and len(kinds):
            click.echo(f"{one_line(name)}: {_figures(kinds)}", err=True)
    show.end()
    return 2 if unread else 1 if check and show.found else 0


class _Text:
    """Prints the text itself, byte for byte but for the secrets."""

    found = 0

    def piece(self, name: str, piece: Piece) -> None:
        self.found += len(piece.places)
        sys.stdout.buffer.write(piece.text.encode("utf-8", "surrogateescape"))
        sys.stdout.buffer.flush()

    def end(self) -> None:
        """Everything was printed."""


class _Check(_Text):
    """Prints `path:line:column kind` for each secret."""

    def piece(self, name: str, piece: Piece) -> None:
        self.found += len(piece.places)
        for place in piece.places:
            click.echo(f"{one_line(name)}:{place.line}:{place.column} {place.kind}")


class _Json(_Text):
    """Prints one document, finding by finding, so that none has to be held."""

    def piece(self, name: str, piece: Piece) -> None:
        for place in piece.places:
            row = {"file": name, "line": place.line, "column": place.column, "kind": place.kind, "length": place.length}
            click.echo(f"{',' if self.found else self._head()}\n    {json.dumps(row)}", nl=False)
            self.found += 1

    def end(self) -> None:
        click.echo("\n  ]\n}" if self.found else f"{self._head()}]\n}}")

    def _head(self) -> str:
        return f'{{\n  "rules": {json.dumps(RULES_VERSION)},\n  "findings": ['


def _shown(name: str, redactor: Redactor, show: _Text, kinds: Counter[str]) -> None:
    if name == "-":
        if sys.stdin is None:
            raise Unreadable("standard input is closed", "name a file")
        _pieces(sys.stdin.buffer, name, redactor, show, kinds)
        return
    try:
        source = Path(name).open("rb")  # noqa: SIM115 (closed below; only opening it may fail)
    except OSError as error:
        raise Unreadable(f"{one_line(name)}: {error.strerror}", "name a file, or - for standard input") from error
    with source:
        _pieces(source, name, redactor, show, kinds)


def _pieces(source: BinaryIO, name: str, redactor: Redactor, show: _Text, kinds: Counter[str]) -> None:
    for piece in redacted_pieces(_texts(source, name), redactor):
        kinds.update(place.kind for place in piece.places)
        show.piece(name, piece)


def _texts(source: BinaryIO, name: str) -> Iterator[str]:
    """The text of a file in pieces. A byte that is no UTF-8 becomes half a surrogate pair, and is written as it was."""
    decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
    first = True
    for chunk in iter(partial(source.read, _CHUNK), b""):
        if b"\0" in chunk or (first and chunk.startswith(_WIDE)):
            raise Unreadable(f"{one_line(name)}: holds NUL bytes or UTF-16, so what it says can't be judged",
                             hint="convert it to UTF-8 first, or leave it out")  # fmt: skip
        first = False
        yield decoder.decode(chunk)
    yield decoder.decode(b"", final=True)


def _figures(kinds: Counter[str]) -> str:
    total = counted(sum(kinds.values()), "secret")
    return f"{total}: " + ", ".join(f"{kind} {count}" for kind, count in sorted(kinds.items()))
