"""What the gateway answers to its operator: accounts, keys, money, requests and jobs."""

from datetime import datetime
from typing import Any, Literal

from .models import Answer, AttemptStatus, JobError, JobStatus, Model, RequestWarning, UsageLine


AccountEvent = Literal[
    "job.completed",
    "job.failed",
    "balance.low",
    "cap.reached",
    "key.created",
    "key.revoked",
]
GatewayEvent = Literal["provider.unhealthy", "provider.recovered"]
EventType = AccountEvent | GatewayEvent | Literal["webhook.test"] | str


class Page(Answer):
    """One page of a list; `next_cursor` leads to the next one, and is None on the last."""

    next_cursor: str | None


class SearchedPage(Page):
    """A page of a list with filters. Where the search stopped early, `searched_until` says at which
    time; `next_cursor` continues it."""

    searched_until: datetime | None = None
    """Set when the search stopped here; older entries may match too."""


class Policy(Answer):
    """What requests may do. None sets no limit."""

    blocked_domains: list[str] | None = None
    allowed_domains: list[str] | None = None
    tools: list[str] | None = None
    providers: list[str] | None = None
    requests_per_minute: int | None = None
    requests_at_once: int | None = None
    max_cost_usd: float | None = None
    max_audio_minutes: int | None = None
    overdraft_usd: float | None = None
    max_stored_mb: int | None = None
    keep_query_hours: int | None = None


class Account(Policy):
    id: str
    name: str
    created_at: datetime
    balance_usd: float
    held_usd: float
    exposed_usd: float = 0
    low_balance_usd: float | None = None
    """Below this, the event `balance.low` is sent."""


class AccountList(Page):
    accounts: list[Account]


class TransferLine(Answer):
    """One movement of money."""

    id: str
    kind: Literal["topup", "settle", "refund", "adjust"] | str
    account_id: str
    amount_usd: float
    request_id: str | None
    key_id: str | None
    reason: str | None
    tool: str | None = None
    provider: str | None = None
    asked: str | None = None
    balance_after_usd: float | None = None
    created_at: datetime


class TransferList(SearchedPage):
    transfers: list[TransferLine]


class Key(Policy):
    id: str
    account_id: str
    name: str
    display: str
    created_at: datetime
    revoked_at: datetime | None
    last_used_at: datetime | None
    expires_at: datetime | None
    daily_cap_usd: float | None
    monthly_cap_usd: float | None
    previous_until: datetime | None = None
    used_today_usd: float | None = None
    used_this_month_usd: float | None = None
    own_use_only: bool = False


class NewKey(Key):
    """A new key. `key` is the secret itself, shown only once."""

    key: str


class KeyList(Answer):
    keys: list[Key]


class RequestAttempt(Model):
    """One call to a provider."""

    provider: str
    outcome: str
    latency_ms: float
    status: int | None
    message: str | None


class RequestCostPart(Model):
    provider: str
    cost_usd: float
    basis: Literal["reported", "list"] | str


class RequestLine(Answer):
    """One request as the gateway logged it."""

    id: str
    answer_id: str | None = None
    account_id: str
    key_id: str
    tool: str
    provider: str | None
    asked: str | None = None
    asked_until: datetime | None = None
    tags: dict[str, str] = {}
    status: int
    error_type: str | None
    error_message: str | None = None
    warnings: int
    warning_details: list[RequestWarning] = []
    attempts: list[RequestAttempt] = []
    delivered: int | None = None
    replay_of: str | None = None
    held_usd: float | None = None
    cost_usd: float
    cost_basis: Literal["reported", "list"] | str | None = None
    cost_parts: list[RequestCostPart] = []
    reported_cost_usd: float | None
    latency_ms: float
    created_at: datetime


class RequestList(SearchedPage):
    requests: list[RequestLine]


class AuditActor(Model):
    kind: Literal["operator_token", "person", "command_line", "bootstrap"] | str
    id: str | None
    name: str | None


class AuditEntry(Model):
    """One change: who made it, and the changed fields before and after."""

    id: str
    created_at: datetime
    actor: AuditActor
    address: str | None
    account_id: str | None
    action: str
    target: str
    before: dict[str, Any] | None
    after: dict[str, Any] | None


class AuditList(SearchedPage):
    entries: list[AuditEntry]


class UsageReport(Answer):
    by: str
    usage: list[UsageLine]


class JobStep(Model):
    at: datetime
    attempt: int
    attempt_status: AttemptStatus


class JobLine(Model):
    """One job as the operator sees it, without its transcript."""

    id: str
    account_id: str
    key_id: str
    provider: str
    model: str
    status: JobStatus
    attempt: int
    attempt_status: AttemptStatus
    provider_job_id: str | None
    audio_host: str
    cost_usd: float
    error: JobError | None
    created_at: datetime
    submitted_at: datetime | None
    updated_at: datetime
    finished_at: datetime | None
    deadline_at: datetime
    steps: list[JobStep]


class JobList(SearchedPage):
    jobs: list[JobLine]


class Budget(Answer):
    """What the requests with a tag value may spend. None is no cap."""

    tag: str
    value: str
    daily_cap_usd: float | None
    monthly_cap_usd: float | None
    today_usd: float
    this_month_usd: float
    created_at: datetime


class BudgetList(Answer):
    budgets: list[Budget]


class Webhook(Answer):
    """An endpoint that receives events, without its secret."""

    id: str
    account_id: str | None
    """None for an endpoint of the gateway itself."""
    url: str
    events: list[EventType]
    description: str
    paused: bool
    old_secret_until: datetime | None
    created_at: datetime
    updated_at: datetime


class NewWebhook(Webhook):
    """`secret` signs the deliveries; it is shown only once."""

    secret: str


class WebhookList(Page):
    webhooks: list[Webhook]


class WebhookDelivery(Answer):
    id: str
    event_id: str
    """The webhook-id header: the same in every attempt."""
    event: EventType
    subject: str
    account_id: str | None
    webhook_id: str | None
    """None if the request named the address."""
    url: str
    state: Literal["pending", "delivered", "failed"] | str
    attempts: int
    last_status: int | None
    last_error: str | None
    created_at: datetime
    last_attempt_at: datetime | None
    next_attempt_at: datetime | None
    finished_at: datetime | None


class DeliveryList(SearchedPage):
    deliveries: list[WebhookDelivery]


class WebhookSecret(Answer):
    """Signs deliveries to the address that a request names."""

    account_id: str
    secret: str
    old_secret_until: datetime | None


class Removed(Answer):
    id: str
