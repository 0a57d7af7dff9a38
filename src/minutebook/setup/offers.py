"""What `init` adds around the memory root: ignore lines, lines for agents, the hook, the workflows.

Each function gives the plan of one step. Files that exist are added to at their end, never rewritten; what can't be
done so becomes a note with the lines to add by hand.
"""

import re
from collections.abc import Mapping
from datetime import date
from fnmatch import fnmatch

from minutebook.ground.change import LINK, Change, File, Plan, Tree, joined
from minutebook.ground.config import Config
from minutebook.ground.entry import encode
from minutebook.ground.frozen import EMPTY, frozen
from minutebook.ground.memory import Memory
from minutebook.ground.strict_yaml import StrictYamlError, load
from minutebook.setup.texts import AGENT_LINES, HOOK, HOOKS_FILE, MERGED, OPENS, appended, has_line

ATTRIBUTES = ".gitattributes"
HOOKS_CONFIG = ".pre-commit-config.yaml"
WORKFLOWS = ".github/workflows"
PRETTIER = (".prettierrc*", "prettier.config.*", ".prettierignore")
MARKDOWNLINT = (".markdownlint*",)
AGENT_FILES = ("agents.md", "claude.md")


@frozen
class Wishes:
    """What the command line asks for. `name` is the project's, `found` are the memory roots that are found without a
    config, `workflows` the files to copy by name; `decisions` is "" when nothing is said."""

    name: str
    today: date
    found: tuple[str, ...] = ()
    decisions: str = ""
    pre_commit: bool = False
    merge_driver: bool = False
    workflows: Mapping[str, bytes] = EMPTY


@frozen
class Setting:
    """What each step looks at: the files as they are, the root, and the config and memory as they will be read."""

    tree: Tree
    root: str
    config: Config
    memory: Memory
    wishes: Wishes


def owner_spaces(setting: Setting) -> Plan:
    line = f"{setting.root}/users/"
    spellings = (line, f"/{line}", line.rstrip("/"), f"/{line.rstrip('/')}")
    if setting.config.users == "commit" or has_line(setting.tree.get(".gitignore"), spellings):
        return Plan()
    return _line(setting, ".gitignore", line, "what belongs to one person stays on the machine")


def formatters(setting: Setting) -> Plan:
    plan = Plan()
    for tool, patterns, ignore in (
        ("prettier", PRETTIER, ".prettierignore"),
        ("markdownlint", MARKDOWNLINT, ".markdownlintignore"),
    ):
        used = any(fnmatch(path, pattern) for path in setting.tree for pattern in patterns)
        if not used or has_line(setting.tree.get(ignore), (f"{setting.root}/", f"/{setting.root}/", setting.root)):
            continue
        if ignore in setting.tree:
            plan = joined(plan, _line(setting, ignore, f"{setting.root}/", "a formatter would change sealed entries"))
        else:
            also = f" (markdownlint-cli2: `ignores: ['{setting.root}/**']`)" if tool == "markdownlint" else ""
            note = f"{tool} would change sealed entries; put this line into {ignore}: {setting.root}/{also}"
            plan = joined(plan, Plan(notes=(note,)))
    return plan


def agent_lines(setting: Setting) -> Plan:
    found = {path.lower(): path for path in setting.tree if path.lower() in AGENT_FILES}
    files = [found[name] for name in AGENT_FILES if name in found]
    if any(OPENS.encode() in setting.tree[path].data for path in files):
        return Plan()
    regular = [path for path in files if setting.tree[path].mode != LINK]
    path = regular[0] if regular else "AGENTS.md"
    if files and not regular:
        return Plan(notes=(f"{files[0]} is a symlink; add these lines to the file it leads to:\n{AGENT_LINES}",))
    old = setting.tree.get(path)
    new = File(appended(old.data, AGENT_LINES, apart=True), old.mode) if old else File(encode(AGENT_LINES))
    return Plan((Change(path, old, new, "tells agents when to ask"),))


def hooks(setting: Setting) -> Plan:
    old = setting.tree.get(HOOKS_CONFIG)
    if old is not None and b"minutebook" in old.data:
        return Plan()
    why = "judges memory at every commit; `pre-commit install` or `prek install` switches it on"
    added = _with_hook(old) if old is not None else File(encode(HOOKS_FILE))
    if added is None:
        return Plan(notes=(f"add this to {HOOKS_CONFIG}:\n{HOOK}",))
    if not setting.wishes.pre_commit:
        return Plan(notes=(f"`minutebook init --pre-commit` adds the hook that judges commits to {HOOKS_CONFIG}",))
    if old is not None and b"pre-merge-commit" not in old.data:
        why = why.replace("install`", "install -t pre-commit -t pre-merge-commit`")
    return Plan((Change(HOOKS_CONFIG, old, added, why),))


def _with_hook(old: File) -> File | None:
    """The file with our hook as the last item of `repos:`, when that can be done by adding lines at its end."""
    for text in (HOOK, re.sub(r"(?m)^  ", "", HOOK)):
        new = appended(old.data, text)
        try:
            before, after = (load(data.decode("utf-8")).value for data in (old.data, new))
        except (StrictYamlError, UnicodeDecodeError):
            continue
        repos = before.get("repos")
        if isinstance(repos, list) and repos and after == before | {"repos": [*repos, after["repos"][-1]]}:
            return File(new, old.mode)
    return None


def merge_driver(setting: Setting) -> Plan:
    """Lines that have git call the driver for every page of every root, and for what the config maps from elsewhere.
    The last line that fits a path counts, so ours come after what stands there."""
    if not setting.wishes.merge_driver:
        return Plan()
    config, old = setting.config, setting.tree.get(ATTRIBUTES)
    mapped = [re.sub(r"([\[\\])", r"\\\1", glob) for globs in config.mapped.values() for glob in globs]
    names = [*(f"{_literal(root)}/**/*.md" for root in config.roots or (setting.root,)), *mapped]
    lines = [line for name in names if not has_line(old, (line := f"{_attribute_path(f'/{name}')} {MERGED}",))]
    if not lines:
        return Plan()
    if old is not None and (old.mode == LINK or b"\0" in old.data):
        return Plan(notes=(f"{ATTRIBUTES} is no plain text file; make it say: {'; '.join(lines)}",))
    text = "".join(f"{line}\n" for line in lines)
    new = File(appended(old.data, text), old.mode) if old is not None else File(encode(text))
    return Plan((Change(ATTRIBUTES, old, new, "git merges memory entry by entry, in clones that know the driver"),))


def _literal(root: str) -> str:
    """A folder's name in which nothing is a pattern."""
    return re.sub(r"([*?\[\\])", r"\\\1", root)


def _attribute_path(pattern: str) -> str:
    """The pattern as `.gitattributes` takes it: in C style where a space, a quote or such is in it."""
    if re.fullmatch(r"[^\s\"\x00-\x1f\x7f]+", pattern):
        return pattern
    special = {"\\": "\\\\", '"': '\\"'}
    return '"' + "".join(special.get(each, each if each >= " " else f"\\{ord(each):03o}") for each in pattern) + '"'


def workflows(setting: Setting) -> Plan:
    plan = Plan()
    for name, data in setting.wishes.workflows.items():
        path = f"{WORKFLOWS}/{name}"
        old = setting.tree.get(path)
        if old is None:
            plan = joined(plan, Plan((Change(path, None, File(data), "runs in CI"),)))
        elif old.data != data:
            plan = joined(plan, Plan(notes=(f"{path} exists and differs from ours; it stays as it is",)))
    return plan


def _line(setting: Setting, path: str, line: str, why: str) -> Plan:
    """`line` at the end of a file, which is made when it isn't there."""
    old = setting.tree.get(path)
    if old is None:
        return Plan((Change(path, None, File(encode(f"{line}\n")), why),))
    if old.mode == LINK or b"\0" in old.data:
        return Plan(notes=(f"{path} is no plain text file; make it say: {line}",))
    return Plan((Change(path, old, File(appended(old.data, f"{line}\n"), old.mode), why),))
