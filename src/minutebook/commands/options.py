"""What several verbs take: an option has one name, one wording and one default, whichever verb it belongs to."""

from collections.abc import Callable, Mapping
from difflib import get_close_matches

import click
from click.decorators import FC

from minutebook.ground.errors import CannotJudge
from minutebook.ground.memory_type import MemoryType

root = click.option("--root", metavar="FOLDER", help="Which memory root, where there are several.")
dry_run = click.option("--dry-run", is_flag=True, help="Say what would be written, and write nothing.")
user = click.option(
    "--user", default="", metavar="NAME", help="Whose owner space. [default: the local part of git's user.email]"
)
model = click.option("--model", is_flag=True, help="Let the model that the config names read the sessions.")
accept = click.option(
    "--accept", multiple=True, metavar="ID", help="Write this candidate although it was held back; repeatable."
)
today = click.option("--today", hidden=True, help="The day, as YYYY-MM-DD.")


def form(*more: str) -> Callable[[FC], FC]:
    """`--format` as the parameter `form`: text, json and what else the verb has."""
    choice = click.Choice(["text", *more, "json"])
    return click.option("--format", "form", type=choice, default="text", show_default=True)


def agent(otherwise: str) -> Callable[[FC], FC]:
    """`--agent`, with words on what holds when it isn't given."""
    words = f"Which agent's owner space. [default: {otherwise}]"
    return click.option("--agent", default="", metavar="NAME", help=words)


def type_named(types: Mapping[str, MemoryType], name: str) -> MemoryType:
    """The type that an argument names. Raises CannotJudge when there is none, naming a close one."""
    if name not in types:
        close = get_close_matches(name, types, 1)
        raise CannotJudge(f"no type {name!r}", f"did you mean {close[0]}?" if close else "minutebook types")
    return types[name]
