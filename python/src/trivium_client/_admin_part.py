# Written by scripts/python-client.ts from _async_admin_part.py: do not edit.
"""What the parts of the operator's blocking client share."""

from ._sync import Sender


class AdminPart:
    def __init__(self, client: Sender) -> None:
        self._client = client
