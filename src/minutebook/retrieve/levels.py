"""At which level each entry is given, so that the whole fits the room.

The costs of an entry are the tokens of its forms, from the poorest (an abstract) to the richest (the full text), each
above the one before. What is chosen is the position of a form, or None: left out.
"""

from collections.abc import Sequence


def degraded(costs: Sequence[Sequence[int]], room: int) -> list[int | None]:
    """For entries that all belong, the richest forms that fit together.

    All are given in full if they fit. Else the richest forms step down, the longest first, until they do; and if not
    even the poorest fit, the last entries are left out.
    """
    chosen = [len(each) - 1 for each in costs]
    total = sum(each[-1] for each in costs)
    while total > room and any(chosen):
        at = max(range(len(costs)), key=lambda at: (chosen[at], costs[at][chosen[at]], at))
        total -= costs[at][chosen[at]] - costs[at][chosen[at] - 1]
        chosen[at] -= 1
    kept = len(costs)
    while kept and total > room:
        kept -= 1
        total -= costs[kept][0]
    return [*chosen[:kept], *[None] * (len(costs) - kept)]


def shared_out(costs: Sequence[Sequence[int]], room: int) -> list[int | None]:
    """For entries in the order of their worth, what each is given.

    Half of the room first goes to the poorest form of as many as it holds, so that one long text doesn't hide all the
    others. Then, in order, each gets the richest form that fits.
    """
    chosen: list[int | None] = [None] * len(costs)
    left = room
    for at, forms in enumerate(costs):
        if left - forms[0] < room - room // 2:
            break
        chosen[at] = 0
        left -= forms[0]
    for at, forms in enumerate(costs):
        now = chosen[at]
        held = 0 if now is None else forms[now]
        fitting = [position for position, cost in enumerate(forms) if cost <= left + held]
        if fitting:
            chosen[at] = fitting[-1]
            left -= forms[fitting[-1]] - held
    return chosen
