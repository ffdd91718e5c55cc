"""What the parts of the operator's async client share."""

from ._async import AsyncSender


class AsyncAdminPart:
    def __init__(self, client: AsyncSender) -> None:
        self._client = client
