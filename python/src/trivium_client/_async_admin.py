"""The operator's async client: accounts, their money and keys, and what was asked and paid."""

from collections.abc import AsyncIterator

import httpx
from typing_extensions import Unpack

from . import _admin_operations as operations
from ._admin_operations import (
    AccountChange,
    AuditFilters,
    JobFilters,
    KeyChange,
    PageFilters,
    PolicyChange,
    RequestFilters,
    TransferFilters,
    UsageFilters,
)
from ._async_admin_part import AsyncAdminPart, AsyncAdminSender
from ._async_admin_webhooks import AsyncWebhooks
from ._settings import DEFAULT_MAX_RETRIES, DEFAULT_TIMEOUT, read_settings
from .admin_models import (
    Account,
    AccountList,
    AuditEntry,
    AuditList,
    Budget,
    BudgetList,
    JobLine,
    JobList,
    Key,
    KeyList,
    NewKey,
    RequestLine,
    RequestList,
    TransferLine,
    TransferList,
    UsageReport,
)


class AsyncTriviumAdmin(AsyncAdminSender):
    """`admin_token` is the operator's token, from TRIVIUM_ADMIN_TOKEN unless given."""

    def __init__(
        self,
        *,
        url: str | None = None,
        admin_token: str | None = None,
        timeout: float = DEFAULT_TIMEOUT,
        max_retries: int = DEFAULT_MAX_RETRIES,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        settings = read_settings(
            url=url,
            token=admin_token,
            token_name="admin_token",
            timeout=timeout,
            max_retries=max_retries,
        )
        super().__init__(settings, http_client)
        self.accounts = AsyncAccounts(self)
        self.keys = AsyncKeys(self)
        self.requests = AsyncRequests(self)
        self.transfers = AsyncTransfers(self)
        self.jobs = AsyncAdminJobs(self)
        self.audit = AsyncAuditLog(self)
        self.webhooks = AsyncWebhooks(self)
        self.budgets = AsyncBudgets(self)

    async def request(self, request_id: str) -> RequestLine:
        """One request of the log, by its id, the id of its answer, or the id of its job."""
        return await self._send(operations.request(request_id))

    async def usage(self, **filters: Unpack[UsageFilters]) -> UsageReport:
        """Requests, failures and cost, grouped by day unless `by` says otherwise."""
        return await self._send(operations.usage(filters))


class AsyncAccounts(AsyncAdminPart):
    async def list(self, **filters: Unpack[PageFilters]) -> AccountList:
        """One page."""
        return await self._client._send(operations.accounts(filters))

    async def iterate(self, **filters: Unpack[PageFilters]) -> AsyncIterator[Account]:
        """Every entry, page after page."""
        async for page in self._client._pages(operations.accounts, filters):
            for entry in page.accounts:
                yield entry

    async def get(self, account_id: str) -> Account:
        return await self._client._send(operations.account(account_id))

    async def create(
        self, name: str, *, idempotency_key: str | None = None, **policy: Unpack[PolicyChange]
    ) -> Account:
        return await self._client._send(operations.create_account(name, policy, idempotency_key))

    async def change(self, account_id: str, **change: Unpack[AccountChange]) -> Account:
        """Changes only what is given; None takes a limit away."""
        return await self._client._send(operations.change_account(account_id, change))

    async def top_up(
        self,
        account_id: str,
        *,
        amount_usd: float,
        reason: str,
        idempotency_key: str | None = None,
    ) -> TransferLine:
        """Adds money. The reason stands in the ledger for good."""
        movement = {"amount_usd": amount_usd, "reason": reason}
        return await self._client._send(
            operations.move(account_id, "topups", movement, idempotency_key)
        )

    async def adjust(
        self,
        account_id: str,
        *,
        amount_usd: float,
        reason: str,
        idempotency_key: str | None = None,
    ) -> TransferLine:
        """Corrects a balance; a negative amount takes money away."""
        movement = {"amount_usd": amount_usd, "reason": reason}
        return await self._client._send(
            operations.move(account_id, "adjustments", movement, idempotency_key)
        )

    async def refund(
        self,
        account_id: str,
        *,
        request_id: str,
        amount_usd: float,
        reason: str,
        idempotency_key: str | None = None,
    ) -> TransferLine:
        """Gives back what a request cost, or a part of it."""
        movement = {"request_id": request_id, "amount_usd": amount_usd, "reason": reason}
        return await self._client._send(
            operations.move(account_id, "refunds", movement, idempotency_key)
        )


class AsyncKeys(AsyncAdminPart):
    async def list(self, account_id: str) -> KeyList:
        return await self._client._send(operations.keys(account_id))

    async def create(
        self,
        account_id: str,
        *,
        idempotency_key: str | None = None,
        **settings: Unpack[KeyChange],
    ) -> NewKey:
        """The answer holds the key itself, this once."""
        call = operations.create_key(account_id, settings, idempotency_key)
        return await self._client._send(call)

    async def change(self, key_id: str, **settings: Unpack[KeyChange]) -> Key:
        return await self._client._send(operations.change_key(key_id, settings))

    async def rotate(
        self,
        key_id: str,
        *,
        overlap_hours: float | None = None,
        idempotency_key: str | None = None,
    ) -> NewKey:
        """The answer holds the new secret; the earlier one works until `previous_until`."""
        call = operations.rotate_key(key_id, overlap_hours, idempotency_key)
        return await self._client._send(call)

    async def revoke(self, key_id: str) -> Key:
        return await self._client._send(operations.revoke_key(key_id))


class AsyncRequests(AsyncAdminPart):
    async def list(self, **filters: Unpack[RequestFilters]) -> RequestList:
        """One page, the newest first."""
        return await self._client._send(operations.requests(filters))

    async def iterate(self, **filters: Unpack[RequestFilters]) -> AsyncIterator[RequestLine]:
        """Every entry, page after page."""
        async for page in self._client._pages(operations.requests, filters):
            for entry in page.requests:
                yield entry


class AsyncTransfers(AsyncAdminPart):
    async def list(self, **filters: Unpack[TransferFilters]) -> TransferList:
        """One page, the newest first."""
        return await self._client._send(operations.transfers(filters))

    async def iterate(self, **filters: Unpack[TransferFilters]) -> AsyncIterator[TransferLine]:
        """Every entry, page after page."""
        async for page in self._client._pages(operations.transfers, filters):
            for entry in page.transfers:
                yield entry


class AsyncAdminJobs(AsyncAdminPart):
    async def list(self, **filters: Unpack[JobFilters]) -> JobList:
        """One page, the newest first."""
        return await self._client._send(operations.jobs(filters))

    async def iterate(self, **filters: Unpack[JobFilters]) -> AsyncIterator[JobLine]:
        """Every entry, page after page."""
        async for page in self._client._pages(operations.jobs, filters):
            for entry in page.jobs:
                yield entry


class AsyncAuditLog(AsyncAdminPart):
    async def list(self, **filters: Unpack[AuditFilters]) -> AuditList:
        """One page, the newest first."""
        return await self._client._send(operations.audit(filters))

    async def iterate(self, **filters: Unpack[AuditFilters]) -> AsyncIterator[AuditEntry]:
        """Every entry, page after page."""
        async for page in self._client._pages(operations.audit, filters):
            for entry in page.entries:
                yield entry


class AsyncBudgets(AsyncAdminPart):
    """What the requests with a tag value may spend."""

    async def list(self, account_id: str) -> BudgetList:
        return await self._client._send(operations.budgets(account_id))

    async def set(
        self,
        account_id: str,
        *,
        tag: str,
        value: str,
        daily_cap_usd: float | None = None,
        monthly_cap_usd: float | None = None,
        idempotency_key: str | None = None,
    ) -> Budget:
        """Replaces both caps: one that is not given is none."""
        caps = {"daily_cap_usd": daily_cap_usd, "monthly_cap_usd": monthly_cap_usd}
        budget = {"tag": tag, "value": value, **caps}
        call = operations.set_budget(account_id, budget, idempotency_key)
        return await self._client._send(call)

    async def remove(
        self, account_id: str, *, tag: str, value: str, idempotency_key: str | None = None
    ) -> Budget:
        return await self.set(account_id, tag=tag, value=value, idempotency_key=idempotency_key)
