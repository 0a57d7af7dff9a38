"""What `.minutebook.yaml` says, as a value."""

from collections.abc import Mapping
from typing import Any

from minutebook.ground.errors import CannotJudge
from minutebook.ground.frozen import EMPTY, frozen
from minutebook.ground.strict_yaml import StrictYamlError, load, typed

CONFIG = ".minutebook.yaml"
DEFAULT_ROOT = ".memory"
GAAI_ROOT = ".gaai/project/contexts/memory"
USUAL_ROOTS = (DEFAULT_ROOT, GAAI_ROOT)
"""Where memory lies when no config says where."""


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

    @property
    def places(self) -> tuple[str, ...]:
        """Where a memory root may lie: the roots that the file names, or else the usual ones."""
        return self.roots or USUAL_ROOTS


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
    )


def _schema() -> dict[str, Any]:
    import json

    from minutebook.ground.builtin import shipped

    schema: dict[str, Any] = json.loads((shipped("schemas") / "config.schema.json").read_text("utf-8"))
    return schema


def _validate(value: Any, schema: dict[str, Any], lines: Mapping[tuple[str | int, ...], int], where: str) -> None:
    from minutebook.ground.schema import violations

    for found in violations(value, schema):
        raise CannotJudge(f"{where}:{found.line(lines)}: {found.message}")
