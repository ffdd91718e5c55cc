"""The clients against a server with invalid, slow, incomplete and redirected responses."""

import gzip
import socket
import time
from os import environ
from typing import Any

import pytest
from conftest import Ask, Every
from hostile import FOUND, JOB_ID, Answer, HostileServer, job, refusal, reply
from trivium_client import (
    ApiError,
    GatewayConnectionError,
    InternalError,
    InvalidRequestError,
    JobFailedError,
    ProviderUnavailableError,
    RateLimitedError,
    TimedOutError,
    WaitInterrupted,
    _attempts,
)


BOMB = gzip.compress(b" " * 50_000_000, compresslevel=1)


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_attempts, "FIRST_BACKOFF", 0.01)


def search(client: Any) -> Any:
    return client.search("solar")


def hang_up(connection: socket.socket) -> None:
    connection.close()


def keys_of(server: HostileServer) -> list[str]:
    return [asked.headers["idempotency-key"] for asked in server.asked]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>Hello</html>",
        b"{",
        b"[]",
        b"null",
        b'{"error": {}}',
        b'{"results": "none"}',
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"id": 1e999}',
    ],
)
def test_an_unreadable_success_is_an_api_error(ask: Ask, body: bytes) -> None:
    with HostileServer([reply(200, body, ("x-request-id", "req_9"))]) as server:
        with pytest.raises(ApiError) as refused:
            ask(search, url=server.url)
    assert (refused.value.type, refused.value.status) == ("unknown", 200)
    assert refused.value.request_id == "req_9"
    assert len(str(refused.value)) < 600
    assert len(server.asked) == 1


@pytest.mark.parametrize("body", [b"{", b"<html>", b'{"error": "no"}', b'{"error": {"type": 1}}'])
def test_an_error_without_an_envelope_is_an_api_error(ask: Ask, body: bytes) -> None:
    with HostileServer([reply(500, body)]) as server, pytest.raises(ApiError) as refused:
        ask(search, url=server.url)
    assert (refused.value.type, refused.value.status) == ("unknown", 500)


def test_unknown_fields_and_values_are_kept(ask: Ask) -> None:
    newer = {**FOUND, "provider": "engine_z", "constructor": {"__proto__": 1}, "model_dump": 2}
    with HostileServer([reply(200, newer)]) as server:
        found = ask(search, url=server.url)
    assert found.provider == "engine_z"
    assert found.model_extra["constructor"] == {"__proto__": 1}
    with HostileServer([reply(418, {"error": {"type": "teapot", "message": "No."}})]) as server:
        with pytest.raises(ApiError) as refused:
            ask(search, url=server.url)
    assert (refused.value.type, refused.value.issues) == ("teapot", [])


def test_a_429_is_retried_after_retry_after_under_the_same_key(ask: Ask) -> None:
    busy = refusal(429, "rate_limited", ("retry-after", "0"))
    with HostileServer([busy, reply(200, FOUND)]) as server:
        assert ask(search, url=server.url).id == FOUND["id"]
    first, second = keys_of(server)
    assert first == second != ""


def test_a_long_retry_after_is_not_retried(ask: Ask) -> None:
    busy = refusal(429, "rate_limited", ("retry-after", "3600"))
    with HostileServer([busy]) as server, pytest.raises(RateLimitedError) as refused:
        ask(search, url=server.url)
    assert (refused.value.retry_after, refused.value.request_id) == (3600, "req_1")
    assert refused.value.idempotency_key == keys_of(server)[0]
    assert len(server.asked) == 1


def test_retries_are_limited(ask: Ask) -> None:
    busy = refusal(429, "rate_limited", ("retry-after", "0"))
    with HostileServer([busy]) as server, pytest.raises(RateLimitedError):
        ask(search, url=server.url, max_retries=3)
    assert len(server.asked) == 4


@pytest.mark.parametrize(
    ("status", "type_", "headers", "error", "asked"),
    [
        (503, "provider_not_available", [("retry-after", "0")], ProviderUnavailableError, 3),
        (503, "provider_not_configured", [], ProviderUnavailableError, 1),
        (500, "internal_error", [("retry-after", "0")], InternalError, 1),
        (409, "invalid_request", [], InvalidRequestError, 1),
        (400, "invalid_request", [("retry-after", "0")], InvalidRequestError, 1),
    ],
)
def test_only_retryable_responses_are_retried(
    ask: Ask,
    status: int,
    type_: str,
    headers: list[tuple[str, str]],
    error: type[ApiError],
    asked: int,
) -> None:
    with HostileServer([refusal(status, type_, *headers)]) as server, pytest.raises(error):
        ask(search, url=server.url)
    assert len(server.asked) == asked


def test_the_client_waits_for_a_first_request_that_still_runs(ask: Ask) -> None:
    running = refusal(409, "invalid_request", ("retry-after", "0"))
    with HostileServer([*[running] * 6, reply(200, FOUND)]) as server:
        assert ask(search, url=server.url, max_retries=0).id == FOUND["id"]
    assert len(set(keys_of(server))) == 1


def test_a_failing_proxy_is_retried(ask: Ask) -> None:
    with HostileServer([reply(502, b"<html>Bad gateway</html>"), reply(200, FOUND)]) as server:
        assert ask(search, url=server.url).id == FOUND["id"]


def test_a_broken_connection_is_retried_under_the_same_key(ask: Ask) -> None:
    half = reply(200, FOUND)[:-20]
    with HostileServer([hang_up, half, reply(200, FOUND)]) as server:
        assert ask(search, url=server.url).id == FOUND["id"]
    assert len(server.asked) == 3 and len(set(keys_of(server))) == 1


def test_a_connection_error_carries_the_idempotency_key(ask: Ask) -> None:
    with HostileServer([hang_up]) as server, pytest.raises(GatewayConnectionError) as lost:
        ask(search, url=server.url)
    assert keys_of(server) == [lost.value.idempotency_key] * 3


def test_a_post_without_a_key_is_never_retried(ask: Ask) -> None:
    for answer in (hang_up, refusal(429, "rate_limited", ("retry-after", "0"))):
        with HostileServer([answer]) as server, pytest.raises((GatewayConnectionError, RateLimitedError)):
            ask(lambda client: client.uploads.create(b"RIFF"), url=server.url)
        assert len(server.asked) == 1
        assert "idempotency-key" not in server.asked[0].headers


@pytest.mark.parametrize(
    "change",
    [
        lambda admin: admin.accounts.top_up("acct_1", amount_usd=1, reason="test"),
        lambda admin: admin.accounts.create("Research"),
        lambda admin: admin.keys.create("acct_1", name="laptop"),
        lambda admin: admin.keys.rotate("key_1"),
        lambda admin: admin.webhooks.create(url="https://a.example", events=["job.failed"]),
        lambda admin: admin.webhooks.rotate("we_1"),
        lambda admin: admin.webhooks.rotate_secret("acct_1"),
    ],
)
def test_a_change_by_an_operator_is_retried_under_its_key(ask_admin: Ask, change: Any) -> None:
    with HostileServer([hang_up]) as server, pytest.raises(GatewayConnectionError):
        ask_admin(change, url=server.url)
    assert len(server.asked) == 3 and len(set(keys_of(server))) == 1


def test_a_refused_connection_is_a_connection_error(ask: Ask) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    with pytest.raises(GatewayConnectionError, match="cannot be reached") as lost:
        ask(search, url=url)
    assert "sk_live_of_the_tests" not in str(lost.value)


def test_a_connection_error_says_what_kind_of_failure_it_was(ask: Ask) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        refused = f"http://127.0.0.1:{listener.getsockname()[1]}"
    noise = b"SSH-2.0-OpenSSH_9.2\r\n\r\n"
    with HostileServer([hang_up]) as closing, HostileServer([noise]) as other:
        places = {
            "refused": refused,
            "dns": "http://no-such-host.invalid",
            # The gateway of the tests does not speak TLS.
            "tls": environ["TRIVIUM_URL"].replace("http:", "https:"),
            "closed": closing.url,
            "not_http": other.url,
        }
        for failure, url in places.items():
            with pytest.raises(GatewayConnectionError) as lost:
                ask(search, url=url, max_retries=0)
            assert lost.value.failure == failure


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_does_not_leak_the_key(ask: Ask, status: int) -> None:
    with HostileServer([reply(200, FOUND)]) as elsewhere:
        away = reply(status, b"", ("location", f"{elsewhere.url}/v1/search?secret=1"))
        with HostileServer([away]) as server, pytest.raises(ApiError) as refused:
            ask(search, url=server.url)
    assert elsewhere.asked == []
    assert refused.value.status == status
    assert "redirects to http://127.0.0.1" in str(refused.value)
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("location", ["", "/v1/other", "http://[", "//x"])
def test_an_invalid_redirect_is_an_api_error(ask: Ask, location: str) -> None:
    with HostileServer([reply(302, b"", ("location", location))]) as server:
        with pytest.raises(ApiError):
            ask(search, url=server.url)
    assert len(server.asked) == 1


def test_an_endless_body_is_refused(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_attempts, "MOST_ANSWER_BYTES", 1_000_000)

    def pour(connection: socket.socket) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n")
        while True:
            connection.sendall(b" " * 65536)

    with HostileServer([pour]) as server, pytest.raises(ApiError, match="more than 1000000 bytes"):
        ask(search, url=server.url)
    assert len(server.asked) == 1


def test_the_limit_counts_decompressed_bytes(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_attempts, "MOST_ANSWER_BYTES", 1_000_000)
    with HostileServer([reply(200, BOMB, ("content-encoding", "gzip"))]) as server:
        with pytest.raises(ApiError, match="more than 1000000 bytes"):
            ask(search, url=server.url)
    twice = reply(200, gzip.compress(BOMB), ("content-encoding", "gzip, gzip"))
    with HostileServer([twice]) as server, pytest.raises(ApiError, match="encoding"):
        ask(search, url=server.url)


def test_a_wrong_content_encoding_is_a_broken_connection(ask: Ask) -> None:
    with HostileServer([reply(200, b"no", ("content-encoding", "gzip"))]) as server:
        with pytest.raises(GatewayConnectionError):
            ask(search, url=server.url)


def time_out(ask: Ask, answer: Answer) -> tuple[TimedOutError, HostileServer]:
    """A search that times out, with enough time to reach the server also on a slow machine."""
    timeout = 0.3
    while True:
        with HostileServer([answer]) as server, pytest.raises(TimedOutError) as late:
            ask(search, url=server.url, timeout=timeout)
        if server.asked:
            return late.value, server
        timeout *= 2


def test_a_slow_body_times_out(ask: Ask) -> None:
    reached_the_end: list[bool] = []

    def drip(connection: socket.socket) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n")
        for _ in range(1500):
            connection.sendall(b" ")
            time.sleep(0.02)
        reached_the_end.append(True)

    late, server = time_out(ask, drip)
    assert reached_the_end == []
    assert [late.idempotency_key] == keys_of(server)


def test_a_silent_server_times_out(ask: Ask) -> None:
    late, server = time_out(ask, lambda connection: time.sleep(60))
    assert [late.idempotency_key] == keys_of(server)


def test_the_key_is_sent_and_never_shown(ask: Ask) -> None:
    shown: list[str] = []

    def show(client: Any) -> Any:
        shown.append(repr(client))
        return search(client)

    with HostileServer([reply(200, FOUND)]) as server:
        ask(show, url=server.url)
    assert server.asked[0].headers["authorization"] == "Bearer sk_live_of_the_tests"
    assert "sk_live" not in shown[0] and server.url in shown[0]


def test_a_wait_survives_failed_reads(ask: Ask) -> None:
    running, completed = reply(200, job("running")), reply(200, job("completed"))
    answers: list[Answer] = [*[hang_up] * 5, running, hang_up, completed]
    seen: list[str] = []
    with HostileServer(answers) as server:
        done = ask(
            lambda client: client.jobs.wait(
                JOB_ID, poll=0.01, on_progress=lambda job: seen.append(job.status)
            ),
            url=server.url,
            max_retries=0,
        )
    assert done.result.text == "Hello there."
    assert seen == ["running", "completed"]


def test_a_wait_gives_up_on_an_unreachable_gateway_and_names_the_job(ask: Ask) -> None:
    with HostileServer([hang_up]) as server, pytest.raises(GatewayConnectionError, match=JOB_ID) as lost:
        ask(lambda client: client.jobs.wait(JOB_ID, poll=0.001), url=server.url, max_retries=0)
    assert lost.value.job_id == JOB_ID


def test_a_wait_that_takes_too_long_names_the_job(ask: Ask) -> None:
    with HostileServer([reply(200, job("running"))]) as server:
        with pytest.raises(TimedOutError, match=JOB_ID) as late:
            ask(lambda client: client.jobs.wait(JOB_ID, poll=0.01, timeout=0.2), url=server.url)
    assert late.value.job_id == JOB_ID


def test_a_failed_job_is_raised_with_its_reason(ask: Ask) -> None:
    with HostileServer([reply(200, job("failed"))]) as server:
        with pytest.raises(JobFailedError, match="The recording is gone") as failed:
            ask(lambda client: client.jobs.wait(JOB_ID), url=server.url)
    assert failed.value.reason.type == "audio_unreachable"
    assert failed.value.reason.model_extra == {"retryable": False}


def test_an_interrupt_inside_a_wait_names_the_job(ask: Ask) -> None:
    def interrupt(job: object) -> None:
        raise KeyboardInterrupt

    with HostileServer([reply(200, job("running"))]) as server:
        with pytest.raises(WaitInterrupted, match=JOB_ID) as stopped:
            ask(lambda client: client.jobs.wait(JOB_ID, on_progress=interrupt), url=server.url)
    assert stopped.value.job_id == JOB_ID


def test_a_list_with_a_repeated_cursor_ends(ask_admin: Ask) -> None:
    with HostileServer([reply(200, {"accounts": [], "next_cursor": "same"})]) as server:
        with pytest.raises(ApiError, match="same cursor"):
            ask_admin(lambda admin: Every(admin.accounts.list()), url=server.url)
    assert [asked.path for asked in server.asked] == [
        "/admin/v1/accounts",
        "/admin/v1/accounts?cursor=same",
    ]


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        (None, None),
        ("", None),
        ("-1", None),
        ("1e308", None),
        ("nan", None),
        ("soon", None),
        ("9" * 400, None),
        ("0", 0),
        (" 7 ", 7),
        ("1.5", 1.5),
        ("Wed, 21 Oct 2015 07:28:00 GMT", 0),
        ("Wed, 99 Oct 2015 07:28:00 GMT", None),
    ],
)
def test_retry_after_is_parsed_or_ignored(value: str | None, seconds: float | None) -> None:
    assert _attempts.read_retry_after(value) == seconds
