"""What a secret looks like: one table, provider rules first, then headers, assignments and prose.

The patterns were written for this project (MIT, like the rest of it) from what the providers' public documentation
says about the shape of their own tokens; no third-party rule pack is copied. `RULES_VERSION` changes with the table.
"""

from __future__ import annotations

from minutebook.redaction.pem import KEYS
from minutebook.redaction.shape import Rule
from minutebook.redaction.tokens import DISCORD, TOKENS
from minutebook.redaction.wordings import WORDINGS

RULES_VERSION = "2026.12.1"
RULES_LICENCE = "MIT"
RULES: tuple[Rule, ...] = (*KEYS, *TOKENS, DISCORD, *WORDINGS)
