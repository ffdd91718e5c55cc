"""Every call of the operator's API as data, shared by the sync and the async client."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any, Literal, TypeVar

from pydantic import TypeAdapter
from typing_extensions import TypedDict

from ._call import Call, PostOptions, encode, get, moment_text, post, query, segment, to_json
from .admin_models import (
    Account,
    AccountList,
    AuditList,
    Budget,
    BudgetList,
    JobList,
    Key,
    KeyList,
    NewKey,
    Page,
    RequestLine,
    RequestList,
    TransferLine,
    TransferList,
    UsageReport,
)
from .errors import ApiError, ArgumentError
from .models import Answer
from .requests import ProviderId, strict_fields

A = TypeVar("A", bound=Answer)
ROOT = "/admin/v1"


class PageFilters(TypedDict, total=False):
    limit: int | None
    """How many entries one page has."""
    cursor: str | None
    """`next_cursor` of the page before."""


class RequestFilters(PageFilters, total=False):
    id: str | None
    """Of the request, of its answer, or of its job."""
    text: str | None
    tag: str | None
    """`team=search`, or `team` for any value."""
    account_id: str | None
    key_id: str | None
    tool: Literal["search", "extract", "transcription"] | None
    provider: str | None
    status: int | None
    error_type: str | None
    outcome: str | None
    from_: date | str | None
    to: date | str | None


class TransferFilters(PageFilters, total=False):
    account_id: str | None
    key_id: str | None
    kind: Literal["topup", "settle", "refund", "adjust"] | None
    from_: date | str | None
    to: date | str | None


class JobFilters(PageFilters, total=False):
    id: str | None
    account_id: str | None
    status: Literal["queued", "running", "completed", "failed"] | None
    provider: Literal["stt_a", "stt_b", "stt_c"] | None


class UsageFilters(TypedDict, total=False):
    account_id: str | None
    key_id: str | None
    by: Literal["day", "provider", "key", "tool", "account", "tag"] | str | None
    from_: date | str | None
    to: date | str | None


class AuditFilters(PageFilters, total=False):
    account_id: str | None
    action: str | None
    actor: Literal["operator_token", "person", "command_line", "bootstrap"] | None
    person_id: str | None
    target: str | None
    from_: date | str | None
    to: date | str | None


@strict_fields
class PolicyChange(TypedDict, total=False):
    """What requests may do. None takes a limit away."""

    blocked_domains: Sequence[str] | None
    allowed_domains: Sequence[str] | None
    tools: Sequence[Literal["search", "extract", "transcription"]] | None
    providers: Sequence[ProviderId] | None
    requests_per_minute: int | None
    requests_at_once: int | None
    max_cost_usd: float | None
    max_audio_minutes: int | None
    overdraft_usd: float | None
    max_stored_mb: int | None
    keep_query_hours: int | None


@strict_fields
class AccountChange(PolicyChange, total=False):
    """What may be set on an account. None takes a limit away."""

    name: str
    low_balance_usd: float


@strict_fields
class KeyChange(PolicyChange, total=False):
    """What may be set on a key. None takes a limit away."""

    name: str
    expires_at: datetime | str | None
    daily_cap_usd: float | None
    monthly_cap_usd: float | None
    own_use_only: bool


@strict_fields
class Movement(TypedDict, total=False):
    amount_usd: float
    reason: str
    request_id: str


@strict_fields
class KeyRotation(TypedDict, total=False):
    overlap_hours: float | None


@strict_fields
class BudgetRequest(TypedDict, total=False):
    tag: str
    value: str
    daily_cap_usd: float | None
    monthly_cap_usd: float | None


_movement: TypeAdapter[Movement] = TypeAdapter(Movement)
_key_change: TypeAdapter[KeyChange] = TypeAdapter(KeyChange)
_account_change: TypeAdapter[AccountChange] = TypeAdapter(AccountChange)
_rotation: TypeAdapter[KeyRotation] = TypeAdapter(KeyRotation)
_budget: TypeAdapter[BudgetRequest] = TypeAdapter(BudgetRequest)


def listing(path: str, answer: type[A], filters: Mapping[str, Any], kind: type[Any]) -> Call[A]:
    unknown = sorted(set(filters) - set(kind.__annotations__))
    if unknown:
        raise ArgumentError(f"{', '.join(unknown)[:200]}: there is no such filter")
    named = {name.rstrip("_"): value for name, value in filters.items()}
    return get(f"{ROOT}{path}{query(named)}", answer, None)


def once(path: str, answer: type[A], body: bytes | None, idempotency_key: str | None) -> Call[A]:
    """A change that a repeat after a broken connection does not make twice."""
    return post(path, answer, body, PostOptions(idempotency_key=idempotency_key))


def accounts(filters: Mapping[str, Any]) -> Call[AccountList]:
    return listing("/accounts", AccountList, filters, PageFilters)


def requests(filters: Mapping[str, Any]) -> Call[RequestList]:
    return listing("/requests", RequestList, filters, RequestFilters)


def transfers(filters: Mapping[str, Any]) -> Call[TransferList]:
    return listing("/transfers", TransferList, filters, TransferFilters)


def jobs(filters: Mapping[str, Any]) -> Call[JobList]:
    return listing("/jobs", JobList, filters, JobFilters)


def audit(filters: Mapping[str, Any]) -> Call[AuditList]:
    return listing("/audit", AuditList, filters, AuditFilters)


def usage(filters: Mapping[str, Any]) -> Call[UsageReport]:
    return listing("/usage", UsageReport, filters, UsageFilters)


def next_filters(page: Page, filters: Mapping[str, Any]) -> dict[str, Any] | None:
    """The filters of the next page; None after the last."""
    if page.next_cursor is None:
        return None
    # A list that leads to itself would never end.
    if page.next_cursor == filters.get("cursor"):
        raise ApiError("The gateway gave the same cursor twice.", status=200)
    return {**filters, "cursor": page.next_cursor}


def account(account_id: str) -> Call[Account]:
    return get(account_path(account_id), Account, None)


def create_account(
    name: str, policy: Mapping[str, Any], idempotency_key: str | None
) -> Call[Account]:
    body = _account_body({"name": name, **policy})
    return once(f"{ROOT}/accounts", Account, body, idempotency_key)


def change_account(account_id: str, change: Mapping[str, Any]) -> Call[Account]:
    return Call("PATCH", account_path(account_id), Account, body=_account_body(change))


def _account_body(change: Mapping[str, Any]) -> bytes:
    """Here None is a value: it takes a limit away."""
    encode(_account_change, {name: value for name, value in change.items() if value is not None})
    return to_json(dict(change))


def move(
    account_id: str,
    kind: Literal["topups", "adjustments", "refunds"],
    movement: Mapping[str, Any],
    idempotency_key: str | None,
) -> Call[TransferLine]:
    body = encode(_movement, movement)
    return once(f"{account_path(account_id)}/{kind}", TransferLine, body, idempotency_key)


def keys(account_id: str) -> Call[KeyList]:
    return get(f"{account_path(account_id)}/keys", KeyList, None)


def create_key(
    account_id: str, change: Mapping[str, Any], idempotency_key: str | None
) -> Call[NewKey]:
    path = f"{account_path(account_id)}/keys"
    return once(path, NewKey, _key_body(change), idempotency_key)


def change_key(key_id: str, change: Mapping[str, Any]) -> Call[Key]:
    return Call("PATCH", _key(key_id), Key, body=_key_body(change))


def revoke_key(key_id: str) -> Call[Key]:
    return Call("DELETE", _key(key_id), Key)


def rotate_key(
    key_id: str, overlap_hours: float | None, idempotency_key: str | None
) -> Call[NewKey]:
    body = encode(_rotation, {"overlap_hours": overlap_hours})
    return once(f"{_key(key_id)}/rotate", NewKey, body, idempotency_key)


def budgets(account_id: str) -> Call[BudgetList]:
    return get(f"{account_path(account_id)}/budgets", BudgetList, None)


def set_budget(
    account_id: str, budget: Mapping[str, Any], idempotency_key: str | None
) -> Call[Budget]:
    """A cap that is not given is none; without any cap the budget is removed."""
    path = f"{account_path(account_id)}/budgets"
    return once(path, Budget, encode(_budget, budget), idempotency_key)


def request(request_id: str) -> Call[RequestLine]:
    return get(f"{ROOT}/requests/{segment('request_id', request_id)}", RequestLine, None)


def _key_body(change: Mapping[str, Any]) -> bytes:
    """Here None is a value: it takes a limit away."""
    given = {name: value for name, value in change.items() if value is not None}
    encode(_key_change, given)
    expires = change.get("expires_at")
    if isinstance(expires, datetime):
        change = {**change, "expires_at": moment_text("expires_at", expires)}
    return to_json(dict(change))


def account_path(account_id: str) -> str:
    return f"{ROOT}/accounts/{segment('account_id', account_id)}"


def _key(key_id: str) -> str:
    return f"{ROOT}/keys/{segment('key_id', key_id)}"
