"""What the gateway answers, as pydantic models that keep fields they do not know."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, PrivateAttr

# Values that a newer gateway may add to are plain strings that name those known today.
ErrorType = (
    Literal[
        "unauthorized",
        "invalid_request",
        "provider_not_available",
        "provider_not_configured",
        "provider_error",
        "not_found",
        "insufficient_credits",
        "rate_limited",
        "internal_error",
        "unknown",
    ]
    | str
)
JobStatus = Literal["queued", "running", "completed", "failed"] | str
AttemptStatus = (
    Literal["queued", "submitting", "waiting", "unknown", "completed", "failed"] | str
)
WarningCode = Literal["param_ignored", "param_approximated", "results_post_filtered"] | str


class Model(BaseModel):
    """A part of an answer. Fields this version does not know are in `model_extra`."""

    model_config = ConfigDict(extra="allow", protected_namespaces=())


@dataclass(frozen=True)
class ResponseMeta:
    """What the headers of an answer say."""

    request_id: str | None = None
    """The id under which the request is in the gateway's log."""
    replayed: bool = False
    """Whether this is the first answer again, given for a repeated Idempotency-Key."""
    cache: str | None = None
    """If the cache was used: hit with the age, joined, partial or miss."""


class Answer(Model):
    """A whole answer; `meta` holds its request id and its replay mark."""

    _meta: ResponseMeta = PrivateAttr(default_factory=ResponseMeta)

    @property
    def meta(self) -> ResponseMeta:
        return self._meta


class RequestWarning(Model):
    """One way in which the request was adjusted for its provider."""

    code: WarningCode
    param: str | None = None
    message: str


class Usage(Model):
    cost_usd: float
    credits: float


class SearchResult(Model):
    id: str
    url: str
    title: str | None
    snippets: list[str]
    full_text: str | None = None
    summary: str | None = None
    score: float | None = None
    score_synthesized: bool
    published_date: str | None = None
    author: str | None = None
    raw: Any = None


class SearchResponse(Answer):
    id: str
    provider: str
    results: list[SearchResult]
    warnings: list[RequestWarning]
    usage: Usage
    latency_ms: float


class ExtractResult(Model):
    url: str
    final_url: str | None = None
    title: str | None = None
    content: str | None = None
    excerpts: list[str] | None = None
    summary: str | None = None
    published_date: str | None = None
    author: str | None = None
    links: list[str] | None = None
    images: list[str] | None = None
    raw: Any = None


class ExtractFailure(Model):
    url: str
    error: str


class ExtractResponse(Answer):
    id: str
    provider: str
    results: list[ExtractResult]
    failed: list[ExtractFailure]
    warnings: list[RequestWarning]
    usage: Usage
    latency_ms: float


class TranscriptionAccepted(Answer):
    """A job that the gateway has taken on; wait for its end with `jobs.wait`."""

    id: str
    tool: str
    status: JobStatus
    provider: str
    model: str
    warnings: list[RequestWarning]
    created_at: datetime


class Upload(Answer):
    """A recording that the gateway keeps for transcription."""

    id: str
    audio_url: str
    """For `transcribe`. Anyone who knows it may listen."""
    bytes: int
    duration_seconds: int | None = None
    """As its file says, rounded up; None where that cannot be read."""
    expires_at: datetime


class UploadDeleted(Answer):
    id: str
    deleted: bool


class Word(Model):
    text: str
    start: float
    end: float
    speaker_id: str | None = None
    confidence: float | None = None


class Transcript(Model):
    text: str
    language: str | None = None
    duration_seconds: float | None = None
    words: list[Word] | None = None
    provider: str
    model: str | None
    usage: Usage | None = None


class JobError(Model):
    """Why a job failed; further keys of the gateway are in `model_extra`."""

    type: str
    message: str


class Job(Answer):
    id: str
    tool: str
    status: JobStatus
    provider: str
    model: str | None
    attempt_status: AttemptStatus
    created_at: datetime
    updated_at: datetime
    finished_at: datetime | None
    result: Transcript | None
    error: JobError | None


class CompletedJob(Job):
    """A job that has its transcript: what `jobs.wait` answers."""

    status: Literal["completed"]
    result: Transcript


class JobSummary(Model):
    """A job without its transcript, as a list has it."""

    id: str
    tool: str
    status: JobStatus
    provider: str
    model: str | None
    attempt_status: AttemptStatus
    created_at: datetime
    updated_at: datetime
    finished_at: datetime | None
    error: JobError | None
    cost_usd: float


class OwnJobList(Answer):
    """One page; `next_cursor` leads to the next one, and is None on the last."""

    jobs: list[JobSummary]
    next_cursor: str | None
    searched_until: datetime | None = None
    """Set when the search stopped here; older jobs may match too."""


class UsageSums(Model):
    requests: int
    failures: int
    cost_usd: float


class UsageLine(UsageSums):
    group: str


class StoredUse(Answer):
    """What the account keeps on the gateway, in bytes."""

    bytes: int
    max_bytes: int
    uploads: int
    answers: int
    transcripts: int
    tags: int


class OwnUsage(Answer):
    """Requests, failures and cost by group, and their sum."""

    by: str
    usage: list[UsageLine]
    total: UsageSums
    stored: StoredUse | None = None


class Balance(Answer):
    balance_usd: float
    held_usd: float
    exposed_usd: float = 0
    """What open transcriptions can cost beyond what is held."""
    credits: float


class ProviderRefusal(Model):
    kind: str
    status: int | None = None
    at: datetime


class ProviderHealth(Model):
    circuit: Literal["closed", "open", "half_open"] | str
    credentials: int
    credentials_resting: int
    retry_at: datetime | None = None
    last_refusal: ProviderRefusal | None = None
    running: int
    waiting: int


class Capability(Model):
    support: str
    note: str | None = None


class ToolDescription(Model):
    capabilities: dict[str, Capability]
    prices: dict[str, float]


class ProviderTools(Model):
    search: ToolDescription | None = None
    extract: ToolDescription | None = None
    transcription: ToolDescription | None = None


class ProviderOverlap(Model):
    """How much two engines have in common, by the fusions of this gateway."""

    provider: str
    share: float
    searches: int


class ProviderDescription(Model):
    id: str
    name: str
    state: Literal["configured", "not_configured", "disabled"] | str
    health: ProviderHealth | None = None
    tools: ProviderTools
    overlap: list[ProviderOverlap] | None = None


class AutoPlace(Model):
    provider: str
    reason: str


class AutoOrder(Model):
    """The order in which `auto` tries the providers of a tool, and why."""

    routing: Literal["order", "cheapest", "fastest", "weighted"] | str
    order: list[AutoPlace]


class AutoOrders(Model):
    search: AutoOrder
    extract: AutoOrder
    transcription: AutoOrder


class ProvidersResponse(Answer):
    providers: list[ProviderDescription]
    auto: AutoOrders | None = None


class ValidationIssue(Model):
    """One fault of a refused request."""

    path: str
    code: str
    message: str
