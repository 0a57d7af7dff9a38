"""Patterns mean the same to every Python that is supported.

Before 3.11.5 a possessive repetition of more than one character forgets how far it came (CPython issue 106052): keys
passed the redactor, and documents counted as broken.
"""

import json
import pkgutil
import subprocess
import sys

import minutebook

SCRIPT = """
import importlib, json, re, sys
texts = set()
parse = re._compiler._parser.parse
def seen(text, flags=0):
    tree = parse(text, flags)
    if any(map(groups, tree)):
        texts.add(str(text))
    return tree
def groups(item):
    name, value = str(item[0]), item[1]
    if name == "POSSESSIVE_REPEAT":
        body = list(value[2])
        plain = len(body) == 1 and str(body[0][0]) in ("IN", "LITERAL", "NOT_LITERAL", "ANY")
        return not plain
    return any(groups(each) for part in parts(value) for each in part)
def parts(value):
    if isinstance(value, re._parser.SubPattern):
        yield value
    elif isinstance(value, (tuple, list)):
        for each in value:
            yield from parts(each)
re._compiler._parser.parse = seen
for name in sys.argv[1:]:
    module = importlib.import_module(name)
    for value in list(vars(module).values()):
        if type(value).__name__ == "_Uncompiled":
            value.flags
from minutebook.redaction.rules import RULES
for rule in RULES:
    rule.pattern.flags
print(json.dumps(sorted(texts)))
"""


def test_only_single_characters_are_repeated_possessively() -> None:
    found = pkgutil.walk_packages(minutebook.__path__, "minutebook.")
    names = [each.name for each in found if not each.name.endswith("__main__")]
    assert "minutebook.redaction.pem" in names
    done = subprocess.run([sys.executable, "-c", SCRIPT, *names], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == []


def test_the_look_finds_what_it_looks_for() -> None:
    name = "pattern_of_a_test"
    source = f"import sys, types, re\nsys.modules[{name!r}] = types.ModuleType({name!r})\n"
    script = source + SCRIPT.replace("for name in", "re.compile('(a++|(?:b|cd){2,3}+)x')\nfor name in", 1)
    done = subprocess.run([sys.executable, "-c", script, name], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == ["(a++|(?:b|cd){2,3}+)x"]
