"""What `minutebook init` writes, as a plan: decided from values, so that a second run decides nothing."""

import re
from fnmatch import fnmatch
from itertools import pairwise

from minutebook.ground.change import Change, File, Plan, Tree, joined, with_changes
from minutebook.ground.config import CONFIG, DEFAULT_ROOT, USUAL_ROOTS, Config, read_config
from minutebook.ground.entry import Entry, encode
from minutebook.ground.errors import CannotJudge
from minutebook.ground.log_text import log_page
from minutebook.ground.memory import (
    INDEX,
    TEMPLATE,
    Memory,
    memory_after,
    read_memory,
    roots_of,
    stray_roots,
    tree_config,
)
from minutebook.ground.nouns import counted
from minutebook.ground.unseen import one_line
from minutebook.ground.uris import ARCHIVE
from minutebook.pages.index_page import index_page, template_page
from minutebook.setup.offers import (
    AGENT_FILES,
    ATTRIBUTES,
    HOOKS_CONFIG,
    MARKDOWNLINT,
    PRETTIER,
    Setting,
    Wishes,
    agent_lines,
    formatters,
    hooks,
    merge_driver,
    owner_spaces,
    workflows,
)
from minutebook.setup.texts import STACK_FILES, appended, project_page

_NUMBER = re.compile(r"[A-Za-z]{1,16}-(?:[0-9]{4}-[0-9]{2}-[0-9]{2}-)?0*([0-9]{1,4})")
_EARLIER = "# What minutebook does here in another way than by default. Every key is optional.\n"


def wanted_at_top(name: str) -> bool:
    """Whether `plan_setup` looks at a file of this name at the top of the repository."""
    known = {CONFIG, ATTRIBUTES, HOOKS_CONFIG, ".gitignore", *STACK_FILES}
    spelled = name.lower()
    readable = spelled in AGENT_FILES or spelled in ("readme.md", "readme.rst", "readme")
    return name in known or readable or any(fnmatch(name, pattern) for pattern in (*PRETTIER, *MARKDOWNLINT))


def setup_root(paths: list[str], config: Config, asked: str) -> str:
    """The memory root to make or to adopt. `paths` are files of the repository.

    Raises CannotJudge when the choice is the user's: several roots, one in a subfolder, another than the config's.
    """
    asked = asked.replace("\\", "/").removeprefix("./").rstrip("/")
    known = roots_of(paths, config)
    if asked:
        _must_be_a_folder(asked)
        if config.roots and asked not in config.roots:
            named = ", ".join(_quoted(root) for root in (*config.roots, asked))
            raise CannotJudge(
                f"{CONFIG} names {', '.join(config.roots)} and not {asked}",
                f"write `roots: [{named}]` there, in place of the line that names them, and run this again",
            )
        return asked
    if len(known) > 1:
        raise CannotJudge(f"this repository has {len(known)} memory roots: {', '.join(known)}", "choose with --root")
    stray = stray_roots(paths, known)
    if not known and stray:
        raise CannotJudge(f"there is memory at {stray[0]}", f"minutebook init --root {stray[0]}")
    return known[0] if known else DEFAULT_ROOT


def _must_be_a_folder(asked: str) -> None:
    try:
        read_config(f"root: '{asked.replace(chr(39), chr(39) * 2)}'\n".encode(), "--root")
    except CannotJudge:
        raise CannotJudge(
            f"--root {asked} is no place for memory", "name a folder from the top of the repository, as docs/memory"
        ) from None


def plan_setup(tree: Tree, root: str, wishes: Wishes) -> Plan:
    """Everything that is missing, and nothing that is there: files are made, lines are added at the end of files,
    and beneath a root that holds memory already no file is touched.

    `tree` holds the files beneath the root, the workflows, and what `wanted_at_top` names.
    """
    memory = read_memory(tree, root, tree_config(tree))
    plan = _config_lines(tree, memory, wishes)
    after = with_changes(tree, plan.changes)
    config = tree_config(after)
    setting = Setting(tree, root, config, read_memory(after, root, config), wishes)
    for step in (_pages, owner_spaces, formatters, agent_lines, hooks, merge_driver, workflows):
        plan = joined(plan, step(setting))
    return plan


def observed_order(entries: list[Entry]) -> str:
    """The end of a log at which entries were added, told by their dates or else by the numbers in their ids; "" when
    neither says."""
    dates = [str(entry.fields.get("date", ""))[:10] for entry in entries]
    numbers = [int(match[1]) for entry in entries if (match := _NUMBER.fullmatch(entry.id))]
    for keys in (dates if all(dates) else [], numbers if len(numbers) == len(entries) else []):
        pairs = list(pairwise(keys))
        if any(first != second for first, second in pairs):
            if all(first <= second for first, second in pairs):  # type: ignore[operator]  # one kind in a list
                return "oldest-first"
            if all(first >= second for first, second in pairs):  # type: ignore[operator]
                return "newest-first"
    return ""


def _config_lines(tree: Tree, memory: Memory, wishes: Wishes) -> Plan:
    config, lines = memory.config, list[str]()
    if not config.roots and memory.root not in (wishes.found or USUAL_ROOTS):
        if wishes.found:
            named = ", ".join(_quoted(root) for root in (*wishes.found, memory.root))
            lines.append(f"roots: [{named}]   # every folder with memory")
        else:
            lines.append(f"root: {_quoted(memory.root)}   # where memory lives; .memory when nothing is said")
    decisions = wishes.decisions or ("files" if _one_file_each(memory) else config.decisions)
    if decisions != config.decisions:
        lines.append(f"decisions: {decisions}   # each decision in a file of its own, not in one log")
    orders = _orders(memory)
    if orders:
        lines.append("order:   # the end of a log at which new entries go, as it was found")
        lines += [f"  {name}: {order}" for name, order in orders.items()]
    if not lines:
        return Plan()
    return _appended_config(tree.get(CONFIG), "\n".join(lines) + "\n")


def _appended_config(old: File | None, text: str) -> Plan:
    if old is None:
        return Plan((Change(CONFIG, None, File(encode(_EARLIER + text)), "what differs from the default"),))
    new = appended(old.data, text)
    try:
        read_config(new)
    except CannotJudge:
        return Plan(
            notes=(f"{CONFIG} says otherwise, or can't be added to at its end; make it say:\n{_indented(text)}",)
        )
    return Plan((Change(CONFIG, old, File(new, old.mode), "what differs from the default"),))


def _one_file_each(memory: Memory) -> bool:
    decisions = [entry for entry in memory.entries() if entry.type == "decision"]
    alone = any(not entry.in_log for entry in decisions)
    return alone and not any(entry.in_log and "decision" in entry.fields for entry in decisions)


def _orders(memory: Memory) -> dict[str, str]:
    found: dict[str, set[str]] = {}
    for path, file in memory.files.items():
        if file.log and not memory.inner(path).startswith(ARCHIVE):
            found.setdefault(file.type, set()).add(observed_order(list(file.entries)))
    orders = {name: next(iter(seen - {""})) for name, seen in found.items() if len(seen - {""}) == 1}
    return {name: order for name, order in orders.items() if order != memory.order(memory.types[name])}


def _pages(setting: Setting) -> Plan:
    memory, root = setting.memory, setting.root
    if memory.files or f"{root}/{INDEX}" in setting.tree:
        held = counted(len(list(memory.entries(archived=True))), "entry")
        return Plan(notes=(f"{root}/ holds {held} and stays as it is",))
    page = project_page(one_line(setting.wishes.name) or "this project", setting.tree, setting.wishes.today)
    changes = [Change(f"{root}/project/context.md", None, File(encode(page)), "what every session should know")]
    decision = memory.types["decision"]
    if not memory.alone(decision):
        text = log_page(decision, memory.order(decision))
        changes.append(Change(f"{root}/decisions/_log.md", None, File(encode(text)), "the decision log, still empty"))
    made = memory_after(memory, setting.tree, tuple(changes))
    changes.append(Change(f"{root}/{INDEX}", None, File(encode(index_page(made))), "the map of everything"))
    template = File(encode(template_page(made.types.values())))
    old = setting.tree.get(f"{root}/{TEMPLATE}")
    if old is None:
        changes.append(Change(f"{root}/{TEMPLATE}", None, template, "what a new entry looks like"))
    return Plan(tuple(changes))


def _quoted(text: str) -> str:
    plain_scalar = re.fullmatch(r"[A-Za-z_./-][A-Za-z0-9_./-]*", text) and text.lower() not in ("true", "false", "null")
    return text if plain_scalar else "'" + text.replace("'", "''") + "'"


def _indented(text: str) -> str:
    return "".join(f"    {line}\n" for line in text.rstrip("\n").split("\n"))
