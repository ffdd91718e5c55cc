"""Every call of the API as data, shared by the sync and the async client."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from pydantic import TypeAdapter

from ._call import Call, check_job_id, encode, get, post
from .models import (
    Balance,
    ExtractResponse,
    Job,
    ProvidersResponse,
    SearchResponse,
    TranscriptionAccepted,
)
from .requests import ExtractRequest, SearchRequest, TranscriptionRequest

_search: TypeAdapter[SearchRequest] = TypeAdapter(SearchRequest)
_extract: TypeAdapter[ExtractRequest] = TypeAdapter(ExtractRequest)
_transcription: TypeAdapter[TranscriptionRequest] = TypeAdapter(TranscriptionRequest)

Cost = float | Decimal


def search(
    fields: Mapping[str, Any], timeout: float | None, key: str | None, cost: Cost | None
) -> Call[SearchResponse]:
    return post(
        "/v1/search",
        SearchResponse,
        encode(_search, fields),
        timeout=timeout,
        idempotency_key=key,
        max_cost_usd=cost,
    )


def extract(
    fields: Mapping[str, Any], timeout: float | None, key: str | None, cost: Cost | None
) -> Call[ExtractResponse]:
    return post(
        "/v1/extract",
        ExtractResponse,
        encode(_extract, fields),
        timeout=timeout,
        idempotency_key=key,
        max_cost_usd=cost,
    )


def transcribe(
    fields: Mapping[str, Any], timeout: float | None, key: str | None, cost: Cost | None
) -> Call[TranscriptionAccepted]:
    return post(
        "/v1/transcriptions",
        TranscriptionAccepted,
        encode(_transcription, fields),
        timeout=timeout,
        idempotency_key=key,
        max_cost_usd=cost,
    )


def job(job_id: str, timeout: float | None) -> Call[Job]:
    return get(f"/v1/jobs/{check_job_id(job_id)}", Job, timeout)


def balance(timeout: float | None) -> Call[Balance]:
    return get("/v1/balance", Balance, timeout)


def providers(timeout: float | None) -> Call[ProvidersResponse]:
    return get("/v1/providers", ProvidersResponse, timeout)
