"""`minutebook check`: the gate, with all of its options. `minutebook.plain` reads the usual ones without click."""

from datetime import datetime

import click

from minutebook import gate
from minutebook.checks import RULES
from minutebook.gate import Asked

_OWN = ("config", "roots", "merge")


@click.command()
@click.option("--staged", is_flag=True, help="Judge what is staged, as a commit would take it.")
@click.option("--since", metavar="REV", help="Judge HEAD against the commit where it left REV.")
@click.option("--exact", is_flag=True, help="With --since: against REV itself, which must be an ancestor.")
@click.option("--head", metavar="REV", help="With --since: judge this commit in place of HEAD.")
@click.option("--pushed-to", metavar="REF", help="With --since: the remote's ref; --exact if it is a published one.")
@click.option("--all", "everything", is_flag=True, help="Judge all tracked memory; nothing is compared.")
@click.option("--merged-with", metavar="REV", help="Judge the merge of HEAD and REV that git would make.")
@click.option("--only", multiple=True, metavar="RULE", help=f"Only this rule: {', '.join([*RULES, *_OWN])}.")
@click.option("--format", "form", type=click.Choice(gate.FORMS), default="text", show_default=True)
@click.option("--no-baseline", is_flag=True, help="Show the problems too that `minutebook baseline` accepted.")
@click.option("--today", type=click.DateTime(["%Y-%m-%d"]), hidden=True)
def check(
    staged: bool, since: str | None, exact: bool, head: str | None, pushed_to: str | None, everything: bool,
    merged_with: str | None, only: tuple[str, ...], form: str, no_baseline: bool, today: datetime | None,
) -> int:  # fmt: skip
    """Judge memory: staged, since a revision, or all of it.

    Every memory root is judged, by what git holds: never by the work tree. What is staged is compared with the
    commit where HEAD left the published branch, or with HEAD when none is known.

    With none of --staged, --since and --all: the range that pre-commit was given, if any; else what is staged; if
    nothing is, the range of the event that a GitHub workflow runs for; else, with commits that aren't published yet,
    HEAD against where it left the published branch; else --all, on the index.

    --merged-with tries a merge and leaves nothing behind: do two open branches collide, in the text, or in ids and
    order where the text merges cleanly? It merges as a server does, without minutebook's merge driver.

    Exit code 0: fine, warnings at most. 1: errors. 2: it can't be judged, never a pass.
    """
    if staged + everything + (since is not None) + (merged_with is not None) > 1:
        raise click.UsageError("--staged, --since, --all and --merged-with exclude each other")
    if since is None and (exact or head is not None or pushed_to is not None):
        raise click.UsageError("--exact, --head and --pushed-to go with --since")
    for name in only:
        if name not in RULES and name not in _OWN:
            raise click.UsageError(f"no rule `{name}`; there are {', '.join([*RULES, *_OWN])}")
    day = today.date() if today is not None else None
    return gate.check(
        Asked(staged, since, exact, head, pushed_to, everything, only, form, no_baseline, day, merged_with)
    )
