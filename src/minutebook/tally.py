"""What happens beside the reading of sources: what can't be read is said, and how far a long reading has come."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import islice

import click

from minutebook.ground.errors import CannotJudge
from minutebook.ground.session import Session
from minutebook.pages.report import one_line
from minutebook.transcripts import UnknownTranscript

_NAMED = 10


@dataclass(slots=True)
class Tally:
    """What happened beside the reading: sources that count as unread, and how far a long reading has come. `silent`
    when nobody named what is read, and only what is found in it matters."""

    silent: bool = False
    unread: int = 0
    total: int = 0
    done: int = 0
    shown: bool = False

    def problem(self, words: str, *, unread: bool = True) -> None:
        self.hide()
        self.unread += unread
        if not self.silent:
            click.echo(f"minutebook: {one_line(words)}", err=True)

    def show(self, name: str) -> None:
        if self.total:
            self.shown = True
            click.echo(
                f"\r\x1b[Kreading, {100 * self.done // self.total} %: {one_line(name)[-60:]}", nl=False, err=True
            )

    def hide(self) -> None:
        if self.shown:
            self.shown = False
            click.echo("\r\x1b[K", nl=False, err=True)


def tried(read: Callable[[], Session], name: str, tally: Tally) -> Session | UnknownTranscript | None:
    """The session, or why no format claims it, or None for what couldn't be read, which has been said then."""
    try:
        return read()
    except UnknownTranscript as error:
        return error
    except CannotJudge as error:
        tally.problem(f"{name}: {error}")
    except OSError as error:
        tally.problem(f"{name}: {error.strerror or error}")
    return None


def why(error: UnknownTranscript) -> str:
    return f"{error}; {error.hint}" if error.hint else str(error)


def sum_up(unclaimed: Mapping[str, UnknownTranscript], source: str, tally: Tally) -> None:
    """One line for all in a source that no format claims."""
    if len(unclaimed) == 1:
        tally.problem(why(next(iter(unclaimed.values()))), unread=False)
    elif unclaimed:
        names = ", ".join(islice(unclaimed, _NAMED))
        more = f" and {len(unclaimed) - _NAMED} more" if len(unclaimed) > _NAMED else ""
        tally.problem(f"{source}: {len(unclaimed)} files that no format claims: {names}{more}", unread=False)
