"""Invalid arguments are refused before a request is sent."""

import copy
import pickle
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

import httpx
import pytest
from conftest import Ask
from hostile import FOUND, JOB_ID, HostileServer, job, reply
from trivium_client import (
    ApiError,
    ArgumentError,
    AsyncTrivium,
    GatewayConnectionError,
    Job,
    JobError,
    JobFailedError,
    RateLimitedError,
    TimedOutError,
    Trivium,
    TriviumAdmin,
    TriviumError,
    WaitInterrupted,
)
from trivium_client._call import cost_text

CLIENTS = [Trivium, AsyncTrivium]


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize(
    "url",
    [
        "",
        " ",
        "gateway.example",
        "gateway.example:8787",
        "ftp://gateway.example",
        "http://",
        "http:///v1",
        "http://gateway.example:99999",
        "http://gateway.example:port",
        "http://user:password@gateway.example",
        "http://gateway.example?key=1",
        "http://gateway.example#top",
        "http://gate way.example",
        "http://[::1",
        "http://gate\\way.example",
        "http://gateway.example:0",
        "http://gateway.example\n",
        7,
    ],
)
def test_a_bad_url_is_refused_at_once(client: Any, url: Any) -> None:
    with pytest.raises(ArgumentError, match="url") as refused:
        client(url=url, api_key="sk_live_x")
    assert "password@" not in str(refused.value)


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("key", ["", " ", "sk_live_x\n", "sk live", "sk_live_ü", 7])
def test_a_bad_key_is_refused_at_once(client: Any, key: Any) -> None:
    with pytest.raises(ArgumentError, match="api_key") as refused:
        client(api_key=key)
    assert "sk" not in str(refused.value)


@pytest.mark.parametrize("client", CLIENTS)
def test_the_environment_supplies_missing_options(
    client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRIVIUM_URL", "https://gateway.example/base/")
    assert repr(client()).endswith("(url='https://gateway.example/base')")
    monkeypatch.setenv("TRIVIUM_URL", "")
    assert "http://127.0.0.1:8787" in repr(client())
    monkeypatch.delenv("TRIVIUM_API_KEY")
    with pytest.raises(ArgumentError, match="set TRIVIUM_API_KEY"):
        client()
    monkeypatch.delenv("TRIVIUM_ADMIN_TOKEN")
    with pytest.raises(ArgumentError, match="set TRIVIUM_ADMIN_TOKEN"):
        TriviumAdmin()


@pytest.mark.parametrize("value", [0, -1, float("nan"), float("inf"), 1e308, True, "5"])
def test_a_time_limit_is_a_number_of_seconds(ask: Ask, value: Any) -> None:
    with pytest.raises(ArgumentError, match="timeout"):
        Trivium(timeout=value)
    with pytest.raises(ArgumentError, match="timeout"):
        ask(lambda client: client.balance(timeout=value))
    with pytest.raises(ArgumentError, match="poll"):
        ask(lambda client: client.jobs.wait(JOB_ID, poll=value))


@pytest.mark.parametrize("value", [-1, 1.5, True, "2", 101])
def test_max_retries_is_a_bounded_integer(value: Any) -> None:
    with pytest.raises(ArgumentError, match="max_retries"):
        Trivium(max_retries=value)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({"qery": 1}, "qery: there is no such argument"),
        ({"__proto__": {}}, "__proto__"),
        ({"constructor": 1}, "constructor"),
        ({"content": {"ful_text": True}}, "content.ful_text: there is no such argument"),
        ({"content": {"snippets": {"max": 1}}}, "content.snippets.max"),
        ({"provider_options": {"engine_a": 7}}, "provider_options.engine_a"),
        ({"provider": 7}, "provider"),
        ({"max_results": "3"}, "max_results"),
        ({"max_results": True}, "max_results"),
        ({"max_results": 2.0}, "max_results"),
        ({"include_domains": "example.com"}, "include_domains"),
        ({"strict": 1}, "strict"),
        ({"provider_options": {"engine_a": {"x": float("nan")}}}, "JSON"),
        ({"provider_options": {"engine_a": {"x": object()}}}, "JSON"),
        ({"idempotency_key": ""}, "idempotency_key"),
        ({"idempotency_key": "x" * 256}, "idempotency_key"),
        ({"idempotency_key": "a\r\nb: c"}, "idempotency_key"),
        ({"max_cost_usd": -1}, "max_cost_usd"),
        ({"max_cost_usd": 1e308}, "max_cost_usd"),
        ({"max_cost_usd": float("nan")}, "max_cost_usd"),
        ({"max_cost_usd": True}, "max_cost_usd"),
        ({"max_cost_usd": "1"}, "max_cost_usd"),
        ({"tags": {"a": "b,c=d"}}, "tags"),
        ({"tags": {"a=b": "c"}}, "tags"),
        ({"tags": {"a": "b\r\nc: d"}}, "tags"),
        ({"tags": {"a": ""}}, "tags"),
        ({"tags": {"a": None}}, "tags"),
        ({"tags": {"a": True}}, "tags"),
        ({"tags": {"a": "x" * 65}}, "tags"),
        ({"tags": {f"t{at}": 1 for at in range(11)}}, "tags"),
        ({"tags": [("a", "b")]}, "tags"),
        ({"tags": "a=b"}, "tags"),
    ],
)
def test_an_invalid_argument_is_named_and_not_sent(
    ask: Ask, arguments: dict[str, Any], named: str
) -> None:
    with HostileServer([reply(200, FOUND)]) as server:
        with pytest.raises(ArgumentError) as refused:
            ask(lambda client: client.search("solar", **arguments), url=server.url)
    assert named in str(refused.value)
    assert server.asked == []
    assert isinstance(refused.value, TriviumError) and isinstance(refused.value, ValueError)


def test_many_faults_give_a_short_message(ask: Ask) -> None:
    many = {f"argument_{number}" * 50: number for number in range(10_000)}
    with pytest.raises(ArgumentError) as refused:
        ask(lambda client: client.search("solar", **many))
    assert len(str(refused.value)) < 2000
    assert "9995 more" in str(refused.value)


def test_one_url_is_not_a_list_of_urls(ask: Ask) -> None:
    with pytest.raises(ArgumentError, match="urls"):
        ask(lambda client: client.extract("https://example.com"))


def test_none_means_not_given(ask: Ask) -> None:
    with HostileServer([reply(200, FOUND)]) as server:
        ask(lambda client: client.search("solar", freshness=None, locale=None), url=server.url)
    assert server.asked[0].body == b'{"query":"solar"}'


def test_provider_options_are_sent_unchanged(ask: Ask) -> None:
    options = {"engine_a": {"type": None, "deep": {"list": [1, "ü", None]}}}
    with HostileServer([reply(200, FOUND)]) as server:
        ask(
            lambda client: client.search(
                "solar",
                provider_options=options,
                published_after=datetime(2026, 1, 2, 3, tzinfo=timezone.utc),
                max_cost_usd=Decimal("10.00001"),
            ),
            url=server.url,
        )
    body = server.asked[0].body
    assert b'"engine_a":{"type":null,"deep":{"list":[1,"\\u00fc",null]}}' in body
    assert b'"published_after":"2026-01-02"' in body
    assert server.asked[0].headers["x-max-cost-usd"] == "10.000010"


@pytest.mark.parametrize(
    ("amount", "text"),
    [
        (0, "0.000000"),
        (0.05, "0.050000"),
        (1e-7, "0.000000"),
        (0.0000019, "0.000001"),
        (999_999_999.9, "999999999.900000"),
    ],
)
def test_a_cost_limit_is_never_rounded_up(amount: float, text: str) -> None:
    assert cost_text(amount) == text


@pytest.mark.parametrize("job_id", ["", "..", "job_1", f"{JOB_ID}/../x", f"{JOB_ID}\n", 7, None])
def test_an_invalid_job_id_is_not_requested(ask: Ask, job_id: Any) -> None:
    for work in (lambda c: c.jobs.get(job_id), lambda c: c.jobs.wait(job_id)):
        with pytest.raises(ArgumentError, match="job_id"):
            ask(work)


@pytest.mark.parametrize("account_id", ["", ".", "..", "\ud800", 7])
def test_an_invalid_id_is_not_requested(ask_admin: Ask, account_id: Any) -> None:
    with pytest.raises(ArgumentError, match="account_id"):
        ask_admin(lambda admin: admin.accounts.get(account_id))


def test_an_id_never_leads_to_another_path(ask_admin: Ask) -> None:
    with HostileServer([reply(404, b"")]) as server, pytest.raises(ApiError):
        ask_admin(lambda admin: admin.accounts.get("../keys?x=1#y"), url=server.url)
    assert server.asked[0].path == "/admin/v1/accounts/..%2Fkeys%3Fx%3D1%23y"


def test_a_list_begins_and_ends_at_the_time_of_day_that_was_given(ask_admin: Ask) -> None:
    noon = datetime(2026, 1, 2, 12, 30, tzinfo=timezone(timedelta(hours=2)))
    with HostileServer([reply(200, {"requests": [], "next_cursor": None})]) as server:
        ask_admin(lambda admin: admin.requests.list(from_=noon, to=date(2026, 1, 3)), url=server.url)
    wanted = "/admin/v1/requests?from=2026-01-02T12%3A30%3A00%2B02%3A00&to=2026-01-03"
    assert server.asked[0].path == wanted
    with pytest.raises(ArgumentError, match="from: a date-time must have a time zone"):
        ask_admin(lambda admin: admin.requests.list(from_=datetime(2026, 1, 2, 12)))


def test_an_unknown_filter_or_setting_is_refused(ask_admin: Ask) -> None:
    with pytest.raises(ArgumentError, match="acount_id: there is no such filter"):
        ask_admin(lambda admin: admin.requests.list(acount_id="x"))
    with pytest.raises(ArgumentError, match="cap: there is no such argument"):
        ask_admin(lambda admin: admin.keys.create("acct_1", name="x", cap=1))
    with pytest.raises(ArgumentError, match="time zone"):
        ask_admin(lambda admin: admin.keys.create("acct_1", name="x", expires_at=datetime(2030, 1, 1)))


def test_a_custom_http_client_stays_open_and_its_defaults_are_ignored(
    ask: Ask, kind: str
) -> None:
    ways: dict[str, Any] = {"follow_redirects": True, "auth": ("user", "password")}
    http_client = httpx.Client(**ways) if kind == "sync" else httpx.AsyncClient(**ways)
    with HostileServer([reply(200, FOUND)]) as elsewhere:
        away = reply(307, b"", ("location", elsewhere.url))
        with HostileServer([away]) as server, pytest.raises(ApiError):
            ask(lambda client: client.search("solar"), url=server.url, http_client=http_client)
    assert not http_client.is_closed
    assert elsewhere.asked == []
    assert server.asked[0].headers["authorization"] == "Bearer sk_live_of_the_tests"


def lost() -> GatewayConnectionError:
    error = GatewayConnectionError("Lost.", idempotency_key="key")
    error.failure = "dns"
    return error


@pytest.mark.parametrize(
    "error",
    [
        RateLimitedError("No.", error_type="rate_limited", status=429, detail={}, retry_after=1.5),
        lost(),
        TimedOutError("Late.", idempotency_key="key", job_id=JOB_ID),
        JobFailedError(
            Job.model_validate(job("failed")), JobError(type="result_lost", message="Gone.")
        ),
        WaitInterrupted(JOB_ID),
    ],
)
def test_errors_can_be_pickled(error: BaseException) -> None:
    for twin in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert type(twin) is type(error)
        assert vars(twin) == vars(error)
        assert str(twin) == str(error)
