"""What a run may spend on a model, counted before it is spent."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from minutebook.ground.asking import Usage
from minutebook.ground.config import ModelSettings

SMALLEST_ANSWER = 256
"""Tokens; less than that isn't worth asking for."""
_CACHE_WRITE = Fraction(5, 4)
_MICRO = 1_000_000


def usage_in(figures: Mapping[str, int]) -> Usage:
    """What a run had spent, from its figures: what goes on with the same purse starts from it."""
    return Usage(*(figures.get(f"{kind} tokens", 0) for kind in ("input", "output", "cache read", "cache write")))


@dataclass(slots=True)
class Budget:
    """The purse of a run, for all of its sessions. Money is in micro-dollars: a price in dollars for a million tokens
    is that many micro-dollars a token."""

    settings: ModelSettings
    spent: Usage = field(default_factory=Usage)
    calls: int = 0

    def room(self, tokens: int) -> int:
        """How many tokens the answer to a request of `tokens` may have: at most `max_tokens`, 0 when even a small one
        would break the budget. The request is reckoned at its dearest price, as if all of it went into the cache."""
        room = min(self.settings.max_tokens, self.settings.budget_tokens - self.spent.tokens - tokens)
        if self.settings.budget_usd:
            dearest = max(self._price("input"), self._price("cache_write"), self._price("cache_read"))
            left = _MICRO * Fraction(str(self.settings.budget_usd)) - self._exact_cost() - tokens * dearest
            price = self._price("output")
            room = min(room, int(left // price)) if price and left >= 0 else (room if left >= 0 else 0)
        return room if room >= SMALLEST_ANSWER else 0

    def spend(self, usage: Usage) -> None:
        mine = self.spent
        self.calls += 1
        self.spent = Usage(
            mine.input + usage.input,
            mine.output + usage.output,
            mine.cache_read + usage.cache_read,
            mine.cache_write + usage.cache_write,
        )

    @property
    def cost(self) -> int:
        """Micro-dollars spent, rounded up; 0 where the config gives no prices."""
        return -(-self._exact_cost() // 1)

    @property
    def limit(self) -> str:
        """What the budget is, in words."""
        money = f", {self.settings.budget_usd:g} USD" if self.settings.budget_usd else ""
        return f"{self.settings.budget_tokens} tokens{money}"

    def figures(self) -> Mapping[str, int]:
        """What was spent, in whole numbers."""
        found = {
            "model calls": self.calls,
            "input tokens": self.spent.input,
            "output tokens": self.spent.output,
            "cache read tokens": self.spent.cache_read,
            "cache write tokens": self.spent.cache_write,
        }
        return found | ({"cost in micro-USD": self.cost} if self.settings.prices else {})

    def _exact_cost(self) -> Fraction:
        kinds = ("input", "output", "cache_read", "cache_write")
        return sum((getattr(self.spent, kind) * self._price(kind) for kind in kinds), start=Fraction(0))

    def _price(self, kind: str) -> Fraction:
        """Micro-dollars a token. A cache that the config gives no price for is taken at what it costs at most."""
        prices = self.settings.prices
        if kind in prices or not prices:
            return Fraction(str(prices.get(kind, 0)))
        return Fraction(str(prices["input"])) * (_CACHE_WRITE if kind == "cache_write" else 1)
