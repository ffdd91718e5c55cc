"""The async client: one method for each operation of the gateway."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from decimal import Decimal
from typing import Any

import httpx
from typing_extensions import Unpack

from . import _operations as operations
from ._call import ContentMode, PostOptions, Tags, tags_text
from ._fields import OwnJobFilters, OwnUsageFilters
from ._settings import DEFAULT_MAX_RETRIES, DEFAULT_TIMEOUT, read_settings
from ._async import AsyncPages, AsyncSender, interruptible, notify, sleep
from ._upload import OnUploadProgress, UploadSource, open_recording
from ._wait import DEFAULT_POLL, DEFAULT_WAIT, JobWait, AsyncOnProgress
from ._warnings import OnWarning, ToolName, report
from .errors import ApiError, GatewayConnectionError, TimedOutError, TriviumError
from .models import (
    Balance,
    CompletedJob,
    Estimate,
    ExtractResponse,
    FeedbackResponse,
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
from .requests import (
    ExtractParameters,
    ExtractRequest,
    SearchParameters,
    SearchRequest,
    TranscriptionParameters,
    TranscriptionRequest,
)


class AsyncTrivium(AsyncSender):
    """A client of a Trivium gateway. It runs on asyncio and trio.

    Args:
        url: The address of the gateway; TRIVIUM_URL or http://127.0.0.1:8787 by default.
        api_key: The API key; TRIVIUM_API_KEY by default.
        timeout: The maximum number of seconds for a call, including retries.
        max_retries: How many times a call is retried after a broken connection.
        on_warning: Called for every warning. Warnings say how a request was adjusted.
        tags: Who or what the call is for; used in the log, in usage and in budgets.
        http_client: An httpx client to use; the caller closes it.
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
        content_mode: ContentMode | None = None,
        max_tokens: int | None = None,
        extra_headers: Mapping[str, str] | None = None,
        extra_body: Mapping[str, Any] | None = None,
        **parameters: Unpack[SearchParameters],
    ) -> SearchResponse:
        """Finds web pages.

        Args:
            query: What to look for, in natural language.
            timeout: The maximum number of seconds for a call, including retries.
            idempotency_key: Generated for each call unless given. A call repeated with it is
                charged once.
            max_cost_usd: Refuse the call if it may cost more than this.
            tags: Who or what the call is for; used in the log, in usage and in budgets.
            cache_seconds: Accept a cached answer that is at most this old; 0 disables the
                cache.
            content_mode: Check text from the web for suspicious content: annotate reports it in
                warnings, clean also removes hidden text and links that leak data, block
                removes the result.
            max_tokens: The maximum number of tokens of all texts in the answer together.
            extra_headers: Additional headers to send.
            extra_body: Additional fields of the body, such as fields of a newer API.
            **parameters: The optional parameters of the request, as in `SearchParameters`.
        """
        fields = {"query": query, **parameters}
        options = PostOptions(
            timeout,
            idempotency_key,
            max_cost_usd,
            self._tagged(tags),
            cache_seconds,
            content_mode=content_mode,
            max_tokens=max_tokens,
            extra_headers=extra_headers,
            extra_body=extra_body,
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
        content_mode: ContentMode | None = None,
        max_tokens: int | None = None,
        extra_headers: Mapping[str, str] | None = None,
        extra_body: Mapping[str, Any] | None = None,
        **parameters: Unpack[ExtractParameters],
    ) -> ExtractResponse:
        """Gets the content of pages. Pages that could not be read are in `failed`.

        Args:
            urls: 1 to 20 addresses.
            timeout: The maximum number of seconds for a call, including retries.
            idempotency_key: Generated for each call unless given. A call repeated with it is
                charged once.
            max_cost_usd: Refuse the call if it may cost more than this.
            tags: Who or what the call is for; used in the log, in usage and in budgets.
            cache_seconds: Accept a cached answer that is at most this old; 0 disables the
                cache.
            content_mode: Check text from the web for suspicious content: annotate reports it in
                warnings, clean also removes hidden text and links that leak data, block
                removes the result.
            max_tokens: The maximum number of tokens of all texts in the answer together.
            extra_headers: Additional headers to send.
            extra_body: Additional fields of the body, such as fields of a newer API.
            **parameters: The optional parameters of the request, as in `ExtractParameters`.
        """
        fields = {"urls": urls, **parameters}
        options = PostOptions(
            timeout,
            idempotency_key,
            max_cost_usd,
            self._tagged(tags),
            cache_seconds,
            content_mode=content_mode,
            max_tokens=max_tokens,
            extra_headers=extra_headers,
            extra_body=extra_body,
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
        extra_headers: Mapping[str, str] | None = None,
        extra_body: Mapping[str, Any] | None = None,
        **parameters: Unpack[TranscriptionParameters],
    ) -> TranscriptionAccepted:
        """Starts a job and returns immediately. Wait for the transcript with `jobs.wait`.

        Args:
            audio_url: The public https address of a recording.
            file: Instead of an address, a recording to upload first: a path, a file opened in
                binary mode, or bytes.
            timeout: The maximum number of seconds for a call, including retries.
            idempotency_key: Generated for each call unless given. A call repeated with it is
                charged once.
            max_cost_usd: Refuse the call if it may cost more than this.
            tags: Who or what the call is for; used in the log, in usage and in budgets.
            webhook: A public https address that receives a signed event when the job ends.
            extra_headers: Additional headers to send.
            extra_body: Additional fields of the body, such as fields of a newer API.
            **parameters: The optional parameters of the request, as in
                `TranscriptionParameters`.
        """
        operations.one_recording(audio_url, file)
        options = PostOptions(
            timeout,
            idempotency_key,
            max_cost_usd,
            self._tagged(tags),
            webhook=webhook,
            extra_headers=extra_headers,
            extra_body=extra_body,
        )
        # Checks the arguments before a long upload.
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
        """The usage of the key's account, or of the key alone if it may see only its own.

        Args:
            timeout: The maximum number of seconds for a call, including retries.
            **filters: Filters, as in `OwnUsageFilters`.
        """
        return await self._send(operations.usage(filters, timeout))

    async def estimate(
        self,
        tool: ToolName,
        request: SearchRequest | ExtractRequest | TranscriptionRequest,
        *,
        timeout: float | None = None,
    ) -> Estimate:
        """Estimates the cost of a request without sending it.

        Args:
            tool: search, extract or transcription.
            request: The request, as it would be sent to the tool.
            timeout: The maximum number of seconds for a call, including retries.
        """
        return await self._send(operations.estimate(tool, request, timeout))

    async def feedback(
        self,
        search_id: str,
        *,
        cited: list[str] | None = None,
        opened: list[str] | None = None,
        rejected: list[str] | None = None,
        timeout: float | None = None,
    ) -> FeedbackResponse:
        """Reports which results of a search were useful. Free, for seven days after the search.

        Args:
            search_id: The id of the search.
            cited: Results that an answer was based on, by id or URL.
            opened: Results that were opened.
            rejected: Results that were not useful.
            timeout: The maximum number of seconds for a call, including retries.
        """
        results = {"cited": cited, "opened": opened, "rejected": rejected}
        return await self._send(operations.feedback(search_id, results, timeout))

    async def balance(self, *, timeout: float | None = None) -> Balance:
        """The balance of the account.

        Args:
            timeout: The maximum number of seconds for a call, including retries.
        """
        return await self._send(operations.balance(timeout))

    async def providers(self, *, timeout: float | None = None) -> ProvidersResponse:
        """The providers of the gateway, and what each can do.

        Args:
            timeout: The maximum number of seconds for a call, including retries.
        """
        return await self._send(operations.providers(timeout))

    async def _transcribe_file(
        self, file: UploadSource, parameters: TranscriptionParameters, options: PostOptions
    ) -> TranscriptionAccepted:
        made = await self.uploads.create(file)
        fields = {"audio_url": made.audio_url, **parameters}
        try:
            return await self._send(operations.transcribe(fields, options))
        except ApiError as error:
            # The gateway has no job that needs the upload.
            if error.status < 500:
                with suppress(TriviumError):
                    await self.uploads.delete(made.id)
            raise

    def _tagged(self, tags: Tags | None) -> Tags:
        if tags is not None:
            tags_text(tags)
        return {**self._tags, **(tags or {})}


class AsyncUploads:
    """Uploads of local recordings. Pass the `audio_url` of an upload to `transcribe`."""

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
        """Sends a recording. A file is read while it is sent.

        Args:
            source: A path, a file opened in binary mode, or bytes.
            content_type: The media type of the recording, if it is known.
            on_progress: Called after every piece with the number of bytes sent, and with the
                size or None.
            timeout: The maximum number of seconds for a call, including retries.
        """
        with open_recording(source, on_progress) as recording:
            call = operations.create_upload(recording, content_type, timeout)
            return await self._client._send(call)

    async def get(self, upload_id: str, *, timeout: float | None = None) -> Upload:
        """Reads an upload.

        Args:
            upload_id: The id of the upload.
            timeout: The maximum number of seconds for a call, including retries.
        """
        return await self._client._send(operations.upload(upload_id, timeout))

    async def delete(self, upload_id: str, *, timeout: float | None = None) -> UploadDeleted:
        """Deletes an upload before it expires.

        Args:
            upload_id: The id of the upload.
            timeout: The maximum number of seconds for a call, including retries.
        """
        return await self._client._send(operations.delete_upload(upload_id, timeout))


class AsyncJobs:
    """Transcription jobs."""

    def __init__(self, client: AsyncTrivium) -> None:
        self._client = client

    async def get(
        self,
        job_id: str,
        *,
        timeout: float | None = None,
        content_mode: ContentMode | None = None,
    ) -> Job:
        """Reads a job in any state.

        Args:
            job_id: The id of the job.
            timeout: The maximum number of seconds for a call, including retries.
            content_mode: Check the transcript; `meta.content_signals` says what was found.
        """
        return await self._client._send(operations.job(job_id, timeout, content_mode))

    async def raw(self, job_id: str, *, timeout: float | None = None) -> dict[str, Any]:
        """The provider's document that the transcript was made from, unchanged.

        Args:
            job_id: The id of the job.
            timeout: The maximum number of seconds for a call, including retries.
        """
        document = await self._client._send(operations.raw_document(job_id, timeout))
        return document.model_extra or {}

    def list(
        self, *, timeout: float | None = None, **filters: Unpack[OwnJobFilters]
    ) -> AsyncPages[OwnJobList, JobSummary]:
        """The jobs, newest first. Iterate over the list to get every job of every page.

        Args:
            timeout: The maximum number of seconds for a call, including retries.
            **filters: Filters, as in `OwnJobFilters`.
        """
        return AsyncPages(self._client, operations.jobs(timeout), filters)

    async def wait(
        self,
        job_id: str,
        *,
        on_progress: AsyncOnProgress | None = None,
        timeout: float = DEFAULT_WAIT,
        poll: float = DEFAULT_POLL,
        content_mode: ContentMode | None = None,
    ) -> CompletedJob:
        """Waits until a job ends. A failed job raises JobFailedError.

        If the wait is cancelled, for example by Ctrl-C, the job continues, and
        a warning of the logger `trivium_client` names it.

        Args:
            job_id: The id of the job.
            on_progress: Called with the job after every read.
            timeout: The maximum number of seconds to wait. The job itself keeps running.
            poll: The first pause between reads in seconds; pauses grow to ten times this.
            content_mode: Check the transcript; a blocked transcript raises NotFoundError.
        """
        wait = JobWait(job_id, timeout, poll)
        with interruptible(job_id):
            while True:
                job = await self._read(wait, content_mode)
                if job is not None:
                    await notify(on_progress, job)
                    completed = wait.judge(job)
                    if completed is not None:
                        return completed
                await sleep(wait.next_pause())

    async def _read(self, wait: JobWait, content_mode: ContentMode | None) -> Job | None:
        left = min(wait.remaining(), self._client._settings.timeout)
        try:
            return await self.get(wait.job_id, timeout=left, content_mode=content_mode)
        except (GatewayConnectionError, TimedOutError) as error:
            wait.lost(error)
            return None
