"""The door: finds the verb, imports it when it is called, shows errors in one place."""

import importlib
import os
import sys
from contextlib import suppress
from typing import Any

import click

from minutebook import __version__
from minutebook.ground.errors import MinutebookError

VERBS = {
    "init": "make the memory root, or adopt one that exists",
    "new": "write a new entry from its type's template",
    "types": "list the memory types, or show one",
    "check": "judge memory: staged, since a revision, or all of it",
    "baseline": "accept today's problems, so that only new ones fail",
    "extract": "propose entries from session transcripts",
    "index": "regenerate index.md and the search index",
    "retrieve": "what a task needs to know, within a token budget",
    "search": "find entries by words",
    "show": "print one entry",
    "refresh": "say which entries look stale, and why",
    "compact": "distil session notes into summaries",
    "snapshot": "keep the memory tree under a ref of its own",
    "restore": "bring a snapshot back",
    "propose": "extract, refresh and compact as one pull request",
}
_READER_GONE = 141  # what shells say of a program that SIGPIPE ended


class Verbs(click.Group):
    """Verbs in the order of an entry's life; a verb's module is imported when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in VERBS:
            return None
        module = importlib.import_module(f"minutebook.commands.{cmd_name}")
        command: click.Command = getattr(module, cmd_name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Verbs"):
            formatter.write_dl(list(VERBS.items()))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in VERBS:
            from difflib import get_close_matches

            close = get_close_matches(args[0], VERBS, 1)
            hint = f" Did you mean `{close[0]}`?" if close else " See `minutebook --help`."
            raise click.UsageError(f"no verb `{args[0]}`.{hint}", ctx)
        return super().resolve_command(ctx, args)


@click.group(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="minutebook")
def minutebook() -> None:
    """Keeps the long-term memory of coding agents as plain files in git, and keeps it honest.

    Exit codes: 0 fine; 1 problems found, or a plan refused; 2 can't judge (usage, config, unknown base: never a
    pass); 3 an outside service failed; 130 interrupted; 141 the reader of a pipe went away.
    """


def run(arguments: list[str]) -> int:
    """Run one command line and give its exit code."""
    try:
        result: Any = minutebook.main(arguments, prog_name="minutebook", standalone_mode=False)
    except click.exceptions.Abort:
        return 130
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except MinutebookError as error:
        click.echo(f"minutebook: {error}", err=True)
        if error.hint:
            click.echo(f"  {'' if error.hint.endswith('?') else 'try: '}{error.hint}", err=True)
        return error.exit_code
    except SystemExit:  # click exits so, and only so, when the reader of a pipe went away: no verdict, neither 0 nor 1
        return _READER_GONE
    except OSError as error:
        where = f": {error.filename}" if error.filename is not None else ""
        click.echo(f"minutebook: {error.strerror or error}{where}", err=True)
        _drop_what_is_unwritten()
        return 2
    return result if isinstance(result, int) else 0


def _drop_what_is_unwritten() -> None:
    """What a full disk didn't take would be tried again as Python ends, and change the exit code."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    with suppress(OSError, ValueError):  # standard output may be closed, or be no file
        os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
