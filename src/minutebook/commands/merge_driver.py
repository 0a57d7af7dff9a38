"""`minutebook merge-driver`: what git runs to merge a file of memory."""

from pathlib import Path

import click

from minutebook.edges.text_merge import text_merge
from minutebook.ground.errors import CannotJudge


@click.command("merge-driver")
@click.argument("base", metavar="%O")
@click.argument("ours", metavar="%A")
@click.argument("theirs", metavar="%B")
@click.argument("path", metavar="%P")
@click.option("--marker-size", type=click.IntRange(1, 1000), default=7, metavar="%L", help="Of conflict markers.")
def merge_driver(base: str, ours: str, theirs: str, path: str, marker_size: int) -> int:
    """Merge three versions of a file of memory, entry by entry. git runs this: `minutebook init --merge-driver`.

    New entries of both sides stay, at the open end of their log; what one side set on an entry is taken; what both
    sides changed is a conflict, with markers around it. The result goes to the file %A.

    Exit code 0: merged. 1: a person has to look; the file holds what both sides say.
    """
    files = [Path(name) for name in (base, ours, theirs)]
    three = (files[0].read_bytes(), files[1].read_bytes(), files[2].read_bytes())
    # First what git itself would make of it: whatever may stop us, the file holds the lines of both sides.
    text, clean = text_merge(files[0], files[1], files[2], marker_size)
    _write(files[1], text)
    from minutebook.edges.merged import merge_head
    from minutebook.merge.lines import Way
    from minutebook.merge.log import NAMES
    from minutebook.merging import merged_version

    try:
        found = merged_version(Path.cwd(), path, three, Way(marker_size), merge_head())
    except CannotJudge as error:
        _say(path, f"merged as plain text, since {error}: look it over")
        return 1
    if found is None:
        return 0 if clean else 1
    _write(files[1], found.text.encode("utf-8", "surrogateescape"))
    for each in found.renamed:
        whose = f"“{each.title}” ({NAMES[each.side]}) is {each.fresh} now, and what meant it in this file follows"
        _say(path, f"{each.id} stood for two new entries: {whose}; look for it in that side's other files")
    for name, why in found.conflicts:
        _say(path, f"conflict in {name}: {why}" if name else f"conflict: {why}")
    return 1 if found.conflicts else 0


def _write(path: Path, data: bytes) -> None:
    fresh = path.with_name(f"{path.name}.merged")
    fresh.write_bytes(data)
    fresh.replace(path)


def _say(path: str, words: str) -> None:
    from minutebook.pages.report import one_line

    click.echo(f"minutebook: {one_line(path)}: {one_line(words)}", err=True)
