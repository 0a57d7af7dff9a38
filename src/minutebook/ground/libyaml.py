"""Any YAML, read strictly through libyaml. Importing it costs more than a hook does: only `strict_yaml` comes here."""

from __future__ import annotations

from bisect import bisect_right

import yaml

from minutebook.ground.strict_yaml import (
    BOOLS,
    MAX_DEPTH,
    MAX_NODES,
    NULLS,
    Document,
    Plain,
    StrictYamlError,
    is_number,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_QUOTE = 'put the value in quotes where it holds a colon, a # or a quote: title: "…"'
_OTHER_BREAKS = ("\x85", "\u2028", "\u2029")


def read(text: str, first_line: int) -> Document:
    """What `strict_yaml.load` promises, of a text that is UTF-8 and not too long."""
    reader = _Reader(text, first_line)
    try:
        return reader.document()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = reader.line(mark) if mark else first_line
        raise StrictYamlError(f"not YAML: {error.problem or error.context}", line, _QUOTE) from None
    except yaml.YAMLError as error:
        reason = str(error).split("\n", 1)[0]
        at = getattr(error, "position", 0)
        raise StrictYamlError(f"not YAML: {reason}", first_line + text.encode()[:at].count(b"\n")) from None


class _Reader:
    def __init__(self, text: str, first_line: int) -> None:
        self.text = text
        self.first_line = first_line
        self.lines: dict[tuple[str | int, ...], int] = {}
        self.nodes = 0
        # libyaml counts U+0085, U+2028 and U+2029 as line ends; editors and git don't.
        odd = any(each in text for each in _OTHER_BREAKS)
        self.breaks = [i for i, c in enumerate(text) if c == "\n"] if odd else None

    def line(self, mark: Any) -> int:
        if self.breaks is None:
            return self.first_line + int(mark.line)
        return self.first_line + bisect_right(self.breaks, int(mark.index) - 1)

    def document(self) -> Document:
        events: Iterator[yaml.Event] = yaml.parse(self.text, Loader=yaml.CSafeLoader)
        value: Any = {}
        documents = 0
        for event in events:
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    raise StrictYamlError(
                        "more than one YAML document", self.line(event.start_mark), "take out the ---"
                    )
            elif isinstance(event, yaml.NodeEvent):
                value = self.node(event, events, ())
        if isinstance(value, str) and value in NULLS:
            value = {}
        if not isinstance(value, dict):
            raise StrictYamlError("expected `key: value` lines", self.first_line, "title: …")
        return Document(value, self.lines)

    def node(self, event: Any, events: Iterator[yaml.Event], path: tuple[str | int, ...]) -> Any:
        line = self.line(event.start_mark)
        self.lines.setdefault(path, line)
        self.nodes += 1
        if self.nodes > MAX_NODES:
            raise StrictYamlError(f"more than {MAX_NODES} keys and values of YAML", line)
        if isinstance(event, yaml.AliasEvent) or event.anchor:
            raise StrictYamlError("YAML anchors and aliases are not read here; write the value out", line)
        if event.tag is not None and event.tag != "!":
            raise StrictYamlError(f"YAML tags are not read here: {event.tag}", line, "take the tag out")
        if len(path) > MAX_DEPTH:
            raise StrictYamlError(f"nested deeper than {MAX_DEPTH} levels", line)
        if isinstance(event, yaml.ScalarEvent):
            return Plain(event.value) if event.implicit[0] else event.value
        if isinstance(event, yaml.SequenceStartEvent):
            return self.sequence(events, path)
        return self.mapping(events, path)

    def sequence(self, events: Iterator[yaml.Event], path: tuple[str | int, ...]) -> list[Any]:
        items: list[Any] = []
        for event in events:
            if isinstance(event, yaml.SequenceEndEvent):
                break
            items.append(self.node(event, events, (*path, len(items))))
        return items

    def mapping(self, events: Iterator[yaml.Event], path: tuple[str | int, ...]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for event in events:
            if isinstance(event, yaml.MappingEndEvent):
                break
            line = self.line(event.start_mark)
            if not isinstance(event, yaml.ScalarEvent):
                raise StrictYamlError("a key must be a string", line)
            key = self.node(event, events, (*path, "?"))
            self.lines.pop((*path, "?"), None)
            if isinstance(key, Plain) and (key in NULLS or key in BOOLS or key == "<<" or is_number(key)):
                raise StrictYamlError(f"a key must be a string; quote it: '{key}'", line)
            if key in found:
                raise StrictYamlError(f"`{key}` stands twice", line, f"keep one `{key}:` line")
            self.lines[(*path, str(key))] = line
            found[str(key)] = self.node(next(events), events, (*path, str(key)))
        return found
