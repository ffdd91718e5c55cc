"""The filters of the next page, for the sync and the async client."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from ._call import Call
from ._model import Listing
from .errors import ApiError

P = TypeVar("P", bound=Listing[Any])
List = Callable[[Mapping[str, Any]], Call[P]]


def next_filters(page: Listing[Any], filters: Mapping[str, Any]) -> dict[str, Any] | None:
    """Returns None after the last page."""
    cursor = getattr(page, "next_cursor", None)
    if cursor is None:
        return None
    # A page whose cursor points to itself would never end.
    if cursor == filters.get("cursor"):
        raise ApiError("The gateway returned the same cursor twice.", status=200)
    return {**filters, "cursor": cursor}
