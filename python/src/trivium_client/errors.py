"""What can go wrong: an argument, the gateway's refusal, the connection, the time, or a job."""

from typing import Any, Literal

from pydantic import ValidationError

from .models import ErrorType, Job, JobError, ValidationIssue


class TriviumError(Exception):
    """Every error of this package, for one `except` around everything."""


class ArgumentError(TriviumError, ValueError):
    """An argument that cannot be meant. Nothing was sent."""


class WebhookVerificationError(TriviumError):
    """A webhook that was not signed with the secret, or not recently."""


class ApiError(TriviumError):
    """The gateway answered with an error; the fields are those of its envelope and headers."""

    def __init__(
        self,
        message: str,
        *,
        error_type: ErrorType = "unknown",
        status: int = 0,
        detail: Any = None,
        request_id: str | None = None,
        retry_after: float | None = None,
        idempotency_key: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.type = error_type
        """`unknown` when something else than the gateway answered, a proxy say."""
        self.status = status
        self.detail = detail
        self.request_id = request_id
        """Quote it to the operator: the gateway's log knows it."""
        self.retry_after = retry_after
        """After how many seconds the gateway wants to be asked again, where it says so."""
        self.idempotency_key = idempotency_key
        """Of a call that changes something. Repeat the call with it, and it is charged once."""

    @property
    def issues(self) -> list[ValidationIssue]:
        """For `invalid_request`, every fault of the request; otherwise empty."""
        issues = self.detail.get("issues") if isinstance(self.detail, dict) else None
        found: list[ValidationIssue] = []
        for issue in issues if isinstance(issues, list) else []:
            try:
                found.append(ValidationIssue.model_validate(issue))
            except ValidationError:
                continue
        return found

    def __str__(self) -> str:
        request = "" if self.request_id is None else f", request {self.request_id}"
        return f"{self.message} ({self.type}, status {self.status}{request})"


class UnauthorizedError(ApiError):
    """The API key is missing, unknown or revoked."""


class InvalidRequestError(ApiError):
    """The request is not valid; `issues` names its faults."""


class InsufficientCreditsError(ApiError):
    """The balance, a cap of the key or `max_cost_usd` does not cover the request."""


class NotFoundError(ApiError):
    """There is no such job, account or key for this caller."""


class RateLimitedError(ApiError):
    """Too many requests; `retry_after` says when to ask again."""


class ProviderError(ApiError):
    """The provider failed; `detail` has its own words."""


class ProviderUnavailableError(ApiError):
    """The provider is not configured or not available on this gateway."""


class InternalError(ApiError):
    """Something broke inside the gateway."""


API_ERRORS: dict[str, type[ApiError]] = {
    "unauthorized": UnauthorizedError,
    "invalid_request": InvalidRequestError,
    "insufficient_credits": InsufficientCreditsError,
    "not_found": NotFoundError,
    "rate_limited": RateLimitedError,
    "provider_error": ProviderError,
    "provider_not_available": ProviderUnavailableError,
    "provider_not_configured": ProviderUnavailableError,
    "internal_error": InternalError,
}


ConnectionFailure = Literal[
    "refused", "dns", "tls", "timed_out", "unreachable", "closed", "not_http", "unknown"
]


class UnansweredError(TriviumError):
    """No answer came, so the caller does not know whether the gateway did the work."""

    def __init__(
        self, message: str, *, idempotency_key: str | None = None, job_id: str | None = None
    ) -> None:
        super().__init__(message)
        self.idempotency_key = idempotency_key
        """Repeat the same call with this key, and it is charged once."""
        self.job_id = job_id
        """The job that was waited for, if any. It continues."""


class GatewayConnectionError(UnansweredError):
    """The gateway cannot be reached, or the connection broke."""

    failure: ConnectionFailure = "unknown"
    """What kind of failure it was."""


class TimedOutError(UnansweredError):
    """The time was over before the answer, or the end of the job, was there."""


class JobFailedError(TriviumError):
    """A transcription job ended without a transcript."""

    def __init__(self, job: Job, reason: JobError) -> None:
        super().__init__(f"The job {job.id} failed: {reason.message} ({reason.type})")
        self.job = job
        self.reason = reason

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.job, self.reason)


class WaitInterrupted(KeyboardInterrupt):
    """Ctrl-C while waiting for a job. The job continues; `job_id` finds it again."""

    def __init__(self, job_id: str) -> None:
        super().__init__(
            f"Stopped waiting for the job {job_id}, which continues. "
            f'Wait for it again with jobs.wait("{job_id}").'
        )
        self.job_id = job_id

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.job_id,)
