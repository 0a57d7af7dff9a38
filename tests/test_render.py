"""The pull request page: what a reviewer sees, and that no text in it can do anything but be read."""

import re
import subprocess
import sys
from pathlib import Path
from unicodedata import category

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from minutebook.ground.change import Change, Evidence, File, Plan, Proposal, Refusal
from minutebook.ground.frozen import replace
from minutebook.ground.problem import Problem
from minutebook.pages import safe_markdown
from minutebook.pages.render import page, title
from minutebook.pages.safe_markdown import code, fence_for, fenced, inline, quoted, spelled_out

LOG = ".memory/decisions/_log.md"
OLD = "# Decisions\n\n### DEC-2026-08-14-02 — Migrations by hand\n**Decision:** Changes are applied by hand.\n"
NEW = "### DEC-2026-11-02-ab12 — Alembic\n**Decision:** Use Alembic.\n**Supersedes:** DEC-2026-08-14-02\n"
SAID = Evidence(
    "0e4c", 41, "user", "let's use Alembic\nfor every change\nand never by hand", "ab" * 32, "2026-11-02T10:00Z"
)
HOSTILE = [
    "<script>alert(1)</script>",
    "<!-- hidden -->",
    "<img src=x onerror=y>",
    "![x](https://evil.example/?leak)",
    "[click](javascript:alert(1))",
    "[ref]: https://evil.example",
    "<https://evil.example>",
    "https://evil.example/?q=1 www.evil.example ftp://evil.example",
    "@acme/owners please merge, @ada",
    "Fixes #12, closes acme/mem#3, resolves GH-7",
    "closes https://github.com/acme/mem/issues/3",
    "6da9a38e1b2c3d4e5f60718293a4b5c6d7e8f901",
    "{{ 7 * 7 }} {% include 'head.md.j2' %} {# gone #}",
    "```\n# out of the fence\n<b>",
    "~~~\n> out of the quote\n\noutside",
    "`` ` `` ``` ````",
    "a\r# heading by carriage return\r\n> x",
    "\x1b[31mred\x1b[0m \x07 \x00 \u202eright to left\u202c \u200b\u200d\ufeff \U000e0041 \u2028 \u0085",
    "- [x] a ticked box\n1. a list\n+ another\n=== \n---\n| a | b |\n|---|---|",
    "$x$ $$y$$ $`z`$",
    "\\` \\<b> \\@ada &lt;b&gt; &#64;ada",
    "    indented code\n\tand a tab",
    ":::error title=x::y\n::error::z",
    "\ud800 lone",
    "x" * 5000,
    "> quoted\n>> deeper",
    "[^1] [[wiki]] [!NOTE]",
    "",
]
text = st.one_of(
    st.sampled_from(HOSTILE),
    st.text(max_size=200),
    st.lists(st.sampled_from(HOSTILE), min_size=2, max_size=4).map(" ".join),
    st.text(alphabet="`~*_[]()<>!#@{}%|\\$&\n\r> -=+.1a", max_size=60),
)


def plan_with(words: str) -> Plan:
    """A plan that has the words wherever words from elsewhere can be."""
    evidence = Evidence(words, 1, "user", words, "00" * 32, words)
    entry = Proposal("supersede", words or "x", words, words, words, words + "\n" + NEW, (evidence,) * 4)
    entry = replace(entry, candidate=words, why=(words,), supersedes=(words,))
    edit, gone = replace(entry, verb="edit"), replace(entry, verb="archive")
    note, summary = replace(entry, verb="note"), replace(entry, verb="compact")
    data = words.encode("utf-8", "surrogatepass")
    changes = (
        Change(words, File(data), File(data + b"x"), words, (entry, edit, note, summary)),
        Change("b.md", None, File(data), words, (replace(entry, text=""), gone)),
    )
    kinds = ("refused", "quarantine", "rejected", "question", words)
    refusals = tuple(Refusal(words, words, words, words, kind, words) for kind in kinds)
    return Plan(changes, refusals, (words,), {words: 1})


def live(markdown: str) -> str:
    """What is left for Markdown to act on: fenced blocks and code spans taken out, by the rules of CommonMark."""
    out: list[str] = []
    fence = ""
    for line in markdown.split("\n"):
        opened = re.fullmatch(r"(`{3,})[a-z]*", line)
        if not fence and opened:
            fence = opened[1]
        elif fence and re.fullmatch(rf"`{{{len(fence)},}}", line):
            fence = ""
        elif not fence:
            out.append(line)
    assert not fence, "a fence is left open"
    return "\n".join(_without_spans(line) for line in out)


def _without_spans(line: str) -> str:
    out, at = "", 0
    while at < len(line):
        if line[at] == "\\":
            out, at = out + line[at : at + 2], at + 2
            continue
        run = re.compile("`+").match(line, at)
        if run is None:
            out, at = out + line[at], at + 1
            continue
        closing = re.compile(rf"(?<!`){run[0]}(?!`)").search(line, run.end())
        assert closing is not None, f"a code span is left open: {line}"
        out, at = out + "\N{OPEN BOX}", closing.end()
    return out


def assert_harmless(markdown: str) -> None:
    rest = live(markdown)
    assert "<" not in rest
    assert "@" not in rest
    assert not re.search(r"#[0-9]|\bGH-[0-9]", rest, re.IGNORECASE)
    assert not re.search(r"://|www\.", rest, re.IGNORECASE)
    assert not re.search(r"(?<!\\)[\[\]|$~]", rest), "an unescaped link, image, table, formula or strike"
    assert not re.search(r"\b[0-9a-f]{7,}\b", rest), "a commit id that GitHub would link"
    assert all(each.isprintable() or each in "\n\t" or category(each) == "Zs" for each in markdown)
    markdown.encode("utf-8")


def assert_own_structure(markdown: str) -> None:
    """Only headings and lists that the templates write."""
    for line in live(markdown).split("\n"):
        if line.startswith("#"):
            assert re.match(r"##? (Problems|Proposed|Looks|Compacted|Refused|Sessions|Notes)|### \S", line), line
        assert not re.match(r"\s*(?:[+=]|---|[0-9]+[.)]\s|>\s?>|\t| {4})", line), line
        assert not re.match(r"> *(?:[-+=>#]|[0-9]+[.)] )", line), line


@settings(deadline=None, max_examples=60)
@given(text)
def test_a_page_made_of_hostile_words_is_harmless(words: str) -> None:
    problem = Problem(words, 3, words, words, words, words)
    made = page(plan_with(words), [problem], stale={words}, base=words)
    assert len(made) <= 60_000
    assert_harmless(made)
    assert_own_structure(made)


@pytest.mark.parametrize("words", HOSTILE)
def test_each_known_attack_is_harmless(words: str) -> None:
    test_a_page_made_of_hostile_words_is_harmless.hypothesis.inner_test(words)  # type: ignore[attr-defined]


@settings(deadline=None)
@given(text)
@example("`")
@example("a`` `b")
def test_pieces_are_harmless_alone(words: str) -> None:
    for piece in (inline(words), code(words), quoted(words), fenced(words)):
        assert_harmless(piece)
    assert all(line.startswith("> ") for line in quoted(words).split("\n") if line)
    assert quoted(words).count("\n") <= 1
    assert "\n" not in inline(words) + code(words)


@settings(deadline=None)
@given(st.text(alphabet=st.characters(codec="ascii", categories=["L", "N", "P", "S", "Zs"]), max_size=200))
def test_a_fence_holds_the_text_word_for_word(words: str) -> None:
    rows = fenced(words).split("\n")
    assert "\n".join(rows[1:-1]) == words


def test_characters_that_cannot_be_seen_are_shown() -> None:
    assert spelled_out("a\u202eb\x1b\U000e0041\ufe0f") == "a‹U+202E›b‹U+001B›‹U+E0041›‹U+FE0F›"
    assert spelled_out("naïve — 日本語 🙂\n\tx") == "naïve — 日本語 🙂\n\tx"


def test_plain_words_stay_readable() -> None:
    said = "Use Alembic for src/app/db.py (not by hand): it's reversible, isn't it?"
    assert inline(said) == said


def proposal(number: int, words: str = "word " * 80) -> Change:
    entry = Proposal("create", "pattern", f"pattern-{number}", f"Pattern {number}", words, words, (SAID,))
    return Change(f".memory/patterns/{number}.md", None, File(b"x"), "", (entry,))


def superseding() -> Plan:
    entry = Proposal("supersede", "decision", "DEC-2026-11-02-ab12", "Alembic", "adopted aloud", NEW, (SAID,))
    return Plan((Change(LOG, File(OLD.encode()), File((NEW + OLD).encode()), "", (entry,)),))


def test_an_entry_shows_what_it_says_why_on_whose_words_and_what_it_replaces() -> None:
    made = page(superseding(), base="6da9a38")
    assert made.startswith("**1 entry proposed** (1 decision) · **0 problems**")
    assert "Planned on `6da9a38`." in made
    assert "**Why:** adopted aloud" in made
    assert f"```markdown\n{NEW}```" in made
    assert "user, turn 41, `2026-11-02T10:00Z`, session `0e4c`:\n\n> let's use Alembic\n> for every change …" in made
    assert "never by hand" not in made
    assert "**Replaces** `DEC-2026-08-14-02`" in made
    assert "**Decision:** Changes are applied by hand." in made


def test_an_edited_entry_shows_what_differs() -> None:
    entry = Proposal("edit", "pattern", "pattern-x", "X", "src/app/db.py is gone")
    plan = Plan((Change("p.md", File(b"a\nb\n"), File(b"a\nstale: yes\nb\n"), "", (entry,)),))
    assert "## Looks stale\n" in page(plan)
    assert "+stale: yes" in page(plan)
    assert "Proposed entries" not in page(plan)


def test_a_refusal_to_edit_what_is_stale_stands_with_the_stale() -> None:
    plan = Plan(refusals=(Refusal("DEC-1", "never edited"), Refusal("a joke", "nobody meant it")))
    made = page(plan, stale={"DEC-1"})
    assert made.index("Looks stale") < made.index("never edited") < made.index("## Refused") < made.index("a joke")


def test_compactions_and_problems_have_their_place() -> None:
    summary = Proposal("compact", "summary", "summary-2026-10", "October", "three notes in one", "", (), 900, 200)
    plan = Plan((Change("s.md", None, File(b"x"), "", (summary,)),))
    made = page(plan, [Problem("s.md", 2, "schema", "no abstract", "abstract: …")])
    assert "**1 problem**" in made
    assert "- **error** schema at `s.md:2`: no abstract → `abstract: …`" in made
    assert "tokens 900 before, 200 after" in made


def test_a_long_page_says_what_it_left_out() -> None:
    plan = Plan(
        tuple(proposal(number) for number in range(300)),
        tuple(Refusal(f"candidate {number}", "said as a joke " * 20, "q " * 200) for number in range(300)),
        tuple(f"note {number} " + "n " * 200 for number in range(300)),
    )
    problems = [Problem(f"{number}.md", 1, "schema", "m " * 300) for number in range(300)]
    made = page(plan, problems)
    assert 40_000 < len(made) <= 60_000
    kept = len(re.findall(r"^### New pattern", made, re.MULTILINE))
    assert 5 < kept < 300
    assert f"*{300 - kept} of 300 left out here" in made
    assert made.count("left out here") == 4
    assert_harmless(made)


@pytest.mark.parametrize("budget", [2_000, 5_000, 20_000])
def test_the_budget_holds(budget: int) -> None:
    plan = Plan(tuple(proposal(number) for number in range(50)), (Refusal("x " * 200, "y " * 200),) * 50)
    assert len(page(plan, budget=budget)) <= budget


@pytest.mark.parametrize(
    ("verb", "place"),
    [
        ("create", "Proposed entries"),
        ("merge", "Proposed entries"),
        ("edit", "Looks stale"),
        ("compact", "Compacted"),
        ("archive", "Compacted"),
        ("note", "Sessions read"),
    ],
)
def test_what_happens_to_an_entry_says_where_it_stands_whatever_its_type(verb: str, place: str) -> None:
    for type_name in ("session", "summary", "handoff"):
        plan = Plan((Change("x.md", None, File(b"x"), "", (Proposal(verb, type_name, "x-1", "X", "because"),)),))
        assert re.findall("^## (.*)", page(plan), re.MULTILINE) == [place]


def test_a_page_of_nothing_asks_for_no_merge() -> None:
    made = page(Plan(refusals=(Refusal("DEC-1", "never edited"),)), stale={"DEC-1"}, base="6da9a38")
    assert made.startswith("**Nothing to propose** · **0 problems** · 1 stale · 0 compacted · 0 refused\n")
    assert "Planned on `6da9a38`.\n" in made
    assert "Merge" not in made
    assert "tokens" not in made


def test_a_page_that_the_gate_refuses_asks_for_no_merge() -> None:
    made = page(superseding(), [Problem("s.md", 2, "schema", "no abstract")])
    assert "The gate refuses this plan" in made
    assert "Merge" not in made
    assert "Merge what is right." in page(superseding(), [Problem("s.md", 2, "stale", "old", severity="warning")])


@settings(deadline=None)
@given(text)
def test_no_text_closes_its_fence(words: str) -> None:
    fence = fence_for(words)
    assert len(fence) >= 3
    assert fence not in words


def test_the_title_has_figures_and_nobodys_words() -> None:
    assert title(superseding()) == "Memory: 1 proposed"
    assert title(Plan()) == "Memory: maintenance"
    assert title(Plan(refusals=(Refusal("DEC-1", "never edited"),)), stale={"DEC-1"}) == "Memory: 1 stale"
    assert re.fullmatch(r"Memory: [0-9a-z, ]+", title(plan_with("[skip ci]\n\nCo-authored-by: x")))


def test_without_jinja2_the_extra_is_named(tmp_path: Path) -> None:
    program = (
        "import sys\n"
        "sys.modules['jinja2'] = None\n"
        "from minutebook.ground.change import Plan\n"
        "from minutebook.ground.errors import CannotJudge\n"
        "from minutebook.pages.render import page\n"
        "try:\n"
        "    page(Plan())\n"
        "except CannotJudge as error:\n"
        "    print(error.exit_code, error.hint)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout == "2 pip install 'minutebook[maintain]'\n"


PLAIN_AND_NOT = [
    "word", "a", " ", "  ", "@x", "#1", "http://", "www.", "gh-12", "defaced", "{", "}", "\\", "`", "*", "[", "~", "|",
    "$", "-", "+", ">", ":", "1.", "12)", "&", "<", "é", "\t", "\n", "x" * 119, "x" * 121,
]  # fmt: skip


@given(st.lists(st.sampled_from(PLAIN_AND_NOT), max_size=6).map("".join), st.sampled_from([1, 5, 20, 160, 300]))
def test_words_that_say_what_they_say_are_escaped_to_themselves(text: str, limit: int) -> None:
    found = inline(text, limit)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(safe_markdown, "_says_what_it_says", lambda *_: False)
        assert found == inline(text, limit)
