"""Ten megabytes of records that a reader takes one by one: read within two seconds and 256 MB, and counted."""

import hashlib
import json
import subprocess
import sys
from pathlib import Path

import pytest
from limits import BYTES, SECONDS

SIZE = 10_000_000
_READ = (
    "import json, resource, sys\n"
    f"resource.setrlimit(resource.RLIMIT_CPU, ({SECONDS}, {SECONDS + 1}))\n"
    f"resource.setrlimit(resource.RLIMIT_DATA, ({BYTES}, {BYTES}))\n"
    "from minutebook.transcripts import read_transcript\n"
    "session = read_transcript(open(sys.argv[1], 'rb'), 'it')\n"
    "people = [turn.text[:20] for turn in session.turns if turn.role == 'user']\n"
    "leaked = sum('ghp_' in turn.text for turn in session.turns)\n"
    "print(json.dumps([session.format, people[:1], dict(session.skipped), leaked]))\n"
)
GEMINI = (
    b'{"sessionId":"s","projectHash":"h","startTime":"2026-01-01T00:00:00Z","lastUpdated":"2026-01-01T00:00:00Z"}\n'
    b'{"id":"a","type":"user","content":"use ruff"}\n'
)
CLAUDE = b'{"type":"user","sessionId":"s","uuid":"u","message":{"role":"user","content":"use ruff"}}\n'
CODEX = b'{"type":"event_msg","payload":{"type":"user_message","message":"use ruff"}}\n'
COPILOT = b'{"type":"user.message","id":"1","timestamp":"","data":{"content":"use ruff"}}\n'
PLAIN = b'{"role":"user","content":"use ruff"}\n'
LIST = b'[{"role":"user","content":"use ruff"},{"role":"user","content":"'
_UUID = b'"uuid":"u<n>","sessionId":"s"'
_SAID = b'{"type":"user",' + _UUID + b',"message":{"role":"user","content":"'
_CALL = b'{"type":"assistant",' + _UUID + b',"message":{"content":[{"type":"tool_use","id":"t<n>","name":"'
_RESULT = b'{"type":"user","uuid":"r<n>","message":{"content":[{"type":"tool_result","tool_use_id":"t<n>"}]},'
CASES: dict[str, tuple[str, bytes, bytes, bytes, str]] = {
    # Format, how it begins, what comes again and again, how it ends, what is counted.
    "gemini lines": ("gemini-cli", GEMINI, b'{"id":"<n>","type":"user","content":"x"}\n', b"", "unread"),
    "gemini calls": ("gemini-cli", GEMINI, b'{"id":"<n>","type":"gemini","toolCalls":[{}]}\n', b"", "unread"),
    "plain lines": ("plain", PLAIN, PLAIN, b"", "unread"),
    "claude lines": ("claude-code", CLAUDE, b'{"type":"user","message":{"content":"x"}}\n', b"", "unread"),
    "codex lines": ("codex", CODEX, b'{"type":"message","role":"user","content":"x"}\n', b"", "unread"),
    "copilot lines": ("copilot-cli", COPILOT, b'{"type":"user.message","data":{"content":"x"}}\n', b"", "unread"),
    "NULs": ("plain", LIST, b"\0", b'"}]', ""),
    "NULs without an end": ("plain", LIST, b"\0", b"", "truncated"),
    "escaped NULs": ("plain", LIST, b"\\u0000", b'"}]', ""),
    "secrets": ("claude-code", CLAUDE, _SAID + b'see ghp_<secret>"}}\n', b"", "too-many-secrets"),
    "secrets by name": (
        "claude-code",
        CLAUDE,
        _CALL + b'Odd","input":{"token":"ghp_<secret>"}}]}}\n',
        b"",
        "too-many-secrets",
    ),
    "secrets as answers": (
        "claude-code",
        CLAUDE,
        _CALL + b'AskUserQuestion","input":{}}]}}\n'
        + _RESULT + b'"toolUseResult":{"answers":{"Which token?":"ghp_<secret>"}}}\n',
        b"",
        "too-many-secrets",
    ),
}  # fmt: skip


def numbered(unit: bytes) -> bytes:
    """The unit again and again, each time with another number and another secret in it."""
    times = SIZE // len(unit)
    if b"<" not in unit:
        return unit * times
    secrets = (hashlib.sha256(b"%d" % number).hexdigest()[:36].encode() for number in range(times))
    each = enumerate(secrets)
    return b"".join(unit.replace(b"<n>", b"%d" % number).replace(b"<secret>", secret) for number, secret in each)


@pytest.mark.parametrize("name", CASES)
def test_many_records_are_read_in_time_and_nothing_secret_stays(name: str, tmp_path: Path) -> None:
    pytest.importorskip("resource")
    format, start, unit, end, counted = CASES[name]
    (tmp_path / "it").write_bytes(start + numbered(unit) + end)
    command = [sys.executable, "-c", _READ, str(tmp_path / "it")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    read_as, people, skipped, leaked = json.loads(done.stdout)
    assert (read_as, people, leaked) == (format, ["use ruff"], 0)
    assert not counted or skipped.get(counted), skipped
