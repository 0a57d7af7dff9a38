"""What is said to people, and how a run ends: without click, which a hook would have to wait for."""

from __future__ import annotations

import os
import sys

from minutebook.ground.errors import MinutebookError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

INTERRUPTED = 130
READER_GONE = 141  # what shells say of a program that SIGPIPE ended


def say(text: str, *, err: bool = False) -> None:
    """Write to standard output, or to standard error, at once. Who closed it doesn't want to hear it."""
    stream = sys.stderr if err else sys.stdout
    if stream is None:
        return
    try:
        stream.write(text)
    except UnicodeEncodeError:
        encoding = stream.encoding or "ascii"
        stream.write(text.encode(encoding, "backslashreplace").decode(encoding))
    stream.flush()


def ended(work: Callable[[], int]) -> int:
    """Do the work and give its exit code; an expected failure is shown, with the next step."""
    try:
        return work()
    except KeyboardInterrupt:
        say("\n", err=True)
        return INTERRUPTED
    except MinutebookError as error:
        say(f"minutebook: {error}\n", err=True)
        if error.hint:
            say(f"  {'' if error.hint.endswith('?') else 'try: '}{error.hint}\n", err=True)
        return error.exit_code
    except BrokenPipeError:  # no verdict, neither 0 nor 1
        _drop_what_is_unwritten()
        return READER_GONE
    except OSError as error:
        where = f": {error.filename}" if error.filename is not None else ""
        say(f"minutebook: {error.strerror or error}{where}\n", err=True)
        _drop_what_is_unwritten()
        return 2


def _drop_what_is_unwritten() -> None:
    """What a full disk didn't take would be tried again as Python ends, and change the exit code."""
    from contextlib import suppress

    nowhere = os.open(os.devnull, os.O_WRONLY)
    with suppress(OSError, ValueError, AttributeError):  # standard output may be closed, or be no file
        os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
