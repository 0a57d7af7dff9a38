"""Much of everything: what lies just within the bounds is judged in time, what lies beyond them is refused at once."""

from collections.abc import Callable

import pytest
from limits import limited

from conftest import LOG, PATTERN, Repo

FULL = 7_900_000
HEAD = "---\nid: a\ntitle: A title\nabstract: One sentence that says it.\n"
ENTRY = "### DEC-{n}-1 — A title\n**Decision:** It is chosen so.\n**Date:** 2026-11-01\n{more}\n"
ONE = ENTRY.format(n=1, more="")
LACKING = "### DEC-{n}-1 — T\n**Decision:** It is so.\n**Date:** 2026-11-01\n\n"
TYPE = """name: note
title: Note
memory: episodic
describe: A custom type that the tests describe here.
place: notes/{slug}.md
layout: file
write: append
id: note-{slug}
load: selective
durability: durable
schema:
"""


def full(unit: str, size: int = FULL) -> str:
    return unit * (size // len(unit.encode("utf-8", "surrogateescape")))


def page(body: str) -> dict[str, str]:
    return {PATTERN: f"{HEAD}---\n{body}\n"}


def head(yaml: str) -> dict[str, str]:
    return {PATTERN: f"{HEAD}{yaml}---\n"}


def types(schema: str) -> dict[str, str]:
    return {".memory/types/note.yaml": TYPE + schema}


def evil_values(pattern: str) -> dict[str, str]:
    """A type of one's own with a pattern, and entries with the longest values that it is asked about."""
    schema = f"  properties:\n    mood: {{type: string, pattern: '{pattern}'}}\n"
    values = [full(unit, 9_990) + "!" for unit in ("a", "ab", "a-", "1", "x.")]
    notes = {f".memory/notes/n{n}.md": f"---\nid: n{n}\ntitle: A title\nmood: {v}\n---\n" for n, v in enumerate(values)}
    return {**types(schema), **notes}


# What each holds, the exit code, and words that its answer has.
CASES: dict[str, tuple[Callable[[], dict[str, str]], int, str]] = {
    "one line": (lambda: page(full("x")), 1, "the body is longer than 5000 tokens by far"),
    "one line of words": (lambda: page(full("word ")), 1, "the body is longer"),
    "one entry of a log": (lambda: {LOG: ONE + full("word ")}, 1, "the body is longer"),
    "empty lines": (lambda: page("\n" * 399_000), 0, ""),
    "short lines": (lambda: page(("x" * 18 + "\n") * 399_000), 1, "the body is longer"),
    "headings": (lambda: page("## h\n" * 24_900), 1, "the body is longer"),
    "fences": (lambda: page("```\n" * 390_000), 1, "the body is longer"),
    "open comments": (lambda: page(full("<!--")), 1, "the body is longer"),
    "comments in lines": (lambda: page("x <!--\n" * 390_000), 1, "`<!--` isn't closed on its line"),
    "zero-width spaces": (lambda: page(full("\u200b")), 1, "U+200B"),
    "zero-width spaces in lines": (lambda: page("a\u200bb\n" * 390_000), 1, "U+200B"),
    "joiners": (lambda: page(full("\u200d")), 1, "U+200D"),
    "variation selectors": (lambda: page(full("\U000e0101")), 1, "U+E0101"),
    "emoji": (lambda: page(full("😀\ufe0f", 5_000_000)), 1, "the body is longer"),
    "NULs": (lambda: page(full("\x00")), 1, "U+0000"),
    "bytes that are no UTF-8": (lambda: page(full("\udcff")), 1, "byte 0xFF is no UTF-8"),
    "carriage returns": (lambda: page(full("\r")), 1, "U+000D"),
    "line ends of Unicode": (lambda: page(full("\u2028")), 1, "U+2028"),
    "base64": (lambda: page(full("aGVsbG8gd29ybGQ9PT0")), 1, "the body is longer"),
    "hashes": (lambda: page(full("# ")), 1, ""),
    "blanks": (lambda: page(full(" ") + "x"), 0, ""),
    "stars": (lambda: {LOG: ONE + full("**a")}, 1, "the body is longer"),
    "a title": (lambda: {LOG: ONE.replace("A title", full("# "))}, 1, "(maxLength)"),
    "a field": (lambda: head("x: " + full("y") + "\n"), 1, "more than 262144 characters of front matter"),
    "brackets": (lambda: head("x: " + full("[", 250_000) + "\n"), 1, ":5: yaml: "),
    "ever deeper": (lambda: head("".join(f"{' ' * n}a:\n" for n in range(680))), 1, "nested deeper than 32 levels"),
    "a quoted text of line ends": (lambda: head(f'x: "{full(chr(92) + "n", 250_000)}"\n'), 0, ""),
    "fields": (lambda: head("".join(f"k{n}: v\n" for n in range(90_000))), 1, "characters of front matter"),
    "fields that fit": (lambda: head("".join(f"k{n}: v\n" for n in range(24_000))), 1, "more than 1000 fields"),
    "fields nearly right": (lambda: head("".join(f"tags{n}: v\n" for n in range(20_000))), 1, "did you mean `tags`?"),
    "a list": (lambda: head("x: [" + "a, " * 340_000 + "]\n"), 1, "characters of front matter"),
    "a list that fits": (lambda: head("x: [" + "a, " * 85_000 + "]\n"), 1, "more than 10000 keys and values of YAML"),
    "a list in lists": (
        lambda: head(f"x: {'[' * 30}{'a,' * 120_000}{']' * 30}\n"), 1, "more than 10000 keys and values of YAML",
    ),
    "sources": (lambda: head("sources:\n" + "- {session: x}\n" * 65_000), 1, "characters of front matter"),
    "sources that fit": (lambda: head("sources:\n" + "- {session: x}\n" * 3_000), 1, "(maxItems)"),
    "related ids": (lambda: {LOG: f"{ONE}**Related:** {full('DEC-9-9, ')}\n"}, 1, "relations lead nowhere"),
    "related backticks": (lambda: {LOG: f"{ONE}**Related:** {full('`')}\n"}, 1, "the body is longer"),
    "superseded ids": (lambda: {LOG: f"{ONE}**Supersedes:** {full('A-1,')}\n"}, 1, "`supersedes`"),
    "an id": (lambda: {LOG: f"### {full('A-1')}\n"}, 0, ""),
    "an id in a marker": (lambda: {LOG: f"{ONE}> SUPERSEDED by {full('A-1')}\n"}, 1, "there is no such entry"),
    "markers": (lambda: {LOG: ONE + "> SUPERSEDED by DEC-2-1\n" * 300_000}, 1, "there is no such entry"),
    "one label": (lambda: {LOG: ONE + "**Tags:** a\n" * 390_000}, 1, "the body is longer"),
    "labels": (lambda: {LOG: ONE + "".join(f"**L{n}:** v\n" for n in range(390_000))}, 1, "more than 1000 fields"),
    "sources in a log": (lambda: {LOG: ONE + "**Source:** session a\n" * 350_000}, 1, "holds more than 10000 values"),
    "entries that lack something": (
        lambda: {LOG: "".join(LACKING.format(n=n) for n in range(24_000))},
        1, "beside those listed, 23800 entries haven't",
    ),
    "circles": (
        lambda: {LOG: "".join(ENTRY.format(n=n, more=f"**Supersedes:** DEC-{n ^ 1}-1") for n in range(20_000))},
        1, "in a circle: DEC-",
    ),
    "comments": (lambda: page("<!--\n-->\n" * 195_000), 1, "the body is longer"),
    "paragraphs": (lambda: page("word word word. word word word word wor\n\n" * 190_000), 1, "the body is longer"),
    "front matter without end": (lambda: {PATTERN: HEAD + full("x: y\n", 1_900_000)}, 1, "never closed"),
    "too many bytes": (lambda: page(full("x", 10_000_000)), 2, "more than 8000000 bytes"),
    "too many lines": (lambda: page("\n" * 500_000), 2, "more than 400000 lines"),
    "too many headings": (lambda: page("# x\n" * 30_000), 2, "more than 25000 headings"),
    "a baseline of brackets": (lambda: {**page("x"), ".memory/baseline.json": full("[")}, 2, "the baseline"),
    "a baseline of words": (lambda: {**page("x"), ".memory/baseline.json": f"[{full('1,')}1]"}, 2, "the baseline"),
    "a config": (lambda: {**page("x"), ".minutebook.yaml": "published:\n" + "- main\n" * 140_000}, 0, ""),
    "a type file": (lambda: types("  x: " + full("y")), 1, "more than 1048576 characters of YAML"),
    "a type of many fields": (
        lambda: types("  properties:\n" + "".join(f"    k{n}: {{title: x}}\n" for n in range(5_000))),
        1, ":11: type: `schema`: it has more than 1000 parts",
    ),
    "a type of many patterns": (
        lambda: types("  properties:\n" + "".join(f"    k{n}: {{pattern: 'a{{{n}}}b'}}\n" for n in range(900))),
        1, "more than 20 patterns",
    ),
    "a type that doubles": (
        lambda: types("  $defs:\n" + "".join(
            f"    d{n}: {{allOf: [{{$ref: '#/$defs/d{n + 1}'}}, {{$ref: '#/$defs/d{n + 1}'}}]}}\n" for n in range(40)
        )  + "    d40: {type: string}\n  properties: {a: {$ref: '#/$defs/d0'}}\n"),
        1, "more than 500 times",
    ),
    "a pattern with a way out": (lambda: evil_values("^(-[a-z0-9]+)*$"), 1, "does not match"),
    "a pattern of many repeats": (lambda: evil_values("a*a*a*a*a*a*b"), 1, "does not match"),
    "a pattern found anywhere": (lambda: evil_values(".*.*.*=.*"), 1, "does not match"),
    "a pattern of blanks": (lambda: evil_values(r"\s+\s+\s+$"), 1, "does not match"),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_much_of_it_is_judged_within_two_seconds_and_256_megabytes(repo: Repo, name: str) -> None:
    made, code, words = CASES[name]
    for path, text in made().items():
        repo.write(path, text)
    repo.git("-c", "core.compression=0", "add", "--all")
    done = limited(repo, "check", "--all")
    assert done.code == code, done.err[-500:] + done.out[:2000]
    assert words in done.out + done.err, done.out[:2000]
    assert len(done.out) < 40_000


SCHEMAS = {
    "$ref: 'https://127.0.0.1:9/x.json'": "nothing is fetched",
    "$ref: 'file:///etc/passwd'": "nothing is fetched",
    "$ref: '../../../etc/passwd'": "nothing is fetched",
    "properties: {a: {$dynamicRef: 'http://127.0.0.1:9/x'}}": "nothing is fetched",
    "$schema: 'http://127.0.0.1:9/schema'": "`$schema` is not read",
    "properties: {a: {$id: 'http://127.0.0.1:9/'}}": "`$id` is not read",
    "allOf: [{$ref: '#'}]": "itself without end",
    "properties: {a: {pattern: '^(a+)+$'}}": "can take for ever",
    "properties: {a: {pattern: '(a|aa)+$'}}": "can take for ever",
    "properties: {a: {pattern: '(?=(a+))b'}}": "can take for ever",
    r"properties: {a: {pattern: '(a)\1'}}": "can take for ever",
    "properties: {a: {pattern: '[ab]*a[ab]{20}$'}}": "can take for ever",
    "properties: {a: {pattern: '['}}": "is not a 'regex'",
    "patternProperties: {'(a+)+$': {}}": "`patternProperties` is not read",
    "properties: {a: {type: sting}}": "is not valid",
}


@pytest.mark.parametrize("schema", SCHEMAS)
def test_a_schema_that_means_harm_is_refused_at_its_line(repo: Repo, schema: str) -> None:
    for path, text in types(f"  {schema}\n").items():
        repo.write(path, text)
    repo.git("add", "--all")
    done = limited(repo, "check", "--all")
    assert done.code == 1
    assert done.out.startswith(".memory/types/note.yaml:11: type: `schema`: ")
    assert SCHEMAS[schema] in done.out


def test_a_pattern_ends_where_the_text_ends(repo: Repo) -> None:
    for path, text in types("  properties: {mood: {type: string, pattern: '^[a-z]+$'}}\n").items():
        repo.write(path, text)
    for name, mood in (("a", "abc"), ("b", '"abc\\n"')):
        repo.write(f".memory/notes/{name}.md", f"---\nid: {name}\ntitle: A title\nmood: {mood}\n---\n")
    repo.git("add", "--all")
    done = limited(repo, "check", "--all", "--only", "schema")
    assert done.out.startswith(".memory/notes/b.md:4: schema: `mood`: 'abc\\n' does not match")
    assert done.out.count("schema") == 1
