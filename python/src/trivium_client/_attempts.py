"""One call without any network access: evaluates each attempt and decides whether to retry."""

import random
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any, Generic
from urllib.parse import urlsplit

from pydantic import ConfigDict, TypeAdapter, ValidationError, with_config
from typing_extensions import NotRequired, TypedDict

from ._call import Call, T
from ._connection_failure import failure_of
from ._settings import MOST_ANSWER_BYTES, Settings
from ._version import __version__
from .errors import API_ERRORS, ApiError, GatewayConnectionError, TimedOutError
from .models import ResponseMeta

FIRST_BACKOFF = 0.25
MOST_BACKOFF = 4.0
# The caller decides about a longer wait; the error says how long it would be.
MOST_RETRY_AFTER = 60.0
MOST_RUNNING_WAITS = 120
MOST_CONNECT_SECONDS = 10.0
MOST_SHOWN_CHARACTERS = 200
# Only one layer of compression, because several layers would multiply the size.
READABLE_ENCODINGS = ("", "identity", "gzip")
PROXY_FAILURES = (502, 503, 504)


@dataclass(frozen=True)
class Retry:
    """Make the call again after a pause."""

    pause: float


@with_config(ConfigDict(strict=True))
class _Envelope(TypedDict):
    type: str
    message: str
    detail: NotRequired[Any]


class _ErrorBody(TypedDict):
    error: _Envelope


_error_body: TypeAdapter[_ErrorBody] = TypeAdapter(_ErrorBody)


class Attempts(Generic[T]):
    """One call with its retries, within one deadline."""

    def __init__(self, settings: Settings, call: Call[T]) -> None:
        self._settings = settings
        self._call = call
        self._timeout = call.timeout if call.timeout is not None else settings.timeout
        self._deadline = time.monotonic() + self._timeout
        self._tries = 0
        self._waits = 0
        self.url = settings.url + call.path
        self.headers = _headers(settings.token, call)

    def remaining(self) -> float:
        """The seconds that are left; raises an error if there are none."""
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise self.timed_out()
        return left

    def timed_out(self) -> TimedOutError:
        place = f"{self._call.method} {self._call.path}"
        return TimedOutError(
            f"{place} took longer than {self._timeout:g} seconds.",
            idempotency_key=self._call.idempotency_key,
        )

    def check_head(self, status: int, headers: Mapping[str, str]) -> None:
        """Refuses a redirect, and a body with an unknown encoding."""
        if 300 <= status < 400:
            raise self._not_ours(status, headers, f"it redirects to {_origin(headers)}")
        if headers.get("content-encoding", "").strip().lower() not in READABLE_ENCODINGS:
            raise self._not_ours(status, headers, "its content encoding is not supported")

    def take(self, body: bytearray, chunk: bytes, status: int, headers: Mapping[str, str]) -> None:
        """Adds a piece of the body, within the limits of size and time."""
        self.remaining()
        body += chunk
        if len(body) > MOST_ANSWER_BYTES:
            raise self._not_ours(status, headers, f"it has more than {MOST_ANSWER_BYTES} bytes")

    def lost(self, error: Exception) -> Retry:
        """Without an answer, only a call that cannot do its work twice is retried."""
        self._tries += 1
        if not self._call.repeatable or self._tries > self._settings.max_retries:
            why = str(error) or type(error).__name__
            lost = GatewayConnectionError(
                f"The gateway at {self._settings.url} cannot be reached: {why}",
                idempotency_key=self._call.idempotency_key,
            )
            lost.failure = failure_of(error)
            raise lost from error
        return self._retry(_backoff(self._tries))

    def judge(self, status: int, headers: Mapping[str, str], body: bytes) -> T | Retry:
        if 200 <= status < 300:
            return self._read(status, headers, body)
        retry_after = read_retry_after(headers.get("retry-after"))
        try:
            envelope = _error_body.validate_json(body)["error"]
        except ValidationError:
            unknown = self._not_ours(status, headers, _shown(body))
            return self._again_or(unknown, status in PROXY_FAILURES, retry_after)
        type_, message = envelope["type"], envelope["message"]
        error = API_ERRORS.get(type_, ApiError)(
            message,
            error_type=type_,
            status=status,
            detail=envelope.get("detail"),
            request_id=headers.get("x-request-id"),
            retry_after=retry_after,
            idempotency_key=self._call.idempotency_key,
        )
        # A gateway that says when to try again asks for a retry.
        asked = status == 429 or (status in (409, 503) and retry_after is not None)
        return self._again_or(error, asked, retry_after)

    def _read(self, status: int, headers: Mapping[str, str], body: bytes) -> T:
        try:
            answer = self._call.answer.model_validate_json(body)
        except ValidationError as error:
            raise self._not_ours(status, headers, _shown(body)) from error
        answer._meta = ResponseMeta(
            request_id=headers.get("x-request-id"),
            replayed=headers.get("idempotent-replayed") == "true",
            cache=headers.get("x-trivium-cache"),
            content_signals=headers.get("x-trivium-content-signals"),
        )
        return answer

    def _again_or(self, error: ApiError, again: bool, retry_after: float | None) -> Retry:
        # On 409, the first request with the same key is still running. Waiting is not a retry.
        if error.status == 409:
            self._waits += 1
        else:
            self._tries += 1
        used_up = self._tries > self._settings.max_retries or self._waits > MOST_RUNNING_WAITS
        pause = _backoff(max(self._tries, 1)) if retry_after is None else retry_after
        too_long = pause > min(MOST_RETRY_AFTER, self._deadline - time.monotonic())
        if not again or not self._call.repeatable or used_up or too_long:
            raise error
        return Retry(pause)

    def _retry(self, pause: float) -> Retry:
        return Retry(min(pause, self.remaining()))

    def _not_ours(self, status: int, headers: Mapping[str, str], why: str) -> ApiError:
        return ApiError(
            f"The answer from {self._settings.url} is not from a Trivium gateway: {why}",
            status=status,
            request_id=headers.get("x-request-id"),
            retry_after=read_retry_after(headers.get("retry-after")),
            idempotency_key=self._call.idempotency_key,
        )


def read_retry_after(value: str | None) -> float | None:
    """Seconds, or a date; anything else is ignored."""
    text = "" if value is None else value.strip()
    if re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", text):
        return float(text)
    if not re.fullmatch(r"[A-Za-z]{3}, [0-9A-Za-z: -]{20,30}", text):
        return None
    try:
        moment = parsedate_to_datetime(text)
        return max(0.0, (moment - datetime.now(timezone.utc)).total_seconds())
    except (TypeError, ValueError, OverflowError):
        return None


def _headers(token: str, call: Call[Any]) -> dict[str, str]:
    headers = {
        "authorization": f"Bearer {token}",
        "accept": "application/json",
        "accept-encoding": "gzip",
        "user-agent": f"trivium-client-python/{__version__}",
    }
    if call.body is not None:
        headers["content-type"] = "application/json"
    if call.idempotency_key is not None:
        headers["idempotency-key"] = call.idempotency_key
    return {**headers, **call.headers}


def _backoff(tries: int) -> float:
    """Doubles each time, with jitter so that clients do not retry together."""
    ceiling = min(FIRST_BACKOFF * 2.0 ** (tries - 1), MOST_BACKOFF)
    return ceiling * random.uniform(0.5, 1.0)


def _origin(headers: Mapping[str, str]) -> str:
    try:
        parts = urlsplit(headers.get("location", ""))
        return f"{parts.scheme}://{parts.hostname}" if parts.hostname else "another path"
    except ValueError:
        return "no address"


def _shown(body: bytes) -> str:
    text = body[: 4 * MOST_SHOWN_CHARACTERS].decode("utf-8", "replace").strip()
    return f"its body begins with {text[:MOST_SHOWN_CHARACTERS]!r}"
