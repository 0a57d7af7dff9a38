"""A name for sessions of formats that have none: the same file, grown, has the same one."""

from hashlib import sha256

from minutebook.redaction.redact import Redactor

_MOST = 20_000


def name_of(format: str, first: str) -> str:
    """The format and 16 hex digits of what was said first, as redacted; "" where nothing was."""
    words = Redactor().redact(first[:_MOST])
    return f"{format}-{sha256(words.encode('utf-8', 'replace')).hexdigest()[:16]}" if words.strip() else ""
