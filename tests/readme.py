"""Writes the parts of README.md that come from the code; `make docs` runs it, a test holds them in step."""

from pathlib import Path

from minutebook.cli import VERBS

README = Path(__file__).parents[1] / "README.md"
BEGIN, END = "<!-- verbs: `make docs` writes this table -->\n", "<!-- /verbs -->"


def verbs_table() -> str:
    """The verbs in the order of an entry's life, as a Markdown table."""
    rows = "".join(f"| `minutebook {name}` | {what} |\n" for name, what in VERBS.items())
    return f"| verb | what it does |\n|---|---|\n{rows}"


def written(text: str) -> str:
    """The README's text with the generated table in its place."""
    head, _, rest = text.partition(BEGIN)
    return f"{head}{BEGIN}{verbs_table()}{END}{rest.partition(END)[2]}"


if __name__ == "__main__":
    README.write_text(written(README.read_text("utf-8")), "utf-8", newline="\n")
