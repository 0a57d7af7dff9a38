"""The whole life cycle in a scratch repository: every step is a real command, printed with what it answered.

The repository is made anew each time, in .demo/ or in the folder after `--in`, on fixed dates: two runs print the same.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

TOP = Path(__file__).parents[2]
SCRATCH = Path(sys.argv[2]) if sys.argv[1:2] == ["--in"] else TOP / ".demo"
TRANSCRIPTS = TOP / "tests" / "transcripts" / "claude-code"
BOLD, DIM, PLAIN = (
    ("\033[1m", "\033[2m", "\033[0m") if sys.stdout.isatty() and "NO_COLOR" not in os.environ else ("",) * 3
)


def environment(day: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "PYTHON"))}
    kept["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{kept['PATH']}"
    stamp = f"{day}T12:00:00Z"
    who = {"NAME": "Dev", "EMAIL": "dev@example.com", "DATE": stamp}
    names = {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in who.items()}
    return kept | names | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "NO_COLOR": "1", "TZ": "UTC"}


def run(command: str, day: str, *, expect: int = 0, most: int = 60) -> None:
    """Print one command line, run it in the scratch repository, print what it says; stop at a surprise."""
    print(f"{BOLD}$ {command}{PLAIN}")
    done = subprocess.run(
        ["sh", "-c", command], cwd=SCRATCH / "shop", env=environment(day), capture_output=True, text=True, check=False
    )
    lines = (done.stdout + done.stderr).rstrip().split("\n")
    for line in lines[:most]:
        print(f"{DIM}  {line}{PLAIN}" if line else "")
    if len(lines) > most:
        print(f"{DIM}  … {len(lines) - most} more lines{PLAIN}")
    if done.returncode != expect:
        sys.exit(f"expected exit {expect}, got {done.returncode}")
    print(f"{DIM}  (exit {done.returncode}){PLAIN}\n")


def step(number: int, title: str) -> None:
    print(f"{BOLD}{number}. {title}{PLAIN}\n")


def scratch() -> None:
    shutil.rmtree(SCRATCH, ignore_errors=True)
    code = SCRATCH / "shop" / "publish"
    code.mkdir(parents=True)
    (code / "gist.py").write_text(
        'def publish(transcript: str, *, visibility: str = "unlisted") -> str:\n'
        '    """Upload a transcript as a gist and give its address."""\n'
        '    return f"https://gist.example/{visibility}/{len(transcript)}"\n',
        "utf-8",
    )
    (code.parent / "README.md").write_text("# shop\n\nPublishes transcripts of coding sessions as gists.\n", "utf-8")
    shutil.copy(TRANSCRIPTS / "session-share.jsonl", SCRATCH / "session.jsonl")
    shutil.copy(TRANSCRIPTS / "entire-cli.jsonl", SCRATCH / "next.jsonl")
    shutil.copytree(TOP / "hooks", SCRATCH / "hooks")


def main() -> None:
    scratch()
    print("A scratch folder holds shop/ (publish/gist.py and a README.md), two real transcripts, session.jsonl and")
    print("next.jsonl (licences beside them in tests/transcripts/claude-code), and hooks/ of this repository.\n")
    step(1, "A repository with some code; minutebook moves in")
    run("git init -q -b main . && git add -A && git commit -qm 'Publish transcripts as gists'", "2026-01-20")
    run("minutebook init --today 2026-01-20", "2026-01-20", most=9)
    run("git config core.hooksPath ../hooks && git add -A && git commit -qm 'A memory for agents'", "2026-01-20")

    step(2, "A real session transcript teaches it something: words that somebody said, or nothing")
    run("minutebook extract ../session.jsonl --today 2026-01-22", "2026-01-22")
    run("minutebook index && git add -A && git commit -qm 'What the session decided'", "2026-01-22")
    run("minutebook extract ../session.jsonl --today 2026-01-22   # again: nothing changes", "2026-01-22")

    run("minutebook trace $(grep -o 'DEC-2026-01-21-[0-9a-f]*' .memory/decisions/_log.md | head -1)", "2026-01-22")
    run("minutebook verify-sources ../session.jsonl", "2026-01-22")

    step(3, "Somebody tampers with a decision: the hook refuses the commit")
    run(
        "sed -i.orig '/Decision:/s/unlisted only/public always/' .memory/decisions/_log.md"
        " && rm .memory/decisions/*.orig",
        "2026-01-23",
    )
    run("git commit -qam 'Tidy up'", "2026-01-23", expect=1)
    run("git restore . && minutebook check --all", "2026-01-23")

    step(4, "A convention, written by hand, about a file of ours")
    run(
        "minutebook new pattern --title 'Gists are published in one place' --set abstract='All uploads go through"
        " publish() in publish/gist.py, which knows the visibility.' --set anchors=publish/gist.py --today 2026-01-23",
        "2026-01-23",
    )
    run("minutebook index && git add -A && git commit -qm 'Where gists are published'", "2026-01-23")

    step(5, "An agent asks for just what its task needs, within 500 tokens")
    run("minutebook retrieve 'let the user choose the gist visibility when publishing' --budget 500", "2026-01-24")

    step(6, "The code moves on; the memory says what is no longer true, and why, and mends what it can")
    run("git mv publish/gist.py publish/pages.py && git commit -qm 'Gists are pages now'", "2026-03-01")
    run("minutebook refresh --today 2026-03-01", "2026-03-01")
    run("minutebook refresh --apply --today 2026-03-01", "2026-03-01")
    run("git diff --unified=0 .memory/patterns | tail -n +5", "2026-03-01")
    run("minutebook index && git add -A && git commit -qm 'Where gists went'", "2026-03-01")

    step(7, "Session notes are distilled into a summary, with a certificate: each claim is carried, or it says why not")
    run("minutebook compact --today 2026-03-02", "2026-03-02")
    run("sed -n '/^## Decisions/,$p' .memory/summaries/sessions-2026-01.md", "2026-03-02")
    run("sed -n '3,8p' .memory/archive/ledgers/sessions-2026-01.jsonl | cut -c 1-110", "2026-03-02")
    print("A summary that says something else than its notes is refused, without a model:\n")
    run(
        "sed -i.orig 's/unlisted only/public always/' .memory/summaries/sessions-2026-01.md"
        " && rm .memory/summaries/*.orig && minutebook index && git add -A && minutebook check --today 2026-03-02",
        "2026-03-02",
        expect=1,
    )

    step(
        8, "Second thoughts: before it touched anything, a snapshot was taken; it brings all of it back, byte for byte"
    )
    run("minutebook snapshots", "2026-03-02")
    run("minutebook restore 20260302T000000Z-before-compact --today 2026-03-02", "2026-03-02")
    run("git add -A && git status --short   # nothing: as if it had not been", "2026-03-02")
    run("minutebook compact --today 2026-03-03 | tail -n 2   # once more, and this time it stays", "2026-03-03")
    run("minutebook index && git add -A && git commit -qm 'Compacted'", "2026-03-03")
    run("minutebook expand summary-sessions-2026-01 --raw 2>/dev/null | git hash-object --stdin", "2026-03-03")
    run("git rev-parse HEAD~1:.memory/sessions/$(ls .memory/archive/sessions)   # the same bytes", "2026-03-03")

    step(9, "Next night: another session, all of it as one pull request page")
    run("minutebook propose --transcripts ../next.jsonl --dry-run --page ../page.md --today 2026-03-04", "2026-03-04")
    run("cat ../page.md", "2026-03-04", most=80)
    print("The repository is left in .demo/shop, the page in .demo/page.md." if SCRATCH.name == ".demo" else "")


if __name__ == "__main__":
    main()
