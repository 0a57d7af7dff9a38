"""Words that take one another's place: names of which a project has one for one job, opposites, and other names of the
same thing. Few and common ones: what isn't here is asked about, and not taken for granted."""

import re

from minutebook.ground.fingerprint import stem_of

_RIVALS = """
postgres mysql mariadb sqlite oracle mssql mongodb dynamodb cassandra couchdb cockroachdb duckdb
redis memcached valkey dragonfly keydb
tabs spaces
npm yarn pnpm bun
pip poetry uv pipenv pdm conda
pytest unittest nose nose2
jest vitest mocha jasmine ava
playwright cypress selenium puppeteer
requests httpx aiohttp urllib3
axios fetch ky superagent
flask django fastapi starlette
express fastify koa hono
react vue svelte angular solid
eslint biome oxlint tslint
prettier biome dprint
black yapf autopep8 ruff
mypy pyright pyre
rabbitmq kafka sqs nats pulsar
alembic flyway liquibase
prisma drizzle typeorm sequelize
docker podman
kubernetes nomad swarm
aws gcp azure
terraform pulumi cloudformation opentofu
jenkins circleci travis buildkite
webpack vite rollup esbuild parcel
make just bazel gradle maven cmake
rest graphql grpc
json yaml toml xml protobuf
squash rebase
monorepo polyrepo
camelcase snakecase kebabcase pascalcase
single double
markdown asciidoc
main master trunk develop
javascript typescript
utc localtime
cursor offset
jwt cookie
"""
_OPPOSITES = """
hidden visible/hidden shown/hidden displayed/enabled disabled/enable disable/on off/required optional/mandatory optional
public private/allowed forbidden/allow forbid/allow deny/sync async/synchronous asynchronous/opt-in opt-out
uppercase lowercase/strict lenient/short long/brief detailed/ascending descending/oldest newest
first last/eager lazy/mutable immutable/local remote/manual automatic/manually automatically/open closed/small large
verbose terse/cold warm/separate shared/single-quoted double-quoted/accept reject/include exclude
"""
_SAME = {
    "postgresql": "postgres",
    "pg": "postgres",
    "mongo": "mongodb",
    "k8s": "kubernetes",
    "js": "javascript",
    "ts": "typescript",
    "db": "database",
    "testing": "tests",
    "docs": "documentation",
    "config": "configuration",
    "repo": "repository",
    "auth": "authentication",
    "deps": "dependencies",
    "snake_case": "snakecase",
    "camelcase": "camelcase",
    "kebab-case": "kebabcase",
    "node.js": "node",
    "nodejs": "node",
    "golang": "go",
}
_PAIRS = {
    ("schema", "changes"): "migrations",
    ("schema", "migrations"): "migrations",
    ("database", "migrations"): "migrations",
    ("data", "store"): "database",
    ("pull", "requests"): "prs",
    ("test", "suite"): "tests",
    ("snake", "case"): "snakecase",
    ("camel", "case"): "camelcase",
    ("kebab", "case"): "kebabcase",
}
"""Two words that are another name of one thing."""
_ROLES = """
store database cache queue backend broker framework language runner manager formatter linter bundler server provider
host port branch license format registry orm engine client driver default primary encoding shell compiler
"""


def _groups() -> dict[str, frozenset[int]]:
    found: dict[str, set[int]] = {}
    for number, line in enumerate(_RIVALS.strip().split("\n")):
        for word in line.split():
            found.setdefault(stem_of(word), set()).add(number)
    return {word: frozenset(numbers) for word, numbers in found.items()}


def _both_ways() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for pair in re.split("[/\n]", _OPPOSITES.strip("\n")):
        one, other = map(stem_of, pair.split())
        found.setdefault(one, set()).add(other)
        found.setdefault(other, set()).add(one)
    return {word: frozenset(others) for word, others in found.items()}


_GROUP_OF = _groups()
_OPPOSITE_OF = _both_ways()
_NAME_OF = {stem_of(word): stem_of(name) for word, name in _SAME.items()}
_PAIR_OF = {frozenset(map(stem_of, pair)): stem_of(name) for pair, name in _PAIRS.items()}
ROLES = frozenset(map(stem_of, _ROLES.split()))
"""What one thing at a time is for a purpose: a purpose that names one has one choice."""


def usual(words: frozenset[str]) -> frozenset[str]:
    """The words without endings, and each thing by its usual name."""
    stems = frozenset(_NAME_OF.get(stem := stem_of(word), stem) for word in words)
    for pair, name in _PAIR_OF.items():
        if pair <= stems:
            stems = stems - pair | {name}
    return stems


def are_rivals(first: str, second: str) -> bool:
    """Whether the two (as `usual` has them) are names of which one job takes one."""
    return first != second and bool(_GROUP_OF.get(first, frozenset()) & _GROUP_OF.get(second, frozenset()))


def are_opposites(first: str, second: str) -> bool:
    """Whether one (as `usual` has it) says no where the other says yes."""
    return second in _OPPOSITE_OF.get(first, frozenset())
