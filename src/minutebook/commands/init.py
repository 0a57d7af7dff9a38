"""`minutebook init`: make the memory root, or adopt one that exists."""

from collections.abc import Sequence
from pathlib import Path

import click

from minutebook.checks import judge
from minutebook.checks.judgement import Case
from minutebook.commands import options
from minutebook.edges import git, git_objects
from minutebook.edges.store import Store, apply
from minutebook.edges.work_tree import usual_roots, work_files
from minutebook.ground.builtin import shipped
from minutebook.ground.change import LINK, File, Plan, with_changes
from minutebook.ground.config import Config
from minutebook.ground.memory import read_memory, roots_of, tree_config
from minutebook.ground.nouns import counted
from minutebook.pages.plan_report import plan_text
from minutebook.pages.report import summary
from minutebook.setup.offers import WORKFLOWS, Wishes
from minutebook.setup.plan import plan_setup, setup_root, wanted_at_top
from minutebook.setup.texts import DRIVER
from minutebook.workspace import finish_interrupted, today_or


@click.command()
@click.option("--root", default="", metavar="FOLDER", help="The memory root, from the top of the repository.")
@click.option("--decisions", type=click.Choice(["log", "files"]), help="One decision log, or one file a decision.")
@click.option("--pre-commit", is_flag=True, help="Write the hook into .pre-commit-config.yaml.")
@click.option("--merge-driver", is_flag=True, help="Have git merge memory entry by entry: in this clone's config too.")
@click.option("--workflows", is_flag=True, help="Copy minutebook's workflows to .github/workflows/.")
@options.dry_run
@options.today
def init(
    root: str,
    decisions: str | None,
    pre_commit: bool,
    merge_driver: bool,
    workflows: bool,
    dry_run: bool,
    today: str | None,
) -> int:
    """Make the memory root of this repository, or adopt the one that is there.

    An existing root (a GAAI tree too) is adopted as it stands: nothing beneath it is touched. Other files are only
    added to, at their end. A second run changes nothing.
    """
    repo = git.repository(Path.cwd())
    store = Store(repo, "")
    finish_interrupted(store)
    tree = _top_files(repo)
    config = tree_config(tree)
    listed = [path for path, _, _ in git_objects.list_index(repo.top)]
    usual = [f"{known}/" for known in usual_roots(repo.top)]
    chosen = setup_root([*listed, *usual], config, root)
    tree |= work_files(repo.top, chosen) | work_files(repo.top, WORKFLOWS)
    wishes = Wishes(
        name=repo.top.name,
        today=today_or(today),
        found=roots_of([*listed, *usual], Config()),
        decisions=decisions or "",
        pre_commit=pre_commit,
        merge_driver=merge_driver,
        workflows=_shipped_workflows() if workflows else {},
    )
    plan = plan_setup(tree, chosen, wishes)
    text = plan_text(plan)
    click.echo(text if plan.changes or dry_run else text.removesuffix("nothing to write\n"), nl=False)
    _judge(plan, tree, chosen, wishes)
    if git.asked(repo.top, "check-ignore", f"{chosen}/project/context.md"):
        click.echo(
            f"{chosen}/ is ignored by git: `git check-ignore -v {chosen}` names the line; nobody else gets this memory"
        )
    if not dry_run:
        click.echo(_told(apply(store, plan) if plan.changes else (), f"{chosen}/project/context.md"))
    if merge_driver:
        _set_driver(repo, f"{chosen}/decisions/_log.md", dry_run=dry_run)
    return 0


def _set_driver(repo: git.Repository, log: str, *, dry_run: bool) -> None:
    """Tell this clone's git what the driver is, and say what others have to do; that git asks it after all."""
    missing = {key: value for key, value in DRIVER.items() if git.asked(repo.top, "config", "--get", key) != value}
    for key, value in missing.items():
        click.echo(f"git config {key} '{value}'")
        if not dry_run:
            git.run(repo.top, "config", key, value)
    if missing:
        did = "would be set in" if dry_run else "is set in"
        click.echo(f"the merge driver {did} this clone alone: in every other one run `minutebook init --merge-driver`")
    answer = git.asked(repo.top, "check-attr", "merge", "--", log) or ""
    if not dry_run and not answer.endswith(": merge: minutebook"):
        click.echo(
            f"and yet git doesn't ask it: another line for {log} counts in a .gitattributes or .git/info/attributes"
        )


def _told(written: Sequence[str], page: str) -> str:
    if not written:
        return "nothing changed: all of it is there already"
    said = f"wrote {counted(len(written), 'file')}"
    return f"{said}; next: say in {page} what this project is, then commit" if page in written else said


def _top_files(repo: git.Repository) -> dict[str, File]:
    found: dict[str, File] = {}
    for path in sorted(repo.top.iterdir()):
        if path.is_symlink():
            found[path.name] = File(str(path.readlink()).encode(), LINK)
        elif path.is_file() and wanted_at_top(path.name):
            found[path.name] = File(path.read_bytes())
    return {name: file for name, file in found.items() if wanted_at_top(name)}


def _shipped_workflows() -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(shipped("ci").glob("*.yml"))}


def _judge(plan: Plan, tree: dict[str, File], root: str, wishes: Wishes) -> None:
    """Say what the gate will find in the memory as it then lies there; an adopted tree may carry old debt."""
    after = with_changes(tree, plan.changes)
    memory = read_memory(after, root, tree_config(after))
    case = Case(result=memory, tree=after, base=None, base_tree={}, changes=(), today=wishes.today, tracked=False)
    problems = judge(case)
    if problems:
        click.echo(f"{summary(problems)} in {root}/: `minutebook check --all` shows them")
    if any(problem.severity == "error" for problem in problems):
        click.echo("  `minutebook baseline` accepts what is there, so that only new problems fail")
