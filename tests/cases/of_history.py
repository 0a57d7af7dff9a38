"""Cases 5, 12 to 16 and 26: what happens to commits, branches and refs."""

from cases.edits import (
    CHANGED,
    DOMAIN,
    EVIL,
    NEW,
    OLD,
    OTHER,
    Edit,
    git,
    log,
    published,
    staged,
    swap,
    then,
    write,
)  # fmt: skip
from cases.table import STRUCTURE, Scene, only
from cases.ways import ACCEPT, CANNOT, REJECT, ZEROS
from cases.world import ORIGIN, World
from conftest import LOG, SECOND, THIRD

AMEND = ("commit", "--quiet", "--amend", "--no-edit")
HOURLY = NEW.replace("every night", "every hour")
# Both entries end with the same line: what union merges keeps it once.
SAME_DAY = OTHER.replace("**Date:** 2026-11-05", "**Date:** 2026-11-04")
GONE = ("DEC-2026-11-04-01 is sealed and is gone",)
REWRITTEN = ("the published history is rewritten", "pull, and add a commit on top")
PUSHED = only("push main", "push event", why="p")
PUSHED_TOPIC = only("push topic", why="p")


def branch(*edits: Edit, name: str = "theirs") -> Edit:
    """A branch with the edits in a commit; back on topic afterwards."""

    def play(world: World) -> None:
        world.work.git("checkout", "--quiet", "-b", name)
        for each in edits:
            each(world)
        world.save()
        world.work.git("checkout", "--quiet", "topic")

    return play


def merging(*resolve: Edit, how: tuple[str, ...] = ("theirs",)) -> Edit:
    """`theirs` is being merged into what is published; without `resolve` it merges cleanly."""

    def play(world: World) -> None:
        done = world.work.run("git", "merge", "--no-commit", "--no-ff", *how)
        assert done.code == 0 or resolve, done
        for each in resolve:
            each(world)
        world.work.git("add", "--all")
        world.head = world.work.git("rev-parse", "theirs")
        world.merge = () if resolve else how

    return play


def saved(*edits: Edit) -> Edit:
    """The edits as a commit of the branch, not published."""
    return then(*edits, lambda world: world.save())


def amended(*edits: Edit) -> Edit:
    def play(world: World) -> None:
        staged(*edits)(world)
        world.final = AMEND

    return play


def no_remote(world: World) -> None:
    world.work.git("remote", "remove", "origin")


def pushed_topic(world: World) -> None:
    world.work.git("push", "--quiet", "--no-verify", "origin", "HEAD:topic")


def with_driver(world: World) -> None:
    done = world.work.minutebook("init", "--merge-driver")
    assert done.code == 0, done
    world.publish()


def rebased(world: World) -> None:
    """Two own entries change places: an interactive rebase with both its conflicts resolved."""
    saved(log(NEW, OLD))(world)
    saved(log(OTHER, NEW, OLD))(world)
    pushed_topic(world)
    swapping = {"GIT_SEQUENCE_EDITOR": "sed -i '1{h;d};2{G}'"}
    assert world.work.run("git", "rebase", "--interactive", world.base, **swapping).code != 0
    for entries in ((OTHER, OLD), (NEW, OTHER, OLD)):
        staged(log(*entries))(world)
        world.work.run("git", "rebase", "--continue")
    assert world.work.git("status", "--porcelain", "--branch") == "## topic"
    world.final = ()


def first(world: World) -> None:
    world.work.git("-C", ORIGIN, "update-ref", "-d", "refs/heads/main")
    world.work.git("update-ref", "-d", "refs/remotes/origin/main")
    world.work.git("remote", "set-head", "origin", "--delete")
    world.work.git("update-ref", "-d", "HEAD")
    world.base = ZEROS


def orphan(world: World) -> None:
    world.work.git("checkout", "--quiet", "--orphan", "fresh")


def merging_main_by_ours(world: World) -> None:
    """Main got a decision; the branch takes main in, and by `-s ours` nothing of it."""
    saved(write(DOMAIN, OTHER))(world)
    world.start = world.work.git("rev-parse", "HEAD")
    world.work.git("checkout", "--quiet", "--detach", world.base)
    published(log(NEW, OLD))(world)
    world.work.git("checkout", "--quiet", "topic")
    world.merge = ("--strategy=ours", "origin/main")
    world.work.git("merge", "--quiet", "--no-commit", *world.merge)


def merging_unrelated(world: World) -> None:
    orphan(world)
    world.work.git("rm", "-rqf", ".")
    saved(write(DOMAIN, OTHER))(world)
    world.work.git("branch", "theirs")
    world.work.git("checkout", "--quiet", "topic")
    merging(how=("--allow-unrelated-histories", "theirs"))(world)


def pushing(*refs: str) -> Edit:
    def play(world: World) -> None:
        world.refs = refs
        world.final = ()

    return play


def rewound(world: World) -> None:
    """What is published is taken off the branch, and something else put on it."""
    published(log(NEW, OLD))(world)
    world.work.git("reset", "--quiet", "--hard", "HEAD~1")
    staged(write("README.md", "# Other\n"))(world)


EVIL_BRANCH = branch(log(EVIL), name="evil")
GOOD_BRANCH = branch(log(NEW, OLD), name="good")
UNMERGEABLE = {"merge": "m", "pull request": "m", "merge group": "m", "pre-commit": "m", "audit": "m"}

SCENES = [
    Scene(5, "duplicate id across branches that merge cleanly", then(
        branch(write(DOMAIN, HOURLY)), published(log(NEW, OLD)), merging()), REJECT,
        ("DEC-2026-11-04-01", DOMAIN), STRUCTURE),
    Scene(12, "merged by the driver", then(
        with_driver, branch(log(OTHER, OLD)), published(log(NEW, OLD)), merging()), ACCEPT),
    Scene(12, "merged by hand, theirs above", then(
        branch(log(OTHER, OLD)), published(log(NEW, OLD)), merging(log(OTHER, NEW, OLD))), ACCEPT, (), {"merge": "r"}),
    Scene(12, "merged by hand, ours above", then(
        branch(log(OTHER, OLD)), published(log(NEW, OLD)), merging(log(NEW, OTHER, OLD))), ACCEPT, (),
        {"merge": "r", "merge group": REJECT}),  # a squash forgets the merge: what is left is an insertion
    Scene(12, "merged by union, which lost a line", then(
        published(write(".gitattributes", "*.md merge=union\n")),
        branch(log(SAME_DAY, OLD)), published(log(NEW, OLD)), merging()), REJECT,
        (f"{LOG}:", "DEC-2026-11-04-01 is sealed: its text was changed", "[-**Date:**")),
    Scene(13, "the merge edits an entry that both have", then(
        branch(write(DOMAIN, OTHER)), published(log(NEW, OLD)), merging(swap("Every schema", "Some schema"))), REJECT,
        CHANGED, {"merge": "r"}),
    Scene(13, "the merge drops an entry that both have", then(
        branch(write(DOMAIN, OTHER)), published(log(NEW, OLD)), merging(log(NEW, THIRD, SECOND))), REJECT,
        ("DEC-2026-11-01-01 is sealed and is gone",), {"merge": "r"}),
    Scene(13, "the merge takes nothing of what main got", merging_main_by_ours, REJECT, GONE),
    Scene(14, "amend of an own commit", then(saved(log(NEW, OLD)), amended(log(HOURLY, OLD))), ACCEPT),
    Scene(14, "amend without a remote", then(saved(log(NEW, OLD)), no_remote, amended(log(HOURLY, OLD))), REJECT,
          ("[-night.-]{+hour.+}", "git reset --soft HEAD~1"), only("commit", why="o")),
    Scene(14, "amend of a published commit", then(published(log(NEW, OLD)), amended(log(HOURLY, OLD))), REJECT,
          ("[-night.-]{+hour.+}",), {**UNMERGEABLE, "push topic": ACCEPT}),
    Scene(14, "a reviewer's wording fix in an open pull request", then(
        saved(log(NEW, OLD)), pushed_topic, staged(log(HOURLY, OLD))), ACCEPT),
    Scene(15, "rebase that reorders own entries", rebased, ACCEPT, (), {"commit": "h"}),
    Scene(15, "squash of own commits", then(
        saved(log(NEW, OLD)), saved(log(OTHER, HOURLY, OLD)), pushed_topic,
        git("reset", "--quiet", "--soft", "HEAD~2")), ACCEPT),
    Scene(15, "cherry-pick that duplicates an id", then(
        branch(log(NEW, OLD)), published(write(DOMAIN, NEW)), git("cherry-pick", "--no-commit", "theirs")), REJECT,
        ("DEC-2026-11-04-01", DOMAIN), STRUCTURE),
    Scene(15, "revert of a published decision", then(
        published(log(NEW, OLD)), git("revert", "--no-commit", "HEAD")), REJECT, GONE),
    Scene(16, "first commit", first, ACCEPT, (),
          {"merge": "n", "pull request": "n", "merge group": "n", "pre-commit": "n", "audit": "n"}),
    Scene(16, "orphan branch", then(orphan, staged(log(NEW))), REJECT,
          ("DEC-2026-11-01-01 is sealed and is gone",), {**UNMERGEABLE, "push topic": CANNOT}),
    Scene(16, "unrelated histories", then(orphan, lambda world: world.save(), staged(log(NEW, OLD))), CANNOT,
          ("shares no commit with origin/main", "rebase onto origin/main"),
          {**UNMERGEABLE, "push main": REJECT, "push event": REJECT, "--all": "a"}),
    Scene(16, "unrelated histories merged into main", merging_unrelated, ACCEPT),
    Scene(26, "several refs, all fine", then(GOOD_BRANCH, pushing("good:main", "good:topic", "good:refs/tags/v1")),
          ACCEPT, (), only("push main", why="p")),
    Scene(26, "several refs, the last one evil", then(GOOD_BRANCH, EVIL_BRANCH, pushing("good:main", "evil:topic")),
          REJECT, CHANGED, only("push main", why="p")),
    Scene(26, "several refs, the first one evil", then(GOOD_BRANCH, EVIL_BRANCH, pushing("evil:a", "good:b")),
          REJECT, CHANGED, PUSHED_TOPIC),
    Scene(26, "a branch that isn't checked out", then(EVIL_BRANCH, pushing("evil:topic")), REJECT, CHANGED,
          PUSHED_TOPIC),
    Scene(26, "a tag", then(EVIL_BRANCH, pushing("evil:refs/tags/v1")), REJECT, CHANGED, PUSHED_TOPIC),
    Scene(26, "a force-push that drops an entry", rewound, REJECT, (*REWRITTEN, *GONE), PUSHED),
    Scene(26, "a force-push of an own branch", then(saved(log(NEW, OLD)), pushed_topic, amended(log(OTHER, OLD))),
          ACCEPT, (), only("commit", "push topic", why="p")),
    Scene(26, "the published branch deleted", pushing(":main"), REJECT, ("main",), only("push main", why="p")),
    Scene(26, "an own branch deleted", then(pushed_topic, pushing(":topic")), ACCEPT, (), PUSHED_TOPIC),
]  # fmt: skip
