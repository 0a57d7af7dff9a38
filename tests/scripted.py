"""A model that plays a script, without a network: the stand-in judges every request as the API would."""

import json
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from conftest import MEMORY
from minutebook.edges.llm import reply_of
from minutebook.extract.model.loop import Place, model_extractor
from minutebook.ground.asking import Model, Reply
from minutebook.ground.change import File
from minutebook.ground.config import Config, ModelSettings
from minutebook.ground.memory import Memory, read_memory
from minutebook.ground.session import Found, Session
from stand_ins.messages_api import MessagesApi, Script, results_in

TODAY = date(2026, 11, 20)
SETTINGS = ModelSettings("scripted-1", prices={"input": 3, "output": 15})
PLACE = Place("acme", "ada")
_HEADERS = {"authorization": "Bearer test-key", "anthropic-version": "2026-10-21"}


def scripted(api: MessagesApi) -> Model:
    """The stand-in as a model to ask. A request that the API would refuse fails the test."""

    def send(path: str, body: Mapping[str, Any]) -> Any:
        answer = api.serve(path, _HEADERS, json.dumps({"model": api.model, **body}).encode())
        assert answer.status == 200, answer.document
        return answer.document

    def ask(system: Sequence[Any], tools: Sequence[Any], messages: Sequence[Any], max_tokens: int) -> Reply:
        body = {"system": system, "tools": tools, "messages": messages, "max_tokens": max_tokens}
        return reply_of(send("/v1/messages", body))

    def count(system: Sequence[Any], tools: Sequence[Any], messages: Sequence[Any]) -> int:
        body = {"system": system, "tools": tools, "messages": messages}
        return int(send("/v1/messages/count_tokens", body)["input_tokens"])

    return Model(api.model, ask, count)


def memory_with(more: Mapping[str, str] | None = None) -> Memory:
    """The memory of `conftest`, with these files beside it."""
    files = {**MEMORY, **(more or {})}
    return read_memory({path: File(text.encode()) for path, text in files.items()}, ".memory", Config())


def read_by(
    talk: Session,
    *script: Script,
    memory: Memory | None = None,
    settings: ModelSettings = SETTINGS,
    after: int = 0,
    place: Place = PLACE,
) -> tuple[Found, MessagesApi]:
    """What the extractor makes of a session when the model plays the script, and what it was asked."""
    api = MessagesApi(script=list(script))
    extract = model_extractor(scripted(api), settings, place)
    return extract(talk, memory or memory_with(), TODAY, after), api


def told(api: MessagesApi) -> list[tuple[str, bool]]:
    """What the calls were answered with, in order, and whether it was an error."""
    return [(result["content"], result.get("is_error", False)) for body in api.created for result in results_in(body)]


def decision(turn: int, quote: str, title: str = "", **more: Any) -> tuple[str, dict[str, Any]]:
    """A call of `extract_decision` that says what it quotes, unless told otherwise."""
    said = title or quote
    return "extract_decision", {"title": said, "abstract": said, "decision": said, "turn": turn, "quote": quote} | more


def proposal(type_name: str, turn: int, quote: str, title: str = "", **more: Any) -> tuple[str, dict[str, Any]]:
    """A call of another type's tool."""
    said = title or quote
    return f"extract_{type_name}", {"title": said, "abstract": said, "turn": turn, "quote": quote} | more
