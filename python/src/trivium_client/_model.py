"""Base classes of the generated models, and types that the API description does not have."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, PrivateAttr

# A newer gateway may add values, so these types accept any string and list the known values.
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
GatewayEvent = Literal[
    "provider.unhealthy", "provider.recovered", "provider.unusable_duration"
]
EventType = AccountEvent | GatewayEvent | Literal["webhook.test"] | str


class Model(BaseModel):
    """A part of an answer. Fields this version does not know are in `model_extra`."""

    model_config = ConfigDict(extra="allow", protected_namespaces=())


@dataclass(frozen=True)
class ResponseMeta:
    """Information from the headers of an answer."""

    request_id: str | None = None
    """The id of the request in the gateway's log."""
    replayed: bool = False
    """Whether this is the stored first answer, returned for a repeated Idempotency-Key."""
    cache: str | None = None
    """If the cache was used: hit with the age, joined, partial or miss."""
    content_signals: str | None = None
    """What was found in a transcript that was read with a content mode; "none" for nothing."""


class Answer(Model):
    """A complete answer; `meta` has its request id, and whether it was replayed."""

    _meta: ResponseMeta = PrivateAttr(default_factory=ResponseMeta)

    @property
    def meta(self) -> ResponseMeta:
        return self._meta


Item = TypeVar("Item")


class Listing(Answer, Generic[Item]):
    """A list. With a blocking client, iterate over it to get every item of every page."""

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
    """One page of a list; `next_cursor` selects the next one, and is None on the last."""

    next_cursor: str | None


class SearchedPage(Page[Item]):
    """A page of a list with filters. If the search stopped early, `searched_until` is the time it
    reached, and `next_cursor` continues it."""

    searched_until: datetime | None = None
    """Set when the search stopped here; older entries may match too."""


class ValidationIssue(Model):
    """One problem of a refused request."""

    path: str
    code: str
    message: str
