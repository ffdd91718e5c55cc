"""What a caller may ask: the parameters of each tool, named and typed as on the wire."""

from collections.abc import Sequence
from datetime import date
from typing import Any, Literal

from pydantic import ConfigDict, with_config
from typing_extensions import TypedDict

SearchEngine = Literal[
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
]
SearchProvider = SearchEngine | Literal["auto", "fusion"]
ExtractEngine = Literal[
    "engine_a",
    "engine_b",
    "engine_c",
    "engine_e",
    "engine_f",
    "engine_g",
    "engine_h",
    "engine_i",
    "engine_j",
]
ExtractProvider = ExtractEngine | Literal["auto"]
TranscriptionEngine = Literal["stt_a", "stt_b", "stt_c"]
TranscriptionProvider = TranscriptionEngine | Literal["auto"]
ProviderId = SearchEngine | TranscriptionEngine

NativeOptions = dict[str, Any]
"""A provider's own parameters, sent to it as they are."""


# A field that is not known is refused before anything is sent.
strict_fields = with_config(ConfigDict(extra="forbid", strict=True))


@strict_fields
class SnippetOptions(TypedDict, total=False):
    max_per_result: int
    max_chars_per_snippet: int


@strict_fields
class SearchContent(TypedDict, total=False):
    snippets: SnippetOptions
    full_text: bool
    summary: bool


@strict_fields
class Locale(TypedDict, total=False):
    country: str
    language: str


@strict_fields
class FusionOptions(TypedDict, total=False):
    providers: Sequence[SearchEngine]
    timeout_ms: int
    top_k: int


@strict_fields
class SearchProviderOptions(TypedDict, total=False):
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


@strict_fields
class SearchParameters(TypedDict, total=False):
    """The optional parameters of a search. None means not given."""

    provider: SearchProvider | None
    max_results: int | None
    mode: Literal["instant", "fast", "balanced", "deep"] | None
    include_domains: Sequence[str] | None
    exclude_domains: Sequence[str] | None
    published_after: date | str | None
    published_before: date | str | None
    freshness: Literal["day", "week", "month", "year"] | None
    content: SearchContent | None
    locale: Locale | None
    category: Literal["general", "news", "company", "people", "research"] | None
    safe_search: Literal["off", "moderate", "strict"] | None
    offset: int | None
    strict: bool | None
    provider_options: SearchProviderOptions | None


@strict_fields
class SearchRequest(SearchParameters):
    query: str


@strict_fields
class ExcerptOptions(TypedDict, total=False):
    max_per_url: int
    max_chars_per_excerpt: int


@strict_fields
class ExtractContent(TypedDict, total=False):
    full_text: bool
    max_chars: int
    excerpts: ExcerptOptions
    summary: bool
    format: Literal["markdown", "text"]


@strict_fields
class ExtractProviderOptions(TypedDict, total=False):
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


@strict_fields
class ExtractParameters(TypedDict, total=False):
    """The optional parameters of an extraction. `timeout_ms` is for one page, not for the call."""

    provider: ExtractProvider | None
    query: str | None
    content: ExtractContent | None
    include_links: bool | None
    include_images: bool | None
    max_age_hours: int | None
    timeout_ms: int | None
    strict: bool | None
    provider_options: ExtractProviderOptions | None


@strict_fields
class ExtractRequest(ExtractParameters):
    urls: Sequence[str]


@strict_fields
class TranscriptionProviderOptions(TypedDict, total=False):
    stt_a: NativeOptions
    stt_b: NativeOptions
    stt_c: NativeOptions


@strict_fields
class TranscriptionParameters(TypedDict, total=False):
    """The optional parameters of a transcription. None means not given."""

    provider: TranscriptionProvider | None
    language: str | None
    diarize: bool | None
    keyterms: Sequence[str] | None
    timestamps: Literal["word", "none"] | None
    strict: bool | None
    provider_options: TranscriptionProviderOptions | None


@strict_fields
class TranscriptionRequest(TranscriptionParameters):
    audio_url: str

