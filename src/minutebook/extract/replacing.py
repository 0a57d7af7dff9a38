"""A choice that takes the place of an earlier one: “scratch that, let's use SQLite” is still for the orders service."""

import re

from minutebook.extract.stance import stance
from minutebook.extract.wording import full_stop
from minutebook.ground.frozen import replace
from minutebook.ground.session import Candidate

_PURPOSE = re.compile(r"\s(?:for|as|in|on)\s[^.;:,()!?]{3,60}")
_THERE = re.compile(r"(?:,? (?:for|with) (?:it|that|this))?(?:,? instead)?$", re.IGNORECASE)
_POINTS_BACK = re.compile(r"\b(?:for|with) (?:it|that|this) instead\W*$", re.IGNORECASE)
_FEW = 4
_LONGEST_TITLE = 80


def is_choice(found: Candidate) -> bool:
    """Whether it chooses something, rather than ruling it out."""
    return found.type == "decision" and not stance(found.abstract).negative


def points_back(found: Candidate) -> bool:
    """Whether it means nothing without what it takes the place of: “Redis for it instead”."""
    return _POINTS_BACK.search(found.abstract) is not None


def in_place_of(new: Candidate, old: Candidate) -> Candidate:
    """The new choice with what it is for, where it leaves that out and the old one said it; and with the old one's
    words as its context, so that a reviewer sees both."""
    told = f"Before, in turn {(old.accepted or old.turn).number}: {full_stop(' '.join(old.quote.split()))}"
    fields = {**new.fields, "context": new.fields.get("context") or told}
    why = (*new.why, f"takes the place of what was said in turn {(old.accepted or old.turn).number}")
    purpose = _purpose(old.abstract)
    said = stance(new.abstract)
    if not purpose or said.purpose or len(said.value) > _FEW or len(new.title) + len(purpose) > _LONGEST_TITLE:
        return replace(new, fields=fields, why=why)
    bare = _THERE.sub("", new.abstract.rstrip(".!"))
    whole = full_stop(f"{bare}{purpose}")
    return replace(
        new,
        title=f"{_THERE.sub('', new.title)}{purpose}",
        abstract=whole,
        body=f"{whole}{new.body.removeprefix(new.abstract)}",
        fields=fields | {"decision": whole},
        why=why,
    )


def _purpose(text: str) -> str:
    found = _PURPOSE.search(text)
    return found[0].rstrip() if found else ""
