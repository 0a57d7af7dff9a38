"""Cases 17 to 19, 22 and 25: what clones, indexes, modes, replaced objects and places do to a verdict."""

from cases.edits import (
    CHANGED,
    DOMAIN,
    EVIL,
    NEW,
    OLD,
    Edit,
    git,
    log,
    published,
    staged,
    then,
    write,
)  # fmt: skip
from cases.table import FORM, STRUCTURE, Scene, only
from cases.ways import ACCEPT, CANNOT, REJECT
from cases.world import TOP, World
from conftest import LOG, LOG_HEAD, Repo

README = staged(write("README.md", "# Other\n"))
LOCAL = ("commit", "merge", "push main", "push topic", "--all")


def cut(*how: str) -> Edit:
    """A clone that lacks something, on a branch of its own, while main has gone on; a runner lacks it too."""

    def play(world: World) -> None:
        world.work.git("push", "--quiet", "--no-verify", "origin", "HEAD:topic")
        published(write("README.md", "# Other\n"))(world)
        url = f"file://{world.top / 'origin.git'}"
        clone = world.at(world.top / "cut")
        flags = ("--quiet", "--no-checkout", "--no-single-branch", "--branch=topic")
        world.work.git("clone", *flags, *how, url, clone.path)
        clone.git("config", "core.hooksPath", str(TOP / "hooks"))
        clone.git("read-tree", "HEAD")
        world.work = clone
        world.stage(LOG, LOG_HEAD + f"{NEW}\n{OLD}")

        def runner(world: World, commit: str) -> Repo:
            world.work.git("push", "--quiet", "--no-verify", "origin", f"{commit}:refs/ci/{commit}")
            made = world.at(world.top / f"runner-{commit}")
            if not made.path.exists():
                made.path.mkdir()
                made.git("init", "--quiet", "--template=")
                made.git("remote", "add", "origin", url)
                made.git("fetch", "--quiet", "--no-tags", *how, "origin", f"+refs/ci/{commit}:refs/remotes/ci")
                made.git("update-ref", "--no-deref", "HEAD", commit)
                made.git("read-tree", "HEAD")
            return made

        if "--depth=1" in how:
            world.runner = runner

    return play


def owned_by_another(world: World) -> None:
    README(world)
    world.env = {"GIT_TEST_ASSUME_DIFFERENT_OWNER": "1"}


def intended(world: World) -> None:
    """`git add -N`: the name is in the index, the text isn't."""
    README(world)
    write(DOMAIN, NEW.replace("11-04-01", "11-02-01"))(world)
    world.work.git("add", "--intent-to-add", DOMAIN)


def intended_in_place(world: World) -> None:
    world.work.git("rm", "--quiet", "--cached", LOG)
    world.work.git("add", "--intent-to-add", LOG)


def linked_to(path: str, target: str) -> Edit:
    def play(world: World) -> None:
        world.work.git("rm", "-rq", path)
        world.work.git("config", "core.symlinks", "true")
        (world.work.path / path).parent.mkdir(parents=True, exist_ok=True)
        (world.work.path / path).symlink_to(target)
        world.work.git("add", "--all")

    return play


def submodule(path: str) -> Edit:
    def play(world: World) -> None:
        world.work.git("rm", "-rq", path)
        world.work.git("update-index", "--add", "--cacheinfo", f"160000,{world.base},{path}")

    return play


def index(path: str, data: str) -> Edit:
    return lambda world: world.stage(path, data)


def replaced_blob(world: World) -> None:
    staged(log(EVIL))(world)
    world.work.git("replace", f"HEAD:{LOG}", f":{LOG}")


def replaced_commit(world: World) -> None:
    log(EVIL)(world)
    evil = world.save()
    world.work.git("reset", "--quiet", "--soft", "HEAD~1")
    world.work.git("replace", world.base, world.work.git("commit-tree", f"{evil}^{{tree}}", "-m", "Evil"))
    world.final = ("commit", "--quiet", "--allow-empty", "--message", "Change")  # to git, nothing changed


def grafted(world: World) -> None:
    start = world.base
    published(log(NEW, OLD))(world)
    write("README.md", "# Other\n")(world)
    tip = world.save()
    grafts = world.work.path / ".git" / "info" / "grafts"
    grafts.parent.mkdir(exist_ok=True)
    grafts.write_text(f"{tip} {start}\n", "ascii")
    staged(log(OLD))(world)


def in_linked_worktree(world: World) -> None:
    world.work.git("worktree", "add", "--quiet", "-b", "linked", "../linked", world.base)
    world.work = world.at(world.top / "linked")


def in_subfolder(world: World) -> None:
    world.cwd = ".memory/decisions"


def with_git_dir(world: World) -> None:
    world.env = {"GIT_DIR": str(world.work.path / ".git")}


def ending(*command: str) -> Edit:
    def play(world: World) -> None:
        world.final = command

    return play


def hidden_from_work_tree(world: World) -> None:
    world.work.git("sparse-checkout", "set", "--no-cone", "/README.md")
    assert not (world.work.path / ".memory").exists()


CUT = ("fetch-depth: 0", "git fetch --unshallow origin")
LACKING = ("is not in this clone", "git fetch --refetch --no-filter")
ALL_COMMITS = ("commit", "--quiet", "--all", "--message", "All of it")
ONE_FILE = ("commit", "--quiet", "--message", "One file", "--", LOG)
ANOTHER_FILE = ("commit", "--quiet", "--message", "Another", "--", "README.md")
LOCALLY = only(*LOCAL, why="l")
COMMITTED = only("commit", why="l")
HOOKS_STOP = {"commit": "g", "merge": "g", "push main": "g", "push topic": "g"}

SCENES = [
    Scene(17, "shallow clone", cut("--depth=1"), CANNOT, CUT, {"merge": "g", "--all": "a"}),
    Scene(17, "partial clone that lacks blobs", cut("--filter=blob:none"), CANNOT,
          LACKING, {"merge": "s", "--all": "a"}),
    Scene(17, "partial clone, all of it", then(cut("--filter=blob:none"), ending()), CANNOT, LACKING,
          only("--all", why="l") | {"--all": CANNOT}),
    Scene(17, "owned by another", owned_by_another, CANNOT,
          ("git does not trust this folder's owner", "git config --global --add safe.directory"), HOOKS_STOP),
    Scene(18, "evil in the index, clean work tree", then(staged(log(EVIL)), log(OLD)), REJECT, CHANGED),
    Scene(18, "clean index, evil work tree", then(README, log(EVIL)), ACCEPT),
    Scene(18, "evil with the intent to add", intended, ACCEPT),
    Scene(18, "the log with the intent to add alone", intended_in_place, REJECT,
          ("DEC-2026-11-01-01 is sealed and is gone",)),
    Scene(18, "sparse checkout, evil in the index", then(hidden_from_work_tree, index(LOG, LOG_HEAD + EVIL)), REJECT,
          CHANGED),
    Scene(18, "sparse checkout without memory", then(hidden_from_work_tree, README), ACCEPT),
    Scene(18, "skip-worktree, evil work tree", then(git("update-index", "--skip-worktree", LOG), log(EVIL), README),
          ACCEPT),
    Scene(19, "symlink in place of the file", linked_to(LOG, "../../README.md"), REJECT,
          (f"{LOG} is a symlink", "made of regular files and folders"), STRUCTURE),
    Scene(19, "symlink in place of the folder", linked_to(".memory/decisions", "../elsewhere"), REJECT,
          (".memory/decisions is a symlink",), STRUCTURE),
    Scene(19, "submodule in place of the file", submodule(LOG), REJECT, (f"{LOG} is a submodule",), STRUCTURE),
    Scene(19, "submodule in place of the folder", submodule(".memory/decisions"), REJECT,
          (".memory/decisions is a submodule",), STRUCTURE),
    Scene(19, "executable", git("update-index", "--chmod=+x", LOG), REJECT,
          (f"{LOG} is executable", f"git update-index --chmod=-x -- {LOG}"), FORM),
    Scene(22, "blob replaced", replaced_blob, REJECT, CHANGED, {"merge": "g"}),
    Scene(22, "commit replaced", replaced_commit, REJECT, CHANGED),
    Scene(22, "grafts", grafted, REJECT, ("DEC-2026-11-04-01 is sealed and is gone",),
          {"merge": ACCEPT}),  # git itself merges by the grafts: it keeps the entry
    Scene(25, "linked worktree", then(in_linked_worktree, staged(log(EVIL))), REJECT, CHANGED, LOCALLY),
    Scene(25, "linked worktree, append", then(in_linked_worktree, staged(log(NEW, OLD))), ACCEPT, (), LOCALLY),
    Scene(25, "subfolder", then(in_subfolder, staged(log(EVIL))), REJECT, CHANGED, LOCALLY),
    Scene(25, "subfolder, append", then(in_subfolder, staged(log(NEW, OLD))), ACCEPT, (), LOCALLY),
    Scene(25, "GIT_DIR", then(with_git_dir, staged(log(EVIL))), REJECT, CHANGED, LOCALLY),
    Scene(25, "GIT_DIR, append", then(with_git_dir, staged(log(NEW, OLD))), ACCEPT, (), LOCALLY),
    Scene(25, "git commit -a", then(log(EVIL), ending(*ALL_COMMITS)), REJECT, CHANGED, COMMITTED),
    Scene(25, "git commit -a, append", then(log(NEW, OLD), ending(*ALL_COMMITS)), ACCEPT, (), COMMITTED),
    Scene(25, "git commit FILE", then(log(EVIL), ending(*ONE_FILE)), REJECT, CHANGED, COMMITTED),
    Scene(25, "git commit FILE, append", then(log(NEW, OLD), ending(*ONE_FILE)), ACCEPT, (), COMMITTED),
    Scene(25, "git commit ANOTHER, evil in the index", then(
        staged(log(EVIL)), write("README.md", "# Other\n"), ending(*ANOTHER_FILE)), ACCEPT, (), COMMITTED),
]  # fmt: skip
