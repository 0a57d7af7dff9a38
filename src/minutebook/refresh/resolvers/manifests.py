"""What manifests and configs say: packages, their versions, the tools in use, the programs that a project makes."""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from minutebook.refresh.anchors import TOOLS, Reference
from minutebook.refresh.view import Resolution, View

_REQUIREMENT = re.compile(r"\s*([A-Za-z0-9][A-Za-z0-9._-]{0,99})\s*(?:\[[^\]]*\])?\s*\(?([^;#\n]{0,200})")
_RUNTIMES = {"python": "python", "node": "node", "nodejs": "node", "node.js": "node", "go": "go", "rust": "rust"}
_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)*")
_REQUIRES = re.compile(r"(?i)(?:install|tests|setup|extras)_requires?\s{0,4}[=:]([^\]}]{0,3000})")
_SETUP_LIST = re.compile(r"""["']([A-Za-z0-9][\w.-]*(?:\[[^\]]*\])?\s*(?:[<>=!~^]=?[^"']{0,60})?)["']""")
_COMPOSE = tuple(f"{name}.{end}" for name in ("docker-compose", "compose") for end in ("yml", "yaml"))
_IMAGE_FILES = ("Dockerfile", "Containerfile", *_COMPOSE)
_IMAGE = re.compile(r"(?im)^[ \t]{0,40}(?:FROM(?:[ \t]+--\S{1,60})?|image:)[ \t]+[\"']?([\w./-]{1,100}):([\w.-]{1,60})")
_HOOK = re.compile(r"repo:[ \t]*\S{0,200}/([\w.-]{1,60})[ \t]*\n[ \t]*rev:[ \t]*[\"']?([\w.-]{1,40})")
_GO_MODULE = re.compile(r"(?m)^\s*(?:require\s+)?([\w.-]+(?:/[\w.-]+)+)\s+(v[0-9][\w.-]*)")
_SCRIPT = re.compile(r"""["']?([A-Za-z][\w.-]*)\s*=\s*[\w.]+:[\w.]+""")


def resolve_package(reference: Reference, view: View, home: str) -> Resolution | None:
    """A package that a manifest at the top asks for, or one that this repository is or holds."""
    if plain_name(reference.text) in requirements(view) or view.tree.named(f"{reference.text}/__init__.py"):
        return Resolution()
    return None


def resolve_version(reference: Reference, view: View, home: str) -> Resolution | None:
    """`NAME NUMBER`: a manifest asks for that name, and says that number. `says` is what it says."""
    name, _, number = reference.text.rpartition(" ")
    said = version_said(name, view)
    return Resolution(says=said) if said and _agrees(number, said) else None


def resolve_tool(reference: Reference, view: View, home: str) -> Resolution | None:
    """A tool whose config lies at the top, which has a table in pyproject.toml, or which a manifest asks for."""
    name = reference.text
    if any(each in view.tree for each in TOOLS.get(name, ())) or plain_name(name) in requirements(view):
        return Resolution()
    if view.tree.named(f"{name}/__init__.py"):
        return Resolution()
    tables = manifest(view, "pyproject.toml").get("tool")
    return Resolution() if isinstance(tables, dict) and name in tables else None


def version_said(name: str, view: View) -> str:
    """What the manifests say of a package's or a runtime's version; "" when nothing."""
    return requirements(view).get(_RUNTIMES.get(name.lower(), plain_name(name)), "")


def scripts(view: View) -> Mapping[str, str]:
    """The programs that the project makes, by name."""
    found = _known(view, "scripts")
    return found if found is not None else _remember(view, "scripts", dict(_scripts(view)))


def requirements(view: View) -> Mapping[str, str]:
    """Package (in lower case, with `-`) to what is said of its version; runtimes too."""
    found = _known(view, "requirements")
    return found if found is not None else _remember(view, "requirements", dict(_requirements(view)))


def manifest(view: View, name: str) -> Mapping[str, Any]:
    """A manifest at the top; one that can't be read declares nothing."""
    text = view.text(name)
    try:
        value = tomllib.loads(text) if name.endswith(".toml") else json.loads(text or "{}")
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def plain_name(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower() if not name.startswith("@") else name.lower()


def _requirements(view: View) -> Iterator[tuple[str, str]]:
    """What is said later holds: of one name a package's own manifest says more than a hook or a module's path."""
    yield from _of_images(view)
    yield from _of_hooks(view.text(".pre-commit-config.yaml"))
    yield from _of_go(view.text("go.mod"))
    yield from _of_pyproject(manifest(view, "pyproject.toml"))
    yield from _of_package_json(manifest(view, "package.json"))
    yield from _of_cargo(manifest(view, "Cargo.toml"))
    for name in view.tree.matching("requirements*.txt") + view.tree.matching("requirements/*.txt"):
        yield from (row for line in view.text(name).split("\n") for row in _requirement(line))
    for name in ("setup.py", "setup.cfg"):
        text = view.text(name)
        for part in _REQUIRES.findall(text):
            yield from (row for match in _SETUP_LIST.finditer(part) for row in _requirement(match[1]))
            yield from (row for line in part.split("\n")[1:] if "=" not in line[:1] for row in _requirement(line))
        if said := re.search(r"python_requires\s*=\s*[\"']?([^\"'\n,#]+(?:,[^\"'\n#]+)?)", text):
            yield "python", said[1].strip()
    yield from (("python", text) for text in [view.text(".python-version").strip()] if text)
    yield from (("node", text) for text in [view.text(".nvmrc").strip()] if text)


def _of_images(view: View) -> Iterator[tuple[str, str]]:
    """`image NAME` with all the tags that Dockerfiles and compose files start from."""
    tags: dict[str, list[str]] = {}
    for path in [path for name in _IMAGE_FILES for path in view.tree.named(name)]:
        for name, tag in _IMAGE.findall(view.text(path)):
            tags.setdefault(plain_name(f"image {name}"), []).append(tag)
    yield from ((name, " ".join(dict.fromkeys(found))) for name, found in tags.items())


def _of_hooks(text: str) -> Iterator[tuple[str, str]]:
    """The revisions of pre-commit's hooks, by the tool that each repository is named after."""
    for name, rev in _HOOK.findall(text):
        yield plain_name(name.removesuffix(".git").removesuffix("-pre-commit").removeprefix("mirrors-")), rev


def _of_go(text: str) -> Iterator[tuple[str, str]]:
    """Modules by their whole path, and by its last part, which is what people call them."""
    for path, said in _GO_MODULE.findall(text):
        yield plain_name(re.sub(r"/v[0-9]+$", "", path).rpartition("/")[2]), said
        yield plain_name(path), said
    yield from re.findall(r"(?m)^(go)\s+([0-9.]+)", text)


def _of_pyproject(value: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    project, tool = _dict(value.get("project")), _dict(value.get("tool"))
    lists = [project.get("dependencies"), *_dict(project.get("optional-dependencies")).values()]
    lists += _dict(value.get("dependency-groups")).values()
    for line in (line for each in lists if isinstance(each, list) for line in each if isinstance(line, str)):
        yield from _requirement(line)
    poetry = _dict(tool.get("poetry"))
    tables = [poetry.get("dependencies"), poetry.get("dev-dependencies")]
    tables += [_dict(group).get("dependencies") for group in _dict(poetry.get("group")).values()]
    for name, said in (pair for table in tables for pair in _dict(table).items()):
        yield plain_name(name), str(_dict(said).get("version", "*") if isinstance(said, dict) else said)
    if isinstance(project.get("requires-python"), str):
        yield "python", project["requires-python"]
    yield from ((plain_name(each["name"]), "*") for each in (project, poetry) if isinstance(each.get("name"), str))


def _of_package_json(value: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for key in ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies"):
        yield from ((name.lower(), str(said)) for name, said in _dict(value.get(key)).items())
    yield from ((name, str(said)) for name, said in _dict(value.get("engines")).items())
    if isinstance(value.get("name"), str):
        yield value["name"].lower(), "*"


def _of_cargo(value: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for key in ("dependencies", "dev-dependencies", "build-dependencies"):
        for name, said in _dict(value.get(key)).items():
            yield plain_name(name), str(_dict(said).get("version", "*") if isinstance(said, dict) else said)
    package = _dict(value.get("package"))
    if isinstance(package.get("rust-version"), str):
        yield "rust", package["rust-version"]


def _requirement(line: str) -> Iterator[tuple[str, str]]:
    match = _REQUIREMENT.match(line)
    if match and not line.lstrip().startswith(("#", "-")):
        yield plain_name(match[1]), match[2].strip(" )") or "*"


def _scripts(view: View) -> Iterator[tuple[str, str]]:
    pyproject = manifest(view, "pyproject.toml")
    for table in (_dict(pyproject.get("project")), _dict(_dict(pyproject.get("tool")).get("poetry"))):
        yield from ((name, "") for name in _dict(table.get("scripts")))
    package = manifest(view, "package.json")
    made = package.get("bin")
    if isinstance(made, str) and isinstance(package.get("name"), str):
        yield package["name"].rpartition("/")[2], ""
    yield from ((name, "") for name in _dict(made))
    for name in ("setup.py", "setup.cfg"):
        text = view.text(name)
        at = text.find("console_scripts")
        yield from ((match[1], "") for match in (_SCRIPT.finditer(text[at : at + 2000]) if at >= 0 else ()))
    yield from ((path.split("/")[1], "") for path in view.tree.matching("cmd/*/main.go"))
    cargo = manifest(view, "Cargo.toml")
    yield from ((str(each["name"]), "") for each in cargo.get("bin", ()) if isinstance(each, dict) and "name" in each)
    if "src/main.rs" in view.tree and isinstance(_dict(cargo.get("package")).get("name"), str):
        yield cargo["package"]["name"], ""


def _agrees(number: str, said: str) -> bool:
    """Whether one of the numbers that a manifest says starts as the number does: 3.11 with >=3.11.2, and not 3.1."""
    wanted = number.split(".")
    return any(each.split(".")[: len(wanted)] == wanted for each in _NUMBER.findall(said))


def _dict(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _known(view: View, what: str) -> Mapping[str, str] | None:
    return view.known.get(what)


def _remember(view: View, what: str, found: Mapping[str, str]) -> Mapping[str, str]:
    view.known[what] = found
    return found
