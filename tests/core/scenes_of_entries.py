"""What may become of one sealed entry."""

from conftest import CASE, FIRST, LOG, SECOND, THIRD
from core.edits import (
    CONFIG,
    DECISION_TYPE,
    DOMAIN,
    FILE_DECISION,
    FILE_TEXT,
    MOVED_CASE,
    OLD,
    ONE_RULING,
    RULING,
    RULING_TYPE,
    append,
    both,
    log,
    move,
    remove,
    swap,
    write,
)  # fmt: skip
from core.scene import Scene
from core.sketch import Edit

DATE = "**Date:** 2026-11-01\n"
TITLE = "### DEC-2026-11-01-01 — PostgreSQL\n"
CASE_DATE = "date: 2026-11-02\n"
ADR = "docs/adr/0009-queue.md"
ADR_TEXT = """# 9. Queue in PostgreSQL

## Status

Accepted

## Decision

Jobs are kept in a table.
"""
MAPPED = both(write(CONFIG, "places: {decision: docs/adr/*.md}\n"), write(ADR, ADR_TEXT))
RULES_LOG = RULING.replace("layout: file", "layout: log")
RULING_TEXT = "# One rules\n\n## Ruling\nOne rules.\n"
RULING_LOG_TEXT = "### RUL-one — One rules\n**Ruling:** One rules.\n"


def was(text: str) -> Edit:
    """Something stands in the first decision below its date already."""
    return swap(DATE, DATE + text)


def status(old: str, new: str) -> Scene:
    """The section `Status` of a record says something else."""
    return Scene(swap(f"{old}\n", f"{new}\n", ADR), both(MAPPED, swap("Accepted\n", f"{old}\n", ADR)))


def ruling(mtype: str, before: str, after: str) -> Scene:
    return Scene(write(ONE_RULING, after), both(write(RULING_TYPE, mtype), write(ONE_RULING, before)))


def becomes(before: str, after: str) -> Scene:
    """What stands below the date of the first decision turns into something else."""
    return Scene(log(OLD.replace(DATE, DATE + after)), was(before))


def case(before: str, after: str) -> Scene:
    """What stands below the date in the front matter of the case turns into something else."""
    return Scene(swap(CASE_DATE + before, CASE_DATE + after, CASE), swap(CASE_DATE, CASE_DATE + before, CASE))


SCENES: dict[str, Scene] = {
    # what was set is set once
    "marker set again": becomes("> SUPERSEDED by DEC-2026-11-03-01\n", "> SUPERSEDED by DEC-2026-11-02-01\n"),
    "marker taken away": becomes("> SUPERSEDED by DEC-2026-11-03-01\n", ""),
    "two markers at once": becomes("", "> SUPERSEDED by DEC-2026-11-03-01\n> OBSOLETE\n"),
    "a second marker later": becomes(
        "> SUPERSEDED by DEC-2026-11-03-01\n", "> SUPERSEDED by DEC-2026-11-03-01\n> OBSOLETE\n"
    ),
    "marker with its reason": becomes("", "> OBSOLETE\n> because the table is gone\n"),
    "a quote that is no marker": becomes("", "> because the table is gone\n"),
    "a quote is an addendum, another one is not": becomes("> said Ada\n", "> said Eve\n"),
    "a marker in quoted evidence is evidence": becomes(
        "**Source:** session a, turn 1\n> So be it.\n", "**Source:** session a, turn 1\n> So be it.\n> OBSOLETE\n"
    ),
    "evidence is kept": becomes(
        "**Source:** session a, turn 1\n> So be it.\n> OBSOLETE\n", "**Source:** session a, turn 1\n> So be it.\n"
    ),
    "a marker below quoted evidence": becomes(
        "**Source:** session a, turn 1\n> So be it.\n", "**Source:** session a, turn 1\n> So be it.\n\n> OBSOLETE\n"
    ),
    "a marker in a fence is text": becomes("```\ncode\n```\n", "```\ncode\n> OBSOLETE\n```\n"),
    "status moves on": becomes("**Status:** accepted\n", "**Status:** retracted\n"),
    "status named otherwise": becomes("**Status:** accepted\n", "**Status:** active\n"),
    "status unknown": becomes("**Status:** accepted\n", "**Status:** fine\n"),
    "status empty is no status": becomes("**Status:**\n", "**Status:** accepted\n"),
    "status sealed to draft": becomes("**Status:** accepted\n", "**Status:** draft\n"),
    "status to draft above a marker": becomes("**Status:** accepted\n> OBSOLETE\n", "**Status:** draft\n> OBSOLETE\n"),
    "status to draft, and a marker with it": becomes("**Status:** accepted\n", "**Status:** proposed\n> OBSOLETE\n"),
    "status moves on above a marker": becomes(
        "**Status:** accepted\n> OBSOLETE\n", "**Status:** retracted\n> OBSOLETE\n"
    ),
    "status closed to draft": becomes("**Status:** superseded\n", "**Status:** proposed\n"),
    "status reopened": becomes("**Status:** superseded\n", "**Status:** accepted\n"),
    "status closed otherwise": becomes("**Status:** superseded\n", "**Status:** retracted\n"),
    "status taken away": becomes("**Status:** accepted\n", ""),
    "status set a second time": becomes("**Status:** accepted\n", "**Status:** accepted\n**Status:** retracted\n"),
    "status set twice at once": becomes("", "**Status:** accepted\n**Status:** retracted\n"),
    "superseded_by set": becomes("", "**Superseded by:** DEC-2026-11-03-01\n"),
    "superseded_by set again": becomes(
        "**Superseded by:** DEC-2026-11-02-01\n", "**Superseded by:** DEC-2026-11-03-01\n"
    ),
    "superseded_by set twice at once": becomes(
        "", "**Superseded by:** DEC-2026-11-02-01\n**Superseded by:** DEC-2026-11-03-01\n"
    ),
    "two breaches, and the text": Scene(
        log(OLD.replace(DATE, f"{DATE}**Superseded by:** DEC-2026-11-03-01\n").replace("in PostgreSQL.", "in MySQL.")),
        was("**Status:** accepted\n**Superseded by:** DEC-2026-11-02-01\n"),
    ),
    "draft becomes sealed": becomes("**Status:** proposed\n", "**Status:** accepted\n"),
    "draft is edited": becomes("**Status:** proposed\n", "**Status:** draft\n**Impact:** to be seen\n"),
    "draft is taken away": Scene(log(f"{THIRD}\n{SECOND}"), was("**Status:** proposed\n")),
    "a closed entry is sealed": Scene(log(f"{THIRD}\n{SECOND}"), was("**Status:** superseded\n")),
    # addenda
    "addendum": becomes("", "\nIt still does.\n"),
    "addendum of a label that it lacks": becomes("", "**Rationale:** It is known.\n"),
    "addendum that is another decision": Scene(
        append(LOG, "**Decision:** Nothing is stored.\n"),
        log(OLD.replace("**Decision:** The service stores", "The service stores")),
    ),
    "addendum that is another context": Scene(
        append(LOG, "**Context:** None.\n"), log(OLD.replace("**Context:** The", "The"))
    ),
    "addendum that is an abstract with its own below": Scene(
        append(LOG, "**Abstract:** None.\n"), log(f"{OLD}**Abstract:** The database.\n")
    ),
    "an abstract put before": Scene(swap(DATE, f"**Abstract:** Files.\n{DATE}")),
    "one-file addendum below an overview": Scene(
        append(CASE, "\n## Overview\nDelete the test.\n"), append(CASE, "\n## Overview\nIt raced.\n")
    ),
    "one-file addendum that is an overview of level one": Scene(append(CASE, "\n# OVERVIEW\nDelete the test.\n")),
    "one-file addendum with a heading below": Scene(append(CASE, "\n### Overview\nOf the day.\n")),
    "one-file addendum": Scene(append(CASE, "\n## Later\nIt came back.\n")),
    "text put before a sentence ends": Scene(
        swap("Alembic migration\n", "Alembic migration\n> OBSOLETE\n"),
        swap("Alembic migration.\n", "Alembic migration\nwith a way down.\n"),
    ),
    "a status put before a sentence ends": Scene(
        swap("Alembic migration\n", "Alembic migration\n**Status:** accepted\n"),
        swap("Alembic migration.\n", "Alembic migration\nwith a way down.\n"),
    ),
    "a status put before tags end": Scene(
        swap("**Tags:** a, b\n", "**Status:** accepted\n**Tags:** a, b\n"), was("**Tags:** a, b\n")
    ),
    "no addenda": ruling(RULING.replace("addenda: end\n", ""), RULING_TEXT, f"{RULING_TEXT}\nMore.\n"),
    "no addenda in a log": ruling(
        RULES_LOG.replace("addenda: end\n", ""), RULING_LOG_TEXT, f"{RULING_LOG_TEXT}More.\nAnd more.\n"
    ),
    "no addenda but a marker": ruling(
        RULES_LOG.replace("addenda: end\n", ""),
        RULING_LOG_TEXT,
        RULING_LOG_TEXT.replace("rules\n", "rules\n> RETRACTED\n", 1),
    ),
    "an addendum that makes it a draft": ruling(RULING, RULING_TEXT, f"{RULING_TEXT}\n## Status\nproposed\n"),
    "an addendum that makes it a draft in a log": ruling(
        RULES_LOG, RULING_LOG_TEXT, f"{RULING_LOG_TEXT}**Status:** proposed\n"
    ),
    "an addendum that closes it": ruling(
        RULES_LOG.replace("accepted]}", "accepted], closed: [over]}"),
        RULING_LOG_TEXT,
        f"{RULING_LOG_TEXT}**Status:** over\n",
    ),
    "a status that may not be set": ruling(
        RULES_LOG, f"{RULING_LOG_TEXT}**Status:** accepted\n", f"{RULING_LOG_TEXT}**Status:** over\n"
    ),
    # the text itself
    "last line taken away": Scene(swap(DATE, "")),
    "all lines but the heading taken away": Scene(swap(f"{TITLE}{FIRST.partition(chr(10))[2]}", TITLE)),
    "a line taken out": Scene(swap("**Context:** Schema changes are applied by hand.\n", "")),
    "a line put in": Scene(swap("**Decision:** Every", "But:\n**Decision:** Every")),
    "two lines change places": Scene(
        swap(
            "**Decision:** Every schema change is an Alembic migration.\n**Date:** 2026-11-02\n",
            "**Date:** 2026-11-02\n**Decision:** Every schema change is an Alembic migration.\n",
        )
    ),
    "blank line put in": Scene(swap("**Date:** 2026-11-02", "\n**Date:** 2026-11-02")),
    "blank line taken out": Scene(
        swap("\n\n**Date:** 2026-11-02", "\n**Date:** 2026-11-02"),
        swap("**Date:** 2026-11-02", "\n**Date:** 2026-11-02"),
    ),
    "blank lines around a marker": Scene(swap(TITLE, f"{TITLE}\n> OBSOLETE — no database\n\n\n")),
    "blank lines where a marker was": Scene(
        swap("> OBSOLETE\n", "> OBSOLETE\n\n"), swap(TITLE, f"{TITLE}> OBSOLETE\n")
    ),
    "an indented line": Scene(swap("**Date:** 2026-11-02", "  **Date:** 2026-11-02")),
    "rewrapped": Scene(swap("kept in a PostgreSQL table and", "kept in a\nPostgreSQL table and")),
    "rewrapped and a word changed": Scene(swap("kept in a PostgreSQL table and", "kept in a\nMySQL table and")),
    "markup changed": Scene(swap("**Decision:** Every", "__Decision:__ Every")),
    "label taken off": Scene(swap("**Context:** The", "The")),
    "long text changed": Scene(swap("Jobs are", " ".join(["Much"] * 400) + " Jobs are")),
    # white space
    "trailing spaces": Scene(swap("by hand.\n", "by hand. \t\n")),
    "trailing spaces in seven entries": Scene(
        swap("so.\n", "so. \n"),
        log(
            "\n".join(
                f"### DEC-2026-10-{n:02d}-01 — C{n}\n**Decision:** We do it so.\n**Date:** 2026-10-{n:02d}\n"
                for n in range(7, 0, -1)
            )
        ),
    ),
    "trailing spaces in five entries": Scene(
        swap("so.\n", "so. \n"),
        log(
            "\n".join(
                f"### DEC-2026-10-{n:02d}-01 — C{n}\n**Decision:** We do it so.\n**Date:** 2026-10-{n:02d}\n"
                for n in range(5, 0, -1)
            )
        ),
    ),
    "trailing spaces in two files": Scene(
        both(
            swap("by hand.\n", "by hand. \n"),
            swap("fails with", "fails  with", CASE),
            swap("## Outcome\n", "## Outcome \n", CASE),
        )
    ),
    "trailing spaces in two one-file entries": Scene(
        both(swap("## Outcome\n", "## Outcome \n", CASE), swap("small.\n", "small. \n", FILE_DECISION)),
        write(FILE_DECISION, FILE_TEXT),
    ),
    "trailing spaces when bytes are sealed": Scene(swap("by hand.\n", "by hand. \n"), write(CONFIG, "seal: bytes\n")),
    "CRLF": Scene(swap("\n", "\r\n")),
    "a thematic break put between": Scene(swap(f"\n{SECOND}", f"\n---\n\n{SECOND}")),
    "a thematic break of stars with spaces": Scene(swap(f"\n{SECOND}", f"\n  * * * \n\n{SECOND}")),
    "a rule too short to be one": Scene(swap(f"\n{SECOND}", f"\n--\n\n{SECOND}")),
    "blank lines taken out between": Scene(log(f"{THIRD}{SECOND}\n{FIRST}")),
    "blank lines at the end of all": Scene(append(LOG, "\n\n")),
    "a form feed at a line's end": Scene(swap("by hand.\n", "by hand.\f\v\r\n")),
    "a no-break space at a line's end": Scene(swap("by hand.\n", "by hand.\u00a0\n")),
    "spaces at a line's end and blank lines at the entry's": Scene(
        log(f"{THIRD}\n\n{SECOND.replace('hand.', 'hand. ')}\n{FIRST}")
    ),
    "white space and another entry after it": Scene(
        log(f"{THIRD}\n{DATE}\n".replace(DATE, "") + f"{FIRST}"),
        log(
            f"{THIRD}\n{FIRST.replace('-01-01', '-01-09')}\n{FIRST}".replace(
                "2026-11-01\n\n###", "2026-11-01\n**Status:** draft\n\n###", 1
            )
        ),
    ),
    "the draft below an entry is taken away with its blank line": Scene(
        log(FIRST), log(f"{FIRST}\n{SECOND.replace('**Date', '**Status:** draft' + chr(10) + '**Date')}")
    ),
    "nothing else comes after it and a blank line goes": Scene(log(OLD), log(f"{OLD}\n")),
    # one-file entries
    "front matter: status set": case("", "status: retracted\n"),
    "front matter: status set again": case("status: superseded\n", "status: retracted\n"),
    "front matter: status reopened": case("status: superseded\n", "status: fine\n"),
    "front matter: status taken away": case("status: retracted\n", ""),
    "front matter: superseded_by set": case("", "superseded_by: case-x-1\n"),
    "front matter: superseded_by a list": case("", "superseded_by:\n- case-x-1\n- case-x-2\n"),
    "front matter: superseded_by an indented list": case("", "superseded_by:\n  - case-x-1\n\t\n"),
    "front matter: superseded_by a longer list": case(
        "superseded_by:\n- case-x-1\n", "superseded_by:\n- case-x-1\n- case-x-2\n"
    ),
    "front matter: quoted key": case("", '"status": retracted\n'),
    "front matter: key quoted otherwise": case("", "'status' : retracted\n"),
    "front matter: a comment": case("", "# seen again\n"),
    "front matter: a comment below a status": case("status: retracted\n", "status: retracted\n# seen again\n"),
    "front matter: a field set": case("", "tags: [ci]\n"),
    "front matter: a field changed": case("tags: [ci]\n", "tags: [ci, upload]\n"),
    "front matter: a field taken away": case("tags: [ci]\n", ""),
    "front matter: a field wrapped": case("tags: [ci, upload]\n", "tags: [ci,\n  upload]\n"),
    "front matter: spaces at the end of a line": case("tags: [ci]\n", "tags: [ci] \n"),
    "front matter: spaces in a line": case("tags: [ci]\n", "tags:  [ci]\n"),
    "front matter: a status inside a list": case(
        "tags: [ci,\n  upload]\n", "tags: [ci,\nstatus: retracted,\n  upload]\n"
    ),
    "front matter: a status within a text": case("tags:\n- ci\n- upload\n", "tags:\n- ci\nstatus:\n- upload\n"),
    "front matter: all of it is new": Scene(
        lambda tree: tree.write(ONE_RULING, f"---\nsuperseded_by: RUL-two\n---\n{tree.read(ONE_RULING)}"),
        both(write(RULING_TYPE, RULING), write(ONE_RULING, RULING_TEXT)),
    ),
    "front matter: all of it is new, with more": Scene(
        lambda tree: tree.write(ONE_RULING, f"---\nsuperseded_by: RUL-two\ntags: [a]\n---\n{tree.read(ONE_RULING)}"),
        both(write(RULING_TYPE, RULING), write(ONE_RULING, RULING_TEXT)),
    ),
    "front matter: all of it goes": Scene(
        write(ONE_RULING, RULING_TEXT),
        both(write(RULING_TYPE, RULING), write(ONE_RULING, f"---\nsuperseded_by: RUL-two\n---\n{RULING_TEXT}")),
    ),
    "a section is changed": Scene(
        swap("One rules.\n", "Two rules.\n", ONE_RULING),
        both(write(RULING_TYPE, RULING), write(ONE_RULING, RULING_TEXT)),
    ),
    "one-file text emptied": Scene(write(CASE, ""), swap("id: case-reviewer-2026-11-02-flaky-upload\n", "", CASE)),
    "one-file id changed": Scene(swap("id: case-reviewer-2026", "id: case-editor-2026", CASE)),
    "one-file id and text changed": Scene(
        both(swap("id: case-reviewer-2026", "id: case-editor-2026", CASE), swap("five", "six", CASE))
    ),
    "one-file without id, renamed": Scene(
        move(CASE, MOVED_CASE), swap("id: case-reviewer-2026-11-02-flaky-upload\n", "", CASE)
    ),
    "one-file without id, renamed and edited": Scene(
        both(move(CASE, MOVED_CASE), swap("five", "six", MOVED_CASE)),
        swap("id: case-reviewer-2026-11-02-flaky-upload\n", "", CASE),
    ),
    "one-file without id that names itself": Scene(
        move(CASE, MOVED_CASE),
        both(
            swap("id: case-reviewer-2026-11-02-flaky-upload\n", "", CASE),
            swap("One run", "2026-11-02-flaky-upload: one run", CASE),
        ),
    ),
    "a decision in a file changed": Scene(
        swap("too small", "too slow", FILE_DECISION), write(FILE_DECISION, FILE_TEXT)
    ),
    "a decision in a file moved into the log": Scene(
        both(remove(FILE_DECISION), append(LOG, "\n### DEC-2026-11-05-01 — Uploads go to object storage\n")),
        write(FILE_DECISION, FILE_TEXT),
    ),
    "a decision moved out of the log into a file": Scene(
        both(
            log(f"{THIRD}\n{SECOND}"),
            write(
                ".memory/decisions/DEC-2026-11-01-01.md", FILE_TEXT.replace("DEC-2026-11-05-01", "DEC-2026-11-01-01")
            ),
        )
    ),
    # one thing beside another
    "status stays, superseded_by is set again": Scene(
        swap("by:** DEC-2026-11-02-01", "by:** DEC-2026-11-03-01"),
        was("**Status:** superseded\n**Superseded by:** DEC-2026-11-02-01\n"),
    ),
    "two markers taken away": becomes("> SUPERSEDED by DEC-2026-11-03-01\n> OBSOLETE\n", ""),
    "front matter: status taken away, a section has its name": ruling(
        RULING.replace("[superseded_by]", "[superseded_by, status]"),
        f"---\nid: RUL-one\nstatus: accepted\n---\n{RULING_TEXT}\n## Status\naccepted\n",
        f"---\nid: RUL-one\n---\n{RULING_TEXT}\n## Status\naccepted\n",
    ),
    "a marker in the middle of a section of one file": Scene(
        swap("refused\nconnection", "refused\n> RETRACTED\nconnection", CASE),
        swap("refused connection", "refused\nconnection", CASE),
    ),
    "a marker with its reason below the heading": Scene(
        swap(TITLE, f"{TITLE}> OBSOLETE\n> because the table is gone\n")
    ),
    "a marker with an indented reason": Scene(swap(TITLE, f"{TITLE}> OBSOLETE\n  > because the table is gone\n")),
    "a marker between evidence and a label": Scene(
        swap("be it.\n\n", "be it.\n\n> OBSOLETE\n\n"),
        was("**Source:** session a, turn 1\n> So be it.\n\n**Impact:** None.\n"),
    ),
    "a marker first of all in one file": Scene(swap("---\n## Problem", "---\n> RETRACTED\n## Problem", CASE)),
    "a quote first of all in one file is changed": Scene(
        swap("> said Ada", "> said Eve", CASE), swap("---\n## Problem", "---\n> said Ada\n## Problem", CASE)
    ),
    "a label in the middle of one file": Scene(swap("## Outcome", "**Status:** retracted\n## Outcome", CASE)),
    "a label in a fence of a log": Scene(swap("code\n", "code\n**Status:** retracted\n"), was("```\ncode\n```\n")),
    "the last letter goes": Scene(swap("by hand X\n", "by hand\n"), swap("by hand.\n", "by hand X\n")),
    "front matter: a list gets a status into it": case("tags: [ci,\n]\n", "tags: [ci,\nstatus: retracted\n]\n"),
    "front matter: an indented comment first of all": Scene(swap("---\ntype", "---\n  # seen\ntype", CASE)),
    "front matter: a superseded_by of two lines": case("", 'superseded_by: "case-x-1,\n\tcase-x-2"\n'),
    "front matter: a comment gets a no-break space": case("# seen\n", "# seen\u00a0\n"),
    "front matter: a list is indented": case("tags:\n- ci\n", "tags:\n  - ci\n"),
    "record: without a status, renamed": Scene(
        move(ADR, "docs/adr/0010-queue.md"), both(MAPPED, swap("## Status\n\nAccepted\n\n", "", ADR))
    ),
    # records that are read where they lie
    "record: status moves on": status("Accepted", "Superseded by [10](0010.md)"),
    "record: status moves on and back": status("Superseded by [10](0010.md)", "Accepted"),
    "record: status becomes a draft": status("Accepted", "Proposed"),
    "record: status says more": status("Accepted", "Accepted, by all of us"),
    "record: status has more below": status("Accepted", "Accepted\n\nAmended by 10"),
    "record: status says less": status("Accepted, by all of us", "Accepted"),
    "record: status says something else": status("Accepted, by all of us", "Accepted, by none of us"),
    "record: status moves on with its words": status("Accepted\n\nby all of us", "Superseded by 10\n\nby all of us"),
    "record: status moves on without its words": status("Accepted\n\nby all of us", "Superseded by 10"),
    "record: status is removed": Scene(swap("## Status\n\nAccepted\n\n", "", ADR), MAPPED),
    "record: status is emptied": Scene(swap("Accepted\n", "", ADR), MAPPED),
    "record: draft is free": Scene(
        both(swap("Proposed", "Accepted", ADR), swap("a table", "a file", ADR)),
        both(MAPPED, swap("Accepted", "Proposed", ADR)),
    ),
    "record: text changed": Scene(swap("a table", "a file", ADR), MAPPED),
    "record: addendum": Scene(append(ADR, "\n## Later\n\nIt holds.\n"), MAPPED),
    "record: renamed": Scene(move(ADR, "docs/adr/0010-queue.md"), MAPPED),
    "record: renamed, and spaces at the end": Scene(
        both(move(ADR, "docs/adr/0010-queue.md"), append("docs/adr/0010-queue.md", "\n")), MAPPED
    ),
    "record: renamed and edited": Scene(
        both(move(ADR, "docs/adr/0010-queue.md"), swap("a table", "a file", "docs/adr/0010-queue.md")), MAPPED
    ),
    "record: another in its place": Scene(
        both(
            move(ADR, "docs/adr/0010-queue.md"), write(ADR, ADR_TEXT.replace("Queue", "Cache").replace("Jobs", "Pages"))
        ),
        MAPPED,
    ),
    "record: deleted": Scene(remove(ADR), MAPPED),
    "record: moved away": Scene(move(ADR, "docs/queue.md"), MAPPED),
    "record: moved into memory": Scene(move(ADR, ".memory/decisions/0009-queue.md"), MAPPED),
    "record: is no longer mapped": Scene(write(CONFIG, "places: {decision: docs/rfc/*.md}\n"), MAPPED),
    "record: status in a row": Scene(
        swap("- Status: accepted", "- Status: superseded by 10", ADR),
        both(MAPPED, write(ADR, "# 9. Queue\n\n- Status: accepted\n- Date: 2026-11-02\n\nA table.\n")),
    ),
    "record: date in a row changed": Scene(
        swap("2026-11-02", "2026-11-03", ADR),
        both(MAPPED, write(ADR, "# 9. Queue\n\n- Status: accepted\n- Date: 2026-11-02\n\nA table.\n")),
    ),
    "record: none becomes something": Scene(
        swap("- Superseded by: none", "- Superseded by: 10", ADR),
        both(MAPPED, write(ADR, "# 9. Queue\n\n- Superseded by: none\n\nA table.\n")),
    ),
    "record: front matter status": Scene(
        swap("status: accepted", "status: superseded by 10", ADR),
        both(MAPPED, write(ADR, f"---\nstatus: accepted\n---\n{ADR_TEXT.replace('## Status', '## State')}")),
    ),
    "record: front matter status said otherwise": Scene(
        swap("status: accepted", "status: accepted for now", ADR),
        both(MAPPED, write(ADR, f"---\nstatus: accepted\n---\n{ADR_TEXT.replace('## Status', '## State')}")),
    ),
    # where it stands
    "log renamed": Scene(move(LOG, DOMAIN)),
    "case renamed": Scene(move(CASE, MOVED_CASE)),
    "case renamed and the place taken": Scene(
        both(
            move(CASE, MOVED_CASE),
            lambda tree: tree.write(CASE, tree.read(MOVED_CASE).replace("id: case-reviewer", "id: case-other")),
        )
    ),
    "case copied": Scene(lambda tree: tree.write(MOVED_CASE, tree.read(CASE))),
    "log and case deleted": Scene(both(remove(LOG), remove(CASE))),
    "ephemeral to the archive": Scene(
        move(ONE_RULING, ".memory/archive/rulings/one.md"),
        both(
            write(RULING_TYPE, RULING.replace("durability: durable", "durability: ephemeral")),
            write(ONE_RULING, RULING_TEXT),
        ),
    ),
    "durable to the archive": Scene(
        move(ONE_RULING, ".memory/archive/rulings/one.md"),
        both(write(RULING_TYPE, RULING), write(ONE_RULING, RULING_TEXT)),
    ),
    "back from the archive": Scene(
        move(".memory/archive/rulings/one.md", ONE_RULING),
        both(write(RULING_TYPE, RULING), write(".memory/archive/rulings/one.md", RULING_TEXT)),
    ),
    "within the archive": Scene(
        move(".memory/archive/rulings/one.md", ".memory/archive/rulings/two.md"),
        both(
            write(RULING_TYPE, RULING),
            write(".memory/archive/rulings/one.md", "---\nid: RUL-one\ntitle: One\n---\nOne rules.\n"),
        ),
    ),
    "a draft to the archive": Scene(
        both(log(f"{THIRD}\n{SECOND}"), write(".memory/archive/decisions/_log.md", FIRST)), was("**Status:** draft\n")
    ),
    "closed and moved with an edit": Scene(
        both(move(LOG, ".memory/archive/decisions/_log.md"), swap("Every", "Some", ".memory/archive/decisions/_log.md"))
    ),
    "moved to another type and edited": Scene(
        both(
            move(CASE, ".memory/users/ada/events/2026-11-02-flaky.md"),
            swap("five", "six", ".memory/users/ada/events/2026-11-02-flaky.md"),
        )
    ),
    "a decision type without addenda": Scene(
        append(LOG, "More.\n"),
        write(
            DECISION_TYPE,
            RULES_LOG.replace("ruling", "decision")
            .replace("Ruling", "Decision")
            .replace("decisions/{slug}", "decisions/{domain}")
            .replace("RUL-{date}", "DEC-{date}")
            .replace("addenda: end\n", ""),
        ),
    ),
}
