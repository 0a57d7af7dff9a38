"""Patches in the form that models are taught to write (`*** Begin Patch`), and the files that they change."""

import re

_FILE = re.compile(r"(?m)\*\*\* (?<=^\*\*\* )(?:(?:Add|Update|Delete) File|Move to): (.{1,1000})$")
_BEGIN = "*** Begin Patch"


def patched(text: str) -> tuple[str, ...]:
    """The paths that a patch names, in its order; none where the text is no patch."""
    return tuple(path.strip() for path in _FILE.findall(text)) if _BEGIN in text else ()
