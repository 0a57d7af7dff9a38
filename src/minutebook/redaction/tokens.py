"""Tokens that providers mark themselves, by how they start: one line a kind.

Written for this project (MIT, like the rest of it) from what the providers' documentation says about the shape of
their own tokens; no third-party rule pack is copied.
"""

from __future__ import annotations

from minutebook.ground.lazy import lazy
from minutebook.redaction import values
from minutebook.redaction.shape import START, WORD, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable

    Genuine = Callable[[re.Match[str]], bool]

_HAS_BOTH = r"(?=[A-Za-z_-]{0,40}[0-9])(?=[a-z0-9_-]{0,40}[A-Z])(?=[A-Z0-9_-]{0,40}[a-z])"
_WRAPPED = rf"{_HAS_BOTH}{WORD}{{12,200}}+(?:\r?\n|\\n)[ \t]{{0,8}}{_HAS_BOTH}{WORD}{{6,200}}+"
_UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"


def _token(kind: str, prefixes: str, body: str, genuine: Genuine = values.random_token) -> Rule:
    """A provider's token: one of the prefixes (separated by spaces) and a body, as one word; after a prefix that is
    no word of a language also a body that a terminal broke into two lines."""
    names = tuple(prefixes.split())
    start = "|".join(name.replace(".", r"\.") for name in names)
    bodies = f"(?:{body}|{_WRAPPED})" if all(len(name) > 3 and name[-1] in "_-" for name in names) else body
    return Rule(kind, names, lazy(f"{START}(?:{start}){bodies}"), genuine, token=True)


_TELEGRAM = lazy(rf"(?::|%3A)AA{WORD}{{33}}(?!{WORD})")
_JWT = lazy(
    rf"{START}eyJ{WORD}{{8,4000}}+\.(?:eyJ{WORD}{{8,8000}}+\.{WORD}{{0,2000}}+|(?:{WORD}{{0,4000}}+\.){{3}}{WORD}{{8,4000}}+)"
)
_DISCORD = lazy(rf"{START}[MNO]{WORD}{{22,27}}\.{WORD}{{6,7}}\.{WORD}{{27,40}}+")
_ATLAS = lazy(rf"{START}[A-Za-z0-9]{{14}}\.atlasv1\.{WORD}{{50,80}}+")
_AWS_STARTS = ("IQoJb3JpZ2lu", "FwoGZXIvYXdz", "FQoGZXIvYXdz", "FQoDYXdz")
_AWS_SESSION = lazy(r"(?:IQoJb3JpZ2lu|FwoGZXIvYXdz|FQoGZXIvYXdz|FQoDYXdz)(?:[A-Za-z0-9+/=%]|\\/){60,4000}")

DISCORD = Rule("discord-token", (), _DISCORD, values.random_token, token=True)
"""Told by its three parts alone: the scan tries it where a run of its length is followed by a dot."""

TOKENS: tuple[Rule, ...] = (
    _token("aws-access-key", "AKIA ASIA ABIA ACCA", r"[A-Z2-7]{16}(?![A-Za-z0-9])"),
    Rule("aws-session-token", _AWS_STARTS, _AWS_SESSION, values.varied, token=True),
    _token("aws-bedrock-key", "ABSK", r"[A-Za-z0-9+/]{80,300}+={0,2}"),
    _token("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", rf"[A-Za-z0-9_]{{30,255}}+(?:\.{WORD}{{4,1000}}+){{0,2}}"),
    _token("github-token", "github_pat_", r"[A-Za-z0-9_]{40,255}+"),
    _token(
        "gitlab-token",
        "glpat- gldt- glrt- glrtr- glptt- glcbt- glft- glsoat- glimt- glagent- gloas- glffct- glwt-",
        rf"{WORD}{{20,300}}+(?:\.[0-9a-z]{{2,9}}){{0,2}}",
    ),
    _token("gitlab-token", "GR1348941", rf"{WORD}{{20}}(?!{WORD})"),
    _token("slack-token", "xoxb- xoxp- xoxa- xoxr- xoxs- xoxe- xoxc- xoxd- xapp-", r"[A-Za-z0-9%-]{12,250}+"),
    _token("stripe-key", "sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_", r"[A-Za-z0-9]{16,250}+"),
    _token("webhook-secret", "whsec_", r"[A-Za-z0-9+/=%]{24,200}+"),
    _token("google-api-key", "AIza", rf"{WORD}{{35}}(?!{WORD})"),
    _token("google-oauth-token", "ya29. GOCSPX-", rf"{WORD}{{20,1000}}+"),
    _token("anthropic-key", "sk-ant-", rf"{WORD}{{20,250}}+"),
    _token("openai-key", "sk-proj- sk-svcacct- sk-admin- sk-None-", rf"{WORD}{{20,250}}+"),
    _token("openrouter-key", "sk-or-v1-", r"[0-9a-f]{48,80}+"),
    _token("langfuse-key", "sk-lf-", rf"{_UUID}"),
    _token("openai-key", "sk-", r"[A-Za-z0-9]{32,64}+(?![A-Za-z0-9])"),
    _token("groq-key", "gsk_", r"[A-Za-z0-9]{40,80}+"),
    _token("npm-token", "npm_", r"[A-Za-z0-9]{36}(?![A-Za-z0-9])"),
    _token("pypi-token", "pypi-AgE", rf"{WORD}{{50,1000}}+"),
    _token("crates-token", "cio", r"[A-Za-z0-9]{32}(?![A-Za-z0-9_-])"),
    _token("nuget-key", "oy2", r"[a-z0-9]{43}(?![A-Za-z0-9_-])"),
    _token("sendgrid-key", "SG.", rf"{WORD}{{16,32}}\.{WORD}{{16,64}}+"),
    _token("brevo-key", "xkeysib- xsmtpsib-", r"[0-9a-f]{64}-[A-Za-z0-9]{16}"),
    _token("twilio-key", "SK", r"[0-9a-f]{32}(?![A-Za-z0-9])"),
    _token("huggingface-token", "hf_ api_org_", r"[A-Za-z0-9]{30,64}+"),
    _token("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", r"[0-9a-f]{64}(?![0-9a-f])"),
    _token("shopify-token", "shpat_ shpca_ shppa_ shpss_", r"[0-9a-fA-F]{32}(?![0-9a-fA-F])"),
    _token("docker-token", "dckr_pat_ dckr_oat_", rf"{WORD}{{20,64}}+"),
    _token("atlassian-token", "ATATT3 ATCTT3 ATBB", r"[A-Za-z0-9_=%-]{28,300}+"),
    _token("linear-key", "lin_api_ lin_oauth_", r"[A-Za-z0-9]{32,80}+"),
    _token("notion-token", "ntn_", r"[A-Za-z0-9]{40,60}+"),
    _token("vault-token", "hvs. hvb. hvr.", rf"{WORD}{{24,300}}+"),
    Rule("terraform-token", ("atlasv1.",), _ATLAS, token=True, before=15),
    _token("grafana-token", "glsa_ glc_", r"[A-Za-z0-9_+/=]{32,400}+"),
    _token("age-key", "AGE-SECRET-KEY-1 AGE-SECRET-KEY-PQ-1", r"[0-9A-Z]{58,}+"),
    _token("mailgun-key", "key-", r"[0-9a-f]{32}(?![A-Za-z0-9])"),
    _token("square-token", "sq0atp- sq0csp- sq0idp-", rf"{WORD}{{22,80}}+"),
    _token("square-token", "EAAA", rf"{WORD}{{22,80}}+"),
    _token("facebook-token", "EAAM EAAC EAAB EAAG", r"[A-Za-z0-9]{80,400}+"),
    _token("airtable-token", "pat", r"[A-Za-z0-9]{14}\.[0-9a-f]{64}(?![0-9a-f])"),
    _token("harness-token", "pat. sat.", rf"{WORD}{{22}}\.[A-Za-z0-9]{{24}}\.[A-Za-z0-9]{{20}}"),
    _token("postman-key", "PMAK-", r"[0-9a-f]{24}-[0-9a-f]{34}"),
    _token("new-relic-key", "NRAK- NRII-", r"[A-Za-z0-9-]{27,40}+"),
    _token("databricks-token", "dapi", r"[0-9a-f]{32}(?:-[0-9])?(?![0-9a-f])"),
    _token(
        "doppler-token",
        "dp.pt. dp.st. dp.st.dev. dp.st.stg. dp.st.prd. dp.ct. dp.sa. dp.scim. dp.audit.",
        r"[A-Za-z0-9._-]{40,80}+",
    ),
    _token("dynatrace-token", "dt0c01. dt0s01.", r"[A-Z0-9]{24}\.[A-Z0-9]{64}"),
    _token("dropbox-token", "sl. sl.u. sl.B.", rf"{WORD}{{60,1400}}+"),
    _token("pulumi-token", "pul-", r"[0-9a-f]{40}(?![0-9a-f])"),
    _token("supabase-token", "sbp_ sb_secret_", r"(?=[A-Za-z_-]{0,40}[0-9])[A-Za-z0-9_-]{20,64}+"),
    _token("rubygems-key", "rubygems_", r"[0-9a-f]{48}(?![0-9a-f])"),
    _token("planetscale-token", "pscale_tkn_ pscale_pw_ pscale_oauth_", r"[A-Za-z0-9_=.-]{32,64}+"),
    _token("sentry-token", "sntrys_ sntryu_", r"[A-Za-z0-9_+/=]{40,400}+"),
    _token("figma-token", "figd_ figdr_", rf"{WORD}{{38,60}}+"),
    _token("netlify-token", "nfp_ nfc_ nfo_", r"[A-Za-z0-9]{30,50}+"),
    _token("fly-token", "fo1_ fm1r_ fm1a_ fm2_", r"[A-Za-z0-9_+/=%-]{43,2000}+", values.varied),
    _token("tailscale-key", "tskey-auth- tskey-api- tskey-client- tskey-webhook- tskey-scim-", r"[A-Za-z0-9-]{20,80}+"),
    _token("circleci-token", "CCIPAT_ CCIPRJ_", r"[A-Za-z0-9]{15,30}+_[0-9a-f]{40}"),
    _token("sonar-token", "squ_ sqp_ sqa_", r"[0-9a-f]{40}(?![0-9a-f])"),
    _token("sourcegraph-token", "sgp_", r"(?:(?:[0-9a-f]{16}|local)_)?[0-9a-f]{40}(?![0-9a-f])"),
    _token("langsmith-key", "lsv2_pt_ lsv2_sk_", r"[0-9a-f]{32}_[0-9a-f]{10}"),
    _token("prefect-key", "pnu_ pnb_", r"[A-Za-z0-9]{36}(?![A-Za-z0-9])"),
    _token("readme-key", "rdme_", r"[a-z0-9]{70}"),
    _token("shippo-token", "shippo_live_ shippo_test_", r"[0-9a-fA-F]{40}"),
    _token("onepassword-token", "ops_eyJ", r"[A-Za-z0-9+/=_-]{200,4000}+"),
    _token("onepassword-key", "A3-", r"[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}"),
    _token("artifactory-token", "AKCp", r"[A-Za-z0-9]{60,80}+"),
    _token("artifactory-token", "cmVmdGtu", r"[A-Za-z0-9]{50,60}+"),
    _token("octopus-key", "API-", r"[A-Z0-9]{25,32}(?![A-Za-z0-9_-])"),
    _token("easypost-key", "EZAK EZTK", r"[A-Za-z0-9]{54}(?![A-Za-z0-9])"),
    _token("contentful-token", "CFPAT-", rf"{WORD}{{43}}(?!{WORD})"),
    _token("heroku-key", "HRKU-", rf"{WORD}{{36,64}}+"),
    _token("plaid-token", "access-sandbox- access-development- access-production-", _UUID),
    _token("alibaba-key", "LTAI", r"[A-Za-z0-9]{16,24}(?![A-Za-z0-9_-])"),
    _token("typeform-token", "tfp_", r"[A-Za-z0-9_.=-]{59}"),
    _token("model-key", "pplx- xai- r8_ fw_ csk- jina_", r"[A-Za-z0-9]{24,100}+"),
    _token("model-key", "nvapi- tgp_v1_ tvly- tvly-dev- tvly-prod-", rf"{WORD}{{32,100}}+"),
    Rule("telegram-token", (":AA",), _TELEGRAM, values.varied, token=True),
    Rule("jwt", ("eyJ",), _JWT, token=True),
)
