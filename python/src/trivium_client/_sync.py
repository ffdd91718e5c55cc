"""Sends calls over a blocking HTTP client."""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import TracebackType
from typing import Any

import httpx
from typing_extensions import Self

from ._attempts import MOST_CONNECT_SECONDS, Attempts, Retry
from ._call import Call, T
from ._pages import List, P, next_filters
from ._settings import Settings
from ._tls import tls_context
from ._upload import Recording
from ._wait import OnProgress
from .errors import WaitInterrupted
from .models import Job

sleep = time.sleep


def read_pages(
    client: "Sender", listing: List[P], filters: Mapping[str, Any] | None = None
) -> P:
    """Reads the first page. Iterating over it reads the others."""
    asked = {} if filters is None else filters
    page = client._send(listing(asked))

    def read_next() -> P | None:
        following = next_filters(page, asked)
        return None if following is None else read_pages(client, listing, following)

    page._read_next = read_next
    return page


class Sender:
    """Base class of the clients. It closes its connection pool, unless the caller passed one."""

    def __init__(self, settings: Settings, http_client: httpx.Client | None) -> None:
        self._settings = settings
        self._owned = http_client is None
        self._http = http_client or httpx.Client(verify=tls_context())

    def close(self) -> None:
        """Closes the connections, unless they belong to an `http_client` that the caller passed."""
        if self._owned:
            self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"{type(self).__name__}(url={self._settings.url!r})"

    def _send(self, call: Call[T]) -> T:
        attempts = Attempts(self._settings, call)
        while True:
            outcome = self._attempt(call, attempts)
            if not isinstance(outcome, Retry):
                return outcome
            time.sleep(min(outcome.pause, attempts.remaining()))

    def _attempt(self, call: Call[T], attempts: Attempts[T]) -> T | Retry:
        left = attempts.remaining()
        try:
            with self._http.stream(
                call.method,
                attempts.url,
                content=_content(call, attempts),
                headers=attempts.headers,
                auth=None,
                follow_redirects=False,
                timeout=httpx.Timeout(left, connect=min(left, MOST_CONNECT_SECONDS)),
            ) as response:
                status, headers = response.status_code, response.headers
                attempts.check_head(status, headers)
                body = bytearray()
                for chunk in response.iter_bytes():
                    attempts.take(body, chunk, status, headers)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            attempts.remaining()
            return attempts.lost(error)
        return attempts.judge(status, headers, bytes(body))


def _content(call: Call[T], attempts: Attempts[T]) -> bytes | Iterator[bytes] | None:
    return call.body if call.recording is None else _timed(call.recording, attempts)


def _timed(recording: Recording, attempts: Attempts[T]) -> Iterator[bytes]:
    for piece in recording.pieces():
        attempts.remaining()
        yield piece


def notify(on_progress: OnProgress | None, job: Job) -> None:
    if on_progress is not None:
        on_progress(job)


@contextmanager
def interruptible(job_id: str) -> Iterator[None]:
    """Reports which job continues when the wait for it is interrupted."""
    try:
        yield
    except KeyboardInterrupt:
        raise WaitInterrupted(job_id) from None
