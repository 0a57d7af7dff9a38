"""Numbers of payment cards (ISO/IEC 7812, Luhn's check) and of bank accounts (IBAN, ISO 13616: mod 97)."""

from __future__ import annotations

from minutebook.ground.lazy import lazy
from minutebook.redaction.finding import LOOK, Effort, Finding, crowd
from minutebook.redaction.gates import bytes_pattern
from minutebook.redaction.hints import SHAPES

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

    from minutebook.redaction.look import Look

_BLANKS = " \u00a0"
_CARD = lazy(
    rf"(?<![\w./+-])(?<![0-9][{_BLANKS}])(?:[2-6][0-9]{{3}}(?P<gap>[{_BLANKS}-])"
    r"(?:[0-9]{4}(?P=gap)[0-9]{4}(?P=gap)[0-9]{4}(?:(?P=gap)[0-9]{3})?|[0-9]{6}(?P=gap)[0-9]{5})"
    rf"|[2-6][0-9]{{14,15}})(?![\w-]|\.[0-9]|[{_BLANKS}][0-9]{{4}})"
)
_COUNTRY = lazy(
    rf"(?<![\w./+#-])(?P<country>[A-Z]{{2}})[0-9]{{2}}(?:(?P<gap>[{_BLANKS}])[A-Z0-9]{{4}}[{_BLANKS}]|[A-Z0-9]{{11}})"
)
_CHAIN = bytes_pattern(rb"0000-0000[0-]{6,}+|0{15,}+")
_BRANDS = lazy(
    r"4[0-9]{15}(?:[0-9]{3})?|(?:5[1-5][0-9]{2}|222[1-9]|22[3-9][0-9]|2[3-6][0-9]{2}|27[01][0-9]|2720)[0-9]{12}"
    r"|3[47][0-9]{13}|(?:6011|65[0-9]{2}|64[4-9][0-9]|35(?:2[89]|[3-8][0-9])|62[0-9]{2})[0-9]{12}"
)
_NAMES = (
    r"(?:(?:credit|debit|bank|payment)?[ _-]?card|kredit-?karten?|card_?(?:number|num|no)|visa|master ?card|maestro"
    r"|amex|american express|credit|debit|ccnum(?:ber)?|ccn|cc)"
)
# A name right before the number, or after it: `my Visa: `, `"cardNumber": "`, ` is on the Amex`.
_SAID_BEFORE = lazy(
    rf"(?i)(?<![a-z]){_NAMES}(?:[ _-]?(?:number|num|nr|no\.?|nummer|holder|is|was|ending|with|=|:|#)){{0,3}}"
    r"[\"'`\\]{0,3}[\s=:#(,|>-]{0,6}[\"'`\\]{0,3}\Z"
)
_SAID_AFTER = lazy(rf"(?i)[\"'`\s,()-]{{1,4}}(?:is|was|on|my|the|our|a|of|to|with|[ ]){{0,6}}{_NAMES}(?![a-z])")
_NEAR = lazy(rf"(?i)(?<![a-z])(?:{_NAMES}s?|cvv|cvc)(?![a-z])")
_BEFORE, _AFTER = 48, 40
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


_LETTERED = ("GB", "IE", "NL", "MT", "LV", "GI", "RO", "BG", "QA", "KW", "JO", "BH", "AZ", "SC", "LC", "PK", "PS", "MU")
_DIGITS_ALONE = ("DE", "ES", "AT", "BE", "PL", "DK", "FI", "NO", "SE", "PT", "CZ", "HU")
"""Whose accounts begin, behind the digits that check them, with four letters of a bank; whose have digits alone."""
_LEAD = 8
_UNGROUPED = {ord(each): None for each in f"{_BLANKS}-"}
_VALUES = {ord(str(digit)): digit for digit in range(10)}
_DOUBLED = bytes((0, 2, 4, 6, 8, 1, 3, 5, 7, 9)) + bytes(246)
_AS_NUMBERS = {ord(char): str(int(char, 36)) for char in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}


def numbers(look: Look, shape: bytes, effort: Effort) -> Iterator[Finding]:
    """The numbers of cards and accounts in a text of this shape: chains of groups, each gone over once."""
    for sought in SHAPES:
        at = shape.find(sought)
        while at >= 0:
            chain = _CHAIN.match(shape, at)
            end = chain.end() if chain is not None else at + len(sought)
            if chain is not None:
                yield from _in_chain(look.text, at, end, effort)
            if effort.left < 0:
                yield crowd(look.text, at, (shape.rfind(sought),))
                return
            at = shape.find(sought, end)


def _in_chain(text: str, at: int, end: int, effort: Effort) -> Iterator[Finding]:
    """What such groups are: a card's number at their start, or accounts. Before the first may stand a word or two that
    have its shape, like `AN` or `1`."""
    card = _card(text, at, effort)
    if card is not None:
        yield card
        return
    for start in _COUNTRY.finditer(text, max(0, at - _LEAD), end):
        account = _account(text, start, effort)
        if account is not None:
            yield account


def _card(text: str, at: int, effort: Effort) -> Finding | None:
    match = _CARD.match(text, at)
    if match is None:
        return None
    digits = match[0].translate(_UNGROUPED)
    if not digits.isascii() or _BRANDS.fullmatch(digits) is None or not _luhn(digits):
        return None
    effort.left -= LOOK
    if len(set(digits)) < 4 or digits in _PUBLISHED or not _said(text, match):
        return None
    return Finding(*match.span(), "card-number")


def _said(text: str, match: re.Match[str]) -> bool:
    """Whether it is said that this is a card's: right beside it, or somewhere on the line if the number stands in
    groups and is the only one there."""
    start, end = match.span()
    before, after = text[max(0, start - _BEFORE) : start], text[end : end + _AFTER]
    if _SAID_BEFORE.search(before) is not None or _SAID_AFTER.match(after) is not None:
        return True
    if match["gap"] is None:
        return False
    line = f"{before.rpartition(chr(10))[2]} {after.partition(chr(10))[0]}"
    return _NEAR.search(line) is not None and not any(map(str.isdigit, line))


def _luhn(digits: str) -> bool:
    plain = digits.translate(_VALUES).encode("latin-1")[::-1]
    return (sum(plain[::2]) + sum(plain[1::2].translate(_DOUBLED))) % 10 == 0


def _account(text: str, start: re.Match[str], effort: Effort) -> Finding | None:
    """An account is as long as its country has them; in groups of four, it has blanks between them."""
    at, size = start.start(), _LENGTH.get(start["country"])
    if size is None:
        return None
    effort.left -= LOOK
    end = at + size + ((size - 1) // 4 if start["gap"] else 0)
    account = text[at:end].translate(_UNGROUPED)
    whole = len(account) == size and account.isalnum() and account.isascii() and account.upper() == account
    if not whole or text[end : end + 1].isalnum() or account in _PUBLISHED or not _is_account(account):
        return None
    return Finding(at, end, "iban")


def _is_account(account: str) -> bool:
    checked = "02" <= account[2:4] <= "98" and int(f"{account[4:]}{account[:4]}".translate(_AS_NUMBERS)) % 97 == 1
    if account.startswith(_LETTERED):
        return checked and account[4:8].isalpha()
    return checked and (account[2:].isdigit() or not account.startswith(_DIGITS_ALONE))
