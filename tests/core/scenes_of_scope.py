"""What the config and the types may not take back."""

from conftest import CASE, LOG
from core.edits import (
    CONFIG,
    DECISION_MERGES,
    DECISION_TYPE,
    MINUTES,
    OLD,
    ONE_RULING,
    RULING,
    RULING_TYPE,
    both,
    log,
    move,
    remove,
    swap,
    write,
)  # fmt: skip
from core.scene import Scene

PLACED = both(write(RULING_TYPE, RULING), write(ONE_RULING, "# One rules\n\n## Ruling\nOne rules.\n"))
LOGGED = both(
    write(RULING_TYPE, RULING.replace("layout: file", "layout: log")),
    write(ONE_RULING, "### RUL-one — One rules\n**Ruling:** One rules.\n"),
)


def config(before: str, after: str) -> Scene:
    return Scene(write(CONFIG, after), write(CONFIG, before))


def changed(old: str, new: str, also: str = "") -> Scene:
    """The type of rulings is changed; `also` is in it before."""
    return Scene(
        swap(old, new, RULING_TYPE), both(PLACED, swap("addenda: end\n", also, RULING_TYPE) if also else PLACED)
    )


SCENES: dict[str, Scene] = {
    "seal: commit dropped": config("seal: commit\n", "index: warn\n"),
    "seal: bytes dropped": config("seal: [bytes, commit]\n", "seal: commit\n"),
    "seal: both dropped": config("seal: [bytes, commit]\n", "index: warn\n"),
    "seal added": config("index: warn\n", "seal: bytes\n"),
    "published branch dropped": config("published: [main, stable]\n", "published: [main]\n"),
    "all published branches dropped": config("published: [main, stable]\n", "index: warn\n"),
    "published branch added": config("published: [main]\n", "published: [main, stable]\n"),
    "root dropped": config("roots: [.memory, lib/memory]\n", "roots: [lib/memory]\n"),
    "root added": config("roots: [.memory]\n", "roots: [.memory, lib/memory]\n"),
    "root without an entry dropped": Scene(
        write(CONFIG, "roots: [lib/memory]\n"),
        both(
            remove(".memory"), write(".memory/notes.txt", "Hello.\n"), write(CONFIG, "roots: [.memory, lib/memory]\n")
        ),
    ),
    "root that holds archived entries alone dropped": Scene(
        write(CONFIG, "roots: [lib/memory]\n"),
        both(
            remove(".memory"),
            write(".memory/archive/decisions/_log.md", OLD),
            write(CONFIG, "roots: [.memory, lib/memory]\n"),
        ),
    ),
    "root moved": Scene(both(write(CONFIG, "root: docs/memory\n"), move(LOG, "docs/memory/decisions/_log.md"))),
    "open end changed": config("index: warn\n", "order: {decision: oldest-first}\n"),
    "open end changed back": Scene(
        write(CONFIG, "index: warn\n"), both(write(CONFIG, "order: {decision: oldest-first}\n"))
    ),
    "open end of what may be rewritten changed": config("index: warn\n", "order: {pattern: oldest-first}\n"),
    "open end changed by the type": changed("layout: file\n", "layout: file\norder: oldest-first\n"),
    "open end of a type that is gone": Scene(
        both(remove(RULING_TYPE), write(CONFIG, "order: {ruling: oldest-first}\n")), PLACED
    ),
    "a config that says the same": config("index: warn\n", "index: warn\nusers: private\n"),
    "an empty config": Scene(write(CONFIG, "index: warn\n")),
    # types
    "type gone": Scene(remove(RULING_TYPE), PLACED),
    "type gone with its files": Scene(both(remove(RULING_TYPE), remove(ONE_RULING)), PLACED),
    "type without files gone": Scene(remove(RULING_TYPE), write(RULING_TYPE, RULING)),
    "type no longer append-only": changed("write: append", "write: merge"),
    "builtin type no longer append-only": Scene(write(DECISION_TYPE, DECISION_MERGES)),
    "type that merges changed": Scene(
        swap("durability: durable", "durability: ephemeral", RULING_TYPE),
        both(PLACED, swap("write: append", "write: merge", RULING_TYPE)),
    ),
    "type that merges gone": Scene(
        remove(RULING_TYPE), both(PLACED, swap("write: append", "write: merge", RULING_TYPE))
    ),
    "type becomes append-only": Scene(
        swap("write: merge", "write: append", RULING_TYPE),
        both(PLACED, swap("write: append", "write: merge", RULING_TYPE)),
    ),
    "type changed and the log with it": Scene(
        both(write(DECISION_TYPE, DECISION_MERGES), swap("Every schema", "Some schema"))
    ),
    "more may be amended": changed("amend: [superseded_by]", "amend: [superseded_by, tags, status]"),
    "less may be amended": changed("amend: [superseded_by]", "amend: []"),
    "addenda allowed": changed(
        "amend: [superseded_by]\n", "amend: [superseded_by]\naddenda: end\n", "order: newest-first\n"
    ),
    "addenda forbidden": changed("addenda: end\n", ""),
    "sealed becomes draft": changed("{draft: [proposed], sealed: [accepted]}", "{draft: [proposed, accepted]}"),
    "an unknown status becomes draft": changed(
        "{draft: [proposed], sealed: [accepted]}", "{draft: [proposed, unsure], sealed: [accepted]}"
    ),
    "a draft stays one": changed(
        "{draft: [proposed], sealed: [accepted]}", "{draft: [proposed], sealed: [accepted, agreed]}"
    ),
    "draft becomes sealed": changed("{draft: [proposed], sealed: [accepted]}", "{sealed: [accepted, proposed]}"),
    "sealed becomes closed": changed(
        "{draft: [proposed], sealed: [accepted]}", "{draft: [proposed], closed: [accepted]}"
    ),
    "an unknown status becomes closed": changed(
        "{draft: [proposed], sealed: [accepted]}", "{draft: [proposed], sealed: [accepted], closed: [over]}"
    ),
    "draft becomes closed": changed(
        "{draft: [proposed], sealed: [accepted]}", "{closed: [proposed], sealed: [accepted]}"
    ),
    "closed becomes draft": Scene(
        swap("{closed: [over]}", "{draft: [over]}", RULING_TYPE),
        both(PLACED, swap("{draft: [proposed], sealed: [accepted]}", "{closed: [over]}", RULING_TYPE)),
    ),
    "no sealed words, one becomes closed": Scene(
        swap("{draft: [proposed]}", "{draft: [proposed], closed: [over]}", RULING_TYPE),
        both(PLACED, swap("{draft: [proposed], sealed: [accepted]}", "{draft: [proposed]}", RULING_TYPE)),
    ),
    "two become drafts": changed(
        "{draft: [proposed], sealed: [accepted]}", "{draft: [proposed, zeal, accepted, agreed]}"
    ),
    "durable becomes ephemeral": changed("durability: durable", "durability: ephemeral"),
    "ephemeral stays so": Scene(
        swap("title: Ruling", "title: Rulings", RULING_TYPE),
        both(PLACED, swap("durability: durable", "durability: ephemeral", RULING_TYPE)),
    ),
    "ephemeral becomes durable": Scene(
        swap("durability: ephemeral", "durability: durable", RULING_TYPE),
        both(PLACED, swap("durability: durable", "durability: ephemeral", RULING_TYPE)),
    ),
    "layout changed": changed("layout: file", "layout: log"),
    "layout of a log changed": Scene(swap("layout: log", "layout: file", RULING_TYPE), LOGGED),
    "id rule of a log changed": Scene(swap("id: RUL", "id: VER", RULING_TYPE), LOGGED),
    "id rule of files changed": changed("id: RUL", "id: VER"),
    "place changed": changed("place: rulings/{slug}.md", "place: verdicts/{slug}.md"),
    "place changed, and the files with it": Scene(
        both(
            swap("place: rulings/{slug}.md", "place: verdicts/{slug}.md", RULING_TYPE),
            move(ONE_RULING, ".memory/verdicts/one.md"),
        ),
        PLACED,
    ),
    "another type takes the place": Scene(write(".memory/types/minutes.yaml", MINUTES)),
    "another type takes the place of an empty log": Scene(
        both(write(".memory/types/minutes.yaml", MINUTES)), write(LOG, "# Decisions\n")
    ),
    "another type takes the place of what may be rewritten": Scene(
        write(".memory/types/minutes.yaml", MINUTES.replace("decisions/_log.md", "patterns/migrations.md"))
    ),
    "the type file is renamed": Scene(
        both(
            move(RULING_TYPE, ".memory/types/verdict.yml"),
            swap("write: append", "write: merge", ".memory/types/verdict.yml"),
        ),
        PLACED,
    ),
    "several type files change": Scene(
        both(
            write(
                ".memory/types/a.yaml",
                DECISION_MERGES.replace("name: decision", "name: a").replace("decisions/{domain}", "as/{domain}"),
            ),
            swap("write: append", "write: merge", RULING_TYPE),
        ),
        PLACED,
    ),
    "another type file changes alone": Scene(
        write(
            ".memory/types/a.yaml",
            DECISION_MERGES.replace("name: decision", "name: a").replace("decisions/{domain}", "as/{domain}"),
        ),
        PLACED,
    ),
    "the type's own file is not the one that changes": Scene(
        both(
            write(".memory/types/zzz.yaml", DECISION_MERGES),
            write(
                ".memory/types/aaa.yaml",
                DECISION_MERGES.replace("name: decision", "name: a").replace("decisions/{domain}", "as/{domain}"),
            ),
        )
    ),
    "words by the config": Scene(write(CONFIG, "status: {ruling: {draft: [agreed]}}\n"), PLACED),
    "words by the config, sealed once": Scene(write(CONFIG, "status: {ruling: {draft: [accepted]}}\n"), PLACED),
    "a mapped log is mapped elsewhere": Scene(
        write(CONFIG, "places: {decision: docs/adr/*.md}\n"),
        both(write(CONFIG, "places: {decision: DECISIONS.md}\n"), write("DECISIONS.md", OLD)),
    ),
    "a mapped log is read as records": Scene(
        write(CONFIG, 'places: {decision: "DECISIONS*.md"}\n'),
        both(write(CONFIG, "places: {decision: DECISIONS.md}\n"), write("DECISIONS.md", OLD)),
    ),
    "a log is mapped as another type": Scene(
        write(CONFIG, "places: {event: DECISIONS.md}\n"),
        both(write(CONFIG, "places: {decision: DECISIONS.md}\n"), write("DECISIONS.md", OLD)),
    ),
    "all is deleted": Scene(remove(".memory")),
    "the case's type is changed": Scene(
        both(
            write(
                ".memory/types/case.yaml",
                RULING.replace("name: ruling", "name: case").replace(
                    "rulings/{slug}.md", "agents/{agent}/cases/{date}-{slug}.md"
                ),
            ),
            swap("five", "six", CASE),
        )
    ),
    "another log of the same type": Scene(log(OLD)),
}
