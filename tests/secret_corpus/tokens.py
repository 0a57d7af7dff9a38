"""Tokens of every provider that a rule knows, with random bodies, in the places where tokens are met."""

import base64
import json
import random
import string
from collections.abc import Callable, Iterator
from urllib.parse import quote

ALNUM = string.ascii_letters + string.digits
WORD = ALNUM + "_-"
HEX = "0123456789abcdef"
UPPER = string.ascii_uppercase + string.digits
BASE64 = ALNUM + "+/"
Draw = Callable[[random.Random], str]


def body(length: int, letters: str = ALNUM) -> Draw:
    return lambda draw: "".join(draw.choices(letters, k=length))


def after(start: str, length: int, letters: str = ALNUM) -> Draw:
    """A start and a body; the start is put together here, so that no scanner takes this file for a leak."""
    return lambda draw: start + "".join(draw.choices(letters, k=length))


def joined(*parts: str | Draw) -> Draw:
    return lambda draw: "".join(part if isinstance(part, str) else part(draw) for part in parts)


def uuid(draw: random.Random) -> str:
    return "-".join("".join(draw.choices(HEX, k=size)) for size in (8, 4, 4, 4, 12))


def packed(value: dict[str, object]) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


def jwt(draw: random.Random) -> str:
    claims: dict[str, object] = {"sub": body(10)(draw), "iat": draw.randrange(10**9, 2 * 10**9)}
    return ".".join((packed({"alg": "HS256", "typ": "JWT"}), packed(claims), body(43, WORD)(draw)))


def jwe(draw: random.Random) -> str:
    return ".".join(
        (packed({"alg": "RSA-OAEP", "enc": "A256GCM"}), *(body(size, WORD)(draw) for size in (342, 16, 300, 22)))
    )


def discord(draw: random.Random) -> str:
    snowflake = base64.b64encode(str(draw.randrange(10**17, 10**18)).encode()).decode().rstrip("=")
    return ".".join((snowflake, body(6, WORD)(draw), body(38, WORD)(draw)))


def pem(kind: str, lines: int = 12) -> Draw:
    def made(draw: random.Random) -> str:
        rows = [body(64, BASE64)(draw) for _ in range(lines)]
        return "\n".join(
            (
                f"-----BEGIN {kind}PRIVATE KEY-----",
                *rows,
                body(20, BASE64)(draw) + "==",
                f"-----END {kind}PRIVATE KEY-----",
            )
        )

    return made


TOKENS: dict[str, list[Draw]] = {
    "aws-access-key": [
        after("AKIA", 16, string.ascii_uppercase + "234567"),
        after("ASIA", 16, string.ascii_uppercase + "234567"),
    ],
    "aws-session-token": [after("IQoJb3JpZ2luX2VjE", 400, BASE64), after("FwoGZXIvYXdzEH4aD", 300, BASE64)],
    "aws-bedrock-key": [after("ABSKQmVkcm9ja0FQSUtleS", 110, BASE64)],
    "github-token": [
        *(after(f"gh{letter}_", 36) for letter in "pousr"),
        joined("github_pat_", body(22), "_", body(59)),
        joined("ghs_", body(8, string.digits), "_", jwt),
    ],
    "gitlab-token": [
        *(after(f"gl{kind}-", 20, WORD) for kind in ("pat", "dt", "rt", "ft", "soat", "ffct")),
        joined("glpat-", body(30, WORD), ".01.", body(9, string.ascii_lowercase)),
        joined("glcbt-", body(2), "_", body(20, WORD)),
        after("GR1348941", 20, WORD),
    ],
    "slack-token": [
        joined("xoxb-", body(12, string.digits), "-", body(12, string.digits), "-", body(24)),
        joined("xoxp-", body(12, string.digits), "-", body(12, string.digits), "-", body(32, HEX)),
        joined("xapp-1-", body(11, UPPER), "-", body(13, string.digits), "-", body(64, HEX)),
    ],
    "stripe-key": [after("sk_live_", 24), after("sk_test_", 99), after("rk_live_", 24)],
    "webhook-secret": [after("whsec_", 32)],
    "google-api-key": [after("AIza", 35, WORD)],
    "google-oauth-token": [after("ya29.", 180, WORD), after("GOCSPX-", 28, WORD)],
    "anthropic-key": [joined("sk-ant-api03-", body(93, WORD), "AA"), joined("sk-ant-admin01-", body(93, WORD), "AA")],
    "openai-key": [
        joined("sk-proj-", body(74, WORD), "T3BlbkFJ", body(74, WORD)),
        joined("sk-", body(20), "T3BlbkFJ", body(20)),
    ],
    "openrouter-key": [after("sk-or-v1-", 64, HEX)],
    "langfuse-key": [joined("sk-lf-", uuid)],
    "groq-key": [after("gsk_", 52)],
    "npm-token": [after("npm_", 36)],
    "pypi-token": [after("pypi-AgEIcHlwaS5vcmc", 150, WORD)],
    "crates-token": [after("cio", 32)],
    "nuget-key": [after("oy2", 43, string.ascii_lowercase + string.digits)],
    "sendgrid-key": [joined("SG.", body(22, WORD), ".", body(43, WORD))],
    "brevo-key": [joined("xkeysib-", body(64, HEX), "-", body(16))],
    "twilio-key": [after("SK", 32, HEX)],
    "huggingface-token": [after("hf_", 34, string.ascii_letters)],
    "digitalocean-token": [after(f"do{kind}_v1_", 64, HEX) for kind in "por"],
    "shopify-token": [after(f"shp{kind}_", 32, HEX) for kind in ("at", "ca", "pa", "ss")],
    "docker-token": [after("dckr_pat_", 27, WORD)],
    "atlassian-token": [joined("ATATT3xFfGF0", body(172, WORD), "=", body(8, UPPER)), after("ATBB", 32)],
    "linear-key": [after("lin_api_", 40)],
    "notion-token": [joined("ntn_", body(11, string.digits), body(35))],
    "vault-token": [after("hvs.", 95, WORD), after("hvb.", 150, WORD)],
    "terraform-token": [joined(body(14), ".atlasv1.", body(67, WORD))],
    "grafana-token": [joined("glsa_", body(32), "_", body(8, HEX)), after("glc_eyJvIjoi", 120)],
    "age-key": [after("AGE-SECRET-KEY-1", 58, "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L")],
    "mailgun-key": [after("key-", 32, HEX)],
    "square-token": [after("sq0atp-", 22, WORD), after("EAAA", 60, WORD)],
    "facebook-token": [after("EAACEdEose0cBA", 150)],
    "airtable-token": [joined("pat", body(14), ".", body(64, HEX))],
    "harness-token": [joined("pat.", body(22, WORD), ".", body(24), ".", body(20))],
    "postman-key": [joined("PMAK-", body(24, HEX), "-", body(34, HEX))],
    "new-relic-key": [after("NRAK-", 27, UPPER)],
    "databricks-token": [after("dapi", 32, HEX)],
    "doppler-token": [after("dp.pt.", 43), after("dp.st.prd.", 43)],
    "dynatrace-token": [joined("dt0c01.", body(24, UPPER), ".", body(64, UPPER))],
    "dropbox-token": [after("sl.", 135, WORD)],
    "pulumi-token": [after("pul-", 40, HEX)],
    "supabase-token": [after("sbp_", 40, HEX), after("sb_secret_", 31, WORD)],
    "rubygems-key": [after("rubygems_", 48, HEX)],
    "planetscale-token": [after("pscale_tkn_", 43, WORD), after("pscale_pw_", 43, WORD)],
    "sentry-token": [after("sntryu_", 64, HEX), joined("sntrys_eyJpYXQiO", body(150), "_", body(43))],
    "figma-token": [after("figd_", 40, WORD)],
    "netlify-token": [after("nfp_", 36)],
    "fly-token": [after("fo1_", 43, WORD), after("fm2_lJPECAAAAAAAA", 200, BASE64)],
    "tailscale-key": [joined("tskey-auth-", body(12), "CNTRL-", body(32))],
    "circleci-token": [joined("CCIPAT_", body(22), "_", body(40, HEX))],
    "sonar-token": [after(f"sq{kind}_", 40, HEX) for kind in "upa"],
    "sourcegraph-token": [joined("sgp_", body(16, HEX), "_", body(40, HEX)), after("sgp_", 40, HEX)],
    "langsmith-key": [joined("lsv2_pt_", body(32, HEX), "_", body(10, HEX))],
    "prefect-key": [after("pnu_", 36)],
    "readme-key": [after("rdme_", 70, string.ascii_lowercase + string.digits)],
    "shippo-token": [after("shippo_live_", 40, HEX)],
    "onepassword-token": [after("ops_eyJ", 300)],
    "onepassword-key": [joined("A3-", body(6, UPPER), "-", body(11, UPPER), *(3 * ("-", body(5, UPPER))))],
    "artifactory-token": [after("AKCp", 69), after("cmVmdGtu", 56)],
    "octopus-key": [after("API-", 26, UPPER)],
    "easypost-key": [after("EZAK", 54)],
    "contentful-token": [after("CFPAT-", 43, WORD)],
    "heroku-key": [after("HRKU-AA", 58, WORD)],
    "plaid-token": [joined("access-production-", uuid)],
    "alibaba-key": [after("LTAI", 20)],
    "typeform-token": [after("tfp_", 59, WORD)],
    "model-key": [after("pplx-", 48), after("xai-", 80), after("r8_", 37), after("nvapi-", 64, WORD)],
    "telegram-token": [joined(":AA", body(33, WORD))],
    "discord-token": [discord],
    "jwt": [jwt, jwe],
}
"""By kind: the tokens of it. What a token is followed by in the places below can't be a part of it."""

PLACES: dict[str, str] = {
    "prose": "I put {} into the settings yesterday.",
    "end of a sentence": "the one that works is {}.",
    "backticks": "use `{}` there",
    "shell": "export SOME_THING={}",
    "shell, quoted": "export SOME_THING='{}' && run",
    "dotenv": "A=1\nSERVICE={}\nB=2",
    "YAML": "service:\n  value: {}\n  other: 1",
    "YAML, quoted": 'service: {{value: "{}", other: 1}}',
    "JSON": '{{"value":"{}","n":1}}',
    "JSON in JSON": '{{"text":"{{\\"value\\":\\"{}\\",\\"n\\":1}}"}}',
    "after an escaped break": '{{"text":"first\\n{}\\nlast"}}',
    "after an escaped sign": '{{"text":"value\\u003d{}\\u0026x"}}',
    "query": "https://api.example.com/v1?x=1&value={}&y=2",
    "query, escaped": "https://example.com/r?to=https%3A%2F%2Fa.example%2F%3Fv%3D{}%26y",
    "fragment": "https://example.com/#v={}",
    "log": "2026-11-20T10:00:00Z INFO client[42]: sent value={} status=200",
    "header": "X-Custom: {}\r\nHost: example.com",
    "table": "| name | value |\n|---|---|\n| a | {} |\n",
    "code": 'client = Client("{}")  # for now',
    "code, call": "connect({}, retry=3)",
    "list": "- {}\n- other",
    "diff": "-value = {}\n+value = other",
    "XML": "<value>{}</value>",
    "colours": "\x1b[31m{}\x1b[0m done",
    "viewer": "   12\t{}\n   13\tother",
    "brackets": "[{}]",
    "tab": "name\t{}\t1",
    "command": "tool --with {} --verbose",
}


def tokens(seed: int = 1) -> Iterator[tuple[str, str, str, str]]:
    """(kind, place, text, secret): every token in every place, each with a body of its own."""
    draw = random.Random(seed)
    for kind, makers in TOKENS.items():
        for maker in makers:
            for place, around in PLACES.items():
                secret = maker(draw)
                yield (
                    kind,
                    place,
                    around.format(quote(secret, safe="") if "escaped" in place and "query" in place else secret),
                    secret,
                )


def keys(seed: int = 2) -> Iterator[tuple[str, str, str, str]]:
    """Private keys, whole and torn."""
    draw = random.Random(seed)
    for kind in ("RSA ", "EC ", "OPENSSH ", "", "ENCRYPTED ", "DSA "):
        block = pem(kind)(draw)
        rows = block.split("\n")
        escaped = block.replace("\n", "\\n")
        yield from (
            ("private-key", place, text, "\n".join(rows[1:-1]))
            for place, text in {
                "file": f"{block}\n",
                "Windows": block.replace("\n", "\r\n"),
                "JSON": json.dumps({"type": "service_account", "private_key": block + "\n", "client_id": "1"}),
                "JSON in JSON": json.dumps({"text": json.dumps({"private_key": block})}),
                "dotenv": f'KEY="{escaped}"\nOTHER=1',
                "YAML": "key: |\n  " + block.replace("\n", "\n  ") + "\nother: 1",
                "code": "KEY = (\n" + "\n".join(f'    "{row}\\n"' for row in rows) + "\n)",
                "list": json.dumps(rows),
                "shell": "echo '" + block + "' > id_rsa",
                "one line": block.replace("\n", " "),
                "viewer": "\n".join(f"{n:6}\t{row}" for n, row in enumerate(rows, 1)),
                "arrows": "\n".join(f"{n:6}→{row}" for n, row in enumerate(rows, 1)),
                "quote": "> " + block.replace("\n", "\n> "),
                "diff": "+" + block.replace("\n", "\n+"),
                "cut off": "\n".join(rows[:8]),
                "cut off, JSON": json.dumps({"out": "\n".join(rows[:8])[:-10]}),
                "tail": "\n".join(rows[5:]),
                "tail, JSON": json.dumps({"out": "\n".join(rows[5:]) + "\nbye"}),
                "tail, viewer": "\n".join(f"{n:6}\t{row}" for n, row in enumerate(rows[5:], 6)),
                "prose": f"my key is {block} so keep it",
            }.items()
        )
