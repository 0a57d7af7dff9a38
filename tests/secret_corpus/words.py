"""Secrets that a word, a header, a command or a file of credentials gives away."""

import base64
import random
import string
from collections.abc import Iterator

from secret_corpus.tokens import ALNUM, BASE64, HEX, WORD, jwt, uuid

WORDS = (
    "correct horse battery staple orbit velvet canyon walnut ribbon magnet plaster lantern copper meadow tunnel"
    " saddle pepper violin anchor basket"
)
DICE = WORDS.split()


def password(draw: random.Random) -> str:
    """What people make up: letters, digits, a sign in the middle."""
    letters = "".join(draw.choices(string.ascii_letters, k=draw.randint(5, 9)))
    return (
        letters
        + draw.choice("!@#$%^&*+=?~")
        + "".join(draw.choices(string.digits, k=3))
        + draw.choice(string.ascii_letters)
    )


def plain(draw: random.Random) -> str:
    """Letters and digits alone."""
    return (
        "".join(draw.choices(string.ascii_lowercase, k=6))
        + "".join(draw.choices(string.digits, k=3))
        + draw.choice("xyz")
    )


def alpha(draw: random.Random) -> str:
    return "".join(draw.choices("bcdfghjklmnpqrstvwz", k=9))


def key(draw: random.Random) -> str:
    return "".join(draw.choices(ALNUM, k=32)) + "7a"


def hexes(draw: random.Random) -> str:
    return "".join(draw.choices(HEX, k=30)) + "a7"


def words(draw: random.Random) -> str:
    return " ".join(draw.sample(DICE, 5))


def base(size: int) -> str:
    return "b" * size


def pair(draw: random.Random) -> str:
    return base64.b64encode(f"admin:{password(draw)}".encode()).decode()


def b64(size: int, tail: str = "") -> "object":
    return lambda draw: "".join(draw.choices(BASE64, k=size)) + tail


PLACES: dict[str, list[tuple[object, list[str]]]] = {
    "password": [
        (
            password,
            [
                "password={}",
                "PASSWORD={}",
                "DB_PASSWORD={}",
                "export PGPASSWORD={}",
                "password: {}",
                "password = '{}'",
                'password: "{}"',
                '"password": "{}"',
                '{{"text":"{{\\"password\\": \\"{}\\"}}"}}',
                "password => '{}'",
                "the password is {}",
                "the password for staging is {}.",
                "my password was {} until today",
                "passphrase: {}",
                "passwd={}",
                "pwd={};",
                "Server=db;User Id=sa;Password={};Encrypt=true",
                "--password {} --user app",
                "--password={}",
                "DATABASE_PASS={}",
                "MYSQL_ROOT_PASSWORD: {}",
                "TF_VAR_db_password={}",
                "spring.datasource.password={}",
                "password:\n  {}\n",
                "password: >-\n  {}\n",
                "password:\n```\n{}\n```",
                "the password is:\n{}\n",
                "<password>{}</password>",
                '<add key="ClearTextPassword" value="{}" />',
                'PASSWORD: Final[str] = "{}"',
                "password: str = '{}'",
                "curl -u admin:{} https://example.com",
                "curl --user 'admin:{}' https://example.com",
                'curl -u "admin:{}" x',
                "sshpass -p {} ssh host",
                "sshpass -p '{}' scp a b:",
                "docker login -u me -p {} registry",
                "mysql -u root -p{} shop",
                "openssl enc -pass pass:{}",
                "ssh-keygen -t ed25519 -N '{}'",
                "machine api.example login me password {}",
                "machine api.example\n  login me\n  password {}\n",
                "use {} as the password",
                "use `{}` as the passphrase",
                "log in as bob with password {}.",
                "credentials: admin:{}",
                "creds are bob / {}",
                "the pw is {}",
                "pw: {}",
                "db.internal:5432:app:app_user:{}",
                '"What is the database password?"="{}"',
                "Enter the password?: '{}'",
                "| password | {} |",
                "| admin | `password` | `{}` |",
                "ALTER USER app WITH PASSWORD '{}'",
                "identified: password '{}'",
                "password%3D{}",
                'data-password="{}"',
                "password&quot;: &quot;{}",
                "2026-11-20 INFO connecting password={} host=db",
                "password\u200b={}",
            ],
        ),
        (
            plain,
            [
                "password={}",
                "DB_PASSWORD={}",
                "--password {} -u app",
                "the password is {}",
                '"password": "{}"',
                "passwd: {}",
                "mysql -uroot -p{} shop",
                "sshpass -p {} ssh host",
                "the passphrase for prod is {}",
            ],
        ),
        (
            alpha,
            ['password: "{}"', "password = '{}'", '"password":"{}"', "my passphrase is '{}', ok?", "password='{}'"],
        ),
        (
            words,
            [
                "the password is {}",
                "the passphrase for the backup is {}.",
                'password is "{}"',
                'passphrase: "{}"',
                "PASSPHRASE='{}'",
                "the password is {}\nand more",
                '{{"text":"the passphrase is {}\\nok"}}',
            ],
        ),
    ],
    "secret": [
        (
            key,
            [
                "API_KEY={}",
                "api_key: {}",
                '"apiKey": "{}"',
                "X-Api-Key: {}",
                'curl -H "X-Api-Key: {}" https://example.com',
                "client_secret = '{}'",
                "CLIENT_SECRET={}",
                '"client_secret":"{}"',
                "SECRET_KEY = '{}'",
                "secret: {}",
                "--token {} --force",
                "--token={}",
                "--api-key {}",
                "TOKEN={}",
                "the token is {}",
                "the API key is {}",
                "the client secret is {}.",
                "access_token={}&x=1",
                "https://example.com/?api_key={}&a=1",
                "auth_token: {}",
                "//registry.example.com/:_authToken={}",
                "ENCRYPTION_KEY={}",
                "signing_key: {}",
                "webhook_secret: '{}'",
                "JWT_SECRET={}",
                "SharedAccessKey={};",
                "private_token: {}",
                "X-Auth-Token: {}",
                "X-Vault-Token: {}",
                "x-goog-api-key: {}",
                '{{"text":"{{\\"token\\": \\"{}\\"}}"}}',
                "token: >-\n  {}\n",
                "<token>{}</token>",
                '"What is the API key?"="{}"',
                "const token = `{}`;",
                "os.environ['API_TOKEN'] = '{}'",
                "TF_VAR_api_token={}",
                "secrets.add('x', api_key=\"{}\")",
                "LICENSE_KEY={}",
                "session_key={}",
                "token => '{}',",
            ],
        ),
        (
            hexes,
            [
                "SECRET_KEY_BASE={}",
                "COOKIE_KEY={}",
                "HMAC_KEY={}",
                "encryption_key: {}",
                "api_key={}",
                "APP_SECRET={}",
                '"secret": "{}"',
                "--api-key {}",
                "AUTH_TOKEN={}",
                "X-Api-Key: {}",
                "jwt_key = '{}'",
            ],
        ),
        (
            b64(86, "=="),
            [
                "AccountName=x;AccountKey={};EndpointSuffix=core.windows.net",
                "account_key: {}",
                "DefaultEndpointsProtocol=https;AccountName=a;AccountKey={}",
            ],
        ),
        (b64(1200, "="), ["    client-key-data: {}\n", "client-key-data: {}"]),
        (b64(300, "="), ["aws_session_token = {}", "AWS_SESSION_TOKEN={}", '"SessionToken": "{}"']),
        (b64(43, "="), ["PrivateKey = {}", "SharedAccessKey={}", "APP_KEY=base64:{}"]),
        (uuid, ["HEROKU_API_KEY={}", "api_key: {}"]),
    ],
    "aws-secret-key": [
        (
            b64(40),
            [
                "aws_secret_access_key = {}",
                "AWS_SECRET_ACCESS_KEY={}",
                '"SecretAccessKey": "{}"',
                "secretAccessKey: '{}'",
                "export AWS_SECRET_ACCESS_KEY='{}'",
                'secret_access_key="{}"',
                "aws_secret_access_key =\n  {}",
                "AWS Secret Access Key: {}",
                '{{"t":"{{\\"SecretAccessKey\\":\\"{}\\"}}"}}',
                "aws.secretAccessKey={}",
                "aws configure set aws_secret_access_key={}",
                "Secret access key | {} |",
            ],
        ),
    ],
    "azure-secret": [
        (
            lambda draw: "".join(draw.choices(ALNUM, k=3)) + "8Q~" + "".join(draw.choices(WORD + ".~", k=33)) + "a",
            [
                "secret {} works",
                "AZURE={}",
                '"value": "{}"',
                "use `{}`",
                "{}",
                "- {}",
                "value: {}",
                "x={}&y=1",
                "({})",
                "'{}'",
            ],
        ),
    ],
    "authorization": [
        (
            key,
            [
                "Authorization: Bearer {}",
                "authorization: token {}",
                'curl -H "Authorization: Bearer {}" https://a.example',
                "curl -H 'Authorization: token {}' https://a.example",
                '-H \\"authorization: Bearer {}\\"',
                "sent Bearer {}",
                '"Authorization": "Bearer {}"',
                "headers = {{'Authorization': 'Bearer {}'}}",
                "Authorization: {}",
                "Authorization=Bearer {}",
                "Authorization: Bot {}",
                "bearer {} was refused",
                "Proxy-Authorization: Bearer {}",
            ],
        ),
        (
            pair,
            [
                "Authorization: Basic {}",
                "header Basic {}",
                '"auth": "{}"',
                '{{"auths":{{"ghcr.io":{{"auth":"{}"}}}}}}',
                "//registry.example.com/:_auth={}",
                "_auth = {}",
                '{{\\"auth\\":\\"{}\\"}}',
                "-H 'Authorization: Basic {}'",
            ],
        ),
    ],
    "cookie": [
        (
            lambda draw: "session=" + key(draw),
            [
                "Cookie: {}",
                "Set-Cookie: {}",
                "cookie: {}",
                "curl -H 'Cookie: {}'",
                "GET / HTTP/1.1\nCookie: {}\nHost: x",
                '"cookie: {}"',
                "> Cookie: {}",
            ],
        )
    ],
    "url-password": [
        (
            plain,
            [
                "postgres://app:{}@db.internal/app",
                "redis://:{}@cache:6379",
                "mongodb+srv://u:{}@c.example.net/?w=1",
                "DATABASE_URL=mysql://root:{}@localhost:3306/x",
                "https://bob:{}@example.com/a",
                "amqp://u:{}@mq//",
                '"url": "postgres://app:{}@db/app"',
                "git clone https://me:{}@git.example.com/r.git",
                "ftp://a:{}@b",
            ],
        ),
        (lambda draw: "p@" + plain(draw), ["postgres://app:{}@db/app", "smtp://u:{}@mail.example.com"]),
        (lambda draw: "k9" + key(draw)[:28], ["https://{}@git.example.com/a/b", "https://{}@example.com/x.git"]),
    ],
    "signed-url": [
        (
            b64(43, "%3D"),
            [
                "https://a.blob.core.windows.net/c?sv=2025-01-01&sig={}",
                "?sv=1&se=2&sr=b&sp=r&sig={}",
                "BlobEndpoint=https://a.blob.core.windows.net/;SharedAccessSignature=sv=1&sig={}",
                '"u": "https://a/b?st=1&sig={}"',
            ],
        )
    ],
    "slack-webhook": [
        (
            lambda draw: (
                "services/T"
                + "".join(draw.choices(string.ascii_uppercase + string.digits, k=8))
                + "/B"
                + "".join(draw.choices(string.ascii_uppercase + string.digits, k=8))
                + "/"
                + "".join(draw.choices(ALNUM, k=24))
            ),
            [
                "https://hooks.slack.com/{}",
                "post to hooks.slack.com/{} now",
                '"url":"https://hooks.slack.com/{}"',
                "SLACK=https://hooks.slack.com/{}",
            ],
        )
    ],
    "webhook": [
        (
            lambda draw: "".join(draw.choices(WORD, k=68)),
            [
                "https://discord.com/api/webhooks/123456789012345678/{}",
                "https://discordapp.com/api/webhooks/123456789012345678/{}",
                '"https://discord.com/api/webhooks/123456789012345678/{}"',
                "https://acme.webhook.office.com/webhookb2/{}",
            ],
        )
    ],
    "password-hash": [
        (
            lambda draw: "".join(draw.choices(ALNUM + "./", k=53)),
            [
                "admin:$2y$10${}",
                "$2b$12${}",
                "hash: $2a$10${}",
                "root:$6${}:19000:0:99999:7:::",
                '"hash":"$2b$10${}"',
                "$y$j9T${}",
            ],
        )
    ],
    "jwt": [
        (
            jwt,
            [
                "https://example.com/cb?token={}",
                "https://example.com/#id_token={}&x=1",
                "cookie of {}",
                "jwt={}; path=/",
            ],
        )
    ],
    "entropy": [
        (
            lambda draw: "k9Qz" + "".join(draw.choices(ALNUM, k=38)),
            ["try this one: {}", "it printed {} and stopped", "x = {}"],
        )
    ],
}
"""Kind: what makes a secret, and the texts that give it away."""


def given_away(rounds: int = 6, seed: int = 3) -> Iterator[tuple[str, str, str, str]]:
    """(kind, place, text, secret), each text several times with secrets of its own."""
    draw = random.Random(seed)
    for kind, groups in PLACES.items():
        for make, texts in groups:
            for text in texts:
                for _ in range(rounds):
                    secret = make(draw)  # type: ignore[operator]
                    yield kind, text, text.format(secret), secret
