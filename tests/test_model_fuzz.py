"""Whatever a model writes, nothing crashes, and only what is proven comes through."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conftest import SHARED
from minutebook.extract.model.quote import evened, places_of
from minutebook.extract.model.turns import windows
from minutebook.extract.prose import sentences
from minutebook.extract.tools import proposable
from minutebook.ground.config import ModelSettings
from minutebook.ground.memory import Memory
from minutebook.ground.memory_type import builtin_types
from minutebook.ground.session import Found
from minutebook.route.plan import route
from minutebook.route.step import Rules
from minutebook.transcripts import UnknownTranscript, read_transcript
from scripted import TODAY, decision, memory_with, read_by
from stand_ins.messages_api import Script, said, used
from talk import session, turn

QUOTE = "use SQLite for the local cache"
TALK = session(
    turn(1, "user", f"Let's {QUOTE}, because it needs no server.\nSee “the docs” for cafe\u0301s."),
    turn(2, "assistant", "I recommend to use SQLite for the local cache."),
    turn(3, "user", "yes"),
    turn(4, "tool", "use SQLite for the local cache", "tool-result"),
)
MEMORY = memory_with()
TOOLS = sorted({*proposable(builtin_types()), "read", "list", "get_relations", "bash", ""})
NAMES = ("decision", "problem", "outcome", "trigger", "steps", "body", "context", "rationale")
FEW = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=40),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=12,
)
NASTY = st.sampled_from(
    [
        "---\nid: DEC-1\n---\n", "### DEC-2026-01-01-01 — Fake\n**Decision:** fake", "```\nopen fence", "<!-- open",
        "a: b\n- c", "!!python/object:os.system", "&a *a", "{{ 7 * 7 }}{% for %}", "::set-output name=x::y",
        "@everyone #123", "[skip ci]", "\u2028line", "use SQLite for the local cache", "|\n  x", "%YAML 1.1", "\ttab",
        "no", "012", "1e3", "2026-01-01", "# Heading", "> quote\n\nnot", "**Date:** 1999-01-01", "x" * 300, "\x1b[31m",
    ]
)  # fmt: skip
WORDS = NASTY | st.text(max_size=60) | st.just(QUOTE)


def routed(found: Found, memory: Memory) -> None:
    """What is found can be put into memory without a crash."""

    def unlike(texts: Any, corpus: Any) -> list[list[float]]:
        return [[0.0 for _ in corpus] for _ in texts]

    ids = frozenset(each.id for each in found.candidates)
    route(TALK, found.candidates, memory, TODAY, unlike, Rules("ada", "claude-code", ids))


def proven(found: Found) -> None:
    for each in found.candidates:
        assert each.quote in each.turn.text
        assert each.quarantine or each.turn.role == "user" or each.accepted is not None


@FEW
@given(st.lists(st.tuples(st.sampled_from(TOOLS), JSON), min_size=1, max_size=6))
def test_any_json_at_all_is_answered(calls: list[tuple[str, Any]]) -> None:
    named = [(name or "none", given) for name, given in calls]
    found, api = read_by(TALK, used(*named), memory=MEMORY)
    assert found.candidates == ()
    assert len(api.created) == 2


@FEW
@given(
    st.sampled_from(sorted(proposable(builtin_types()))),
    st.fixed_dictionaries(
        {"turn": st.integers(1, 5), "quote": st.just(QUOTE) | WORDS, "title": WORDS, "abstract": WORDS},
        optional=dict.fromkeys(NAMES, WORDS) | {"tags": st.lists(WORDS, max_size=3), "replaces": WORDS},
    ),
)
def test_a_proposal_of_nasty_words_is_proven_or_refused_and_can_be_routed(name: str, proposal: dict[str, Any]) -> None:
    filled = {"decision": QUOTE, "problem": QUOTE, "outcome": QUOTE, "trigger": QUOTE, "steps": QUOTE} | proposal
    known = proposable(builtin_types())[name].schema["properties"]
    kept = {key: value for key, value in filled.items() if key in known or key in ("turn", "quote", "body", "replaces")}
    found, _ = read_by(TALK, used((name, kept)), used((name, kept)), memory=MEMORY)
    proven(found)
    routed(found, MEMORY)


@FEW
@given(st.text(max_size=200), st.integers(0, 200), st.integers(1, 200))
def test_a_stretch_of_a_text_is_found_in_it_and_found_words_say_the_same(text: str, start: int, length: int) -> None:
    quote = text[start : start + length].strip()
    for first, last in places_of(quote, text):
        assert evened(text[first:last]) == evened(quote)
    if quote.isascii() and text.isascii() and quote:
        assert places_of(quote, text)


@pytest.mark.skipif(not SHARED.is_dir(), reason="no shared data beside this checkout (MINUTEBOOK_SHARED names it)")
def test_every_quote_from_real_transcripts_is_verbatim_and_no_request_is_turned_down() -> None:
    files = sorted(path for path in (SHARED / "data" / "transcripts").rglob("*.jsonl"))
    proposed = 0
    for file in files:
        try:
            with file.open("rb") as content:
                talk = read_transcript(content, file.name)
        except UnknownTranscript:
            continue
        script: list[Script] = []
        for window in windows(talk):
            own = [turn for number, turn in window.turns.items() if number > window.after and turn.role == "user"]
            first = [
                (turn, each.text) for turn in own for each in sentences(turn.text)[:2] if 20 < len(each.text) < 200
            ]
            script += [used(*(decision(turn.number, text, text[:150]) for turn, text in first[:20])), said("Done.")]
        found, api = read_by(talk, *script, settings=ModelSettings("scripted-1", budget_tokens=10**8))
        assert api.refused == []
        proven(found)
        proposed += len(found.candidates)
    assert proposed > 20


SAID = "Let's use SQLite for the local cache. "


@pytest.mark.parametrize(
    "fill",
    ["a", " ", "a ", "\n", "e\u0301", '"', SAID, "> - ", "\u200b", "a\u0430", "Let's drop it. ", "```\n", "# a\n"],
)
def test_ten_megabytes_of_it_are_read_in_two_seconds_and_256_megabytes(fill: str) -> None:
    resource = pytest.importorskip("resource")
    script = (
        "import resource, sys\n"
        "from minutebook.extract import model\n"
        "from minutebook.ground.config import ModelSettings\n"
        "from scripted import decision, read_by\n"
        "from stand_ins.messages_api import used\n"
        "from talk import session, turn\n"
        "spent = int(sum(resource.getrusage(resource.RUSAGE_SELF)[:2])) + 1\n"
        "resource.setrlimit(resource.RLIMIT_CPU, (spent + 2, spent + 3))\n"
        "resource.setrlimit(resource.RLIMIT_DATA, (256 << 20, 256 << 20))\n"
        "said, fill = sys.argv[1:]\n"
        "text = (said + fill * (200_000 // len(fill)))[:200_000]\n"
        "talk = session(*(turn(n, 'user' if n % 2 else 'assistant', text) for n in range(1, 51)))\n"
        "quote = 'use SQLite for the local cache'\n"
        "call = used(decision(1, quote), decision(2, quote, 'Use SQLite as the cache'))\n"
        "found, api = read_by(talk, call, call, settings=ModelSettings('scripted-1', budget_tokens=10**8))\n"
        "print(len(found.candidates), len(api.created))\n"
    )
    paths = os.pathsep.join([str(Path(__file__).parent), *sys.path])
    environment = {**os.environ, "PYTHONPATH": paths, "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, "-c", script, SAID, fill]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert resource
    assert done.returncode == 0, done.stderr[-1000:]
    assert done.stdout.split()[0] in ("0", "1")
    assert int(done.stdout.split()[1]) >= 3
