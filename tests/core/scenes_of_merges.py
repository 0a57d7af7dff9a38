"""What a merge may make of what its sides hold."""

from conftest import FIRST, LOG, SECOND, THIRD
from core.edits import (
    ARCHIVED,
    DOMAIN,
    DRAFT,
    FILE_DECISION,
    FILE_TEXT,
    NEW,
    OLD,
    OTHER,
    append,
    both,
    entry,
    log,
    nothing,
    remove,
    stone,
    swap,
    write,
)  # fmt: skip
from core.scene import Scene
from core.sketch import Edit

OLD_ALL = log(OLD)
OURS, THEIRS = log(f"{NEW}\n{OLD}"), log(f"{OTHER}\n{OLD}")
RENAMED = OTHER.replace("11-04-02", "11-04-01")
"""The entry of the other side, were it given the same id as ours."""
SELF = f"{RENAMED}**Addendum:** DEC-2026-11-04-01 names itself, and DEC-2026-11-04-011 is another.\n"
AGAIN = f"{OTHER}**Addendum:** DEC-2026-11-04-02 names itself, and DEC-2026-11-04-011 is another.\n"
TITLE = "### DEC-2026-11-01-01 — PostgreSQL\n"
CASE_ID = "DEC-2026-11-04-01"


def marked(text: str, marker: str = "> SUPERSEDED by DEC-2026-11-03-01") -> str:
    return text.replace(TITLE, f"{TITLE}{marker}\n")


def merge(
    ours: Edit, theirs: Edit, result: Edit, forks: tuple[Edit, ...] = (nothing,), before: Edit = nothing
) -> Scene:
    return Scene(result, before, parents=(ours, theirs), forks=forks)


SCENES: dict[str, Scene] = {
    "ours above": merge(OURS, THEIRS, log(f"{NEW}\n{OTHER}\n{OLD}")),
    "theirs above": merge(OURS, THEIRS, log(f"{OTHER}\n{NEW}\n{OLD}")),
    "theirs, which names itself, gets another id": merge(OURS, log(f"{SELF}\n{OLD}"), log(f"{NEW}\n{AGAIN}\n{OLD}")),
    "theirs, which names itself, gets another id and another reference": merge(
        OURS, log(f"{SELF}\n{OLD}"), log(f"{NEW}\n{AGAIN.replace('04-011', '04-012')}\n{OLD}")
    ),
    "ours at the end": merge(OURS, THEIRS, log(f"{OTHER}\n{OLD}\n{NEW}")),
    "ours lost": merge(OURS, THEIRS, THEIRS),
    "theirs lost": merge(OURS, THEIRS, OURS),
    "both lost": merge(OURS, THEIRS, nothing),
    "ours edited": merge(OURS, THEIRS, log(f"{NEW.replace('night', 'hour')}\n{OTHER}\n{OLD}")),
    "an old one edited": merge(OURS, THEIRS, log(f"{NEW}\n{OTHER}\n{OLD.replace('Every', 'Some')}")),
    "an old one dropped": merge(OURS, THEIRS, log(f"{NEW}\n{OTHER}\n{THIRD}\n{SECOND}")),
    "old ones change places": merge(OURS, THEIRS, log(f"{NEW}\n{OTHER}\n{SECOND}\n{THIRD}\n{FIRST}")),
    "own ones change places": merge(log(f"{OTHER}\n{NEW}\n{OLD}"), nothing, log(f"{NEW}\n{OTHER}\n{OLD}")),
    "something new comes in by itself": merge(OURS, THEIRS, log(f"{entry(31)}\n{NEW}\n{OTHER}\n{OLD}")),
    "something new comes in as a file": merge(
        OURS, THEIRS, both(log(f"{NEW}\n{OTHER}\n{OLD}"), write(FILE_DECISION, FILE_TEXT))
    ),
    "something new comes in with a body that ours has": merge(
        OURS, THEIRS, log(f"{NEW.replace('04-01', '04-07')}\n{NEW}\n{OTHER}\n{OLD}")
    ),
    "something new comes in with a body that is published": merge(
        OURS, THEIRS, log(f"{SECOND.replace('02-01', '04-07')}\n{NEW}\n{OTHER}\n{OLD}")
    ),
    "a split in ours and new ones in theirs": merge(
        both(log(THIRD), write(DOMAIN, f"{SECOND}\n{FIRST}")),
        THEIRS,
        both(log(f"{OTHER}\n{THIRD}"), write(DOMAIN, f"{SECOND}\n{FIRST}")),
    ),
    "ours in another file": merge(OURS, write(DOMAIN, OTHER), both(OURS, write(DOMAIN, OTHER))),
    "a draft of ours dropped": merge(log(f"{DRAFT}\n{OLD}"), THEIRS, THEIRS),
    # what both changed
    "ours marked, theirs with an addendum": merge(
        log(marked(OLD)), log(f"{OLD}**Addendum:** So.\n"), log(f"{marked(OLD)}**Addendum:** So.\n")
    ),
    "ours marked, theirs with an addendum, and the marker is dropped": merge(
        log(marked(OLD)), log(f"{OLD}**Addendum:** A.\n"), log(f"{OLD}**Addendum:** A.\n")
    ),
    "ours with a status, theirs with an addendum, and the status is dropped": merge(
        log(OLD.replace("**Date:** 2026-11-01", "**Date:** 2026-11-01\n**Status:** retracted")),
        log(f"{OLD}**Addendum:** A.\n"),
        log(f"{OLD}**Addendum:** A.\n"),
    ),
    "both marked in their own way, and one marker is kept": merge(
        log(marked(OLD)), log(marked(OLD, "> RETRACTED")), log(marked(OLD))
    ),
    "ours marked, theirs with an addendum, forgotten": merge(
        log(marked(OLD)), log(f"{OLD}**Addendum:** So.\n"), log(marked(OLD))
    ),
    "both with an addendum, one below the other": merge(
        log(f"{OLD}**Addendum:** A.\n"),
        log(f"{OLD}**Addendum:** B.\n"),
        log(f"{OLD}**Addendum:** A.\n**Addendum:** B.\n"),
    ),
    "both with an addendum, one below the other, turned": merge(
        log(f"{OLD}**Addendum:** A.\n"),
        log(f"{OLD}**Addendum:** B.\n"),
        log(f"{OLD}**Addendum:** B.\n**Addendum:** A.\n"),
    ),
    "both with an addendum, one lost": merge(
        log(f"{OLD}**Addendum:** A.\n"), log(f"{OLD}**Addendum:** B.\n"), log(f"{OLD}**Addendum:** A.\n")
    ),
    "both with an addendum, one edited": merge(
        log(f"{OLD}**Addendum:** A.\n"),
        log(f"{OLD}**Addendum:** B.\n"),
        log(f"{OLD}**Addendum:** A.\n**Addendum:** C.\n"),
    ),
    "only ours has an addendum, and it is edited": merge(
        log(f"{OLD}**Addendum:** A.\n"), nothing, log(f"{OLD}**Addendum:** C.\n")
    ),
    "only ours has an addendum, and it is dropped": merge(log(f"{OLD}**Addendum:** A.\n"), nothing, nothing),
    "only ours has an addendum, no fork is known": merge(
        log(f"{OLD}**Addendum:** A.\n"), nothing, log(f"{OLD}**Addendum:** A.\n"), ()
    ),
    "ours wrote one, theirs another text of it": merge(OURS, log(f"{NEW.replace('night', 'hour')}\n{OLD}"), OURS),
    "ours and theirs wrote one, the result a third": merge(
        OURS, log(f"{NEW.replace('night', 'hour')}\n{OLD}"), log(f"{NEW.replace('night', 'day')}\n{OLD}")
    ),
    "theirs fixed what ours left alone": merge(
        OURS, log(f"{NEW.replace('night', 'hour')}\n{OLD}"), log(f"{NEW.replace('night', 'hour')}\n{OLD}"), (OURS,)
    ),
    "theirs dropped what ours left alone": merge(OURS, nothing, nothing, (OURS,)),
    "theirs dropped what ours edited": merge(log(f"{NEW.replace('night', 'hour')}\n{OLD}"), nothing, nothing, (OURS,)),
    "theirs dropped what ours left alone, two forks disagree": merge(OURS, nothing, nothing, (OURS, nothing)),
    "theirs moved what ours left alone": merge(
        OURS, both(log(OLD), write(DOMAIN, NEW)), both(log(OLD), write(DOMAIN, NEW)), (OURS,)
    ),
    "neither changed it and the result does": merge(OURS, OURS, log(f"{NEW.replace('night', 'hour')}\n{OLD}"), (OURS,)),
    "neither changed it and the result drops it": merge(OURS, OURS, nothing, (OURS,)),
    "what is published is changed by theirs": merge(
        nothing, log(OLD.replace("Every", "Some")), log(OLD.replace("Every", "Some"))
    ),
    "a line wrapped by theirs": merge(
        nothing, log(OLD.replace("by hand.", "by hand. ")), log(OLD.replace("by hand.", "by hand. "))
    ),
    # one id, two entries
    "one id for two, theirs gets another": merge(OURS, log(f"{RENAMED}\n{OLD}"), log(f"{OTHER}\n{NEW}\n{OLD}")),
    "one id for two, ours gets another": merge(
        OURS, log(f"{RENAMED}\n{OLD}"), log(f"{RENAMED}\n{NEW.replace('04-01', '04-03')}\n{OLD}")
    ),
    "one id for two, and a reference follows": merge(
        OURS,
        both(log(f"{RENAMED}\n{OLD}"), write(DOMAIN, entry(31, f"as {CASE_ID} says"))),
        both(log(f"{OTHER}\n{NEW}\n{OLD}"), write(DOMAIN, entry(31, "as DEC-2026-11-04-02 says"))),
    ),
    "one id for two, and a reference follows with an edit": merge(
        OURS,
        both(log(f"{RENAMED}\n{OLD}"), write(DOMAIN, entry(31, f"as {CASE_ID} says"))),
        both(log(f"{OTHER}\n{NEW}\n{OLD}"), write(DOMAIN, entry(31, "as DEC-2026-11-04-02 said"))),
    ),
    "one id for two, and one of them is edited": merge(
        OURS, log(f"{RENAMED}\n{OLD}"), log(f"{OTHER}\n{NEW.replace('night', 'hour')}\n{OLD}")
    ),
    "one id for two, and one of them is lost": merge(OURS, log(f"{RENAMED}\n{OLD}"), OURS),
    "one id for two in a file and a log": merge(OURS, write(DOMAIN, RENAMED), both(OURS, write(DOMAIN, OTHER))),
    # what only an archive holds
    "a side has it in its archive": merge(
        both(log(f"{THIRD}\n{SECOND}"), write(ARCHIVED, marked(FIRST))),
        THEIRS,
        both(log(f"{OTHER}\n{THIRD}\n{SECOND}"), write(ARCHIVED, marked(FIRST))),
    ),
    "a side has it in its archive, the result drops it": merge(
        both(log(f"{THIRD}\n{SECOND}"), write(ARCHIVED, marked(FIRST))), THEIRS, log(f"{OTHER}\n{THIRD}\n{SECOND}")
    ),
    "another side says it in its archive": merge(
        log(marked(OLD)),
        both(log(f"{THIRD}\n{SECOND}"), write(ARCHIVED, f"{marked(FIRST)}**Addendum:** B.\n")),
        both(log(f"{THIRD}\n{SECOND}"), write(ARCHIVED, f"{marked(FIRST)}**Addendum:** B.\n")),
    ),
    "a side moved the log away": merge(
        both(remove(LOG), write(DOMAIN, OLD)), THEIRS, both(remove(LOG), write(DOMAIN, f"{OTHER}\n{OLD}"))
    ),
    # tombstones
    "ours is expunged, theirs holds the text": merge(
        log(OLD.replace(SECOND, stone(SECOND))), THEIRS, log(f"{OTHER}\n{OLD.replace(SECOND, stone(SECOND))}")
    ),
    "ours is expunged, theirs has it marked": merge(
        log(OLD.replace(FIRST, stone(FIRST))), log(marked(OLD)), log(OLD.replace(FIRST, stone(FIRST)))
    ),
    "ours is expunged, the result has the text again": merge(log(OLD.replace(SECOND, stone(SECOND))), THEIRS, THEIRS),
    "a new one of ours is expunged in the merge": merge(OURS, THEIRS, log(f"{stone(NEW)}\n{OTHER}\n{OLD}")),
    "a marked one is expunged in the merge by its published text": merge(
        log(marked(OLD)), THEIRS, log(f"{OTHER}\n{OLD.replace(FIRST, stone(FIRST))}")
    ),
    "a marked one is expunged in the merge by its marked text": merge(
        log(marked(OLD)), nothing, log(OLD.replace(FIRST, stone(marked(FIRST))))
    ),
    "what is published and no side holds is copied": Scene(
        log(f"{SECOND.replace('02-01', '04-07')}\n{OLD}"), parents=(log(f"{THIRD}\n{FIRST}"), log(f"{THIRD}\n{FIRST}"))
    ),
    "one id for two, and what names itself keeps the name": merge(
        OURS,
        log(f"{RENAMED.replace('broke', f'broke, says {CASE_ID}')}\n{OLD}"),
        log(f"{OTHER.replace('broke', f'broke, says {CASE_ID}')}\n{NEW}\n{OLD}"),
    ),
    "both with an addendum, one of them in its archive": merge(
        log(f"{marked(OLD)}**Addendum:** A.\n"),
        both(log(f"{THIRD}\n{SECOND}"), write(ARCHIVED, f"{marked(FIRST)}**Addendum:** B.\n")),
        both(log(f"{THIRD}\n{SECOND}"), write(ARCHIVED, f"{marked(FIRST)}**Addendum:** B.\n**Addendum:** A.\n")),
    ),
    "a new one of ours gets a line into it": merge(
        log(f"{NEW}**Addendum:** A.\n\n{OLD}"),
        THEIRS,
        log(f"{NEW}**Addendum:** B.\n**Addendum:** A.\n\n{OTHER}\n{OLD}"),
    ),
    "both marked it, and it is expunged by its published text": merge(
        log(marked(OLD)), log(marked(OLD, "> OBSOLETE")), log(OLD.replace(FIRST, stone(FIRST))), ()
    ),
    "expunged by the text that a side has in its archive": merge(
        OLD_ALL,
        both(log(f"{THIRD}\n{SECOND}"), write(ARCHIVED, marked(FIRST))),
        log(OLD.replace(FIRST, stone(marked(FIRST)))),
        (),
        log(f"{THIRD}\n{SECOND}"),
    ),
    "three sides": Scene(
        log(f"{NEW}\n{OTHER}\n{entry(31)}\n{OLD}"), parents=(OURS, THEIRS, log(f"{entry(31)}\n{OLD}")), forks=(nothing,)
    ),
    "three sides, one lost": Scene(
        log(f"{NEW}\n{OTHER}\n{OLD}"), parents=(OURS, THEIRS, log(f"{entry(31)}\n{OLD}")), forks=(nothing,)
    ),
    "a merge into nothing published": Scene(
        log(f"{OTHER}\n{NEW}"), remove(LOG), parents=(log(NEW), log(OTHER)), forks=()
    ),
    "appended below in a merge": merge(append(LOG, "More.\n"), THEIRS, both(THEIRS, append(LOG, "More.\n"))),
    "an edit of ours and a swap": merge(both(OURS, swap("A disk broke.", "Two disks broke.")), nothing, OURS),
}
