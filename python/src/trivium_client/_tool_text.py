"""Answers as short text for a model, and the arguments that a model may pass."""

from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from ._frame import frame_texts, new_marker
from .errors import ApiError, JobFailedError, TriviumError
from .models import (
    CompletedJob,
    ExtractResponse,
    ExtractResult,
    RequestWarning,
    SearchResponse,
    SearchResult,
    Usage,
)

MOST_SNIPPETS = 3
MOST_SNIPPET_CHARACTERS = 400
DEFAULT_PAGE_CHARACTERS = 10_000

SEARCH_DESCRIPTION = "Find web pages. Returns titles, URLs and short excerpts."
EXTRACT_DESCRIPTION = (
    "Get the content of web pages as markdown. Lists pages that could not be read."
)
TRANSCRIBE_DESCRIPTION = "Turn a recording at a public https address into text."


MAX_TOKENS = Field(
    default=None,
    ge=100,
    le=1_000_000,
    description="The maximum number of tokens of all texts together; the first texts get the most.",
)


class Arguments(BaseModel):
    """Unknown arguments are refused, so that a model is corrected before anything is sent."""

    model_config = ConfigDict(extra="forbid")


class SearchArguments(Arguments):
    query: str = Field(description="What to look for, in natural language.")
    max_results: int = Field(default=5, ge=1, le=100, description="How many results to ask for.")
    freshness: Literal["day", "week", "month", "year"] | None = Field(
        default=None, description="Only pages published within this time."
    )
    include_domains: list[str] | None = Field(
        default=None, description="Only pages from these domains."
    )
    max_tokens: int | None = MAX_TOKENS


class ExtractArguments(Arguments):
    urls: list[str] = Field(min_length=1, max_length=20, description="1 to 20 addresses.")
    query: str | None = Field(default=None, description="What to look for in the pages.")
    max_chars: int = Field(
        default=DEFAULT_PAGE_CHARACTERS, ge=100, le=100_000, description="Maximum length of a page."
    )
    max_tokens: int | None = MAX_TOKENS


class TranscribeArguments(Arguments):
    audio_url: str = Field(description="The public https address of the recording.")
    language: str | None = Field(
        default=None, description="The language, such as en; detected by default."
    )
    diarize: bool = Field(default=False, description="Label the speakers.")


def search_text(found: SearchResponse) -> str:
    pages = []
    for number, result in enumerate(found.results, 1):
        some = (_shorten(one) for one in result.snippets[:MOST_SNIPPETS])
        pages.append(_page(number, result, " … ".join(some)))
    return _result(pages, found.provider, found.warnings, found.usage)


def extract_text(got: ExtractResponse) -> str:
    pages = [
        _page(number, page, f"\n{page.content or ''}") for number, page in enumerate(got.results, 1)
    ]
    failed = [f"Could not read {page.url}: {page.error}" for page in got.failed]
    return _result([*pages, *failed], got.provider, got.warnings, got.usage)


def transcript_text(job: CompletedJob) -> str:
    words = job.result.words or []
    if not any(word.speaker_id for word in words):
        said = job.result.text
    else:
        turns: list[tuple[str | None, list[str]]] = []
        for word in words:
            if not turns or turns[-1][0] != word.speaker_id:
                turns.append((word.speaker_id, []))
            turns[-1][1].append(word.text)
        said = "\n".join(f"{speaker}: {' '.join(text)}" for speaker, text in turns)
    signals = job.meta.content_signals
    flagged = (
        []
        if signals is None or signals == "none"
        else [RequestWarning(code="content_flagged", param="text", message=signals)]
    )
    return _result([said], job.result.provider, flagged, job.result.usage)


def error_text(error: TriviumError) -> str:
    """What a provider, or a proxy in between, said is framed like a page."""
    if isinstance(error, JobFailedError):
        return f"The job {error.job.id} failed: {error.reason.type}:\n{_framed([error.reason.message])}"
    if isinstance(error, ApiError) and error.type in ("provider_error", "unknown"):
        return f"{error.type}:\n{_framed([str(error)])}"
    return str(error)


def _framed(texts: Sequence[str]) -> str:
    """Encloses texts in marks with a number that no page can guess."""
    return frame_texts(texts, new_marker())


def _page(number: int, page: SearchResult | ExtractResult, text: str) -> str:
    """A page with the number that an answer cites."""
    dated = "" if page.published_date is None else f" ({page.published_date})"
    title = _one_line(f"{page.title or page.url}{dated}")
    return f"[{number}] {title}\n{_one_line(page.url)}\n{text}"


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _result(
    texts: Sequence[str], provider: str, warnings: Sequence[RequestWarning], usage: Usage | None
) -> str:
    """Texts in a frame, with the warnings, because these can repeat what a provider said.
    Then come what the gateway flagged, the provider and the cost."""
    flagged = [
        f"Flagged {one.param or 'the request'}: {one.message}"
        for one in warnings
        if one.code == "content_flagged"
    ]
    adjusted = [
        f"Adjusted {one.param or 'the request'}: {one.message}"
        for one in warnings
        if one.code != "content_flagged"
    ]
    framed = [*texts, *adjusted]
    cost = "" if usage is None else f", {usage.cost_usd:g} USD"
    parts = [
        *([] if texts else ["No results."]),
        *([_framed(framed)] if framed else []),
        "\n".join([*flagged, f"({provider}{cost})"]),
    ]
    return "\n\n".join(parts)


def _shorten(text: str) -> str:
    if len(text) <= MOST_SNIPPET_CHARACTERS:
        return text
    return f"{text[: MOST_SNIPPET_CHARACTERS - 1]}…"
