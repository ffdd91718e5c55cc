"""The operator's async client: accounts, balances, keys, requests and usage."""

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
    ScorecardFilters,
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
    Scorecard,
    SettingsView,
    TransferLine,
    TransferList,
    UsageReport,
)


class AsyncTriviumAdmin(AsyncSender):
    """The operator's client of a Trivium gateway.

    Args:
        url: The address of the gateway; TRIVIUM_URL or http://127.0.0.1:8787 by default.
        admin_token: The operator's token, not an API key; TRIVIUM_ADMIN_TOKEN by default.
        timeout: The maximum number of seconds for a call, including retries.
        max_retries: How many times a call is retried after a broken connection.
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
            **filters: Filters, as in `UsageFilters`.
        """
        return await self._send(operations.usage(filters))

    async def scorecard(self, **filters: Unpack[ScorecardFilters]) -> Scorecard:
        """The measured quality, price and speed of search engines.

        Args:
            **filters: The account, the groups and the weeks, as in `ScorecardFilters`.
        """
        return await self._send(operations.scorecard(filters))

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
        """Problems that need a person's attention, most severe first.

        Args:
            account_id: The id of the account.
        """
        return await self._send(operations.attention(account_id))

    async def settings(self) -> SettingsView:
        """The settings of the gateway, without secrets."""
        return await self._send(operations.gateway_settings())


class AsyncAccounts(AsyncAdminPart):
    """Accounts and their balances."""

    def list(self, **filters: Unpack[AccountFilters]) -> AsyncPages[AccountList, Account]:
        """Newest first. Iterate over the list to get every entry of every page.

        Args:
            **filters: Filters, as in `AccountFilters`.
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
        """Creates an account, optionally with a policy.

        Args:
            name: The name of the account.
            idempotency_key: Generated for each call unless given. A call repeated with it
                takes effect once.
            **policy: The policy, as in `PolicyChange`.
        """
        return await self._client._send(operations.create_account(name, policy, idempotency_key))

    async def update(self, account_id: str, **change: Unpack[AccountChange]) -> Account:
        """Changes only the given fields. None removes a limit.

        Args:
            account_id: The id of the account.
            **change: The fields to change, as in `AccountChange`.
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
            idempotency_key: Generated for each call unless given. A call repeated with it
                takes effect once.
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
            idempotency_key: Generated for each call unless given. A call repeated with it
                takes effect once.
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
        """Refunds the cost of a request, or part of it.

        Args:
            account_id: The id of the account.
            request_id: The id of the request.
            amount_usd: In US dollars.
            reason: Recorded in the ledger permanently.
            idempotency_key: Generated for each call unless given. A call repeated with it
                takes effect once.
        """
        movement = {"request_id": request_id, "amount_usd": amount_usd, "reason": reason}
        return await self._client._send(
            operations.move(account_id, "refunds", movement, idempotency_key)
        )


class AsyncKeys(AsyncAdminPart):
    """The API keys of accounts."""

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
        """Creates a key. The answer contains the key itself, which is shown only once.

        Args:
            account_id: The id of the account.
            idempotency_key: Generated for each call unless given. A call repeated with it
                takes effect once.
            **settings: The fields to set, as in `KeyChange`.
        """
        call = operations.create_key(account_id, settings, idempotency_key)
        return await self._client._send(call)

    async def update(self, key_id: str, **settings: Unpack[KeyChange]) -> Key:
        """Changes only the given fields. None removes a limit.

        Args:
            key_id: The id of the key.
            **settings: The fields to set, as in `KeyChange`.
        """
        return await self._client._send(operations.update_key(key_id, settings))

    async def rotate(
        self,
        key_id: str,
        *,
        overlap_hours: float | None = None,
        idempotency_key: str | None = None,
    ) -> NewKey:
        """Creates a new secret for a key. The previous one works until `previous_until`.

        Args:
            key_id: The id of the key.
            overlap_hours: How many hours the previous secret keeps working.
            idempotency_key: Generated for each call unless given. A call repeated with it
                takes effect once.
        """
        call = operations.rotate_key(key_id, overlap_hours, idempotency_key)
        return await self._client._send(call)

    async def end_overlap(self, key_id: str) -> Key:
        """Ends the overlap of a rotated key: the previous secret stops working immediately.

        Args:
            key_id: The id of the key.
        """
        return await self._client._send(operations.end_overlap(key_id))

    async def revoke(self, key_id: str) -> Key:
        """Revokes a key immediately and permanently. It stays in the list.

        Args:
            key_id: The id of the key.
        """
        return await self._client._send(operations.revoke_key(key_id))


class AsyncRequests(AsyncAdminPart):
    """The request log."""

    def list(self, **filters: Unpack[RequestFilters]) -> AsyncPages[RequestList, RequestLine]:
        """Newest first. Iterate over the list to get every entry of every page.

        Args:
            **filters: Filters, as in `RequestFilters`.
        """
        return AsyncPages(self._client, operations.requests, filters)

    async def get(self, request_id: str) -> RequestLine:
        """One request of the log.

        Args:
            request_id: The id of the request, of its answer, or of its job.
        """
        return await self._client._send(operations.request(request_id))

    async def answer(self, request_id: str) -> RequestAnswer:
        """The stored answer to a request. `answer` is None if the gateway does not keep answers.

        Args:
            request_id: The id of the request, of its answer, or of its job.
        """
        return await self._client._send(operations.request_answer(request_id))

    async def errors(self, **filters: Unpack[ErrorFilters]) -> ErrorKindList:
        """Errors grouped by kind: how often each occurred, and when it was first and last seen.

        Args:
            **filters: Which requests to count, as in `ErrorFilters`.
        """
        return await self._client._send(operations.request_errors(filters))


class AsyncTransfers(AsyncAdminPart):
    """The ledger."""

    def list(self, **filters: Unpack[TransferFilters]) -> AsyncPages[TransferList, TransferLine]:
        """Newest first. Iterate over the list to get every entry of every page.

        Args:
            **filters: Filters, as in `TransferFilters`.
        """
        return AsyncPages(self._client, operations.transfers, filters)


class AsyncAdminJobs(AsyncAdminPart):
    """Transcription jobs of every account."""

    def list(self, **filters: Unpack[JobFilters]) -> AsyncPages[JobList, JobLine]:
        """Newest first. Iterate over the list to get every entry of every page.

        Args:
            **filters: Filters, as in `JobFilters`.
        """
        return AsyncPages(self._client, operations.jobs, filters)


class AsyncAuditLog(AsyncAdminPart):
    """Who changed what."""

    def list(self, **filters: Unpack[AuditFilters]) -> AsyncPages[AuditList, AuditEntry]:
        """Newest first. Iterate over the list to get every entry of every page.

        Args:
            **filters: Filters, as in `AuditFilters`.
        """
        return AsyncPages(self._client, operations.audit, filters)


class AsyncBudgets(AsyncAdminPart):
    """How much requests with a tag value may spend."""

    def list(self, account_id: str) -> AsyncPages[BudgetList, Budget]:
        """The budgets of an account, with the amounts spent.

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
            daily_cap_usd: The maximum to spend in a day, in UTC.
            monthly_cap_usd: The maximum to spend in a month, in UTC.
            idempotency_key: Generated for each call unless given. A call repeated with it
                takes effect once.
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
            idempotency_key: Generated for each call unless given. A call repeated with it
                takes effect once.
        """
        return await self.set(account_id, tag=tag, value=value, idempotency_key=idempotency_key)


class AsyncAdminProviders(AsyncAdminPart):
    """The health of the providers."""

    async def records(self) -> ProviderRecordList:
        """Recent latencies and failures of each provider."""
        return await self._client._send(operations.provider_records())

    async def hours(self, provider: str) -> ProviderHourList:
        """How often and how fast a provider answered in each hour of the last 30 days.

        Args:
            provider: The id of the provider, or its vendor's name.
        """
        return await self._client._send(operations.provider_hours(provider))

    async def check(self, provider: str) -> ProviderCheck:
        """Makes one real call to a provider. It is not retried after a broken connection.

        Args:
            provider: The id of the provider, or its vendor's name.
        """
        return await self._client._send(operations.check_provider(provider))
