# Written by scripts/clients.ts from the operations: do not edit.
"""The filters of lists, and what an operator may set. None means not given, or removes a limit."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Literal

from typing_extensions import TypedDict

from .admin_models import AccountEvent, GatewayEvent
from .requests import ProviderId, TranscriptionEngine, strict_fields

Event = AccountEvent | GatewayEvent


class PageFilters(TypedDict, total=False):
    cursor: str | None
    """next_cursor of the previous page."""
    limit: int | None
    """The maximum number of entries per page. Default: 50."""


class OwnUsageFilters(TypedDict, total=False):
    by: Literal["day", "tool", "provider", "key", "tag"] | str | None
    """What to group by: day, tool, provider, key, tag (the names of tags), or tag:NAME. Default:
    day."""
    from_: date | str | None
    """The first day, in UTC, or the start time."""
    to: date | str | None
    """The last day, in UTC, which is included, or the end time, which is excluded."""
    compare: Literal["previous"] | None
    """Adds the previous range of the same length; requires from."""
    interval: Literal["day"] | None
    """Adds daily values for each group."""


class OwnJobFilters(PageFilters, total=False):
    status: Literal["queued", "running", "completed", "failed"] | str | None
    """Only jobs in this state."""


class AccountFilters(PageFilters, total=False):
    text: str | None
    """Only accounts whose name or id contains this text, in upper or lower case."""


class RequestFilters(PageFilters, total=False):
    id: str | None
    """Only this request: its id, the id of its answer (srch_…, ext_…), or of its job."""
    text: str | None
    """Only requests whose query contains this text, in upper or lower case."""
    tag: str | None
    """Only requests with this tag, such as team=search, or with any value of it, such as team."""
    account_id: str | None
    """The id of an account."""
    key_id: str | None
    """The id of an API key."""
    tool: Literal["search", "extract", "transcription"] | None
    """Only requests of this tool."""
    provider: str | None
    """Only requests to this provider."""
    status: int | None
    """Only responses of this status."""
    outcome: Literal["served", "refused", "failed", "error"] | str | None
    """Only requests with this outcome; error is refused or failed."""
    error_type: str | None
    """Only errors of this type."""
    simulated: Literal["true", "false"] | None
    """Only requests that a simulated provider answered, or only others."""
    has_note: Literal["true", "false"] | None
    """Only requests with a note, or without."""
    from_: date | str | None
    """The first day, in UTC, or the start time."""
    to: date | str | None
    """The last day, in UTC, or the end time, which is excluded."""
    sort: Literal["time", "cost", "latency"] | None
    """time, newest first; cost or latency, largest first. Default: time."""


class ErrorFilters(TypedDict, total=False):
    text: str | None
    """Only requests whose query contains this text, in upper or lower case."""
    tag: str | None
    """Only requests with this tag, such as team=search, or with any value of it, such as team."""
    account_id: str | None
    """The id of an account."""
    key_id: str | None
    """The id of an API key."""
    tool: Literal["search", "extract", "transcription"] | None
    """Only requests of this tool."""
    provider: str | None
    """Only requests to this provider."""
    status: int | None
    """Only responses of this status."""
    outcome: Literal["served", "refused", "failed", "error"] | str | None
    """Only requests with this outcome; error is refused or failed."""
    error_type: str | None
    """Only errors of this type."""
    simulated: Literal["true", "false"] | None
    """Only requests that a simulated provider answered, or only others."""
    has_note: Literal["true", "false"] | None
    """Only requests with a note, or without."""
    from_: date | str | None
    """The first day, in UTC, or the start time."""
    to: date | str | None
    """The last day, in UTC, or the end time, which is excluded."""


class FindFilters(TypedDict, total=False):
    text: str
    """A part of the name of a key, an account or a person, or a whole id; a request is also found
    by the id of its answer or of its job."""
    account_id: str | None
    """The id of an account."""


class TransferFilters(PageFilters, total=False):
    account_id: str | None
    """The id of an account."""
    key_id: str | None
    """The id of an API key."""
    kind: Literal["topup", "settle", "refund", "adjust"] | None
    """Only lines of this kind."""
    from_: date | str | None
    """The first day, in UTC, or the start time."""
    to: date | str | None
    """The last day, in UTC, or the end time, which is excluded."""


class UsageFilters(TypedDict, total=False):
    account_id: str | None
    """The id of an account."""
    key_id: str | None
    """The id of an API key."""
    by: Literal["day", "provider", "key", "tool", "account", "tag"] | str | None
    """What to group by: day, provider, key, tool, account, tag (the names of tags), or tag:NAME.
    Default: day."""
    from_: date | str | None
    """The first day, in UTC, or the start time."""
    to: date | str | None
    """The last day, in UTC, which is included, or the end time, which is excluded."""
    compare: Literal["previous"] | None
    """Adds the previous range of the same length; requires from."""
    interval: Literal["day"] | None
    """Adds daily values for each group."""


class UsageChangeFilters(TypedDict, total=False):
    account_id: str | None
    """The id of an account."""
    key_id: str | None
    """The id of an API key."""
    provider: str | None
    """Only requests to this provider."""
    tool: Literal["search", "extract", "transcription"] | None
    """Only requests of this tool."""
    tag: str | None
    """Only requests with this tag, such as team=search, or with any value of it, such as team."""
    outcome: Literal["served", "refused", "failed", "error"] | str | None
    """Only requests with this outcome; error is refused or failed."""
    from_: date | str
    """The first day, in UTC, or the start time."""
    to: date | str | None
    """The last day, in UTC, or the end time, which is excluded. Of a range that is not over, the
    part until now is compared with the same part of the range before."""
    measure: Literal["cost", "requests"] | None
    """The change of which is explained: the cost, or the number of requests. Default: cost."""


class ScorecardFilters(TypedDict, total=False):
    account_id: str | None
    """Only this account; by default, all accounts."""
    by: Literal["provider", "language", "category", "freshness"] | None
    """One line for each engine, or for each engine and language, category or freshness. Default:
    provider."""
    weeks: int | None
    """How many weeks, ending today. Default: 12."""


class JobFilters(PageFilters, total=False):
    id: str | None
    """Only this job."""
    text: str | None
    """Only jobs whose recording has this text in its address, without the query, or in the name of
    its file, in upper or lower case."""
    account_id: str | None
    """The id of an account."""
    key_id: str | None
    """The id of an API key."""
    status: Literal["queued", "running", "completed", "failed"] | str | None
    """Only jobs in this state."""
    provider: TranscriptionEngine | None
    """Only jobs of this provider."""
    from_: date | str | None
    """The first day, in UTC, or the start time."""
    to: date | str | None
    """The last day, in UTC, or the end time, which is excluded."""


class OverviewFilters(TypedDict, total=False):
    account_id: str
    """The id of an account."""
    span: Literal["24h", "7d", "30d", "90d"] | None
    """The time range, which ends now. Default: 7d."""
    zone: str | None
    """The time zone of the days, such as Europe/Berlin. Default: UTC."""


class IncidentFilters(PageFilters, total=False):
    account_id: str | None
    """The id of an account."""
    state: Literal["open", "ended"] | None
    """Only incidents in this state."""
    from_: date | str | None
    """The first day, in UTC, or the start time."""
    to: date | str | None
    """The last day, in UTC, or the end time, which is excluded."""


class AuditFilters(PageFilters, total=False):
    account_id: str | None
    """The id of an account."""
    action: str | None
    """Only changes of this kind."""
    actor: Literal["operator_token", "person", "command_line", "bootstrap"] | None
    """Only changes by actors of this kind."""
    person_id: str | None
    """Only changes by this person."""
    target: str | None
    """Only changes to this key, person or other object."""
    from_: date | str | None
    """The first day, in UTC, or the start time."""
    to: date | str | None
    """The last day, in UTC, or the end time, which is excluded."""


class WebhookFilters(PageFilters, total=False):
    account_id: str | None
    """The id of an account."""


class DeliveryFilters(PageFilters, total=False):
    account_id: str | None
    """The id of an account."""
    webhook_id: str | None
    """The id of an endpoint."""
    event: Event | Literal["webhook.test"] | None
    """Only this event."""
    state: Literal["pending", "delivered", "failed"] | None
    """Only deliveries in this state."""
    subject: str | None
    """Only deliveries about this job or key."""


@strict_fields
class PolicyChange(TypedDict, total=False):
    """Limits on requests. None removes a limit."""

    blocked_domains: Sequence[str] | None
    """Pages from these domains and their subdomains are removed from results and not extracted."""
    allowed_domains: Sequence[str] | None
    """Only pages from these domains and their subdomains; None for all."""
    tools: Sequence[Literal["search", "extract", "transcription"]] | None
    """The only tools that may be used; None for all."""
    providers: Sequence[ProviderId] | None
    """The only providers that may be used; None for all."""
    requests_per_minute: int | None
    """Requests per minute, over all gateways; further ones get a 429."""
    requests_at_once: int | None
    """Requests in progress, over all gateways; further ones get a 429."""
    max_cost_usd: float | None
    """The maximum cost of one request; a request that could cost more gets a 400."""
    max_audio_minutes: int | None
    """The length to assume for a recording of unknown length, in minutes. It can only lower
    TRIVIUM_MAX_AUDIO_MINUTES."""
    overdraft_usd: float | None
    """How far below zero open transcriptions may take the balance. For an account it replaces
    TRIVIUM_OVERDRAFT_USD; for a key it can only lower it."""
    max_stored_mb: int | None
    """How much the account may store, in MiB: uploads, transcripts, stored answers and tags. A key
    cannot store more once the account has reached the key's limit. It can only lower
    TRIVIUM_MAX_STORED_MB."""
    keep_query_hours: int | None
    """How long the text of queries is kept; 0 keeps none, None uses the gateway's setting."""
    content: Literal["annotate", "clean", "block"] | None
    """What to do with suspicious text from the web: annotate reports it in warnings, clean also
    removes hidden content, block removes the result. A request can ask for a stricter mode; None
    checks nothing."""


@strict_fields
class AccountChange(PolicyChange, total=False):
    """What to change; an omitted field keeps its value, and None removes a limit."""

    name: str
    """A name for people to read."""
    low_balance_usd: float
    """When the booked balance falls below this, the event balance.low is sent."""


@strict_fields
class TopupRequest(TypedDict, total=False):
    """Money to add to an account."""

    amount_usd: float
    """How much to add."""
    reason: str
    """The reason; recorded in the ledger permanently."""


@strict_fields
class AdjustmentRequest(TypedDict, total=False):
    """A correction of a balance."""

    amount_usd: float
    """Negative to debit; never more than the account has available."""
    reason: str
    """The reason; recorded in the ledger permanently."""


@strict_fields
class RefundRequest(TypedDict, total=False):
    """Money to return for a request."""

    request_id: str
    """The request to refund."""
    amount_usd: float
    """How much to return; never more than the request cost."""
    reason: str
    """The reason; recorded in the ledger permanently."""


@strict_fields
class BudgetRequest(TypedDict, total=False):
    """The budget to set for a tag value; without a cap, the budget is removed."""

    tag: str
    """The name of a tag, such as team."""
    value: str
    """A value of the tag, such as search."""
    daily_cap_usd: float | None
    """The maximum they may spend and hold in a UTC day; None for no cap."""
    monthly_cap_usd: float | None
    """The maximum they may spend and hold in a calendar month, in UTC; None for no cap."""


@strict_fields
class ViewRequest(TypedDict, total=False):
    """A view to save."""

    name: str
    """Its name, which no other view of the page has."""
    page: Literal["/requests", "/jobs", "/usage", "/webhooks", "/billing", "/audit"]
    """The page of the dashboard."""
    query: str
    """The filters, the columns and the order of the list, as in the address of the page."""


@strict_fields
class ViewChange(TypedDict, total=False):
    """What to change; an omitted field keeps its value."""

    name: str | None
    """Its name, which no other view of the page has."""
    query: str | None
    """The filters, the columns and the order of the list, as in the address of the page."""


@strict_fields
class KeyChange(PolicyChange, total=False):
    """What to change; an omitted field keeps its value."""

    name: str
    """A name for people to read."""
    expires_at: datetime | str | None
    """From this time on, requests with the key get a 401."""
    daily_cap_usd: float | None
    """The maximum it may spend and hold in a UTC day."""
    monthly_cap_usd: float | None
    """The maximum it may spend and hold in a calendar month, in UTC."""
    own_use_only: bool
    """Whether it sees only its own usage and jobs, not those of the whole account."""


@strict_fields
class KeyRotation(TypedDict, total=False):
    """How to rotate a key."""

    overlap_hours: float | None
    """How long the old secret keeps working; 0 ends it immediately. Default: 24."""


@strict_fields
class NoteRequest(TypedDict, total=False):
    """The text of a note on a request."""

    text: str
    """The note, as plain text. It is deleted with the request."""


@strict_fields
class IncidentChange(TypedDict, total=False):
    """What to change; an omitted field keeps its value."""

    muted: bool | None
    """A muted incident is still listed, without an alert."""
    note: str | None
    """What others should know about it. An empty text removes the note."""


@strict_fields
class PersonChange(TypedDict, total=False):
    """A new role; it takes effect immediately."""

    role: Literal["operator", "member", "viewer"]
    """An operator can do everything; a member belongs to one account; a viewer can read one account
    and change nothing."""
    account_id: str | None
    """Required for a member and for a viewer."""


@strict_fields
class InviteRequest(TypedDict, total=False):
    """An invitation to create."""

    role: Literal["operator", "member", "viewer"]
    """An operator can do everything; a member belongs to one account; a viewer can read one account
    and change nothing."""
    label: str | None
    """The person or purpose it is for."""
    account_id: str | None
    """Required for a member and for a viewer."""


@strict_fields
class WebhookRequest(TypedDict, total=False):
    """An endpoint to create."""

    url: str
    """A public https URL, to which the gateway sends a POST for each event."""
    events: Sequence[Event]
    """What to send. An endpoint of an account receives the events of that account: job.completed,
    job.failed, balance.low, cap.reached, budget.reached, key.created, key.revoked. One without an
    account receives provider.unhealthy, provider.recovered, provider.unusable_duration."""
    description: str | None
    """A note for people to read."""


@strict_fields
class WebhookChange(TypedDict, total=False):
    """What to change; an omitted field keeps its value."""

    url: str | None
    """A public https URL, to which the gateway sends a POST for each event."""
    events: Sequence[Event] | None
    """What to send. An endpoint of an account receives the events of that account: job.completed,
    job.failed, balance.low, cap.reached, budget.reached, key.created, key.revoked. One without an
    account receives provider.unhealthy, provider.recovered, provider.unusable_duration."""
    description: str | None
    """A note for people to read."""
    paused: bool | None
    """If true, events are kept until it is false again."""


@strict_fields
class SecretRotation(TypedDict, total=False):
    """How to replace a secret."""

    overlap_hours: int | None
    """How long deliveries are also signed with the current secret. Default: 24."""
