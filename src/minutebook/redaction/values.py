"""Is it a secret, or a placeholder, a name, a number, a hash? The last word on what a rule has matched."""

from __future__ import annotations

from minutebook.ground.lazy import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

_PLACEHOLDER = lazy(
    r"""(?ix) ^[<\[{$%] | \.\.\. | … | x{5,} | \*{3,} | _{4,} | example | placeholder | redacted | scrubbed
    | your[_-]? | my[_-](?:secret|token|key|password|api) | change[_-]?me | dummy | fake | sample
    | insert[_-] | replace[_-] | 0123456789 | 1234567890 | abcdefghij | (.)\1{7} | \}\} | \$\{ """
)
_LOOKED_AT = 300
_DIGIT, _LETTER = lazy("[0-9]"), lazy("[A-Za-z]")
_WORDS = lazy(
    r"(?i)string|number|boolean|null|none|nil|undefined|true|false|required|optional|invalid|missing|hidden|empty|default"
    r"|password|passwd|secret|token|bearer|basic|apikey|unknown|changed|random|expired|incorrect|correct|value|admin"
)
_REFERENCE = lazy(
    r"(?:[A-Za-z_][\w-]*[.:]{1,2}){1,8}[A-Za-z_]\w*|[A-Za-z_]+(?:_[A-Za-z]+){1,12}|[A-Z][a-z]+(?:[A-Z][a-z]+)+"
)
_PLACE = lazy(r"[./~\\]|[a-z][a-z0-9+.-]{1,20}://|[A-Za-z]:[\\/]")
_UUID = lazy(r"(?i)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_KEY_OWNER = lazy(
    r"(?i)(?:api|access|private|auth|encrypt(?:ion)?|sign(?:ing|ature)?|master|account|licen[sc]e|service|session|shared"
    r"|storage|admin|subscription|client|deploy|webhook|secret|hmac|jwt|cookie|crypto?|cipher|aes"
    r"|(?<![a-z])app)[_ -]?\Z"
)
_ASKED = lazy(r"(?i)\b(?:what(?:'s| is| are)|which is|enter|provide|give|send|share)\b[^?\n]{0,70}\Z")
_API = lazy(r"(?i)api[_ -]?\Z")
_COMMON = (
    "a about above add added after again all already also always an and any are as asked at back based be been before "
    "being below between both but by can change changed check checked code come correctly could create created "
    "current default did do does done during each either empty encoded encrypted enter entered env environment equal "
    "every expired fail failed field fields file files first for from generated get gets give given go goes good got "
    "had hard hardcoded has hashed have he held her here hidden him his hold how however if in input inside instead "
    "into invalid is it its just keep kept keychain last later least left length like log logged logs long look made "
    "make makes many may me might missing more most much must my name need needed needs never new no none nor not "
    "nothing now of off old on once one only open optional or other our out over own passed password passwords per "
    "plain please policy printed prompt provided put random read ready required reset same saved secret secure see "
    "seen select sent set sets she should show shown since so some something still store stored strong such take than "
    "that the their them then there these they this those through to token too true two type under until up update "
    "updated upper us use used user username users using valid validated value very via wait want was we were what "
    "when where whether which while who why will with without word would wrong yes yet you your "
)
_SENTENCE = frozenset(_COMMON.split())
_DIGITS = "0123456789"
_LOWER = "abcdefghijklmnopqrstuvwxyz"
_WITHOUT = tuple(str.maketrans("", "", some) for some in (_DIGITS, _LOWER, _LOWER.upper()))
_OPTION = lazy(r"--[A-Za-z-]{0,20}\Z")
_PARAMETER = lazy("&[a-z_]+=")
_ADDRESS = lazy(r"[^@]+@[^@]+\.[A-Za-z]{2,24}")
_NUMBERED = lazy("[A-Za-z]+[-_.]?[0-9]{1,2}")
_SYMBOL = lazy(r"[!@#$%^&*+=?~]")
_KNOWN_START = lazy(
    r"AAAA|MII|pk_|iVBOR|R0lGOD|sha\d|md5|h1|(?:agent_)?msg_|(?:srv)?toolu_|call_|req_|resp_|chatcmpl|gen-"
)
_KNOWN_BEFORE = lazy(r"(?i)(?:base64,|sha\d{1,3}[:-]|md5[:-]|h1:|://\S*)\Z")
_PUBLIC = lazy("(?:(?:X509 |TRUSTED |NEW |RSA )?(?:CERTIFICATE(?: REQUEST)?|CRL|PUBLIC KEY)|PKCS7|CMS)-----")
_DIGEST_BEFORE = lazy(
    r"(?i)(?:sha-?[0-9]{1,3}|md5|blake[23][bs]?|digest|checksum|integrity)[\"'`]?[ \t]{0,2}[:=-][ \t]{0,2}[\"'`]?\Z"
)
_DIGESTS = frozenset((22, 27, 32, 38, 40, 43, 56, 64, 86, 96, 128))
"""Characters of a digest of 16, 20, 28, 32, 48 or 64 bytes in base64 without its `=`, and in hex."""
_ALIKE = lazy(r"[a-z]+|[A-Z]+|[0-9]+|[_-]+")


def span_of(match: re.Match[str]) -> tuple[int, int]:
    """Where the secret stands: the group `s` or `u`, or else the whole match."""
    for name in ("s", "u", "w"):
        if name in match.re.groupindex and match[name] is not None:
            return match.span(name)
    return match.span()


def secret_of(match: re.Match[str]) -> str:
    start, end = span_of(match)
    return match.string[start:end]


def placeholder(value: str) -> bool:
    """What documentation writes in place of a secret."""
    return _PLACEHOLDER.search(value[:_LOOKED_AT]) is not None


def entropy(text: str) -> float:
    """Bits per character (Shannon)."""
    from collections import Counter
    from math import log2

    return log2(len(text)) - sum(n * log2(n) for n in Counter(text).values() if n > 1) / len(text)


def varied(match: re.Match[str]) -> bool:
    """Long enough to hold many characters, and it does; no word is looked for in it."""
    return len(set(secret_of(match))) >= 16


def passphrase(match: re.Match[str]) -> bool:
    """Words that make no sentence, four or more of them, as dice or a manager draw them (EFF's word lists)."""
    name = "s" if "s" in match.re.groupindex else "w"
    words = match[name].replace("-", " ").split(" ")
    return len(words) >= 4 and not match[name].isupper() and _SENTENCE.isdisjoint(word.lower() for word in words)


def any_value(match: re.Match[str]) -> bool:
    return not placeholder(secret_of(match))


def random_token(match: re.Match[str]) -> bool:
    """A token whose characters vary and that is no placeholder."""
    value = secret_of(match)
    return len(set(value)) >= 8 and not placeholder(value)


def with_digit(match: re.Match[str]) -> bool:
    """A token with letters and digits."""
    value = secret_of(match)
    return _DIGIT.search(value) is not None and _LETTER.search(value) is not None and random_token(match)


def url_password(match: re.Match[str]) -> bool:
    """Not the user's own name again, nor the word `password` itself, as local databases have it."""
    value = match["s"]
    common = _WORDS.fullmatch(value) is not None or value.lower() in {"pass", "pwd", "root", "test", "postgres"}
    return not common and value != match["user"] and not placeholder(value)


def assigned_password(match: re.Match[str]) -> bool:
    value = secret_of(match)
    if _stray_flag(match) or _unlikely(value):
        return False
    if value.isalpha():
        return match["s"] is not None
    return _mixed(value) or value.isdigit()


def assigned_token(match: re.Match[str]) -> bool:
    value = secret_of(match)
    if _stray_flag(match) or _stray_key(match) or _unlikely(value) or not with_digit(match):
        return False
    if _UUID.fullmatch(value) and not _API.search(_before(match)):  # some services give out UUIDs as keys
        return False
    return len(value) >= (10 if match["s"] is not None else 16) and entropy(value) >= 2.8


def said_password(match: re.Match[str]) -> bool:
    """After "the password is": a word that no sentence would have there, or one in quotes."""
    value = _PARAMETER.split(match["s"], maxsplit=1)[0]
    quoted = bool(match["q"]) and match.string.startswith(match["q"], match.end())
    return not _unlikely(value) and (_mixed(value) or value.isdigit() or quoted)


def given_password(match: re.Match[str]) -> bool:
    """Where a command or a phrase leaves room for nothing but a password."""
    value = match["s"]
    return not _unlikely(value) and _mixed(value)


def strong_password(match: re.Match[str]) -> bool:
    """Right after the word `password`: a value with letters, digits and signs, as no word of a sentence has them."""
    value = match["s"]
    return given_password(match) and any(c.isdigit() for c in value) and _SYMBOL.search(value) is not None


def login_password(match: re.Match[str]) -> bool:
    """What one logs in with: people, too, are named there, and ways to do it (`OAuth2`). After a user's name, or in
    quotes, any word with letters and digits that is no word with a number; a stronger one alone."""
    value = match["s"]
    if _unlikely(value) or _ADDRESS.fullmatch(value) or _NUMBERED.fullmatch(value) or not any(map(str.isdigit, value)):
        return False
    told = bool(match["who"] or match["user"] or match["q"])
    return _mixed(value) and (told or _SYMBOL.search(value) is not None)


def asked_password(match: re.Match[str]) -> bool:
    """The answer to "what is the password?"."""
    value = match["s"]
    return _ASKED.search(_asked_in(match)) is not None and not _unlikely(value) and (_mixed(value) or value.isdigit())


def asked_token(match: re.Match[str]) -> bool:
    value = match["s"]
    if _stray_key(match) or not _ASKED.search(_asked_in(match)):
        return False
    return not _unlikely(value) and len(value) >= 10 and with_digit(match)


def basic_pair(match: re.Match[str]) -> bool:
    """Base64 of `user:password`, as HTTP's basic authentication sends it (RFC 7617)."""
    plain = _decoded(match["s"])
    if plain is None:
        return False
    user, colon, password = plain.partition(b":")
    return bool(user and colon and password) and all(0x20 <= byte < 0x7F for byte in plain)


def said_token(match: re.Match[str]) -> bool:
    value = match["s"]
    if _stray_key(match) or _unlikely(value) or _UUID.fullmatch(value):
        return False
    return len(value) >= 12 and with_digit(match)


def looks_random(value: str) -> bool:
    """Random by its letters alone: both cases and digits, spread evenly and changing all the time. Of two neighbours
    in random base 62 three in five are of different kinds; in names made of words one in three.

    Hex (hashes, UUIDs) has one case; public keys, pictures and message ids are known by how they start.
    """
    most = len(value) - max(4, len(value) // 10)
    if any(len(value.translate(gone)) > most for gone in _WITHOUT) or entropy(value) < 4.3:
        return False
    if len(_ALIKE.findall(value)) < 0.45 * len(value):
        return False
    return not (_KNOWN_START.match(value) or placeholder(value) or _spells_text(value))


def _spells_text(value: str) -> bool:
    """Base64 of plain words."""
    plain = _decoded(value)
    return plain is not None and plain.isascii() and all(0x20 <= byte < 0x7F or byte in b"\t\n\r" for byte in plain)


def _decoded(value: str) -> bytes | None:
    from base64 import b64decode

    value = value.rstrip("=")
    try:
        return b64decode(value + "=" * (-len(value) % 4), b"-_")
    except ValueError:
        return None


def known_before(text: str) -> bool:
    """Text after which a random word is a picture, a digest or part of an address."""
    return _KNOWN_BEFORE.search(text) is not None


def digest(before: str, size: int) -> bool:
    """Whether something of this size is a digest: told by its label, as lock files and wheels write them."""
    return size in _DIGESTS and _DIGEST_BEFORE.search(before) is not None


def public(before: str) -> bool:
    """Whether what follows belongs to a certificate or a public key (RFC 7468), which anybody may know."""
    block = before.rpartition("-----BEGIN ")[2]
    return len(block) < len(before) and "-----END" not in block and _PUBLIC.match(block) is not None


def _asked_in(match: re.Match[str]) -> str:
    """The question before the word that names what it asks for."""
    return match.string[max(0, match.start() - 80) : match.start()]


def _before(match: re.Match[str]) -> str:
    return match.string[max(0, match.start() - 24) : match.start()]


def _stray_flag(match: re.Match[str]) -> bool:
    """A name and a value with only a space between them are an assignment after `--` alone."""
    return match["flag"] is not None and not _OPTION.search(_before(match))


def _stray_key(match: re.Match[str]) -> bool:
    """Most keys are names of things; `api_key`, `signing key` and their like are secret."""
    return match["name"].lower() == "key" and not _KEY_OWNER.search(_before(match))


def _unlikely(value: str) -> bool:
    return (
        _WORDS.fullmatch(value) is not None
        or placeholder(value)
        or _PLACE.match(value) is not None
        or _REFERENCE.fullmatch(value) is not None
    )


def _mixed(value: str) -> bool:
    letters = _LETTER.search(value) or any(c.isalpha() for c in value)
    return bool(letters) and (_DIGIT.search(value) is not None or _SYMBOL.search(value) is not None)
