"""What `.minutebook.yaml` says, as a value."""

from __future__ import annotations

import re

from minutebook.ground.errors import CannotJudge
from minutebook.ground.frozen import EMPTY, cached, frozen
from minutebook.ground.lazy import lazy
from minutebook.ground.strict_yaml import StrictYamlError, load, typed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

CONFIG = ".minutebook.yaml"
DEFAULT_ROOT = ".memory"
GAAI_ROOT = ".gaai/project/contexts/memory"
USUAL_ROOTS = (DEFAULT_ROOT, GAAI_ROOT)
"""Where memory lies when no config says where."""
_WILD = lazy(r"[*?]")
_GLOB = {"**/": "(?:[^/]+/)*", "*": "[^/]*", "?": "[^/]"}


@frozen
class ModelSettings:
    """The model that reads sessions, and what a run may spend on it. `extract` is the model's id; `prices` are US
    dollars for a million tokens by kind (input, output, cache_read, cache_write), empty when nothing is said;
    `budget_usd` is 0 for no limit in money."""

    extract: str
    max_tokens: int = 4096
    budget_tokens: int = 200_000
    budget_usd: float = 0.0
    prices: Mapping[str, float] = EMPTY


@frozen
class Config:
    """`schemas/config.schema.json` describes each key. `roots` is empty when the file names none."""

    roots: tuple[str, ...] = ()
    account: str = ""
    published: tuple[str, ...] = ()
    users: str = "private"
    index: str = "warn"
    decisions: str = "log"
    order: Mapping[str, str] = EMPTY
    seal: frozenset[str] = frozenset()
    budget: int = 4000
    labels: tuple[str, ...] = ("minutebook",)
    mapped: Mapping[str, tuple[str, ...]] = EMPTY
    stages: Mapping[str, Mapping[str, tuple[str, ...]]] = EMPTY
    model: ModelSettings | None = None

    @property
    def places(self) -> tuple[str, ...]:
        """Where a memory root may lie: the roots that the file names, or else the usual ones."""
        return self.roots or USUAL_ROOTS

    @cached
    def globs(self) -> tuple[tuple[str, re.Pattern[str], bool], ...]:
        """What `places:` maps, as (type, pattern of paths from the top, whether it names one file: a log)."""
        return tuple(
            (name, _pattern(glob), not any(each in glob for each in "*?"))
            for name, globs in self.mapped.items()
            for glob in globs
        )

    @property
    def folders(self) -> tuple[str, ...]:
        """The folders and files in which all that `places:` maps lies; "" is the top of the repository."""
        globs = [glob for globs in self.mapped.values() for glob in globs]
        heads = ((glob, _WILD.split(glob, maxsplit=1)[0]) for glob in globs)
        return tuple(dict.fromkeys(glob if glob == head else head.rpartition("/")[0] for glob, head in heads))

    def mapped_as(self, path: str) -> tuple[str, bool] | None:
        """(type, whether it is a log) of a path from the top that `places:` maps; None for any other."""
        if path not in self.answers:
            found = next(((name, log) for name, pattern, log in self.globs if pattern.fullmatch(path)), None)
            self.answers[path] = found
        return self.answers[path]

    @cached
    def answers(self) -> dict[str, tuple[str, bool] | None]:
        """The answers of `mapped_as`: it is asked about the same paths again and again."""
        return {}


def read_config(data: bytes | None, where: str = CONFIG) -> Config:
    """Parse the bytes of a config file; None is the default. Raises CannotJudge naming file and line."""
    if data is None:
        return Config()
    try:
        document = load(data.decode("utf-8"))
    except UnicodeDecodeError:
        raise CannotJudge(f"{where}: not UTF-8") from None
    except StrictYamlError as error:
        raise CannotJudge(f"{where}:{error.line}: {error}", error.hint) from None
    schema = _schema()
    value = {key: item for key, item in typed(document.value, schema).items() if item is not None}
    _validate(value, schema, document.lines, where)
    roots = value.get("roots", [value["root"]] if "root" in value else [])
    seal = value.get("seal", [])
    return Config(
        roots=tuple(root.rstrip("/") for root in roots),
        account=value.get("account", ""),
        published=tuple(value.get("published", ())),
        users=value.get("users", "private"),
        index=value.get("index", "warn"),
        decisions=value.get("decisions", "log"),
        order=value.get("order", {}),
        seal=frozenset([seal] if isinstance(seal, str) else seal),
        budget=value.get("budget", 4000),
        labels=tuple(value.get("labels", ("minutebook",))),
        mapped={name: _several(globs) for name, globs in value.get("places", {}).items()},
        stages={
            name: {stage: tuple(word.lower() for word in words) for stage, words in stages.items()}
            for name, stages in value.get("status", {}).items()
        },
        model=ModelSettings(**value["model"]) if "model" in value else None,
    )


def _several(value: str | list[str]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)


def _pattern(glob: str) -> re.Pattern[str]:
    """`*` and `?` stay within a folder, `**/` is any number of folders."""
    parts = (_GLOB.get(part, re.escape(part)) for part in re.split(r"(\*\*/|\*|\?)", glob))
    return re.compile("".join(parts))


def _schema() -> dict[str, Any]:
    import json

    from minutebook.ground.builtin import shipped

    schema: dict[str, Any] = json.loads((shipped("schemas") / "config.schema.json").read_text("utf-8"))
    return schema


def _validate(value: Any, schema: dict[str, Any], lines: Mapping[tuple[str | int, ...], int], where: str) -> None:
    from minutebook.ground.schema import violations

    known = schema["properties"]
    for key in value if isinstance(value, dict) else ():
        if key not in known:
            from difflib import get_close_matches

            close = get_close_matches(key, known, 1)
            hint = f"did you mean `{close[0]}`?" if close else f"the keys are {', '.join(known)}"
            raise CannotJudge(f"{where}:{lines.get((key,), 1)}: {key!r:.60} is no key of a config", hint)
    for found in violations(value, schema):
        raise CannotJudge(f"{where}:{found.line(lines)}: {found.message}")
