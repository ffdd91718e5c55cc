"""Answers as short text for a model, and the arguments that a model may give."""

from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from .models import CompletedJob, ExtractResponse, RequestWarning, SearchResponse, Usage

MOST_SNIPPETS = 3
MOST_SNIPPET_CHARACTERS = 400
DEFAULT_PAGE_CHARACTERS = 10_000

SEARCH_DESCRIPTION = "Find web pages. Returns titles, URLs and short excerpts."
EXTRACT_DESCRIPTION = (
    "Get the content of web pages as markdown. Lists pages that could not be read."
)
TRANSCRIBE_DESCRIPTION = "Turn a recording at a public https address into text."


class Arguments(BaseModel):
    """A model that makes up an argument is corrected before anything is sent."""

    model_config = ConfigDict(extra="forbid")


class SearchArguments(Arguments):
    query: str = Field(description="What to look for, in natural language.")
    max_results: int = Field(default=5, ge=1, le=100, description="How many results to ask for.")
    freshness: Literal["day", "week", "month", "year"] | None = Field(
        default=None, description="Only pages published within this time."
    )
    include_domains: list[str] | None = Field(
        default=None, description="Only pages of these domains."
    )


class ExtractArguments(Arguments):
    urls: list[str] = Field(min_length=1, max_length=20, description="1 to 20 addresses.")
    query: str | None = Field(default=None, description="What the pages are read for.")
    max_chars: int = Field(
        default=DEFAULT_PAGE_CHARACTERS, ge=100, le=100_000, description="Cut each page to this."
    )


class TranscribeArguments(Arguments):
    audio_url: str = Field(description="The public https address of the recording.")
    language: str | None = Field(
        default=None, description="Its language, such as en; found out unless given."
    )
    diarize: bool = Field(default=False, description="Say who speaks.")


def search_text(found: SearchResponse) -> str:
    lines = []
    for number, result in enumerate(found.results, 1):
        dated = "" if result.published_date is None else f" ({result.published_date})"
        some = (_shorten(one) for one in result.snippets[:MOST_SNIPPETS])
        lines.append(f"{number}. {result.title or result.url}{dated}")
        lines.append(f"   {result.url}\n   {' … '.join(some)}")
    listed = "\n".join(lines) if lines else "Nothing was found."
    return f"{listed}\n\n{_ending(found.provider, found.warnings, found.usage)}"


def extract_text(got: ExtractResponse) -> str:
    pages = [
        f"# {page.title or page.url}\n{page.url}\n\n{page.content or ''}" for page in got.results
    ]
    failed = [f"Could not read {page.url}: {page.error}" for page in got.failed]
    return "\n\n".join([*pages, *failed, _ending(got.provider, got.warnings, got.usage)])


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
    return f"{said}\n\n{_ending(job.result.provider, [], job.result.usage)}"


def _ending(provider: str, warnings: Sequence[RequestWarning], usage: Usage | None) -> str:
    """What was adjusted, which provider served, what it cost."""
    adjusted = [f"Adjusted {one.param or 'the request'}: {one.message}" for one in warnings]
    cost = "" if usage is None else f", {usage.cost_usd:g} USD"
    return "\n".join([*adjusted, f"({provider}{cost})"])


def _shorten(text: str) -> str:
    if len(text) <= MOST_SNIPPET_CHARACTERS:
        return text
    return f"{text[: MOST_SNIPPET_CHARACTERS - 1]}…"
