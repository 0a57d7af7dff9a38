"""What a rule for secrets is made of, and the pieces of patterns that rules share.

Every pattern is matched *at* one of its literals, never searched for, and every repetition is bounded: the cost of a
text is its length plus a bounded amount for each literal in it.
"""

from __future__ import annotations

from minutebook.ground.frozen import frozen
from minutebook.redaction import values

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable


@frozen
class Rule:
    """One kind of secret. `literals` are looked for first; `pattern` is matched where one of them stands.

    A provider's `token` is told by its literal as it is written, which begins a run of at least 16 word characters, or
    stands right before one when it ends in a dot. The literals of other rules are in lower case and match in any. The
    secret is the group `s` or `u`, or else the whole match. `genuine` has the last word, so that placeholders of
    documentation stay.

    `near`, where it isn't empty, are words in lower case of which no match is without one, from `behind` characters
    before the literal to `within` after its start: most literals are plain words, and trying a pattern costs more than
    looking for a colon. A `?` counts as any of them. With `lead` the pattern is matched where one of these words stands
    instead, at most `behind` characters before the literal: words that texts are full of (`use`, `login`) count only
    in front of one that they are not. `before` is how many characters of the secret stand before the literal. `owners`
    are the last three letters of words of which one has to stand right before it: most keys are no secrets. `gate`
    says, of the text in lower case, where the literal stands and what follows, whether a match is possible: for words
    that are met most.
    """

    kind: str
    literals: tuple[str, ...]
    pattern: re.Pattern[str]
    genuine: Callable[[re.Match[str]], bool] = values.random_token
    token: bool = False
    near: tuple[bytes, ...] = ()
    within: int = 0
    behind: int = 0
    lead: tuple[bytes, ...] = ()
    before: int = 0
    owners: frozenset[bytes] = frozenset()
    gate: Callable[[bytes, int, int], bool] | None = None


# A token starts where a word starts, or right after an escaped character of JSON or a URL, or a colour of a terminal.
START = (
    r"(?:(?<![A-Za-z0-9_-])|(?<=\\[nrt])|(?<=\\u[0-9A-Fa-f]{4})|(?<=%[0-9A-Fa-f]{2})"
    r"|(?<=\[[0-9]m)|(?<=\[[0-9]{2}m)|(?<=;[0-9]m)|(?<=;[0-9]{2}m))"
)
WORD = "[A-Za-z0-9_-]"
# One character of a value. A backslash belongs to it unless it escapes what follows, in JSON say: no escape is cut.
CHARACTER = r"(?:[^\s\"'`,;()<>\\]|\\(?![nrtbfu\"'`\\/]))"
GIVEN = r"(?:[^\s\"'`<>\\]|\\(?![nrtbfu\"'`\\/]))"
BLANK = r"(?:[ \t\n]|\\n)"
