"""Cases 27 and 28: very long logs and entries, and texts that must not exist."""

from cases.edits import NEW, OLD, log, published, staged, swap, then
from cases.table import FORM, Scene
from cases.ways import ACCEPT, REJECT, WARN
from cases.world import World
from conftest import LOG, LOG_HEAD

MANY = 10_000
FIVE_MEGABYTES = 5_000_000


def entry(number: int) -> str:
    day = f"{1970 + number // 336}-{number // 28 % 12 + 1:02d}-{number % 28 + 1:02d}"
    return f"### DEC-{day}-01 — Choice {number}\n**Decision:** We do it in way {number} of many.\n**Date:** {day}\n"


LONG = LOG_HEAD + "\n".join(entry(number) for number in range(MANY, 0, -1)) + f"\n{OLD}"
LONG_LOG = published(lambda world: world.work.write(LOG, LONG))
HUGE = NEW.replace("every night.", "every night." + "\nNight after night." * (FIVE_MEGABYTES // 19))


def expunged(world: World) -> None:
    done = world.work.minutebook("expunge", "DEC-2026-11-02-01", "--reason", "personal data")
    assert done.code == 0, done
    world.work.git("add", "--all")


SCENES = [
    Scene(27, "append to a log of 10,000", then(LONG_LOG, staged(swap(LOG_HEAD, f"{LOG_HEAD}{NEW}\n"))), ACCEPT),
    Scene(27, "edit in a log of 10,000", then(LONG_LOG, staged(swap("way 5000 of", "way 5001 of"))), REJECT,
          (f"{LOG}:", "is sealed: its text was changed", "[-5000-]{+5001+}")),
    Scene(27, "one entry of 5 MB", staged(log(HUGE, OLD)), REJECT,
          (f"{LOG}:5: sizes: the body is longer than", "move what is not needed every time"), FORM),
    Scene(28, "expunged with a tombstone", expunged, WARN, ("DEC-2026-11-02-01 was expunged by", "personal data")),
    Scene(28, "the same edit without a tombstone", staged(swap("Schema changes are applied by hand.", "[removed]")),
          REJECT, ("DEC-2026-11-02-01 is sealed: its text was changed", "minutebook new decision --supersedes")),
]  # fmt: skip
