"""The ledger of a compaction: its certificate as JSON lines, written beside the summary in the same commit."""

import json
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from hashlib import sha256

from minutebook.compact.certificate import Certificate, Row
from minutebook.compact.claims import BINDING
from minutebook.compact.lines import Fault, body_starts
from minutebook.ground.entry import Entry, encode
from minutebook.ground.frozen import frozen
from minutebook.ground.markdown import cut
from minutebook.ground.nouns import counted
from minutebook.ground.tokens import tokens

FOLDER = "archive/ledgers/"
SHARE = 5
"""A summary takes at most one token in SHARE of its originals', or says why not."""
_VERSION = 1
_LOST = 400  # tokens of front matter that a person may take out of a summary
_LINE = re.compile(r',"line":[0-9]+}$')
_NAMES = '{"original":'


@frozen
class Head:
    """What a ledger says beside its rows: the summary's id, tokens of originals and summary, why that is more than
    a fifth ("" when it isn't), of how many questions the originals were found by before, the summary after, the
    line where the summary's body began (front matter may grow later), and by what it was written."""

    summary: str
    before: int
    after: int
    why: str
    questions: tuple[int, int, int]
    body: int
    by: str


@frozen
class Ledger:
    """A ledger as read: its first line, by id of an original its hash, the lines of the originals and of the claims as
    they stand."""

    head: Mapping[str, object]
    originals: Mapping[str, str]
    named: tuple[str, ...]
    rows: tuple[str, ...]


def ledger_place(slug: str) -> str:
    """Where the ledger of a summary lies, from the memory root."""
    return f"{FOLDER}{slug}.jsonl"


def why_longer(before: int, after: int, found: Certificate) -> str:
    """Why a summary of `after` tokens is longer than a fifth of its notes' `before`; "" when it isn't."""
    if after * SHARE <= before:
        return ""
    lines = len({row.line for row in found.rows if row.claim.kind in BINDING and row.line})
    notes = len({row.of for row in found.rows})
    share = f"{100 * after // max(1, before)} %"
    return f"{share}: {counted(lines, 'sentence')} that bind are carried whole, and {counted(notes, 'note')} named"


def ledger_text(head: Head, originals: Sequence[Entry], found: Certificate) -> str:
    """The ledger as JSON lines: one for the whole, one an original, one a claim."""
    asked, before, after = head.questions
    whole: dict[str, object] = {"ledger": _VERSION, "summary": head.summary, "tokens": [head.before, head.after]}
    whole |= {"why": head.why} if head.why else {}
    whole |= {"by": head.by, "body": head.body, "questions": asked, "found before": before, "found after": after}
    lines = [_json(whole), *_named(originals), *(_json(_row(row)) for row in found.rows)]
    return "".join(f"{line}\n" for line in lines)


def struck_ledger(ledger: Ledger, found: Certificate, body: int) -> str:
    """The ledger's text after an original was expunged: it names the hashes that it named, so that the tombstone can be
    held against them, and accounts for the claims that are left; `body` is the line where the summary's begins now."""
    lines = [_json({**ledger.head, "body": body}), *ledger.named, *(_json(_row(row)) for row in found.rows)]
    return "".join(f"{line}\n" for line in lines)


def _named(originals: Sequence[Entry]) -> Iterator[str]:
    for number, entry in enumerate(originals, 1):
        yield _json({"original": number, "id": entry.id, "sha256": hash_of(entry), "tokens": tokens(entry.text)})


def _row(row: Row, shift: int = 0) -> dict[str, object]:
    place: dict[str, object] = {"line": row.line - shift} if row.line else {"left in the archive": row.left}
    return {"of": row.of, row.claim.kind: row.claim.text} | place


def _json(value: Mapping[str, object]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def hash_of(entry: Entry) -> str:
    """Hex sha256 of the bytes of an entry that has its file for itself."""
    return sha256(encode(entry.text)).hexdigest()


def read_ledger(text: str) -> Ledger | None:
    """The ledger in a text; None when it is none: a line that is no JSON, no first line, an original without a hash."""
    lines = [line for line in text.split("\n") if line]
    named = [line for line in lines[1:] if line.startswith(_NAMES)]
    try:
        values = [json.loads(line) for line in (*lines[:1], *named)]
    except (ValueError, RecursionError):
        return None
    if not values or not all(isinstance(value, dict) for value in values):
        return None
    head, *originals = values
    if head.get("ledger") != _VERSION or not isinstance(head.get("body"), int):
        return None
    if not all(isinstance(value.get("id"), str) and isinstance(value.get("sha256"), str) for value in originals):
        return None
    rows = tuple(line for line in lines[1:] if not line.startswith(_NAMES))
    return Ledger(head, {value["id"]: value["sha256"] for value in originals}, tuple(named), rows)


def unaccounted(
    ledger: Ledger, originals: Sequence[Entry], summary: Entry, found: Certificate, expunged: Collection[int] = ()
) -> Iterator[Fault]:
    """Where the ledger and what the originals and the summary come to differ; what it says of originals that were
    expunged is left aside."""
    named = list(_named(originals))
    if len(ledger.named) != len(named) or any(
        one != other for at, (one, other) in enumerate(zip(ledger.named, named, strict=True), 1) if at not in expunged
    ):
        yield Fault(0, "the ledger names its originals otherwise: another order, number of tokens or hash")
    if not expunged:
        yield from _of_the_head(ledger, originals, summary, found)
    body = ledger.head["body"]
    shift = body_starts(summary) - body if isinstance(body, int) else 0
    wanted = {_json(_row(row, shift)): row for row in found.rows}
    there = Counter(ledger.rows)
    if expunged:  # their lines may have left the summary, and the others moved up
        aside = tuple(f'{{"of":{number},' for number in expunged)
        wanted = {_LINE.sub("}", text): row for text, row in wanted.items()}
        there = Counter(_LINE.sub("}", text) for text in ledger.rows if not text.startswith(aside))
    for text, row in wanted.items():
        if text not in there:
            yield Fault(row.line, f"the ledger doesn't account for {row.claim.kind} {cut(row.claim.text, 80)!r}")
    for text, count in there.items():
        if text not in wanted or count > 1:
            yield Fault(0, f"the ledger says what the originals and the summary don't: {cut(text, 120)}")


def _of_the_head(ledger: Ledger, originals: Sequence[Entry], summary: Entry, found: Certificate) -> Iterator[Fault]:
    """What the first line says falsely of the summary. A mark in the front matter may have come later."""
    head = ledger.head
    if head.get("summary") != summary.id:
        yield Fault(0, f"the ledger is of another summary: {cut(str(head.get('summary')), 60)}")
    counted_up = head.get("tokens")
    before, after = counted_up if isinstance(counted_up, list) and len(counted_up) == 2 else (0, 0)
    if before != sum(tokens(each.text) for each in originals):
        yield Fault(0, "the ledger counts the tokens of its originals wrongly")
    elif not isinstance(after, int) or not _is_size_of(after, summary):
        yield Fault(0, "the ledger counts the tokens of its summary wrongly")
    elif head.get("why", "") != why_longer(before, after, found):
        yield Fault(0, "the ledger says wrongly, or not, why its summary is longer than a fifth of the originals")


def _is_size_of(count: int, summary: Entry) -> bool:
    """Whether the summary had so many tokens once: front matter may have grown since, or lost a tag or a long name."""
    body = "".join(summary.text.split("\n---\n", 1)[1:])
    return tokens(body) < count <= tokens(summary.text) + _LOST
