"""What goes, what comes and in which order: whole logs."""

from conftest import CASE, FIRST, LOG, LOG_HEAD, SECOND, THIRD
from core.edits import (
    ARCHIVED,
    CONFIG,
    DOMAIN,
    DRAFT,
    FILE_DECISION,
    FILE_TEXT,
    NEW,
    OLD,
    ONE_RULING,
    OTHER,
    RULING,
    RULING_TYPE,
    append,
    both,
    entry,
    log,
    remove,
    swap,
    write,
)  # fmt: skip
from core.scene import Scene
from core.sketch import Edit

TITLE = "### DEC-2026-11-01-01 — PostgreSQL\n"
OLDEST_FIRST = both(write(CONFIG, "order: {decision: oldest-first}\n"), log(f"{FIRST}\n{SECOND}\n{THIRD}"))


def long(*numbers: int, drafts: tuple[int, ...] = ()) -> Edit:
    rows = [entry(number) + ("**Status:** draft\n" if number in drafts else "") for number in numbers]
    return log("\n".join(rows))


def down(most: int, least: int = 1) -> tuple[int, ...]:
    return tuple(range(most, least - 1, -1))


def superseding(*ids: str, text: str = NEW) -> str:
    return f"{text.rstrip()}\n**Supersedes:** {', '.join(ids)}\n"


def dated(day: str, text: str = NEW) -> str:
    return text.replace("**Date:** 2026-11-04", f"**Date:** {day}")


def marked_by(name: str) -> str:
    return OLD.replace(TITLE, f"{TITLE}> SUPERSEDED by {name}\n")


def pointing(name: str) -> str:
    """A heading of a log that points to the decision's own file."""
    return f"### {name} — Up\nFile: decisions/{name}.md\n"


TAKER = superseding("DEC-2026-11-01-01")
RIVAL = superseding("DEC-2026-11-01-01", text=OTHER)
TAKER_OF_TWO = superseding("DEC-2026-11-01-01", "DEC-2026-11-02-01", text=OTHER)
MENTIONED = OLD.replace("by hand.", "by hand. DEC-2026-11-01-01 is superseded.")
LATER = entry(31).replace("2026-10-31", "2026-11-12")
MARKED = marked_by("DEC-2026-11-03-01")
EVENT = ".memory/users/ada/events/2026-11-02-start.md"
EVENT_TEXT = "---\nid: event-ada-start\ntitle: Start\nabstract: It started.\ndate: 2026-11-19\n---\nIt started.\n"

SCENES: dict[str, Scene] = {
    "everything at once: no base root": Scene(write("docs/memory/decisions/_log.md", OLD), remove(".memory")),
    # what goes
    "five gone": Scene(long(*down(10, 6)), long(*down(10))),
    "six gone": Scene(long(*down(10, 7)), long(*down(10))),
    "six drafts gone": Scene(long(*down(10, 7)), long(*down(10), drafts=down(6))),
    "six gone with their file": Scene(remove(LOG), long(*down(6))),
    "gone from two files": Scene(
        both(remove(DOMAIN), log(THIRD)), both(log(f"{THIRD}\n{SECOND}"), write(DOMAIN, FIRST))
    ),
    "gone to a place of another type": Scene(
        both(log(f"{THIRD}\n{SECOND}"), write(".memory/patterns/p.md", "---\nid: DEC-2026-11-01-01\ntitle: P\n---\n"))
    ),
    "gone to an archived place of another type": Scene(
        both(
            log(f"{THIRD}\n{SECOND}"),
            write(".memory/archive/patterns/p.md", "---\nid: DEC-2026-11-01-01\ntitle: P\n---\n"),
        )
    ),
    "six gone, the first to a place of another type": Scene(
        both(long(*down(10, 7)), write(".memory/patterns/p.md", "---\nid: DEC-2026-10-06-01\ntitle: P\n---\n")),
        long(*down(10)),
    ),
    "six gone, and one from another log": Scene(
        both(long(*down(10, 7)), write(DOMAIN, FIRST)), both(long(*down(10)), write(DOMAIN, f"{SECOND}\n{FIRST}"))
    ),
    "no log any more": Scene(write(LOG, LOG_HEAD)),
    # twice
    "a copy in the log": Scene(log(f"{SECOND}\n{OLD}")),
    "a copy at the end": Scene(log(f"{OLD}\n{THIRD}")),
    "a copy in another log": Scene(write(DOMAIN, SECOND)),
    "a copy in two other logs": Scene(both(write(DOMAIN, SECOND), write(".memory/decisions/more.md", SECOND))),
    "an edited copy above": Scene(log(f"{SECOND.replace('Every', 'Some')}\n{OLD}")),
    "an edited copy in another log": Scene(write(DOMAIN, SECOND.replace("Every", "Some"))),
    "the original goes and two edited ones come": Scene(
        both(log(f"{THIRD}\n{SECOND.replace('Every', 'Some')}\n{FIRST}"), write(DOMAIN, SECOND.replace("Every", "No")))
    ),
    "the original moves and an edited one stays": Scene(
        both(log(f"{THIRD}\n{SECOND.replace('Every', 'Some')}\n{FIRST}"), write(DOMAIN, SECOND))
    ),
    "an old copy is dropped": Scene(log(OLD), log(f"{OLD}\n{SECOND}")),
    "an old copy with other line ends is dropped": Scene(
        log(OLD),
        both(
            log(OLD),
            write(DOMAIN, SECOND.replace("\n", " \n")),
        ),
    ),
    "one of two copies is dropped with its file": Scene(remove(DOMAIN), write(DOMAIN, SECOND)),
    "both copies are dropped": Scene(both(remove(DOMAIN), log(f"{THIRD}\n{FIRST}")), write(DOMAIN, SECOND)),
    "two copies, the edited one dropped": Scene(remove(DOMAIN), write(DOMAIN, SECOND.replace("Every", "Some"))),
    "two copies, both edited": Scene(
        both(swap("Every", "No", DOMAIN), swap("Every", "No")), write(DOMAIN, SECOND.replace("schema change", "change"))
    ),
    "two copies change places": Scene(
        both(log(OLD.replace("Every", "Some")), write(DOMAIN, SECOND)), write(DOMAIN, SECOND.replace("Every", "Some"))
    ),
    "a new one takes the id of an old one": Scene(log(NEW.replace("11-04-01", "11-02-01") + f"\n{OLD}")),
    "a new one takes the id of an old one elsewhere": Scene(write(DOMAIN, NEW.replace("11-04-01", "11-02-01"))),
    # split, moved, renamed
    "split by domain": Scene(both(log(THIRD), write(DOMAIN, f"{SECOND}\n{FIRST}"))),
    "split by domain and turned": Scene(both(log(THIRD), write(DOMAIN, f"{FIRST}\n{SECOND}"))),
    "two logs made one": Scene(both(log(OLD), remove(DOMAIN)), both(log(f"{THIRD}\n{FIRST}"), write(DOMAIN, SECOND))),
    "two logs change their entries": Scene(
        both(log(f"{SECOND}\n{FIRST}"), write(DOMAIN, THIRD)), both(log(f"{THIRD}\n{FIRST}"), write(DOMAIN, SECOND))
    ),
    "an id changed": Scene(swap("### DEC-2026-11-02-01", "### DEC-2026-11-02-09")),
    "an id changed and the entry moved": Scene(
        both(log(f"{THIRD}\n{FIRST}"), write(DOMAIN, SECOND.replace("11-02-01", "11-02-09")))
    ),
    "an id changed and the text with it": Scene(
        both(swap("### DEC-2026-11-02-01", "### DEC-2026-11-02-09"), swap("Every", "Some"))
    ),
    "ids change places": Scene(
        log(OLD.replace("11-02-01", "x").replace("11-01-01", "11-02-01").replace("x", "11-01-01"))
    ),
    "an id is the text of another one": Scene(
        log(OLD.replace("### DEC-2026-11-02-01", "### DEC-2026-11-02-09")), log(OLD)
    ),
    "two ids changed": Scene(log(OLD.replace("11-02-01", "11-02-09").replace("11-01-01", "11-01-09"))),
    "an id changed in the heading of what names itself": Scene(
        swap("### DEC-2026-11-02-01", "### DEC-2026-11-02-09"),
        log(OLD.replace("by hand.", "by hand until DEC-2026-11-02-01.")),
    ),
    # order
    "two change places": Scene(log(f"{SECOND}\n{THIRD}\n{FIRST}")),
    "the first goes last": Scene(log(f"{SECOND}\n{FIRST}\n{THIRD}")),
    "a draft goes last": Scene(long(2, 1, 3), long(3, 2, 1, drafts=(3,))),
    "a draft goes last and is sealed": Scene(both(long(2, 1, 3)), long(3, 2, 1, drafts=(3,))),
    "drafts and sealed entries are turned around": Scene(
        long(1, 2, 3, 4, drafts=(2, 4)), long(4, 3, 2, 1, drafts=(2, 4))
    ),
    "turned around, six": Scene(long(*down(6)[::-1]), long(*down(6))),
    "turned around, seven": Scene(long(*down(7)[::-1]), long(*down(7))),
    "turned around, eight": Scene(long(*down(8)[::-1]), long(*down(8))),
    "two logs turned around": Scene(
        both(long(2, 3), write(DOMAIN, f"{entry(8)}\n{entry(9)}")),
        both(long(3, 2), write(DOMAIN, f"{entry(9)}\n{entry(8)}")),
    ),
    "moved in the middle": Scene(long(9, 8, 3, 7, 6, 5, 4, 2, 1), long(*down(9))),
    "same entry stands between its kin": Scene(long(9, 7, 8, 6, 4, 5, 3), long(*down(9, 3))),
    "files don't count as order": Scene(
        both(write(FILE_DECISION, FILE_TEXT), remove(".memory/decisions/b.md")),
        both(write(".memory/decisions/b.md", FILE_TEXT)),
    ),
    "two drafts change places": Scene(long(2, 3, drafts=(2, 3)), long(3, 2, drafts=(2, 3))),
    "new at the end of two logs": Scene(
        both(log(f"{OLD}\n{NEW}"), write(DOMAIN, f"{entry(9)}\n{OTHER}")), write(DOMAIN, entry(9))
    ),
    "new in the middle, and its type reads it no more": Scene(
        both(
            swap("id: RUL", "id: VER", RULING_TYPE),
            write(ONE_RULING, "### RUL-1 — One\nOne.\n\n### RUL-new — New\nNew.\n\n### RUL-2 — Two\nTwo.\n"),
        ),
        both(
            write(RULING_TYPE, RULING.replace("layout: file", "layout: log")),
            write(ONE_RULING, "### RUL-1 — One\nOne.\n\n### RUL-2 — Two\nTwo.\n"),
        ),
    ),
    # new entries
    "new at the top": Scene(log(f"{OTHER}\n{NEW}\n{OLD}")),
    "new below the first": Scene(log(f"{THIRD}\n{NEW}\n{SECOND}\n{FIRST}")),
    "new at the end": Scene(log(f"{OLD}\n{NEW}")),
    "one new above and two at the end": Scene(log(f"{entry(20)}\n{OLD}\n{NEW}\n{OTHER}")),
    "new below a draft": Scene(log(f"{DRAFT}\n{OTHER}\n{OLD}"), log(f"{DRAFT}\n{OLD}")),
    "new below a draft that is sealed now": Scene(log(f"{NEW}\n{OTHER}\n{OLD}"), log(f"{DRAFT}\n{OLD}")),
    "new below a draft and a sealed one": Scene(
        log(f"{DRAFT}\n{THIRD}\n{OTHER}\n{SECOND}\n{FIRST}"), log(f"{DRAFT}\n{OLD}")
    ),
    "new below an entry that moved here": Scene(both(log(f"{THIRD}\n{FIRST}"), write(DOMAIN, f"{SECOND}\n{NEW}"))),
    "new below one that stays and one that moved here": Scene(
        both(log(f"{THIRD}"), write(DOMAIN, f"{SECOND}\n{NEW}\n{FIRST}")),
        both(log(f"{THIRD}\n{FIRST}"), write(DOMAIN, SECOND)),
    ),
    "new below an edited one": Scene(log(f"{THIRD.replace('Jobs', 'Tasks')}\n{NEW}\n{SECOND}\n{FIRST}")),
    "new below a copy": Scene(log(f"{FIRST}\n{NEW}\n{OLD}")),
    "new in a new log": Scene(write(DOMAIN, NEW)),
    "new as a file": Scene(write(FILE_DECISION, FILE_TEXT)),
    "new in a place that is none": Scene(write(".memory/decisions/a/b.md", NEW)),
    "oldest first: new at the end": Scene(append(LOG, f"\n{NEW}"), OLDEST_FIRST),
    "oldest first: new at the top": Scene(log(f"{NEW}\n{FIRST}\n{SECOND}\n{THIRD}"), OLDEST_FIRST),
    "oldest first: new in the middle": Scene(log(f"{FIRST}\n{NEW}\n{OTHER}\n{SECOND}\n{THIRD}"), OLDEST_FIRST),
    "oldest first: new above a draft": Scene(
        log(f"{FIRST}\n{NEW}\n{DRAFT.replace('04-01', '04-09')}"),
        both(OLDEST_FIRST, log(f"{FIRST}\n{DRAFT.replace('04-01', '04-09')}")),
    ),
    "the last line had no newline": Scene(
        log(f"{FIRST}\n{SECOND}\n{NEW}"), both(OLDEST_FIRST, log(f"{FIRST}\n{SECOND}".rstrip("\n")))
    ),
    "a log that only points to files grows": Scene(
        both(
            write(
                LOG,
                LOG_HEAD + f"{pointing('DEC-2026-11-05-02')}\n{pointing('DEC-2026-11-05-01')}",
            ),
            write(FILE_DECISION.replace("05-01", "05-02"), FILE_TEXT.replace("05-01", "05-02")),
        ),
        both(
            write(LOG, LOG_HEAD + pointing("DEC-2026-11-05-01")),
            write(FILE_DECISION, FILE_TEXT),
        ),
    ),
    # merges in between say why an entry stands where it does
    "between: theirs was at the top once": Scene(
        log(f"{NEW}\n{OTHER}\n{OLD}"), log(f"{NEW}\n{OLD}"), merged=(log(f"{OTHER}\n{OLD}"), log(f"{NEW}\n{OLD}"))
    ),
    "between: no side explains it": Scene(
        log(f"{NEW}\n{OTHER}\n{OLD}"), log(f"{NEW}\n{OLD}"), merged=(log(f"{OTHER}\n{NEW}\n{OLD}"),)
    ),
    "between: a side explains one of two that it passed": Scene(
        log(f"{NEW}\n{THIRD}\n{OTHER}\n{SECOND}\n{FIRST}"), log(f"{NEW}\n{OLD}"), merged=(log(f"{OTHER}\n{OLD}"),)
    ),
    "between: the side has it in its archive": Scene(
        log(f"{NEW}\n{OTHER}\n{OLD}"), log(f"{NEW}\n{OLD}"), merged=(both(log(OLD), write(ARCHIVED, OTHER)),)
    ),
    "between: the side has the old one in its archive": Scene(
        log(f"{NEW}\n{OTHER}\n{OLD}"),
        log(f"{NEW}\n{OLD}"),
        merged=(both(log(f"{OTHER}\n{OLD}"), write(ARCHIVED, NEW)),),
    ),
    # dates
    "dated before the newest": Scene(log(f"{dated('2026-11-02')}\n{OLD}")),
    "dated as the newest": Scene(log(f"{dated('2026-11-03')}\n{OLD}")),
    "dated today": Scene(log(f"{dated('2026-11-20')}\n{OLD}")),
    "dated tomorrow": Scene(log(f"{dated('2026-11-21')}\n{OLD}")),
    "dated the day after tomorrow": Scene(log(f"{dated('2026-11-22')}\n{OLD}")),
    "dated in another year": Scene(log(f"{dated('2027-01-01')}\n{OLD}")),
    "dated a month's end": Scene(log(f"{dated('2026-12-01')}\n{OLD}"), today="2026-11-30"),
    "dated before a future one": Scene(
        log(f"{NEW}\n{OLD}"), log(OLD.replace("**Date:** 2026-11-03", "**Date:** 2026-11-28"))
    ),
    "dated after one that only mentions a later day": Scene(
        log(f"{NEW}\n{OLD.replace('by hand.', 'by hand until 2026-11-12.')}"),
        log(OLD.replace("by hand.", "by hand until 2026-11-12.")),
    ),
    "dated before one that also mentions an earlier day": Scene(
        log(f"{dated('2026-11-02')}\n{OLD.replace('by hand.', 'by hand since 2026-10-12.')}"),
        log(OLD.replace("by hand.", "by hand since 2026-10-12.")),
    ),
    "dated before one in another log": Scene(write(DOMAIN, dated("2026-11-02"))),
    "dated before one in the archive": Scene(
        log(f"{NEW}\n{OLD}"),
        write(ARCHIVED, dated("2026-11-12", OTHER).replace("rehearsed\n", "rehearsed\n> RETRACTED\n")),
    ),
    "two dated before the newest, one after": Scene(
        log(f"{dated('2026-11-02')}\n{dated('2026-10-02', OTHER)}\n{LATER}\n{OLD}")
    ),
    "dated in the last century": Scene(log(f"{dated('1999-11-02')}\n{OLD}")),
    "dated in the last century, as all are": Scene(
        log(f"{dated('1999-11-01')}\n{OLD.replace('** 2026', '** 1999')}"), log(OLD.replace("** 2026", "** 1999"))
    ),
    "dated after all of the last century": Scene(
        log(f"{dated('1999-11-04')}\n{OLD.replace('** 2026', '** 1999')}"), log(OLD.replace("** 2026", "** 1999"))
    ),
    "no date": Scene(log(f"{NEW.replace('**Date:** 2026-11-04' + chr(10), '')}\n{OLD}")),
    "no day": Scene(log(f"{dated('soon')}\n{OLD}")),
    "a day with an hour": Scene(log(f"{dated('2026-11-02T10:00:00Z')}\n{OLD}")),
    "dated by its heading": Scene(log(f"### DEC-2026-11-04-01 (2026-11-02) — Backups\n**Decision:** So.\n\n{OLD}")),
    "another type's newest does not count": Scene(
        write(EVENT.replace("start", "end"), EVENT_TEXT.replace("start", "end").replace("11-19", "11-10"))
    ),
    "dated before the newest of its type, one file each": Scene(
        write(EVENT.replace("start", "end"), EVENT_TEXT.replace("start", "end").replace("11-19", "11-10")),
        write(EVENT, EVENT_TEXT),
    ),
    "dated by created": Scene(
        write(
            EVENT.replace("start", "end"),
            EVENT_TEXT.replace("start", "end").replace("date: 2026-11-19", "created: 2026-11-10"),
        ),
        write(EVENT, EVENT_TEXT.replace("date:", "created:")),
    ),
    "date counts before created": Scene(
        write(
            EVENT.replace("start", "end"),
            EVENT_TEXT.replace("start", "end").replace("date: 2026-11-19", "date: 2026-11-10\ncreated: 2026-11-19"),
        ),
        write(EVENT, EVENT_TEXT.replace("date:", "created: 2026-11-01\ndate:")),
    ),
    "two types at once": Scene(
        both(
            log(f"{dated('2026-11-02')}\n{OLD}"),
            write(EVENT.replace("start", "end"), EVENT_TEXT.replace("start", "end").replace("11-19", "11-10")),
        ),
        write(EVENT, EVENT_TEXT),
    ),
    "a draft of a later day counts too": Scene(
        log(f"{NEW}\n{dated('2026-11-12', DRAFT.replace('04-01', '04-09'))}\n{OLD}"),
        log(f"{dated('2026-11-12', DRAFT.replace('04-01', '04-09'))}\n{OLD}"),
    ),
    "dated today, and a later day is published": Scene(
        log(f"{dated('2026-11-20')}\n{OLD.replace('** 2026-11-03', '** 2026-11-28')}"),
        log(OLD.replace("** 2026-11-03", "** 2026-11-28")),
    ),
    "dated in the last century, by ids without a day": Scene(
        log("### DEC-7 — So\n**Date:** 1999-11-01\n\n### DEC-6 — So\n**Date:** 1999-11-03\n"),
        log("### DEC-6 — So\n**Date:** 1999-11-03\n"),
    ),
    "dated among what has no day": Scene(
        both(
            log(
                "### DEC-7 — So\n**Date:** 2026-11-01\n\n### DEC-6 — So\nYes.\n\n### DEC-5 — So\n**Date:** 2026-11-03\n"
            )
        ),
        both(
            log("### DEC-6 — So\nYes.\n\n### DEC-5 — So\n**Date:** 2026-11-03\n"),
            write(DOMAIN, "### DEC-4 — So\nYes.\n"),
        ),
    ),
    "supersedes what is marked by another new one": Scene(
        log(f"{RIVAL}\n{TAKER}\n{marked_by('DEC-2026-11-04-02')}"),
        log(marked_by("DEC-2026-11-04-02")),
    ),
    # superseding
    "supersedes one that holds": Scene(log(f"{TAKER}\n{OLD}")),
    "supersedes one that holds, and marks it": Scene(log(f"{TAKER}\n{marked_by('DEC-2026-11-04-01')}")),
    "supersedes what is marked": Scene(log(f"{TAKER}\n{MARKED}"), log(MARKED)),
    "supersedes what is marked by it": Scene(
        log(f"{TAKER}\n{marked_by('DEC-2026-11-04-01')}"),
        log(marked_by("DEC-2026-11-04-01")),
    ),
    "supersedes what is closed by its status": Scene(
        log(f"{TAKER}\n{OLD}**Status:** retracted\n"), log(f"{OLD}**Status:** retracted\n")
    ),
    "supersedes what is superseded elsewhere": Scene(
        log(f"{RIVAL}\n{TAKER}\n{OLD}"),
        log(f"{TAKER}\n{OLD}"),
    ),
    "supersedes, in other letters, what is superseded elsewhere": Scene(
        log(f"{RIVAL}\n{superseding('dec-2026-11-01-01')}\n{OLD}"),
        log(f"{superseding('dec-2026-11-01-01')}\n{OLD}"),
    ),
    "supersedes in other letters": Scene(log(f"{superseding('dec-2026-11-01-01')}\n{MARKED}"), log(MARKED)),
    "supersedes in other letters what another takes": Scene(
        log(f"{superseding('dec-2026-11-01-01', text=OTHER)}\n{superseding('Dec-2026-11-01-01')}\n{OLD}")
    ),
    "two supersede one": Scene(log(f"{RIVAL}\n{TAKER}\n{OLD}")),
    "two supersede one, and one of them another": Scene(log(f"{TAKER_OF_TWO}\n{TAKER}\n{OLD}")),
    "two supersede what is closed": Scene(
        log(f"{RIVAL}\n{TAKER}\n{MARKED}"),
        log(MARKED),
    ),
    "supersedes two, the second closed": Scene(
        log(f"{superseding('DEC-2026-11-02-01', 'DEC-2026-11-01-01')}\n{MARKED}"), log(MARKED)
    ),
    "supersedes itself": Scene(log(f"{superseding('DEC-2026-11-04-01')}\n{OLD}")),
    "supersedes what is nowhere": Scene(log(f"{superseding('DEC-2020-01-01-01')}\n{OLD}")),
    "supersedes what is closed in the archive": Scene(
        log(f"{TAKER}\n{THIRD}\n{SECOND}"),
        both(log(f"{THIRD}\n{SECOND}"), write(ARCHIVED, FIRST.replace(TITLE, f"{TITLE}> OBSOLETE\n"))),
    ),
    "an old entry only mentions that it is superseded": Scene(
        log(f"{TAKER}\n{MENTIONED}"),
        log(MENTIONED),
    ),
    "an old entry supersedes itself": Scene(
        log(f"{TAKER}\n{OLD}**Supersedes:** DEC-2026-11-01-01\n"),
        log(f"{OLD}**Supersedes:** DEC-2026-11-01-01\n"),
    ),
    "a case is new and well": Scene(
        lambda tree: tree.write(
            CASE.replace("flaky", "slow"), tree.read(CASE).replace("flaky", "slow").replace("2026-11-02", "2026-11-03")
        )
    ),
}
