"""Which pairs of statements exclude each other for sure, which may, which go together, and which say the same.

`KNOWN` was looked at while the rules were written. `UNSEEN` was written after them: at first sight 44 of its 47 pairs
came out as they should; two of the rest were then mended (“on” and “off”; one use beside a ban in general), so that 46
do. What matters most is that nothing that holds is superseded: no pair that goes together is taken for a contradiction.
"""

from collections import Counter

import pytest

from minutebook.extract.contradiction import conflict, doubt, is_same
from minutebook.extract.stance import stance

KNOWN = """
sure | We will use Redis for caching. | We will use Memcached for caching.
sure | Use Postgres for the orders service. | Don't use Postgres, use SQLite for the orders service
sure | Use Postgres for the orders service. | Don't use Postgres. Use SQLite.
sure | Always use tabs for indentation. | Always use spaces for indentation.
sure | Alembic for migrations | Never use Alembic for migrations.
sure | I prefer tabs over spaces. | I prefer spaces over tabs.
sure | Use Postgres for the orders service. | Drop Postgres, use SQLite.
sure | Use Postgres for the orders service. | We switch from Postgres to SQLite.
sure | Use Postgres for the orders service. | We go with SQLite instead of Postgres.
sure | Use Postgres for the orders service. | SQLite rather than Postgres.
sure | Use Postgres for the orders service. | Postgres is out. We use SQLite.
sure | Use Postgres for the orders service. | We won't use Postgres after all
sure | Use Postgres for the orders service. | Don't use Postgres for the orders service.
sure | Use npm for installing packages | Use pnpm for installing packages
sure | Use Redis for the session store | Use PostgreSQL for the session store
sure | Use Redis for the session store | Use Valkey for the session store
sure | Use Postgres as the default database | Use Snowflake as the default database
sure | Sessions live in Redis | Sessions live in Memcached
sure | The flag should be hidden by default | The flag should be visible by default
sure | Telemetry is enabled by default | Telemetry is disabled by default
sure | Support Windows builds | We won't support Windows builds
sure | Always squash commits before merging | Never squash commits before merging
sure | Always squash commits before merging | Always rebase commits before merging
sure | Use port 8001 for the upload API | Use port 8002 for the upload API
sure | Use Python 3.11 for CI images | Use Python 3.12 for CI images
sure | Use only pytest for tests | Use only hypothesis for tests
sure | Indent with tabs | Indent with spaces
sure | Schema changes go through Alembic. | Never use Alembic for schema changes.
sure | Use black for formatting | Use yapf for formatting
sure | API keys are required | API keys are optional
sure | I prefer short answers | I prefer long answers
sure | Use JWT for authentication | Use cookies for auth
ask | Use pytest for tests | Use hypothesis for tests
ask | Use ruff for linting | Use pytest for linting
ask | Use Postgres | Use SQLite
ask | Use Postgres for the orders service | Use SQLite
ask | Never use mocks | Use mocks for the network
ask | Use mocks in tests | Never use mocks in integration tests
ask | Use structlog for logging | Use loguru for logging
ask | Use Sentry for the upload service | Use Datadog for the upload service
ask | The API is written in Elixir | The API is written in Zig
ask | Use GitHub for code review | Use Gerrit for code review
ask | Deployments go through Argo | Deployments go through Spinnaker
ask | I prefer vim for editing | I prefer emacs for editing
ask | Don't use Docker | Use Docker for local development
none | Use Redis for caching | Use Redis for sessions
none | Use Redis for caching | Use Postgres for orders
none | Add tests for every feature | Add docs for every feature
none | Write tests for every parser | Write docs for every parser
none | Always run tests before committing | Always run lint before committing
none | Never use Redis for sessions | Use Redis for caching
none | Support JSON output | Support YAML output
none | Never push to main | Never force push
none | Never use mocks in integration tests | Use mocks in unit tests
none | Use pytest for unit tests | Use playwright for browser tests
none | The API is versioned | The API is public
none | Use ruff for linting | Use mypy for types
none | Use feature flags for risky changes | Use semantic versioning for releases
none | I prefer short answers | I prefer tabs
none | Keep commits small | Keep functions small
none | Don't log tokens | Log request ids
none | Use UTC for timestamps | Use ISO 8601 for timestamps in logs
none | Commit messages are in English | Comments are in English
none | Every PR needs a review | Every PR needs a changelog entry
none | Never commit secrets | Commit lock files
none | Use pathlib instead of os.path | Use httpx instead of requests
none | Document the public API | Version the public API
none | Sessions expire after 30 minutes | Tokens expire after 15 minutes
none | Use Redis for rate limiting | Use Redis for the job queue
none | Always use type hints in new code | Always use docstrings in public modules
none | Use SQLite in tests | Use Postgres in production
none | Don't use global state | Don't use singletons
none | Retry failed uploads three times | Log failed uploads
none | Use conventional commits | Use trunk-based development
same | We will use Redis for caching. | Use Redis for the cache, it's fast.
same | Use pytest for tests | Let's use pytest for testing
same | Schema changes go through Alembic | We use Alembic for migrations
same | Use PostgreSQL for the orders service | Let's go with Postgres for the orders service because we know it
none | Use Redis for caching | Use Redis for caching with a TTL of 60 seconds
none | Use Redis for caching | Use Redis for caching, but only in production
"""
UNSEEN = """
sure | Use MySQL for the billing database | Use Postgres for the billing database
sure | Let's use Jest for frontend tests | We will use Vitest for frontend tests
sure | Always use single quotes in Python | Always use double quotes in Python
sure | We go with REST for the public API | We go with GraphQL for the public API
sure | Use Kafka for events | Let's use RabbitMQ instead of Kafka for events
sure | We will support IE11 | We won't support IE11
sure | Use feature branches | Never use feature branches
sure | Keep sessions for 30 days | Keep sessions for 90 days
sure | Let's use yarn for the workspace | Drop yarn, use pnpm for the workspace
sure | Dark mode is on by default | Dark mode is off by default
sure | Builds run on Jenkins | Builds run on CircleCI
sure | We use Flask for the admin service | Move from Flask to FastAPI for the admin service
sure | I prefer British spelling over American | I prefer American spelling over British
sure | Don't use an ORM | Use an ORM
sure | Use semicolons in TypeScript | Don't use semicolons in TypeScript
sure | Use Terraform for infrastructure | Terraform is out. We use Pulumi.
ask | Use Grafana for dashboards | Use Metabase for dashboards
ask | Use zod for validation | Use yup for validation
ask | Use Celery for background jobs | Use Dramatiq for background jobs
ask | Use Stripe for payments | Use Adyen for payments
ask | Use MUI for components | Use Chakra for components
ask | Use Mermaid for diagrams | Use PlantUML for diagrams
ask | Never use raw SQL | Use raw SQL for reports
ask | Use jQuery for the legacy pages | Never use jQuery
none | Use Celery for emails | Use Celery for reports
none | Use Stripe for payments | Use Stripe for invoices
none | Use Kafka for events | Use Redis for locks
none | Always write docstrings | Always write changelog entries
none | Every endpoint needs a test | Every endpoint needs a rate limit
none | Never log passwords | Never log access tokens
none | Run migrations before the deploy | Run smoke tests after the deploy
none | Use snake_case for columns | Use camelCase for JSON fields
none | Prefer composition over inheritance | Prefer functions over classes
none | Keep the API stateless | Keep the CLI small
none | Return 404 for missing users | Return 403 for foreign users
none | Uploads are limited to 10 MB | Avatars are limited to 2 MB
none | Use the staging cluster for load tests | Use the production cluster for canaries
none | Don't mock the database in integration tests | Mock the clock in unit tests
none | Errors go to Sentry | Metrics go to Prometheus
none | Bob owns the billing service | Eve owns the search service
none | We deploy on Tuesdays | We review on Mondays
none | Use short branch names | Use long commit messages
none | Never deploy on Fridays | Deploy behind a flag
none | Cache search results for an hour | Cache user profiles for a day
same | Use Celery for background jobs | We'll use Celery for the background jobs because it's there
same | Use Postgres as the database | Let's go with PostgreSQL as our DB
same | Never use jQuery | Don't use jQuery, please
"""


def pairs(table: str) -> list[tuple[str, str, str]]:
    rows = [[part.strip() for part in line.split("|")] for line in table.strip().split("\n")]
    return [(want, old, new) for want, old, new in rows]


def judged(old: str, new: str) -> str:
    one, other = stance(new), stance(old)
    if conflict(one, other):
        return "sure"
    return "ask" if doubt(one, other) else "same" if is_same(one, other) else "none"


@pytest.mark.parametrize(("want", "old", "new"), pairs(KNOWN))
def test_a_pair_is_told_for_what_it_is(want: str, old: str, new: str) -> None:
    assert judged(old, new) == want


@pytest.mark.parametrize(("old", "new"), [(old, new) for want, old, new in pairs(KNOWN) if want == "none"])
def test_what_goes_together_does_so_whichever_came_first(old: str, new: str) -> None:
    assert judged(new, old) in ("none", "same")


def test_of_pairs_that_nobody_looked_at_none_that_holds_is_superseded() -> None:
    count = Counter((want, judged(old, new)) for want, old, new in pairs(UNSEEN))
    assert {key for key in count if key[0] in ("none", "same") and key[0] != key[1]} == set()
    assert count["ask", "sure"] <= 1  # a ban in general, after one use of it
    assert count["sure", "none"] + count["ask", "none"] == 0
