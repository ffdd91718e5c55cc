"""The clients against a real gateway in sandbox mode: answers match the declared types."""

from datetime import date
from typing import Any

import pytest
from conftest import Ask, Every
from trivium_client import (
    ApiError,
    ArgumentError,
    InsufficientCreditsError,
    InvalidRequestError,
    NotFoundError,
    RequestWarning,
    UnauthorizedError,
    WarningContext,
)

RECORDING = "https://recordings.example/interview.wav"


def test_a_search_returns_pages_and_their_cost(ask: Ask) -> None:
    found = ask(lambda client: client.search("solar energy storage", max_results=3))
    assert found.id.startswith("srch_")
    assert 0 < len(found.results) <= 3
    assert found.usage.cost_usd > 0
    assert found.meta.request_id
    assert found.meta.replayed is False


def test_every_parameter_of_a_search_reaches_the_gateway(ask: Ask) -> None:
    found = ask(
        lambda client: client.search(
            "solar",
            provider="fusion",
            max_results=2,
            mode="fast",
            include_domains=("gridlines.example",),
            exclude_domains=["other.example"],
            published_after=date(2020, 1, 1),
            published_before="2030-01-01",
            content={"full_text": True, "snippets": {"max_per_result": 1}},
            locale={"country": "de", "language": "de"},
            category="general",
            safe_search="off",
            offset=0,
            strict=False,
            provider_options={"fusion": {"providers": ["engine_a", "engine_b"], "top_k": 5}},
            max_cost_usd=1,
        )
    )
    assert found.provider == "fusion"
    assert all(len(result.snippets) <= 1 for result in found.results)


def test_a_page_found_by_a_search_can_be_extracted(ask: Ask) -> None:
    found = ask(lambda client: client.search("solar energy storage", max_results=1))
    url = found.results[0].url
    got = ask(lambda client: client.extract([url], content={"max_chars": 200}, query="storage"))
    assert [page.url for page in got.results] + [page.url for page in got.failed] == [url]


def test_on_warning_receives_an_adjusted_parameter(ask: Ask) -> None:
    received: list[tuple[RequestWarning, WarningContext]] = []
    answer = ask(
        lambda client: client.search("solar", provider="engine_a", offset=5),
        on_warning=lambda warning, context: received.append((warning, context)),
    )
    assert [warning.param for warning, _ in received] == ["offset"]
    assert received[0][1] == WarningContext("search", answer.id, "engine_a")


def test_a_recording_is_transcribed_and_each_state_is_reported(ask: Ask) -> None:
    accepted = ask(
        lambda client: client.transcribe(RECORDING, provider="stt_b", diarize=True)
    )
    assert accepted.status == "queued"
    seen: list[str] = []
    job = ask(
        lambda client: client.jobs.wait(
            accepted.id, on_progress=lambda job: seen.append(job.status), poll=0.05
        )
    )
    assert job.result.text
    assert job.result.words[0].speaker_id == "speaker_0"
    assert seen[-1] == "completed"
    assert job.meta.request_id
    assert ask(lambda client: client.jobs.get(accepted.id)).result == job.result
    document = ask(lambda client: client.jobs.raw(accepted.id))
    assert document["metadata"]["duration"] == job.result.duration_seconds


def test_a_call_repeated_under_its_key_is_marked_and_charged_once(ask: Ask, kind: str) -> None:
    def once() -> Any:
        return ask(lambda client: client.search("wind", idempotency_key=f"python-{kind}"))

    before = ask(lambda client: client.balance()).balance_usd
    first, again = once(), once()
    assert (first.meta.replayed, again.meta.replayed) == (False, True)
    assert again.model_dump() == first.model_dump()
    after = ask(lambda client: client.balance()).balance_usd
    assert after == pytest.approx(before - first.usage.cost_usd)


def test_a_key_used_for_another_body_is_refused_at_once(ask: Ask, kind: str) -> None:
    ask(lambda client: client.search("tide", idempotency_key=f"other-{kind}"))
    with pytest.raises(InvalidRequestError) as refused:
        ask(lambda client: client.search("ebb", idempotency_key=f"other-{kind}"))
    assert refused.value.status == 409


def test_the_providers_of_the_gateway_are_listed(ask: Ask) -> None:
    listed = ask(lambda client: client.providers()).providers
    assert {"engine_a", "stt_a"} <= {one.id for one in listed}
    by_id = {one.id: one for one in listed}
    assert by_id["engine_a"].tools.search.capabilities["query"].support == "native"


def test_a_refusal_is_raised_with_the_fields_of_the_envelope(ask: Ask) -> None:
    with pytest.raises(InvalidRequestError) as refused:
        ask(lambda client: client.search("", max_results=1000))
    error = refused.value
    assert (error.type, error.status) == ("invalid_request", 400)
    assert sorted(issue.path for issue in error.issues) == ["max_results", "query"]
    assert error.request_id and error.request_id in str(error)


def test_each_error_type_has_its_own_class(ask: Ask) -> None:
    with pytest.raises(UnauthorizedError):
        ask(lambda client: client.balance(), api_key="sk_live_" + "x" * 43)
    with pytest.raises(NotFoundError):
        ask(lambda client: client.jobs.get("job_00000000-0000-7000-8000-000000000000"))
    with pytest.raises(InsufficientCreditsError):
        ask(lambda client: client.search("solar", max_cost_usd=0.0000019))


def test_an_operator_creates_an_account_tops_it_up_and_revokes_its_key(ask_admin: Ask) -> None:
    account = ask_admin(lambda admin: admin.accounts.create("Research"))
    moved = ask_admin(
        lambda admin: admin.accounts.top_up(account.id, amount_usd=5, reason="opening balance")
    )
    assert (moved.kind, moved.amount_usd) == ("topup", 5)
    ask_admin(lambda admin: admin.accounts.adjust(account.id, amount_usd=-1, reason="a fee"))
    assert ask_admin(lambda admin: admin.accounts.get(account.id)).balance_usd == 4
    key = ask_admin(lambda admin: admin.keys.create(account.id, name="laptop", daily_cap_usd=2))
    assert key.key.startswith("sk_test_")
    changed = ask_admin(lambda admin: admin.keys.update(key.id, daily_cap_usd=None, name="desk"))
    assert (changed.name, changed.daily_cap_usd) == ("desk", None)
    assert ask_admin(lambda admin: admin.keys.revoke(key.id)).revoked_at is not None
    assert [one.id for one in ask_admin(lambda admin: admin.keys.list(account.id)).keys] == [key.id]


def test_an_operator_sets_policies_and_reads_the_audit_log(ask_admin: Ask) -> None:
    account = ask_admin(lambda admin: admin.accounts.create("Careful", tools=["search"]))
    assert (account.tools, account.blocked_domains) == (["search"], None)
    changed = ask_admin(
        lambda admin: admin.accounts.update(
            account.id, tools=None, blocked_domains=["Casino.example"], max_cost_usd=0.5
        )
    )
    assert (changed.tools, changed.blocked_domains) == (None, ["casino.example"])
    key = ask_admin(
        lambda admin: admin.keys.create(account.id, name="agent", requests_at_once=2)
    )
    assert (key.requests_at_once, key.providers) == (2, None)
    with pytest.raises(ArgumentError):
        ask_admin(lambda admin: admin.accounts.update(account.id, colour="red"))
    entries = ask_admin(lambda admin: Every(admin.audit.list(account_id=account.id, limit=1)))
    assert [entry.action for entry in entries] == [
        "key.created",
        "account.changed",
        "account.created",
    ]
    assert entries[1].after is not None
    assert entries[1].after["blocked_domains"] == ["casino.example"]


def test_lists_are_read_page_by_page(ask: Ask, ask_admin: Ask, kind: str) -> None:
    made = [ask_admin(lambda admin: admin.accounts.create(kind)).id for _ in range(3)]
    one_page = ask_admin(lambda admin: admin.accounts.list(limit=2))
    assert len(one_page.accounts) == 2 and one_page.next_cursor
    accounts = ask_admin(lambda admin: Every(admin.accounts.list(limit=2)))
    ids = [account.id for account in accounts]
    assert set(made) <= set(ids) and len(ids) == len(set(ids))
    account_id = made[0]
    ask_admin(lambda admin: admin.accounts.top_up(account_id, amount_usd=1, reason="test"))
    key = ask_admin(lambda admin: admin.keys.create(account_id, name="paging")).key
    for _ in range(3):
        ask(lambda client: client.search("solar"), api_key=key)
    own: Any = {"account_id": account_id, "limit": 1}
    lines = ask_admin(lambda admin: Every(admin.requests.list(tool="search", **own)))
    assert [line.tool for line in lines] == ["search"] * 3
    spent = ask_admin(lambda admin: Every(admin.transfers.list(kind="settle", **own)))
    assert len(spent) == 3
    accepted = ask(lambda client: client.transcribe(RECORDING), api_key=key)
    jobs = ask_admin(lambda admin: Every(admin.jobs.list(**own)))
    assert [job.id for job in jobs] == [accepted.id]
    assert ask_admin(lambda admin: admin.usage(by="tool", from_=date(2020, 1, 1))).by == "tool"


def test_tags_are_in_the_log_and_in_usage(ask: Ask, ask_admin: Ask, kind: str) -> None:
    found = ask(
        lambda client: client.search("solar", tags={"run": 42}), tags={"team": kind, "run": 1}
    )
    line = ask_admin(lambda admin: admin.requests.list(id=found.id)).requests[0]
    assert line.tags == {"team": kind, "run": "42"}
    assert (line.asked, line.attempts[0].outcome) == ("solar", "answered")
    used = ask(lambda client: client.usage(by="tag:team", from_=date(2020, 1, 1)))
    assert [one.requests for one in used.usage if one.group == kind] == [1]
    assert used.total.requests >= 1


def test_the_jobs_of_a_key_are_listed_page_by_page(ask: Ask) -> None:
    made = [ask(lambda client: client.transcribe(RECORDING)).id for _ in range(2)]
    one_page = ask(lambda client: client.jobs.list(limit=1))
    assert len(one_page.jobs) == 1 and one_page.next_cursor
    assert set(made) <= {job.id for job in ask(lambda client: Every(client.jobs.list(limit=1)))}


def test_a_page_of_several_is_not_mistaken_for_the_whole_list(ask_admin: Ask, kind: str) -> None:
    for _ in range(2):
        ask_admin(lambda admin: admin.accounts.create("Several"))
    page = ask_admin(lambda admin: admin.accounts.list(limit=1))
    assert len(page.accounts) == 1
    if kind == "sync":
        # Its client is closed: the first page is there, the next one cannot be read.
        with pytest.raises(RuntimeError):
            list(page)
    else:
        with pytest.raises(TypeError, match="async for"):
            list(page)
    assert len(list(ask_admin(lambda admin: admin.accounts.list(limit=500)))) >= 2


def test_a_vendor_may_be_named_instead_of_an_id(ask: Ask, ask_admin: Ask) -> None:
    found = ask(
        lambda client: client.search(
            "solar",
            provider="Tavily",
            provider_options={"tavily": {"auto_parameters": False}},
        )
    )
    assert found.provider == "engine_c"
    panel: Any = {"fusion": {"providers": ["exa", "engine_b"]}}
    fused = ask(lambda client: client.search("solar", provider="fusion", provider_options=panel))
    assert fused.provider == "fusion"
    made = ask_admin(lambda admin: admin.accounts.create("Named", providers=["You.com", "exa"]))
    assert made.providers == ["engine_j", "engine_a"]
    with pytest.raises(ArgumentError, match="engine_a is given twice"):
        ask(lambda client: client.search("x", provider_options={"exa": {}, "engine_a": {}}))


def test_a_provider_that_the_client_does_not_know_is_left_to_the_gateway(ask: Ask) -> None:
    with pytest.raises(InvalidRequestError) as refused:
        ask(lambda client: client.search("solar", provider="tavly"))
    [issue] = refused.value.issues
    assert issue.path == "provider"
    assert issue.message.endswith("Did you mean Tavily (engine_c)?")
    with pytest.raises(InvalidRequestError):
        ask(lambda client: client.search("solar", provider_options={"engine_z": {"a": 1}}))


def test_an_estimate_says_what_a_request_may_cost(ask: Ask) -> None:
    estimate = ask(
        lambda client: client.estimate("search", {"query": "solar", "provider": "tavily"})
    )
    assert (estimate.provider, estimate.calls) == ("engine_c", ["engine_c"])
    assert 0 < estimate.max_cost_usd <= estimate.balance_usd
    for tool, request in [("serch", {"query": "x"}), ("search", None), ("search", {"qery": "x"})]:
        with pytest.raises(ArgumentError):
            ask(lambda client: client.estimate(tool, request))


def test_feedback_names_results_of_a_search(ask: Ask) -> None:
    found = ask(lambda client: client.search("solar"))
    first, second = found.results[0], found.results[1]
    known = ask(lambda client: client.feedback(found.id, cited=[first.id], rejected=[second.url]))
    assert (known.cited, known.rejected, known.unknown) == (1, 1, [])
    mistakes: list[dict[str, Any]] = [{}, {"cited": []}, {"cited": "res_1"}, {"opened": [1]}]
    for wrong in mistakes:
        with pytest.raises(ArgumentError):
            ask(lambda client: client.feedback(found.id, **wrong))


def test_fields_and_headers_of_a_newer_gateway_can_be_sent(ask: Ask) -> None:
    with pytest.raises(InvalidRequestError) as refused:
        ask(lambda client: client.search("solar", extra_body={"hue": "blue", "max_results": 1}))
    assert [issue.path for issue in refused.value.issues] == ["hue"]
    found = ask(lambda client: client.search("solar", extra_headers={"X-Max-Cost-USD": "1"}))
    assert found.id
    with pytest.raises(InsufficientCreditsError):
        ask(lambda client: client.search("sun", extra_headers={"X-Max-Cost-USD": "0.000001"}))
    for wrong in ({"a b": "c"}, {"a": "b\n"}, {"a": 1}, ["a"]):
        with pytest.raises(ArgumentError, match="extra_headers"):
            ask(lambda client: client.search("solar", extra_headers=wrong))
    with pytest.raises(ArgumentError, match="extra_body"):
        ask(lambda client: client.search("solar", extra_body=["a"]))


def test_an_operator_without_the_token_is_refused(ask_admin: Ask) -> None:
    with pytest.raises(ApiError) as refused:
        ask_admin(lambda admin: admin.accounts.list(), admin_token="wrong-token")
    assert refused.value.status == 401
