"""The real SDK against a server that speaks the Messages API: what is sent, what comes back, what goes wrong."""

import json
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email.utils import formatdate
from typing import Any

import pytest

from minutebook.edges.llm import model_at, reply_of
from minutebook.extract.model.prompt import system
from minutebook.extract.tools import extraction_tools, memory_tools
from minutebook.ground.asking import Model, Usage
from minutebook.ground.config import ModelSettings
from minutebook.ground.errors import CannotJudge, OutsideFailed
from minutebook.ground.memory_type import builtin_types
from stand_ins.loopback import serving
from stand_ins.messages_api import Answer, MessagesApi, error, messages_handler, said, used

SETTINGS = ModelSettings("scripted-1")
TOOLS = [*memory_tools(), *extraction_tools(builtin_types())]
HELLO = [{"role": "user", "content": "Hello"}]


@contextmanager
def talking(api: MessagesApi, monkeypatch: pytest.MonkeyPatch, key: str = "test-key") -> Iterator[Model]:
    """The model behind the stand-in, its address taken from the environment as in life."""
    with serving(messages_handler(api)) as address:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", address)
        with model_at(SETTINGS, {"ANTHROPIC_API_KEY": key, "ANTHROPIC_BASE_URL": address}) as model:
            yield model


def ask(model: Model) -> Any:
    return model.ask(system(), TOOLS, HELLO, 1000)


def test_our_tools_and_instructions_are_what_the_api_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    api = MessagesApi(script=[used(("list", {"uri": "ctx://acme/"}), text="I look first.")])
    with talking(api, monkeypatch) as model:
        reply = ask(model)
    assert api.refused == []
    assert (reply.stop, reply.said) == ("tool_use", "I look first.")
    assert [(call.name, call.input) for call in reply.calls] == [("list", {"uri": "ctx://acme/"})]
    (sent,) = api.created
    assert set(sent) == {"model", "max_tokens", "messages", "system", "tools"}
    assert sent["model"] == "scripted-1"


def test_tokens_are_counted_by_the_service_without_asking_for_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    api = MessagesApi(counted=4711)
    with talking(api, monkeypatch) as model:
        assert model.count(system(), TOOLS, HELLO) == 4711
    assert [path for path, _ in api.requests] == ["/v1/messages/count_tokens"]
    assert "max_tokens" not in api.requests[0][1]


@pytest.mark.parametrize("status", [429, 529, 500])
def test_what_passes_is_asked_again(status: int, monkeypatch: pytest.MonkeyPatch) -> None:
    again = error(status, "busy", retry_after_ms="1")
    api = MessagesApi(faults=[again, again], script=[said("Here.")])
    with talking(api, monkeypatch) as model:
        assert ask(model).said == "Here."
    assert len(api.requests) == 3


@pytest.mark.parametrize("status", [429, 529, 500])
def test_what_does_not_pass_is_one_line_after_five_tries(status: int, monkeypatch: pytest.MonkeyPatch) -> None:
    api = MessagesApi(faults=[error(status, "busy\x1b[31m\nas ever", retry_after_ms="1")] * 9)
    with talking(api, monkeypatch) as model, pytest.raises(OutsideFailed) as failed:
        ask(model)
    assert str(failed.value) == f"the model's service answered {status}: busy [31m as ever"
    assert failed.value.exit_code == 3
    assert "later" in failed.value.hint
    assert len(api.requests) == 5


@pytest.mark.parametrize("wait", ["86400", "inf", formatdate(4102444800, usegmt=True)])
def test_a_wait_of_days_is_not_waited_for(wait: str, monkeypatch: pytest.MonkeyPatch) -> None:
    api = MessagesApi(faults=[error(429, "come back later", retry_after=wait)])
    with talking(api, monkeypatch) as model, pytest.raises(OutsideFailed, match="asks to wait"):
        ask(model)
    assert len(api.requests) == 1


@pytest.mark.parametrize("wait", ["nan", "-5", "soon", ""])
def test_a_wait_that_is_no_number_is_the_sdks_own(wait: str, monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr("time.sleep", slept.append)
    api = MessagesApi(faults=[error(529, "busy", retry_after=wait)], script=[said("Here.")])
    with talking(api, monkeypatch) as model:
        assert ask(model).said == "Here."
    assert max(slept) <= 1


@pytest.mark.parametrize(
    ("fault", "words", "hint"),
    [
        (error(400, "messages: too long"), "answered 400: messages: too long", "model:"),
        (error(404, "model: gone"), "answered 404: model: gone", "model.extract"),
        (error(413, "large"), "answered 413: large", "too large"),
        (Answer(418, raw=b"<html>teapot"), "answered 418", "ANTHROPIC_BASE_URL"),
        (Answer(200, raw=b"<html>hello"), "can't be read", "later"),
        (Answer(200, raw=b"\xff\xfe\x00"), "can't be read", "later"),
        (Answer(200, raw=b"[" * 100_000), "can't be read", "later"),
        (Answer(200, {"content": "no list"}), "can't be read", "later"),
        (Answer(200, ["no message"]), "can't be read", "later"),
        (Answer(307, raw=b"", headers={"Location": "http://example.invalid/"}), "answered 307", "ANTHROPIC_BASE_URL"),
    ],
)  # fmt: skip
def test_a_failure_is_one_line_with_the_next_step(
    fault: Answer, words: str, hint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    api = MessagesApi(faults=[fault])
    with talking(api, monkeypatch) as model, pytest.raises(OutsideFailed) as failed:
        ask(model)
    assert words in str(failed.value)
    assert "\n" not in str(failed.value)
    assert hint in failed.value.hint
    assert len(api.requests) == 1


def test_the_key_stands_in_no_message_and_no_log(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    key = "sk-" + "x7" * 20
    api = MessagesApi(key=key, faults=[error(400, f"your key {key} is fine, the rest isn't")])
    with talking(api, monkeypatch, key) as model, pytest.raises(OutsideFailed) as failed:
        ask(model)
    assert "your key *** is fine" in str(failed.value)
    assert key not in repr(failed.value) + failed.value.hint + repr(model) + caplog.text


def test_a_wrong_key_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    with talking(MessagesApi(), monkeypatch, "another-key") as model, pytest.raises(OutsideFailed) as failed:
        ask(model)
    assert "answered 401" in str(failed.value)
    assert "ANTHROPIC_API_KEY" in failed.value.hint


def test_a_service_that_nobody_hears_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    with serving(messages_handler(MessagesApi())) as address:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", address)
    alone = model_at(SETTINGS, {"ANTHROPIC_API_KEY": "k"})
    with alone as model, pytest.raises(OutsideFailed, match="can't be reached") as failed:
        ask(model)
    assert "ANTHROPIC_BASE_URL" in failed.value.hint


def test_an_answer_that_breaks_off_is_asked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    api = MessagesApi(faults=[Answer(200, raw=b'{"content": [', drop=True)], script=[said("Here.")])
    with talking(api, monkeypatch) as model:
        assert ask(model).said == "Here."
    assert len(api.requests) == 2


@pytest.mark.parametrize(
    ("environment", "words"),
    [
        ({}, "ANTHROPIC_API_KEY isn't set"),
        ({"ANTHROPIC_API_KEY": "  "}, "ANTHROPIC_API_KEY isn't set"),
        ({"ANTHROPIC_API_KEY": "sk-a\nb"}, "no key"),
        ({"ANTHROPIC_API_KEY": "“sk-a”"}, "no key"),
        ({"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": "localhost:80"}, "no address"),
        ({"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": "http://[::1"}, "no address"),
        ({"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": "https://me:pw@example.invalid"}, "no address"),
        ({"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": "file:///etc"}, "no address"),
    ],
)
def test_an_environment_that_can_not_work_is_said_before_anything_is_sent(
    environment: dict[str, str], words: str
) -> None:
    with pytest.raises(CannotJudge, match=words) as failed, model_at(SETTINGS, environment):
        pass
    assert failed.value.hint
    assert "pw" not in str(failed.value)


def test_an_answer_is_read_as_far_as_it_is_one() -> None:
    document = {
        "content": [
            {"type": "thinking", "thinking": "hm", "signature": "s"},
            {"type": "text", "text": " \n", "citations": None},
            {"type": "text", "text": "Good.", "citations": None},
            {"type": "tool_use", "id": "t1", "name": "read", "input": "no object", "caller": {"type": "direct"}},
            {"type": "web_page", "url": "https://example.invalid"},
            "no block",
        ],
        "stop_reason": "refusal",
        "stop_details": {"type": "refusal", "category": None, "explanation": "not this"},
        "usage": {"input_tokens": 7, "output_tokens": "many", "cache_read_input_tokens": -1},
    }
    reply = reply_of(document)
    assert reply.content == (
        {"type": "thinking", "thinking": "hm", "signature": "s"},
        {"type": "text", "text": "Good."},
        {"type": "tool_use", "id": "t1", "name": "read", "input": {}},
    )
    assert reply.calls[0].input == "no object"
    assert reply.usage == Usage(7, 0, 0, 0)
    assert (reply.stop, reply.detail) == ("refusal", "not this")


@pytest.mark.parametrize(
    "block",
    [
        {"type": "tool_use", "id": "t1", "name": None, "input": {}},
        {"type": "tool_use", "name": "read", "input": {}},
        {"type": "tool_use", "id": 1, "name": "read", "input": {}},
    ],
)
def test_a_call_without_a_name_or_an_id_makes_the_answer_unreadable(block: dict[str, object]) -> None:
    with pytest.raises(OutsideFailed):
        reply_of({"content": [block]})
    twice = {"type": "tool_use", "id": "t1", "name": "read", "input": {}}
    with pytest.raises(OutsideFailed):
        reply_of({"content": [twice, twice]})


def test_half_a_character_in_an_answer_can_be_sent_back(monkeypatch: pytest.MonkeyPatch) -> None:
    api = MessagesApi(script=[used(("read", {"uri": "ctx://\ud800\udfff \udc00"}))])
    with talking(api, monkeypatch) as model:
        reply = ask(model)
        results = [{"type": "tool_result", "tool_use_id": reply.calls[0].id, "content": "no"}]
        answer = [{"role": "assistant", "content": list(reply.content)}, {"role": "user", "content": results}]
        model.ask(system(), TOOLS, [*HELLO, *answer], 500)
    assert api.refused == []
    assert api.created[1]["messages"][1]["content"][0]["input"] == {"uri": "ctx://\U000103ff \ufffd"}


Change = Callable[[dict[str, Any]], None]


def _set(**more: Any) -> Change:
    return lambda body: body.update(more)


def _call(number: str = "t1") -> dict[str, Any]:
    return {"type": "tool_use", "id": number, "name": "read", "input": {}}


def _result(number: str = "t1") -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": number, "content": "x"}


def _talk(*contents: Any) -> Change:
    roles = ("user", "assistant")
    return _set(messages=[{"role": roles[at % 2], "content": each} for at, each in enumerate(contents)])


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (_set(temperature=0.5), "temperature: Extra inputs"),
        (_set(max_tokens=0), "max_tokens"),
        (_set(messages=[]), "at least one message"),
        (_talk("a", "b"), "end with a user message"),
        (_talk(""), "non-whitespace"),
        (_talk([]), "non-empty content"),
        (_set(messages=[HELLO[0], HELLO[0]]), "alternate"),
        (_set(messages=[{"role": "system", "content": "x"}]), "alternate"),
        (_talk("a", [_call()], "b"), "without `tool_result`"),
        (_talk("a", [_call(), _call("t2")], [_result()]), "without `tool_result`"),
        (_talk([_result()]), "unexpected `tool_use_id`"),
        (_talk("a", [_call()], [_result(), _result()]), "single result"),
        (_talk("a", [_call()], [{"type": "text", "text": "b"}, _result()]), "must come first"),
        (_talk([_call()]), "Input tag 'tool_use'"),
        (_set(tools=[{"name": "a b", "input_schema": {"type": "object"}}]), "String should match pattern"),
        (_set(tools=[TOOLS[0], TOOLS[0]]), "unique"),
        (_set(tools=[{"name": "a", "input_schema": {"type": "string"}}]), "input_schema.type"),
        (_set(tools=[{"name": "a", "input_schema": {"type": "object", "required": "x"}}]), "draft 2020-12"),
        (_set(tools=[{"name": "a", "input_schema": {"type": "object", "anyOf": []}}]), "top level"),
        (_set(tools=[{"name": "a", "input_schema": {"type": "object", "properties": {"ä": {}}}}]), "Property keys"),
        (_set(tools=[{"name": "a", "input_schema": {"type": "object"}, "run": "x"}]), "Extra inputs"),
        (_set(system=[{"type": "text", "text": "a", "cache_control": {"type": "ephemeral"}}] * 5), "maximum of 4"),
    ],
)
def test_the_stand_in_refuses_what_the_api_refuses(change: Change, words: str) -> None:
    api = MessagesApi()
    body: dict[str, Any] = {"model": "scripted-1", "max_tokens": 10, "messages": HELLO}
    headers = {"authorization": "Bearer test-key", "anthropic-version": "2026-10-21"}
    assert api.serve("/v1/messages", headers, json.dumps(body).encode()).status == 200
    change(body)
    answer = api.serve("/v1/messages", headers, json.dumps(body).encode())
    assert (answer.status, answer.document["type"]) == (400, "error")
    assert words in answer.document["error"]["message"]
    assert len(api.requests) == 1


def test_the_stand_in_refuses_a_request_without_version_or_key() -> None:
    api = MessagesApi()
    assert api.serve("/v1/messages", {"authorization": "Bearer test-key"}, b"{}").status == 400
    assert api.serve("/v1/messages", {"anthropic-version": "2026-10-21"}, b"{}").status == 401
