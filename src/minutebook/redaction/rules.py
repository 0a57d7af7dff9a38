"""What a secret looks like: one table, provider rules first, then headers, assignments and prose.

The patterns were written for this project (MIT, like the rest of it) from what the providers' public documentation
says about the shape of their own tokens; no third-party rule pack is copied. `RULES_VERSION` changes with the table.

Every pattern is matched *at* one of its literals, never searched for, and every repetition is bounded: the cost of a
text is its length plus a bounded amount for each literal in it.
"""

from __future__ import annotations

from minutebook.ground.frozen import frozen
from minutebook.ground.lazy import lazy
from minutebook.redaction import values

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable

RULES_VERSION = "2026.11"


@frozen
class Rule:
    """One kind of secret. `literals` are looked for first; `pattern` is matched where one of them stands.

    A provider's `token` is told by its literal as it is written, which begins a run of at least 16 word characters
    unless it holds others itself. The literals of other rules are in lower case and match in any. The
    secret is the group `s` or `u`, or else the whole match. `genuine` has the last word, so that placeholders of
    documentation stay.

    `near`, where it isn't empty, are words in lower case of which no match is without one, from `behind` characters
    before the literal to `within` after its start: most literals are plain words, and trying a pattern costs more than
    looking for a colon. A `?` counts as any of them.
    """

    kind: str
    literals: tuple[str, ...]
    pattern: re.Pattern[str]
    genuine: Callable[[re.Match[str]], bool] = values.random_token
    token: bool = False
    near: tuple[bytes, ...] = ()
    within: int = 0
    behind: int = 0


# A token starts where a word starts, or right after an escaped newline or tab of JSON inside a string.
_START = r"(?:(?<![A-Za-z0-9_-])|(?<=\\[nrt]))"
_WORD = "[A-Za-z0-9_-]"
_HAS_BOTH = r"(?=[A-Za-z_-]{0,40}[0-9])(?=[a-z0-9_-]{0,40}[A-Z])(?=[A-Z0-9_-]{0,40}[a-z])"
_WRAPPED = rf"{_HAS_BOTH}{_WORD}{{12,200}}+(?:\r?\n|\\n)[ \t]{{0,8}}{_HAS_BOTH}{_WORD}{{6,200}}+"
_NAME_GOES_ON = r"(?!s?[_-]?(?:iz|count|type|limit|budget|usage|name|ref|id\b|uri|url|endpoint|path|file|arn|hash))"
_SIGN = r"(?::=|=>|=(?!=)|:|%3d|%3a)"
# The value may stand on the next line (`key: >-`, a wrapped command), unless that line opens a nested mapping or list.
_BREAK = r"(?:(?:[>|][+-]?|\\)?(?:\r?\n|\\r?\\n)[ \t]{0,12}(?![^\s:]{1,60}:(?:\s|$)|- ))"
_FENCE = r"(?:```[a-z]{0,10}(?:\r?\n|\\n)[ \t]{0,12})"
_NEXT = f"{_BREAK}?{_FENCE}?"
_EQUALS = rf"[A-Za-z0-9_.-]{{0,24}}[\"'`\\]{{0,3}}[ \t]{{0,4}}{_SIGN}[ \t]{{0,4}}{_NEXT}(?:&quot;|&#3[49];)?"
_TYPE = r"(?:(?:&?str|string|optional\[str\]|final(?:\[str\])?)[ \t]{0,2}=[ \t]{0,2})?"
_FLAG = r"(?P<flag>[ \t]{1,2})"
_QUOTED = r"\\?(?P<q>[\"'`])(?P<s>[^\"'`\s\\]{6,256})\\?(?P=q)"
_UNQUOTED = r"(?P<u>(?![\"'`\\])[^\s\"'`,;()\[\]{}<>|\\]{5,255}[^\s\"'`,;()\[\]{}<>|\\.:!?])(?![(\[{<])"
_UNQUOTED_TOKEN = r"(?P<u>[A-Za-z0-9_.~+/=-]{5,255}[A-Za-z0-9_~+/=-])(?![(\[{<])"
_ABOUT = r"(?:[ \t]{1,2}(?:for|to|of|on)(?:[ \t]{1,2}[^\s:=]{1,40}){1,4}?)?"
_THEN = rf"(?::[ \t]{{0,2}}(?:\r?\n[ \t]{{0,8}}){{0,2}}{_FENCE}?|[ \t]{{1,2}})"
_IS = rf"[ \t]{{1,2}}(?:is|was|will be|should be)[ \t]{{0,2}}{_THEN}"
_SIGNS = (b"=", b":", b"%3", b"--")
_VERBS = tuple(blank + verb for blank in (b" ", b"\t") for verb in (b"is", b"was", b"will be", b"should be"))
_SAID_VALUE = r"(?P<q>[\"'`]?)(?P<s>[^\s\"'`,;()<>]{5,127}[A-Za-z0-9@#$%^&*+=~_/!-])"


def _token(kind: str, prefixes: str, body: str, near: bytes = b"", within: int = 0) -> Rule:
    """A provider's token: one of the prefixes (separated by spaces) and a body, as one word; after a prefix that is
    no word of a language also a body that a terminal broke into two lines."""
    names = tuple(prefixes.split())
    start = "|".join(name.replace(".", r"\.") for name in names)
    bodies = f"(?:{body}|{_WRAPPED})" if all(len(name) > 3 and name[-1] in "_-" for name in names) else body
    pattern = lazy(f"{_START}(?:{start}){bodies}")
    return Rule(kind, names, pattern, token=True, near=(near,) if near else (), within=within)


def _assigned(kind: str, literals: str, name: str, unquoted: str, genuine: Callable[[re.Match[str]], bool]) -> Rule:
    """`name = VALUE`, `"name": "VALUE"`, and `--name VALUE` on a command line."""
    text = f"(?i)(?P<name>{name}){_NAME_GOES_ON}(?:{_FLAG}|{_EQUALS}{_TYPE})(?:{_QUOTED}|{unquoted})"
    return Rule(kind, tuple(literals.split()), lazy(text), genuine, near=_SIGNS, within=48, behind=24)


def _asked(kind: str, literals: str, name: str, genuine: Callable[[re.Match[str]], bool]) -> Rule:
    """`"What is the password of staging?"="VALUE"`: how questions to a person and their answers are recorded."""
    text = (
        rf"(?i)(?P<name>{name})(?:[ \t][^\s?\"'=:]{{1,40}}){{0,6}}\?"
        r"[\"'`\\]{0,4}[ \t]{0,4}[:=]\s{0,4}\\{0,3}(?P<q>[\"'`]?)"
        r"(?P<s>[^\s\"'`\\]{4,256})"
    )
    return Rule(kind, tuple(literals.split()), lazy(text), genuine, near=(b"?",), within=260)


def _said(kind: str, literals: str, name: str, genuine: Callable[[re.Match[str]], bool]) -> Rule:
    """`the password for staging is VALUE` in a sentence."""
    pattern = lazy(f"(?i)(?P<name>{name}){_ABOUT}{_IS}{_SAID_VALUE}")
    return Rule(kind, tuple(literals.split()), pattern, genuine, near=_VERBS, within=200)


_PRIVATE_KEY = lazy(
    r"-----BEGIN (?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----"
    r"(?:\\{1,8}[nr]|[0-9]{1,6}(?=[\t:|→ -])|[\s\"'+,|>:→-]){0,60}"
    r"(?:(?:Proc-Type|DEK-Info|Version|Comment)[^\n\\]{0,200}(?:\\{1,8}[nr]|\s){1,10}){0,4}"
    r"[A-Za-z0-9+/=]{16}(?:[A-Za-z0-9+/=\s\\\"',|>:→]|-(?!----)){0,16000}+"
    r"(?:-----END (?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----)?"
)
_SLACK_WEBHOOK = lazy(r"hooks\.slack\.com/(?P<s>(?:services|workflows|triggers)/[A-Za-z0-9/_-]{20,200}+)")
_TELEGRAM = lazy(rf":AA{_WORD}{{33}}(?!{_WORD})")
_JWT = lazy(rf"{_START}eyJ{_WORD}{{8,4000}}+\.eyJ{_WORD}{{8,8000}}+\.{_WORD}{{0,2000}}+")
_AWS_SECRET = lazy(
    r"(?i)secret_?access_?key[\"'`\\]{0,3}[ \t]{0,4}[:=]\s{0,12}[\"'`\\]{0,3}"
    r"(?P<s>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])"
)
_AUTHORIZATION = lazy(
    r"(?i)authorization[\"'`\\]{0,3}[ \t]{0,2}[:=][ \t]{0,2}[\"'`\\]{0,3}"
    r"(?:(?:bearer|basic|token|apikey|digest)[ \t]{1,2})?(?P<s>[A-Za-z0-9._~+/=-]{8,2000}+)"
)
_BEARER = lazy(r"(?i)bearer (?P<s>[A-Za-z0-9._~+/=-]{16,2000}+)")
_COOKIE = lazy(r"(?i)cookie: (?P<s>[^\s=;]{1,80}=[^\r\n\"'\\]{12,2000}+)")
_URL = lazy(r"://(?P<user>[^\s/:@\"'<>?#]{0,64}):(?P<s>[^\s/\"'<>{}$]{3,256})@(?=[\w.\[-])")
_URL_TOKEN = lazy(r"://(?P<s>[A-Za-z0-9_-]{20,255})@(?=[\w.\[-])")
_BASIC = lazy(r"(?i)basic (?P<s>[A-Za-z0-9+/]{8,1000}+={0,2})")
_SIGNED = lazy(r"(?i)(?<=[?&;])sig=(?P<s>[A-Za-z0-9%+/_-]{40,160}+)")
_WEBHOOK = lazy(
    r"(?:(?<=discord\.com)/api/webhooks/[0-9]{10,25}/|(?<=discordapp\.com)/api/webhooks/[0-9]{10,25}/|"
    r"(?<=webhook\.office\.com)/webhookb2/)"
    r"(?P<s>[A-Za-z0-9@/_-]{20,300}+)"
)
_HASH = lazy(r"\$(?:2[abxy]\$[0-9]{2}\$|(?:apr1|6|y|argon2(?:id|i|d))\$)(?P<s>[A-Za-z0-9./$=,+]{22,200}+)")
_NETRC = lazy(r"(?i)login[ \t\n]{1,4}[^\s=:]{1,64}[ \t\n]{1,4}password[ \t]{1,4}(?P<s>[^\s\"'<>]{4,128})")
_USER_FLAG = lazy(r"(?<=[\s\"'-])-u(?:ser)?[ =]{0,2}[\"']?[^\s:\"'$]{1,64}:(?P<s>[^\s\"'`$<>]{4,128})")
_PASS_FLAG = lazy(
    r"(?:(?<=ssh)pass|login|mysql|mysqldump|mysqladmin)\b[^\n|;&]{0,80}?"
    r"\s-p ?[\"']?(?P<s>[^\s\"'`$<>-][^\s\"'`$<>]{3,127})"
)
_PASS_COLON = lazy(r"(?<=[ =\"'])pass:(?P<s>[^\s\"'`$<>]{5,128})")
_NEW_PHRASE = lazy(r"ssh-keygen\b[^\n|;&]{0,80}?\s-[NP] ?[\"']?(?P<s>[^\s\"'`$<>]{5,128})")
_USED = lazy(
    r"(?i)use[ \t][\"'`]?(?P<s>[^\s\"'`<>]{6,128})[\"'`]?[ \t]as[ \t](?:(?:the|my|our|a|its)[ \t])?"
    r"(?:[\w-]{1,20}[ \t]){0,2}?(?:password|passphrase|passcode)"
)
_LOGIN = lazy(
    r"(?i)(?:credentials?|creds)(?:[ \t](?:are|is|for[ \t][\w.-]{1,30}))?[ \t]{0,2}:?[ \t]{1,2}[\"'`]?"
    r"[\w.@-]{1,64}(?::|[ \t]/[ \t])(?P<s>[^\s\"'`<>]{5,128})"
)
_WITH_PASSWORD = lazy(r"(?i)password[ \t][\"'`]?(?P<s>[^\s\"'`<>,;()]{7,127}[A-Za-z0-9@#$%^&*+=~_!-])")
_PASSWORD = "password|passwd|passphrase|passcode|(?<![A-Za-z0-9])pw"

RULES: tuple[Rule, ...] = (
    Rule("private-key", ("-----begin ",), _PRIVATE_KEY, values.any_value),
    _token("aws-access-key", "AKIA ASIA ABIA ACCA", r"[A-Z2-7]{16}(?![A-Za-z0-9])"),
    Rule("aws-secret-key", ("secret",), _AWS_SECRET, near=(b"access",), within=13),
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
    _token("mailgun-key", "key-", r"[0-9a-f]{32}(?![A-Za-z0-9])"),
    _token("square-token", "sq0atp- sq0csp- EAAA", rf"{_WORD}{{22,80}}+"),
    _token("airtable-token", "pat", r"[A-Za-z0-9]{14}\.[0-9a-f]{64}(?![0-9a-f])", near=b".", within=18),
    _token("postman-key", "PMAK-", r"[0-9a-f]{24}-[0-9a-f]{34}"),
    _token("new-relic-key", "NRAK-", r"[A-Z0-9]{27}"),
    _token("databricks-token", "dapi", r"[0-9a-f]{32}(?![0-9a-f])"),
    _token("doppler-token", "dp.pt. dp.st. dp.ct. dp.sa.", r"[A-Za-z0-9._-]{40,80}+"),
    _token("pulumi-token", "pul-", r"[0-9a-f]{40}(?![0-9a-f])"),
    _token("supabase-token", "sbp_ sb_secret_", r"[A-Za-z0-9_-]{20,64}+"),
    _token("rubygems-key", "rubygems_", r"[0-9a-f]{48}(?![0-9a-f])"),
    _token("model-key", "pplx- xai- r8_", r"[A-Za-z0-9]{36,100}+"),
    Rule("webhook", ("/api/webhooks/", "/webhookb2/"), _WEBHOOK, token=True),
    Rule("password-hash", ("$2", "$6$", "$y$", "$apr1$", "$argon2"), _HASH, token=True),
    Rule("telegram-token", (":AA",), _TELEGRAM, token=True),
    Rule("jwt", ("eyJ",), _JWT, token=True),
    Rule("authorization", ("authorization",), _AUTHORIZATION, values.with_digit),
    Rule("authorization", ("bearer ",), _BEARER, values.with_digit),
    Rule("authorization", ("basic ",), _BASIC, values.basic_pair),
    Rule("signed-url", ("sig=",), _SIGNED),
    Rule("cookie", ("cookie: ",), _COOKIE, values.with_digit),
    Rule("url-password", ("://",), _URL, values.url_password, near=(b"@",), within=326),
    Rule("url-password", ("://",), _URL_TOKEN, values.with_digit, near=(b"@",), within=260),
    Rule("password", ("login",), _NETRC, values.given_password, near=(b"password",), within=88),
    Rule("password", ("-u",), _USER_FLAG, values.given_password, near=(b":",), within=76),
    Rule("password", ("pass", "login", "mysql"), _PASS_FLAG, values.given_password, near=(b"-p",), within=96),
    Rule("password", ("pass",), _PASS_COLON, values.given_password, near=(b"pass:",), within=5),
    Rule("password", ("ssh-keygen",), _NEW_PHRASE, values.given_password),
    Rule("password", ("use ",), _USED, values.given_password, near=(b" as", b"\tas"), within=140),
    Rule("password", ("cred",), _LOGIN, values.given_password, near=(b"creds", b"credential"), within=10),
    _asked("password", "pass pw", _PASSWORD, values.asked_password),
    _asked("secret", "secret token key", "secret|token|key", values.asked_token),
    _assigned("password", "pass pw", f"{_PASSWORD}|pwd", _UNQUOTED, values.assigned_password),
    _assigned("password", "pass", "(?<=[A-Za-z0-9][_-])pass(?![A-Za-z])", _UNQUOTED, values.assigned_password),
    _said("password", "pass pw", _PASSWORD, values.said_password),
    Rule("password", ("pass",), _WITH_PASSWORD, values.strong_password, near=(b"password ", b"password\t"), within=9),
    _assigned("secret", "secret token key", "secret|token|key", _UNQUOTED_TOKEN, values.assigned_token),
    _said("secret", "secret token key", "secret|token|key", values.said_token),
)
