"""What is said to a model and what it answers, as values: the seam between the loop, which is pure, and the network."""

from __future__ import annotations

from minutebook.ground.frozen import frozen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    Json = Mapping[str, Any]
    Ask = Callable[[Sequence[Json], Sequence[Json], Sequence[Json], int], "Reply"]
    Count = Callable[[Sequence[Json], Sequence[Json], Sequence[Json]], int]


@frozen
class Usage:
    """Tokens of one answer by what they are billed as. `input` are those that came neither from the cache nor went
    into it."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0

    @property
    def tokens(self) -> int:
        """All of them."""
        return self.input + self.output + self.cache_read + self.cache_write


@frozen
class Call:
    """A tool that the model wants to use. `input` is what it gave: an object, unless it got that wrong."""

    id: str
    name: str
    input: object


@frozen
class Reply:
    """One answer. `stop` is why it ended (end_turn, tool_use, max_tokens, refusal, …), `detail` what more the service
    said of that, `said` the text, `content` the blocks as they have to be sent back when the talk goes on."""

    stop: str
    said: str = ""
    calls: tuple[Call, ...] = ()
    content: tuple[Json, ...] = ()
    usage: Usage = Usage()
    detail: str = ""


@frozen
class Model:
    """A model to ask. `ask` takes system blocks, tools, messages (in the shapes of the Messages API) and the tokens
    that the answer may have; `count` takes the first three and gives the tokens that they come to. Both raise
    OutsideFailed when the service doesn't do its part. `id` is the model's."""

    id: str
    ask: Ask
    count: Count
