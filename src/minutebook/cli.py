"""The door: finds the verb, imports it when it is called, shows errors in one place."""

import importlib
from typing import Any

import click

from minutebook import __version__
from minutebook.terminal import INTERRUPTED, READER_GONE, ended

VERBS = {
    "init": "make the memory root, or adopt one that exists",
    "new": "write a new entry from its type's template",
    "supersede": "replace an entry by a new one, and mark it",
    "types": "list the memory types, or show one",
    "check": "judge memory: staged, since a revision, or all of it",
    "audit": "judge the whole history: was anything published ever broken?",
    "rules": "list the rules of the gate, or show one",
    "baseline": "accept today's problems, so that only new ones fail",
    "extract": "propose entries from session transcripts",
    "capture": "learn from the newest session of this project",
    "reject": "say that something isn't to be proposed again",
    "trace": "from an entry back to the words behind it",
    "verify-sources": "prove every source again where its transcript still is",
    "redact": "show a text with its secrets replaced",
    "index": "regenerate index.md and the search index",
    "retrieve": "what a task needs to know, within a token budget",
    "search": "find entries by words",
    "show": "print one entry",
    "refresh": "say which entries look stale, and why",
    "verify": "say that an entry was looked at, and is true",
    "compact": "distil session notes into summaries",
    "expand": "print the originals of a summary, byte for byte",
    "split": "move entries of a log to logs by domain",
    "expunge": "take out a text that must not exist",
    "snapshot": "keep the memory tree under a ref of its own",
    "snapshots": "list what there is to go back to",
    "restore": "bring a snapshot back, or a part of it",
    "propose": "extract, refresh and compact as one pull request",
    "merge-driver": "merge a file of memory entry by entry: git runs it",
}


class Verbs(click.Group):
    """Verbs in the order of an entry's life; a verb's module is imported when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in VERBS:
            return None
        name = cmd_name.replace("-", "_")
        module = importlib.import_module(f"minutebook.commands.{name}")
        command: click.Command = getattr(module, name)
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
    return ended(lambda: _run(arguments))


def _run(arguments: list[str]) -> int:
    try:
        result: Any = minutebook.main(arguments, prog_name="minutebook", standalone_mode=False)
    except click.exceptions.Abort:
        return INTERRUPTED
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except SystemExit:  # click exits so, and only so, when the reader of a pipe went away: no verdict, neither 0 nor 1
        return READER_GONE
    return result if isinstance(result, int) else 0
