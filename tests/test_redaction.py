"""Secrets of every kind are found and replaced; what only looks like one stays."""

import base64
import random
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minutebook.ground.frozen import replace
from minutebook.redaction import scan
from minutebook.redaction.redact import Finding, Redactor, find_secrets
from minutebook.redaction.rules import RULES

ALNUM = string.ascii_letters + string.digits
HEX = "0123456789abcdef"


def body(length: int, letters: str = ALNUM, seed: int = 1) -> str:
    """Random characters, the same each time: no secret that anybody has had, and none written into this file."""
    return "".join(random.Random(seed).choices(letters, k=length))


def pem(kind: str, ending: str = "\n") -> str:
    lines = [body(64, ALNUM + "+/", seed) for seed in range(5)]
    return ending.join((f"-----BEGIN {kind}PRIVATE KEY-----", *lines, f"-----END {kind}PRIVATE KEY-----"))


JWT = f"eyJ{body(20)}.eyJ{body(60)}.{body(43)}"
# kind, the text around it with {} for the secret, the secret
SECRETS = [
    ("private-key", "key:\n{}\ndone", pem("RSA ")),
    ("private-key", 'echo "{}" > id', pem("OPENSSH ", "\\n")),
    ("private-key", "{}", pem("")),
    ("aws-access-key", "id {} here", "AKIA" + body(16, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")),
    ("aws-secret-key", "aws_secret_access_key = {}", body(40, ALNUM + "/+")),
    ("aws-secret-key", '"secretAccessKey": "{}"', body(40, ALNUM + "/+")),
    ("github-token", "git push with {}", "ghp_" + body(36)),
    ("github-token", "GITHUB_TOKEN={}", "ghs_" + body(36)),
    ("github-token", "https://x-access-token:{}@github.com/a/b", "gho_" + body(36)),
    ("github-token", "use {}.", "github_pat_" + body(22) + "_" + body(59)),
    ("github-token", '"cmd": "cat <<EOF\\n{}\\nEOF"', "ghp_" + body(36)),
    ("gitlab-token", "{}", "glpat-" + body(20)),
    ("slack-token", "token {}", "xoxb-" + body(12, string.digits) + "-" + body(24)),
    ("slack-webhook", "https://hooks.slack.com/{}", "services/T" + body(8) + "/B" + body(8) + "/" + body(24)),
    ("stripe-key", "stripe {}", "sk_live_" + body(24)),
    ("webhook-secret", "{}", "whsec_" + body(32)),
    ("google-api-key", "maps?key={}", "AIza" + body(35)),
    ("google-oauth-token", "{}", "ya29." + body(60)),
    ("anthropic-key", "export ANTHROPIC_API_KEY={}", "sk-ant-api03-" + body(80)),
    ("openai-key", "key {} and more", "sk-proj-" + body(64)),
    ("openai-key", "key {}", "sk-" + body(48)),
    ("openrouter-key", "{}", "sk-or-v1-" + body(64, HEX)),
    ("groq-key", "{}", "gsk_" + body(52)),
    ("npm-token", "//npm.example/:_authToken={}", "npm_" + body(36)),
    ("pypi-token", "password = {}", "pypi-AgEIcHlwaS5vcmc" + body(120)),
    ("sendgrid-key", "{}", "SG." + body(22) + "." + body(43)),
    ("twilio-key", "sid {}", "SK" + body(32, HEX)),
    ("huggingface-token", "login --token {}", "hf_" + body(34)),
    ("digitalocean-token", "{}", "dop_v1_" + body(64, HEX)),
    ("shopify-token", "{}", "shpat_" + body(32, HEX)),
    ("docker-token", "docker login -p {}", "dckr_pat_" + body(27)),
    ("atlassian-token", "{}", "ATATT3" + body(80)),
    ("linear-key", "{}", "lin_api_" + body(40)),
    ("notion-token", "{}", "ntn_" + body(46)),
    ("vault-token", "VAULT {}", "hvs." + body(40)),
    ("grafana-token", "{}", "glsa_" + body(41)),
    ("age-key", "{}", "AGE-SECRET-KEY-1" + body(58, string.ascii_uppercase + string.digits)),
    ("telegram-token", "bot 123456789{}", ":AA" + body(33)),
    ("jwt", "cookie of {}", JWT),
    ("authorization", "curl -H 'Authorization: Basic {}'", body(24) + "=="),
    ("authorization", '-H \\"authorization: Bearer {}\\"', body(40)),
    ("authorization", "sent Bearer {}", body(30)),
    ("cookie", "Cookie: {}", "session=" + body(30)),
    ("url-password", "postgres://app:{}@db.internal/app", "s3" + body(8)),
    ("url-password", "redis://:{}@cache:6379", "s3" + body(8)),
    ("password", "DB_PASSWORD={}", "hunter2x"),
    ("password", 'password: "{}"', "swordfish"),
    ("password", "mysql --password {} -u app", "hunter2x"),
    ("password", "the password for staging is {}.", "Tr0ub4dor&3"),
    ("password", "my passphrase is '{}', ok?", "opensesame"),
    ("password", "password: str = '{}'", "Tr0ub4dor&3"),
    ("password", '\\"passwd\\": \\"{}\\"', "Tr0ub4dor&3"),
    ("secret", "API_KEY={}", body(24)),
    ("secret", "client_secret = '{}'", body(24)),
    ("secret", "X-Api-Key: {}", body(32, HEX)),
    ("secret", "deploy --token {}", body(24)),
    ("secret", "the token is {}", body(20)),
    ("entropy", "try this one: {}", "k9" + body(38)),
    # Where a terminal, a viewer or a record breaks lines.
    ("github-token", "{}", "ghp_" + body(18, seed=4) + "\n" + body(18, seed=5)),
    ("private-key", "   12→{}", pem("").replace("\n", "\n   13→")),
    ("private-key", "    1\t{}", pem("RSA ").replace("\n", "\n    2\t")),
    ("private-key", '{{\\"k\\": \\"{}\\"}}', pem("").replace("\n", "\\\\n")),
    ("password", "the password is:\n{}\n", "Tr0ub4dor&3"),
    ("password", "password: >-\n  {}\n", "Tr0ub4dor&3"),
    ("password", "password:\n```\n{}\n```", "Tr0ub4dor&3"),
    ("aws-secret-key", "aws_secret_access_key =\n  {}", body(40, ALNUM + "/+")),
    # Questions and answers, as transcripts have them.
    ("password", '"What is the database password?"="{}"', "Tr0ub4dor&3"),
    ("password", "Enter the password for staging?: '{}'", "Tr0ub4dor&3"),
    ("secret", '"What is the API key?"="{}"', body(24)),
    # Command lines, files of credentials, prose.
    ("password", "DATABASE_PASS={}", "Tr0ub4dor&3"),
    ("password", "curl -u admin:{} https://example.com", "Tr0ub4dor&3"),
    ("password", "curl --user 'admin:{}' https://example.com", "Tr0ub4dor&3"),
    ("password", "sshpass -p {} ssh host", "Tr0ub4dor&3"),
    ("password", "docker login -u me -p {} registry", "Tr0ub4dor&3"),
    ("password", "mysql -u root -p{} shop", "Tr0ub4dor&3"),
    ("password", "openssl enc -pass pass:{}", "Tr0ub4dor&3"),
    ("password", "ssh-keygen -t ed25519 -N '{}'", "Tr0ub4dor&3"),
    ("password", "machine api.example login me password {}", "Tr0ub4dor&3"),
    ("password", "use {} as the password", "Tr0ub4dor&3"),
    ("password", "log in as bob with password {}.", "Tr0ub4dor&3"),
    ("password", "credentials: admin:{}", "Tr0ub4dor&3"),
    ("password", "the pw is {}", "Tr0ub4dor&3"),
    ("password", "the passcode is {}", "849302"),
    ("password", "password%3D{}", "Tr0ub4dor&3"),
    ("password", "password=&quot;{}", "Tr0ub4dor&3"),
    ("password", 'PASSWORD: Final[str] = "{}"', "Tr0ub4dor&3"),
    ("url-password", "postgres://app:{}@db/app", "p@ss" + body(8)),
    ("url-password", "https://{}@github.com/a/b", "k9" + body(30)),
    ("secret", "HEROKU_API_KEY={}", "5f0c3c1e-7d5c-4c59-9c2f-2f6f0e0f9a11"),
    ("authorization", "header Basic {}", base64.b64encode(b"admin:Tr0ub4dor&3").decode()),
    ("signed-url", "https://a.blob.core.windows.net/c?sv=1&sig={}", body(43) + "%3D"),
    ("password-hash", "admin:$2y$10${}", body(53)),
    ("webhook", "https://discord.com/api/webhooks/123456789012345678/{}", body(68)),
    ("mailgun-key", "{}", "key-" + body(32, HEX)),
    ("square-token", "{}", "sq0atp-" + body(22)),
    ("airtable-token", "{}", "pat" + body(14) + "." + body(64, HEX)),
    ("postman-key", "{}", "PMAK-" + body(24, HEX) + "-" + body(34, HEX)),
    ("new-relic-key", "{}", "NRAK-" + body(27, string.ascii_uppercase + string.digits)),
    ("databricks-token", "{}", "dapi" + body(32, HEX)),
    ("doppler-token", "{}", "dp.pt." + body(43)),
    ("pulumi-token", "{}", "pul-" + body(40, HEX)),
    ("supabase-token", "{}", "sbp_" + body(40, HEX)),
    ("rubygems-key", "{}", "rubygems_" + body(48, HEX)),
    ("model-key", "{}", "pplx-" + body(48)),
]
HARMLESS = [
    "commit " + body(40, HEX),
    "sha256:" + body(64, HEX),
    "id 5f0c3c1e-7d5c-4c59-9c2f-2f6f0e0f9a11 and toolu_01WogWfee5e9L1ENHNvwriqR",
    "![x](data:image/png;base64,iVBORw0KGgo" + body(200) + "==)",
    '"integrity": "sha512-' + body(86, ALNUM + "+/") + '=="',
    "github.com/a/b v1.2.3 h1:" + body(43) + "=",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5" + body(48) + " dev@host",
    "AKIAIOSFODNN7EXAMPLE wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    "GITHUB_TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    "export API_KEY=<your-key> TOKEN=$TOKEN SECRET=${SECRET} PASSWORD=%PASSWORD%",
    "token: ${{ secrets.GITHUB_TOKEN }}",
    "Authorization: Bearer ${TOKEN}",
    "password = getpass.getpass()\ntoken = os.environ['TOKEN']\nsecret = self.config.secret2",
    "def login(password: str, token: Optional[str] = None) -> None:",
    "the password is stored in the keychain; the token is invalid; the secret is required",
    'input type="password" placeholder="Password"',
    "max_tokens: 4096, input_tokens=120394, tokenizer: cl100k_base",
    "postgres://postgres:postgres@localhost:5432/app",
    "https://example.com:8080/path?x=user@example.com",
    "git@github.com:owner/repository.git",
    "primary key: user_id2, cache_key = 'abc123def456ghi'",
    "PWD=/home/dev/project",
    "password: [redacted:password:1] and [SCRUBBED]",
    "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
    "look for -----BEGIN RSA PRIVATE KEY----- in the logs of the whole service",
    '"Which password hashing?"="argon2id", "Where does the API key live?"="Keychain2"',
    "docker run -u 1000:1000 -p 8080:80 image; mkdir -p src/app1/main; chown -R www:www9 /srv",
    "password:\n  type: string\n  minLength: 8\nsecret:\n  - name1\n",
    "PASS: test_login_2 (0.3s)\nPASS=1 FAIL=0\n--pass: #34d399; BYPASS=enabled1",
    "use token2 as the key of the password table; basic authentication2 is off",
    "https://example.com/a@2x.png git+ssh://git@github.com:22/owner",
    "the password field1 and the password policy; credentials: src/auth2/x.py",
    "packages/core/src/evaluation/providers/CodexAppServerProviderFactoryTest2.ts",
]


@pytest.mark.parametrize(("kind", "around", "secret"), SECRETS, ids=[f"{s[0]}-{n}" for n, s in enumerate(SECRETS)])
def test_a_secret_is_replaced_whole_and_nothing_else_is(kind: str, around: str, secret: str) -> None:
    text = around.replace("{}", secret)
    redactor = Redactor()
    assert redactor.redact(text) == around.replace("{}", f"[redacted:{kind}:1]")
    assert redactor.counts == {kind: 1}


@pytest.mark.parametrize("text", HARMLESS)
def test_what_only_looks_like_a_secret_stays(text: str) -> None:
    assert find_secrets(text) == []


def test_the_same_secret_has_the_same_number_all_through_a_transcript() -> None:
    one, two = "ghp_" + body(36, seed=1), "ghp_" + body(36, seed=2)
    redactor = Redactor()
    assert redactor.redact(f"{one} {two}") == "[redacted:github-token:1] [redacted:github-token:2]"
    assert redactor.redact(f"TOKEN={two}") == "TOKEN=[redacted:github-token:2]"
    assert redactor.counts == {"github-token": 2}
    assert Redactor().redact(two) == "[redacted:github-token:1]"


def test_json_is_redacted_in_values_and_keys_and_judged_by_its_names() -> None:
    token = "ghp_" + body(36)
    value = {"password": "swordfish", "n": 1, "deep": [{token: [None, f"see {token}"]}], "usage": {"input_tokens": 12}}
    assert Redactor().redact_json(value) == {
        "password": "[redacted:password:1]",
        "n": 1,
        "deep": [{"[redacted:github-token:2]": [None, "see [redacted:github-token:2]"]}],
        "usage": {"input_tokens": 12},
    }
    clean = {"text": "nothing to see"}
    assert Redactor().redact_json(clean) is clean


def test_places_are_right_beyond_ascii() -> None:
    token = "ghp_" + body(36)
    text = f"İ ü 🎉 \u2028 {token} 🎉"
    (finding,) = find_secrets(text)
    assert text[finding.start : finding.end] == token


PIECES = st.one_of(
    st.sampled_from([around.replace("{}", secret) for _, around, secret in SECRETS]),
    st.sampled_from(HARMLESS),
    st.text(max_size=12),
    st.sampled_from(["password=", "token: ", " is ", "[redacted:", "secret:1]", "://", ":", "@", "=", '"', "\n"]),
)


@settings(deadline=None)
@given(st.lists(PIECES, max_size=8).map("".join))
def test_redacting_twice_equals_once(text: str) -> None:
    once = Redactor().redact(text)
    again = Redactor()
    assert again.redact(once) == once
    assert not again.counts


def anywhere(group: scan.Group) -> scan.Group:
    bare = [replace(rule, near=(), owners=frozenset(), gate=None) for rule in group.rules]
    tried = scan.Group(bare[0])
    tried.rules = bare
    return tried


def found_by_trying(text: str) -> list[Finding]:
    """What is found when every pattern is tried at each of its literals, whatever stands near."""
    with pytest.MonkeyPatch.context() as patched:
        tried = {
            core: [(shift, size, {word: [anywhere(group) for group in words[word]] for word in words})
                   for shift, size, words in shapes]
            for core, shapes in scan._WORDS.items()
        }  # fmt: skip
        patched.setattr(scan, "_WORDS", tried)
        return find_secrets(text)


LONGEST = {
    "said": f"the password  for  {'a' * 40}  {'b' * 40}  {'c' * 40}  {'d' * 40}  should be hunter2x",
    "asked": f"what is the passphrase {' '.join('abcdef'[n] * 40 for n in range(6))}?=hunter2x",
    "url": f"https://{'u' * 64}:{'p1' * 128}@host",
    "url token": f"https://{'a1b2c3d4e5' * 25}@host",
    "netrc": f"login    {'u' * 64}    password hunter2x!",
    "used": f"use `{'x1!' * 42}` as the password",
    "user flag": f"curl -user  {'u' * 64}:hunter2x!",
    "password flag": f"mysqladmin{' o' * 40} -phunter2x!",
    "assigned": f"passphrase{'_a' * 12}'''    := hunter2x",
    "after a flag": f"--{'a' * 9}-password hunter2x!",
    "credentials": "credentials are someone:hunter2x!",
    "aws": f"secret_access_key = {body(40, ALNUM + '/+')}",
    "airtable": f"pat{body(14)}.{body(64, HEX)}",
}


@pytest.mark.parametrize("name", LONGEST)
def test_what_is_looked_for_near_a_literal_may_stand_as_far_as_the_pattern_reaches(name: str) -> None:
    found = find_secrets(LONGEST[name])
    assert found
    assert found == found_by_trying(LONGEST[name])


WORDS = [
    *sorted({literal for rule in RULES for literal in rule.literals}),
    *sorted({word.decode() for rule in RULES for word in rule.near}),
    "PASSWORD", "\u212aEY", "\u017fecret", "ı\u017f", "a", "x" * 20, "hunter2x!", "Sw0rdfish77", "-p",
    "as the password", " for the staging server ", "user", "login root password ", "\t", "\n", '"', "--", " ", " ", "é",
]  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(WORDS) | PIECES, max_size=14).map("".join))
def test_what_is_looked_for_near_a_literal_is_in_every_match(text: str) -> None:
    assert find_secrets(text) == found_by_trying(text)
