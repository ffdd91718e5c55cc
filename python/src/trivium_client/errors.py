"""The errors of this package: arguments, refusals, lost connections, timeouts and failed jobs."""

from typing import Any, Literal

from pydantic import ValidationError

from .models import ErrorType, Job, JobError, ValidationIssue


class TriviumError(Exception):
    """Base class of every error of this package."""


class ArgumentError(TriviumError, ValueError):
    """An argument is invalid. Nothing was sent."""


class WebhookVerificationError(TriviumError):
    """A webhook was not signed with the secret, or not recently."""


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
        """`unknown` when something other than the gateway answered, such as a proxy."""
        self.status = status
        self.detail = detail
        self.request_id = request_id
        """Report it to the operator, who can find it in the gateway's log."""
        self.retry_after = retry_after
        """After how many seconds to try again, if the gateway says so."""
        self.idempotency_key = idempotency_key
        """Set for a call that changes something. A call repeated with it is charged once."""

    @property
    def issues(self) -> list[ValidationIssue]:
        """For `invalid_request`, every problem of the request; otherwise empty."""
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
    """The request is invalid; `issues` lists the problems."""


class InsufficientCreditsError(ApiError):
    """The balance, a cap of the key or `max_cost_usd` does not cover the request."""


class NotFoundError(ApiError):
    """There is no such job, account or key for this caller."""


class RateLimitedError(ApiError):
    """Too many requests; `retry_after` says when to try again."""


class ProviderError(ApiError):
    """The provider failed; `detail` has its own message."""


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
    """There was no answer, so the caller does not know whether the gateway did the work."""

    def __init__(
        self, message: str, *, idempotency_key: str | None = None, job_id: str | None = None
    ) -> None:
        super().__init__(message)
        self.idempotency_key = idempotency_key
        """A call repeated with this key is charged once."""
        self.job_id = job_id
        """The job that the call waited for, if any. It continues."""


class GatewayConnectionError(UnansweredError):
    """The gateway cannot be reached, or the connection broke."""

    failure: ConnectionFailure = "unknown"
    """What kind of failure it was."""


class TimedOutError(UnansweredError):
    """The answer or the end of the job did not arrive in time."""


class JobFailedError(TriviumError):
    """A transcription job ended without a transcript."""

    def __init__(self, job: Job, reason: JobError) -> None:
        super().__init__(f"The job {job.id} failed: {reason.message} ({reason.type})")
        self.job = job
        self.reason = reason

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.job, self.reason)


class WaitInterrupted(KeyboardInterrupt):
    """Raised by Ctrl-C while waiting for a job. The job continues; `job_id` is its id."""

    def __init__(self, job_id: str) -> None:
        super().__init__(
            f"Stopped waiting for the job {job_id}, which continues. "
            f'Wait for it again with jobs.wait("{job_id}").'
        )
        self.job_id = job_id

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.job_id,)
