"""The plan that brings a snapshot back."""

from minutebook.ground.change import EXECUTABLE, LINK, Change, File, Plan, Refusal, Tree, changes_between
from minutebook.ground.config import CONFIG, Config
from minutebook.ground.frozen import replace
from minutebook.ground.memory import tree_config


def beneath(tree: Tree, path: str) -> dict[str, File]:
    """The files at and beneath `path`, a file or a folder from the top."""
    return {each: file for each, file in tree.items() if each == path or each.startswith(f"{path}/")}


def shared_part(now: Tree, then: Tree, root: str, config: Config) -> tuple[Tree, Tree]:
    """Both trees without the config, and of what lies beside the root with what it maps now and mapped then alone: what
    either doesn't call memory is neither removed nor written."""
    before = tree_config(then)

    def of(tree: Tree) -> dict[str, File]:
        def counts(path: str) -> bool:
            return path.startswith(f"{root}/") or bool(config.mapped_as(path) and before.mapped_as(path))

        return {path: file for path, file in tree.items() if path != CONFIG and counts(path)}

    return of(now), of(then)


def restore_plan(now: Tree, then: Tree, name: str) -> Plan:
    """The plan that makes the root exactly what the snapshot holds; files that came later are removed.

    Symlinks are no memory: minutebook follows, writes and removes none. That is said.
    """
    changes: list[Change] = []
    refusals: list[Refusal] = []
    for change in changes_between(now, then, f"as in snapshot {name}"):
        if any(side is not None and side.mode == LINK for side in (change.old, change.new)):
            refusals.append(Refusal(change.path, "it is a symlink there or here; minutebook writes none"))
        else:
            changes.append(replace(change, why=_why(change)))
    return Plan(tuple(changes), tuple(refusals), (), {"files restored": len(changes)} if changes else {})


def _why(change: Change) -> str:
    old, new = change.old, change.new
    if old is None or new is None or old.mode == new.mode:
        return change.why
    return f"{change.why}, {'executable' if new.mode == EXECUTABLE else 'not executable'}"
