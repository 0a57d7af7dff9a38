"""`minutebook redact`, through the command line."""

import json
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import Repo
from secret_corpus.near_misses import near_misses
from secret_corpus.tokens import TOKENS, pem

DRAW = random.Random(21)
TOKEN, OTHER = (TOKENS["github-token"][0](DRAW) for _ in range(2))
KEY = pem("RSA ")(DRAW)


def test_it_prints_the_text_with_its_secrets_replaced_and_figures_apart(repo: Repo) -> None:
    repo.write("a.log", f"one {TOKEN}\ntwo {OTHER} and {TOKEN}\npassword=Tr0ub4dor&3\n")
    done = repo.minutebook("redact", "a.log")
    assert done.code == 0
    assert done.out == (
        "one [redacted:github-token:1]\ntwo [redacted:github-token:2] and [redacted:github-token:1]\n"
        "password=[redacted:password:3]\n"
    )
    assert done.err == "a.log: 4 secrets: github-token 3, password 1\n"


def test_a_text_without_secrets_is_printed_as_it_is_and_nothing_is_said(repo: Repo) -> None:
    text = "\n".join(near_misses(count=500))
    repo.write("a.txt", text)
    assert repo.minutebook("redact", "a.txt") == (0, text, "")
    assert repo.minutebook("redact", "--check", "a.txt") == (0, "", "")


def test_check_names_places_and_kinds_and_never_the_secret(repo: Repo) -> None:
    repo.write("a.log", f"x\n  see {TOKEN}\n{KEY}\n")
    repo.write("b.log", "fine\n")
    done = repo.minutebook("redact", "--check", "a.log", "b.log")
    assert (done.code, done.out) == (1, "a.log:2:7 github-token\na.log:3:1 private-key\n")
    assert TOKEN[:8] not in done.err


def test_json_lists_findings_without_anything_of_them(repo: Repo) -> None:
    repo.write("ü.log", f"é {TOKEN}\n")
    done = repo.minutebook("redact", "--format", "json", "ü.log", "-", stdin=f"token: {OTHER}")
    document = json.loads(done.out)
    assert (done.code, done.err) == (0, "")
    assert document["findings"] == [
        {"file": "ü.log", "line": 1, "column": 3, "kind": "github-token", "length": 40},
        {"file": "-", "line": 1, "column": 8, "kind": "github-token", "length": 40},
    ]
    assert repo.minutebook("redact", "--format", "json", "--check", "ü.log").code == 1
    empty = repo.minutebook("redact", "--format", "json", "-", stdin="fine")
    assert json.loads(empty.out)["findings"] == []


def test_standard_input_is_a_file_too_and_each_file_has_numbers_of_its_own(repo: Repo) -> None:
    repo.write("a", f"{TOKEN}\n")
    done = repo.minutebook("redact", "a", "-", stdin=f"{OTHER}\n")
    assert done.out == "[redacted:github-token:1]\n[redacted:github-token:1]\n"


def test_bytes_that_are_no_utf_8_stay_as_they_are(repo: Repo) -> None:
    repo.write("a", b"\xef\xbb\xbfcaf\xe9 \xff\xfe " + TOKEN.encode() + b" \xed\xa0\x80\r\n\x1b[31m")
    done = subprocess.run([sys.executable, "-m", "minutebook", "redact", "a"], cwd=repo.path, env=dict(repo.env),
                          capture_output=True, check=True)  # fmt: skip
    assert done.stdout == b"\xef\xbb\xbfcaf\xe9 \xff\xfe [redacted:github-token:1] \xed\xa0\x80\r\n\x1b[31m"


@pytest.mark.parametrize(
    "data", [f"token={TOKEN}".encode("utf-16"), f"token={TOKEN}".encode("utf-16-le"), b"\x89PNG\0\0"]
)
def test_what_cannot_be_judged_is_no_pass(repo: Repo, data: bytes) -> None:
    repo.write("bad", data)
    repo.write("good", f"{TOKEN}\n")
    done = repo.minutebook("redact", "bad", "good")
    assert (done.code, done.out) == (2, "[redacted:github-token:1]\n")
    assert "bad: holds NUL bytes or UTF-16, so what it says can't be judged" in done.err
    assert repo.minutebook("redact", "--check", "bad").code == 2


def test_a_file_that_is_not_there_is_named_and_the_others_are_read(repo: Repo) -> None:
    repo.write("a", "fine\n")
    done = repo.minutebook("redact", "gone", "a")
    assert (done.code, done.out) == (2, "fine\n")
    assert "gone: No such file or directory" in done.err
    assert repo.minutebook("redact").code == 2


def test_a_name_cannot_move_the_terminal(repo: Repo) -> None:
    name = "a\x1b[2Jb\n::error::x"
    repo.write(name, f"{TOKEN}\n")
    for arguments in (["--check"], [], ["--format", "json"]):
        done = repo.minutebook("redact", *arguments, name)
        assert "\x1b" not in done.out + done.err
        assert "\n::error" not in done.out + done.err


def test_a_large_file_is_read_in_bounded_memory_and_nothing_is_missed(repo: Repo) -> None:
    pytest.importorskip("resource")
    block = (
        "\n".join(near_misses(count=117)) + "\n" + "plain words about nothing at all, a line of them\n" * 400
    ).encode()
    with (repo.path / "big").open("wb") as out:
        for _ in range(1200):
            out.write(block)
        out.write(f"\n{KEY}\nlast {TOKEN}\n".encode())
    assert (repo.path / "big").stat().st_size > 30 << 20
    limit = """
import os, resource, sys
resource.setrlimit(resource.RLIMIT_DATA, (160 << 20,) * 2)
os.execv(sys.executable, [sys.executable, "-m", "minutebook", *sys.argv[1:]])
"""
    done = repo.run(sys.executable, "-c", limit, "redact", "--check", "big")
    assert done.code == 1, done.err
    assert [line.split(" ")[1] for line in done.out.split("\n") if line] == ["private-key", "github-token"]


def test_an_interrupt_ends_it_and_what_was_printed_is_redacted(repo: Repo) -> None:
    repo.write("a", f"a line with {TOKEN} in it, and words\n" * 200_000)
    with subprocess.Popen(
        [sys.executable, "-m", "minutebook", "redact", "a"],
        cwd=repo.path,
        env=dict(repo.env),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as run:
        assert run.stdout is not None
        first = run.stdout.read(1000)
        run.send_signal(signal.SIGINT)
        rest = run.stdout.read()
        run.wait(timeout=60)
    assert run.returncode == 130
    assert b"[redacted:github-token:1]" in first
    assert TOKEN.encode() not in first + rest


def test_a_reader_that_goes_away_is_no_verdict(repo: Repo) -> None:
    Path(repo.path / "a").write_bytes(b"words and words\n" * 400_000)
    script = f"{sys.executable} -m minutebook redact a | head -c 10 >/dev/null; echo ${{PIPESTATUS[0]}}"
    assert repo.run("bash", "-c", script).out == "141\n"
