"""How well `minutebook refresh` tells stale from fresh, on documents and packages that its weights never saw, beside
three baselines in the same run.

Run: python tests/bench/bench_staleness.py [FOLDER]
FOLDER is where tests/staleness/releases.py keeps the releases (or MINUTEBOOK_RELEASES names it); without it only the
first set is measured. That one (staleness/minsky) lies beside the checkout, or in the folder that MINUTEBOOK_SHARED
names. Candidates are all tokens that were read, those that never resolved among them: flagging one is a false alarm.
"""

import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "staleness"))

import minsky
import pairs
from figures import Scored, at_recall, at_threshold, auc, calibration
from fit import held_out, shared
from releases import CHAINS, HELD_OUT, UNSEEN, fetch, named_folder, read_release
from truth import is_file

from minutebook.refresh.findings import THRESHOLD
from minutebook.similar import similarities
from minutebook.staleness.past import shipped_model

Row = minsky.Row | pairs.Row
EVIDENCE = ("stale", "fresh", "never", "other")
CODE = (".py", ".js", ".ts", ".c", ".pyx", ".sh", ".toml", ".cfg")


def scores(rows: Sequence[Row]) -> list[float]:
    """minutebook's own: the probability of what it flags, 0 for the rest."""
    model = shipped_model()
    return [model.probability(row.features) if row.features is not None else 0.0 for row in rows]


def by_age(rows: Sequence[Row]) -> list[float]:
    return [float(row.days) for row in rows]


def by_path(rows: Sequence[Row]) -> list[float]:
    """Whatever looks like a path and isn't there."""
    return [float(("/" in row.token or is_file(row.token)) and not row.exists) for row in rows]


def by_text(rows: Sequence[Row], corpus: Callable[[Row], tuple[str, ...]]) -> list[float]:
    """1 - the highest cosine of the line with a file of the project as it is now."""
    found = [0.0] * len(rows)
    groups: dict[tuple[str, ...], list[int]] = {}
    for at, row in enumerate(rows):
        groups.setdefault(corpus(row), []).append(at)
    for texts, places in groups.items():
        lines = list(dict.fromkeys(rows[at].line for at in places))
        said = dict(zip(lines, similarities(lines, texts), strict=True))
        for at in places:
            found[at] = 1 - max(said[rows[at].line], default=0.0)
    return found


def told(name: str, values: Sequence[float], rows: Sequence[Row], threshold: float | None = THRESHOLD) -> list[Scored]:
    scored = [Scored(value, row.label == "stale") for value, row in zip(values, rows, strict=True)]
    best, at = at_recall(scored, 0.7)
    words = f"  {name}: AUC {auc(scored):.3f}; best precision {best:.2f} at recall >= 0.70 (threshold {at:.2f})"
    if threshold is not None:
        precision, recall, flags = at_threshold(scored, threshold)
        words += f"; at {threshold}: precision {precision:.2f}, recall {recall:.2f}, {flags} flags"
    print(words)
    return scored


def of_minsky(data: Path) -> None:
    rows = [row for row in minsky.minsky_rows(data) if held_out(row.document)]
    labels = Counter(row.label for row in rows)
    print(f"minsky, held-out documents {len({row.document for row in rows})}: {dict(labels)}")
    scored = told("minutebook", scores(rows), rows)
    told("age only", by_age(rows), rows, None)
    told("path exists or not", by_path(rows), rows)
    names = {name: tuple(view.tree.paths()) for name, view in minsky.listed_views(data / "trees").items()}
    told("TF-IDF to the file names (the set holds no bytes)", by_text(rows, lambda row: names[row.tree]), rows, None)  # type: ignore[union-attr]
    table(scored)


def of_releases(folder: Path, names: Sequence[str], which: str) -> None:
    rows = [row for name in names for row in pairs.rows_of(folder, name)]
    labelled = [row for row in rows if row.label in EVIDENCE]
    print(f"releases, {which} {', '.join(names)}: {dict(Counter(row.label for row in rows))}")
    print(f"  without evidence either way, so left out: {len(rows) - len(labelled)} (unfixed, dropped)")
    scored = told("minutebook", scores(labelled), labelled)
    told("age only", by_age(labelled), labelled, None)
    told("path exists or not", by_path(labelled), labelled)
    told("plain TF-IDF to the project", by_text(labelled, lambda row: code(folder, row)), labelled, None)
    table(scored)
    ranked = []
    for name in names:
        mine = [row for row in labelled if row.package == name]
        stale = Counter(row.label for row in mine)["stale"]
        scored = told(f"minutebook on {name} ({stale} stale)", scores(mine), mine)
        ranked += [auc(scored)] if stale else []
    print(f"  mean AUC of the {len(ranked)} packages with something stale: {sum(ranked) / len(ranked):.3f}")


def code(folder: Path, row: Row) -> tuple[str, ...]:
    """The code of the newer release that a row is judged against."""
    assert isinstance(row, pairs.Row)
    key = row.package, row.pair.rpartition("..")[2]
    if key not in _CODE:
        place = fetch(folder, *key)
        files = read_release(place) if place is not None else {}
        _CODE[key] = tuple(text for path, text in files.items() if path.endswith(CODE))
    return _CODE[key]


_CODE: dict[tuple[str, str], tuple[str, ...]] = {}


def table(scored: Sequence[Scored]) -> None:
    flagged = [row for row in scored if row.score > 0]
    print("  calibration of what is flagged (said, was stale):")
    for name, count, said, was in calibration(flagged):
        print(f"    {name}: {count} rows, said {said:.2f}, was {was:.2f}")
    missed = [row for row in scored if row.score == 0]
    print(f"    not flagged: {len(missed)} rows, was {sum(row.stale for row in missed) / max(1, len(missed)):.3f}")


def alarms(folder: Path) -> None:
    """How often a team would hear of it: flags at the usual threshold from each release to the next."""
    model = shipped_model()
    for name in CHAINS:
        rows = pairs.rows_of(folder, name, chain=True)
        for pair in dict.fromkeys(row.pair for row in rows):
            mine = [row for row in rows if row.pair == pair]
            heard = [row for row in mine if row.features is not None and model.probability(row.features) >= THRESHOLD]
            labels = dict(Counter(row.label for row in heard))
            print(f"alarms, {name} {pair}: {len(heard)} of {len(mine)} tokens: {labels}")


def main() -> int:
    data = shared() / "data" / "staleness" / "minsky"
    if data.is_dir():
        of_minsky(data)
    else:
        print("bench_staleness: the set minsky is not here, so it is skipped (MINUTEBOOK_SHARED names its place)")
    folder = named_folder()
    if folder is not None:
        of_releases(folder, HELD_OUT, "held-out packages")
        of_releases(folder, tuple(UNSEEN), "packages that nobody looked at while the rules were made")
        alarms(folder)
    else:
        print("bench_staleness: no folder of releases, so that set is skipped (tests/staleness/releases.py FOLDER)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
