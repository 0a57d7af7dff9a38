"""Secrets in other spellings: escaped, encoded, in full width, joined by a program; numbers of cards and accounts."""

import base64
import random
import string
from collections.abc import Callable, Iterator

from secret_corpus.tokens import TOKENS, Draw, pem
from secret_corpus.words import password

Spell = Callable[[str], str]
GIVEN = ("github-token", "anthropic-key", "aws-access-key", "npm-token", "stripe-key", "jwt")


def wide(text: str) -> str:
    return "".join("\u3000" if char == " " else chr(ord(char) + 0xFEE0) for char in text)


def bold(text: str) -> str:
    """Letters and digits as mathematics has them in bold."""
    starts = ((string.ascii_uppercase, 0x1D400), (string.ascii_lowercase, 0x1D41A), (string.digits, 0x1D7CE))
    styled = {char: chr(start + number) for chars, start in starts for number, char in enumerate(chars)}
    return "".join(styled.get(char, char) for char in text)


def each(form: str) -> Spell:
    return lambda text: "".join(form.format(ord(char)) for char in text)


def every_other(form: str) -> Spell:
    return lambda text: "".join(form.format(ord(char)) if at % 2 else char for at, char in enumerate(text))


def packed(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def lines(text: str) -> str:
    """As the command `base64` prints it."""
    return base64.encodebytes(text.encode()).decode().strip()


def joined(sign: str, quote: str = '"') -> Spell:
    """Two strings; the quotes around them are the place's."""
    return lambda text: f"{text[: len(text) // 3]}{quote}{sign}{quote}{text[len(text) // 3 :]}"


SPELLINGS: dict[str, Spell] = {
    "full width": wide,
    "a few in full width": lambda text: text[:9] + wide(text[9:12]) + text[12:],
    "bold": bold,
    "JSON": each("\\u{:04x}"),
    "JSON in JSON": each("\\\\u{:04X}"),
    "JSON, here and there": every_other("\\u{:04x}"),
    "code points": each("\\u{{{:x}}}"),
    "bytes": each("\\x{:02x}"),
    "HTML": each("&#{};"),
    "HTML, hex": each("&#x{:X};"),
    "HTML, here and there": every_other("&#{:03};"),
    "URL": each("%{:02X}"),
    "URL, here and there": every_other("%{:02x}"),
    "URL, twice": each("%25{:02X}"),
    "base64": packed,
    "base64 with slashes": lambda text: packed(f"is it? so be it?{text}"),
    "base64 for URLs": lambda text: base64.urlsafe_b64encode(text.encode()).decode().rstrip("="),
    "base64, twice": lambda text: packed(packed(text)),
    "base64 in a URL": lambda text: each("%{:02X}")(packed(text)),
    "base64 of UTF-16": lambda text: base64.b64encode(text.encode("utf-16-le")).decode(),
    "hex": lambda text: text.encode().hex(),
    "hex, 0x": lambda text: f"0x{text.encode().hex().upper()}",
}
PLACES = ("{}", "use {} now", "value={}", '"value": "{}"', "- {}\n- other")
JOINS: dict[str, Spell] = {
    "plus": joined(" + "),
    "plus, close": joined("+", "'"),
    "plus, next line": joined(" +\n      "),
    "dot": joined(" . ", "'"),
    "bars": joined(" || ", "'"),
    "ampersand": joined(" & "),
    "nothing": joined(""),
    "a blank": joined(" ", "'"),
    "next line": joined("\n    "),
    "next line, told so": joined(" \\\n  ", "'"),
}
WORDED = ("password={}", "the password is {}", "postgres://app:{}@db.internal/app", "mysql -u root -p{} shop")


def spelled(seed: int = 6, rounds: int = 2) -> Iterator[tuple[str, str, str, str]]:
    """(kind, place, text, secret as it is written there)."""
    draw = random.Random(seed)
    for kind in GIVEN:
        for name, spell in SPELLINGS.items():
            for place in PLACES:
                for _ in range(rounds):
                    secret = spell(TOKENS[kind][0](draw))
                    yield kind, f"{name}: {place}", place.replace("{}", secret), secret
        for name, join in JOINS.items():
            for place in ('x = "{}"', 'call("{}", 1)'):
                secret = join(TOKENS[kind][0](draw))
                written = place.replace("{}", secret)
                yield kind, f"joined, {name}: {place}", written.replace('"', "'") if "'" in secret else written, secret
    yield from worded(draw)


def worded(draw: random.Random) -> Iterator[tuple[str, str, str, str]]:
    """Wordings, all of them in another spelling, and private keys."""
    whole = {name: spell for name, spell in SPELLINGS.items() if " here and there" not in name and name != "bold"}
    for name, spell in whole.items():
        for wording in WORDED:
            secret = password(draw).replace("@", "x").replace("$", "x")
            kind = "url-password" if "@" in wording else "password"
            text = spell(wording.replace("{}", secret))
            yield kind, f"{name}: {wording}", f"see {text} there", spell(secret) if len(spell("ab")) > 2 else secret
    for name in ("base64", "base64 for URLs", "base64, twice"):
        secret = SPELLINGS[name](pem("RSA ")(draw))
        yield "private-key", name, f"  tls.key: {secret}\n", secret
    block = lines(pem("RSA ")(draw))
    yield "private-key", "base64 in lines", f"{block}\n", block.split("\n")[1]


def checked(digits: str) -> str:
    """The digits and Luhn's check digit."""
    total = 0
    for number, digit in enumerate(reversed(digits)):
        doubled = int(digit) * (2 - number % 2)
        total += doubled - 9 if doubled > 9 else doubled
    return digits + str(-total % 10)


def card(start: str, size: int) -> Draw:
    return lambda draw: checked(start + "".join(draw.choices(string.digits, k=size - 1 - len(start))))


def account(country: str, letters: int, size: int) -> Draw:
    """An IBAN: so many letters of a bank, then digits."""

    def made(draw: random.Random) -> str:
        bank = "".join(draw.choices(string.ascii_uppercase, k=letters))
        inner = bank + "".join(draw.choices(string.digits, k=size - 4 - letters))
        rest = int("".join(str(int(char, 36)) for char in f"{inner}{country}00")) % 97
        return f"{country}{98 - rest:02}{inner}"

    return made


def groups(text: str, sizes: tuple[int, ...], gap: str) -> str:
    parts, at = [], 0
    for size in sizes:
        parts.append(text[at : at + size])
        at += size
    return gap.join(part for part in parts if part)


CARDS = (card("4", 16), card("51", 16), card("2345", 16), card("6011", 16), card("3530", 16), card("62", 16))
AMEX = card("37", 15)
ACCOUNTS = tuple(
    account(*each)
    for each in (
        ("DE", 0, 22),
        ("GB", 4, 22),
        ("FR", 0, 27),
        ("NL", 4, 18),
        ("ES", 0, 24),
        ("NO", 0, 15),
        ("MT", 4, 31),
    )
)
NUMBERS = ("card {}", "my Visa: {} (12/29)", '"cardNumber": "{}"', "pay with credit card {}.", "{} is on the Amex")
IBANS = ("IBAN {}", "iban={}", '"account": "{}"', "please pay to {}.", "{}\n", "- {} (mine)")


def numbers(seed: int = 7, rounds: int = 4) -> Iterator[tuple[str, str, str, str]]:
    """Numbers of cards and accounts that pass their checks."""
    draw = random.Random(seed)
    for _ in range(rounds):
        for text in NUMBERS:
            for maker in (*CARDS, AMEX):
                number = maker(draw)
                sizes = (4, 6, 5) if maker is AMEX else (4, 4, 4, 4)
                for gap in "", " ", "-":
                    secret = groups(number, sizes, gap) if gap else number
                    yield "card-number", text, text.replace("{}", secret), secret
        for text in IBANS:
            for maker in ACCOUNTS:
                number = maker(draw)
                for secret in number, groups(number, (4,) * 8, " "):
                    yield "iban", text, text.replace("{}", secret), secret
