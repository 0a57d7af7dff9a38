"""GitHub's pull requests, by a few functions: find, open and update the one from a branch.

The token goes to the one host that GITHUB_API_URL names, over HTTPS (or to this machine). Endpoints are those of
GitHub's OpenAPI description, API version 2022-11-28.
"""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from minutebook.edges.rest import Api, call
from minutebook.ground.errors import CannotJudge, OutsideFailed
from minutebook.ground.frozen import frozen

_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


@frozen
class Pull:
    """A pull request as it stands; `created` says whether this run opened it."""

    number: int
    url: str
    created: bool


def api_from(environ: Mapping[str, str], repo: str) -> Api:
    """The GitHub that the environment names (GITHUB_API_URL, GITHUB_TOKEN). Raises CannotJudge when it can't be."""
    url = environ.get("GITHUB_API_URL") or "https://api.github.com"
    parts = urlsplit(url)
    if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in _LOOPBACK):
        raise CannotJudge("GITHUB_API_URL must start with https://: the token is sent there")
    if parts.username is not None or not parts.hostname:
        raise CannotJudge("GITHUB_API_URL is no plain address of an API", "https://api.github.com")
    token = environ.get("GITHUB_TOKEN", "").strip()
    if not token or not token.isascii() or not token.isprintable():
        raise CannotJudge("opening a pull request takes a token", "set GITHUB_TOKEN, or use --dry-run --page FILE")
    if not _is_repository(repo):
        raise CannotJudge(f"{repo!r} names no repository", "--repo owner/name")
    return Api(url.rstrip("/"), repo, token)


def open_or_update_pull(
    api: Api, *, branch: str, base: str, title: str, body: str, labels: Sequence[str] = (), draft: bool = True
) -> Pull:
    """The one open pull request from `branch`: made when there is none, else its title, base and text replaced.

    Raises OutsideFailed (exit 3) when GitHub doesn't do its part.
    """
    found = find_pull(api, branch)
    if found is None:
        found = _create(api, branch, {"title": title, "body": body, "base": base, "head": branch, "draft": draft})
    if not found.created:
        path = f"/repos/{api.repo}/pulls/{found.number}"
        _pull(call(api, "PATCH", path, {"title": title, "body": body, "base": base}))
    if labels:
        call(api, "POST", f"/repos/{api.repo}/issues/{found.number}/labels", {"labels": list(labels)})
    return found


def find_pull(api: Api, branch: str) -> Pull | None:
    """The open pull request from this branch of this repository (not of a fork that has a branch of that name)."""
    query = urlencode({"state": "open", "head": f"{api.owner}:{branch}", "per_page": 100})
    listed = call(api, "GET", f"/repos/{api.repo}/pulls?{query}")
    if not isinstance(listed, list):
        raise OutsideFailed("GitHub's list of pull requests is no list")
    for each in listed:
        head = each.get("head", {}) if isinstance(each, dict) else {}
        where = (head.get("repo") or {}).get("full_name", "")
        if head.get("ref") == branch and where.lower() == api.repo.lower():
            return _pull(each)
    return None


def _create(api: Api, branch: str, body: dict[str, object]) -> Pull:
    path = f"/repos/{api.repo}/pulls"
    try:
        return _pull(call(api, "POST", path, body), created=True)
    except OutsideFailed as error:
        # An earlier try may have reached GitHub although its answer was lost; and not every plan has drafts.
        words = str(error).lower()
        if "already exists" in words and (found := find_pull(api, branch)) is not None:
            return found
        if "draft pull requests are not supported" not in words:
            raise
    return _pull(call(api, "POST", path, body | {"draft": False}), created=True)


def _pull(document: Any, *, created: bool = False) -> Pull:
    number = document.get("number") if isinstance(document, dict) else None
    if not isinstance(number, int):
        raise OutsideFailed("GitHub's answer is no pull request")
    return Pull(number, str(document.get("html_url", "")), created)


def _is_repository(repo: str) -> bool:
    owner, slash, name = repo.partition("/")
    safe = all(part and part not in {".", ".."} and quote(part, safe="-._") == part for part in (owner, name))
    return bool(slash) and safe
