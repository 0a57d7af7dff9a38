"""Fingerprints of statements: known again in other words, told apart from others, and read by nobody."""

from hashlib import sha256
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from minutebook.ground.fingerprint import (
    ALIKE,
    Fingerprint,
    content,
    fingerprint,
    is_negative,
    keyed,
    likeness,
    read_fingerprint,
    resemblance,
)

KEY = bytes(range(16))
KEYS = [sha256(bytes([number])).digest()[:16] for number in range(20)]

PARAPHRASES = [
    ("Use httpx instead of requests for outgoing calls", "For outgoing calls we go with httpx, not requests"),
    ("Always write a regression test first", "Write the regression test before anything else, always"),
    ("Never log request bodies", "Do not log the bodies of requests"),
    ("Let's store sessions in PostgreSQL", "Sessions are stored in PostgreSQL"),
    ("We decided to keep jobs in a PostgreSQL table", "Jobs are kept in a table in PostgreSQL"),
    ("From now on every client gets a timeout of ten seconds", "Each client must have a ten second timeout"),
    ("I prefer short functions", "Prefer functions that are short"),
    ("Use ruff for linting", "ruff is our linter"),
    ("Squash commits before merging", "Always squash the commits before you merge"),
    ("Don't push to main directly", "Never push directly to main"),
    ("Error messages should name the next step", "Every error message names the next step"),
    (
        "Use snake_case in the wire format and camelCase in TypeScript",
        "snake_case on the wire, camelCase in TypeScript",
    ),
    ("All dates are stored in UTC", "Store all dates in UTC"),
    ("Run make lint before every commit", "Before each commit, run make lint"),
    ("Public functions need a docstring", "Every public function has a docstring"),
    ("Keep the CLI free of business logic", "No business logic in the CLI"),
    ("Migrations must be reversible", "Every migration has to be reversible"),
    ("The API returns 404 for missing uploads", "Missing uploads give a 404 from the API"),
    ("We use pnpm, not npm", "pnpm is used instead of npm"),
    ("Feature flags live in config/flags.yaml", "Put feature flags into config/flags.yaml"),
    ("Use SQLite for local caches because it needs no server", "Local caches use SQLite, which needs no server"),
    ("Never commit generated files", "Generated files must not be committed"),
    ("Retry uploads three times with back-off", "Uploads are retried three times, with back-off"),
    ("Use dependency injection rather than globals", "Prefer dependency injection over global variables"),
    ("Tests must not touch the network", "No test may touch the network"),
    ("The session id is the file name without its suffix", "A session's id is its file name without the suffix"),
    ("Keep functions under 40 lines", "Functions stay below 40 lines"),
    ("Use conventional commit messages", "Commit messages follow the conventional commits format"),
    ("We support Python 3.11 and newer", "Python 3.11 is the oldest version that we support"),
    ("Write comments in English only", "Comments are written only in English"),
]
ONE_WORD_APART = [
    ("Use httpx for outgoing calls", "Use aiohttp for outgoing calls"),
    ("Use Python 3.11 for CI images", "Use Python 3.12 for CI images"),
    ("Never squash commits before merging", "Always squash commits before merging"),
    ("Log request ids in the upload service", "Log request ids in the billing service"),
    ("Use Redis for the session store", "Use Valkey for the session store"),
    ("Store dates in UTC", "Store names in UTF-8"),
    ("Retry uploads three times", "Retry uploads five times"),
    ("Public functions need a docstring", "Public functions need a test"),
    ("Run make lint before every commit", "Run make test before every commit"),
    ("Keep functions under 40 lines", "Keep lines under 120 characters"),
]
MORE_THAN_WAS_REJECTED = [
    ("Use Redis for the job queue", "Use RabbitMQ for the job queue"),
    ("Use Redis for the job queue", "Use Redis for the session store"),
    ("Use Redis for the job queue", "Use Redis for the job queue metrics"),
    ("Use Redis for the job queue", "Use SQS for the job queue"),
    ("Use Redis for the job queue", "Use a Redis cluster for the job queue"),
    ("Always deploy the shop from the release branch", "Always deploy the blog from the release branch"),
    ("Always deploy the shop from the release branch", "Always deploy the shop from the main branch"),
    ("Always deploy the shop from the release branch", "Always test the shop from the release branch"),
    ("The timeout must be 30 seconds by default", "The timeout must be 60 seconds by default"),
    ("Always indent with tabs", "Always indent with spaces"),
    ("Always indent with tabs", "Always indent Makefiles with tabs"),
    ("Alice must review every change of Bob", "Bob must review every change of Alice"),
    ("Prefer tabs over spaces", "Prefer spaces over tabs"),
    ("Use httpx instead of requests", "Use requests instead of httpx"),
    ("Migrate the orders from MySQL to Postgres", "Migrate the orders from Postgres to MySQL"),
]


def alike(first: str, second: str, key: bytes) -> bool:
    one, other = fingerprint(first, key), fingerprint(second, key)
    assert one is not None
    assert other is not None
    return resemblance(one, other) >= ALIKE


def share(pairs: list[tuple[str, str]]) -> float:
    """Of these pairs under all keys, the part that is taken for the same."""
    return sum(alike(*pair, key) for pair in pairs for key in KEYS) / (len(pairs) * len(KEYS))


def test_paraphrases_are_known_again() -> None:
    assert share(PARAPHRASES) >= 0.7


def test_a_word_more_or_another_word_or_another_order_is_another_statement() -> None:
    found = {pair for pair in (*ONE_WORD_APART, *MORE_THAN_WAS_REJECTED) for key in KEYS if alike(*pair, key)}
    assert found == set()


def test_statements_about_something_else_are_not_taken_for_the_same() -> None:
    first = [one for one, _ in PARAPHRASES]
    found = [pair for pair in combinations(first, 2) for key in KEYS if alike(*pair, key)]
    assert found == []


def test_the_bits_are_the_same_on_every_platform_and_in_every_version() -> None:
    assert str(fingerprint("Use httpx instead of requests", KEY)) == "m1+60a4fa741d5f25671316c23e8f5c6770"
    assert str(fingerprint("Never log request bodies", KEY)) == "m1-626ea5b2097dbd0759cd27370a49f154"
    assert keyed("pattern-x", KEY) == "da203f2120"


def test_the_opposite_is_no_repetition() -> None:
    assert content("Never log request bodies") == content("Always log request bodies")
    assert not alike("Never log request bodies", "Always log request bodies", KEY)
    assert likeness("Never log request bodies", "Always log request bodies") == 0.0
    assert not is_negative("Use pnpm, not npm")


def test_what_says_nothing_has_no_fingerprint() -> None:
    assert fingerprint("", KEY) is None
    assert fingerprint("let's always use it", KEY) is None
    assert likeness("", "") == 0.0


def test_a_fingerprint_holds_no_word_and_reads_back() -> None:
    made = fingerprint("Use zebrafish names", KEY)
    assert made is not None
    assert read_fingerprint(str(made)) == made
    assert len(str(made)) == 35
    assert "zebra" not in str(made)
    other = fingerprint("Use zebrafish names", KEYS[0])
    assert other is not None
    assert resemblance(made, other) < ALIKE, "under another key the bits are others"
    for odd in ("", "m1", "m2+" + "0" * 32, "m1+" + "0" * 31, "m1+" + "g" * 32, str(made) + "\n", str(made).upper()):
        assert read_fingerprint(odd) is None


@given(st.text(max_size=200))
def test_any_text_is_like_itself_and_survives(text: str) -> None:
    made = fingerprint(text, KEY)
    assert made is None or (resemblance(made, made) == 1.0 and read_fingerprint(str(made)) == made)


def test_an_empty_resemblance_is_never_below_zero() -> None:
    assert resemblance(Fingerprint(0, negative=False), Fingerprint((1 << 128) - 1, negative=False)) == 0.0
