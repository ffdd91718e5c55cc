# Written by scripts/python-client.ts from _async_admin_part.py: do not edit.
"""What the parts of the operator's blocking client share: sending a call, and reading pages."""

from collections.abc import Iterator, Callable, Mapping
from typing import Any, TypeVar

from . import _admin_operations as operations
from ._sync import Sender
from ._call import Call
from .admin_models import Page

P = TypeVar("P", bound=Page)


class AdminSender(Sender):
    def _pages(
        self, listing: Callable[[Mapping[str, Any]], Call[P]], filters: Mapping[str, Any]
    ) -> Iterator[P]:
        wanted: Mapping[str, Any] | None = filters
        while wanted is not None:
            page = self._send(listing(wanted))
            yield page
            wanted = operations.next_filters(page, wanted)


class AdminPart:
    def __init__(self, client: AdminSender) -> None:
        self._client = client
