"""What most verbs start from: the repository around here, one memory root in its work tree, and whose it is."""

import os
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, date, datetime, time
from pathlib import Path

import click

from minutebook.edges import git, git_objects
from minutebook.edges.store import Recovery, Store, is_left, recover, take_back
from minutebook.edges.work_tree import usual_roots, work_files
from minutebook.ground.change import File, Plan
from minutebook.ground.config import CONFIG, Config
from minutebook.ground.errors import CannotJudge
from minutebook.ground.frozen import cached, frozen, replace
from minutebook.ground.journal import NEXT
from minutebook.ground.memory import Memory, read_memory, roots_of, tree_config
from minutebook.ground.uris import slug
from minutebook.pages.report import one_line


@frozen
class Workspace:
    """Whose memory it is, and where. What lies there is read when somebody asks: `read` gives the files."""

    repo: git.Repository
    config: Config
    store: Store
    account: str
    given: str
    read: Callable[[], dict[str, File]]

    @cached
    def tree(self) -> dict[str, File]:
        """The files beneath the root (of a work tree as they lie on disk, ignored owner spaces too) and the config."""
        return self.read()

    @cached
    def memory(self) -> Memory:
        return read_memory(self.tree, self.store.within, self.config)

    @cached
    def user(self) -> str:
        """The name that was given, or that git knows."""
        return user_name(self.repo, self.given)


def open_workspace(root: str | None = None, user: str = "") -> Workspace:
    """Open the memory of the repository around the current folder.

    `root` picks one of several, `user` names the owner space in place of git's user.email. Raises CannotJudge when
    there is no memory, or several roots and no choice was made. Files are read when somebody asks for them.
    """
    repo = git.repository(Path.cwd())
    listed = _config_file(repo.top)
    config = tree_config(listed)
    chosen = _choose(repo, config, root)
    store = Store(repo, chosen)
    finish_interrupted(store)

    def read() -> dict[str, File]:
        return listed | work_files(repo.top, chosen) | _mapped_files(repo.top, config)

    return Workspace(repo, config, store, _account(repo, config), user, read)


def workspace_at(repo: git.Repository, commit: str, root: str | None = None, user: str = "") -> Workspace:
    """A memory root as it stands in a commit; nothing is read from the work tree."""
    listed = list(git_objects.list_tree(repo.top, commit))
    config = tree_config(git_objects.read_files(repo.top, [row for row in listed if row[0] == CONFIG]))
    roots = roots_of((path for path, _, _ in listed), config)
    chosen = [each for each in roots if root is None or each in _spelled(repo, root)]
    if len(chosen) != 1:
        known = f"it has {', '.join(roots)}: choose one with --root" if roots else "minutebook init, and commit it"
        raise CannotJudge(f"the base has no memory root{f' {root}' if root else ''} to maintain", known)
    within = [
        row for row in listed if row[0] == CONFIG or row[0].startswith(f"{chosen[0]}/") or config.mapped_as(row[0])
    ]
    tree = git_objects.read_files(repo.top, within)
    return Workspace(repo, config, Store(repo, chosen[0]), _account(repo, config), user, lambda: tree)


def mapped_paths(top: Path, config: Config) -> Iterator[str]:
    """What the config maps from beside the memory roots and lies on disk: of what git tracks or would track, what is
    reached without following a symlink."""
    if not config.mapped:
        return
    where = [f":(top,literal){folder}" for folder in config.folders if folder]
    flags = ("-z", "--full-name", "--cached", "--others", "--exclude-standard")
    listed = git.run(top, "ls-files", *flags, "--", *(() if "" in config.folders else where)).split(b"\0")
    for path in map(os.fsdecode, listed):
        file = top / path
        direct = Path(os.path.realpath(file)) == Path(os.path.realpath(top)) / path
        if config.mapped_as(path) and file.is_file() and direct:
            yield path


def _mapped_files(top: Path, config: Config) -> dict[str, File]:
    return {path: File((top / path).read_bytes()) for path in mapped_paths(top, config)}


def _config_file(top: Path) -> dict[str, File]:
    path = top / CONFIG
    return {CONFIG: File(path.read_bytes())} if path.is_file() else {}


_READING = ("search", "show", "retrieve", "trace", "types", "snapshots", "verify-sources")
"""Verbs that never write the work tree."""
_WRITING_WITH = {"refresh": "acting", "expand": "back"}
"""Verbs that write it when they are given this option."""


def finish_interrupted(store: Store) -> None:
    """See to what a killed run left, and say on standard error what it was: a verb that writes finishes what it had
    committed to and drops what it had not, `restore` undoes it, and one that reads only says so."""
    verb, params = _verb()
    if _only_reads(verb, params):
        if is_left(store):
            click.echo(f"minutebook: a run is half done, and what is read here may be a mix; {NEXT}", err=True)
        return
    _say_of(take_back(store) if verb == "restore" else recover(store))


def _only_reads(verb: str, params: Mapping[str, object]) -> bool:
    asked = any(params.get(name) for name in ("dry_run", "check"))
    return asked or verb in _READING or not params.get(_WRITING_WITH.get(verb, ""), verb not in _WRITING_WITH)


def _verb() -> tuple[str, dict[str, object]]:
    """The verb that is run, and its options."""
    context = click.get_current_context(silent=True)
    return (context.command.name or "", context.params) if context is not None else ("", {})


def _say_of(found: Recovery) -> None:
    written = ", ".join(map(one_line, found.written))
    if found.finished:
        click.echo(f"minutebook: finished an interrupted run: {written or 'all of it was written already'}", err=True)
    if found.undone:
        click.echo(f"minutebook: gave an interrupted run up; as they were: {written or 'all of its files'}", err=True)
        edited = ", ".join(map(one_line, found.edited))
        click.echo(f"minutebook: left alone, since they were edited: {edited}", err=True) if edited else None
    if found.dropped:
        click.echo("minutebook: an interrupted run had changed nothing yet, and its plan was dropped", err=True)


def user_name(repo: git.Repository, given: str = "") -> str:
    """The name that was given, or else the local part of git's user.email, as a slug; `user` when git knows none."""
    name = given or (git.asked(repo.top, "config", "user.email") or "").partition("@")[0]
    return slug(name) if name else "user"


def owner_told(workspace: Workspace, given: str, plan: Plan) -> Plan:
    """The plan, with a note where it writes into the owner space of a person whom nobody has named: on another machine
    it would be somebody else's."""
    if given or git.asked(workspace.repo.top, "config", "user.email"):
        return plan
    space = workspace.memory.outer(f"users/{workspace.user}/")
    if not any(change.path.startswith(space) for change in plan.changes):
        return plan
    note = f"git knows no user.email, so what is yours alone lies in {space}: git config user.email, or --user NAME"
    return replace(plan, notes=(*plan.notes, note))


def today_or(given: str | None) -> date:
    """The day as given (YYYY-MM-DD), or today in UTC: every machine that runs a check agrees on it."""
    if given is None:
        return datetime.now(UTC).date()
    try:
        return date.fromisoformat(given)
    except ValueError:
        raise CannotJudge(f"{given!r} is no date; write YYYY-MM-DD") from None


def now_or(given: str | None) -> datetime:
    """The moment, or the first of the day that was given: what a snapshot is named after."""
    return datetime.combine(today_or(given), time(tzinfo=UTC)) if given is not None else datetime.now(UTC)


def _account(repo: git.Repository, config: Config) -> str:
    return config.account or slug(repo.top.name)


def _spelled(repo: git.Repository, root: str) -> tuple[str, str]:
    """A root as it was given from the top of the repository, or else from the current folder."""
    here = Path(os.path.relpath(os.path.normpath(Path.cwd() / root), repo.top)).as_posix()
    return root.rstrip("/"), here


def _choose(repo: git.Repository, config: Config, root: str | None) -> str:
    if root is not None:
        wanted = Path(os.path.normpath(Path.cwd() / root))
        for known in roots_of([f"{root.rstrip('/')}/"], config):
            if known == root.rstrip("/") or repo.top / known == wanted:
                return known
        raise CannotJudge(f"{root} is no memory root of this repository", "see `roots:` in .minutebook.yaml")
    found = config.roots or roots_of((f"{known}/" for known in usual_roots(repo.top)), config)
    if not found:
        raise CannotJudge("this repository has no memory yet", "minutebook init")
    if len(found) > 1:
        raise CannotJudge(
            f"this repository has {len(found)} memory roots: {', '.join(found)}", "choose one with --root"
        )
    return found[0]
