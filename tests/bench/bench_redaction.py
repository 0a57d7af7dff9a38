"""Redaction in figures: recall by kind on the corpus that the tests make, false positives, speed.

Run: python tests/bench/bench_redaction.py. What is found in the transcripts beside the checkout (or in the folder that
MINUTEBOOK_SHARED names) is listed by kind, with what it starts with: none is known to hold a secret, so each is for a
look. Speed is the processor's time over json.loads of the same records: these machines are shared.
"""

import json
import os
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from minutebook.redaction.literals import LEAST, all_places
from minutebook.redaction.redact import Redactor, find_secrets
from minutebook.redaction.rules import RULES_VERSION
from secret_corpus.near_misses import near_misses
from secret_corpus.spellings import numbers, spelled
from secret_corpus.tokens import keys, tokens
from secret_corpus.words import given_away

WORDINGS = {"password", "secret", "entropy"}


def shared() -> Path:
    named = os.environ.get("MINUTEBOOK_SHARED")
    return Path(named) if named else Path(__file__).resolve().parents[3] / "shared"


def recall() -> None:
    asked, found = Counter[str](), Counter[str]()
    for kind, _, text, secret in (*tokens(), *keys(), *given_away()):
        asked[kind] += 1
        line = max(secret.split("\n"), key=len)
        found[kind] += line not in Redactor().redact(text) and bool(find_secrets(text))
    marked = [kind for kind in asked if kind not in WORDINGS]
    total, hits = sum(asked[kind] for kind in marked), sum(found[kind] for kind in marked)
    print(
        f"redaction, rules {RULES_VERSION}: recall {hits / total:.4f} ({hits} of {total}) over {len(marked)} kinds that"
    )
    print("  are told by their form, each in every place; by kind where it is less, or where words tell:")
    for kind in sorted(asked):
        if kind in WORDINGS or found[kind] < asked[kind]:
            print(f"  {kind}: {found[kind] / asked[kind]:.4f} ({found[kind]} of {asked[kind]})")


def spellings() -> None:
    """What is found of secrets that are spelled otherwise, and of numbers that pass their checks."""
    for name, samples in (("in other spellings", list(spelled())), ("of cards and accounts", list(numbers()))):
        found = sum(bool(find_secrets(text)) for _, _, text, _ in samples)
        print(f"recall {name}: {found / len(samples):.4f} ({found} of {len(samples)})")


def false_positives() -> None:
    lines = list(near_misses(10_000))
    wrong = sum(len(find_secrets(line)) for line in lines)
    print(f"false positives on near misses: {1000 * wrong / len(lines):.2f} per 1,000 lines ({wrong} in {len(lines)})")
    folder = shared() / "data" / "transcripts"
    if not folder.is_dir():
        print("false positives on transcripts: skipped, they are not here (set MINUTEBOOK_SHARED)")
        return
    count, kinds, seen = 0, Counter[str](), defaultdict[str, set[str]](set)
    for path in sorted(each for each in folder.rglob("*") if each.is_file()):
        text = path.read_bytes().decode("utf-8", "replace")
        count += text.count("\n") + 1
        for each in find_secrets(text):
            kinds[each.kind] += 1
            seen[each.kind].add(text[each.start : each.start + 6])
    rate = 1000 * sum(kinds.values()) / count
    print(f"found in {count} lines of transcripts: {sum(kinds.values())}, {rate:.2f} per 1,000 lines")
    for kind, number in kinds.most_common():
        print(f"  {kind}: {number}, starting with {', '.join(sorted(seen[kind])[:5])}")


def strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for item in value.values() if isinstance(value, dict) else value:
            yield from strings(item)


def speed() -> None:
    folder = shared() / "data" / "transcripts"
    fixture = Path(__file__).resolve().parents[1] / "transcripts"
    lines = []
    for path in sorted((folder if folder.is_dir() else fixture).rglob("*.jsonl")):
        lines += [line for line in path.read_bytes().split(b"\n") if line.startswith(b"{") and is_json(line)]
    texts = [text for line in lines for text in strings(json.loads(line))]
    size, raw = sum(map(len, texts)) / 1e6, sum(map(len, lines)) / 1e6
    decode = least(lambda: [json.loads(line) for line in lines])
    batch = least(lambda: Redactor().redact_all(texts))
    prose = "\n".join(text for text in texts if len(text) > 200)
    whole = least(lambda: find_secrets(prose))
    print(f"json.loads of {raw:.1f} MB: {raw / decode:.0f} MB/s; redact_all of all its {len(texts)} strings:")
    print(f"  {size / batch:.0f} MB/s, {decode / batch:.2f} x the speed of json.loads; one text of the long ones:")
    print(f"  {len(prose) / 1e6 / whole:.0f} MB/s; words are found {'all at once' if quick() else 'one by one'}")


def quick() -> bool:
    """Whether the library is installed that finds all words at once."""
    return all_places((b"token",), b" " * LEAST) is not None


def is_json(line: bytes) -> bool:
    try:
        json.loads(line)
    except ValueError:
        return False
    return True


def least(work: Callable[[], object]) -> float:
    """The least processor time of five runs, in seconds."""
    times = []
    for _ in range(5):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


if __name__ == "__main__":
    recall()
    spellings()
    false_positives()
    speed()
