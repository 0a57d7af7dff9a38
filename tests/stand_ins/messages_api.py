"""The Messages API, as much of it as minutebook uses: create with tools, and count_tokens; no streaming.

Answers are scripted. Requests are judged as the API judges them, version 2026-10-21: what it refuses is refused here
with its kind of error. Rules come from the SDK's types and from error messages that people have published. In one
thing it is stricter: turns of the same role in a row are merged there and refused here.
"""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError

from stand_ins.loopback import Quiet

Json = dict[str, Any]
_COMMON = {"model", "messages", "system", "tools", "tool_choice", "thinking", "output_config", "speed", "cache_control"}
_KEYS = {
    "/v1/messages/count_tokens": _COMMON,
    "/v1/messages": _COMMON
    | {"max_tokens", "metadata", "stop_sequences", "stream", "service_tier", "container", "diagnostics"}
    | {"inference_geo"},
}
_TOOL_KEYS = {"name", "description", "input_schema", "type", "strict", "cache_control", "input_examples"} | {
    "allowed_callers",
    "defer_loading",
    "eager_input_streaming",
}
_BLOCK_KEYS = {
    "text": {"type", "text", "cache_control", "citations"},
    "tool_use": {"type", "id", "name", "input", "cache_control", "caller", "toolset_name"},
    "tool_result": {"type", "tool_use_id", "content", "is_error", "cache_control", "toolset_name"},
    "thinking": {"type", "thinking", "signature"},
    "redacted_thinking": {"type", "data"},
}
_OF_ROLE = {"user": {"text", "tool_result"}, "assistant": {"text", "tool_use", "thinking", "redacted_thinking"}}
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,128}")
_PROPERTY = re.compile(r"[a-zA-Z0-9_.-]{1,64}")
_MOST_TOKENS = 64_000
_MOST_BREAKPOINTS = 4
_KINDS = {400: "invalid_request_error", 401: "authentication_error", 404: "not_found_error"} | {
    413: "request_too_large",
    429: "rate_limit_error",
    500: "api_error",
    529: "overloaded_error",
}


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer over HTTP: a document, or bytes as they are. `drop` closes the connection in the middle of it."""

    status: int
    document: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    raw: bytes | None = None
    drop: bool = False


Script = Json | Answer | Callable[[Json], Json | Answer]


@dataclass(slots=True)
class MessagesApi:
    """What the stand-in knows and was asked. `script` is answered in order, `faults` before it, count_tokens too;
    what comes after the script's end is an end of turn. `refused` are the messages of what was turned down."""

    key: str = "test-key"
    model: str = "scripted-1"
    script: list[Script] = field(default_factory=list)
    faults: list[Answer] = field(default_factory=list)
    requests: list[tuple[str, Json]] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    counted: int | None = None

    @property
    def created(self) -> list[Json]:
        """The bodies of the requests for a message, in order."""
        return [body for path, body in self.requests if path == "/v1/messages"]

    def serve(self, path: str, headers: dict[str, str], data: bytes) -> Answer:
        """One request, judged and answered."""
        wrong = self._turned_down(path, headers, data)
        if wrong is not None:
            self.refused.append(wrong.document["error"]["message"])
            return wrong
        body: Json = json.loads(data)
        self.requests.append((path, body))
        if self.faults:
            return self.faults.pop(0)
        tokens = self.counted if self.counted is not None else len(data) // 4
        if path == "/v1/messages/count_tokens":
            return Answer(200, {"input_tokens": tokens})
        next_one: Script = self.script.pop(0) if self.script else said("Nothing more.")
        answer = next_one(body) if callable(next_one) else next_one
        return answer if isinstance(answer, Answer) else Answer(200, _message(answer, body, tokens))

    def _turned_down(self, path: str, headers: dict[str, str], data: bytes) -> Answer | None:
        if path not in _KEYS:
            return error(404, f"{path} is not here")
        if "anthropic-version" not in headers:
            return error(400, "anthropic-version: header is required")
        given = headers.get("authorization", "").removeprefix("Bearer ") or headers.get("x-api-key", "")
        if given != self.key:
            return error(401, "invalid x-api-key")
        try:
            body = json.loads(data)
            json.dumps(body, ensure_ascii=False).encode("utf-8")
        except ValueError:
            return error(400, "The request body is not valid JSON: not UTF-8, or no JSON")
        fault = next(_faults(path, body), "")
        if not fault and body["model"] != self.model:
            return error(404, f"model: {body['model']}")
        return error(400, fault) if fault else None


def error(status: int, message: str, **headers: str) -> Answer:
    """An error in the API's shape; header names take `_` for `-`."""
    document = {"type": "error", "error": {"type": _KINDS[status], "message": message}, "request_id": "req_01"}
    return Answer(status, document, {name.replace("_", "-"): value for name, value in headers.items()})


def said(text: str, stop: str = "end_turn", **more: Any) -> Json:
    """A message of text alone."""
    return {"content": [{"type": "text", "text": text}], "stop_reason": stop, **more}


def used(*calls: tuple[str, Any], stop: str = "tool_use", text: str = "") -> Json:
    """A message that uses tools, each given as (name, input)."""
    blocks: list[Json] = [{"type": "text", "text": text}] if text else []
    blocks += [{"type": "tool_use", "name": name, "input": given} for name, given in calls]
    return {"content": blocks, "stop_reason": stop}


def results_in(body: Json) -> list[Json]:
    """The tool results in the last message of a request."""
    content = body["messages"][-1]["content"]
    return [block for block in content if isinstance(block, dict) and block.get("type") == "tool_result"]


def messages_handler(api: MessagesApi) -> type[Quiet]:
    """Serves the stand-in over HTTP."""

    class Handler(Quiet):
        def do_POST(self) -> None:
            headers = {name.lower(): value for name, value in self.headers.items()}
            answer = api.serve(self.path.partition("?")[0], headers, self.body())
            content = answer.raw if answer.raw is not None else json.dumps(answer.document).encode()
            if answer.drop:
                self.send_response(answer.status)
                self.send_header("Content-Length", str(len(content) + 100))
                self.end_headers()
                self.wfile.write(content)
                self.close_connection = True
                return
            self.answer(answer.status, {"Content-Type": "application/json", **answer.headers}, content)

    return Handler


def _message(script: Json, body: Json, tokens: int) -> Json:
    """The script as a whole message, with ids and what it used."""
    number = len(body["messages"])
    content = [
        {"id": f"toolu_{number:02d}_{at}", **block} if block.get("type") == "tool_use" else block
        for at, block in enumerate(script["content"])
    ]
    usage: Json = {"input_tokens": tokens, "output_tokens": 50, "cache_read_input_tokens": 0}
    usage["cache_creation_input_tokens"] = None
    head = {"id": f"msg_{number:02d}", "type": "message", "role": "assistant", "model": body["model"]}
    return {**head, "stop_sequence": None, "usage": usage, **script, "content": content}


def _faults(path: str, body: Any) -> Iterator[str]:
    """What the API would refuse in a body, the first thing first."""
    if not isinstance(body, dict):
        yield "the body is no object"
        return
    yield from (f"{name}: Extra inputs are not permitted" for name in sorted(set(body) - _KEYS[path]))
    yield from (f"{name}: Field required" for name in ("model", "messages") if name not in body)
    if not isinstance(body.get("model"), str) or not body["model"]:
        yield "model: Input should be a valid string"
    if path == "/v1/messages":
        yield from _faults_of_length(body.get("max_tokens"))
        if body.get("stream"):
            yield "stream: this stand-in doesn't stream"
    yield from _faults_of_tools(body.get("tools", []))
    yield from _faults_of_system(body.get("system", "-"))
    yield from _faults_of_messages(body.get("messages"))
    if json.dumps(body).count('"cache_control"') > _MOST_BREAKPOINTS:
        yield f"A maximum of {_MOST_BREAKPOINTS} blocks with cache_control may be provided"


def _faults_of_length(tokens: object) -> Iterator[str]:
    if not isinstance(tokens, int) or isinstance(tokens, bool):
        yield "max_tokens: Field required, an integer"
    elif not 1 <= tokens <= _MOST_TOKENS:
        yield f"max_tokens: {tokens} > {_MOST_TOKENS}, which is the maximum allowed number of output tokens"


def _faults_of_tools(tools: Any) -> Iterator[str]:
    names = [tool.get("name") for tool in tools]
    if len(set(names)) != len(names):
        yield "tools: Tool names must be unique."
    for at, tool in enumerate(tools):
        where = f"tools.{at}.custom"
        yield from (f"{where}.{name}: Extra inputs are not permitted" for name in sorted(set(tool) - _TOOL_KEYS))
        if not isinstance(tool.get("name"), str) or not _NAME.fullmatch(tool["name"]):
            yield f"{where}.name: String should match pattern '^[a-zA-Z0-9_-]{{1,128}}$'"
        yield from (f"{where}.input_schema{fault}" for fault in _faults_of_schema(tool.get("input_schema")))


def _faults_of_schema(schema: Any) -> Iterator[str]:
    if not isinstance(schema, dict) or schema.get("type") != "object":
        yield ".type: Field required"
        return
    if {"oneOf", "allOf", "anyOf"} & set(schema):
        yield " does not support oneOf, allOf, or anyOf at the top level"
    if not _is_schema(json.dumps(schema)):
        yield ": JSON schema is invalid. It must match JSON Schema draft 2020-12"
        return
    if not all(_PROPERTY.fullmatch(name) for name in schema.get("properties", {})):
        yield ".properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'"


@lru_cache(maxsize=256)
def _is_schema(text: str) -> bool:
    try:
        Draft202012Validator.check_schema(json.loads(text))
    except SchemaError:
        return False
    return True


def _faults_of_system(system: Any) -> Iterator[str]:
    if isinstance(system, list):
        for at, block in enumerate(system):
            yield from (f"system.{at}{fault}" for fault in _faults_of_block(block, {"text"}))
    elif not isinstance(system, str) or not system:
        yield "system: Input should be a valid string or list"


def _faults_of_messages(messages: Any) -> Iterator[str]:
    if not isinstance(messages, list) or not messages:
        yield "messages: at least one message is required"
        return
    open_calls: list[str] = []
    for at, message in enumerate(messages):
        role = message.get("role")
        if set(message) != {"role", "content"} or role != ("user", "assistant")[at % 2]:
            yield f"messages.{at}: roles must alternate between user and assistant, starting with user"
            return
        blocks = message["content"]
        blocks = [{"type": "text", "text": blocks}] if isinstance(blocks, str) else blocks
        if not blocks:
            yield f"messages.{at}: all messages must have non-empty content"
        for number, block in enumerate(blocks):
            yield from (f"messages.{at}.content.{number}{fault}" for fault in _faults_of_block(block, _OF_ROLE[role]))
        yield from (f"messages.{at}{fault}" for fault in _unpaired(blocks, open_calls))
        open_calls = [block["id"] for block in blocks if block.get("type") == "tool_use"]
    if len(messages) % 2 == 0:
        yield "This model does not support assistant message prefill. The conversation must end with a user message."


def _unpaired(blocks: list[Json], open_calls: list[str]) -> Iterator[str]:
    """Results without a call in the message before, calls without a result in this one, results behind other words."""
    kinds = [block.get("type") == "tool_result" for block in blocks]
    results = [block.get("tool_use_id") for block in blocks if block.get("type") == "tool_result"]
    missing = [name for name in open_calls if name not in results]
    if missing:
        yield f": `tool_use` ids were found without `tool_result` blocks immediately after: {', '.join(missing)}."
    for name in results:
        if name not in open_calls:
            yield f": unexpected `tool_use_id` found in `tool_result` blocks: {name}."
    if len(set(results)) != len(results):
        yield ": each tool_use must have a single result. Found multiple `tool_result` blocks with one id"
    if kinds != sorted(kinds, reverse=True):
        yield ": `tool_result` blocks must come first"


def _faults_of_block(block: Any, allowed: set[str]) -> Iterator[str]:
    kind = block.get("type") if isinstance(block, dict) else None
    if kind not in allowed:
        yield f": Input tag '{kind}' found using 'type' does not match any of the expected tags: {sorted(allowed)}"
        return
    yield from (f".{name}: Extra inputs are not permitted" for name in sorted(set(block) - _BLOCK_KEYS[kind]))
    if kind == "text" and not (isinstance(block.get("text"), str) and block["text"].strip()):
        yield ": text content blocks must contain non-whitespace text"
    if kind == "tool_use" and not (isinstance(block.get("input"), dict) and _NAME.fullmatch(str(block.get("id", "")))):
        yield ".tool_use: Input should be a valid dictionary, and the id a valid one"
    if kind == "tool_result" and not isinstance(block.get("content", ""), str | list):
        yield ".tool_result.content: Input should be a valid string or list"
    if block.get("cache_control", {"type": "ephemeral"}).get("type") != "ephemeral":
        yield ".cache_control.type: Input should be 'ephemeral'"
