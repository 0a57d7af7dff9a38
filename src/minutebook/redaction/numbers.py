"""Numbers of payment cards (ISO/IEC 7812, Luhn's check) and of bank accounts (IBAN, ISO 13616: mod 97)."""

from __future__ import annotations

from minutebook.ground.lazy import lazy
from minutebook.redaction.finding import RUN_TRIAL, Effort, Finding, crowd
from minutebook.redaction.gates import bytes_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from minutebook.redaction.look import Look

_CHARACTERS = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_SHAPE = bytes(0x30 if byte in _CHARACTERS else 0x2D if byte in b" -" else 0x20 for byte in range(256))
_SHAPES = (b"0000-0000", b"0" * 15)
"""In groups, of which the second has four letters or more, and in one."""
_CARD = lazy(
    r"(?<![\w./+#-])(?<![0-9] )(?:[2-6][0-9]{3}(?P<gap>[ -])"
    r"(?:[0-9]{4}(?P=gap)[0-9]{4}(?P=gap)[0-9]{4}(?:(?P=gap)[0-9]{3})?|[0-9]{6}(?P=gap)[0-9]{5})"
    r"|[2-6][0-9]{14,15})(?![\w-]|\.[0-9]| [0-9]{4})"
)
_COUNTRY = lazy(r"(?<![\w./+#-])(?P<country>[A-Z]{2})[0-9]{2}(?:(?P<gap> )[A-Z0-9]{4} |[A-Z0-9]{11})")
_GROUP = bytes_pattern(rb"[0]++.?")
_BRANDS = lazy(
    r"4[0-9]{15}(?:[0-9]{3})?|(?:5[1-5][0-9]{2}|222[1-9]|22[3-9][0-9]|2[3-6][0-9]{2}|27[01][0-9]|2720)[0-9]{12}"
    r"|3[47][0-9]{13}|(?:6011|65[0-9]{2}|64[4-9][0-9]|35(?:2[89]|[3-8][0-9])|62[0-9]{2})[0-9]{12}"
)
_SAID = lazy(
    r"(?i)(?<![a-z])(?:(?:credit|debit|bank|payment)?[ _-]?card(?:number|holder|no)?|credit|debit|visa|mastercard"
    r"|maestro|amex|american express|cvv|cvc|pan|ccn?|ccnum(?:ber)?)(?![a-z])|card_?num"
)
_AROUND = 80
_SHOWN = (
    "4111111111111111 4242424242424242 4012888888881881 4000056655665556 5555555555554444 5105105105105100 "
    "2223003122003222 5200828282828210 378282246310005 371449635398431 378734493671000 6011111111111117 "
    "6011000990139424 3530111333300000 3566002020360505 6200000000000005 4917610000000000 DE89370400440532013000 "
    "GB82WEST12345698765432 FR1420041010050500013M02606 GB29NWBK60161331926819 NL91ABNA0417164300 "
    "ES9121000418450200051332 CH9300762011623852957 BE68539007547034 AT611904300234573201"
)
_PUBLISHED = frozenset(_SHOWN.split())
"""What documentation shows: no money is behind them."""
_COUNTRIES = (
    "NO15 BE16 DK18 FI18 FO18 GL18 NL18 MK19 SI19 AT20 BA20 EE20 KZ20 LT20 LU20 XK20 CH21 HR21 LI21 LV21 BG22 "
    "BH22 CR22 DE22 GB22 GE22 IE22 ME22 RS22 AE23 GI23 IL23 IQ23 TL23 AD24 CZ24 ES24 MD24 PK24 RO24 SA24 SE24 "
    "SK24 TN24 VG24 PT25 IS26 TR26 FR27 GR27 IT27 MC27 MR27 SM27 AL28 AZ28 CY28 DO28 GT28 HU28 LB28 PL28 BY28 "
    "SV28 BR29 EG29 PS29 QA29 JO30 KW30 MU30 UA29 MT31 SC31 LC32"
)
_LENGTH = {each[:2]: int(each[2:]) for each in _COUNTRIES.split()}
"""By country the length of an account (the IBAN registry)."""


def numbers(look: Look, effort: Effort) -> Iterator[Finding]:
    """The numbers of cards and accounts in a text."""
    shape = look.plain.translate(_SHAPE)
    for sought in _SHAPES:
        at = shape.find(sought)
        while at >= 0:
            found = _card(look.text, at, effort) or _account(look.text, at, effort)
            if found is not None:
                yield found
            if effort.left < 0:
                yield crowd(look.text, at, (shape.rfind(sought),))
                return
            at = shape.find(sought, found.end if found is not None else _next(shape, at))


def _next(shape: bytes, at: int) -> int:
    """Where the next group starts."""
    match = _GROUP.match(shape, at)
    return match.end() if match is not None else at + 1


def _card(text: str, at: int, effort: Effort) -> Finding | None:
    match = _CARD.match(text, at)
    if match is None:
        return None
    effort.left -= RUN_TRIAL
    digits = match[0].replace(" ", "").replace("-", "")
    if _BRANDS.fullmatch(digits) is None or not _luhn(digits) or len(set(digits)) < 4 or digits in _PUBLISHED:
        return None
    if match["gap"] is None and _SAID.search(_line(text, *match.span())) is None:
        return None
    return Finding(*match.span(), "card-number")


def _line(text: str, start: int, end: int) -> str:
    """What is near on the same line."""
    before, after = text[max(0, start - _AROUND) : start], text[end : end + _AROUND]
    return before[before.rfind("\n") + 1 :] + text[start:end] + after.partition("\n")[0]


def _luhn(digits: str) -> bool:
    doubled = (int(digit) * (1 + number % 2) for number, digit in enumerate(reversed(digits)))
    return sum(each - 9 if each > 9 else each for each in doubled) % 10 == 0


def _account(text: str, at: int, effort: Effort) -> Finding | None:
    """An account is as long as its country has them; in groups of four, it has blanks between them."""
    start = _COUNTRY.match(text, at)
    size = _LENGTH.get(start["country"]) if start is not None else None
    if start is None or size is None:
        return None
    effort.left -= RUN_TRIAL
    end = at + size + ((size - 1) // 4 if start["gap"] else 0)
    account = text[at:end].replace(" ", "")
    whole = len(account) == size and account.isalnum() and account.isascii() and account.upper() == account
    if not whole or text[end : end + 1].isalnum() or account in _PUBLISHED or not _is_account(account):
        return None
    return Finding(at, end, "iban")


def _is_account(account: str) -> bool:
    return (
        "02" <= account[2:4] <= "98"
        and int("".join(str(int(each, 36)) for each in account[4:] + account[:4])) % 97 == 1
    )
