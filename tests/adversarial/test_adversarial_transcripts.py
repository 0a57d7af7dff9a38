"""Ten megabytes that mean harm, read within two seconds and 256 MB, whatever they are."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from limits import BYTES, SECONDS

SIZE = 10_000_000
TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2
_READ = (
    "import json, resource, sys\n"
    f"resource.setrlimit(resource.RLIMIT_CPU, ({SECONDS}, {SECONDS + 1}))\n"
    f"resource.setrlimit(resource.RLIMIT_DATA, ({BYTES}, {BYTES}))\n"
    "from minutebook.ground.errors import MinutebookError\n"
    "from minutebook.transcripts import read_transcript\n"
    "try:\n"
    "    with open(sys.argv[1], 'rb') as file: session = read_transcript(file, 'it.jsonl')\n"
    "except MinutebookError as error: print(json.dumps({'error': str(error)}))\n"
    "else:\n"
    "    people = [turn.text[:100] for turn in session.turns if turn.role == 'user'][:3]\n"
    "    print(json.dumps({'people': people, 'skipped': dict(session.skipped), 'records': session.records,\n"
    "                      'turns': len(session.turns)}))\n"
)
HELLO = b'{"type":"user","uuid":"u1","sessionId":"s","message":{"role":"user","content":"hello"}}\n'
USER = b'{"type":"user","sessionId":"s","message":{"role":"user","content":%s}}\n'


def read(folder: Path, content: bytes) -> dict[str, Any]:
    """What a process under the limits read of it; it must end by itself."""
    pytest.importorskip("resource")
    file = folder / "it.jsonl"
    file.write_bytes(content)
    done = subprocess.run([sys.executable, "-c", _READ, str(file)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{done.returncode}: {done.stderr[-500:]}"
    seen: dict[str, Any] = json.loads(done.stdout)
    return seen


def filled(piece: bytes, size: int = SIZE) -> bytes:
    return piece * (size // len(piece))


def rows() -> Iterator[tuple[str, bytes, str]]:
    """Name, bytes after a good record, and what has to be counted."""
    yield "empty lines", filled(b"\n"), ""
    yield "open braces", filled(b"{\n"), "unread"
    yield "empty objects", filled(b"{}\n"), "unread"
    yield "numbers", filled(b"1\n"), "unread"
    yield "comments", filled(b"//\n"), "unread"
    yield "glued objects", filled(b"{}"), "too-many-parts"
    yield "depth bomb", filled(b"["), "too-many-parts"
    yield "depth bombs", filled(b'{"a":' * 90_000 + b"\n"), "too-deep"
    yield "lists in a list", USER % (b"[" + filled(b"[],") + b"[]]"), "too-many-parts"
    yield "objects in a list", USER % (b"[" + filled(b"{},") + b"{}]"), "too-many-parts"
    yield (
        "keys",
        b'{"type":"user",' + b",".join(b'"%d":1' % number for number in range(SIZE // 10)) + b"}\n",
        "too-many-parts",
    )
    yield "the same key", b'{"type":"user",' + filled(b'"type":"user",') + b'"x":1}\n', "too-many-parts"
    yield "text blocks", USER % (b"[" + filled(b'{"type":"text","text":"x"},', 8_000_000) + b"{}]"), ""
    yield "a number", b'{"type":"user","n":' + filled(b"9") + b"}\n", ""
    yield "numbers of 10,000 digits", filled(b'{"type":"user","n":' + b"9" * 10_000 + b',"x":NaN}\n'), "broken"
    yield "one string", USER % (b'"' + filled(b"word ") + b'"'), ""
    yield "one string with one letter that is wide", USER % ('"\U0001f600'.encode() + filled(b"word ") + b'"'), ""
    yield "escapes", USER % (b'"' + filled(b"\\u00e9") + b'"'), ""
    yield "half surrogates", USER % (b'"' + filled(b"\\ud800") + b'"'), ""
    yield "bad UTF-8", USER % (b'"' + filled(b"\xff") + b'"'), ""
    yield "an unclosed string", b'{"type":"user","message":"' + filled(b"word "), "truncated"
    yield "carriage returns", filled(b"\r"), ""
    yield "null bytes", filled(b"\0"), "truncated"
    yield "BOMs", filled(b"\xef\xbb\xbf\n"), "unread"
    yield "begin private key", USER % (b'"' + filled(b"-----BEGIN PRIVATE KEY-----\\n") + b'"'), ""
    yield "passwords", USER % (b'"' + filled(b"password: ") + b'"'), ""
    yield "reminders that open", USER % (b'"' + filled(b"a<system-reminder") + b'"'), ""
    yield "reminders that close", USER % (b'"a<system-reminder>' + filled(b"</system-reminder>") + b'"'), ""
    yield "nothing that is seen", USER % (b'"' + filled("\u200b".encode()) + b'"'), ""
    yield "contents of nothing", USER % (b'"Contents of ' + filled(b"(") + b'"'), ""
    yield "a line over 16 MB", USER % (b'"' + filled(b"word ", 17_000_000) + b'"'), "too-long"


@pytest.mark.parametrize(("content", "counted"), [pytest.param(*row[1:], id=row[0]) for row in rows()])
def test_hostile_megabytes_are_survived_and_counted(tmp_path: Path, content: bytes, counted: str) -> None:
    seen = read(tmp_path, HELLO + content)
    assert seen["people"][0] == "hello"
    assert seen["skipped"].get(counted or "broken", 0) > 0 or not counted


@pytest.mark.parametrize("start", [b"", b'{"messages":[', b'[{"role":"user","content":"', b"\xff\xfe{\0"])
@pytest.mark.parametrize("piece", [b"[", b'{"role":"user"},', b"{}\n", b'"', b"x", b" ", b"//\n", b'{"type":"x"}\n'])
def test_what_no_format_may_claim_ends_in_time_too(tmp_path: Path, start: bytes, piece: bytes) -> None:
    seen = read(tmp_path, start + filled(piece))
    assert seen.get("error", "no transcript") != "" or seen["records"] >= 0


def test_a_quarter_of_a_gigabyte_fits_and_drops_tool_turns_alone(tmp_path: Path) -> None:
    call = {
        "type": "assistant",
        "sessionId": "s",
        "message": {"content": [{"type": "tool_use", "id": "t", "name": "Bash"}]},
    }
    output = [{"type": "tool_result", "tool_use_id": "t", "content": "line of a log\n" * 2000}]
    result = {"type": "user", "sessionId": "s", "toolUseResult": "", "message": {"content": output}}
    image = {"type": "image", "source": {"data": "iVBORw0KGgo" + "A" * 400_000}}
    picture = {
        "type": "user",
        "sessionId": "s",
        "message": {"content": [image, {"type": "text", "text": "what is this?"}]},
    }
    rows = b"".join(json.dumps(row, separators=(",", ":")).encode() + b"\n" for row in (*[call, result] * 20, picture))
    seen = read(tmp_path, HELLO + filled(rows, 250_000_000))
    assert seen["people"][:2] == ["hello", "what is this?"]
    assert set(seen["skipped"]) <= {"dropped-tool-turns"}
