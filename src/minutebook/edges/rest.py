"""Requests to GitHub's REST API on the standard library: sent again where that may help, errors with a next step.

The token goes to the one host of `Api.url` and into no message. Status codes and headers are those of GitHub's
OpenAPI description, API version 2022-11-28.
"""

import http.client
import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from minutebook.ground.errors import OutsideFailed
from minutebook.ground.unseen import made_visible

_ATTEMPTS = 4
_LONGEST_WAIT = 60.0
_TIMEOUT = 30.0
_LARGEST_ANSWER = 8 * 1024 * 1024
_REDIRECTS = (301, 302, 307, 308)
_HOPS = 3


@dataclass(frozen=True, slots=True)
class Api:
    """One repository on one GitHub. `repo` is owner/name; `wait` is given seconds between two tries."""

    url: str
    repo: str
    token: str = field(repr=False)
    wait: Callable[[float], None] = time.sleep

    @property
    def owner(self) -> str:
        return self.repo.partition("/")[0]


@dataclass(frozen=True, slots=True)
class _Answer:
    status: int
    headers: Mapping[str, str]
    data: bytes

    def document(self) -> Any:
        try:
            return json.loads(self.data)
        except ValueError:
            return None


def call(api: Api, method: str, path: str, body: Mapping[str, object] | None = None) -> Any:
    """The document that GitHub answers with. Tries again on 5xx, lost connections and rate limits, a few times.

    Raises OutsideFailed naming the status and the next step.
    """
    for attempt in range(_ATTEMPTS):
        answer = _send(api, method, path, body)
        if answer is not None and answer.status < 300:
            return answer.document()
        pause = _pause(answer, attempt)
        if pause is None or attempt == _ATTEMPTS - 1:
            break
        api.wait(pause)
    raise _failure(api, method, path, answer)


def host_of(address: str) -> tuple[str, str, int | None]:
    """Scheme, host and port: what has to be the same for a secret to be sent along."""
    parts = urlsplit(address)
    return parts.scheme, parts.hostname or "", parts.port


def _send(api: Api, method: str, path: str, body: Mapping[str, object] | None) -> _Answer | None:
    """One request; None when the connection was lost. Redirects are followed on the same host alone."""
    address = api.url + path
    for _ in range(_HOPS):
        answer = _request(api, method, address, body)
        if answer is None or answer.status not in _REDIRECTS:
            return answer
        target = answer.headers.get("location", "")
        same_host = host_of(target) == host_of(api.url)
        if not same_host or (method != "GET" and answer.status < 307):
            raise OutsideFailed(
                f"GitHub says that {api.repo} has moved ({answer.status})", "name the repository as it is called now"
            )
        address = target
    raise OutsideFailed("GitHub's redirects don't end")


def _request(api: Api, method: str, address: str, body: Mapping[str, object] | None) -> _Answer | None:
    headers = {
        "Accept": "application/vnd.github+json",
        "Authorization": f"Bearer {api.token}",
        "User-Agent": "minutebook",
        "X-GitHub-Api-Version": "2022-11-28",
    }
    if body is not None:
        headers["Content-Type"] = "application/json"
    data = None if body is None else json.dumps(body).encode("ascii")
    request = urllib.request.Request(address, data, headers, method=method)
    try:
        with _opened(request) as response:
            return _read(response)
    except (OSError, http.client.HTTPException):
        return None


def _opened(request: urllib.request.Request) -> Any:
    try:
        return urllib.request.build_opener(_Unredirected).open(request, timeout=_TIMEOUT)
    except urllib.error.HTTPError as error:  # an answer like any other
        return error


class _Unredirected(urllib.request.HTTPRedirectHandler):
    """urllib would carry the token along to wherever it is sent."""

    def redirect_request(self, *_: object) -> None:
        return None


def _read(response: Any) -> _Answer:
    content = response.read(_LARGEST_ANSWER + 1)
    if len(content) > _LARGEST_ANSWER:
        raise OutsideFailed(f"GitHub's answer is larger than {_LARGEST_ANSWER // 2**20} MiB")
    return _Answer(response.status, {name.lower(): value for name, value in response.headers.items()}, content)


def _pause(answer: _Answer | None, attempt: int) -> float | None:
    """Seconds to wait before the next try, or None when another try won't help.

    GitHub's rule: obey retry-after; with no requests remaining wait until x-ratelimit-reset; a secondary limit
    without either asks for a minute.
    """
    if answer is None:
        return float(2**attempt)
    limited = answer.status == 429 or (answer.status == 403 and _is_limit(answer))
    if not limited and answer.status < 500:
        return None
    told = answer.headers.get("retry-after", "")
    if told.isdecimal():
        pause = float(told)
    elif limited and answer.headers.get("x-ratelimit-remaining") == "0":
        reset = answer.headers.get("x-ratelimit-reset", "")
        pause = max(1.0, float(reset) - time.time()) if reset.isdecimal() else _LONGEST_WAIT
    else:
        pause = _LONGEST_WAIT if limited else float(2**attempt)
    return pause if pause <= _LONGEST_WAIT else None


def _is_limit(answer: _Answer) -> bool:
    headers = answer.headers
    return (
        "retry-after" in headers
        or headers.get("x-ratelimit-remaining") == "0"
        or b"rate limit" in answer.data[:4096].lower()
    )


_NEXT_STEP = {
    401: "give GITHUB_TOKEN a token that is valid today",
    403: "the job needs `permissions: contents: write, pull-requests: write`, and Settings > Actions > General "
    "must allow GitHub Actions to create pull requests",
    404: "check owner/name, and that the token can see this repository",
    409: "somebody else changed it at the same time: run again",
}


def _failure(api: Api, method: str, path: str, answer: _Answer | None) -> OutsideFailed:
    what = f"{method} {path.partition('?')[0]}"
    if answer is None:
        return OutsideFailed(f"GitHub can't be reached ({what})", "check the network and GITHUB_API_URL")
    hint = _NEXT_STEP.get(answer.status, "")
    if answer.status == 429 or (answer.status == 403 and _is_limit(answer)):
        hint = "the rate limit is used up: run again later"
    elif answer.status >= 500:
        hint = "see https://www.githubstatus.com, and run again later"
    words = _words(answer).replace(api.token, "***")
    return OutsideFailed(f"GitHub answered {answer.status} to {what}{words and f': {words}'}", hint)


def _words(answer: _Answer) -> str:
    document = answer.document()
    if not isinstance(document, dict):
        return ""
    said = [document.get("message"), *_details(document.get("errors"))]
    line = " ".join(" ".join(each.split()) for each in said if isinstance(each, str))
    return made_visible(line, lambda _: "")[:400]


def _details(errors: Any) -> list[object]:
    if not isinstance(errors, list):
        return []
    return [each.get("message") or each.get("code") if isinstance(each, dict) else each for each in errors[:5]]
