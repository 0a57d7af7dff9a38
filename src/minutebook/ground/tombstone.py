"""What stands in place of a text that must not exist: which entry it was, the hash of its text, who, when and why."""

from __future__ import annotations

from minutebook.ground.frozen import frozen
from minutebook.ground.lazy import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from minutebook.ground.entry import Entry

TITLE = "Expunged"
MOST_WORDS = 300
_SIGN = lazy(r"(?m)^ {0,3}>\s?\**EXPUNGED\b")
_SAYS = lazy(
    rf"> EXPUNGED (?P<day>[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}) by (?P<who>\S.{{0,{MOST_WORDS}}})\.\n"
    rf"> reason: (?P<reason>\S.{{0,{MOST_WORDS}}})\n"
    r"> sha256 of the text that stood here: (?P<sha256>[0-9a-f]{64})"
)
_PLAIN = lazy(r"[A-Za-z][A-Za-z0-9._-]*")
_LINE_END = lazy(r"[ \t\r\v\f]*\n")


@frozen
class Tombstone:
    """`sha256` is the hex hash of the sealed text of the entry that stood there; `day` is YYYY-MM-DD."""

    sha256: str
    reason: str
    who: str
    day: str


def compose_tombstone(entry: Entry, stone: Tombstone) -> str:
    """The text that takes the place of the entry's: its id, and nothing else of it."""
    says = (
        f"> EXPUNGED {stone.day} by {stone.who}.\n"
        f"> reason: {stone.reason}\n"
        f"> sha256 of the text that stood here: {stone.sha256}\n"
    )
    if entry.in_log:
        level = len(entry.text.lstrip(" ")) - len(entry.text.lstrip(" ").lstrip("#"))
        return f"{'#' * level} {entry.id} — {TITLE}\n{says}"
    return f"---\nid: {_scalar(entry.id)}\ntitle: {TITLE}\n---\n{says}"


def read_tombstone(entry: Entry) -> Tombstone | None:
    """The tombstone that the entry is, to the letter; None for anything that holds more, or less."""
    if "> EXPUNGED " not in entry.text:
        return None
    text = _LINE_END.sub("\n", f"{entry.text}\n")
    match = _SAYS.search(text)
    if match is None or text[match.end() :].strip("\n-*_ \t"):  # blank lines and thematic breaks part entries
        return None
    stone = Tombstone(match["sha256"], match["reason"], match["who"], match["day"])
    return stone if text[: match.end()] == compose_tombstone(entry, stone).rstrip("\n") else None


def looks_expunged(entry: Entry) -> bool:
    """Whether the text means to be a tombstone, well made or not."""
    return "EXPUNGED" in entry.text and _SIGN.search(entry.text) is not None


def _scalar(text: str) -> str:
    """A YAML scalar that is read as this very text."""
    plain = _PLAIN.fullmatch(text) and text.lower() not in ("true", "false", "null", "yes", "no", "on", "off")
    return text if plain else "'" + text.replace("'", "''") + "'"
