"""One call as data: method, path, body, headers, and the model that reads its answer."""

import json
import math
import re
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import ROUND_DOWN, Decimal
from typing import Any, Generic, Literal, TypeVar, get_args
from urllib.parse import quote, urlencode

from pydantic import TypeAdapter, ValidationError

from ._providers import to_provider_id, with_provider_ids
from ._settings import check_seconds
from ._upload import Recording
from .errors import ArgumentError
from .models import Answer

T = TypeVar("T", bound=Answer)
Tags = Mapping[str, str | int]
Method = Literal["GET", "POST", "PATCH", "DELETE"]
ContentMode = Literal["annotate", "clean", "block"]
"""What to do with suspicious content in text from the web."""

_IDEMPOTENCY_KEY = re.compile(r"[\x21-\x7e]{1,255}")
_JOB_ID = re.compile(r"job_[0-9a-f-]{36}")
_MOST_SHOWN_ISSUES = 5
_TAG_WORD = re.compile(r"[A-Za-z0-9_.:-]{1,64}")
_MOST_TAGS = 10
_COST_LIMIT = 1_000_000_000
_MOST_CACHE_SECONDS = 9_999_999
_LEAST_TOKENS = 100
_MOST_TOKENS = 1_000_000
_ADDRESS = re.compile(r"[\x21-\x7e]{1,2048}")
_HEADER_NAME = re.compile(r"[A-Za-z0-9-]{1,200}")
_HEADER_VALUE = re.compile(r"[\x20-\x7e]{0,8000}")
_COST_STEP = Decimal("0.000001")


@dataclass(frozen=True)
class PostOptions:
    """The options of a call."""

    timeout: float | None = None
    idempotency_key: str | None = None
    max_cost_usd: float | Decimal | None = None
    tags: Tags | None = None
    cache_seconds: int | None = None
    webhook: str | None = None
    content_mode: ContentMode | None = None
    max_tokens: int | None = None
    extra_headers: Mapping[str, str] | None = None
    extra_body: Mapping[str, Any] | None = None
    """Fields that this version does not know; they are sent unchanged."""

    def headers(self) -> dict[str, str]:
        named = {
            "x-max-cost-usd": cost_text(self.max_cost_usd),
            "x-trivium-tags": tags_text(self.tags),
            "x-trivium-cache": _cache_text(self.cache_seconds),
            "x-trivium-webhook": _webhook_text(self.webhook),
            "x-trivium-content": _content_text(self.content_mode),
            "x-trivium-max-tokens": _tokens_text(self.max_tokens),
        }
        given = {name: value for name, value in named.items() if value is not None}
        return {**given, **_extra_headers(self.extra_headers)}


@dataclass(frozen=True)
class Call(Generic[T]):
    method: Method
    path: str
    answer: type[T]
    body: bytes | None = None
    idempotency_key: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    timeout: float | None = None
    recording: Recording | None = None
    """Sent instead of a JSON body, and read while it is sent."""

    @property
    def repeatable(self) -> bool:
        """A POST would run twice, unless its key marks the second one as a repetition."""
        return self.method != "POST" or self.idempotency_key is not None


def get(
    path: str, answer: type[T], timeout: float | None, content_mode: ContentMode | None = None
) -> Call[T]:
    mode = _content_text(content_mode)
    headers = {} if mode is None else {"x-trivium-content": mode}
    return Call("GET", path, answer, headers=headers, timeout=check_timeout(timeout))


def post(
    path: str,
    answer: type[T],
    body: bytes | None,
    options: PostOptions,
) -> Call[T]:
    """A POST with an Idempotency-Key, which is generated unless given."""
    return Call(
        "POST",
        path,
        answer,
        body=body,
        idempotency_key=check_idempotency_key(options.idempotency_key),
        headers=options.headers(),
        timeout=check_timeout(options.timeout),
    )


_adapters: dict[type[Any], TypeAdapter[Any]] = {}


def _adapter(kind: type[Any]) -> TypeAdapter[Any]:
    if kind not in _adapters:
        _adapters[kind] = TypeAdapter(kind)
    return _adapters[kind]


def encode(
    kind: type[Any], fields: Mapping[str, Any], extra: Mapping[str, Any] | None = None
) -> bytes:
    """The body as JSON, or an error that names every invalid argument."""
    if extra is not None and not isinstance(extra, Mapping):
        raise ArgumentError("extra_body must be a mapping of names to values.")
    try:
        plain = {name: _plain(value) for name, value in with_provider_ids(fields).items()}
        checked: dict[str, Any] = _adapter(kind).validate_python(plain)
    except ValidationError as error:
        raise ArgumentError(_explain(error)) from None
    given = {name: value for name, value in checked.items() if value is not None}
    return to_json({**given, **(extra or {})})


def to_json(value: Any) -> bytes:
    try:
        return json.dumps(value, allow_nan=False, separators=(",", ":")).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise ArgumentError(f"An argument cannot be written as JSON: {error}.") from None


def check_idempotency_key(key: str | None) -> str:
    if key is None:
        return str(uuid.uuid4())
    if not isinstance(key, str) or not _IDEMPOTENCY_KEY.fullmatch(key):
        raise ArgumentError("idempotency_key must have 1 to 255 visible ASCII characters.")
    return key


def check_job_id(job_id: str) -> str:
    if not isinstance(job_id, str) or not _JOB_ID.fullmatch(job_id):
        raise ArgumentError("job_id must be a job id: job_ and 36 hexadecimal digits or hyphens.")
    return job_id


def check_timeout(timeout: float | None) -> float | None:
    return None if timeout is None else check_seconds("timeout", timeout)


def segment(name: str, value: str) -> str:
    """One segment of a path, in which dots or slashes would change the path."""
    if not isinstance(value, str) or value in ("", ".", ".."):
        raise ArgumentError(f"{name} must be an id.")
    try:
        return quote(value, safe="")
    except UnicodeEncodeError:
        raise ArgumentError(f"{name} must be an id.") from None


def query(filters: Mapping[str, object | None]) -> str:
    if "provider" in filters:
        filters = {**filters, "provider": to_provider_id(filters["provider"])}
    given = {name: _moment(name, value) for name, value in filters.items() if value is not None}
    try:
        return f"?{urlencode(given)}" if given else ""
    except UnicodeEncodeError:
        raise ArgumentError("A filter has a character that cannot be sent in an address.") from None


def filter_query(filters: Mapping[str, Any], kind: type[Any]) -> str:
    unknown = sorted(set(filters) - set(kind.__annotations__))
    if unknown:
        raise ArgumentError(f"{', '.join(unknown)[:200]}: there is no such filter")
    return query({name.rstrip("_"): value for name, value in filters.items()})


def cost_text(amount: float | Decimal | None) -> str | None:
    """Plain digits with at most six decimals, rounded down so that a limit is never raised."""
    if amount is None:
        return None
    numeric = isinstance(amount, (int, float, Decimal)) and not isinstance(amount, bool)
    if not numeric or not math.isfinite(amount) or not 0 <= amount < _COST_LIMIT:
        raise ArgumentError("max_cost_usd must be an amount from 0 to below 1000000000.")
    return f"{Decimal(str(amount)).quantize(_COST_STEP, rounding=ROUND_DOWN):f}"


def _cache_text(seconds: int | None) -> str | None:
    if seconds is None:
        return None
    whole = isinstance(seconds, int) and not isinstance(seconds, bool)
    if not whole or not 0 <= seconds <= _MOST_CACHE_SECONDS:
        raise ArgumentError(f"cache_seconds must be a whole number up to {_MOST_CACHE_SECONDS}.")
    return str(seconds)


def _content_text(mode: str | None) -> str | None:
    if mode is not None and mode not in get_args(ContentMode):
        raise ArgumentError("content_mode must be annotate, clean or block.")
    return mode


def _tokens_text(tokens: int | None) -> str | None:
    if tokens is None:
        return None
    whole = isinstance(tokens, int) and not isinstance(tokens, bool)
    if not whole or not _LEAST_TOKENS <= tokens <= _MOST_TOKENS:
        raise ArgumentError(
            f"max_tokens must be a whole number from {_LEAST_TOKENS} to {_MOST_TOKENS}."
        )
    return str(tokens)


def _webhook_text(address: str | None) -> str | None:
    """Checks only that a header can carry it; the gateway checks the address."""
    if address is not None and not (isinstance(address, str) and _ADDRESS.fullmatch(address)):
        raise ArgumentError("webhook must be an https address without spaces.")
    return address


def _extra_headers(headers: Mapping[str, str] | None) -> dict[str, str]:
    """Checks that headers can carry the names and values."""
    given = {} if headers is None else headers
    if not isinstance(given, Mapping) or not all(
        isinstance(name, str)
        and isinstance(value, str)
        and _HEADER_NAME.fullmatch(name)
        and _HEADER_VALUE.fullmatch(value)
        for name, value in given.items()
    ):
        raise ArgumentError("extra_headers must be a mapping of header names to values, in ASCII.")
    return {name.lower(): value for name, value in given.items()}


def tags_text(tags: Tags | None) -> str | None:
    """Checked here, because a comma in a value would start another tag."""
    if not tags:
        return None
    if not isinstance(tags, Mapping) or len(tags) > _MOST_TAGS:
        raise ArgumentError(f"tags must be a mapping of at most {_MOST_TAGS} names to values.")
    return ",".join(f"{_tag_word(name)}={_tag_word(value)}" for name, value in tags.items())


def _tag_word(word: object) -> str:
    text = str(word) if isinstance(word, (str, int)) and not isinstance(word, bool) else ""
    if not _TAG_WORD.fullmatch(text):
        rule = "1 to 64 characters of A-Z, a-z, 0-9, _, ., : and -"
        raise ArgumentError(f"tags: names and values must have {rule}.")
    return text


def _plain(value: Any) -> Any:
    """Searches use whole days, so only the date of a datetime is sent."""
    if isinstance(value, datetime):
        value = value.date()
    return value.isoformat() if isinstance(value, date) else value


def _moment(name: str, value: Any) -> Any:
    """Lists begin and end at a moment, so a datetime is sent with its time zone."""
    return moment_text(name, value) if isinstance(value, datetime) else _plain(value)


def moment_text(name: str, moment: datetime) -> str:
    if moment.tzinfo is None:
        raise ArgumentError(f"{name}: a date-time must have a time zone")
    return moment.isoformat()


def _explain(error: ValidationError) -> str:
    issues = error.errors(include_url=False, include_context=False, include_input=False)
    shown: list[str] = []
    for issue in issues[:_MOST_SHOWN_ISSUES]:
        path = ".".join(str(part) for part in issue["loc"])[:200]
        unknown = issue["type"] == "extra_forbidden"
        shown.append(f"{path}: {'there is no such argument' if unknown else issue['msg']}")
    more = len(issues) - len(shown)
    return "; ".join(shown) + (f"; and {more} more" if more > 0 else "")
