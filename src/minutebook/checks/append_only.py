"""What is published in an append-only log stays, word for word, in order, for ever."""

from __future__ import annotations

from minutebook.checks.kept import changes, gone, problem
from minutebook.checks.log_order import displaced, misplaced
from minutebook.checks.merged import merged
from minutebook.checks.newcomers import newcomers
from minutebook.checks.pairing import paired

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from minutebook.checks.judgement import Case
    from minutebook.ground.problem import Problem


def append_only(case: Case) -> Iterator[Problem]:
    """Every sealed entry of the base stands exactly once in the result, unchanged and in its order.

    An entry of an append-only type is sealed as soon as it is published, unless its status says that it is a draft.
    A change of mind is a new entry. Allowed: new entries at the open end of a log; text after an entry where its type
    takes addenda; the fields that the type lets amend, and one marker such as `> SUPERSEDED by DEC-…`, set once; a log
    split into others of its type; what is superseded moved to the archive; drafts in any way. In a merge, what each
    side holds survives too, and nothing else comes in. A file that turns into something else than a log loses its
    entries, and published history that is rewritten loses what it held.

    The one way out is `minutebook expunge`: a tombstone that names the hash of the text that stood there takes its
    place; later it is as sealed as anything.

    Severity: error. A warning: only white space changed, unless the config says `seal: bytes`; an entry is expunged; a
    new entry is dated in the future or before the newest published one, or supersedes what was replaced already.
    """
    if case.base is None:
        return
    kept = case.kept
    pairing = paired(case.base, kept, case.ends if kept is case.result else {})
    yield from gone(case.base, kept, pairing)
    yield from changes(pairing, case, case.base)
    for new, other in pairing.twice:
        message = f"{new.id} stands twice: also in {other.path}" if other.path != new.path else f"{new.id} stands twice"
        yield problem(new, message, "keep the entry as it was and give the new one an id of its own")
    yield from displaced(pairing, case.base)
    yield from misplaced(pairing, kept, [*case.parents, *case.merged])
    yield from newcomers(pairing, case)
    yield from merged(case)
