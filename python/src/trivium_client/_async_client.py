"""The async client: one method for each thing the gateway does."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import suppress
from decimal import Decimal
from typing import Any

import httpx
from typing_extensions import Unpack

from . import _operations as operations
from ._call import PostOptions, Tags, tags_text
from ._operations import OwnJobFilters, OwnUsageFilters
from ._settings import DEFAULT_MAX_RETRIES, DEFAULT_TIMEOUT, read_settings
from ._async import AsyncSender, interruptible, notify, sleep
from ._upload import OnUploadProgress, UploadSource, open_recording
from ._wait import DEFAULT_POLL, DEFAULT_WAIT, JobWait, AsyncOnProgress
from ._warnings import OnWarning, report
from .errors import ApiError, ConnectionError, TimedOutError, TriviumError
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
    Upload,
    UploadDeleted,
)
from .requests import ExtractParameters, SearchParameters, TranscriptionParameters


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
        self.uploads = AsyncUploads(self)
        self.jobs = AsyncJobs(self)

    async def search(
        self,
        query: str,
        *,
        timeout: float | None = None,
        idempotency_key: str | None = None,
        max_cost_usd: float | Decimal | None = None,
        tags: Tags | None = None,
        cache_seconds: int | None = None,
        **parameters: Unpack[SearchParameters],
    ) -> SearchResponse:
        """Finds web pages."""
        fields = {"query": query, **parameters}
        options = PostOptions(
            timeout, idempotency_key, max_cost_usd, self._tagged(tags), cache_seconds
        )
        answer = await self._send(operations.search(fields, options))
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
        cache_seconds: int | None = None,
        **parameters: Unpack[ExtractParameters],
    ) -> ExtractResponse:
        """Gets the content of pages; those that could not be had are in `failed`."""
        fields = {"urls": urls, **parameters}
        options = PostOptions(
            timeout, idempotency_key, max_cost_usd, self._tagged(tags), cache_seconds
        )
        answer = await self._send(operations.extract(fields, options))
        report(self._on_warning, "extract", answer)
        return answer

    async def transcribe(
        self,
        audio_url: str | None = None,
        *,
        file: UploadSource | None = None,
        timeout: float | None = None,
        idempotency_key: str | None = None,
        max_cost_usd: float | Decimal | None = None,
        tags: Tags | None = None,
        webhook: str | None = None,
        **parameters: Unpack[TranscriptionParameters],
    ) -> TranscriptionAccepted:
        """Starts a job and answers at once; wait for its end with `jobs.wait`.

        `file` is a path, a file opened for reading bytes, or the bytes; it is uploaded first.
        `webhook` is a public https address that receives the end of the job, signed.
        """
        operations.one_recording(audio_url, file)
        options = PostOptions(
            timeout, idempotency_key, max_cost_usd, self._tagged(tags), webhook=webhook
        )
        # Checked before a long upload.
        call = operations.transcribe({"audio_url": audio_url or "", **parameters}, options)
        if file is None:
            answer = await self._send(call)
        else:
            answer = await self._transcribe_file(file, parameters, options)
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

    async def _transcribe_file(
        self, file: UploadSource, parameters: TranscriptionParameters, options: PostOptions
    ) -> TranscriptionAccepted:
        made = await self.uploads.create(file)
        fields = {"audio_url": made.audio_url, **parameters}
        try:
            return await self._send(operations.transcribe(fields, options))
        except ApiError as error:
            # The gateway has no job that needs it.
            if error.status < 500:
                with suppress(TriviumError):
                    await self.uploads.delete(made.id)
            raise

    def _tagged(self, tags: Tags | None) -> Tags:
        if tags is not None:
            tags_text(tags)
        return {**self._tags, **(tags or {})}


class AsyncUploads:
    """Recordings that are not on the web; give the `audio_url` of one to `transcribe`."""

    def __init__(self, client: AsyncTrivium) -> None:
        self._client = client

    async def create(
        self,
        source: UploadSource,
        *,
        content_type: str | None = None,
        on_progress: OnUploadProgress | None = None,
        timeout: float | None = None,
    ) -> Upload:
        """Sends a path, a file opened for reading bytes, or bytes.

        A file is read while it is sent. `on_progress` gets the bytes sent so far, and the size or
        None. `timeout` is twelve hours unless given.
        """
        with open_recording(source, on_progress) as recording:
            call = operations.create_upload(recording, content_type, timeout)
            return await self._client._send(call)

    async def get(self, upload_id: str, *, timeout: float | None = None) -> Upload:
        return await self._client._send(operations.upload(upload_id, timeout))

    async def delete(self, upload_id: str, *, timeout: float | None = None) -> UploadDeleted:
        return await self._client._send(operations.delete_upload(upload_id, timeout))


class AsyncJobs:
    """Transcription jobs."""

    def __init__(self, client: AsyncTrivium) -> None:
        self._client = client

    async def get(self, job_id: str, *, timeout: float | None = None) -> Job:
        """Reads a job, whatever its state."""
        return await self._client._send(operations.job(job_id, timeout))

    async def raw(self, job_id: str, *, timeout: float | None = None) -> dict[str, Any]:
        """The document that the transcript was read from, as the provider sent it."""
        document = await self._client._send(operations.raw_document(job_id, timeout))
        return document.model_extra or {}

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

        A failed job raises JobFailedError. On cancellation, by Ctrl-C say, the job continues, and
        a warning of the logger `trivium_client` names it.
        `poll` is the first pause in seconds; the pauses grow up to ten times as long.
        """
        wait = JobWait(job_id, timeout, poll)
        with interruptible(job_id):
            while True:
                job = await self._read(wait)
                if job is not None:
                    await notify(on_progress, job)
                    completed = wait.judge(job)
                    if completed is not None:
                        return completed
                await sleep(wait.next_pause())

    async def _read(self, wait: JobWait) -> Job | None:
        left = min(wait.remaining(), self._client._settings.timeout)
        try:
            return await self.get(wait.job_id, timeout=left)
        except (ConnectionError, TimedOutError) as error:
            wait.lost(error)
            return None
