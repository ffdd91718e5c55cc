"""Sends calls over a non-blocking HTTP client, on asyncio or trio."""

import inspect
import logging
from collections.abc import AsyncIterator, Generator, Iterator, Mapping
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Generic

import anyio
import httpx
from typing_extensions import Self

from ._attempts import MOST_CONNECT_SECONDS, Attempts, Retry
from ._call import Call, T
from ._model import Item
from ._pages import List, P, next_filters
from ._settings import Settings
from ._tls import tls_context
from ._wait import AsyncOnProgress
from .errors import WaitInterrupted
from .models import Job

logger = logging.getLogger("trivium_client")
sleep = anyio.sleep


class AsyncSender:
    """Base class of the clients. It closes its connection pool, unless the caller passed one."""

    def __init__(self, settings: Settings, http_client: httpx.AsyncClient | None) -> None:
        self._settings = settings
        self._owned = http_client is None
        self._http = http_client or httpx.AsyncClient(verify=tls_context())

    async def aclose(self) -> None:
        """Closes the connections, unless they belong to an `http_client` that the caller passed."""
        if self._owned:
            await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.aclose()

    def __repr__(self) -> str:
        return f"{type(self).__name__}(url={self._settings.url!r})"

    async def _send(self, call: Call[T]) -> T:
        attempts = Attempts(self._settings, call)
        while True:
            outcome: T | Retry | None = None
            with anyio.move_on_after(attempts.remaining()):
                outcome = await self._attempt(call, attempts)
                if isinstance(outcome, Retry):
                    await anyio.sleep(outcome.pause)
                    continue
            if outcome is None or isinstance(outcome, Retry):
                raise attempts.timed_out()
            return outcome

    async def _attempt(self, call: Call[T], attempts: Attempts[T]) -> T | Retry:
        left = attempts.remaining()
        try:
            async with self._http.stream(
                call.method,
                attempts.url,
                content=call.body if call.recording is None else call.recording.async_pieces(),
                headers=attempts.headers,
                auth=None,
                follow_redirects=False,
                timeout=httpx.Timeout(left, connect=min(left, MOST_CONNECT_SECONDS)),
            ) as response:
                status, headers = response.status_code, response.headers
                attempts.check_head(status, headers)
                body = bytearray()
                async for chunk in response.aiter_bytes():
                    attempts.take(body, chunk, status, headers)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            attempts.remaining()
            return attempts.lost(error)
        return attempts.judge(status, headers, bytes(body))


class AsyncPages(Generic[P, Item]):
    """A list. Await it to get the first page, or iterate with `async for` to get every item."""

    def __init__(
        self, client: AsyncSender, listing: List[P], filters: Mapping[str, Any] | None = None
    ) -> None:
        self._client = client
        self._listing = listing
        self._filters = {} if filters is None else filters
        # An unknown filter is refused here, not when the list is read.
        self._call = listing(self._filters)

    def __await__(self) -> Generator[Any, None, P]:
        return self._first().__await__()

    async def __aiter__(self) -> AsyncIterator[Item]:
        page = await self._client._send(self._call)
        filters = self._filters
        while True:
            for item in page._own_items():
                yield item
            following = next_filters(page, filters)
            if following is None:
                return
            filters = following
            page = await self._client._send(self._listing(filters))

    async def _first(self) -> P:
        page = await self._client._send(self._call)
        page._is_part = getattr(page, "next_cursor", None) is not None
        return page


async def notify(on_progress: AsyncOnProgress | None, job: Job) -> None:
    pending = None if on_progress is None else on_progress(job)
    if inspect.isawaitable(pending):
        await pending


@contextmanager
def interruptible(job_id: str) -> Iterator[None]:
    """Reports which job continues when the wait for it is interrupted."""
    try:
        yield
    except KeyboardInterrupt:
        # Python 3.10 raises it here; newer versions cancel the task instead.
        raise WaitInterrupted(job_id) from None
    except anyio.get_cancelled_exc_class():
        logger.warning("Stopped waiting for the job %s, which continues.", job_id)
        raise
