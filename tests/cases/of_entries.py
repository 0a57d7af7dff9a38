"""Cases 1 to 11 and 20: what happens to entries."""

from cases.edits import (
    ARCHIVE,
    CONFIG,
    DOMAIN,
    DRAFT,
    NEW,
    OLD,
    from_scratch,
    log,
    move,
    published,
    remove,
    staged,
    swap,
    then,
    write,
)  # fmt: skip
from cases.table import FORM, STRUCTURE, Scene
from cases.ways import ACCEPT, REJECT, WARN
from conftest import CASE, FIRST, LOG, LOG_HEAD, SECOND, THIRD

MOVED_CASE = CASE.replace("flaky-upload", "slow-upload")
MARKER = "— PostgreSQL\n> SUPERSEDED by DEC-2026-11-03-01\n"
MARKED = OLD.replace("— PostgreSQL\n", MARKER)
DATED = "**Date:** 2026-11-01\n"
WAY = "minutebook new decision --supersedes DEC-2026-11-0"
RESTORE = "restore it, and append a new entry with `Supersedes: DEC-2026-11-0"
OLDEST_FIRST = write(CONFIG, "order: {decision: oldest-first}\n")
UNSEEN = {
    "U+FEFF": "\ufeff", "U+0000": "\0", "byte 0xFF": "\udcff", "U+2028": "\u2028", "U+202E": "\u202e",
    "U+200B": "\u200b", "U+E0041": "\U000e0041",
}  # fmt: skip


def entry(number: int, words: str) -> str:
    return f"### DEC-2026-11-1{number}-01 — Choice {number}\n**Decision:** {words}\n**Date:** 2026-11-1{number}\n"


_STRANGE = [entry(number, f"This{unseen}way.") for number, unseen in enumerate(UNSEEN.values())]

SCENES = [
    Scene(1, "append at the open end", staged(log(NEW, OLD)), ACCEPT),
    Scene(1, "append after a last line without newline", then(
        from_scratch(OLDEST_FIRST, write(LOG, f"{LOG_HEAD}{FIRST}\n{SECOND}\n{THIRD}".rstrip("\n"))),
        staged(log(FIRST, SECOND, THIRD, NEW))), ACCEPT),
    Scene(2, "entry deleted", staged(log(THIRD, FIRST)), REJECT,
          (f"{LOG}:1:", "DEC-2026-11-02-01 is sealed and is gone", "no longer stands in", RESTORE, WAY)),
    Scene(2, "file deleted", staged(remove(LOG)), REJECT, (f"there is no {LOG} any more", "DEC-2026-11-01-01", WAY)),
    Scene(2, "one-file entry deleted", staged(remove(CASE)), REJECT,
          ("case-reviewer-2026-11-02-flaky-upload is sealed and is gone", "minutebook new case --supersedes")),
    Scene(2, "log emptied", staged(write(LOG, "")), REJECT, ("DEC-2026-11-03-01 is sealed and is gone",)),
    Scene(2, "log cut at the end", staged(log(THIRD, SECOND)), REJECT, ("DEC-2026-11-01-01 is sealed and is gone",)),
    Scene(3, "one character changed", staged(swap("SKIP LOCKED.", "SKIP LOCKED!")), REJECT,
          (f"{LOG}:7:", "DEC-2026-11-03-01 is sealed: its text was changed", "[-LOCKED.-]{+LOCKED!+}", RESTORE, WAY)),
    Scene(3, "id changed", staged(swap("### DEC-2026-11-02-01", "### DEC-2026-11-02-09")), REJECT,
          ("DEC-2026-11-02-01", "id was changed to DEC-2026-11-02-09", WAY)),
    Scene(3, "label changed", staged(swap("**Rationale:**", "**Reason:**")), REJECT,
          ("[-**Rationale:**-]{+**Reason:**+}", WAY)),
    Scene(3, "date changed", staged(swap("**Date:** 2026-11-02", "**Date:** 2026-11-03")), REJECT,
          ("[-2026-11-02-]{+2026-11-03+}", WAY)),
    Scene(4, "entries reordered", staged(log(SECOND, THIRD, FIRST)), REJECT,
          (f"{LOG}:", "DEC-2026-11-0", "was moved within its log")),
    Scene(4, "entry inserted in the middle", staged(log(THIRD, NEW, SECOND, FIRST)), REJECT,
          (f"{LOG}:11:", "DEC-2026-11-04-01", "new entries go to the top")),
    Scene(5, "duplicate id in a file", staged(log(NEW.replace("11-04-01", "11-02-01"), OLD)), REJECT,
          (f"{LOG}:", "DEC-2026-11-02-01 stands twice", "an id of its own"), STRUCTURE),
    Scene(5, "duplicate id across files", staged(write(DOMAIN, NEW.replace("11-04-01", "11-02-01"))), REJECT,
          (DOMAIN, "DEC-2026-11-02-01", f"{LOG}"), STRUCTURE),
    Scene(6, "trailing white space", staged(swap("migration.\n", "migration.  \n")), WARN, ("only white space",)),
    Scene(6, "blank lines at an entry's end", staged(log(THIRD, f"{SECOND}\n\n", FIRST)), WARN, ("only white space",)),
    Scene(6, "CRLF over the whole file", staged(swap("\n", "\r\n")), WARN, ("only white space",)),
    Scene(6, "final newline removed", staged(log(OLD.rstrip("\n"))), WARN, ("only white space",)),
    Scene(6, "re-wrapped by a formatter", staged(swap("and claimed", "and\nclaimed")), REJECT,
          (f"{LOG}:", "DEC-2026-11-03-01", "wrapped anew: a formatter probably did it")),
    Scene(7, "preamble changed", staged(write(LOG, f"# What we decided\n\nOur log.\n\n{OLD}")), ACCEPT),
    Scene(7, "front matter updated", then(
        published(write(LOG, f"---\nupdated: 2026-11-03\n---\n{LOG_HEAD}{OLD}")),
        staged(swap("updated: 2026-11-03", "updated: 2026-11-20"))), ACCEPT),
    Scene(8, "marker set", staged(log(MARKED)), ACCEPT),
    Scene(8, "declared field set", staged(swap(DATED, f"{DATED}**Status:** superseded\n")), ACCEPT),
    Scene(8, "declared field of a file set", staged(swap("date: 2026-11-02\n", "date: 2026-11-02\nstatus: retracted\n",
                                                         CASE)), ACCEPT),
    Scene(8, "marker set again", then(published(log(MARKED)), staged(swap("by DEC-2026-11-03-01",
                                                                          "by DEC-2026-11-02-01"))), REJECT,
          (f"{LOG}:", "DEC-2026-11-01-01", "set again")),
    Scene(8, "marker taken away", then(published(log(MARKED)), staged(log(OLD))), REJECT,
          ("DEC-2026-11-01-01", "was taken away")),
    Scene(8, "draft edited", then(published(log(DRAFT, OLD)), staged(swap("every night", "every hour"))), ACCEPT),
    Scene(8, "accepted turned into a draft", staged(swap(DATED, f"{DATED}**Status:** proposed\n")), REJECT,
          (f"{LOG}:", "DEC-2026-11-01-01", "turned back into a draft (`proposed`)")),
    Scene(9, "renamed within its place", staged(move(CASE, MOVED_CASE)), ACCEPT),
    Scene(9, "log renamed within its place", staged(move(LOG, DOMAIN)), ACCEPT),
    Scene(9, "renamed out of its place", staged(move(CASE, ".memory/patterns/flaky-upload.md")), REJECT,
          ("case-reviewer-2026-11-02-flaky-upload is sealed and is gone", "is not a place of its type, case")),
    Scene(9, "renamed and edited by a word", staged(move(CASE, MOVED_CASE), swap("five", "six", MOVED_CASE)), REJECT,
          (f"{MOVED_CASE}:", "[-five-]{+six+}")),
    Scene(9, "renamed, a new file at the old path", staged(
        move(CASE, MOVED_CASE),
        lambda world: world.work.write(CASE, world.work.read(MOVED_CASE).replace("id: case-reviewer", "id: case-x"))),
        REJECT, ("another entry stands in its old place", "move it back to")),
    Scene(10, "split by domain", staged(log(THIRD), write(DOMAIN, f"{SECOND}\n{FIRST}")), ACCEPT),
    Scene(10, "split by domain, one lost", staged(log(THIRD), write(DOMAIN, SECOND)), REJECT,
          (f"{LOG}:1:", "DEC-2026-11-01-01 is sealed and is gone", WAY)),
    Scene(11, "superseded to the archive", then(
        published(log(MARKED)),
        staged(log(THIRD, SECOND), write(ARCHIVE, FIRST.replace("— PostgreSQL\n", MARKER)))), ACCEPT),
    Scene(11, "active to the archive", staged(log(THIRD, SECOND), write(ARCHIVE, FIRST)), REJECT,
          (f"{ARCHIVE}:1:", "DEC-2026-11-01-01 is active and was moved to the archive", "SUPERSEDED by")),
    Scene(20, "what can't be seen, in new entries", staged(
        write(LOG, (LOG_HEAD + "\n".join([*_STRANGE[::-1], OLD])).encode("utf-8", "surrogateescape"))), REJECT,
        (f"{LOG}:", *UNSEEN, "take it out"), FORM),
    Scene(20, "byte order mark before a new file", staged(write(DOMAIN, f"\ufeff{NEW}")), REJECT,
          (f"{DOMAIN}:1:", "U+FEFF"), FORM),
    Scene(20, "what can't be seen, in an old entry", then(
        published(write(LOG, (LOG_HEAD + "\n".join([*_STRANGE[::-1], OLD])).encode("utf-8", "surrogateescape"))),
        staged(lambda world: world.work.write(LOG, world.work.read(LOG).replace(
            LOG_HEAD, f"{LOG_HEAD}{entry(9, 'That way.')}\n")))), ACCEPT, (), STRUCTURE),
]  # fmt: skip
