"""The gateway's answers to its operator: accounts, keys, balances, requests and jobs.

Written by scripts/clients.ts from the API description: do not edit.
"""

from datetime import datetime
from typing import Any, ClassVar, Literal

from ._model import AccountEvent as AccountEvent
from ._model import Answer as Answer
from ._model import EventType as EventType
from ._model import GatewayEvent as GatewayEvent
from ._model import Listing as Listing
from ._model import Model as Model
from ._model import Page as Page
from ._model import SearchedPage as SearchedPage
from .models import RequestWarning
from .models import JobError
from .models import UsageSums
from .models import UsageLine
from .models import JobStatus
from .models import AttemptStatus


class Policy(Answer):
    """What requests may do. None sets no limit."""

    blocked_domains: list[str] | None = None
    """Pages from these domains and their subdomains are removed from results and not extracted."""
    allowed_domains: list[str] | None = None
    """Only pages from these domains and their subdomains; None for all."""
    tools: list[Literal["search", "extract", "transcription"] | str] | None = None
    """The only tools that may be used; None for all."""
    providers: list[str] | None = None
    """The only providers that may be used; None for all."""
    requests_per_minute: int | None = None
    """Requests per minute, over all gateways; further ones get a 429."""
    requests_at_once: int | None = None
    """Requests in progress, over all gateways; further ones get a 429."""
    max_cost_usd: float | None = None
    """The maximum cost of one request; a request that could cost more gets a 400."""
    max_audio_minutes: int | None = None
    """The length to assume for a recording of unknown length, in minutes. It can only lower
    TRIVIUM_MAX_AUDIO_MINUTES."""
    overdraft_usd: float | None = None
    """How far below zero open transcriptions may take the balance. For an account it replaces
    TRIVIUM_OVERDRAFT_USD; for a key it can only lower it."""
    max_stored_mb: int | None = None
    """How much the account may store, in MiB: uploads, transcripts, stored answers and tags. A key
    cannot store more once the account has reached the key's limit. It can only lower
    TRIVIUM_MAX_STORED_MB."""
    keep_query_hours: int | None = None
    """How long the text of queries is kept; 0 keeps none, None uses the gateway's setting."""
    content: Literal["annotate", "clean", "block"] | str | None = None
    """What to do with suspicious text from the web: annotate reports it in warnings, clean also
    removes hidden content, block removes the result. A request can ask for a stricter mode; None
    checks nothing."""


class Account(Policy):
    """An account, its balance and its policy."""

    id: str
    """The id of an account."""
    name: str
    """A name for people to read."""
    created_at: datetime
    """When the account was created."""
    balance_usd: float
    """Available to spend, without held amounts."""
    held_usd: float
    """Held for requests in progress."""
    exposed_usd: float = 0
    """What open transcriptions could cost beyond their holds, if the recordings are long."""
    low_balance_usd: float | None = None
    """Below this, the event balance.low is sent."""


class AccountList(Page[Account]):
    """A page of accounts."""

    _items: ClassVar[str] = "accounts"
    accounts: list[Account]
    """Newest first."""


class TransferLine(Answer):
    """A line of the ledger."""

    id: str
    """The id of the line."""
    kind: Literal["topup", "settle", "refund", "adjust"] | str
    """Why money moved."""
    account_id: str
    """The id of an account."""
    amount_usd: float
    """The change to the balance; negative for a charge."""
    request_id: str | None = None
    """The request or job it belongs to."""
    key_id: str | None = None
    """The key that was charged."""
    reason: str | None = None
    """The reason that the operator gave."""
    tool: Literal["search", "extract", "transcription"] | str | None = None
    """The tool that was paid for; None if unknown."""
    provider: str | None = None
    """The provider that served it."""
    asked: str | None = None
    """The beginning of the query, while it is kept."""
    simulated: bool
    """Whether a simulated provider answered, so that results were invented."""
    balance_after_usd: float | None = None
    """The balance after this line, in the list of one account."""
    created_at: datetime
    """When it was recorded."""


class Key(Policy):
    """An API key, without its secret."""

    id: str
    """The id of an API key."""
    account_id: str
    """The id of an account."""
    name: str
    """A name for people to read."""
    display: str
    """The first characters; the key itself is not stored."""
    created_at: datetime
    """When the key was created."""
    revoked_at: datetime | None = None
    """When it was revoked; None while it is valid."""
    last_used_at: datetime | None = None
    """When it was last used, up to a minute late; None if never."""
    previous_until: datetime | None = None
    """Until when the secret from before the last rotation works; None if it no longer works."""
    used_today_usd: float | None = None
    """Spent and held in this UTC day."""
    used_this_month_usd: float | None = None
    """Spent and held in this month, in UTC."""
    expires_at: datetime | None = None
    """From this time on, requests with the key get a 401."""
    daily_cap_usd: float | None = None
    """The maximum it may spend and hold in a UTC day."""
    monthly_cap_usd: float | None = None
    """The maximum it may spend and hold in a calendar month, in UTC."""
    own_use_only: bool = False
    """Whether it sees only its own usage and jobs, not those of the whole account."""


class NewKey(Key):
    """A new API key with its secret."""

    key: str
    """Shown only once."""


class KeyList(Listing[Key]):
    """The keys of an account."""

    _items: ClassVar[str] = "keys"
    keys: list[Key]
    """Active ones first, and each the newest first."""


class Budget(Answer):
    """The budget of the requests with a tag value."""

    tag: str
    """The name of a tag, such as team."""
    value: str
    """A value of the tag, such as search."""
    daily_cap_usd: float | None = None
    """The maximum they may spend and hold in a UTC day; None for no cap."""
    monthly_cap_usd: float | None = None
    """The maximum they may spend and hold in a calendar month, in UTC; None for no cap."""
    today_usd: float
    """Spent and held today, in UTC."""
    this_month_usd: float
    """Spent and held this month, in UTC."""
    created_at: datetime
    """When the budget was first set."""


class BudgetList(Listing[Budget]):
    """The budgets of an account."""

    _items: ClassVar[str] = "budgets"
    budgets: list[Budget]
    """Ordered by tag and value."""


class SavedView(Answer):
    """A named address of a list in the dashboard."""

    id: str
    """The id of the view."""
    account_id: str
    """The id of an account."""
    name: str
    """Its name, which no other view of the page has."""
    page: Literal["/requests", "/jobs", "/usage", "/webhooks", "/billing", "/audit"] | str
    """The page of the dashboard."""
    query: str
    """The filters, the columns and the order of the list, as in the address of the page."""
    created_at: datetime
    """When the view was saved."""
    updated_at: datetime
    """When the view was last changed."""


class ViewList(Listing[SavedView]):
    """The saved views of an account."""

    _items: ClassVar[str] = "views"
    views: list[SavedView]
    """Ordered by name; at most 100."""


class RequestAttempt(Model):
    """One call to a provider."""

    provider: str
    """The provider that was called."""
    outcome: str
    """answered, no_results, or why the provider refused."""
    started_ms: int | None = None
    """When it began, in milliseconds after the request arrived; None if that is unknown, as in rows
    of older versions."""
    queued_ms: int | None = None
    """How much of latency_ms it waited for a free slot; None where started_ms is."""
    latency_ms: int
    """How long it took, including any time in the queue."""
    status: int | None = None
    """The provider's status, if it refused with one."""
    message: str | None = None
    """The provider's reason, if it refused."""


class RequestCostPart(Model):
    """The cost of one provider."""

    provider: str
    """The provider that was paid."""
    cost_usd: float
    """What it cost, in US dollars."""
    basis: Literal["reported", "list"] | str
    """Reported by the provider, or the list price."""


class AuditActor(Model):
    """Who made a change."""

    kind: Literal["operator_token", "person", "command_line", "bootstrap"] | str
    """The operator token, a signed-in person, the command line, or the start of a gateway."""
    id: str | None = None
    """The id of the person; None for all others."""
    name: str | None = None
    """The address of the person at that time."""


class RequestNote(Answer):
    """A note on a request."""

    id: str
    """The id of the note."""
    request_id: str
    """The request it is about."""
    author: AuditActor
    """Who wrote it."""
    text: str
    """The note, as plain text. It is deleted with the request."""
    created_at: datetime
    """When it was written."""
    updated_at: datetime
    """When it was last changed."""


class RequestLine(Answer):
    """A request in the log."""

    id: str
    """The id of the request."""
    answer_id: str | None = None
    """The id in its answer, or of its job."""
    account_id: str
    """The id of an account."""
    key_id: str
    """The id of an API key."""
    tool: Literal["search", "extract", "transcription"] | str
    """What was requested."""
    provider: str | None = None
    """None if no provider was chosen."""
    routing: str | None = None
    """Why auto chose the provider, if it chooses by quality; else None."""
    asked: str | None = None
    """The query, the pages, one per line, or the recording; None once it is deleted."""
    parameters: dict[str, Any] | None = None
    """The other parameters as they were sent; None if there were none, or once they are deleted."""
    asked_until: datetime | None = None
    """When that text and the parameters are deleted."""
    tags: dict[str, str] = {}
    """The tags of the request."""
    outcome: Literal["served", "refused", "failed"] | str
    """served, refused by the gateway, or failed in a provider or the gateway."""
    status: int
    """The status of the response."""
    error_type: str | None = None
    """None for a success."""
    error_message: str | None = None
    """The error message; None for a success."""
    warnings: int
    """How many warnings the response had."""
    warning_details: list[RequestWarning] = []
    """The warnings; at most 40."""
    attempts: list[RequestAttempt] = []
    """Each call to a provider, in order; at most 60."""
    delivered: int | None = None
    """How many results or pages it had."""
    replay_of: str | None = None
    """The request whose stored answer was sent again, free of charge."""
    simulated: bool
    """Whether a simulated provider answered, so that results were invented."""
    from_cache: bool
    """Whether all of it came from the cache, free of charge."""
    held_usd: float | None = None
    """The maximum cost, held before the call."""
    cost_usd: float
    """The amount charged, in US dollars."""
    cost_basis: Literal["reported", "list", "mixed"] | str | None = None
    """Reported by the provider, the list price, or mixed: see cost_parts. None if nothing was
    charged."""
    cost_parts: list[RequestCostPart] = []
    """By provider, if several were paid."""
    reported_cost_usd: float | None = None
    """The cost the provider reported."""
    latency_ms: int
    """How long it took, in milliseconds."""
    created_at: datetime
    """When it arrived."""
    notes: list[RequestNote]
    """What people noted on it, oldest first; at most 20."""


class RequestList(SearchedPage[RequestLine]):
    """A page of the request log."""

    _items: ClassVar[str] = "requests"
    requests: list[RequestLine]
    """Newest first, or as sort says."""


class ErrorKind(Model):
    """Errors of the same kind."""

    error_type: str | None = None
    """The type of the error."""
    status: int
    """The status of the response."""
    outcome: Literal["served", "refused", "failed"] | str
    """refused by the gateway, or failed."""
    tool: Literal["search", "extract", "transcription"] | str
    """What was requested."""
    provider: str | None = None
    """None if no provider was chosen."""
    count: int
    """How many requests."""
    first_seen_at: datetime
    """When the first of them arrived."""
    last_seen_at: datetime
    """When the last of them arrived."""
    last_request_id: str
    """The last of them."""
    last_message: str | None = None
    """Its error message."""


class ErrorKindList(Listing[ErrorKind]):
    """The errors of the request log by kind."""

    _items: ClassVar[str] = "errors"
    errors: list[ErrorKind]
    """Most frequent first; at most 100."""
    searched_until: datetime | None = None
    """Set if there are older requests, which were not examined."""


class RequestAnswer(Answer):
    """The answer to a request in the log."""

    id: str
    """The id of the request."""
    answer: str | None = None
    """The answer as it was sent, a JSON text, or the first 262,144 characters of it; None if it is
    not kept. TRIVIUM_KEEP_ANSWER_HOURS sets how long answers are kept."""
    truncated: bool
    """Whether only the beginning of the answer is kept."""
    kept_until: datetime | None = None
    """When the answer is deleted."""


class Found(Model):
    """Something with a name or an id."""

    kind: Literal["request", "job", "key", "account", "person"] | str
    """What it is."""
    id: str
    """Its id."""
    account_id: str | None = None
    """Its account; None for an operator."""
    name: str | None = None
    """Its name, or what was asked; None if it has none."""


class FoundList(Listing[Found]):
    """What was found."""

    _items: ClassVar[str] = "found"
    found: list[Found]
    """At most 10 of each kind, newest first."""


class TransferList(SearchedPage[TransferLine]):
    """A page of the ledger."""

    _items: ClassVar[str] = "transfers"
    transfers: list[TransferLine]
    """Newest first."""


class UsageReport(Answer):
    """Usage, added up by group."""

    by: str
    """What it is grouped by."""
    usage: list[UsageLine]
    """One line for each group."""
    total: UsageSums
    """All requests of the range. By tag, a request with two tags is in two lines."""
    previous: UsageSums | None = None
    """In the previous range, with compare."""


class UsageTotal(Model):
    """In the range."""

    requests: int
    """How many requests."""
    cost_usd: float
    """The amount charged, in US dollars."""


class UsageCause(Model):
    """What accounts for at least a third of the change."""

    by: Literal["key", "provider", "tag"] | str
    """Whether it is a key, a provider or a tag."""
    group: str
    """The id of the key or provider, or the tag, such as team=search."""
    requests: int
    """How many more requests; negative if there were fewer."""
    cost_usd: float
    """How much more was charged, in US dollars; negative if less."""


class UsageComparison(Answer):
    """The change of usage between two ranges."""

    since: datetime
    """The start of the range."""
    until: datetime
    """The end of what is compared: now, if the range is not over."""
    previous_since: datetime
    """The start of the range before, which is as long."""
    previous_until: datetime
    """The end of what it is compared with."""
    total: UsageTotal
    """In the range."""
    previous: UsageTotal
    """In the range before."""
    causes: list[UsageCause]
    """Keys, then providers, then tags; of each at most two, the larger one first."""
    not_compared: list[Literal["key", "provider", "tag"] | str]
    """What cannot be compared, because the range has too many requests or groups, or begins before
    the request log."""


class QualityWeek(Model):
    """The quality of one week."""

    week: str
    """The Monday of the week, in UTC."""
    mean: float
    """The mean, from 0 to 1."""
    lower: float
    """The lower bound of the 95 percent interval."""
    upper: float
    """The upper bound of that interval."""
    observations: float
    """How many searches it is based on; over several accounts, their combined weight."""


class QualityChange(Model):
    """A day on which the quality clearly changed."""

    day: str
    """The first day with the new quality."""
    before: float
    """The mean before, since the previous change."""
    after: float
    """The mean after, until the next change."""


class MeasuredQuality(Model):
    """A quality with its interval, its weeks and its changes."""

    mean: float
    """The mean, from 0 to 1."""
    lower: float
    """The lower bound of the 95 percent interval."""
    upper: float
    """The upper bound of that interval."""
    observations: float
    """How many searches it is based on; over several accounts, their combined weight."""
    weeks: list[QualityWeek]
    """The weeks with observations, oldest first."""
    changes: list[QualityChange]
    """Oldest first."""


class ScorecardLine(Model):
    """One engine, or one engine in one group of searches."""

    provider: str
    """The engine."""
    group: str
    """The language, category or freshness; empty for none, and by provider."""
    agreement: MeasuredQuality | None = None
    """How much its answers agree with those of other engines to the same searches; None if they
    were not compared."""
    feedback: MeasuredQuality | None = None
    """The feedback of callers about its results, on another scale; None if there is none."""
    calls: int
    """How many calls the following figures are based on."""
    failures: int
    """How many of them failed."""
    price_usd: float | None = None
    """The average cost of a call, in US dollars."""
    latency_ms: float | None = None
    """The average duration of a call."""
    useful: int
    """Results that callers cited or opened."""
    useful_price_usd: float | None = None
    """The average cost of such a result, over the searches with feedback; None if there is none."""


class Scorecard(Answer):
    """The measured quality, price, latency and failures of search engines."""

    account_id: str | None = None
    """The account; None for all accounts. Each account then has the same weight in the quality."""
    by: Literal["provider", "language", "category", "freshness"] | str
    """What the lines are grouped by."""
    first_day: str
    """The first day, in UTC."""
    last_day: str
    """The last day."""
    lines: list[ScorecardLine]
    """By provider and group; at most 20 groups."""


class JobStep(Model):
    """One state of a submission."""

    at: datetime
    """When it happened."""
    attempt: int
    """Which submission, counted from 1."""
    attempt_status: AttemptStatus
    """The state it reached."""


class EarlyEnd(Model):
    """Where the transcript ends, if it is much shorter than its recording."""

    heard_seconds: float
    """Where the last word or sound ends."""
    duration_seconds: float
    """How long the recording is."""


class JobLine(Model):
    """A job in a list."""

    id: str
    """The id of the job."""
    account_id: str
    """The id of an account."""
    key_id: str
    """The id of an API key."""
    provider: str
    """The provider that transcribes it."""
    model: str
    """The model of the provider."""
    status: JobStatus
    """The progress of the job."""
    attempt: int
    """How many times the job was submitted, including this one."""
    attempt_status: AttemptStatus
    """The progress of the latest submission."""
    provider_job_id: str | None = None
    """The id that the provider gave it."""
    audio_host: str | None = None
    """The host of the recording, without the rest of its URL; None if the stored request cannot be
    read."""
    file_name: str | None = None
    """The name of the recording's file; None if it is not known."""
    duration_seconds: float | None = None
    """The length of the recording: as the provider measured it, before that as an uploaded file
    states it; None if it is not known."""
    cost_usd: float
    """The amount charged, in US dollars."""
    error: JobError | None = None
    """Set once the job has failed."""
    created_at: datetime
    """When the job was accepted."""
    submitted_at: datetime | None = None
    """When it was submitted to the provider."""
    updated_at: datetime
    """When its state last changed."""
    finished_at: datetime | None = None
    """Set once the job is completed or has failed."""
    deadline_at: datetime
    """When the job fails if it has not finished."""
    steps: list[JobStep]
    """Every state its attempts went through, oldest first."""
    simulated: bool
    """Whether a simulated provider answered, so that results were invented."""
    has_raw: bool
    """Whether the provider's document is available."""
    unread_words: int
    """How many words were left out because the provider reported them incompletely."""
    ends_early: EarlyEnd | None = None
    """Set if the last word ends long before the recording does."""


class JobList(SearchedPage[JobLine]):
    """A page of jobs."""

    _items: ClassVar[str] = "jobs"
    jobs: list[JobLine]
    """Newest first."""


class JobRecording(Answer):
    """Where the recording of a job can be heard."""

    audio_url: str | None = None
    """The address of the recording; None once an upload is deleted, or if the address is
    withheld."""
    withheld: bool
    """Whether the address is signed, and the caller may only view the account."""


class OverviewPoint(Model):
    """The requests of an hour or a day."""

    at: str
    """The start of the hour, day or week."""
    until: str
    """Its end, which is not included."""
    requests: int
    """How many requests."""
    served: int
    """How many of them were answered."""
    refused: int
    """How many of them the gateway refused."""
    failed: int
    """How many of them failed in a provider or in the gateway."""
    failures: int
    """The same as failed, for clients of earlier versions."""
    cost_usd: float
    """The amount charged, in US dollars."""


class OverviewGroup(Model):
    """The requests of a tool, a provider or a key."""

    group: str
    """The tool, provider or key."""
    requests: int
    """How many requests."""
    served: int
    """How many of them were answered."""
    refused: int
    """How many of them the gateway refused."""
    failed: int
    """How many of them failed in a provider or in the gateway."""
    failures: int
    """The same as failed, for clients of earlier versions."""
    cost_usd: float
    """The amount charged, in US dollars."""


class CostSeries(Model):
    """The cost of a provider or a key at each point of the chart."""

    group: str | None = None
    """The provider or key; None for all others together."""
    cost_usd: list[float]
    """The amount charged, one for each point."""


class Latency(Model):
    """Requests and how long they took."""

    requests: int
    """How many requests were measured."""
    failures: int
    """How many of them failed."""
    p50_ms: float | None = None
    """The median, in milliseconds."""
    p95_ms: float | None = None
    """The 95th percentile, in milliseconds."""


class ProviderLatency(Latency):
    """How long requests to a provider took."""

    id: str
    """The id of the provider."""


class ProviderLatencySeries(Model):
    """The latency of a provider at each point of the chart."""

    id: str
    """The id of the provider."""
    p50_ms: list[float | None]
    """The median, one for each point; None without requests."""
    p95_ms: list[float | None]
    """The 95th percentile, one for each point."""


class Overview(Answer):
    """An account over a time range."""

    span: Literal["24h", "7d", "30d", "90d"] | str
    """The time range."""
    zone: str
    """The time zone of the days: the requested one, or UTC if the range has more than 50,000
    requests or begins before the request log."""
    balance_usd: float
    """Available to spend, without held amounts."""
    held_usd: float
    """Held for requests in progress."""
    total: UsageSums
    """All requests of the time range."""
    previous: UsageSums
    """The same for the previous time range, up to the same hour of its last day."""
    points: list[OverviewPoint]
    """The same by hour, by day, or for 90 days by week; oldest first."""
    by_tool: list[OverviewGroup]
    """The same by tool."""
    by_provider: list[OverviewGroup]
    """The same by provider."""
    by_key: list[OverviewGroup]
    """The same by key."""
    cost_by_provider: list[CostSeries]
    """Cost over time of the six largest providers."""
    cost_by_key: list[CostSeries]
    """Cost over time of the six largest keys."""
    latency: Latency
    """Latency over the time range, from a sample of each point."""
    latency_by_provider: list[ProviderLatency]
    """The same by provider."""
    latency_over_time: list[ProviderLatencySeries]
    """Latency of the six busiest providers, from a sample of each point."""


class Activity(Answer):
    """A version of the account's state, to compare with an earlier one."""

    version: str
    """A value that changes when a request is logged, a job or an incident changes its state, or
    money is booked."""


class IncidentGap(Model):
    started_at: datetime
    """When a success interrupted it."""
    ended_at: datetime
    """When it failed again."""


class Incident(Answer):
    """Something that fails or is used up, from its start to its end."""

    id: str
    """The id of the incident."""
    kind: str
    """What it is about."""
    severe: bool
    """Whether requests are failing or refused because of it."""
    account_id: str | None = None
    """None if it concerns the whole gateway."""
    subject: str
    """The provider, key, tag and value, endpoint, address, job or account."""
    message: str
    """What is wrong, without times."""
    reason: str | None = None
    """Why it failed last, such as “status 500”."""
    started_at: datetime | None = None
    """When it began: with the first failure, or with the day or month of a cap. None if unknown."""
    ended_at: datetime | None = None
    """When the next success ended it; None while it is open. A limit is listed only while it is
    reached."""
    gaps: list[IncidentGap]
    """When it was interrupted by successes, for less than an hour each; the latest 100."""
    requests: int | None = None
    """How many requests, jobs or deliveries it affected; None if they are not counted."""
    cost_usd: float | None = None
    """What these requests were charged: a failed one costs nothing, one that another provider
    served does. Of a cap or a budget, how much of it is used."""
    muted: bool
    """Whether a person has muted it."""
    note: str | None = None
    """What a person has noted about it."""
    changed_by: str | None = None
    """Who muted it or wrote the note last."""
    changed_at: datetime | None = None
    """When that was."""


class IncidentList(SearchedPage[Incident]):
    """A page of incidents."""

    _items: ClassVar[str] = "incidents"
    incidents: list[Incident]
    """Newest first, after the limits that are reached now."""


class AuditEntry(Model):
    """A change in the audit log; it never contains secrets."""

    id: str
    """The id of the entry."""
    created_at: datetime
    """When the change was made."""
    actor: AuditActor
    address: str | None = None
    """The IP address of the caller, if there was one."""
    account_id: str | None = None
    """None for changes of the whole gateway."""
    action: str
    """What was done."""
    target: str
    """The id of what was changed."""
    before: dict[str, Any] | None = None
    """The changed fields as they were; None for something new."""
    after: dict[str, Any] | None = None
    """The changed fields as they are; None for something removed."""


class AuditList(SearchedPage[AuditEntry]):
    """A page of the audit log."""

    _items: ClassVar[str] = "entries"
    entries: list[AuditEntry]
    """Newest first."""


class PersonLine(Model):
    """A person who can sign in."""

    id: str
    """The id of the person."""
    name: str
    """The name to show."""
    email: str
    """The address to sign in with."""
    role: Literal["operator", "member", "viewer"] | str
    """An operator can do everything; a member belongs to one account; a viewer can read one account
    and change nothing."""
    account_id: str | None = None
    """None for an operator."""
    created_at: str
    """When the person joined."""


class Invite(Model):
    """An open invitation."""

    id: str
    """The id of the invitation."""
    label: str | None = None
    """The person or purpose it is for."""
    role: Literal["operator", "member", "viewer"] | str
    """An operator can do everything; a member belongs to one account; a viewer can read one account
    and change nothing."""
    account_id: str | None = None
    """None for an operator."""
    created_at: datetime
    """When the link was created."""
    expires_at: datetime | None = None
    """When the link stops working."""


class PeopleList(Listing[PersonLine]):
    """People and open invitations."""

    _items: ClassVar[str] = "people"
    people: list[PersonLine]
    """Everyone who can sign in."""
    invites: list[Invite]
    """Invitations that have not been accepted yet."""


class Person(Answer):
    """A person who can sign in."""

    id: str
    """The id of the person."""
    name: str
    """The name to show."""
    email: str
    """The address to sign in with."""
    role: Literal["operator", "member", "viewer"] | str
    """An operator can do everything; a member belongs to one account; a viewer can read one account
    and change nothing."""
    account_id: str | None = None
    """None for an operator."""


class Removed(Answer):
    """The object was removed."""

    id: str
    """What was removed."""


class ResetLink(Answer):
    """A link for choosing a new password."""

    token: str
    """Part of the link; shown only once."""
    expires_at: datetime
    """When the link stops working."""


class NewInvite(Answer):
    """An invitation with the secret of its link."""

    id: str
    """The id of the invitation."""
    label: str | None = None
    """The person or purpose it is for."""
    role: Literal["operator", "member", "viewer"] | str
    """An operator can do everything; a member belongs to one account; a viewer can read one account
    and change nothing."""
    account_id: str | None = None
    """None for an operator."""
    created_at: datetime
    """When the link was created."""
    expires_at: datetime | None = None
    """When the link stops working."""
    token: str
    """Part of the link; shown only once."""


class SettingLine(Model):
    """A setting and its value."""

    name: str
    """The environment variable."""
    value: str | None = None
    """The value that applies; None if there is none or if hidden."""
    is_set: bool
    """False if the value is the default."""
    is_secret: bool
    """Whether the value is hidden."""
    provider: str | None = None
    """The provider it belongs to; None for the gateway."""


class SettingsView(Answer):
    """The settings of this gateway; secrets are hidden."""

    version: str
    """The version of the gateway."""
    mode: Literal["live", "sandbox"] | str
    """Whether the sandbox simulates every vendor."""
    store: Literal["sqlite", "postgres"] | str
    """The kind of store."""
    settings: list[SettingLine]
    """Every setting, those of the gateway first."""


class ProviderRecord(Model):
    """Recent requests to a provider."""

    requests: int
    """How many requests were measured."""
    failures: int
    """How many of them failed."""
    p50_ms: float | None = None
    """The median, in milliseconds."""
    p95_ms: float | None = None
    """The 95th percentile, in milliseconds."""
    id: str
    """The id of the provider."""


class ProviderRecordList(Listing[ProviderRecord]):
    """Recent latency and failures of the providers."""

    _items: ClassVar[str] = "records"
    records: list[ProviderRecord]
    """One entry for each provider in use."""


class ProviderHour(Model):
    """An hour of a provider, over all accounts."""

    at: datetime
    """The beginning of the hour, in UTC."""
    served: int
    """Requests that were served."""
    failed: int
    """Requests that failed."""
    mean_ms: int | None = None
    """The mean latency of its answers; None for transcriptions, which are jobs."""


class ProviderHourList(Listing[ProviderHour]):
    """How often and how fast a provider answered, by hour."""

    _items: ClassVar[str] = "hours"
    provider: str
    """The provider."""
    hours: list[ProviderHour]
    """The last 30 days, oldest first; hours without requests are left out."""


class ProviderCheck(Answer):
    """The outcome of one real call."""

    provider: str
    """The provider that was called."""
    ok: bool
    """Whether the call succeeded."""
    latency_ms: int
    """How long it took, in milliseconds."""
    message: str
    """What happened, in one sentence."""


class Webhook(Answer):
    """An endpoint that receives events, without its secret."""

    id: str
    """The id of an endpoint."""
    account_id: str | None = None
    """None for an endpoint of the gateway itself."""
    url: str
    """Where events are sent."""
    events: list[EventType]
    """What is sent."""
    description: str
    """A note for people to read."""
    paused: bool
    """While paused, events are kept and not sent."""
    old_secret_until: datetime | None = None
    """Until then, deliveries are also signed with the previous secret."""
    created_at: datetime
    """When the endpoint was created."""
    updated_at: datetime
    """When it was last changed."""


class NewWebhook(Webhook):
    """An endpoint with a new secret."""

    secret: str
    """Signs the deliveries: whsec_ and base64. Shown only once."""


class WebhookList(Page[Webhook]):
    """A page of endpoints."""

    _items: ClassVar[str] = "webhooks"
    webhooks: list[Webhook]
    """Newest first."""


class WebhookDelivery(Answer):
    """The delivery of one event to one address."""

    id: str
    """The id of a delivery."""
    event_id: str
    """The webhook-id header: the same in every attempt."""
    event: EventType
    """What happened."""
    subject: str
    """The job, key, account, provider or endpoint it is about."""
    account_id: str | None = None
    """None for an event of the gateway itself."""
    webhook_id: str | None = None
    """None if x-trivium-webhook named the address."""
    url: str
    """Where it is sent."""
    state: Literal["pending", "delivered", "failed"] | str
    """failed once all attempts have failed."""
    attempts: int
    """How many times it was sent."""
    last_status: int | None = None
    """The status of the latest answer."""
    last_error: str | None = None
    """Why the latest attempt did not succeed."""
    created_at: datetime
    """When the event happened."""
    last_attempt_at: datetime | None = None
    """When it was last sent."""
    next_attempt_at: datetime | None = None
    """None when it has ended or is paused."""
    finished_at: datetime | None = None
    """When it was delivered, or when the gateway gave up."""


class DeliveryList(SearchedPage[WebhookDelivery]):
    """A page of the log of deliveries."""

    _items: ClassVar[str] = "deliveries"
    deliveries: list[WebhookDelivery]
    """Newest first."""


class DeliveryAttempt(Model):
    """One attempt to deliver an event."""

    number: int
    """1 for the first attempt."""
    at: datetime
    """When it was sent."""
    duration_ms: int
    """How long the attempt took."""
    status: int | None = None
    """The status of the answer; None without one."""
    error: str | None = None
    """Why it did not succeed; None for a success."""
    response_body: str | None = None
    """The first 2,048 bytes of the answer, if it is text. None for a receiver in a private network,
    whose answers are not read."""


class DeliveryDetail(WebhookDelivery):
    """A delivery with its payload and its attempts."""

    attempt_details: list[DeliveryAttempt]
    """The latest 20 finished attempts, oldest first."""
    payload: dict[str, Any] | None = None
    """The data of the event; None for a job, which is read when the event is sent."""


class WebhookSecret(Answer):
    """The secret that signs deliveries to the address in x-trivium-webhook."""

    account_id: str
    """The id of an account."""
    secret: str
    """Signs the deliveries: whsec_ and base64."""
    old_secret_until: datetime | None = None
    """Until then, deliveries are also signed with the previous secret."""
