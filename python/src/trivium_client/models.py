"""The answers of the gateway, as pydantic models that keep unknown fields.

Written by scripts/clients.ts from the API description: do not edit.
"""

from datetime import datetime
from typing import Any, ClassVar, Literal

from ._model import Answer as Answer
from ._model import ErrorType as ErrorType
from ._model import Model as Model
from ._model import ResponseMeta as ResponseMeta
from ._model import SearchedPage as SearchedPage
from ._model import ValidationIssue as ValidationIssue


WarningCode = Literal["param_ignored", "param_approximated", "results_post_filtered", "content_flagged"] | str
JobStatus = Literal["queued", "running", "completed", "failed"] | str
AttemptStatus = Literal["queued", "submitting", "waiting", "unknown", "completed", "failed"] | str


class SearchResult(Model):
    """One page that an engine found."""

    id: str
    """The same page has the same id."""
    url: str
    """As the engine returned it."""
    title: str | None = None
    """None when the engine reports none."""
    snippets: list[str]
    """Excerpts that match the query."""
    full_text: str | None = None
    """The text of the page, if requested."""
    summary: str | None = None
    """A summary of the page, if requested."""
    score: float | None = None
    """Higher is better; with fusion, how many engines returned the page."""
    score_synthesized: bool
    """True when the engine did not report the score itself."""
    published_date: str | None = None
    """YYYY-MM-DD, when known."""
    author: str | None = None
    """When known."""
    raw: Any = None
    """The result as the engine returned it."""


class RequestWarning(Model):
    """One way in which the request was adjusted for the provider that served it."""

    code: WarningCode
    """Dropped, approximated, or applied by the gateway after the provider responded; or, if content
    is checked, suspicious text."""
    param: str | None = None
    """The request field the warning is about, or the flagged text of the answer."""
    message: str
    """What was adjusted, in one sentence."""


class Usage(Model):
    """What the request cost."""

    cost_usd: float
    """The amount charged, in US dollars."""
    credits: float
    """The same cost in credits; one credit is 0.001 USD."""


class SearchResponse(Answer):
    """The results of a search."""

    id: str
    """The id of this search."""
    provider: str
    """The engine that served the request, or fusion."""
    results: list[SearchResult]
    """Best first."""
    warnings: list[RequestWarning]
    """How the request was adjusted; empty if it was not."""
    usage: Usage
    latency_ms: int
    """How long it took, in milliseconds."""


class ExtractResult(Model):
    """One extracted page."""

    url: str
    """The URL as requested."""
    final_url: str | None = None
    """The URL after redirects."""
    title: str | None = None
    """When known."""
    content: str | None = None
    """The whole page, in the requested format."""
    excerpts: list[str] | None = None
    """The parts about the query."""
    summary: str | None = None
    """A summary of the page, if requested."""
    published_date: str | None = None
    """YYYY-MM-DD, when known."""
    author: str | None = None
    """When known."""
    links: list[str] | None = None
    """URLs that the page links to, if requested."""
    images: list[str] | None = None
    """URLs of images on the page, if requested."""
    raw: Any = None
    """The page as the provider returned it."""


class ExtractFailure(Model):
    """A page that could not be extracted."""

    url: str
    """The URL as requested."""
    error: str
    """Why the page could not be extracted."""


class ExtractResponse(Answer):
    """The extracted pages."""

    id: str
    """The id of this extraction."""
    provider: str
    """The provider that served the request."""
    results: list[ExtractResult]
    """One entry for each extracted page."""
    failed: list[ExtractFailure]
    """One entry for each other page."""
    warnings: list[RequestWarning]
    """How the request was adjusted; empty if it was not."""
    usage: Usage
    latency_ms: int
    """How long it took, in milliseconds."""


class TranscriptionAccepted(Answer):
    """The receipt of a job."""

    id: str
    """The id of the job."""
    tool: Literal["transcription"] | str
    """Always transcription."""
    status: JobStatus
    """The progress of the job."""
    provider: str
    """The provider that transcribes it."""
    model: str
    """The model of the provider."""
    warnings: list[RequestWarning]
    """How the request was adjusted; empty if it was not."""
    created_at: datetime
    """When the job was accepted."""


class Upload(Answer):
    """A recording that the gateway keeps for transcription."""

    id: str
    """The id of the upload."""
    audio_url: str
    """Send it to POST /v1/transcriptions as audio_url. Anyone who knows it can listen."""
    bytes: int
    """The size of the file."""
    duration_seconds: int | None = None
    """Its length, rounded up, as stated in the file; None if it cannot be read. A job for it holds
    the price of this length."""
    expires_at: datetime
    """When it is deleted, unless a job still needs it; it is deleted earlier when its last job
    ends."""


class UploadDeleted(Answer):
    """The upload was deleted."""

    id: str
    """The id of the upload."""
    deleted: bool
    """Always true."""


class Word(Model):
    """One word and when it was said."""

    text: str
    """The word as the provider wrote it."""
    start: float
    """Seconds from the start of the recording."""
    end: float
    """Seconds from the start of the recording."""
    speaker_id: str | None = None
    """Who said it, if diarize was set; numbered in the order of appearance."""
    confidence: float | None = None
    """As the provider reports it; not comparable between providers."""


class Transcript(Model):
    """What was said."""

    text: str
    """The whole transcript as the provider wrote it; empty for silence."""
    language: str | None = None
    """Detected or requested."""
    duration_seconds: float | None = None
    """The length of the recording, when the provider reports a usable one."""
    words: list[Word] | None = None
    """Absent when timestamps was none."""
    provider: str
    """The provider that transcribed it."""
    model: str | None = None
    """The model of the provider."""
    usage: Usage | None = None


class JobError(Model):
    """Why a job failed."""

    type: Literal["provider_error", "audio_unreachable", "deadline_exceeded", "submission_unknown", "result_lost"] | str
    """The kind of failure."""
    message: str
    """What went wrong, in one sentence."""


class Job(Answer):
    """A transcription job in its current state."""

    id: str
    """The id of the job."""
    tool: Literal["transcription"] | str
    """Always transcription."""
    status: JobStatus
    """The progress of the job."""
    provider: str
    """The provider that transcribes it."""
    model: str | None = None
    """The model of the provider."""
    attempt_status: AttemptStatus
    """The progress of the latest submission to the provider."""
    created_at: datetime
    """When the job was accepted."""
    updated_at: datetime
    """When its state last changed."""
    finished_at: datetime | None = None
    """Set once the job is completed or has failed."""
    result: Transcript | None = None
    """Set once the job is completed."""
    error: JobError | None = None
    """Set once the job has failed."""


class RawDocument(Answer):
    """A document of a provider, as the gateway received it."""



class UsageSums(Model):
    """Requests and their cost, added up."""

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


class UsageDay(UsageSums):
    """The usage of one day."""

    day: str
    """The day, in UTC."""


class UsageLine(UsageSums):
    """The usage of one group."""

    group: str
    """The day, provider, key, tool, account or value of the tag; empty for none."""
    previous: UsageSums | None = None
    """In the previous range, with compare."""
    days: list[UsageDay] | None = None
    """Each day with usage, with interval."""


class StoredUse(Model):
    """What the account stores on the gateway."""

    bytes: int
    """All of it, in bytes."""
    max_bytes: int
    """How much the account may store."""
    uploads: int
    """Recordings."""
    answers: int
    """Answers stored under idempotency keys, and batches."""
    transcripts: int
    """Transcripts, and the documents they were made from."""
    tags: int
    """Tags of requests, approximately."""


class OwnUsage(Answer):
    """The usage of the account, or of the key, added up by group."""

    by: str
    """What it is grouped by."""
    usage: list[UsageLine]
    """One line for each group."""
    total: UsageSums
    """All requests of the range. By tag, a request with two tags is in two lines."""
    previous: UsageSums | None = None
    """In the previous range, with compare."""
    stored: StoredUse | None = None
    """What the account stores on the gateway."""


class JobSummary(Model):
    """A transcription job without its transcript."""

    id: str
    """The id of the job."""
    tool: Literal["transcription"] | str
    """Always transcription."""
    status: JobStatus
    """The progress of the job."""
    provider: str
    """The provider that transcribes it."""
    model: str | None = None
    """The model of the provider."""
    attempt_status: AttemptStatus
    """The progress of the latest submission to the provider."""
    created_at: datetime
    """When the job was accepted."""
    updated_at: datetime
    """When its state last changed."""
    finished_at: datetime | None = None
    """Set once the job is completed or has failed."""
    error: JobError | None = None
    """Set once the job has failed."""
    cost_usd: float
    """The amount charged, in US dollars."""


class OwnJobList(SearchedPage[JobSummary]):
    """A page of the jobs of the account, or of the key."""

    _items: ClassVar[str] = "jobs"
    jobs: list[JobSummary]
    """Newest first."""


class Balance(Answer):
    """The balance of an account."""

    balance_usd: float
    """Available to spend, in US dollars, without held amounts."""
    held_usd: float
    """Held for requests in progress."""
    exposed_usd: float = 0
    """What open transcriptions could cost beyond their holds, if the recordings are long."""
    credits: float
    """Available to spend, in credits; one credit is 0.001 USD."""


class ProviderRefusal(Model):
    """Why a provider did not serve a call."""

    kind: Literal["rate_limited", "unauthorized", "out_of_credit", "unavailable", "unreachable", "uncertain"] | str
    """rate_limited: too many calls; unauthorized: the credential was refused; out_of_credit: the
    operator’s vendor account has no credit left; unavailable: the vendor failed; unreachable: no
    connection; uncertain: no usable answer arrived in time."""
    status: int | None = None
    """The status of the vendor’s response, if there was one."""
    at: datetime
    """When it happened."""


class ProviderHealth(Model):
    """The health of a provider."""

    circuit: Literal["closed", "open", "half_open"] | str
    """closed: calls are allowed; open: repeated failures block calls; half_open: a few calls test
    the provider."""
    credentials: int
    """How many credentials are configured."""
    credentials_resting: int
    """How many of them are paused because the vendor recently refused them."""
    credentials_refused: int
    """How many of them were invalid or out of credit when they were last used. A call that succeeds
    proves that a credential works again."""
    retry_at: datetime | None = None
    """When an open circuit allows the next call."""
    last_refusal: ProviderRefusal | None = None
    """The latest call that failed because of the provider or its credential."""
    running: int
    """Calls in progress."""
    waiting: int
    """Calls queued behind the concurrency limit."""


class Capability(Model):
    support: Literal["native", "approximated", "post_filtered", "trimmed", "conditional", "ignored"] | str
    """How the provider supports this parameter."""
    note: str | None = None
    """The limits of that support."""


class ToolDescription(Model):
    """What a provider supports in one tool, and its prices."""

    capabilities: dict[str, Capability]
    """Keyed by parameter."""
    prices: dict[str, float]
    """Prices in US dollars."""
    surcharges: dict[str, float] | None = None
    """For a transcription, the prices per hour of audio that parameters or native options add to
    the price of the model."""


class ProviderTools(Model):
    """The tools that it supports; others are absent."""

    search: ToolDescription | None = None
    extract: ToolDescription | None = None
    transcription: ToolDescription | None = None


class SimulatedPeriod(Model):
    started_at: datetime
    """When it began."""
    ended_at: datetime | None = None
    """When it ended; None while it lasts."""


class ProviderOverlap(Model):
    """How much the results of two engines overlap."""

    provider: str
    """The other engine."""
    share: float
    """The share of their first ten results that both engines return, from 0 to 1."""
    searches: int
    """The number of fusion searches in which both returned pages."""


class ProviderDescription(Model):
    """A provider."""

    id: str
    """The id to use in requests."""
    name: str
    """The name of the vendor."""
    state: Literal["configured", "not_configured", "disabled"] | str
    """Whether this deployment can use it."""
    health: ProviderHealth | None = None
    """As seen by this gateway process; only when configured."""
    tools: ProviderTools
    """The tools that it supports; others are absent."""
    simulated: list[SimulatedPeriod] | None = None
    """When a live deployment used it at the address of a sandbox, so that its results were
    invented; absent if never. In sandbox mode every provider is simulated."""
    overlap: list[ProviderOverlap] | None = None
    """How much the results of this engine overlap with those of others, over all fusion searches
    since this gateway started; the largest overlap first. A pair appears after 20 searches."""


class AutoPlace(Model):
    provider: str
    """The provider."""
    reason: str
    """Why it has this position."""


class AutoOrder(Model):
    """The order in which auto tries the providers of a tool."""

    routing: Literal["order", "cheapest", "fastest", "weighted", "quality"] | str
    """How auto chooses on this deployment."""
    order: list[AutoPlace]
    """The configured providers, the first choice first."""


class AutoOrders(Model):
    """The order of auto, as this gateway sees it for a plain request."""

    search: AutoOrder
    extract: AutoOrder
    transcription: AutoOrder


class ProvidersResponse(Answer):
    """The providers."""

    mode: Literal["live", "sandbox"] | str
    """In sandbox mode every vendor is simulated, and results are invented."""
    providers: list[ProviderDescription]
    """Every provider, by id."""
    auto: AutoOrders | None = None
    """The order of auto, as this gateway sees it for a plain request."""


class Estimate(Answer):
    """The estimated cost of a request; no provider was called and nothing was charged."""

    tool: Literal["search", "extract", "transcription"] | str
    """The tool that would be used."""
    provider: str
    """The provider that would serve the request, or fusion."""
    calls: list[str]
    """Every provider that may be called."""
    max_cost_usd: float
    """The maximum cost. For a transcription, the price of the longest recording, or of the real
    length if the recording was uploaded."""
    held_usd: float
    """The amount held until it is done."""
    hour_cost_usd: float | None = None
    """For a transcription, the price of one hour of audio."""
    average_cost_usd: float | None = None
    """What paid requests of this account cost on average, with this tool and provider."""
    average_of: int
    """The number of requests in that average, among the last 1000 of the account."""
    balance_usd: float
    """Available to spend."""


class FeedbackResponse(Answer):
    """The feedback about the results of the search so far."""

    search_id: str
    """The id of the search."""
    cited: int
    """How many results of the search count as cited now."""
    opened: int
    """How many count as opened."""
    rejected: int
    """How many count as rejected."""
    unknown: list[str]
    """The entries of this request that are not results of the search."""


class CompletedJob(Job):
    """A completed job with its transcript, as `jobs.wait` returns it."""

    # Narrower than in a job; both are only read.
    status: Literal["completed"]  # pyright: ignore[reportIncompatibleVariableOverride]
    result: Transcript  # pyright: ignore
