"""Secrets that stand after a word: headers, URLs, assignments, command lines, files of credentials, prose."""

from __future__ import annotations

from minutebook.ground.frozen import replace
from minutebook.ground.lazy import lazy
from minutebook.redaction import gates, values
from minutebook.redaction.shape import BLANK, CHARACTER, GIVEN, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable

_NAME_GOES_ON = r"(?!s?[_-]?(?:iz|count|type|limit|budget|usage|name|ref|id\b|uri|url|endpoint|path|file|arn|hash))"
_SIGN = r"(?::=|=>|=(?!=)|:|%3d|%3a|>(?=[^<>\s]{6,256}</))"
# The value may stand on the next line (`key: >-`, a wrapped command), unless that line opens a nested mapping or list.
_BREAK = r"(?:(?:[>|][+-]?|\\)?(?:\r?\n|\\r?\\n)[ \t]{0,12}(?![^\s:]{1,60}:(?:\s|$)|- ))"
_FENCE = r"(?:```[a-z]{0,10}(?:\r?\n|\\n)[ \t]{0,12})"
_NEXT = f"{_BREAK}?{_FENCE}?"
# `name: `, `name" = `, and `name" value="` of XML.
_EQUALS = (
    rf"[A-Za-z0-9_.-]{{0,24}}(?:[\"'`\\\]]{{0,3}}|&quot;)[ \t]{{0,4}}(?:value[ \t]?)?"
    rf"{_SIGN}[ \t]{{0,4}}{_NEXT}(?:&quot;|&#3[49];|base64:)?"
)
_TYPE = r"(?:(?:&?str|string|optional\[str\]|final(?:\[str\])?)[ \t]{0,2}=[ \t]{0,2})?"
_FLAG = r"(?P<flag>[ \t]{1,2})"
_QUOTED = r"\\?(?P<q>[\"'`])(?P<s>[^\"'`\s\\]{6,4096})\\?(?P=q)"
_PHRASE = r"\\?(?P<p>[\"'`])(?P<w>[A-Za-z]{2,16}(?:[ -][A-Za-z]{2,16}){2,11})\\?(?P=p)"
_UNQUOTED = r"(?P<u>(?![\"'`\\])[^\s\"'`,;()\[\]{}<>|\\]{5,255}[^\s\"'`,;()\[\]{}<>|\\.:!?])(?![(\[{<](?!/))"
_UNQUOTED_TOKEN = r"(?P<u>[A-Za-z0-9_.~+/=-]{5,8191}[A-Za-z0-9_~+/=-])(?![(\[{<](?!/))"
_ABOUT = r"(?:[ \t]{1,2}(?:for|to|of|on)(?:[ \t]{1,2}[^\s:=]{1,40}){1,4}?)?"
_THEN = rf"(?::[ \t]{{0,2}}(?:\r?\n[ \t]{{0,8}}){{0,2}}{_FENCE}?|[ \t]{{1,2}})"
_IS = rf" {{1,2}}(?:is|was|will be|should be)[ \t]{{0,2}}{_THEN}"
_SAID_VALUE = rf"(?P<q>[\"'`]?)(?P<s>{CHARACTER}{{5,127}}(?<=[A-Za-z0-9@#$%^&*+=~_/!-]))"
_WORDS = r"(?P<s>[a-z]{3,12}(?:[ -][a-z]{3,12}){3,9})(?=[.!\"'`\n]|\Z|\\n|, )"


# The ends of what `values` takes for the owner of a key that is secret.
_OWNERS = frozenset(
    b"api ess ate uth ypt ion ign ing ure ter unt nse nce ice red age min ent loy ook ret mac jwt kie pto her aes"
    b" app".split()
)


def _owned(rule: Rule) -> tuple[Rule, ...]:
    """The rule, but for `key`, and the same for `key` after an owner."""
    others = tuple(literal for literal in rule.literals if literal != "key")
    return replace(rule, literals=others), replace(rule, literals=("key",), owners=_OWNERS)


def _assigned(kind: str, literals: str, name: str, unquoted: str, genuine: Callable[[re.Match[str]], bool]) -> Rule:
    """`name = VALUE`, `"name": "VALUE"`, and `--name VALUE` on a command line."""
    text = f"(?i)(?P<name>{name}){_NAME_GOES_ON}(?:{_FLAG}|{_EQUALS}{_TYPE})(?:{_QUOTED}|{unquoted})"
    return Rule(kind, tuple(literals.split()), lazy(text), genuine, gate=gates.assigned)


def _asked(kind: str, literals: str, name: str, genuine: Callable[[re.Match[str]], bool]) -> Rule:
    """`"What is the password of staging?"="VALUE"`: how questions to a person and their answers are recorded."""
    text = (
        rf"(?i)(?P<name>{name})(?:[ \t][^\s?\"'=:]{{1,40}}){{0,6}}\?"
        r"[\"'`\\]{0,4}[ \t]{0,4}[:=]\s{0,4}\\{0,3}(?P<q>[\"'`]?)"
        r"(?P<s>[^\s\"'`\\]{4,256})"
    )
    return Rule(kind, tuple(literals.split()), lazy(text), genuine, gate=gates.asked)


def _said(kind: str, literals: str, name: str, genuine: Callable[[re.Match[str]], bool]) -> Rule:
    """`the password for staging is VALUE` in a sentence."""
    pattern = lazy(f"(?i)(?P<name>{name}){_ABOUT}{_IS}{_SAID_VALUE}")
    return Rule(kind, tuple(literals.split()), pattern, genuine, gate=gates.said)


_AWS_SECRET = lazy(
    r"(?i)secret[_ -]?access[_ -]?key[\"'`\\]{0,3}[ \t]{0,4}(?:[:=]\s{0,12}|\|[ \t]{0,12})[\"'`\\]{0,3}"
    r"(?P<s>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])"
)
_AUTHORIZATION = lazy(
    r"(?i)authorization[\"'`\\]{0,3}[ \t]{0,2}[:=][ \t]{0,2}[\"'`\\]{0,3}"
    r"(?:(?:bearer|basic|token|apikey|digest|bot|key|splunk|sso-key|hmac)[ \t]{1,2})?(?P<s>[A-Za-z0-9._~+/=-]{8,4000}+)"
)
# The pair that Docker, Podman and npm keep: base64 of `user:password`.
_AUTH = lazy(
    r"(?i)auth(?<![a-z0-9]auth)[\"'`\\]{0,3}[ \t]{0,4}[:=][ \t]{0,4}[\"'`\\]{0,3}(?P<s>[A-Za-z0-9+/]{8,4000}+={0,2})"
)
_BEARER = lazy(r"(?i)bearer (?P<s>[A-Za-z0-9._~+/=-]{16,4000}+)")
_COOKIE = lazy(r"(?i)cookie: (?P<s>[^\s=;]{1,80}=[^\r\n\"'\\]{12,4000}+)")
_URL = lazy(r"://(?P<user>[^\s/:@\"'<>?#]{0,64}):(?P<s>[^\s/\"'<>{}$]{3,256})@(?=[\w.\[-])")
_URL_TOKEN = lazy(r"://(?P<s>[A-Za-z0-9_-]{20,255})@(?=[\w.\[-])")
_BASIC = lazy(r"(?i)basic (?P<s>[A-Za-z0-9+/]{8,1000}+={0,2})")
_SIGNED = lazy(r"(?i)(?<=[?&;])sig=(?P<s>[A-Za-z0-9%+/_-]{40,160}+)")
_WEBHOOK = lazy(
    r"hooks(?:(?<=discord\.com/api/webhooks)|(?<=discordapp\.com/api/webhooks))/[0-9]{10,25}/"
    r"(?P<s>[A-Za-z0-9@/_-]{20,300}+)"
)
_TEAMS_WEBHOOK = lazy(r"hookb2(?<=webhook\.office\.com/webhookb2)/(?P<s>[A-Za-z0-9@/_-]{20,300}+)")
_SLACK_WEBHOOK = lazy(r"hooks\.slack\.com/(?P<s>(?:services|workflows|triggers)/[A-Za-z0-9/_-]{20,200}+)")
_AZURE = lazy(r"(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~-])")
_HASH = lazy(r"\$(?:2[abxy]\$[0-9]{2}\$|(?:apr1|[56]|y|argon2(?:id|i|d))\$)(?P<s>[A-Za-z0-9./$=,+]{22,200}+)")
_NETRC = lazy(
    rf"(?i)login{BLANK}{{1,4}}[^\s=:\\]{{1,64}}{BLANK}{{1,4}}password[ \t]{{1,4}}(?P<s>(?!\$){GIVEN}{{4,128}})"
)
_PGPASS = lazy(r":5432:[^\s:]{1,63}:[^\s:\"'`]{1,63}:(?P<s>[^\s:\"'`$<>\\]{4,128})(?=\s|\Z|\\n|[\"'])")
_USER_FLAG = lazy(rf"[\s\"'-]-u(?:ser)?[ =]{{0,2}}[\"']?[^\s:\"'$\\]{{1,64}}:(?P<s>(?!\$){GIVEN}{{4,128}})")
_PASS_FLAG = lazy(
    rf"(?:(?<=ssh)pass|login|mysql|mysqldump|mysqladmin|mariadb)\b[^\n|;&]{{0,80}}?"
    rf"\s-p ?[\"']?(?P<s>(?![-$]){GIVEN}{{4,128}})"
)
_PASS_COLON = lazy(rf"pass:(?<=[ =\"']pass:)(?P<s>(?!\$){GIVEN}{{5,128}})")
_NEW_PHRASE = lazy(rf"ssh-keygen\b[^\n|;&]{{0,80}}?\s-[NP] ?[\"']?(?P<s>(?!\$){GIVEN}{{5,128}})")
_USED = lazy(
    rf"(?i)use[ \t][\"'`]?(?P<s>{CHARACTER}{{6,128}})[\"'`]?[ \t]as[ \t](?:(?:the|my|our|a|its)[ \t])?"
    r"(?:[\w-]{1,20}[ \t]){0,2}?(?:password|passphrase|passcode)"
)
_LOGIN = lazy(
    r"(?i)(?:credentials?|creds)(?:[ \t](?:are|is|for[ \t][\w.-]{1,30}))?[ \t]{0,2}:?[ \t]{1,2}[\"'`]?"
    rf"[\w.@-]{{1,64}}(?::|[ \t]/[ \t])(?P<s>{CHARACTER}{{5,128}})"
)
_LOG_IN = lazy(
    r"(?i)(?:log(?:ged|ging)?|sign(?:ed|ing)?)[ -]?in(?:[ \t]to[ \t][^\s,]{1,60})?"
    r"(?P<who>[ \t]as[ \t][^\s,]{1,64})?,?[ \t](?:with|using)[ \t]"
    rf"(?P<user>(?:user(?:name)?[ \t])?[\w.@-]{{1,64}}[ \t]?(?:/|and)[ \t])?(?P<q>[\"'`]?)"
    rf"(?P<s>{CHARACTER}{{6,128}}(?<=[A-Za-z0-9@#$%^&*+=~_!-]))"
)
_WITH_PASSWORD = lazy(rf"(?i)password[ \t][\"'`]?(?P<s>{CHARACTER}{{8,128}}(?<=[A-Za-z0-9@#$%^&*+=~_!-]))")
_IN_TABLE = lazy(
    rf"(?i)(?:password|passwd|passphrase|passcode|secret|token|key)[ \t`*]{{0,24}}[|│]"
    rf"[ \t`]{{0,24}}(?P<s>{CHARACTER}{{8,256}})"
)
_PASSWORD = "password|passwd|passphrase|passcode|(?<![A-Za-z0-9])pw"
_SAID_WORDS = lazy(f"(?:[Pp]assword|[Pp]assphrase){_ABOUT}{_IS}[\"'`]?{_WORDS}")
_ASSIGNED_WORDS = lazy(rf"(?i)(?:{_PASSWORD})[\"'`\\]{{0,3}}[ \t]{{0,4}}{_SIGN}[ \t]{{0,4}}(?:{_PHRASE})")

WORDINGS: tuple[Rule, ...] = (
    Rule("aws-secret-key", ("secret",), _AWS_SECRET, near=(b"access",), within=13),
    Rule("azure-secret", ("q~",), _AZURE, before=4),
    Rule("slack-webhook", ("hooks.slack.com/",), _SLACK_WEBHOOK),
    Rule("webhook", ("hooks/",), _WEBHOOK),
    Rule("webhook", ("hookb2/",), _TEAMS_WEBHOOK),
    Rule("password-hash", ("$2", "$5$", "$6$", "$y$", "$apr1$", "$argon2"), _HASH, values.varied),
    Rule("authorization", ("authorization",), _AUTHORIZATION, values.with_digit),
    Rule("authorization", ("auth",), _AUTH, values.basic_pair, near=(b":", b"="), within=12),
    Rule("authorization", ("bearer ",), _BEARER, values.with_digit),
    Rule("authorization", ("basic ",), _BASIC, values.basic_pair),
    Rule("signed-url", ("sig=",), _SIGNED),
    Rule("cookie", ("cookie: ",), _COOKIE, values.with_digit),
    Rule("url-password", ("@",), _URL, values.url_password, behind=326, lead=(b"://",), gate=gates.host),
    Rule("url-password", ("@",), _URL_TOKEN, values.with_digit, behind=260, lead=(b"://",), gate=gates.host),
    Rule("password", ("passw",), _NETRC, values.given_password, behind=88, lead=(b"login",)),
    Rule("password", (":5432:",), _PGPASS, values.given_password),
    Rule(
        "password",
        (" -u", "\t-u", "\n-u", '"-u', "'-u", "--u"),
        _USER_FLAG,
        values.given_password,
        near=(b":",),
        within=76,
    ),
    Rule(
        "password",
        (" -p", "\t-p"),
        _PASS_FLAG,
        values.given_password,
        behind=96,
        lead=(b"pass", b"login", b"mysql", b"mariadb"),
    ),
    Rule("password", ("pass:",), _PASS_COLON, values.given_password),
    Rule("password", ("ssh-keygen",), _NEW_PHRASE, values.given_password),
    Rule("password", ("passw", "passp", "passc"), _USED, values.given_password, behind=210, lead=(b"use ", b"use\t")),
    Rule("password", ("cred",), _LOGIN, values.given_password, near=(b"creds", b"credential"), within=10),
    _asked("password", "passw passp passc pw", _PASSWORD, values.asked_password),
    *_owned(_asked("secret", "secret token key", "secret|token(?! count)|key", values.asked_token)),
    _assigned("password", "passw passp passc pw", f"{_PASSWORD}|pwd", _UNQUOTED, values.assigned_password),
    _assigned("password", "_pass -pass", "(?<=[A-Za-z0-9])[_-]pass(?![A-Za-z])", _UNQUOTED, values.assigned_password),
    Rule(
        "password",
        ("passw", "passp", "passc", "pw"),
        _ASSIGNED_WORDS,
        values.passphrase,
        gate=gates.assigned,
    ),
    Rule("password", ("passw", "passp"), _SAID_WORDS, values.passphrase, gate=gates.said),
    _said("password", "passw passp passc pw", _PASSWORD, values.said_password),
    Rule(
        "password",
        ("login", "log in", "log-in", "logged in", "logging in", "sign in", "signed in", "signing in", "sign-in"),
        _LOG_IN,
        values.login_password,
        near=(b" with ", b" using ", b"\twith", b"\tusing", b" with\t"),
        within=150,
    ),
    Rule("password", ("passw",), _WITH_PASSWORD, values.strong_password, near=(b"password ", b"password\t"), within=9),
    *_owned(
        Rule(
            "password",
            ("passw", "passp", "passc", "secret", "token", "key"),
            _IN_TABLE,
            values.strong_password,
            gate=gates.in_table,
        )
    ),
    *_owned(_assigned("secret", "secret token key", "secret|token|key", _UNQUOTED_TOKEN, values.assigned_token)),
    *_owned(_said("secret", "secret token key", "secret|token|key", values.said_token)),
)
