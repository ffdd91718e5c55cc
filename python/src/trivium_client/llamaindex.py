"""Tools for LlamaIndex agents: search, extract, transcribe. Needs trivium-client[llamaindex]."""

from contextlib import AbstractAsyncContextManager, AbstractContextManager, nullcontext
from typing import Any, Literal

try:
    from llama_index.core.tools import FunctionTool, ToolMetadata
except ImportError as error:
    raise ImportError("Install trivium-client[llamaindex] to use these tools.") from error

from ._async_client import AsyncTrivium
from ._call import ContentMode
from ._client import Trivium
from ._tool_text import (
    DEFAULT_PAGE_CHARACTERS,
    EXTRACT_DESCRIPTION,
    SEARCH_DESCRIPTION,
    TRANSCRIBE_DESCRIPTION,
    ExtractArguments,
    SearchArguments,
    TranscribeArguments,
    extract_text,
    search_text,
    transcript_text,
)
from .requests import ExtractProvider, SearchProvider, TranscriptionProvider


class TriviumToolSpec:
    """Creates tools for an agent: `TriviumToolSpec().to_tool_list()`.

    Without a given client, each call creates one from TRIVIUM_URL and TRIVIUM_API_KEY.
    A transcription waits up to `wait_seconds`; after that, the error names the job.
    `content_mode` says what to do with suspicious content in text from the web.
    """

    def __init__(
        self,
        *,
        client: Trivium | None = None,
        async_client: AsyncTrivium | None = None,
        search_provider: SearchProvider = "auto",
        extract_provider: ExtractProvider = "auto",
        transcription_provider: TranscriptionProvider = "auto",
        max_cost_usd: float | None = None,
        wait_seconds: float = 600.0,
        content_mode: ContentMode | None = "annotate",
    ) -> None:
        self._client = client
        self._async_client = async_client
        self._search_provider: SearchProvider = search_provider
        self._extract_provider: ExtractProvider = extract_provider
        self._transcription_provider: TranscriptionProvider = transcription_provider
        self._max_cost_usd = max_cost_usd
        self._wait_seconds = wait_seconds
        self._content_mode: ContentMode | None = content_mode

    def to_tool_list(self) -> list[FunctionTool]:
        return [
            FunctionTool.from_defaults(
                fn=self.search,
                async_fn=self.asearch,
                tool_metadata=ToolMetadata(SEARCH_DESCRIPTION, "trivium_search", SearchArguments),
            ),
            FunctionTool.from_defaults(
                fn=self.extract,
                async_fn=self.aextract,
                tool_metadata=ToolMetadata(
                    EXTRACT_DESCRIPTION, "trivium_extract", ExtractArguments
                ),
            ),
            FunctionTool.from_defaults(
                fn=self.transcribe,
                async_fn=self.atranscribe,
                tool_metadata=ToolMetadata(
                    TRANSCRIBE_DESCRIPTION, "trivium_transcribe", TranscribeArguments
                ),
            ),
        ]

    def search(
        self,
        query: str,
        max_results: int = 5,
        freshness: Literal["day", "week", "month", "year"] | None = None,
        include_domains: list[str] | None = None,
        max_tokens: int | None = None,
    ) -> str:
        with self._sync() as client:
            found = client.search(
                query,
                max_results=max_results,
                freshness=freshness,
                include_domains=include_domains,
                max_tokens=max_tokens,
                **self._asked(self._search_provider),
            )
        return search_text(found)

    async def asearch(
        self,
        query: str,
        max_results: int = 5,
        freshness: Literal["day", "week", "month", "year"] | None = None,
        include_domains: list[str] | None = None,
        max_tokens: int | None = None,
    ) -> str:
        async with self._async() as client:
            found = await client.search(
                query,
                max_results=max_results,
                freshness=freshness,
                include_domains=include_domains,
                max_tokens=max_tokens,
                **self._asked(self._search_provider),
            )
        return search_text(found)

    def extract(
        self,
        urls: list[str],
        query: str | None = None,
        max_chars: int = DEFAULT_PAGE_CHARACTERS,
        max_tokens: int | None = None,
    ) -> str:
        with self._sync() as client:
            got = client.extract(
                urls,
                query=query,
                content={"max_chars": max_chars},
                max_tokens=max_tokens,
                **self._asked(self._extract_provider),
            )
        return extract_text(got)

    async def aextract(
        self,
        urls: list[str],
        query: str | None = None,
        max_chars: int = DEFAULT_PAGE_CHARACTERS,
        max_tokens: int | None = None,
    ) -> str:
        async with self._async() as client:
            got = await client.extract(
                urls,
                query=query,
                content={"max_chars": max_chars},
                max_tokens=max_tokens,
                **self._asked(self._extract_provider),
            )
        return extract_text(got)

    def transcribe(
        self, audio_url: str, language: str | None = None, diarize: bool = False
    ) -> str:
        with self._sync() as client:
            accepted = client.transcribe(
                audio_url,
                language=language,
                diarize=diarize,
                provider=self._transcription_provider,
                max_cost_usd=self._max_cost_usd,
            )
            job = client.jobs.wait(
                accepted.id, timeout=self._wait_seconds, content_mode=self._content_mode
            )
        return transcript_text(job)

    async def atranscribe(
        self, audio_url: str, language: str | None = None, diarize: bool = False
    ) -> str:
        async with self._async() as client:
            accepted = await client.transcribe(
                audio_url,
                language=language,
                diarize=diarize,
                provider=self._transcription_provider,
                max_cost_usd=self._max_cost_usd,
            )
            job = await client.jobs.wait(
                accepted.id, timeout=self._wait_seconds, content_mode=self._content_mode
            )
        return transcript_text(job)

    def _asked(self, provider: str) -> dict[str, Any]:
        limits = {"max_cost_usd": self._max_cost_usd, "content_mode": self._content_mode}
        return {"provider": provider, **limits}

    def _sync(self) -> AbstractContextManager[Trivium]:
        return Trivium() if self._client is None else nullcontext(self._client)

    def _async(self) -> AbstractAsyncContextManager[AsyncTrivium]:
        return AsyncTrivium() if self._async_client is None else nullcontext(self._async_client)


__all__ = ["TriviumToolSpec"]
