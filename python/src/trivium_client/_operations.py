"""Every call of the API as data, shared by the sync and the async client."""

from collections.abc import Mapping
from datetime import date
from typing import Any, Literal

from pydantic import TypeAdapter
from typing_extensions import TypedDict

from ._call import Call, PostOptions, check_job_id, check_timeout, encode, get, post, query, segment
from ._upload import Recording, UploadSource
from .models import (
    Balance,
    ExtractResponse,
    Job,
    JobStatus,
    OwnJobList,
    OwnUsage,
    ProvidersResponse,
    RawDocument,
    SearchResponse,
    TranscriptionAccepted,
    Upload,
    UploadDeleted,
)
from .errors import ApiError, ArgumentError
from .requests import ExtractRequest, SearchRequest, TranscriptionRequest

_search: TypeAdapter[SearchRequest] = TypeAdapter(SearchRequest)
_extract: TypeAdapter[ExtractRequest] = TypeAdapter(ExtractRequest)
_transcription: TypeAdapter[TranscriptionRequest] = TypeAdapter(TranscriptionRequest)

UPLOAD_TIMEOUT = 12 * 60 * 60.0
"""A large file on a slow connection takes hours."""


class OwnUsageFilters(TypedDict, total=False):
    by: Literal["day", "tool", "provider", "key"] | str | None
    """By day unless given; `tag:team` is by the values of the tag team."""
    from_: date | str | None
    """The first day, in UTC, or the first moment as ISO text."""
    to: date | str | None
    """The last day, which is included, or the first moment after the range."""


class OwnJobFilters(TypedDict, total=False):
    status: JobStatus | None
    limit: int | None
    """How many entries one page has."""
    cursor: str | None
    """`next_cursor` of the page before."""


def search(fields: Mapping[str, Any], options: PostOptions) -> Call[SearchResponse]:
    return post("/v1/search", SearchResponse, encode(_search, fields), options)


def extract(fields: Mapping[str, Any], options: PostOptions) -> Call[ExtractResponse]:
    return post("/v1/extract", ExtractResponse, encode(_extract, fields), options)


def transcribe(fields: Mapping[str, Any], options: PostOptions) -> Call[TranscriptionAccepted]:
    body = encode(_transcription, fields)
    return post("/v1/transcriptions", TranscriptionAccepted, body, options)


def one_recording(audio_url: str | None, file: UploadSource | None) -> None:
    if (audio_url is None) == (file is None):
        raise ArgumentError("Give either audio_url or file.")


def create_upload(
    recording: Recording, content_type: str | None, timeout: float | None
) -> Call[Upload]:
    # The gateway keeps no Idempotency-Key for it, so it is never repeated.
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


def job(job_id: str, timeout: float | None) -> Call[Job]:
    return get(f"/v1/jobs/{check_job_id(job_id)}", Job, timeout)


def raw_document(job_id: str, timeout: float | None) -> Call[RawDocument]:
    return get(f"/v1/jobs/{check_job_id(job_id)}/raw", RawDocument, timeout)


def balance(timeout: float | None) -> Call[Balance]:
    return get("/v1/balance", Balance, timeout)


def providers(timeout: float | None) -> Call[ProvidersResponse]:
    return get("/v1/providers", ProvidersResponse, timeout)


def usage(filters: Mapping[str, Any], timeout: float | None) -> Call[OwnUsage]:
    return get(f"/v1/usage{_query(filters, OwnUsageFilters)}", OwnUsage, timeout)


def jobs(filters: Mapping[str, Any], timeout: float | None) -> Call[OwnJobList]:
    return get(f"/v1/jobs{_query(filters, OwnJobFilters)}", OwnJobList, timeout)


def next_jobs(page: OwnJobList, filters: Mapping[str, Any]) -> dict[str, Any] | None:
    """The filters of the next page; None after the last."""
    if page.next_cursor is None:
        return None
    # A list that leads to itself would never end.
    if page.next_cursor == filters.get("cursor"):
        raise ApiError("The gateway gave the same cursor twice.", status=200)
    return {**filters, "cursor": page.next_cursor}


def _query(filters: Mapping[str, Any], kind: type[Any]) -> str:
    unknown = sorted(set(filters) - set(kind.__annotations__))
    if unknown:
        raise ArgumentError(f"{', '.join(unknown)[:200]}: there is no such filter")
    return query({name.rstrip("_"): value for name, value in filters.items()})
