"""The operator's async client: accounts, their money and keys, and what was asked and paid."""

import httpx
from typing_extensions import Unpack

from . import _admin_operations as operations
from ._admin_operations import (
    AccountChange,
    AccountFilters,
    AuditFilters,
    ErrorFilters,
    JobFilters,
    KeyChange,
    OverviewFilters,
    PolicyChange,
    RequestFilters,
    TransferFilters,
    UsageFilters,
)
from ._async import AsyncPages, AsyncSender
from ._async_admin_part import AsyncAdminPart
from ._async_admin_people import AsyncInvitations, AsyncPeople
from ._async_admin_webhooks import AsyncWebhooks
from ._settings import DEFAULT_MAX_RETRIES, DEFAULT_TIMEOUT, read_settings
from .admin_models import (
    Account,
    AccountList,
    Activity,
    AttentionList,
    AuditEntry,
    AuditList,
    Budget,
    BudgetList,
    ErrorKindList,
    JobLine,
    JobList,
    Key,
    KeyList,
    NewKey,
    Overview,
    ProviderCheck,
    ProviderHourList,
    ProviderRecordList,
    RequestAnswer,
    RequestLine,
    RequestList,
    SettingsView,
    TransferLine,
    TransferList,
    UsageReport,
)


class AsyncTriviumAdmin(AsyncSender):
    """The operator's client of a Trivium gateway.

    Args:
        url: The address of the gateway; TRIVIUM_URL, or else http://127.0.0.1:8787.
        admin_token: The operator's token, not an API key; TRIVIUM_ADMIN_TOKEN unless given.
        timeout: The most seconds for the call with its repeats.
        max_retries: How often a call is repeated after a broken connection.
        http_client: An httpx client to use; the caller closes it.
    """

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
        self.people = AsyncPeople(self)
        self.invitations = AsyncInvitations(self)
        self.providers = AsyncAdminProviders(self)

    async def usage(self, **filters: Unpack[UsageFilters]) -> UsageReport:
        """Requests, failures and cost, grouped by day unless `by` says otherwise.

        Args:
            **filters: What to list, as in `UsageFilters`.
        """
        return await self._send(operations.usage(filters))

    async def overview(self, **filters: Unpack[OverviewFilters]) -> Overview:
        """Totals and charts of an account over a time range; `account_id` is required.

        Args:
            **filters: The account, the range and the time zone, as in `OverviewFilters`.
        """
        return await self._send(operations.overview(filters))

    async def activity(self, account_id: str) -> Activity:
        """A `version` that changes after each request, job or transfer of the account.

        Args:
            account_id: The id of the account.
        """
        return await self._send(operations.activity(account_id))

    async def attention(self, account_id: str) -> AttentionList:
        """What needs a person's attention, the most severe first.

        Args:
            account_id: The id of the account.
        """
        return await self._send(operations.attention(account_id))

    async def settings(self) -> SettingsView:
        """The settings of the gateway, without secrets."""
        return await self._send(operations.gateway_settings())


class AsyncAccounts(AsyncAdminPart):
    def list(self, **filters: Unpack[AccountFilters]) -> AsyncPages[AccountList, Account]:
        """The newest first. Iterate over it for every entry of every page.

        Args:
            **filters: What to list, as in `AccountFilters`.
        """
        return AsyncPages(self._client, operations.accounts, filters)

    async def get(self, account_id: str) -> Account:
        """One account.

        Args:
            account_id: The id of the account.
        """
        return await self._client._send(operations.account(account_id))

    async def create(
        self, name: str, *, idempotency_key: str | None = None, **policy: Unpack[PolicyChange]
    ) -> Account:
        """Creates an account, with a policy where one is given.

        Args:
            name: What people call it.
            idempotency_key: Made for each call unless given. A call repeated under it is
                charged once.
            **policy: What requests may do, as in `PolicyChange`.
        """
        return await self._client._send(operations.create_account(name, policy, idempotency_key))

    async def update(self, account_id: str, **change: Unpack[AccountChange]) -> Account:
        """Changes only what is given; None removes a limit.

        Args:
            account_id: The id of the account.
            **change: What to change, as in `AccountChange`.
        """
        return await self._client._send(operations.update_account(account_id, change))

    async def top_up(
        self,
        account_id: str,
        *,
        amount_usd: float,
        reason: str,
        idempotency_key: str | None = None,
    ) -> TransferLine:
        """Adds money. The reason is recorded in the ledger permanently.

        Args:
            account_id: The id of the account.
            amount_usd: In US dollars.
            reason: Recorded in the ledger permanently.
            idempotency_key: Made for each call unless given. A call repeated under it is
                charged once.
        """
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
        """Corrects a balance; a negative amount lowers it.

        Args:
            account_id: The id of the account.
            amount_usd: In US dollars.
            reason: Recorded in the ledger permanently.
            idempotency_key: Made for each call unless given. A call repeated under it is
                charged once.
        """
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
        """Refunds what a request cost, or a part of it.

        Args:
            account_id: The id of the account.
            request_id: The id of the request; for reading also the id of its answer or job.
            amount_usd: In US dollars.
            reason: Recorded in the ledger permanently.
            idempotency_key: Made for each call unless given. A call repeated under it is
                charged once.
        """
        movement = {"request_id": request_id, "amount_usd": amount_usd, "reason": reason}
        return await self._client._send(
            operations.move(account_id, "refunds", movement, idempotency_key)
        )


class AsyncKeys(AsyncAdminPart):
    def list(self, account_id: str) -> AsyncPages[KeyList, Key]:
        """The keys of an account, without their secrets.

        Args:
            account_id: The id of the account.
        """
        return AsyncPages(self._client, operations.keys(account_id))

    async def create(
        self,
        account_id: str,
        *,
        idempotency_key: str | None = None,
        **settings: Unpack[KeyChange],
    ) -> NewKey:
        """The answer has the key itself; it is shown only once.

        Args:
            account_id: The id of the account.
            idempotency_key: Made for each call unless given. A call repeated under it is
                charged once.
            **settings: What to set, as in `KeyChange`.
        """
        call = operations.create_key(account_id, settings, idempotency_key)
        return await self._client._send(call)

    async def update(self, key_id: str, **settings: Unpack[KeyChange]) -> Key:
        """Changes only what is given; None removes a limit.

        Args:
            key_id: The id of the key.
            **settings: What to set, as in `KeyChange`.
        """
        return await self._client._send(operations.update_key(key_id, settings))

    async def rotate(
        self,
        key_id: str,
        *,
        overlap_hours: float | None = None,
        idempotency_key: str | None = None,
    ) -> NewKey:
        """The answer has the new secret; the earlier one works until `previous_until`.

        Args:
            key_id: The id of the key.
            overlap_hours: How long the earlier secret works beside the new one.
            idempotency_key: Made for each call unless given. A call repeated under it is
                charged once.
        """
        call = operations.rotate_key(key_id, overlap_hours, idempotency_key)
        return await self._client._send(call)

    async def end_overlap(self, key_id: str) -> Key:
        """Stops the old secret of a rotated key now, before `previous_until`.

        Args:
            key_id: The id of the key.
        """
        return await self._client._send(operations.end_overlap(key_id))

    async def revoke(self, key_id: str) -> Key:
        """The key stops working now and for ever; it stays in the list.

        Args:
            key_id: The id of the key.
        """
        return await self._client._send(operations.revoke_key(key_id))


class AsyncRequests(AsyncAdminPart):
    def list(self, **filters: Unpack[RequestFilters]) -> AsyncPages[RequestList, RequestLine]:
        """The newest first. Iterate over it for every entry of every page.

        Args:
            **filters: What to list, as in `RequestFilters`.
        """
        return AsyncPages(self._client, operations.requests, filters)

    async def get(self, request_id: str) -> RequestLine:
        """One request of the log.

        Args:
            request_id: The id of the request; for reading also the id of its answer or job.
        """
        return await self._client._send(operations.request(request_id))

    async def answer(self, request_id: str) -> RequestAnswer:
        """The answer to a request, where the gateway keeps answers; None in it where not.

        Args:
            request_id: The id of the request; for reading also the id of its answer or job.
        """
        return await self._client._send(operations.request_answer(request_id))

    async def errors(self, **filters: Unpack[ErrorFilters]) -> ErrorKindList:
        """Errors grouped by kind: how often each occurred, and when it was first and last seen.

        Args:
            **filters: Which requests to count, as in `ErrorFilters`.
        """
        return await self._client._send(operations.request_errors(filters))


class AsyncTransfers(AsyncAdminPart):
    def list(self, **filters: Unpack[TransferFilters]) -> AsyncPages[TransferList, TransferLine]:
        """The newest first. Iterate over it for every entry of every page.

        Args:
            **filters: What to list, as in `TransferFilters`.
        """
        return AsyncPages(self._client, operations.transfers, filters)


class AsyncAdminJobs(AsyncAdminPart):
    def list(self, **filters: Unpack[JobFilters]) -> AsyncPages[JobList, JobLine]:
        """The newest first. Iterate over it for every entry of every page.

        Args:
            **filters: What to list, as in `JobFilters`.
        """
        return AsyncPages(self._client, operations.jobs, filters)


class AsyncAuditLog(AsyncAdminPart):
    def list(self, **filters: Unpack[AuditFilters]) -> AsyncPages[AuditList, AuditEntry]:
        """The newest first. Iterate over it for every entry of every page.

        Args:
            **filters: What to list, as in `AuditFilters`.
        """
        return AsyncPages(self._client, operations.audit, filters)


class AsyncBudgets(AsyncAdminPart):
    """What the requests with a tag value may spend."""

    def list(self, account_id: str) -> AsyncPages[BudgetList, Budget]:
        """The budgets of an account, with what was spent.

        Args:
            account_id: The id of the account.
        """
        return AsyncPages(self._client, operations.budgets(account_id))

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
        """Replaces both caps of a budget, or creates it: an omitted cap is removed.

        Args:
            account_id: The id of the account.
            tag: The name of the tag.
            value: The value of the tag.
            daily_cap_usd: The most to spend in a day, in UTC.
            monthly_cap_usd: The most to spend in a month, in UTC.
            idempotency_key: Made for each call unless given. A call repeated under it is
                charged once.
        """
        caps = {"daily_cap_usd": daily_cap_usd, "monthly_cap_usd": monthly_cap_usd}
        budget = {"tag": tag, "value": value, **caps}
        call = operations.set_budget(account_id, budget, idempotency_key)
        return await self._client._send(call)

    async def delete(
        self, account_id: str, *, tag: str, value: str, idempotency_key: str | None = None
    ) -> Budget:
        """Deletes the budget of a tag value.

        Args:
            account_id: The id of the account.
            tag: The name of the tag.
            value: The value of the tag.
            idempotency_key: Made for each call unless given. A call repeated under it is
                charged once.
        """
        return await self.set(account_id, tag=tag, value=value, idempotency_key=idempotency_key)


class AsyncAdminProviders(AsyncAdminPart):
    """How the providers have been doing."""

    async def records(self) -> ProviderRecordList:
        """Recent latencies and failures of each provider."""
        return await self._client._send(operations.provider_records())

    async def hours(self, provider: str) -> ProviderHourList:
        """How often and how fast a provider answered in each hour of the last 30 days.

        Args:
            provider: Its id or the name of the vendor.
        """
        return await self._client._send(operations.provider_hours(provider))

    async def check(self, provider: str) -> ProviderCheck:
        """Makes one real call to a provider. It is not repeated after a broken connection.

        Args:
            provider: Its id or the name of the vendor.
        """
        return await self._client._send(operations.check_provider(provider))
