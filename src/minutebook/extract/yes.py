"""How people say yes, as one list: for what the agent recommended, and for what a model reads out of it."""

from minutebook.extract.phrases import choice

_THAT = choice("it", "that", "this", "so")
YES = choice(
    *("yes", "yep", "yeah", "yup", "ok(?:ay)?", "sure", "lgtm", "sgtm", "perfect", "great", "cool", "fine", "👍"),
    *("(?:sounds|looks) (?:good|great|right|perfect)", "agreed?", "i agree", "approved", "accepted"),
    *(f"do {_THAT}", "go ahead", "go for it", rf"let['’]?s (?:do|go with|use) {_THAT}", "please do", "please"),
    *("(?:that )?works(?: for me)?", "makes sense", "good (?:idea|plan|call)", "exactly", "correct", "right"),
    *("absolutely", "definitely", "for sure", "of course", "all right", "alright"),
    r"that['’]?s (?:exactly |just |also )?(?:it|right|fine|good|perfect|"
    r"what i(?:['’]m| was| am| had|['’]d)?(?: thinking| want(?:ed)?| in mind| meant?)?)",
)
"""Patterns of a yes, each whole words; to be compiled without regard to case."""
