"""Cases 21, 23 and 24: attributes, names and configuration."""

from cases.edits import (
    CHANGED,
    CONFIG,
    EVIL,
    NEW,
    OLD,
    OTHER,
    Edit,
    git,
    log,
    move,
    published,
    staged,
    swap,
    then,
    write,
)  # fmt: skip
from cases.table import FORM, Scene
from cases.ways import ACCEPT, CANNOT, REJECT, WARN
from cases.world import World
from conftest import LOG, LOG_HEAD

DECISION = ".memory/types/decision.yaml"
LOOSE = """name: decision
title: Decision
memory: episodic
describe: A choice that may be rewritten whenever somebody likes to.
place: decisions/{domain}.md
layout: log
write: merge
id: DEC-{date}-{hash:4}
load: selective
durability: durable
"""
README = staged(write("README.md", "# Other\n"))
PATTERNS = ".memory/patterns"
STRANGE = {
    "CON.md": "the name is reserved on Windows",
    "a:b.md": "U+003A doesn't belong into a file name",
    "dot.md.": "a name can't end with a dot",
    "back\\slash.md": "U+005C doesn't belong into a file name",
    "new\nline.md": "U+000A doesn't belong into a file name",
    "-lead.md": "a name can't start with `-`",
}
QUIET = "*.md diff=quiet"
BROKEN = "seal: bytes\nseal: commit\n"


def pattern(slug: str) -> str:
    return f"---\ntype: pattern\nid: pattern-{slug}\ntitle: A way to do it\nabstract: It is done so.\n---\n"


def attributes(line: str, *config: str) -> Edit:
    """Published .gitattributes, and what this clone's configuration makes of them."""

    def play(world: World) -> None:
        published(write(".gitattributes", f"{line}\n"))(world)
        for each in config:
            world.work.git("config", *each.split(" ", 1))

    return play


def with_env(**extra: str) -> Edit:
    return lambda world: world.env.update(extra)


def encoded(*entries: str) -> Edit:
    return write(LOG, (LOG_HEAD + "\n".join(entries)).encode("utf-16"))


def expanded(world: World) -> None:
    """`$Id$` is expanded in the work tree, and isn't in git."""
    text = NEW.replace("every night.", "every night. $Id$")
    published(write(".gitattributes", "*.md ident\n"), log(text, OLD))(world)
    (world.work.path / LOG).unlink()
    world.work.git("checkout", "--quiet", "--", LOG)
    assert "$Id: " in world.work.read(LOG)
    staged(swap(LOG_HEAD, f"{LOG_HEAD}{OTHER}\n"))(world)


def broken(*before: str) -> Edit:
    """A config that can't be read is published, after others that could."""
    return then(*(published(write(CONFIG, text)) for text in (*before, BROKEN)))


SCENES = [
    Scene(21, "no diff", then(attributes("*.md -diff -merge"), staged(log(EVIL))), REJECT, CHANGED),
    Scene(21, "no diff, append", then(attributes("*.md -diff"), staged(log(NEW, OLD))), ACCEPT),
    Scene(21, "textconv", then(attributes(QUIET, "diff.quiet.textconv true", "diff.quiet.cachetextconv true"),
                               staged(log(EVIL))), REJECT, CHANGED),
    Scene(21, "external diff", then(attributes(QUIET, "diff.quiet.command true", "diff.external true"),
                                    with_env(GIT_EXTERNAL_DIFF="true"), staged(log(EVIL))), REJECT, CHANGED),
    Scene(21, "clean filter that hides", then(attributes("*.md filter=veil", "filter.veil.clean sed s/Every/Some/",
                                                         "filter.veil.smudge sed s/Some/Every/"),
                                              git("add", "--renormalize", ".")), REJECT, CHANGED, {"merge": "g"}),
    Scene(21, "clean filter that mends", then(attributes("*.md filter=veil", "filter.veil.clean sed s/Some/Every/"),
                                              log(EVIL), README), ACCEPT),
    Scene(21, "ident", expanded, ACCEPT),
    Scene(21, "working-tree-encoding, append", then(
        published(write(".gitattributes", f"{LOG} working-tree-encoding=UTF-16\n"), encoded(OLD)),
        staged(encoded(NEW, OLD))), ACCEPT),
    Scene(21, "working-tree-encoding, edit", then(
        published(write(".gitattributes", f"{LOG} working-tree-encoding=UTF-16\n"), encoded(OLD)),
        staged(encoded(EVIL))), REJECT, CHANGED),
    Scene(21, "attributes of memory changed", staged(write(".gitattributes", ".memory/** -diff\n")), WARN,
          (".gitattributes",)),
    Scene(23, "a name beside it in other letters", staged(write(".memory/decisions/_LOG.md", NEW)), REJECT,
          (f".memory/decisions/_LOG.md and {LOG} are one name on some machines", "rename one of them"), FORM),
    Scene(23, "a name in two Unicode forms", staged(
        write(f"{PATTERNS}/caf\u00e9.md", pattern("one")), write(f"{PATTERNS}/cafe\u0301.md", pattern("two"))), REJECT,
        ("are one name on some machines",), FORM),
    Scene(23, "names that no machine should see", staged(
        *(write(f"{PATTERNS}/{name}", pattern(f"x{at}")) for at, name in enumerate(STRANGE))), REJECT,
        (*STRANGE.values(), f"{PATTERNS}/CON.md", f"{PATTERNS}/-lead.md"), FORM),
    Scene(24, "the config moves the root", staged(
        write(CONFIG, "root: docs/memory\n"), move(LOG, "docs/memory/decisions/_log.md")), REJECT,
        (CONFIG, "no longer names .memory as a memory root", "leave it as it is")),
    Scene(24, "the type lets the log be edited, and it is", staged(write(DECISION, LOOSE), log(EVIL)), REJECT,
          (DECISION, "decision is no longer append-only", *CHANGED)),
    Scene(24, "a broken config mended", then(broken("seal: bytes\n"), staged(write(CONFIG, "seal: bytes\n"))), WARN,
          ("what it said before counts",)),
    Scene(24, "a broken config mended, and narrowed", then(
        broken("seal: bytes\n"), staged(write(CONFIG, "budget: 100\n"))), REJECT,
          (CONFIG, "`seal: bytes` is dropped"), {"audit": "w"}),
    Scene(24, "a broken config mended, and an edit", then(broken(), staged(write(CONFIG, "budget: 100\n"), log(EVIL))),
          REJECT, CHANGED),
    Scene(24, "a broken config left broken", then(broken(), staged(log(NEW, OLD))), REJECT,
          (CONFIG, "`seal` stands twice"), {"--all": CANNOT, "audit": "w"}),
]  # fmt: skip
