"""Where a thing that is gone may have gone: weighed once for all, and told as a fit of its own tells it."""

from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minutebook.refresh import went
from minutebook.refresh.anchors import Kind, Reference
from minutebook.refresh.drifted import counts_of
from minutebook.refresh.fate import Fate
from minutebook.refresh.likeness import Corpus, most_like
from minutebook.refresh.listing import Listing, Tree
from minutebook.refresh.view import View
from minutebook.refresh.went import nearest
from minutebook.similar import similarities

POOL = "class PoolManager:\n    def connect(self, retries):\n        return open_socket(retries)\n"
MAIL = "def send_letter(address):\n    queue.put(address)\n"
TEXTS = st.lists(st.sampled_from(["pool", "socket", "retry", "letter", "queue"]), max_size=12).map(" ".join)


def views(then: Mapping[str, str], now: Mapping[str, str], reads: list[str] | None = None) -> tuple[View, View]:
    """Blobs are the texts themselves; `reads` gets each text that is read."""

    def read(blob: str) -> str:
        if reads is not None:
            reads.append(blob)
        return blob

    delta = {path: then.get(path, "") for path in sorted({*then, *now}) if then.get(path) != now.get(path)}
    base = Listing(dict(sorted(now.items())))
    old = View("a" * 40, "2026-11-02", Tree(base, delta), read, lambda _: {})
    return old, View("b" * 40, "", Tree(base), read, lambda _: {})


def gone(kind: Kind, text: str, path: str) -> Fate:
    return Fate("gone", Reference(kind, text, 1), {}, "gone", "", path)


@settings(deadline=None)
@given(TEXTS, st.lists(TEXTS, min_size=1, max_size=6))
def test_a_question_is_answered_as_a_fit_of_its_own_answers_it(asked: str, texts: list[str]) -> None:
    pytest.importorskip("sklearn")
    corpus = Corpus({str(number): counts_of(text) for number, text in enumerate(texts)})
    name, score = most_like(counts_of(asked), corpus)
    row = similarities([asked], texts)[0]
    assert score == pytest.approx(max(row), abs=2e-4)
    assert not name or row[int(name)] == pytest.approx(max(row), abs=2e-4)


def test_a_file_that_is_gone_is_like_the_new_one_and_no_old_one() -> None:
    then = {"src/pool.py": POOL, "src/copy.py": POOL + "# a copy\n"}
    now = {"src/copy.py": POOL + "# a copy\n", "src/mail.py": MAIL, "src/keeper.py": POOL.replace("Manager", "Keeper")}
    assert nearest(gone("path", "src/pool.py", "src/pool.py"), *views(then, now)).startswith(
        "; most like it: src/keeper.py (0."
    )


def test_a_name_that_is_gone_is_found_in_its_file_and_in_new_ones() -> None:
    fate = gone("symbol", "PoolManager", "src/pool.py")
    inside = {"src/pool.py": POOL.replace("PoolManager", "PoolKeeper"), "src/mail.py": MAIL}
    assert "most like it: PoolKeeper (" in nearest(fate, *views({"src/pool.py": POOL}, inside))
    beside = {"src/other.py": POOL.replace("PoolManager", "PoolKeeper"), "src/mail.py": MAIL}
    assert "most like it: PoolKeeper (" in nearest(fate, *views({"src/pool.py": POOL}, beside))


@pytest.mark.parametrize("now", [{}, {"src/mail.py": MAIL}, {"src/pool.js": POOL}])
def test_where_nothing_new_is_like_it_nothing_is_proposed(now: dict[str, str]) -> None:
    assert nearest(gone("path", "src/pool.py", "src/pool.py"), *views({"src/pool.py": POOL}, now)) == ""


def test_of_equals_the_one_of_the_same_name_is_proposed() -> None:
    then, now = {"a/pool.py": POOL}, {"b/else.py": POOL, "c/pool.py": POOL}
    pool = {path: text.replace("retries", "limit") for path, text in now.items()}
    assert "most like it: c/pool.py (" in nearest(gone("path", "a/pool.py", "a/pool.py"), *views(then, pool))


def test_what_is_new_is_read_once_for_all_that_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    many = 30
    then = {f"src/old/m{at}.py": f"def old_{at}(x):\n    return part_{at}(x)\n" for at in range(many)}
    now = {f"src/new/n{at}.py": f"def new_{at}(x):\n    return part_{at}(x)\n" for at in range(many)}
    reads: list[str] = []
    old, new = views(then, now, reads)
    counted: list[str] = []

    def counting(text: str) -> dict[str, int]:
        counted.append(text)
        return counts_of(text)

    monkeypatch.setattr(went, "counts_of", counting)
    found = [nearest(gone("path", f"src/old/m{at}.py", f"src/old/m{at}.py"), old, new) for at in range(many)]
    found += [nearest(gone("symbol", f"old_{at}", f"src/old/m{at}.py"), old, new) for at in range(many)]
    assert all("most like it: " in each for each in found)
    assert max(reads.count(text) for text in now.values()) <= 2
    names = sum("new_" in text for text in counted)
    assert names <= 2 * many


def test_an_answer_does_not_depend_on_what_was_asked_before() -> None:
    then = {f"src/m{at}.py": POOL.replace("Pool", f"Pool{at}") for at in range(6)}
    now = {f"lib/n{at}.py": POOL.replace("Pool", f"Well{at}").replace("socket", f"door_{at}") for at in range(6)}
    fates = [gone("symbol", f"Pool{at}Manager", f"src/m{at}.py") for at in range(6)]
    fates += [gone("path", f"src/m{at}.py", f"src/m{at}.py") for at in range(6)]
    one_run = views(then, now)
    asked = [nearest(fate, *one_run) for fate in reversed(fates)]
    assert [nearest(fate, *views(then, now)) for fate in fates] == asked[::-1]


def test_no_more_is_compared_than_a_bounded_number() -> None:
    then = {"src/pool.py": POOL}
    now = {f"lib/n{at:04}.py": f"def only_{at}(x):\n    return x\n" for at in range(went._MOST_FILES + 50)}
    now["zoo/pool.py"] = POOL.replace("retries", "limit")
    reads: list[str] = []
    assert "most like it: zoo/pool.py (" in nearest(
        gone("path", "src/pool.py", "src/pool.py"), *views(then, now, reads)
    )
    assert len(reads) <= went._MOST_FILES + 1
