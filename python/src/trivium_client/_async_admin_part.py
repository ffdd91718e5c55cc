"""What the parts of the operator's async client share: sending a call, and reading pages."""

from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any, TypeVar

from . import _admin_operations as operations
from ._async import AsyncSender
from ._call import Call
from .admin_models import Page

P = TypeVar("P", bound=Page)


class AsyncAdminSender(AsyncSender):
    async def _pages(
        self, listing: Callable[[Mapping[str, Any]], Call[P]], filters: Mapping[str, Any]
    ) -> AsyncIterator[P]:
        wanted: Mapping[str, Any] | None = filters
        while wanted is not None:
            page = await self._send(listing(wanted))
            yield page
            wanted = operations.next_filters(page, wanted)


class AsyncAdminPart:
    def __init__(self, client: AsyncAdminSender) -> None:
        self._client = client
