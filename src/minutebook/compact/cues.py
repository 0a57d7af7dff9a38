"""The words by which a sentence binds: those that negate, that rule, that decide, that leave open.

English in full, and the commonest of German, French, Spanish, Italian, Portuguese and Dutch. A sentence in another
alphabet can't be judged here, and `is_unread` says so; one of another language in Latin letters is read as if it were
one of these.
"""

import re
from functools import cache, lru_cache

from minutebook.ground.unseen import UNSEEN

DECISIONS, CONSTRAINTS, STATE, QUESTIONS = "Decisions", "Constraints", "Current state", "Open questions"
GROUPS = (DECISIONS, CONSTRAINTS, STATE, QUESTIONS)
"""The headings of a summary."""
_NEGATING = """
    nicht nichts nie niemals kein keine keinen keiner keines keinem niemand weder ohne verboten untersagt
    jamais pas aucun aucune sans interdit interdite interdits rien personne ni
    nunca jamás sin ningún ninguna ninguno nadie prohibido prohibida nada tampoco
    mai nessun nessuno nessuna senza vietato vietata niente
    não nenhum nenhuma sem proibido proibida ninguém jamais
    niet nooit geen zonder verboden niemand niets
"""
_ALLOWING = """
    muss müssen musst müsst musste mussten darf dürfen dürft soll sollen sollte sollten kann können nur immer erlaubt
    mindestens höchstens verpflichtend
    doit doivent devons devez faut peut peuvent toujours seulement uniquement obligatoire autorisé
    debe deben debemos debes puede pueden siempre solo sólo solamente obligatorio permitido
    deve devono dobbiamo bisogna può possono sempre soltanto obbligatorio
    devem precisa precisam pode podem somente apenas obrigatório
    moet moeten mag mogen altijd alleen verplicht kan kunnen
"""
_DECIDING = """
    beschlossen entschieden vereinbart entscheidung entscheidungen abgelehnt verworfen
    décidé décidons choisi convenu décision décisions rejeté rejetée
    decidimos decidido acordado acordamos decisión decisiones rechazado descartado
    deciso scelto concordato decisione decisioni scartato rifiutato
    decisão decisões rejeitado besloten gekozen afgesproken beslissing beslissingen besluit afgewezen
"""
_RULES_ABROAD = "regel regeln règle règles regla reglas regole regra regras regels vorgaben verbote vorschriften"
_OPEN_ABROAD = (
    "offen offene ungeklärt ouverte ouvertes pendiente pendientes abierto abierta aperte aperta abertas fragen"
)


def _any_of(words: str) -> str:
    return "|".join(sorted(set(words.split())))


NEGATION = re.compile(
    r"(?i)\b(?:not|no|never|none|nobody|nothing|neither|nor|nowhere|without|cannot|unable|refuse[sd]?|"
    r"forbid(?:s|den)?|prohibit(?:s|ed)?|disallow(?:s|ed)?|avoid(?:s|ed|ing)?|unless|except|rarely|seldom|hardly|barely|"
    r"scarcely|(?:do|does|did|is|are|was|were|ca|wo|must|should|would|could|has|have|had)nt|reject(?:s|ed)?|"
    r"ban(?:s|ned)?|deprecated|discouraged|impossible|illegal|exclud(?:e|es|ed|ing)|ruled out|turned\b.{0,60}?\bdown|"
    r"off[- ]limits|out of scope|stop(?:s|ped)? \w{2,30}ing|"
    rf"non(?!-)|{_any_of(_NEGATING)})\b|\b\w{{1,12}}n['’]t\b"
)
RULING = re.compile(
    r"(?i)\b(?:must|shall|should|ought to|may|only|always|require[sd]?|mandatory|ha[sd] to|have to|needs? to|at most|"
    r"at least|allow(?:s|ed)?|permit(?:s|ted)?|max(?:imum)?|minimum|at all times|hay que|"
    rf"{_any_of(_ALLOWING)})\b"
)
MODAL = re.compile(
    rf"{RULING.pattern}|\b(?:can|could|might|will|would|needs?)\b|\w['’]ll\b|(?:[<>]=|[≤≥])\s?[$€£]?[0-9]"
)
HEADINGS = (
    (QUESTIONS, re.compile(r"(?i)^\W*(?:open|pending|unresolved|undecided|tbd)\b")),
    (DECISIONS, re.compile(rf"(?i)decision|decided|chosen|agreed|came of it|reject|\b(?:{_any_of(_DECIDING)})\b")),
    (
        CONSTRAINTS,
        re.compile(
            r"(?i)constraint|\brules?\b|convention|preference|\bmusts?\b|requirement|invariant|forbidden|prohibited|never|don['’]?ts?\b|"
            rf"\blimits?\b|\b(?:{_any_of(_RULES_ABROAD)})\b"
        ),
    ),
    (
        QUESTIONS,
        re.compile(
            rf"(?i)\bopen\b|question|\btodos?\b|\bto do\b|\bnext\b|unresolved|pending|\b(?:{_any_of(_OPEN_ABROAD)})\b"
        ),
    ),
)
"""By which words of a heading what stands under it belongs to a group; the first that is found."""
CUES = (
    (
        QUESTIONS,
        re.compile(
            r"(?i)\?$|^\W*(?:todo|tbd|open|unclear|to be decided|not yet decided|offen)\b|"
            r"\b(?:undecided|unresolved|tbd|to be (?:decided|determined))\b"
        ),
    ),
    (
        DECISIONS,
        re.compile(
            r"(?i)^\W*(?:decisions?|decided|picked)\b\W|\b(?:decided|chose|agreed|"
            r"(?:we|let['’]s) (?:will )?(?:use|go with)|instead of|(?:went|going) with|"
            r"settled on|opted for|we (?:picked|dropped|abandoned|rejected|ruled out)|"
            rf"{_any_of(_DECIDING)})\b"
        ),
    ),
    (
        CONSTRAINTS,
        re.compile(
            r"(?i)^\W*(?:constraint|rule|convention|requirement)s?\b\W|"
            r"^\W*(?:use|keep|prefer|ensure|make sure|remember|beware|be sure|stop|important|warning|caution)\b|"
            rf"{RULING.pattern[4:]}"
        ),
    ),
)
"""By which words a sentence under no such heading belongs to a group; the first that is found."""
_TELLING = frozenset(
    re.findall(
        r"\w+",
        f"""
    not no never none nobody nothing neither nor nowhere without cannot unable refuse refused refuses forbid forbids
    forbidden prohibit prohibits prohibited disallow disallows disallowed avoid avoids avoided avoiding unless except
    rarely seldom hardly barely scarcely dont doesnt didnt isnt arent wasnt werent cant wont mustnt shouldnt wouldnt
    couldnt hasnt havent hadnt t ll must shall should ought may only always require requires required mandatory has had
    have need needs most least allow allows allowed permit permits permitted can could might will would todo open
    unclear decided decision decisions chose agreed we let instead constraint constraints rule rules convention
    conventions requirement requirements reject rejects rejected ban bans banned deprecated discouraged impossible
    illegal exclude excludes excluded excluding ruled turned limits scope stop stops stopped max maximum minimum times
    sure hay tbd undecided unresolved determined picked going went settled opted use keep prefer ensure remember beware
    important warning caution offen non {_NEGATING} {_ALLOWING} {_DECIDING}
    """,
    )
)
"""Every sentence that a cue, a negation or a modal is found in holds one of these words (`don't` is two of them)."""
_WORD = re.compile(r"\w+")
_COMPARED = re.compile("[<>]=|[≤≥]")
_DRESSED = re.compile(r"[&*_~`]")
_EMPHASIS = re.compile(r"(?<![\w*_~])[*_~]{1,3}(?=\w)|(?<=\w)[*_~]{1,3}(?![\w*_~])")
_APOSTROPHE = re.compile(r"(?<=\w)[´`ʼ＇](?=\w)")
_VARIATION = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_LATIN_ENDS = "\u024f"


@lru_cache(maxsize=1 << 14)
def readable(text: str) -> str:
    """The text as it looks: entities, emphasis, wide letters and what nobody sees put aside. For reading alone;
    what is carried is the text as it stands."""
    if text.isascii() and not _DRESSED.search(text):
        return text
    from html import unescape
    from unicodedata import normalize

    plain = _APOSTROPHE.sub("'", unescape(text) if "&" in text else text)
    return _EMPHASIS.sub("", normalize("NFKC", seen(plain)))


def seen(text: str) -> str:
    """The text without what nobody sees, which no file of memory may hold: a blank for what parts words."""
    return text if text.isascii() and text.isprintable() else UNSEEN.sub(_shown, text)


def _shown(match: re.Match[str]) -> str:
    return match[0] if match[0] == "\r" or _VARIATION.match(match[0]) else " " if match[0].isspace() else ""


def is_telling(line: str) -> bool:
    """Whether one of the patterns may find something: they cost ten times as much."""
    return (
        line.endswith("?") or not _TELLING.isdisjoint(_WORD.findall(line.lower())) or _COMPARED.search(line) is not None
    )


def binds(line: str) -> bool:
    """Whether a readable line negates, or holds a modal."""
    if not _binding_words().isdisjoint(_WORD.findall(line.lower())):
        return True
    return NEGATION.search(line) is not None or MODAL.search(line) is not None


@cache
def _binding_words() -> frozenset[str]:
    """The words that bind by themselves: most lines that bind hold one, and the patterns cost far more to search."""
    return frozenset(each for each in _TELLING - {"non"} if NEGATION.search(each) or MODAL.search(each))


def is_unread(text: str) -> bool:
    """Whether most of its letters are of no Latin alphabet, so that no cue of this module could be found in it."""
    if text.isascii():
        return False
    letters = [sign for sign in text if sign.isalpha()]
    return 2 * sum(sign > _LATIN_ENDS for sign in letters) > len(letters)
