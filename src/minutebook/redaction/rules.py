"""What a secret looks like: one table, provider rules first, then headers, assignments and prose.

The patterns were written for this project (MIT, like the rest of it) from what the providers' public documentation
says about the shape of their own tokens; no third-party rule pack is copied. `RULES_VERSION` changes with the table.

Every pattern is matched *at* one of its literals, never searched for, and every repetition is bounded: the cost of a
text is its length plus a bounded amount for each literal in it.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from minutebook.redaction import values

RULES_VERSION = "2026.11"


@dataclass(frozen=True, slots=True)
class Rule:
    """One kind of secret. `literals` are looked for first; `pattern` is matched where one of them stands.

    A provider's `token` is told by its literal as it is written, which begins a run of at least 16 word characters
    unless it holds others itself. The literals of other rules are in lower case and match in any. The
    secret is the group `s` or `u`, or else the whole match. `genuine` has the last word, so that placeholders of
    documentation stay.
    """

    kind: str
    literals: tuple[str, ...]
    pattern: re.Pattern[str]
    genuine: Callable[[re.Match[str]], bool] = values.random_token
    token: bool = False


# A token starts where a word starts, or right after an escaped newline or tab of JSON inside a string.
_START = r"(?:(?<![A-Za-z0-9_-])|(?<=\\[nrt]))"
_WORD = "[A-Za-z0-9_-]"
_NAME_GOES_ON = r"(?!s?[_-]?(?:iz|count|type|limit|budget|usage|name|ref|id\b|uri|url|endpoint|path|file|arn|hash))"
_EQUALS = r"[A-Za-z0-9_.-]{0,24}[\"'`\\]{0,3}[ \t]{0,4}(?::=|=>|=(?!=)|:)[ \t]{0,4}"
_TYPE = r"(?:(?:&?str|string|optional\[str\])[ \t]{0,2}=[ \t]{0,2})?"
_FLAG = r"(?P<flag>[ \t]{1,2})"
_QUOTED = r"\\?(?P<q>[\"'`])(?P<s>[^\"'`\s\\]{6,256})\\?(?P=q)"
_UNQUOTED = r"(?P<u>(?![\"'`\\])[^\s\"'`,;()\[\]{}<>|\\]{5,255}[^\s\"'`,;()\[\]{}<>|\\.:!?])(?![(\[{<])"
_UNQUOTED_TOKEN = r"(?P<u>[A-Za-z0-9_.~+/=-]{5,255}[A-Za-z0-9_~+/=-])(?![(\[{<])"
_ABOUT = r"(?:[ \t]{1,2}(?:for|to|of|on)(?:[ \t]{1,2}[^\s:=]{1,40}){1,4}?)?"
_IS = r"[ \t]{1,2}(?:is|was|will be|should be)[ \t]{0,2}:?[ \t]{1,2}"
_SAID_VALUE = r"(?P<q>[\"'`]?)(?P<s>[^\s\"'`,;()<>]{5,127}[A-Za-z0-9@#$%^&*+=~_/!-])"


def _token(kind: str, prefixes: str, body: str) -> Rule:
    """A provider's token: one of the prefixes (separated by spaces) and a body, as one word."""
    names = tuple(prefixes.split())
    start = "|".join(re.escape(name) for name in names)
    return Rule(kind, names, re.compile(f"{_START}(?:{start}){body}"), token=True)


def _assigned(kind: str, literals: str, name: str, unquoted: str, genuine: Callable[[re.Match[str]], bool]) -> Rule:
    """`name = VALUE`, `"name": "VALUE"`, and `--name VALUE` on a command line."""
    text = f"(?i)(?P<name>{name}){_NAME_GOES_ON}(?:{_FLAG}|{_EQUALS}{_TYPE})(?:{_QUOTED}|{unquoted})"
    return Rule(kind, tuple(literals.split()), re.compile(text), genuine)


def _said(kind: str, literals: str, name: str, genuine: Callable[[re.Match[str]], bool]) -> Rule:
    """`the password for staging is VALUE` in a sentence."""
    return Rule(kind, tuple(literals.split()), re.compile(f"(?i)(?P<name>{name}){_ABOUT}{_IS}{_SAID_VALUE}"), genuine)


_PRIVATE_KEY = re.compile(
    r"-----BEGIN (?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----"
    r"(?:\\[nr]|[\s\"'+,|>]){0,40}"
    r"(?:(?:Proc-Type|DEK-Info|Version|Comment)[^\n\\]{0,200}(?:\\[nr]|\s){1,10}){0,4}"
    r"[A-Za-z0-9+/=]{16}(?:[A-Za-z0-9+/=\s\\\"',|>]|-(?!----)){0,16000}+"
    r"(?:-----END (?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----)?"
)
_SLACK_WEBHOOK = re.compile(r"hooks\.slack\.com/(?P<s>(?:services|workflows|triggers)/[A-Za-z0-9/_-]{20,200}+)")
_TELEGRAM = re.compile(rf":AA{_WORD}{{33}}(?!{_WORD})")
_JWT = re.compile(rf"{_START}eyJ{_WORD}{{8,4000}}+\.eyJ{_WORD}{{8,8000}}+\.{_WORD}{{0,2000}}+")
_AWS_SECRET = re.compile(
    r"(?i)secret_?access_?key[\"'`\\]{0,3}[ \t]{0,4}[:=][ \t]{0,4}[\"'`\\]{0,3}"
    r"(?P<s>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])"
)
_AUTHORIZATION = re.compile(
    r"(?i)authorization[\"'`\\]{0,3}[ \t]{0,2}[:=][ \t]{0,2}[\"'`\\]{0,3}"
    r"(?:(?:bearer|basic|token|apikey|digest)[ \t]{1,2})?(?P<s>[A-Za-z0-9._~+/=-]{8,2000}+)"
)
_BEARER = re.compile(r"(?i)bearer (?P<s>[A-Za-z0-9._~+/=-]{16,2000}+)")
_COOKIE = re.compile(r"(?i)cookie: (?P<s>[^\s=;]{1,80}=[^\r\n\"'\\]{12,2000}+)")
_URL = re.compile(r"://(?P<user>[^\s/:@\"'<>?#]{0,64}):(?P<s>[^\s/@\"'<>{}$]{3,256})@")
_PASSWORD = "password|passwd|passphrase|passcode"

RULES: tuple[Rule, ...] = (
    Rule("private-key", ("-----begin ",), _PRIVATE_KEY, values.any_value),
    _token("aws-access-key", "AKIA ASIA ABIA ACCA", r"[A-Z2-7]{16}(?![A-Za-z0-9])"),
    Rule("aws-secret-key", ("secret",), _AWS_SECRET),
    _token("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", r"[A-Za-z0-9]{30,255}+"),
    _token("github-token", "github_pat_", r"[A-Za-z0-9_]{40,255}+"),
    _token("gitlab-token", "glpat- gldt- glrt- glptt- glcbt-", rf"{_WORD}{{20,200}}+"),
    _token("slack-token", "xoxb- xoxp- xoxa- xoxr- xoxs- xoxe- xapp-", r"[A-Za-z0-9-]{12,250}+"),
    Rule("slack-webhook", ("hooks.slack.com/",), _SLACK_WEBHOOK, token=True),
    _token("stripe-key", "sk_live_ sk_test_ rk_live_ rk_test_", r"[A-Za-z0-9]{16,250}+"),
    _token("webhook-secret", "whsec_", r"[A-Za-z0-9+/=]{24,200}+"),
    _token("google-api-key", "AIza", rf"{_WORD}{{35}}(?!{_WORD})"),
    _token("google-oauth-token", "ya29. GOCSPX-", rf"{_WORD}{{20,1000}}+"),
    _token("anthropic-key", "sk-ant-", rf"{_WORD}{{20,250}}+"),
    _token("openai-key", "sk-proj- sk-svcacct- sk-admin-", rf"{_WORD}{{20,250}}+"),
    _token("openai-key", "sk-", r"[A-Za-z0-9]{32,64}+(?![A-Za-z0-9])"),
    _token("openrouter-key", "sk-or-v1-", r"[0-9a-f]{48,80}+"),
    _token("groq-key", "gsk_", r"[A-Za-z0-9]{40,80}+"),
    _token("npm-token", "npm_", r"[A-Za-z0-9]{36}(?![A-Za-z0-9])"),
    _token("pypi-token", "pypi-AgE", rf"{_WORD}{{50,1000}}+"),
    _token("sendgrid-key", "SG.", rf"{_WORD}{{16,32}}\.{_WORD}{{16,64}}+"),
    _token("twilio-key", "SK", r"[0-9a-f]{32}(?![A-Za-z0-9])"),
    _token("huggingface-token", "hf_", r"[A-Za-z0-9]{30,64}+"),
    _token("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", r"[0-9a-f]{64}(?![0-9a-f])"),
    _token("shopify-token", "shpat_ shpca_ shppa_ shpss_", r"[0-9a-fA-F]{32}(?![0-9a-fA-F])"),
    _token("docker-token", "dckr_pat_ dckr_oat_", rf"{_WORD}{{20,64}}+"),
    _token("atlassian-token", "ATATT3", r"[A-Za-z0-9_=-]{60,300}+"),
    _token("linear-key", "lin_api_ lin_oauth_", r"[A-Za-z0-9]{32,80}+"),
    _token("notion-token", "ntn_", r"[A-Za-z0-9]{40,60}+"),
    _token("vault-token", "hvs. hvb.", rf"{_WORD}{{24,300}}+"),
    _token("grafana-token", "glsa_ glc_", r"[A-Za-z0-9_+/=]{32,300}+"),
    _token("age-key", "AGE-SECRET-KEY-1", r"[0-9A-Z]{58}"),
    Rule("telegram-token", (":AA",), _TELEGRAM, token=True),
    Rule("jwt", ("eyJ",), _JWT, token=True),
    Rule("authorization", ("authorization",), _AUTHORIZATION, values.with_digit),
    Rule("authorization", ("bearer ",), _BEARER, values.with_digit),
    Rule("cookie", ("cookie: ",), _COOKIE, values.with_digit),
    Rule("url-password", ("://",), _URL, values.url_password),
    _assigned("password", "passw passphrase passcode pwd", f"{_PASSWORD}|pwd", _UNQUOTED, values.assigned_password),
    _said("password", "passw passphrase passcode", _PASSWORD, values.said_password),
    _assigned("secret", "secret token key", "secret|token|key", _UNQUOTED_TOKEN, values.assigned_token),
    _said("secret", "secret token key", "secret|token|key", values.said_token),
)
