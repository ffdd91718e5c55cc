"""The async client: one method for each thing the gateway does."""

import inspect
import logging
from collections.abc import AsyncIterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

import anyio
import httpx
from typing_extensions import Unpack

from . import _operations as operations
from ._call import Tags, tags_text
from ._operations import OwnJobFilters, OwnUsageFilters
from ._settings import DEFAULT_MAX_RETRIES, DEFAULT_TIMEOUT, read_settings
from ._async import AsyncSender
from ._wait import DEFAULT_POLL, DEFAULT_WAIT, JobWait, AsyncOnProgress
from ._warnings import OnWarning, report
from .errors import ConnectionError, TimedOutError, WaitInterrupted
from .models import (
    Balance,
    CompletedJob,
    ExtractResponse,
    Job,
    JobSummary,
    OwnJobList,
    OwnUsage,
    ProvidersResponse,
    SearchResponse,
    TranscriptionAccepted,
)
from .requests import ExtractParameters, SearchParameters, TranscriptionParameters

logger = logging.getLogger("trivium_client")


class AsyncTrivium(AsyncSender):
    """A client of a Trivium gateway. It runs on asyncio and trio.

    `url` and `api_key` come from TRIVIUM_URL and TRIVIUM_API_KEY unless given. `timeout` is in
    seconds and bounds a call with all its repeats. `tags` are those of every paid call; a call
    may add to them.
    """

    def __init__(
        self,
        *,
        url: str | None = None,
        api_key: str | None = None,
        timeout: float = DEFAULT_TIMEOUT,
        max_retries: int = DEFAULT_MAX_RETRIES,
        on_warning: OnWarning | None = None,
        tags: Tags | None = None,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        settings = read_settings(
            url=url, token=api_key, token_name="api_key", timeout=timeout, max_retries=max_retries
        )
        super().__init__(settings, http_client)
        self._on_warning = on_warning
        tags_text(tags)
        self._tags = dict(tags or {})
        self.jobs = AsyncJobs(self)

    async def search(
        self,
        query: str,
        *,
        timeout: float | None = None,
        idempotency_key: str | None = None,
        max_cost_usd: float | Decimal | None = None,
        tags: Tags | None = None,
        **parameters: Unpack[SearchParameters],
    ) -> SearchResponse:
        """Finds web pages."""
        fields = {"query": query, **parameters}
        call = operations.search(
            fields, timeout, idempotency_key, max_cost_usd, self._tagged(tags)
        )
        answer = await self._send(call)
        report(self._on_warning, "search", answer)
        return answer

    async def extract(
        self,
        urls: Sequence[str],
        *,
        timeout: float | None = None,
        idempotency_key: str | None = None,
        max_cost_usd: float | Decimal | None = None,
        tags: Tags | None = None,
        **parameters: Unpack[ExtractParameters],
    ) -> ExtractResponse:
        """Gets the content of pages; those that could not be had are in `failed`."""
        fields = {"urls": urls, **parameters}
        call = operations.extract(
            fields, timeout, idempotency_key, max_cost_usd, self._tagged(tags)
        )
        answer = await self._send(call)
        report(self._on_warning, "extract", answer)
        return answer

    async def transcribe(
        self,
        audio_url: str,
        *,
        timeout: float | None = None,
        idempotency_key: str | None = None,
        max_cost_usd: float | Decimal | None = None,
        tags: Tags | None = None,
        **parameters: Unpack[TranscriptionParameters],
    ) -> TranscriptionAccepted:
        """Starts a job and answers at once; wait for its end with `jobs.wait`."""
        fields = {"audio_url": audio_url, **parameters}
        call = operations.transcribe(
            fields, timeout, idempotency_key, max_cost_usd, self._tagged(tags)
        )
        answer = await self._send(call)
        report(self._on_warning, "transcription", answer)
        return answer

    async def usage(
        self, *, timeout: float | None = None, **filters: Unpack[OwnUsageFilters]
    ) -> OwnUsage:
        """What the account of the key has used, or the key alone if it is for its own use."""
        return await self._send(operations.usage(filters, timeout))

    async def balance(self, *, timeout: float | None = None) -> Balance:
        """What the account has left."""
        return await self._send(operations.balance(timeout))

    async def providers(self, *, timeout: float | None = None) -> ProvidersResponse:
        """Which providers the gateway knows, and what each can do."""
        return await self._send(operations.providers(timeout))

    def _tagged(self, tags: Tags | None) -> Tags:
        if tags is not None:
            tags_text(tags)
        return {**self._tags, **(tags or {})}


class AsyncJobs:
    """Transcription jobs."""

    def __init__(self, client: AsyncTrivium) -> None:
        self._client = client

    async def get(self, job_id: str, *, timeout: float | None = None) -> Job:
        """Reads a job, whatever its state."""
        return await self._client._send(operations.job(job_id, timeout))

    async def list(
        self, *, timeout: float | None = None, **filters: Unpack[OwnJobFilters]
    ) -> OwnJobList:
        """One page, the newest first."""
        return await self._client._send(operations.jobs(filters, timeout))

    async def iterate(self, **filters: Unpack[OwnJobFilters]) -> AsyncIterator[JobSummary]:
        """Every job, page after page."""
        wanted: Mapping[str, Any] | None = filters
        while wanted is not None:
            page = await self._client._send(operations.jobs(wanted, None))
            for job in page.jobs:
                yield job
            wanted = operations.next_jobs(page, wanted)

    async def wait(
        self,
        job_id: str,
        *,
        on_progress: AsyncOnProgress | None = None,
        timeout: float = DEFAULT_WAIT,
        poll: float = DEFAULT_POLL,
    ) -> CompletedJob:
        """Waits for the end of a job; `on_progress` is called after every read.

        A failed job raises JobFailedError. On cancellation, by Ctrl-C say, the job goes on, and
        a warning of the logger `trivium_client` names it.
        `poll` is the first pause in seconds; the pauses grow up to ten times as long.
        """
        wait = JobWait(job_id, timeout, poll)
        try:
            while True:
                job = await self._read(wait)
                if job is not None:
                    if on_progress is not None:
                        told = on_progress(job)
                        if inspect.isawaitable(told):
                            await told
                    completed = wait.judge(job)
                    if completed is not None:
                        return completed
                await anyio.sleep(wait.next_pause())
        except KeyboardInterrupt:
            # Python 3.10 raises it here; newer ones cancel the task instead.
            raise WaitInterrupted(job_id) from None
        except anyio.get_cancelled_exc_class():
            logger.warning("Stopped waiting for the job %s, which goes on.", job_id)
            raise

    async def _read(self, wait: JobWait) -> Job | None:
        left = min(wait.remaining(), self._client._settings.timeout)
        try:
            return await self.get(wait.job_id, timeout=left)
        except (ConnectionError, TimedOutError) as error:
            wait.lost(error)
            return None
