"""The package as people get it: `schemas/` and `ci/` are found however it was installed; the workflows are sound."""

import os
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[1]
TYPES = sorted(path.stem for path in (CHECKOUT / "schemas" / "types").glob("*.yaml"))
WORKFLOWS = sorted((CHECKOUT / ".github" / "workflows").glob("*.yml"))


def run(*command: str | Path, cwd: Path, **extra: str) -> str:
    env = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "GIT_"))}
    done = subprocess.run([str(part) for part in command], cwd=cwd, env=env | extra, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout.decode() + done.stderr.decode()
    return done.stdout.decode().replace("\r\n", "\n")


def tool(name: str) -> Path:
    """A program of the environment that runs the tests."""
    return Path(sysconfig.get_path("scripts")) / (f"{name}.exe" if os.name == "nt" else name)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """An editable wheel (what `pip install -e` installs), a wheel of the checkout, and a wheel of the sdist."""
    out = tmp_path_factory.mktemp("built")
    build = (sys.executable, "-m", "build", "--no-isolation", "--outdir")
    run(*build, out / "direct", "--wheel", CHECKOUT, cwd=out)
    run(*build, out / "packed", "--sdist", CHECKOUT, cwd=out)
    with tarfile.open(next((out / "packed").glob("*.tar.gz"))) as archive:
        archive.extraction_filter = getattr(tarfile, "data_filter", None)  # unknown before 3.11.4
        archive.extractall(out / "unpacked")
    run(*build, out / "again", "--wheel", next((out / "unpacked").iterdir()), cwd=out)
    (out / "editable").mkdir()
    editable = "import sys; from hatchling.build import build_editable; build_editable(sys.argv[1])"
    run(sys.executable, "-c", editable, out / "editable", cwd=CHECKOUT)
    folders = {"wheel": "direct", "wheel of the sdist": "again", "editable": "editable"}
    return {name: next((out / folder).glob("*.whl")) for name, folder in folders.items()}


@pytest.mark.parametrize("how", ["editable", "wheel", "wheel of the sdist"])
def test_an_installation_finds_its_types_and_workflows(how: str, built: dict[str, Path], tmp_path: Path) -> None:
    home = tmp_path / "env"
    venv.create(home, with_pip=False)
    scripts = home / ("Scripts" if os.name == "nt" else "bin")
    python = scripts / ("python.exe" if os.name == "nt" else "python")
    install = ("install", "--quiet", "--no-deps", "--no-index", built[how])
    run(sys.executable, "-m", "pip", "--python", python, *install, cwd=tmp_path)
    # The dependencies are borrowed: what is asked here is what the installation itself brings.
    purelib = run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=tmp_path).strip()
    Path(purelib, "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")

    listed = run(scripts / "minutebook", "types", cwd=tmp_path)
    assert [line.split()[0] for line in listed.splitlines()[1:]] == TYPES
    names = "print(*(path.name for path in builtin.shipped('ci').glob('*.*')))"
    where = f"from minutebook.ground import builtin; print(builtin.__file__); {names}"
    place, files = run(python, "-c", where, cwd=tmp_path).splitlines()
    assert Path(place).is_relative_to(CHECKOUT / "src" if how == "editable" else home)
    assert sorted(files.split()) == sorted(path.name for path in (CHECKOUT / "ci").glob("*.*"))


def test_a_wheel_of_the_sdist_holds_what_the_wheel_of_the_checkout_holds(built: dict[str, Path]) -> None:
    direct, again = (
        {item.filename: item.CRC for item in zipfile.ZipFile(built[how]).infolist()} for how in built if "wheel" in how
    )
    assert direct == again
    assert "minutebook/_shipped/schemas/config.schema.json" in direct
    assert not [name for name in direct if "__pycache__" in name]


def test_ci_runs_make_test_and_nothing_else() -> None:
    script = (CHECKOUT / ".ci" / "run").read_text("utf-8")
    assert [line for line in script.split("\n") if "make" in line] == ["exec make test"]
    run(tool("shellcheck"), CHECKOUT / ".ci" / "run", cwd=CHECKOUT)


LINTERS = {
    "zizmor": ("--offline", "--no-progress", "--quiet"),
    "jactionlint": (f"--shellcheck={tool('shellcheck')}",),
    "check-jsonschema": ("--builtin-schema", "vendor.github-workflows"),
}


@pytest.mark.parametrize("linter", LINTERS)
@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.name)
def test_our_workflows_pass(linter: str, workflow: Path) -> None:
    run(tool(linter), *LINTERS[linter], workflow, cwd=CHECKOUT)


def test_the_workflow_runs_what_make_test_runs() -> None:
    workflow = (CHECKOUT / ".github" / "workflows" / "tests.yml").read_text("utf-8")
    makefile = (CHECKOUT / "Makefile").read_text("utf-8")
    for program, arguments in (("ruff", "check ."), ("ruff", "format --check ."), ("mypy", ""), ("pytest", "-n 2 -q")):
        command = f"{program} {arguments}".strip()
        assert f"python -m {command}\n" in workflow
        assert f"$(BIN)/{command}\n" in makefile or f"$(BIN)/python -m {command}\n" in makefile
