"""Every call of the API as data, shared by the sync and the async client."""

from collections.abc import Callable, Mapping
from typing import Any

from typing_extensions import TypedDict

from ._call import (
    Call,
    ContentMode,
    PostOptions,
    check_job_id,
    check_timeout,
    encode,
    filter_query,
    get,
    post,
    segment,
)
from ._fields import OwnJobFilters, OwnUsageFilters
from ._upload import Recording, UploadSource
from .models import (
    Balance,
    Estimate,
    ExtractResponse,
    FeedbackResponse,
    Job,
    OwnJobList,
    OwnUsage,
    ProvidersResponse,
    RawDocument,
    SearchResponse,
    TranscriptionAccepted,
    Upload,
    UploadDeleted,
)
from .errors import ArgumentError
from .requests import ExtractRequest, SearchRequest, TranscriptionRequest

class _Feedback(TypedDict, total=False):
    search_id: str
    """The id of the search."""
    cited: list[str]
    """Results that an answer was based on, by id or URL."""
    opened: list[str]
    """Results that were opened."""
    rejected: list[str]
    """Results that were not useful."""


_REQUESTS: dict[str, type[Any]] = {
    "search": SearchRequest,
    "extract": ExtractRequest,
    "transcription": TranscriptionRequest,
}

UPLOAD_TIMEOUT = 12 * 60 * 60.0
"""A large file on a slow connection takes hours."""


def search(fields: Mapping[str, Any], options: PostOptions) -> Call[SearchResponse]:
    return post("/v1/search", SearchResponse, encode(SearchRequest, fields, options.extra_body), options)


def extract(fields: Mapping[str, Any], options: PostOptions) -> Call[ExtractResponse]:
    return post("/v1/extract", ExtractResponse, encode(ExtractRequest, fields, options.extra_body), options)


def transcribe(fields: Mapping[str, Any], options: PostOptions) -> Call[TranscriptionAccepted]:
    body = encode(TranscriptionRequest, fields, options.extra_body)
    return post("/v1/transcriptions", TranscriptionAccepted, body, options)


def one_recording(audio_url: str | None, file: UploadSource | None) -> None:
    if (audio_url is None) == (file is None):
        raise ArgumentError("Give either audio_url or file.")


def create_upload(
    recording: Recording, content_type: str | None, timeout: float | None
) -> Call[Upload]:
    # The gateway keeps no Idempotency-Key for an upload, so it is never retried.
    return Call(
        "POST",
        "/v1/uploads",
        Upload,
        headers=recording.headers(content_type),
        recording=recording,
        timeout=UPLOAD_TIMEOUT if timeout is None else check_timeout(timeout),
    )


def upload(upload_id: str, timeout: float | None) -> Call[Upload]:
    return get(f"/v1/uploads/{segment('upload_id', upload_id)}", Upload, timeout)


def delete_upload(upload_id: str, timeout: float | None) -> Call[UploadDeleted]:
    path = f"/v1/uploads/{segment('upload_id', upload_id)}"
    return Call("DELETE", path, UploadDeleted, timeout=check_timeout(timeout))


def job(
    job_id: str, timeout: float | None, content_mode: ContentMode | None = None
) -> Call[Job]:
    return get(f"/v1/jobs/{check_job_id(job_id)}", Job, timeout, content_mode)


def raw_document(job_id: str, timeout: float | None) -> Call[RawDocument]:
    return get(f"/v1/jobs/{check_job_id(job_id)}/raw", RawDocument, timeout)


def balance(timeout: float | None) -> Call[Balance]:
    return get("/v1/balance", Balance, timeout)


def providers(timeout: float | None) -> Call[ProvidersResponse]:
    return get("/v1/providers", ProvidersResponse, timeout)


def usage(filters: Mapping[str, Any], timeout: float | None) -> Call[OwnUsage]:
    return get(f"/v1/usage{filter_query(filters, OwnUsageFilters)}", OwnUsage, timeout)


def jobs(timeout: float | None) -> Callable[[Mapping[str, Any]], Call[OwnJobList]]:
    """Reads the page that the filters select."""

    def page(filters: Mapping[str, Any]) -> Call[OwnJobList]:
        return get(f"/v1/jobs{filter_query(filters, OwnJobFilters)}", OwnJobList, timeout)

    return page


def estimate(tool: str, request: Mapping[str, Any], timeout: float | None) -> Call[Estimate]:
    kind = _REQUESTS.get(tool) if isinstance(tool, str) else None
    if kind is None or not isinstance(request, Mapping):
        raise ArgumentError("estimate needs a request, and search, extract or transcription.")
    body = encode(kind, request)
    # Nothing is charged, so no idempotency key is needed.
    path = f"/v1/estimates/{tool}"
    return Call("POST", path, Estimate, body=body, timeout=check_timeout(timeout))


def feedback(
    search_id: str, results: Mapping[str, Any], timeout: float | None
) -> Call[FeedbackResponse]:
    given = {name: value for name, value in results.items() if value is not None}
    body = encode(_Feedback, {"search_id": search_id, **given})
    if not any(given.values()):
        raise ArgumentError("Name at least one result in cited, opened or rejected.")
    # Repeated feedback changes nothing, so no idempotency key is needed.
    timeout = check_timeout(timeout)
    return Call("POST", "/v1/feedback", FeedbackResponse, body=body, timeout=timeout)
