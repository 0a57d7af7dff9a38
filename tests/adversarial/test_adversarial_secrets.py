"""Texts that are made to keep the search for secrets busy: a limit of processor time and memory for each."""

import subprocess
import sys

import pytest

from minutebook.redaction.rules import RULES

LITERALS = sorted({literal for rule in RULES for literal in rule.literals})
GROUPS = 6
SECONDS, BYTES = 2, 256 << 20
_LIMITS = f"""
import resource, sys
from minutebook.redaction.redact import Redactor, find_secrets
resource.setrlimit(resource.RLIMIT_DATA, ({BYTES}, {BYTES}))


def limited(seconds):
    spent = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    resource.setrlimit(resource.RLIMIT_CPU, (int(spent) + seconds + 1, resource.getrlimit(resource.RLIMIT_CPU)[1]))


def repeated(unit, size):
    return (unit * (size // len(unit) + 1))[:size]

"""
# For each literal a megabyte of near misses: one quadratic pattern would need minutes for its own.
_MEGABYTE = """
tails = ["", "A", ' = "', ": " + "a1" * 120 + " ", " for " + "q" * 40 + " is ", "/:@", ".eyJ", "'" * 3 + " " * 4, "=",
         "=xxxxxxxx ", ": example1 ", " is example1 ", "-----", "\\n", "\\u200b"]
for literal in sys.argv[1:]:
    limited(2)
    find_secrets("".join(repeated(literal + tail, 2**20 // len(tails)) for tail in tails))
    print(repr(literal))
"""
_TEN = """
text = repeated(sys.argv[1].encode().decode("unicode_escape"), 10_000_000)
limited(SECONDS)
found = find_secrets(text)
print(len(found) > 0)
"""
TEN = {
    "passwords": "password=xxxxxxxx ",
    "a word that many rules wait for": "pw=",
    "tokens that go on": "token=",
    "keys of nothing": "api_key: example1 ",
    "first lines of private keys": "-----BEGIN RSA PRIVATE KEY-----\\n",
    "last lines of private keys": "AAAA\\n-----END RSA PRIVATE KEY-----\\n",
    "one line of digits before a last line": "1",
    "addresses": "://:@",
    "words that look random": "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC2eF4h... ",
    "dotted runs": "eyJaaaaaaaaaaaaa.",
    "cookies": "cookie: a=",
    "placeholders": "[redacted:password:1]",
    "hidden characters": "a\\u200b",
    "escapes of a URL": "%41",
    "escapes that aren't": "&#",
    "strings joined": '"+',
    "full width": "\\uff41",
    "columns of numbers": "1234 ",
    "spaces": " ",
    "one letter": "a",
}


def run(script: str, *arguments: str) -> list[str]:
    pytest.importorskip("resource")
    command = [sys.executable, "-c", _LIMITS + script.replace("SECONDS", str(SECONDS)), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, (done.returncode, done.stdout[-100:], done.stderr[-600:])
    return done.stdout.split("\n")[:-1]


@pytest.mark.parametrize("group", range(GROUPS))
def test_no_rule_takes_more_than_linear_time_on_a_hostile_megabyte(group: int) -> None:
    mine = LITERALS[group::GROUPS]
    assert run(_MEGABYTE, *mine) == [repr(literal) for literal in mine]


@pytest.mark.parametrize("name", TEN)
def test_ten_megabytes_of_near_misses_are_judged_within_the_limits(name: str) -> None:
    assert run(_TEN, TEN[name]) in (["True"], ["False"])


def test_what_is_too_crowded_to_judge_is_taken_out() -> None:
    script = (
        "text = 'fine words\\n' * 1000 + repeated('pw: example1 pw=', 6_000_000) + '\\nfine'\n"
        "clean = Redactor().redact(text)\n"
        "print('[redacted:crowded:' in clean, len(clean) < 3_000_000, clean[:10], find_secrets(clean))"
    )
    assert run(script) == ["True True fine words []"]
