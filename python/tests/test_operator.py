"""What an operator sets with the clients: webhooks, budgets and rotated keys."""

from collections.abc import Iterator
from os import environ
from typing import Any

import httpx
import pytest
from conftest import Ask, Every
from hostile import HostileServer
from trivium_client import ApiError, ArgumentError, InsufficientCreditsError, InvalidRequestError, NotFoundError

ENDPOINT = "https://hooks.example/events"


@pytest.fixture
def account_id(ask_admin: Ask) -> str:
    made = ask_admin(lambda admin: admin.accounts.create("Operated"))
    ask_admin(lambda admin: admin.accounts.top_up(made.id, amount_usd=1, reason="test"))
    return str(made.id)


@pytest.fixture
def unasked() -> Iterator[str]:
    """The address of a gateway that must not receive a request."""
    with HostileServer([b""]) as server:
        yield server.url
        assert server.asked == []


def test_an_endpoint_is_created_changed_tested_and_removed(
    ask_admin: Ask, account_id: str
) -> None:
    made = ask_admin(
        lambda admin: admin.webhooks.create(account_id, url=ENDPOINT, events=["job.completed"])
    )
    assert made.secret.startswith("whsec_")
    assert (made.account_id, made.description, made.paused) == (account_id, "", False)
    assert ask_admin(lambda admin: admin.webhooks.pause(made.id)).paused is True
    assert ask_admin(lambda admin: admin.webhooks.resume(made.id)).paused is False
    # Paused, so that the tests send nothing.
    ask_admin(lambda admin: admin.webhooks.pause(made.id))
    changed = ask_admin(
        lambda admin: admin.webhooks.update(made.id, events=["job.failed"], description="alarm")
    )
    assert (changed.events, changed.description, changed.url) == (["job.failed"], "alarm", ENDPOINT)
    rotated = ask_admin(lambda admin: admin.webhooks.rotate(made.id, overlap_hours=1))
    assert rotated.secret != made.secret and rotated.old_secret_until is not None
    queued = ask_admin(lambda admin: admin.webhooks.test(made.id))
    assert (queued.event, queued.state, queued.webhook_id) == ("webhook.test", "pending", made.id)
    ask_admin(lambda admin: admin.webhooks.test(made.id))
    page = ask_admin(lambda admin: admin.webhooks.deliveries.list(webhook_id=made.id, limit=1))
    assert len(page.deliveries) == 1 and page.next_cursor
    sent = ask_admin(
        lambda admin: Every(admin.webhooks.deliveries.list(webhook_id=made.id, limit=1))
    )
    assert queued.id in [one.id for one in sent] and len(sent) == 2
    with pytest.raises(InvalidRequestError, match="paused"):
        ask_admin(lambda admin: admin.webhooks.deliveries.redeliver(queued.id))
    listed = ask_admin(
        lambda admin: Every(admin.webhooks.list(account_id=account_id, limit=1))
    )
    assert [one.id for one in listed] == [made.id]
    assert ask_admin(lambda admin: admin.webhooks.list(account_id=account_id)).webhooks
    assert ask_admin(lambda admin: admin.webhooks.get(made.id)).id == made.id
    assert ask_admin(lambda admin: admin.webhooks.delete(made.id)).id == made.id
    with pytest.raises(NotFoundError):
        ask_admin(lambda admin: admin.webhooks.get(made.id))


def test_an_endpoint_without_an_account_is_of_the_gateway(ask_admin: Ask) -> None:
    made = ask_admin(
        lambda admin: admin.webhooks.create(url=ENDPOINT, events=["provider.unhealthy"])
    )
    assert made.account_id is None
    ask_admin(lambda admin: admin.webhooks.delete(made.id))


def test_the_secret_of_an_account_is_read_and_rotated(ask_admin: Ask, account_id: str) -> None:
    first = ask_admin(lambda admin: admin.webhooks.secret(account_id))
    assert first.account_id == account_id
    second = ask_admin(lambda admin: admin.webhooks.rotate_secret(account_id))
    assert second.secret != first.secret and second.old_secret_until is not None


@pytest.mark.parametrize(
    "settings",
    [
        {"url": 7},
        {"events": "job.completed"},
        {"events": ["job.lost"]},
        {"paused": "yes"},
        {"colour": "red"},
        {"__proto__": {}},
    ],
)
def test_a_wrong_setting_of_an_endpoint_is_not_sent(
    ask_admin: Ask, unasked: str, settings: Any
) -> None:
    with pytest.raises(ArgumentError):
        ask_admin(lambda admin: admin.webhooks.update("we_1", **settings), url=unasked)
    with pytest.raises(ArgumentError, match="no such filter"):
        ask_admin(
            lambda admin: admin.webhooks.deliveries.list(**{"colour": "red"}), url=unasked
        )


def test_the_gateway_refuses_a_private_address(ask_admin: Ask, account_id: str) -> None:
    with pytest.raises(ApiError) as refused:
        ask_admin(
            lambda admin: admin.webhooks.create(
                account_id, url="http://127.0.0.1/x", events=["job.completed"]
            )
        )
    assert {issue.path for issue in refused.value.issues} == {"url"}


def test_a_budget_is_set_enforced_and_removed(
    ask: Ask, ask_admin: Ask, account_id: str
) -> None:
    key = ask_admin(lambda admin: admin.keys.create(account_id, name="budgeted")).key

    def spend() -> Any:
        return ask(lambda client: client.search("solar", tags={"team": "blue"}), api_key=key)

    made = ask_admin(
        lambda admin: admin.budgets.set(
            account_id, tag="team", value="blue", daily_cap_usd=0.000001
        )
    )
    assert (made.tag, made.value, made.monthly_cap_usd) == ("team", "blue", None)
    with pytest.raises(InsufficientCreditsError):
        spend()
    listed = ask_admin(lambda admin: admin.budgets.list(account_id)).budgets
    assert [(one.value, one.daily_cap_usd) for one in listed] == [("blue", 0.000001)]
    ask_admin(lambda admin: admin.budgets.delete(account_id, tag="team", value="blue"))
    assert ask_admin(lambda admin: admin.budgets.list(account_id)).budgets == []
    assert spend().id


@pytest.mark.parametrize("cap", ["1", True, [1]])
def test_a_wrong_budget_is_not_sent(ask_admin: Ask, unasked: str, cap: Any) -> None:
    with pytest.raises(ArgumentError, match="daily_cap_usd"):
        ask_admin(
            lambda admin: admin.budgets.set("acct_1", tag="a", value="b", daily_cap_usd=cap),
            url=unasked,
        )


def test_a_key_is_rotated_and_a_request_is_read_by_its_id(
    ask: Ask, ask_admin: Ask, account_id: str
) -> None:
    made = ask_admin(lambda admin: admin.keys.create(account_id, name="rotated"))
    rotated = ask_admin(lambda admin: admin.keys.rotate(made.id, overlap_hours=0.5))
    assert rotated.key != made.key and rotated.previous_until is not None
    for key in (made.key, rotated.key):
        found = ask(lambda client: client.search("solar"), api_key=key)
        line = ask_admin(lambda admin: admin.requests.get(found.id))
        assert (line.answer_id, line.key_id) == (found.id, made.id)
    again = [
        ask_admin(lambda admin: admin.keys.rotate(made.id, idempotency_key=f"rotate-{made.id}"))
        for _ in range(2)
    ]
    assert again[0].key == again[1].key and again[1].meta.replayed


def test_people_are_invited_and_an_invitation_is_withdrawn(ask_admin: Ask, account_id: str) -> None:
    made = ask_admin(
        lambda admin: admin.invitations.create(
            "member", account_id=account_id, label="Ada", idempotency_key=f"invite-{account_id}"
        )
    )
    assert (made.role, made.account_id, made.label) == ("member", account_id, "Ada")
    assert made.token and made.expires_at is not None
    again = ask_admin(
        lambda admin: admin.invitations.create(
            "member", account_id=account_id, label="Ada", idempotency_key=f"invite-{account_id}"
        )
    )
    assert (again.id, again.token) == (made.id, made.token)
    listed = ask_admin(lambda admin: admin.people.list())
    assert made.id in [one.id for one in listed.invites]
    assert ask_admin(lambda admin: admin.invitations.delete(made.id)).id == made.id
    listed = ask_admin(lambda admin: admin.people.list())
    assert made.id not in [one.id for one in listed.invites]


def test_a_person_joins_changes_role_gets_a_link_and_is_removed(
    ask_admin: Ask, account_id: str, kind: str
) -> None:
    made = ask_admin(lambda admin: admin.invitations.create("viewer", account_id=account_id))
    email = f"{account_id}-{kind}@example.org"
    join(made.token, email)
    person = next(
        one for one in ask_admin(lambda admin: admin.people.list()).people if one.email == email
    )
    assert (person.role, person.account_id) == ("viewer", account_id)
    changed = ask_admin(
        lambda admin: admin.people.update(person.id, role="member", account_id=account_id)
    )
    assert (changed.id, changed.role) == (person.id, "member")
    assert ask_admin(lambda admin: admin.people.reset_password(person.id)).token
    assert ask_admin(lambda admin: admin.people.delete(person.id)).id == person.id
    with pytest.raises(NotFoundError):
        ask_admin(lambda admin: admin.people.delete(person.id))


@pytest.mark.parametrize(
    "invitation", [{"role": "owner"}, {"role": 7}, {"role": "member", "account_id": 7}]
)
def test_a_wrong_invitation_is_not_sent(ask_admin: Ask, unasked: str, invitation: Any) -> None:
    with pytest.raises(ArgumentError):
        ask_admin(lambda admin: admin.invitations.create(**invitation), url=unasked)
    with pytest.raises(ArgumentError):
        ask_admin(lambda admin: admin.people.update("person_1", **invitation), url=unasked)


def test_the_overview_incidents_and_activity_of_an_account(
    ask: Ask, ask_admin: Ask, account_id: str
) -> None:
    key = ask_admin(lambda admin: admin.keys.create(account_id, name="seen")).key
    before = ask_admin(lambda admin: admin.activity(account_id)).version
    ask(lambda client: client.search("solar", provider="exa"), api_key=key)
    overview = ask_admin(lambda admin: admin.overview(account_id=account_id, span="24h"))
    assert (overview.total.requests, overview.total.served) == (1, 1)
    assert [one.group for one in overview.by_provider] == ["engine_a"]
    assert ask_admin(lambda admin: admin.activity(account_id)).version != before
    incidents = ask_admin(lambda admin: admin.incidents.list(account_id=account_id)).incidents
    low = next(one for one in incidents if one.kind == "balance_low")
    muted = ask_admin(
        lambda admin: admin.incidents.update(low.id, account_id=account_id, muted=True)
    )
    assert (muted.muted, muted.note) == (True, None)
    with pytest.raises(ArgumentError, match="no such filter"):
        ask_admin(lambda admin: admin.overview(account_id=account_id, colour="red"))


def test_errors_are_grouped_by_kind(ask: Ask, ask_admin: Ask) -> None:
    poor = ask_admin(lambda admin: admin.accounts.create("Poor")).id
    key = ask_admin(lambda admin: admin.keys.create(poor, name="empty")).key
    for _ in range(2):
        with pytest.raises(InsufficientCreditsError):
            ask(lambda client: client.search("solar"), api_key=key)
    found = ask_admin(lambda admin: admin.requests.errors(account_id=poor))
    kinds = [(one.error_type, one.status, one.count) for one in found.errors]
    assert kinds == [("insufficient_credits", 402, 2)]
    assert found.errors[0].first_seen_at <= found.errors[0].last_seen_at


def test_the_settings_and_the_providers_of_the_gateway(ask_admin: Ask) -> None:
    settings = ask_admin(lambda admin: admin.settings())
    assert settings.mode == "sandbox" and "PORT" in [one.name for one in settings.settings]
    checked = ask_admin(lambda admin: admin.providers.check("Tavily"))
    assert (checked.provider, checked.ok) == ("engine_c", True)
    assert isinstance(ask_admin(lambda admin: admin.providers.records()).records, list)


def join(token: str, email: str) -> None:
    """Reads an invitation as the page of its link does."""
    body = {"token": token, "name": "Ada", "email": email, "password": "a long enough password"}
    url = environ["TRIVIUM_URL"]
    answer = httpx.post(f"{url}/admin/v1/join", json=body, headers={"origin": url})
    assert answer.status_code < 300, answer.text
