"""The model at the other end of the network: the only module that imports the anthropic SDK.

The SDK sends again what may be sent again (408, 409, 429, 5xx, lost connections), with growing pauses and as the
server's retry-after says. The key goes to the one host of ANTHROPIC_BASE_URL, follows no redirect, and stands in no
message. Shapes are those of the Messages API, version 2026-10-21.
"""

import json
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit

from minutebook.ground.asking import Call, Model, Reply, Usage
from minutebook.ground.config import ModelSettings
from minutebook.ground.errors import CannotJudge, OutsideFailed
from minutebook.ground.unseen import one_line

KEY, BASE = "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"
_RETRIES = 4
_TIMEOUT = 300.0
_LONGEST_WAIT = 90.0
"""Seconds that the service may ask us to wait before we rather give up."""
_HALVES = re.compile("[\ud800-\udfff]")
_THOUGHT = frozenset({"thinking", "redacted_thinking"})
_UNREADABLE = "the model's service gave an answer that can't be read"
_NEXT_STEP = {
    400: "the request is not what the service takes: check `model:` in .minutebook.yaml",
    401: f"give {KEY} a key that is valid today",
    402: "the account behind the key has no credit left",
    403: f"the key in {KEY} may not use this model",
    404: "check `model.extract` in .minutebook.yaml",
    413: "a window of the session is too large for this model",
    429: "the rate limit is used up: run again later",
}


@contextmanager
def model_at(settings: ModelSettings, environment: Mapping[str, str]) -> Iterator[Model]:
    """The model that the config names, asked with the key of the environment; its connections end with the block.

    Raises CannotJudge when there is no key, no SDK, or an address that is none.
    """
    key = _key(environment)
    _check_address(environment.get(BASE, ""))
    client, failure = _client(key)

    def ask(system: Sequence[Any], tools: Sequence[Any], messages: Sequence[Any], max_tokens: int) -> Reply:
        request = {"system": system, "tools": tools, "messages": messages, "max_tokens": max_tokens}
        send = client.messages.with_raw_response.create
        return reply_of(_sent(lambda: send(model=settings.extract, **request), failure, key))

    def count(system: Sequence[Any], tools: Sequence[Any], messages: Sequence[Any]) -> int:
        send = client.messages.with_raw_response.count_tokens
        sent = _sent(lambda: send(model=settings.extract, system=system, tools=tools, messages=messages), failure, key)
        return _counted(sent)

    with client:
        yield Model(settings.extract, ask, count)


def reply_of(document: object) -> Reply:
    """A message of the API as a value. Raises OutsideFailed when it isn't one."""
    if not isinstance(document, dict) or not isinstance(document.get("content"), list):
        raise OutsideFailed(_UNREADABLE, "run again later")
    blocks = [block for block in document["content"] if isinstance(block, dict)]
    calls = tuple(_call(block) for block in blocks if block.get("type") == "tool_use")
    if len({call.id for call in calls}) != len(calls) or not all(call.id and call.name for call in calls):
        raise OutsideFailed(_UNREADABLE, "run again later")
    said = (block["text"] for block in blocks if block.get("type") == "text" and isinstance(block.get("text"), str))
    details = document.get("stop_details")
    detail = details.get("category") or details.get("explanation") if isinstance(details, dict) else ""
    return Reply(
        stop=str(document.get("stop_reason") or ""),
        said="\n".join(said),
        calls=calls,
        content=tuple(kept for block in blocks if (kept := _as_sent_back(block))),
        usage=_usage(document.get("usage")),
        detail=str(detail or ""),
    )


def _key(environment: Mapping[str, str]) -> str:
    key = environment.get(KEY, "").strip()
    if not key:
        raise CannotJudge(f"--model needs a key: {KEY} isn't set", f"export {KEY}=…, or leave --model out")
    if not re.fullmatch(r"[!-~]{1,500}", key):
        raise CannotJudge(f"{KEY} holds something that is no key", "copy it again, without quotes and line ends")
    return key


def _check_address(address: str) -> None:
    """Raises CannotJudge for an address that the SDK would stumble over, or that holds a password."""
    if not address:
        return
    try:
        parts = urlsplit(address)
    except ValueError:
        parts = urlsplit("")
    if parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc:
        raise CannotJudge(f"{BASE} is no address of a service", f"export {BASE}=https://…")


def _client(key: str) -> tuple[Any, type[Exception]]:
    """The SDK's client, and the family of its errors."""
    try:
        import anthropic
    except ImportError:
        raise CannotJudge("--model needs the model extra", "pip install 'minutebook[model]'") from None
    client = anthropic.Anthropic(
        api_key=key,
        max_retries=_RETRIES,
        timeout=_TIMEOUT,
        open_telemetry=False,
        http_client=anthropic.DefaultHttpxClient(follow_redirects=False),
        middleware=[_patient],
    )
    return client, anthropic.AnthropicError


def _patient(request: Any, call_next: Callable[[Any], Any]) -> Any:
    """Runs at every attempt: the SDK waits as long as it is told to, be it for weeks."""
    response = call_next(request)
    wait = _wait(response.headers) if response.status_code >= 400 else 0.0
    if wait > _LONGEST_WAIT:
        raise OutsideFailed(
            f"the model's service answered {response.status_code} and asks to wait {wait:.0f} seconds", "run again then"
        )
    return response


def _wait(headers: Mapping[str, str]) -> float:
    """Seconds that retry-after asks for, as a number or as a date; 0 when it says nothing."""
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        try:
            return float(headers.get(name, "")) / unit
        except ValueError:
            continue
    try:
        return parsedate_to_datetime(headers.get("retry-after", "")).timestamp() - time.time()
    except (ValueError, TypeError, OverflowError):
        return 0.0


def _sent(send: Callable[[], Any], failure: type[Exception], key: str) -> object:
    """The document that the service answers with, without halves of surrogate pairs: they could not be sent back."""
    try:
        content = send().http_response.content
    except failure as error:
        raise _failed(error, key) from None
    try:
        return _whole(json.loads(content))
    except (ValueError, RecursionError):
        raise OutsideFailed(_UNREADABLE, "run again later") from None


def _failed(error: Exception, key: str) -> OutsideFailed:
    """One line, and the next step; the key isn't in it, whatever the service says."""
    status = getattr(error, "status_code", None)
    words = one_line(str(getattr(error, "api_message", None) or "")).replace(key, "***")[:300]
    if status is None:
        return OutsideFailed("the model's service can't be reached", f"check the network and {BASE}")
    hint = _NEXT_STEP.get(status, "run again later" if status >= 500 else f"check {BASE}")
    return OutsideFailed(f"the model's service answered {status}{words and f': {words}'}", hint)


def _counted(document: object) -> int:
    count = document.get("input_tokens") if isinstance(document, dict) else None
    if not isinstance(count, int) or count < 0:
        raise OutsideFailed(_UNREADABLE, "run again later")
    return count


def _call(block: Mapping[str, Any]) -> Call:
    name, call_id = block.get("name"), block.get("id")
    return Call(call_id if isinstance(call_id, str) else "", name if isinstance(name, str) else "", block.get("input"))


def _as_sent_back(block: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """A block of an answer as the API takes it in the next request; None for one that it wouldn't take."""
    match block.get("type"):
        case "text":
            text = block.get("text")
            return {"type": "text", "text": text} if isinstance(text, str) and text.strip() else None
        case "tool_use":
            given = block.get("input")
            return {
                "type": "tool_use",
                "id": block["id"],
                "name": block["name"],
                "input": given if isinstance(given, dict) else {},
            }
        case kind:
            return block if kind in _THOUGHT else None


def _usage(found: object) -> Usage:
    known = found if isinstance(found, dict) else {}
    names = ("input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
    counts = (known.get(name) for name in names)
    return Usage(*(count if isinstance(count, int) and count > 0 else 0 for count in counts))


def _whole(value: object) -> object:
    if isinstance(value, str):
        return _HALVES.sub("\ufffd", value)
    if isinstance(value, list):
        return [_whole(item) for item in value]
    if isinstance(value, dict):
        return {_HALVES.sub("\ufffd", key): _whole(item) for key, item in value.items()}
    return value
