"""What the generated models build on, and names that the API description does not have."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, PrivateAttr

# Values that a newer gateway may add to are plain strings that name those known today.
ErrorType = (
    Literal[
        "unauthorized",
        "invalid_request",
        "provider_not_available",
        "provider_not_configured",
        "provider_error",
        "not_found",
        "insufficient_credits",
        "rate_limited",
        "internal_error",
        "unknown",
    ]
    | str
)
AccountEvent = Literal[
    "job.completed",
    "job.failed",
    "balance.low",
    "cap.reached",
    "budget.reached",
    "key.created",
    "key.revoked",
]
GatewayEvent = Literal["provider.unhealthy", "provider.recovered"]
EventType = AccountEvent | GatewayEvent | Literal["webhook.test"] | str


class Model(BaseModel):
    """A part of an answer. Fields this version does not know are in `model_extra`."""

    model_config = ConfigDict(extra="allow", protected_namespaces=())


@dataclass(frozen=True)
class ResponseMeta:
    """What the headers of an answer say."""

    request_id: str | None = None
    """The id under which the request is in the gateway's log."""
    replayed: bool = False
    """Whether this is the first answer again, given for a repeated Idempotency-Key."""
    cache: str | None = None
    """If the cache was used: hit with the age, joined, partial or miss."""
    content_signals: str | None = None
    """What was found in a transcript read with a content mode, in words; "none" for nothing."""


class Answer(Model):
    """A whole answer; `meta` holds its request id and its replay mark."""

    _meta: ResponseMeta = PrivateAttr(default_factory=ResponseMeta)

    @property
    def meta(self) -> ResponseMeta:
        return self._meta


Item = TypeVar("Item")


class Listing(Answer, Generic[Item]):
    """A list. From a blocking client, iterating over it gives every item of every page."""

    _items: ClassVar[str]
    _read_next: Callable[[], Any] | None = PrivateAttr(default=None)
    _is_part: bool = PrivateAttr(default=False)

    def __iter__(self) -> Iterator[Item]:  # type: ignore[override]
        if self._is_part:
            raise TypeError(
                "This is one page of several: read its items from "
                f"`.{self._items}`, or iterate over the list itself with `async for`."
            )
        return self._every_item()

    def _every_item(self) -> Iterator[Item]:
        page: Listing[Item] | None = self
        while page is not None:
            yield from page._own_items()
            page = None if page._read_next is None else page._read_next()

    def _own_items(self) -> list[Item]:
        items: list[Item] = getattr(self, self._items)
        return items


class Page(Listing[Item]):
    """One page of a list; `next_cursor` leads to the next one, and is None on the last."""

    next_cursor: str | None


class SearchedPage(Page[Item]):
    """A page of a list with filters. Where the search stopped early, `searched_until` says at which
    time; `next_cursor` continues it."""

    searched_until: datetime | None = None
    """Set when the search stopped here; older entries may match too."""


class ValidationIssue(Model):
    """One fault of a refused request."""

    path: str
    code: str
    message: str
