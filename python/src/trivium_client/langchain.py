"""Tools for LangChain agents: search, extract and transcribe. Needs trivium-client[langchain]."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, nullcontext
from typing import Any, Literal

try:
    from langchain_core.tools import BaseTool, ToolException
    from langchain_core.tools.base import ArgsSchema
except ImportError as error:
    raise ImportError("Install trivium-client[langchain] to use these tools.") from error
from pydantic import ConfigDict, Field

from ._async_client import AsyncTrivium
from ._call import ContentMode
from ._client import Trivium
from ._tool_text import (
    EXTRACT_DESCRIPTION,
    SEARCH_DESCRIPTION,
    TRANSCRIBE_DESCRIPTION,
    ExtractArguments,
    SearchArguments,
    TranscribeArguments,
    error_text,
    extract_text,
    search_text,
    transcript_text,
)
from .errors import TriviumError
from .models import CompletedJob, ExtractResponse, SearchResponse
from .requests import ExtractProvider, SearchProvider, TranscriptionProvider


class _TriviumTool(BaseTool):
    """The model gets text; the complete answer is the artifact of the tool message.

    Without a given client, each call creates one from TRIVIUM_URL and TRIVIUM_API_KEY.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True, extra="forbid")

    client: Trivium | None = Field(default=None, exclude=True, repr=False)
    async_client: AsyncTrivium | None = Field(default=None, exclude=True, repr=False)
    max_cost_usd: float | None = None
    """Refuse a call that may cost more."""
    content_mode: ContentMode | None = "annotate"
    """What to do with suspicious content in text from the web; None disables the check."""
    response_format: Literal["content", "content_and_artifact"] = "content_and_artifact"
    # The model reads why a call or an argument was refused, and can correct it.
    handle_tool_error: Any = True
    handle_validation_error: Any = str

    def _asked(self, provider: str) -> dict[str, Any]:
        limits = {"max_cost_usd": self.max_cost_usd, "content_mode": self.content_mode}
        return {"provider": provider, **limits}

    @contextmanager
    def _sync(self) -> Iterator[Trivium]:
        with _refusals(), Trivium() if self.client is None else nullcontext(self.client) as client:
            yield client

    @asynccontextmanager
    async def _async(self) -> AsyncIterator[AsyncTrivium]:
        given = self.async_client
        with _refusals():
            async with AsyncTrivium() if given is None else nullcontext(given) as client:
                yield client


@contextmanager
def _refusals() -> Iterator[None]:
    try:
        yield
    except TriviumError as error:
        raise ToolException(error_text(error)) from error


class TriviumSearch(_TriviumTool):
    name: str = "trivium_search"
    description: str = SEARCH_DESCRIPTION
    args_schema: ArgsSchema | None = SearchArguments
    provider: SearchProvider = "auto"

    def _run(self, **arguments: Any) -> tuple[str, SearchResponse]:
        with self._sync() as client:
            found = client.search(**self._asked(self.provider), **arguments)
        return search_text(found), found

    async def _arun(self, **arguments: Any) -> tuple[str, SearchResponse]:
        async with self._async() as client:
            found = await client.search(**self._asked(self.provider), **arguments)
        return search_text(found), found


class TriviumExtract(_TriviumTool):
    name: str = "trivium_extract"
    description: str = EXTRACT_DESCRIPTION
    args_schema: ArgsSchema | None = ExtractArguments
    provider: ExtractProvider = "auto"

    def _run(self, max_chars: int, **arguments: Any) -> tuple[str, ExtractResponse]:
        asked = {**self._asked(self.provider), "content": {"max_chars": max_chars}}
        with self._sync() as client:
            got = client.extract(**asked, **arguments)
        return extract_text(got), got

    async def _arun(self, max_chars: int, **arguments: Any) -> tuple[str, ExtractResponse]:
        asked = {**self._asked(self.provider), "content": {"max_chars": max_chars}}
        async with self._async() as client:
            got = await client.extract(**asked, **arguments)
        return extract_text(got), got


class TriviumTranscribe(_TriviumTool):
    """Waits for the transcript up to `wait_seconds`; after that, the error names the job."""

    name: str = "trivium_transcribe"
    description: str = TRANSCRIBE_DESCRIPTION
    args_schema: ArgsSchema | None = TranscribeArguments
    provider: TranscriptionProvider = "auto"
    wait_seconds: float = 600.0

    def _run(self, **arguments: Any) -> tuple[str, CompletedJob]:
        with self._sync() as client:
            accepted = client.transcribe(
                provider=self.provider, max_cost_usd=self.max_cost_usd, **arguments
            )
            job = client.jobs.wait(
                accepted.id, timeout=self.wait_seconds, content_mode=self.content_mode
            )
        return transcript_text(job), job

    async def _arun(self, **arguments: Any) -> tuple[str, CompletedJob]:
        async with self._async() as client:
            accepted = await client.transcribe(
                provider=self.provider, max_cost_usd=self.max_cost_usd, **arguments
            )
            job = await client.jobs.wait(
                accepted.id, timeout=self.wait_seconds, content_mode=self.content_mode
            )
        return transcript_text(job), job


__all__ = ["TriviumExtract", "TriviumSearch", "TriviumTranscribe"]
