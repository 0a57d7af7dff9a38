"""Times as transcripts spell them, as ISO 8601; what is none is ""."""

import re
from datetime import UTC, datetime

_WORDS = re.compile(r"(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d{1,9})?) ?(Z|[+-]\d\d:?\d\d)?")


def of_epoch(milliseconds: object) -> str:
    """Milliseconds since 1970, in UTC, to the millisecond."""
    if isinstance(milliseconds, bool) or not isinstance(milliseconds, int | float):
        return ""
    try:
        at = datetime.fromtimestamp(milliseconds / 1000, UTC)
    except (ValueError, OverflowError, OSError):
        return ""
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def of_words(text: str) -> str:
    """`2026-05-10 09:00:00Z`, with or without a zone."""
    found = _WORDS.fullmatch(text.strip())
    return f"{found[1]}T{found[2]}{found[3] or ''}" if found else ""
