"""How much two texts have in common where they begin and where they end: compared in growing slices, since a loop over
millions of characters takes a second."""

from __future__ import annotations

_FIRST = 1024


def same_start(old: str, new: str, most: int) -> int:
    """How many of the first `most` characters are the same."""
    at, step = 0, _FIRST
    while at < most:
        step = min(step, most - at)
        if old.startswith(new[at : at + step], at):
            at += step
            step *= 2
        elif step == 1:
            break
        else:
            most = at + step - 1
            step = max(1, step // 2)
    return at


def same_end(old: str, new: str, most: int) -> int:
    """How many of the last `most` characters are the same."""
    at, step = 0, _FIRST
    while at < most:
        step = min(step, most - at)
        end = len(new) - at
        if old.endswith(new[end - step : end], 0, len(old) - at):
            at += step
            step *= 2
        elif step == 1:
            break
        else:
            most = at + step - 1
            step = max(1, step // 2)
    return at
