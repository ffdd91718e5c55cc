"""Every call of the operator's API as data, shared by the sync and the async client."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from typing import Any, Literal, TypeVar

from pydantic import TypeAdapter
from typing_extensions import TypedDict

from ._call import Call, PostOptions, encode, get, moment_text, post, query, segment, to_json
from ._providers import to_provider_id, with_provider_ids
from .admin_models import (
    Account,
    AccountList,
    Activity,
    AttentionList,
    AuditList,
    Budget,
    BudgetList,
    ErrorKindList,
    JobList,
    Key,
    KeyList,
    NewKey,
    Overview,
    ProviderCheck,
    ProviderHourList,
    ProviderRecordList,
    RequestAnswer,
    RequestLine,
    RequestList,
    Scorecard,
    SettingsView,
    TransferLine,
    TransferList,
    UsageReport,
)
from .errors import ArgumentError
from .models import Answer
from .requests import ProviderId, TranscriptionEngine, strict_fields

A = TypeVar("A", bound=Answer)
ROOT = "/admin/v1"


class PageFilters(TypedDict, total=False):
    limit: int | None
    """The maximum number of entries per page."""
    cursor: str | None
    """`next_cursor` of the previous page."""


class AccountFilters(PageFilters, total=False):
    text: str | None
    """Part of a name or an id."""


class RequestFilters(PageFilters, total=False):
    id: str | None
    """The id of the request, of its answer, or of its job."""
    text: str | None
    """Part of the query or of an address."""
    tag: str | None
    """`team=search`, or `team` for any value."""
    account_id: str | None
    """Only this account."""
    key_id: str | None
    """Only this key."""
    tool: Literal["search", "extract", "transcription"] | None
    """Only this tool."""
    provider: str | None
    """Only requests to this provider."""
    status: int | None
    """Only this HTTP status."""
    error_type: str | None
    """The type in the error envelope."""
    outcome: str | None
    """served, refused, failed or error."""
    from_: date | str | None
    """The first day in UTC, or the start time as ISO 8601 text."""
    to: date | str | None
    """The last day, inclusive, or the end time, exclusive."""


class ErrorFilters(TypedDict, total=False):
    text: str | None
    """Part of the query or of an address."""
    tag: str | None
    """`team=search`, or `team` for any value."""
    account_id: str | None
    """Only this account."""
    key_id: str | None
    """Only this key."""
    tool: Literal["search", "extract", "transcription"] | None
    """Only this tool."""
    provider: str | None
    """Only requests that this provider served."""
    status: int | None
    """Only this HTTP status."""
    error_type: str | None
    """The type in the error envelope."""
    outcome: str | None
    """refused, failed or error."""
    from_: date | str | None
    """The first day in UTC, or the start time as ISO 8601 text."""
    to: date | str | None
    """The last day, inclusive, or the end time, exclusive."""


class TransferFilters(PageFilters, total=False):
    account_id: str | None
    """Only this account."""
    key_id: str | None
    """Only this key."""
    kind: Literal["topup", "settle", "refund", "adjust"] | None
    """Only this kind."""
    from_: date | str | None
    """The first day in UTC, or the start time as ISO 8601 text."""
    to: date | str | None
    """The last day, inclusive, or the end time, exclusive."""


class JobFilters(PageFilters, total=False):
    id: str | None
    """The id of the job."""
    account_id: str | None
    """Only this account."""
    status: Literal["queued", "running", "completed", "failed"] | None
    """Only jobs in this state."""
    provider: TranscriptionEngine | None
    """Only jobs of this provider."""


class UsageFilters(TypedDict, total=False):
    account_id: str | None
    """Only this account."""
    key_id: str | None
    """Only this key."""
    by: Literal["day", "provider", "key", "tool", "account", "tag"] | str | None
    """`day` by default; `tag:team` groups by the values of the tag team."""
    from_: date | str | None
    """The first day in UTC, or the start time as ISO 8601 text."""
    to: date | str | None
    """The last day, inclusive, or the end time, exclusive."""
    compare: Literal["previous"] | None
    """Adds the previous range of the same length; needs `from_`."""
    interval: Literal["day"] | None
    """Adds daily values for each group."""


class ScorecardFilters(TypedDict, total=False):
    account_id: str | None
    """One account; all of them unless given."""
    by: Literal["provider", "language", "category", "freshness"] | None
    """One line for each engine, or for each engine and one of these."""
    weeks: int | None
    """How many weeks up to today; 12 unless given."""


class OverviewFilters(TypedDict, total=False):
    account_id: str
    """The account to show."""
    span: Literal["24h", "7d", "30d", "90d"] | None
    """The time range."""
    zone: str | None
    """The time zone of the days, such as Europe/Berlin; UTC by default."""


class AuditFilters(PageFilters, total=False):
    account_id: str | None
    """Only this account."""
    action: str | None
    """The kind of change, such as key.created."""
    actor: Literal["operator_token", "person", "command_line", "bootstrap"] | None
    """Who made the change."""
    person_id: str | None
    """Only changes by this person."""
    target: str | None
    """The id of what was changed."""
    from_: date | str | None
    """The first day in UTC, or the start time as ISO 8601 text."""
    to: date | str | None
    """The last day, inclusive, or the end time, exclusive."""


@strict_fields
class PolicyChange(TypedDict, total=False):
    """Limits on requests. None removes a limit."""

    blocked_domains: Sequence[str] | None
    """No pages from these domains."""
    allowed_domains: Sequence[str] | None
    """Only pages from these domains."""
    tools: Sequence[Literal["search", "extract", "transcription"]] | None
    """Only these tools."""
    providers: Sequence[ProviderId] | None
    """Only these providers, by id or by vendor name."""
    requests_per_minute: int | None
    """The maximum number of requests per minute."""
    requests_at_once: int | None
    """The maximum number of requests in progress."""
    max_cost_usd: float | None
    """The maximum cost of one request."""
    max_audio_minutes: int | None
    """The length that is assumed for a recording of unknown length."""
    overdraft_usd: float | None
    """How far below zero open transcriptions may take the balance."""
    max_stored_mb: int | None
    """How much the account may store, in MiB."""
    keep_query_hours: int | None
    """How long the text of queries is kept."""
    content: Literal["annotate", "clean", "block"] | None
    """What to do with suspicious content in text from the web."""


@strict_fields
class AccountChange(PolicyChange, total=False):
    """The fields of an account that can be set. None removes a limit."""

    name: str
    """The name of the account."""
    low_balance_usd: float
    """Below this balance the account gets a warning."""


@strict_fields
class KeyChange(PolicyChange, total=False):
    """The fields of a key that can be set. None removes a limit."""

    name: str
    """The name of the key."""
    expires_at: datetime | str | None
    """When the key stops working; a datetime must have a time zone."""
    daily_cap_usd: float | None
    """The maximum to spend in a day, in UTC."""
    monthly_cap_usd: float | None
    """The maximum to spend in a month, in UTC."""
    own_use_only: bool
    """The key sees only its own jobs, uploads and usage."""


@strict_fields
class Movement(TypedDict, total=False):
    amount_usd: float
    """In US dollars."""
    reason: str
    """Recorded in the ledger permanently."""
    request_id: str
    """The request that is refunded."""


@strict_fields
class KeyRotation(TypedDict, total=False):
    overlap_hours: float | None
    """How many hours the previous secret keeps working."""


@strict_fields
class BudgetRequest(TypedDict, total=False):
    tag: str
    """The name of the tag."""
    value: str
    """The value of the tag."""
    daily_cap_usd: float | None
    """The maximum to spend in a day, in UTC."""
    monthly_cap_usd: float | None
    """The maximum to spend in a month, in UTC."""


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
    """A change that a retry after a broken connection does not make twice."""
    return post(path, answer, body, PostOptions(idempotency_key=idempotency_key))


def accounts(filters: Mapping[str, Any]) -> Call[AccountList]:
    return listing("/accounts", AccountList, filters, AccountFilters)


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


def request_errors(filters: Mapping[str, Any]) -> Call[ErrorKindList]:
    return listing("/requests/errors", ErrorKindList, filters, ErrorFilters)


def scorecard(filters: Mapping[str, Any]) -> Call[Scorecard]:
    return listing("/scorecard", Scorecard, filters, ScorecardFilters)


def overview(filters: Mapping[str, Any]) -> Call[Overview]:
    return listing("/overview", Overview, filters, OverviewFilters)


def activity(account_id: str) -> Call[Activity]:
    return get(f"{ROOT}/activity{query({'account_id': account_id})}", Activity, None)


def attention(account_id: str) -> Call[AttentionList]:
    return get(f"{ROOT}/attention{query({'account_id': account_id})}", AttentionList, None)


def gateway_settings() -> Call[SettingsView]:
    return get(f"{ROOT}/settings", SettingsView, None)


def provider_records() -> Call[ProviderRecordList]:
    return get(f"{ROOT}/provider-records", ProviderRecordList, None)


def provider_hours(provider: str) -> Call[ProviderHourList]:
    named = segment("provider", to_provider_id(provider))
    return get(f"{ROOT}/providers/{named}/hours", ProviderHourList, None)


def check_provider(provider: str) -> Call[ProviderCheck]:
    checked = segment("provider", to_provider_id(provider))
    return Call("POST", f"{ROOT}/providers/{checked}/check", ProviderCheck)


def account(account_id: str) -> Call[Account]:
    return get(account_path(account_id), Account, None)


def create_account(
    name: str, policy: Mapping[str, Any], idempotency_key: str | None
) -> Call[Account]:
    body = _account_body({"name": name, **policy})
    return once(f"{ROOT}/accounts", Account, body, idempotency_key)


def update_account(account_id: str, change: Mapping[str, Any]) -> Call[Account]:
    return Call("PATCH", account_path(account_id), Account, body=_account_body(change))


def _account_body(change: Mapping[str, Any]) -> bytes:
    """None is a value here: it removes a limit."""
    encode(_account_change, {name: value for name, value in change.items() if value is not None})
    return to_json(with_provider_ids(change))


def move(
    account_id: str,
    kind: Literal["topups", "adjustments", "refunds"],
    movement: Mapping[str, Any],
    idempotency_key: str | None,
) -> Call[TransferLine]:
    body = encode(_movement, movement)
    return once(f"{account_path(account_id)}/{kind}", TransferLine, body, idempotency_key)


def keys(account_id: str) -> Callable[[Mapping[str, Any]], Call[KeyList]]:
    path = f"{account_path(account_id)}/keys"
    return lambda _: get(path, KeyList, None)


def create_key(
    account_id: str, change: Mapping[str, Any], idempotency_key: str | None
) -> Call[NewKey]:
    path = f"{account_path(account_id)}/keys"
    return once(path, NewKey, _key_body(change), idempotency_key)


def update_key(key_id: str, change: Mapping[str, Any]) -> Call[Key]:
    return Call("PATCH", _key(key_id), Key, body=_key_body(change))


def revoke_key(key_id: str) -> Call[Key]:
    return Call("DELETE", _key(key_id), Key)


def end_overlap(key_id: str) -> Call[Key]:
    return Call("DELETE", f"{_key(key_id)}/previous", Key)


def rotate_key(
    key_id: str, overlap_hours: float | None, idempotency_key: str | None
) -> Call[NewKey]:
    body = encode(_rotation, {"overlap_hours": overlap_hours})
    return once(f"{_key(key_id)}/rotate", NewKey, body, idempotency_key)


def budgets(account_id: str) -> Callable[[Mapping[str, Any]], Call[BudgetList]]:
    path = f"{account_path(account_id)}/budgets"
    return lambda _: get(path, BudgetList, None)


def set_budget(
    account_id: str, budget: Mapping[str, Any], idempotency_key: str | None
) -> Call[Budget]:
    """An omitted cap is removed; without any cap the budget is deleted."""
    path = f"{account_path(account_id)}/budgets"
    return once(path, Budget, encode(_budget, budget), idempotency_key)


def request(request_id: str) -> Call[RequestLine]:
    return get(f"{ROOT}/requests/{segment('request_id', request_id)}", RequestLine, None)


def request_answer(request_id: str) -> Call[RequestAnswer]:
    path = f"{ROOT}/requests/{segment('request_id', request_id)}/answer"
    return get(path, RequestAnswer, None)


def _key_body(change: Mapping[str, Any]) -> bytes:
    """None is a value here: it removes a limit."""
    given = {name: value for name, value in change.items() if value is not None}
    encode(_key_change, given)
    expires = change.get("expires_at")
    if isinstance(expires, datetime):
        change = {**change, "expires_at": moment_text("expires_at", expires)}
    return to_json(with_provider_ids(change))


def account_path(account_id: str) -> str:
    return f"{ROOT}/accounts/{segment('account_id', account_id)}"


def _key(key_id: str) -> str:
    return f"{ROOT}/keys/{segment('key_id', key_id)}"
