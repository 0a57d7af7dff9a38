"""Opening and updating the pull request, against a stand-in that judges requests by GitHub's own description."""

import json
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minutebook.edges.github import Pull, api_from, find_pull, open_or_update_pull
from minutebook.edges.rest import Api, call
from minutebook.ground.errors import CannotJudge, OutsideFailed
from stand_ins.github_rest import DESCRIPTION, GitHub, Reply, rest_handler
from stand_ins.loopback import serving

TOKEN = "example-token-" + "0" * 20
REPO = "acme/mem"


@pytest.fixture
def github() -> GitHub:
    return GitHub(REPO, TOKEN)


@pytest.fixture
def waits() -> list[float]:
    return []


@pytest.fixture
def api(github: GitHub, waits: list[float]) -> Iterator[Api]:
    with serving(rest_handler(github)) as address:
        yield Api(address, REPO, TOKEN, waits.append)
    assert github.complaints == []


def opened(api: Api, **changed: object) -> Pull:
    given: dict[str, object] = {"branch": "bot/x", "base": "main", "title": "Memory", "body": "page", "draft": True}
    return open_or_update_pull(api, labels=["memory"], **(given | changed))  # type: ignore[arg-type]


def test_requests_are_validated_by_github_s_own_description() -> None:
    if not DESCRIPTION.is_file():
        pytest.skip("GitHub's OpenAPI description (shared/tools/gh-subset.json) isn't beside this checkout")
    github = GitHub(REPO, TOKEN)
    headers = {"authorization": f"Bearer {TOKEN}", "content-type": "application/json"}
    body = json.dumps({"head": "a", "base": "main", "title": 7}).encode()
    github.serve("POST", f"/repos/{REPO}/pulls", "", headers, body)
    assert len(github.complaints) >= 1


def test_first_run_opens_the_pull_request_with_labels(api: Api, github: GitHub) -> None:
    assert opened(api) == Pull(1, "https://github.com/acme/mem/pull/1", created=True)
    assert github.pulls[0]["draft"] is True
    assert github.labels == {1: ["memory"]}


def test_second_run_updates_it_in_place(api: Api, github: GitHub) -> None:
    opened(api)
    again = opened(api, title="Memory: 2 proposed", body="new page", base="trunk")
    assert again == Pull(1, "https://github.com/acme/mem/pull/1", created=False)
    assert (github.pulls[0]["title"], github.pulls[0]["body"]) == ("Memory: 2 proposed", "new page")
    assert github.pulls[0]["base"]["ref"] == "trunk"
    assert len(github.pulls) == 1


def test_a_fork_s_branch_of_the_same_name_is_not_ours(api: Api, github: GitHub) -> None:
    opened(api)
    github.pulls[0]["head"]["repo"]["full_name"] = "acme/fork"
    assert find_pull(api, "bot/x") is None


def test_a_closed_pull_request_is_left_closed_and_a_new_one_opened(api: Api, github: GitHub) -> None:
    opened(api)
    github.pulls[0]["state"] = "closed"
    assert opened(api).number == 2


@pytest.mark.parametrize("status", [500, 502, 503, 504])
def test_a_server_error_is_tried_again(api: Api, github: GitHub, waits: list[float], status: int) -> None:
    github.faults = [Reply(status), Reply(status)]
    assert opened(api).created
    assert waits == [1.0, 2.0]


def test_it_gives_up_after_a_few_tries(api: Api, github: GitHub, waits: list[float]) -> None:
    github.faults = [Reply(502)] * 50
    with pytest.raises(OutsideFailed, match="502"):
        opened(api)
    assert len(github.requests) == 4
    assert len(waits) == 3


def test_an_answer_that_was_lost_does_not_open_a_second_pull_request(api: Api, github: GitHub) -> None:
    github.lost_answers = 1
    assert opened(api).number == 1
    assert len(github.pulls) == 1


def test_retry_after_is_obeyed(api: Api, github: GitHub, waits: list[float]) -> None:
    limit = {"message": "You have exceeded a secondary rate limit."}
    github.faults = [Reply(403, limit, {"retry-after": "7"}), Reply(429, limit, {"retry-after": "3"})]
    assert opened(api).created
    assert waits == [7.0, 3.0]


def test_a_limit_that_lasts_too_long_is_reported_at_once(api: Api, github: GitHub, waits: list[float]) -> None:
    github.faults = [Reply(429, {"message": "API rate limit exceeded"}, {"retry-after": "3600"})]
    with pytest.raises(OutsideFailed) as caught:
        opened(api)
    assert "run again later" in caught.value.hint
    assert waits == []


@pytest.mark.parametrize(
    ("status", "hint"), [(401, "valid"), (403, "permissions"), (404, "owner/name"), (409, "again")]
)
def test_what_github_refuses_is_said_with_the_next_step(api: Api, github: GitHub, status: int, hint: str) -> None:
    github.faults = [Reply(status, {"message": f"no: {TOKEN}\u202e\x1b[31m"})]
    with pytest.raises(OutsideFailed) as caught:
        opened(api)
    assert str(status) in str(caught.value)
    assert hint in caught.value.hint
    assert caught.value.exit_code == 3
    assert TOKEN not in str(caught.value) + caught.value.hint + repr(api)
    assert str(caught.value).isprintable()
    assert len(github.requests) == 1


def test_validation_errors_are_shown(api: Api, github: GitHub) -> None:
    github.has_branch = lambda branch: False
    with pytest.raises(OutsideFailed, match=r"422.*Validation Failed"):
        opened(api)


def test_where_drafts_are_not_supported_it_is_opened_as_ready(api: Api, github: GitHub) -> None:
    github.drafts = False
    assert opened(api).created
    assert github.pulls[0]["draft"] is False


def test_the_token_does_not_follow_a_redirect_to_another_host(api: Api, github: GitHub) -> None:
    other = GitHub(REPO, TOKEN)
    with serving(rest_handler(other)) as address:
        github.faults = [Reply(307, None, {"location": f"{address}/repos/{REPO}/pulls"})]
        with pytest.raises(OutsideFailed, match="moved"):
            opened(api)
    assert other.requests == []


def test_a_redirect_on_the_same_host_is_followed(api: Api, github: GitHub) -> None:
    github.faults = [Reply(301, None, {"location": f"{api.url}/repos/{REPO}/pulls?state=open"})]
    assert find_pull(api, "bot/x") is None
    assert len(github.requests) == 2


def test_redirects_end(api: Api, github: GitHub) -> None:
    github.faults = [Reply(301, None, {"location": f"{api.url}/repos/{REPO}/pulls"})] * 20
    with pytest.raises(OutsideFailed, match="don't end"):
        find_pull(api, "bot/x")


def test_a_huge_answer_is_refused(api: Api, github: GitHub) -> None:
    github.faults = [Reply(200, "x" * (9 * 1024 * 1024))]
    with pytest.raises(OutsideFailed, match="larger than"):
        find_pull(api, "bot/x")


@pytest.mark.parametrize("document", [None, "", {}, {"number": "1"}, {"number": None}])
def test_an_answer_of_another_shape_is_no_success(api: Api, github: GitHub, document: object) -> None:
    github.faults = [Reply(200, []), Reply(201, document)]
    with pytest.raises(OutsideFailed):
        opened(api)


def test_a_server_that_is_not_there_is_exit_3(waits: list[float]) -> None:
    with serving(rest_handler(GitHub(REPO, TOKEN))) as address:
        pass
    with pytest.raises(OutsideFailed, match="can't be reached"):
        call(Api(address, REPO, TOKEN, waits.append), "GET", "/x")


@pytest.mark.parametrize(
    "environ",
    [
        {},
        {"GITHUB_TOKEN": " "},
        {"GITHUB_TOKEN": "a\nb"},
        {"GITHUB_TOKEN": TOKEN, "GITHUB_API_URL": "http://github.example.org"},
        {"GITHUB_TOKEN": TOKEN, "GITHUB_API_URL": "file:///etc"},
        {"GITHUB_TOKEN": TOKEN, "GITHUB_API_URL": "https://user@github.example.org"},
    ],
)
def test_without_a_token_or_a_safe_address_nothing_is_sent(environ: dict[str, str]) -> None:
    with pytest.raises(CannotJudge):
        api_from(environ, REPO)


@settings(deadline=None)
@given(st.text(max_size=30))
def test_only_owner_and_name_make_a_path(repo: str) -> None:
    try:
        api = api_from({"GITHUB_TOKEN": TOKEN}, repo)
    except CannotJudge:
        return
    assert api.repo.count("/") == 1
    assert not {"..", "."} & set(api.repo.split("/"))
    assert not set(api.repo) & set("?#%\\ \n")
