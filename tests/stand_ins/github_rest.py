"""GitHub's REST interface, as much of it as minutebook uses, for one repository.

Where GitHub's own OpenAPI description lies beside the checkout (MINUTEBOOK_SHARED, or ../shared), every request and
every response is validated against it; the description says nothing of unknown body keys, so they are refused here.
"""

import json
import os
import re
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

from stand_ins.loopback import Quiet

Json = dict[str, Any]
CHECKOUT = Path(__file__).parents[2]
DESCRIPTION = Path(os.environ.get("MINUTEBOOK_SHARED") or CHECKOUT.parent / "shared") / "tools" / "gh-subset.json"
_KEYS = {
    ("POST", "pulls"): {"title", "head", "head_repo", "base", "body", "maintainer_can_modify", "draft", "issue"},
    ("PATCH", "pulls"): {"title", "body", "state", "base", "maintainer_can_modify"},
    ("POST", "labels"): {"labels"},
}


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer; `drop` closes the connection without any."""

    status: int
    document: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    drop: bool = False


@dataclass(slots=True)
class GitHub:
    """The state of the stand-in: what a test looks at, and what it sets. `faults` are answered first, in order;
    a fault marked `after` lets the request take effect and then loses the answer."""

    repo: str
    token: str
    pulls: list[Json] = field(default_factory=list)
    labels: dict[int, list[str]] = field(default_factory=dict)
    requests: list[tuple[str, str, Any]] = field(default_factory=list)
    faults: list[Reply] = field(default_factory=list)
    lost_answers: int = 0
    complaints: list[str] = field(default_factory=list)
    has_branch: Callable[[str], bool] = lambda branch: True
    drafts: bool = True

    def serve(self, method: str, path: str, query: str, headers: dict[str, str], data: bytes) -> Reply:
        """One request, judged and answered."""
        body = json.loads(data) if data else None
        self.requests.append((method, path, body))
        if headers.get("authorization") != f"Bearer {self.token}":
            return Reply(401, {"message": "Bad credentials", "documentation_url": "https://docs.github.com/rest"})
        if self.faults:
            return self.faults.pop(0)
        self.complaints += _complaints_of_request(method, path, query, headers, data)
        reply = self._answer(method, path, query, body)
        self.complaints += _complaints_of_response(method, path, query, data, reply)
        if self.lost_answers and method != "GET":
            self.lost_answers -= 1
            return Reply(0, drop=True)
        return reply

    def _answer(self, method: str, path: str, query: str, body: Any) -> Reply:
        inner = path.removeprefix(f"/repos/{self.repo}/")
        if inner == path:
            return Reply(404, {"message": "Not Found", "documentation_url": "https://docs.github.com/rest"})
        if inner == "pulls" and method == "GET":
            return self._list(parse_qs(query))
        if inner == "pulls" and method == "POST":
            return self._open(body)
        if (match := re.fullmatch(r"pulls/(\d+)", inner)) and method == "PATCH":
            return self._edit(int(match[1]), body)
        if (match := re.fullmatch(r"issues/(\d+)/labels", inner)) and method == "POST":
            return self._label(int(match[1]), body)
        return Reply(404, {"message": "Not Found", "documentation_url": "https://docs.github.com/rest"})

    def _list(self, query: dict[str, list[str]]) -> Reply:
        state, head = query.get("state", ["open"])[0], query.get("head", [""])[0]
        found = [each for each in self.pulls if state in ("all", each["state"])]
        if ":" in head:
            found = [each for each in found if each["head"]["label"] == head]
        return Reply(200, [_simple(each) for each in found])

    def _open(self, body: Json) -> Reply:
        if unknown := set(body) - _KEYS["POST", "pulls"]:
            return _invalid(f"unknown keys {sorted(unknown)}")
        if len(body.get("body", "")) > 65536:
            return _invalid("body is too long (maximum is 65536 characters)")
        if body.get("draft") and not self.drafts:
            return _invalid("Draft pull requests are not supported in this repository.")
        if any(each["head"]["ref"] == body["head"] and each["state"] == "open" for each in self.pulls):
            owner = self.repo.split("/")[0]
            return _invalid(f"A pull request already exists for {owner}:{body['head']}.")
        if not self.has_branch(body["head"]) or not self.has_branch(body["base"]):
            return _invalid("head or base is no branch")
        made = _pull(self.repo, len(self.pulls) + 1, body)
        self.pulls.append(made)
        return Reply(201, made)

    def _edit(self, number: int, body: Json) -> Reply:
        if unknown := set(body) - _KEYS["PATCH", "pulls"]:
            return _invalid(f"unknown keys {sorted(unknown)}")
        pull = self.pulls[number - 1]
        for name in ("title", "body", "state"):
            pull[name] = body.get(name, pull[name])
        pull["base"]["ref"] = body.get("base", pull["base"]["ref"])
        return Reply(200, pull)

    def _label(self, number: int, body: Json) -> Reply:
        if unknown := set(body) - _KEYS["POST", "labels"]:
            return _invalid(f"unknown keys {sorted(unknown)}")
        known = self.labels.setdefault(number, [])
        known += [label for label in body["labels"] if label not in known]
        template: Json = {"id": 1, "node_id": "L1", "color": "ededed", "default": False, "description": None}
        url = f"https://api.github.com/repos/{self.repo}/labels"
        return Reply(200, [template | {"name": name, "url": f"{url}/{name}"} for name in known])


def rest_handler(github: GitHub) -> type[Quiet]:
    """Serves the stand-in over HTTP."""

    class Handler(Quiet):
        def serve(self) -> None:
            path, _, query = self.path.partition("?")
            headers = {name.lower(): value for name, value in self.headers.items()}
            reply = github.serve(self.command, path, query, headers, self.body())
            if reply.drop:
                self.close_connection = True
                return
            content = b"" if reply.document is None else json.dumps(reply.document).encode()
            self.answer(reply.status, {"Content-Type": "application/json; charset=utf-8", **reply.headers}, content)

        do_GET = do_POST = do_PATCH = do_DELETE = do_PUT = serve

    return Handler


def _invalid(message: str) -> Reply:
    errors = [{"resource": "PullRequest", "code": "custom", "message": message}]
    document = {"message": "Validation Failed", "errors": errors, "documentation_url": "https://docs.github.com/rest"}
    return Reply(422, document)


def _pull(repo: str, number: int, body: Json) -> Json:
    """A pull request as GitHub shows it: its own example where the description is there, else the bones."""
    pull = deepcopy(_example())
    owner, url = repo.split("/")[0], f"https://github.com/{repo}/pull/{number}"
    pull |= {"number": number, "state": "open", "title": body["title"], "body": body.get("body"), "html_url": url}
    # The example's team lacks what the description requires of a team: nobody is asked for a review here.
    pull |= {"draft": bool(body.get("draft")), "requested_teams": []}
    for side in ("head", "base"):
        pull[side] = deepcopy(pull.get(side) or {}) | {"ref": body[side], "label": f"{owner}:{body[side]}"}
        pull[side]["repo"] = deepcopy(pull[side].get("repo") or {}) | {"full_name": repo}
    return pull


def _simple(pull: Json) -> Json:
    only_whole = {"merged", "mergeable", "mergeable_state", "merged_by", "rebaseable", "comments", "review_comments"}
    only_whole |= {"maintainer_can_modify", "commits", "additions", "deletions", "changed_files"}
    return {name: value for name, value in pull.items() if name not in only_whole}


@lru_cache(maxsize=1)
def _example() -> Json:
    if not DESCRIPTION.is_file():
        return {}
    document = json.loads(DESCRIPTION.read_text("utf-8"))
    example: Json = document["components"]["examples"]["pull-request"]["value"]
    return example


@lru_cache(maxsize=1)
def _openapi() -> Any:
    from openapi_core import OpenAPI

    document = json.loads(DESCRIPTION.read_text("utf-8"))
    document["servers"] = [{"url": "http://github.test"}]
    return OpenAPI.from_dict(document)


def _complaints_of_request(method: str, path: str, query: str, headers: dict[str, str], data: bytes) -> list[str]:
    if not DESCRIPTION.is_file():
        return []
    from openapi_core.exceptions import OpenAPIError

    try:
        _openapi().validate_request(_request(method, path, query, data))
    except OpenAPIError as error:
        return [f"{method} {path}: {error!r} {error.__cause__!r}"]
    wrong_type = data and headers.get("content-type") != "application/json"
    return [f"{method} {path}: content type"] if wrong_type else []


def _complaints_of_response(method: str, path: str, query: str, data: bytes, reply: Reply) -> list[str]:
    if not DESCRIPTION.is_file() or reply.status == 404:
        return []
    from openapi_core.exceptions import OpenAPIError
    from openapi_core.testing import MockResponse

    content = json.dumps(reply.document).encode()
    try:
        _openapi().validate_response(
            _request(method, path, query, data), MockResponse(content, reply.status, content_type="application/json")
        )
    except OpenAPIError as error:
        return [f"{method} {path} -> {reply.status}: {error!r} {error.__cause__!r}"]
    return []


def _request(method: str, path: str, query: str, data: bytes) -> Any:
    from openapi_core.testing import MockRequest

    arguments = {name: values[0] for name, values in parse_qs(query).items()}
    return MockRequest(
        "http://github.test", method.lower(), path, args=arguments, data=data or None, content_type="application/json"
    )
