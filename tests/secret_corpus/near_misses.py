"""Lines that look as if they held a secret, and don't: what a rule may not touch."""

import base64
import random
import re
import string
from collections.abc import Callable, Iterator

from secret_corpus.tokens import ALNUM, BASE64, HEX, UPPER, uuid

Line = Callable[[random.Random], str]
WORDS = (
    "user session account upload index build cache queue report parser worker token_count key_name password_field"
    " secretary keyboard passage tokenizer monkey turkey compass bypass passport keychain credentials"
)
NAMES = WORDS.split()


def some(letters: str, size: int, draw: random.Random) -> str:
    return "".join(draw.choices(letters, k=size))


def hexes(size: int) -> Line:
    return lambda draw: some(HEX, size, draw)


def name(draw: random.Random) -> str:
    return "_".join(draw.sample(NAMES, 2))


def camel(draw: random.Random) -> str:
    return "".join(word.title().replace("_", "") for word in draw.sample(NAMES, 4)) + str(draw.randrange(10))


LINES: tuple[Line, ...] = (
    # hashes and ids
    lambda d: f"commit {some(HEX, 40, d)}",
    lambda d: f"{some(HEX, 7, d)} Fix the {name(d)}",
    lambda d: f"index {some(HEX, 7, d)}..{some(HEX, 7, d)} 100644",
    lambda d: f"  parent {some(HEX, 40, d)} (HEAD -> main)",
    lambda d: f"{some(HEX, 64, d)}  {name(d)}.tar.gz",
    lambda d: f"sha256:{some(HEX, 64, d)}",
    lambda d: f"image: example/app@sha256:{some(HEX, 64, d)}",
    lambda d: f"md5 {some(HEX, 32, d)}",
    lambda d: f'"uuid":"{uuid(d)}","parentUuid":"{uuid(d)}"',
    lambda d: f"session {uuid(d)} of {uuid(d).upper()}",
    lambda d: f"request 01{some('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 24, d)} done",
    lambda d: f"toolu_01{some(ALNUM, 22, d)} msg_01{some(ALNUM, 22, d)}",
    lambda d: f"call_{some(ALNUM, 24, d)} chatcmpl-{some(ALNUM, 29, d)}",
    lambda d: f'ETag: "{some(HEX, 32, d)}"',
    lambda d: f"trace_id={some(HEX, 32, d)} span_id={some(HEX, 16, d)}",
    lambda d: f"/nix/store/{some('0123456789abcdfghijklmnpqrsvwxyz', 32, d)}-{name(d)}-1.2.3",
    # lock files
    lambda d: f'      "integrity": "sha512-{some(BASE64, 86, d)}=="',
    lambda d: f'checksum = "{some(HEX, 64, d)}"',
    lambda d: f"github.com/{name(d)}/x v1.{d.randrange(20)}.0 h1:{some(BASE64, 43, d)}=",
    lambda d: f"github.com/{name(d)}/x v0.1.0/go.mod h1:{some(BASE64, 43, d)}=",
    lambda d: f'    {{file = "{name(d)}-1.0-py3-none-any.whl", hash = "sha256:{some(HEX, 64, d)}"}},',
    lambda d: f"    --hash=sha256:{some(HEX, 64, d)} \\",
    lambda d: f'  resolved "https://registry.example.com/{name(d)}/-/x-1.0.tgz#{some(HEX, 40, d)}"',
    lambda d: f"  integrity sha1-{some(BASE64, 27, d)}=",
    lambda d: f"cache key: v1-{some(HEX, 64, d)}",
    # pictures, fonts, maps, public keys
    lambda d: f"![x](data:image/png;base64,iVBORw0KGgo{some(BASE64, 160, d)}==)",
    lambda d: f"background: url(data:image/gif;base64,R0lGODlh{some(BASE64, 120, d)}=)",
    lambda d: f"//# sourceMappingURL=data:application/json;base64,{some(BASE64, 120, d)}",
    lambda d: f"src: url(data:font/woff2;base64,{some(BASE64, 200, d)})",
    lambda d: f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5{some(ALNUM, 48, d)} dev@host",
    lambda d: f"ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAB{some(BASE64, 340, d)} dev@host",
    lambda d: f"-----BEGIN PUBLIC KEY-----\nMIIB{some(BASE64, 60, d)}\n-----END PUBLIC KEY-----",
    lambda d: f"-----BEGIN CERTIFICATE-----\nMIID{some(BASE64, 60, d)}\n-----END CERTIFICATE-----",
    lambda d: f"SHA256:{some(BASE64, 43, d)} dev@host (ED25519)",
    lambda d: f'<path d="M{d.randrange(99)}.5 {d.randrange(99)}l-4.3-4.3c-.4-.4-1-.4-1.4 0L7 {d.randrange(99)}z"/>',
    lambda d: f'.a{some(HEX, 6, d)}{{color:#{some(HEX, 6, d)};margin:0 auto;content:"\\{some(HEX, 4, d)}"}}',
    # placeholders of documentation
    lambda d: "AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE",
    lambda d: "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    lambda d: f"STRIPE_KEY=sk_test_{'x' * 24}",
    lambda d: "export OPENAI_API_KEY=your-api-key-here",
    lambda d: "export ANTHROPIC_API_KEY=sk-ant-...",
    lambda d: f"api_key: <your-{name(d)}>",
    lambda d: "Authorization: Bearer YOUR_ACCESS_TOKEN",
    lambda d: "Authorization: Bearer ${TOKEN}",
    lambda d: 'curl -H "Authorization: Bearer $GITHUB_TOKEN" https://api.example.com',
    lambda d: "token: ${{ secrets.GITHUB_TOKEN }}",
    lambda d: "password: changeme",
    lambda d: "PASSWORD=********",
    lambda d: 'password: "{{ vault_password }}"',
    lambda d: f"ghp_{'x' * 36}",
    lambda d: f"GITHUB_TOKEN=ghp_{'0123456789' * 3}012345",
    lambda d: 'secret = "REPLACE_ME"',
    lambda d: "postgres://user:password@localhost:5432/db",
    lambda d: "postgres://postgres:postgres@localhost/test",
    lambda d: "redis://localhost:6379/0",
    lambda d: f"pk_live_{some(ALNUM, 24, d)}",
    lambda d: f"pk_test_{some(ALNUM, 99, d)}",
    lambda d: "curl -u user:password https://example.com",
    lambda d: "mysql -u root -p shop",
    # code about secrets
    lambda d: "password = getpass.getpass()",
    lambda d: "token = os.environ['TOKEN']",
    lambda d: f"secret = self.config.{name(d)}",
    lambda d: f"def {name(d)}(password: str, token: str | None = None) -> None:",
    lambda d: "const token = await getToken(user2.id);",
    lambda d: "api_key = settings.API_KEY_2",
    lambda d: "if (password !== confirmPassword2) throw new Error('passwords differ')",
    lambda d: 'input type="password" name="password" placeholder="Password"',
    lambda d: (
        f"max_tokens: {d.randrange(10**5)}, input_tokens={d.randrange(10**6)}, output_tokens: {d.randrange(10**4)}"
    ),
    lambda d: f'"input_tokens":{d.randrange(10**5)},"cache_read_input_tokens":{d.randrange(10**6)}',
    lambda d: "primary key: user_id2; foreign key (order_id3) references orders",
    lambda d: f"cache_key = 'abc{d.randrange(10**6)}def'",
    lambda d: "for key, value in mapping.items(): result[key] = value2",
    lambda d: "key=lambda item: item.score2",
    lambda d: f"key: {name(d)}",
    lambda d: f"KeyError: '{name(d)}'",
    lambda d: "secrets: inherit",
    lambda d: "password:\n  type: string\n  minLength: 8",
    lambda d: "password_hash = hash_password(password)",
    lambda d: "type Credentials = { password: string; token: string };",
    lambda d: "token_type: bearer2",
    lambda d: "the auth: oauth2",
    lambda d: 'tokens = tokenizer.encode("text2")',
    lambda d: "authorization: required2",
    lambda d: "self.password = password",
    lambda d: '"password": "string", "token": "string"',
    lambda d: "| password | varchar | not null |",
    lambda d: "| token | string | The access token2 |",
    lambda d: "PASS: test_login_2 (0.3s)",
    lambda d: f"passed={d.randrange(999)} failed=0 skipped2",
    lambda d: "--pass: #34d399; BYPASS=enabled1",
    lambda d: "docker run -u 1000:1000 -p 8080:80 image",
    lambda d: "ssh -p 2222 host; mkdir -p src/app1/main; chown -R www:www9 /srv",
    lambda d: f"{camel(d)}.{camel(d)}({camel(d)})",
    lambda d: f"from {name(d)}.{name(d)} import {camel(d)}",
    lambda d: f"packages/core/src/{camel(d)}{camel(d)}.ts",
    lambda d: f"!function(e,t){{var n=e.key||t.token,r=e.password;return n?r:{d.randrange(99)}}}(a1,b2);",
    lambda d: f"e.token=t,n.secret=r,i.key=o;var {some(string.ascii_lowercase, 2, d)}=u.password;",
    # prose about secrets
    lambda d: "the password is stored in the keychain",
    lambda d: "the password is hashed with argon2id before it is saved",
    lambda d: "the passphrase is never written to the log file",
    lambda d: "the token is invalid; the secret is required; the key is missing",
    lambda d: "my password was reset yesterday by the admin team",
    lambda d: "Which password hashing? argon2id. Where does the API key live? In the vault2.",
    lambda d: "use token2 as the key of the password table; basic authentication2 is off",
    lambda d: "the password field1 and the password policy2 and credentials: src/auth2/x.py",
    lambda d: "the secret to good tests is isolation2",
    lambda d: "a bearer token is a token2 that its bearer may use",
    lambda d: "cookie: none; set-cookie: off",
    lambda d: f"Co-authored-by: Dev <{name(d)}@example.com>",
    lambda d: f"Change-Id: I{some(HEX, 40, d)}",
    lambda d: f"Entire-Checkpoint: {some(HEX, 12, d)}",
    lambda d: f"https://example.com/a@2x.png?v={some(HEX, 8, d)}",
    lambda d: f"https://example.com/watch?v={some(ALNUM, 11, d)}&list={some(UPPER, 10, d)}",
    lambda d: "git@github.com:owner/repository.git and git+ssh://git@github.com:22/owner",
    lambda d: f"password: [redacted:password:{d.randrange(1, 9)}] and [SCRUBBED]",
    lambda d: base64.b64encode(f"just some text {d.random()}".encode()).decode(),
    lambda d: f"2026-11-20T10:{d.randrange(10, 60)}:00Z INFO [main] key={name(d)} took={d.randrange(999)}ms",
    # other spellings of what is no secret
    lambda d: base64.b64encode(f'{{"page":{d.randrange(99)},"after":"{some(ALNUM, 40, d)}"}}'.encode()).decode(),
    lambda d: base64.b64encode(f"def {name(d)}(password: str) -> None: ...\n".encode()).decode(),
    lambda d: f"payload {base64.b64encode(d.randbytes(96)).decode()}",
    lambda d: f"gzip: H4sIAAAAAAAAA{some(BASE64, 150, d)}",
    lambda d: f"hex of a text: {f'{name(d)} is a field of {name(d)}'.encode().hex()}",
    lambda d: f"\\u003cdiv class=\\u0022{name(d)}\\u0022\\u003e password \\u0026 token \\u003c/div\\u003e",
    lambda d: f"caf\\u00e9 na\\u00efve \\u2014 {name(d)} \\ud83d\\ude00",
    lambda d: f"https://example.com/s?q=%22{name(d)}%22%20the%20password%20is%20wrong&key=%2Fa%2Fb2",
    lambda d: f"redirect=https%3A%2F%2Fexample.com%2F{name(d)}%3Ftoken%3D%24%7BTOKEN%7D",
    lambda d: (
        f"&lt;input type=&quot;password&quot; name=&quot;{name(d)}&quot;&gt; it&#39;s &#8220;fine&#8221; &amp; done"
    ),
    lambda d: f"ＡＰＩのキー（{name(d)}）は第{d.randrange(9)}章、パスワードは必須です。",
    lambda d: "the bold 𝐩𝐚𝐬𝐬𝐰𝐨𝐫𝐝 policy 𝟐 and 𝗍𝗈𝗄𝖾𝗇 counts",
    lambda d: f'const name = "user_" + {name(d)} + "_token" + "s";',
    lambda d: f"id='key-'+e.{some(string.ascii_lowercase, 2, d)}+'-token';t+=\"px\"+n+\"em\"",
    lambda d: f"$sql = 'SELECT token2 FROM ' . $table . ' WHERE password = ?' . '{name(d)}';",
    lambda d: f"'a' || name2 || 'secret_' || '{name(d)}'",
    lambda d: '"\\x1b[1m" "\\x41\\x42\\x43" "\\u{1F600}" "%d%%" % 25',
    lambda d: f"e.exports='{some(ALNUM, 7, d)}'+(\"{name(d)}\"||\"\")+'.'+n.key",
    # numbers
    lambda d: f"order 4{some(string.digits, 15, d)} shipped",
    lambda d: f"request id 5{some(string.digits, 18, d)} and {some(string.digits, 16, d)}",
    lambda d: f"card {_wrong('4' + some(string.digits, 14, d))}",
    lambda d: "visa " + "-".join(re.findall("....", _wrong("51" + some(string.digits, 13, d)))),
    lambda d: "test with card 4242 4242 4242 4242 or 4111111111111111, amex 378282246310005",
    lambda d: (
        f"t=17{some(string.digits, 17, d)} ns, 17{some(string.digits, 11, d)} ms, 0.4{some(string.digits, 15, d)}"
    ),
    lambda d: f"card deck {d.randrange(1000, 9999)} {d.randrange(1000, 9999)} {d.randrange(1000, 9999)}",
    lambda d: " ".join(str(d.randrange(1000, 9999)) for _ in range(12)),
    lambda d: f"call +49 1512 {d.randrange(1000, 9999)} {d.randrange(100, 999)} or 4111-{some(string.digits, 4, d)}",
    lambda d: f"DE00{some(string.digits, 18, d)}",
    lambda d: "for example DE89 3704 0044 0532 0130 00 or GB82WEST12345698765432",
    lambda d: f"SHA1 {some(HEX, 40, d).upper()} BUILD AB12CDEF{some(string.digits, 10, d)}",
    lambda d: (
        f"0000{d.randrange(1000, 9999)}: 4865 6c6c 6f20 {some(HEX, 4, d)} {some(string.digits, 4, d)} 0a00  Hello ..."
    ),
    # ways to log in
    lambda d: f"log in with OAuth2 or sign in with GitHub to see {name(d)}",
    lambda d: "log in as root with sudo2, then sign in with `gh auth login --with-token2`",
    lambda d: f"logged in as {name(d)}@example.com with role2; log in with dev2@example.com",
)


def _wrong(digits: str) -> str:
    """Digits and a last one that fails Luhn's check."""
    total = sum(sum(divmod(int(digit) * (2 - at % 2), 10)) for at, digit in enumerate(reversed(digits)))
    return digits + str((1 - total) % 10)


def near_misses(count: int = 2400, seed: int = 4) -> Iterator[str]:
    """Every kind of line in turn, each time with other letters."""
    draw = random.Random(seed)
    for number in range(count):
        yield LINES[number % len(LINES)](draw)
