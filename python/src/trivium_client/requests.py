"""The parameters of each tool, named and typed as in the API.

Written by scripts/clients.ts from the API description: do not edit.
"""

from collections.abc import Sequence
from datetime import date
from typing import Any, Literal

from pydantic import ConfigDict, with_config
from typing_extensions import TypedDict

# The names known today, for editors. A gateway may have more, so any string is accepted.
SearchEngine = (
    Literal[
    "engine_a",
    "engine_b",
    "engine_c",
    "engine_d",
    "engine_e",
    "engine_f",
    "engine_g",
    "engine_h",
    "engine_i",
    "engine_j",
    "engine_k",
    "exa",
    "parallel",
    "tavily",
    "brave",
    "serper",
    "firecrawl",
    "linkup",
    "valyu",
    "jina",
    "you",
    "perplexity",
]
    | str
)
SearchProvider = SearchEngine | Literal["auto", "fusion"]
ExtractEngine = (
    Literal[
    "engine_a",
    "engine_c",
    "engine_b",
    "engine_e",
    "engine_f",
    "engine_g",
    "engine_h",
    "engine_i",
    "engine_j",
    "exa",
    "parallel",
    "tavily",
    "serper",
    "firecrawl",
    "linkup",
    "valyu",
    "jina",
    "you",
]
    | str
)
ExtractProvider = ExtractEngine | Literal["auto"]
TranscriptionEngine = (
    Literal[
    "stt_a",
    "stt_b",
    "stt_c",
    "assemblyai",
    "deepgram",
    "elevenlabs",
]
    | str
)
TranscriptionProvider = TranscriptionEngine | Literal["auto"]
ProviderId = SearchEngine | TranscriptionEngine

VENDORS: dict[str, str] = {
    "exa": "engine_a",
    "parallel": "engine_b",
    "tavily": "engine_c",
    "brave": "engine_d",
    "serper": "engine_e",
    "firecrawl": "engine_f",
    "linkup": "engine_g",
    "valyu": "engine_h",
    "jina": "engine_i",
    "you": "engine_j",
    "youcom": "engine_j",
    "perplexity": "engine_k",
    "assemblyai": "stt_a",
    "deepgram": "stt_b",
    "elevenlabs": "stt_c",
}
"""Provider ids by vendor name, without spaces and dots."""

NativeOptions = dict[str, Any]
"""A provider's own parameters, sent to it unchanged."""


# Unknown fields are refused before anything is sent.
strict_fields = with_config(ConfigDict(extra="forbid", strict=True))
# A gateway may have providers that this version does not know.
open_fields = with_config(ConfigDict(extra="allow", strict=True))


@strict_fields
class SnippetOptions(TypedDict, total=False):
    """Limits on the excerpts of each result."""

    max_per_result: int
    """The maximum number of excerpts per result."""
    max_chars_per_snippet: int
    """The maximum length, in characters."""


@strict_fields
class SearchContent(TypedDict, total=False):
    """What to return for each page."""

    snippets: SnippetOptions
    """Limits on the excerpts of each result."""
    full_text: bool
    """Return the whole text of each page."""
    summary: bool
    """Return a summary of each page."""


@strict_fields
class Locale(TypedDict, total=False):
    """Where and in which language to search."""

    country: str
    """Where to search from, as ISO 3166-1 alpha-2."""
    language: str
    """The language of the pages: ISO 639-1."""


@strict_fields
class FusionOptions(TypedDict, total=False):
    """Used only when provider is fusion."""

    providers: Sequence[SearchEngine]
    """The panel, each engine once."""
    timeout_ms: int
    """How long each engine may take, in milliseconds. Default: 10000."""
    top_k: int
    """How many of the first results of each engine are always kept. Default: 3."""


@open_fields
class SearchProviderOptions(TypedDict, total=False):
    """Native options of each engine, and the panel of a fusion."""

    engine_a: NativeOptions
    engine_b: NativeOptions
    engine_c: NativeOptions
    engine_d: NativeOptions
    engine_e: NativeOptions
    engine_f: NativeOptions
    engine_g: NativeOptions
    engine_h: NativeOptions
    engine_i: NativeOptions
    engine_j: NativeOptions
    engine_k: NativeOptions
    fusion: FusionOptions
    """The panel of a fusion, as FusionOptions. Ignored with any other provider."""
    exa: NativeOptions
    parallel: NativeOptions
    tavily: NativeOptions
    brave: NativeOptions
    serper: NativeOptions
    firecrawl: NativeOptions
    linkup: NativeOptions
    valyu: NativeOptions
    jina: NativeOptions
    you: NativeOptions
    perplexity: NativeOptions


@strict_fields
class SearchParameters(TypedDict, total=False):
    """The optional parameters of a search. None means not given."""

    provider: SearchProvider | None
    """An engine, auto for the first configured one, or fusion for a panel of engines. Default:
    "auto"."""
    max_results: int | None
    """The maximum number of results; with fusion, of each engine. Default: 10."""
    mode: Literal["instant", "fast", "balanced", "deep"] | None
    """How much effort to spend; if omitted, the engine's default applies."""
    include_domains: Sequence[str] | None
    """Only pages from these domains."""
    exclude_domains: Sequence[str] | None
    """No pages from these domains."""
    published_after: date | str | None
    """The first day wanted, YYYY-MM-DD."""
    published_before: date | str | None
    """The last day wanted, YYYY-MM-DD."""
    freshness: Literal["day", "week", "month", "year"] | None
    """A window that ends now; not together with published_after or published_before."""
    content: SearchContent | None
    """What to return for each page."""
    locale: Locale | None
    """Where and in which language to search."""
    category: Literal["general", "news", "company", "people", "research"] | None
    """The kind of page to look for."""
    safe_search: Literal["off", "moderate", "strict"] | None
    """How much adult content to leave out."""
    offset: int | None
    """How many results to skip."""
    strict: bool | None
    """Refuse the request instead of adjusting it; not together with fusion. Default: false."""
    provider_options: SearchProviderOptions | None
    """Native options of each engine, and the panel of a fusion."""


@strict_fields
class SearchRequest(SearchParameters):
    query: str
    """What to search for, in natural language."""


@strict_fields
class ExcerptOptions(TypedDict, total=False):
    """Return focused excerpts, with or without the whole page."""

    max_per_url: int
    """The maximum number of excerpts per page."""
    max_chars_per_excerpt: int
    """The maximum length, in characters."""


@strict_fields
class ExtractContent(TypedDict, total=False):
    """What to return for each page."""

    full_text: bool
    """Return the whole page in content. Default: true."""
    max_chars: int
    """Truncates the content of each page at exactly this length, with any provider."""
    excerpts: ExcerptOptions
    """Return focused excerpts, with or without the whole page."""
    summary: bool
    """Return a summary of each page."""
    format: Literal["markdown", "text"]
    """The format of content. Default: "markdown"."""


@open_fields
class ExtractProviderOptions(TypedDict, total=False):
    """Native options of each provider."""

    engine_a: NativeOptions
    engine_c: NativeOptions
    engine_b: NativeOptions
    engine_e: NativeOptions
    engine_f: NativeOptions
    engine_g: NativeOptions
    engine_h: NativeOptions
    engine_i: NativeOptions
    engine_j: NativeOptions
    engine_d: NativeOptions
    exa: NativeOptions
    tavily: NativeOptions
    parallel: NativeOptions
    serper: NativeOptions
    firecrawl: NativeOptions
    linkup: NativeOptions
    valyu: NativeOptions
    jina: NativeOptions
    you: NativeOptions
    brave: NativeOptions


@strict_fields
class ExtractParameters(TypedDict, total=False):
    """The optional parameters of an extraction. `timeout_ms` is for one page, not for the call."""

    provider: ExtractProvider | None
    """A provider, or auto for the first one configured. Default: "auto"."""
    query: str | None
    """What the excerpts and summary should be about."""
    content: ExtractContent | None
    """What to return for each page."""
    include_links: bool | None
    """Return the links of each page."""
    include_images: bool | None
    """Return the images of each page."""
    max_age_hours: int | None
    """Maximum age of a cached copy; 0 asks for a live fetch."""
    timeout_ms: int | None
    """Time allowed for each page."""
    strict: bool | None
    """Refuse the request instead of adjusting it. Default: false."""
    provider_options: ExtractProviderOptions | None
    """Native options of each provider."""


@strict_fields
class ExtractRequest(ExtractParameters):
    urls: Sequence[str]
    """The pages to extract."""


@open_fields
class TranscriptionProviderOptions(TypedDict, total=False):
    """Native options of each provider."""

    stt_a: NativeOptions
    stt_b: NativeOptions
    stt_c: NativeOptions
    assemblyai: NativeOptions
    deepgram: NativeOptions
    elevenlabs: NativeOptions


@strict_fields
class TranscriptionParameters(TypedDict, total=False):
    """The optional parameters of a transcription. None means not given."""

    provider: TranscriptionProvider | None
    """A provider, or auto for the first one configured. Default: "auto"."""
    language: str | None
    """If omitted, the provider detects it."""
    diarize: bool | None
    """Label the speakers. Default: false."""
    keyterms: Sequence[str] | None
    """Words that the recording is likely to contain, such as names."""
    timestamps: Literal["word", "none"] | None
    """Whether to return when each word was said. Default: "word"."""
    strict: bool | None
    """Refuse the request instead of adjusting it. Default: false."""
    provider_options: TranscriptionProviderOptions | None
    """Native options of each provider."""


@strict_fields
class TranscriptionRequest(TranscriptionParameters):
    audio_url: str
    """An https URL that stays readable until the provider has fetched it, or the audio_url of an
    upload."""
