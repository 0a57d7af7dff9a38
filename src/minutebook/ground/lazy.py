"""Patterns that are compiled when they are first used: a hook would pay for all of them at every commit."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from typing import Any

_ANSWERS = ("search", "match", "fullmatch", "finditer", "findall", "split", "sub", "groupindex", "flags")


class _Uncompiled:
    def __init__(self, text: str) -> None:
        self.pattern = text

    def __getattr__(self, name: str) -> Any:
        if name not in _ANSWERS:
            raise AttributeError(name)
        import re

        compiled = re.compile(self.pattern)
        self.__dict__.update((each, getattr(compiled, each)) for each in _ANSWERS)  # from now on it's found at once
        return getattr(compiled, name)


def lazy(text: str) -> re.Pattern[str]:
    """What `re.compile` gives, in all that one asks of a pattern."""
    return _Uncompiled(text)  # type: ignore[return-value]
