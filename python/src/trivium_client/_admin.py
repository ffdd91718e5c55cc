# Written by scripts/python-client.ts from _async_admin.py: do not edit.
"""The operator's blocking client: accounts, their money and keys, and what was asked and paid."""

from collections.abc import Iterator

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
from ._admin_part import AdminPart, AdminSender
from ._admin_webhooks import Webhooks
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


class TriviumAdmin(AdminSender):
    """`admin_token` is the operator's token, from TRIVIUM_ADMIN_TOKEN unless given."""

    def __init__(
        self,
        *,
        url: str | None = None,
        admin_token: str | None = None,
        timeout: float = DEFAULT_TIMEOUT,
        max_retries: int = DEFAULT_MAX_RETRIES,
        http_client: httpx.Client | None = None,
    ) -> None:
        settings = read_settings(
            url=url,
            token=admin_token,
            token_name="admin_token",
            timeout=timeout,
            max_retries=max_retries,
        )
        super().__init__(settings, http_client)
        self.accounts = Accounts(self)
        self.keys = Keys(self)
        self.requests = Requests(self)
        self.transfers = Transfers(self)
        self.jobs = AdminJobs(self)
        self.audit = AuditLog(self)
        self.webhooks = Webhooks(self)
        self.budgets = Budgets(self)

    def request(self, request_id: str) -> RequestLine:
        """One request of the log, by its id, the id of its answer, or the id of its job."""
        return self._send(operations.request(request_id))

    def usage(self, **filters: Unpack[UsageFilters]) -> UsageReport:
        """Requests, failures and cost, grouped by day unless `by` says otherwise."""
        return self._send(operations.usage(filters))


class Accounts(AdminPart):
    def list(self, **filters: Unpack[PageFilters]) -> AccountList:
        """One page."""
        return self._client._send(operations.accounts(filters))

    def iterate(self, **filters: Unpack[PageFilters]) -> Iterator[Account]:
        """Every entry, page after page."""
        for page in self._client._pages(operations.accounts, filters):
            for entry in page.accounts:
                yield entry

    def get(self, account_id: str) -> Account:
        return self._client._send(operations.account(account_id))

    def create(
        self, name: str, *, idempotency_key: str | None = None, **policy: Unpack[PolicyChange]
    ) -> Account:
        return self._client._send(operations.create_account(name, policy, idempotency_key))

    def change(self, account_id: str, **change: Unpack[AccountChange]) -> Account:
        """Changes only what is given; None takes a limit away."""
        return self._client._send(operations.change_account(account_id, change))

    def top_up(
        self,
        account_id: str,
        *,
        amount_usd: float,
        reason: str,
        idempotency_key: str | None = None,
    ) -> TransferLine:
        """Adds money. The reason stands in the ledger for good."""
        movement = {"amount_usd": amount_usd, "reason": reason}
        return self._client._send(
            operations.move(account_id, "topups", movement, idempotency_key)
        )

    def adjust(
        self,
        account_id: str,
        *,
        amount_usd: float,
        reason: str,
        idempotency_key: str | None = None,
    ) -> TransferLine:
        """Corrects a balance; a negative amount takes money away."""
        movement = {"amount_usd": amount_usd, "reason": reason}
        return self._client._send(
            operations.move(account_id, "adjustments", movement, idempotency_key)
        )

    def refund(
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
        return self._client._send(
            operations.move(account_id, "refunds", movement, idempotency_key)
        )


class Keys(AdminPart):
    def list(self, account_id: str) -> KeyList:
        return self._client._send(operations.keys(account_id))

    def create(
        self,
        account_id: str,
        *,
        idempotency_key: str | None = None,
        **settings: Unpack[KeyChange],
    ) -> NewKey:
        """The answer holds the key itself, this once."""
        call = operations.create_key(account_id, settings, idempotency_key)
        return self._client._send(call)

    def change(self, key_id: str, **settings: Unpack[KeyChange]) -> Key:
        return self._client._send(operations.change_key(key_id, settings))

    def rotate(
        self,
        key_id: str,
        *,
        overlap_hours: float | None = None,
        idempotency_key: str | None = None,
    ) -> NewKey:
        """The answer holds the new secret; the earlier one works until `previous_until`."""
        call = operations.rotate_key(key_id, overlap_hours, idempotency_key)
        return self._client._send(call)

    def revoke(self, key_id: str) -> Key:
        return self._client._send(operations.revoke_key(key_id))


class Requests(AdminPart):
    def list(self, **filters: Unpack[RequestFilters]) -> RequestList:
        """One page, the newest first."""
        return self._client._send(operations.requests(filters))

    def iterate(self, **filters: Unpack[RequestFilters]) -> Iterator[RequestLine]:
        """Every entry, page after page."""
        for page in self._client._pages(operations.requests, filters):
            for entry in page.requests:
                yield entry


class Transfers(AdminPart):
    def list(self, **filters: Unpack[TransferFilters]) -> TransferList:
        """One page, the newest first."""
        return self._client._send(operations.transfers(filters))

    def iterate(self, **filters: Unpack[TransferFilters]) -> Iterator[TransferLine]:
        """Every entry, page after page."""
        for page in self._client._pages(operations.transfers, filters):
            for entry in page.transfers:
                yield entry


class AdminJobs(AdminPart):
    def list(self, **filters: Unpack[JobFilters]) -> JobList:
        """One page, the newest first."""
        return self._client._send(operations.jobs(filters))

    def iterate(self, **filters: Unpack[JobFilters]) -> Iterator[JobLine]:
        """Every entry, page after page."""
        for page in self._client._pages(operations.jobs, filters):
            for entry in page.jobs:
                yield entry


class AuditLog(AdminPart):
    def list(self, **filters: Unpack[AuditFilters]) -> AuditList:
        """One page, the newest first."""
        return self._client._send(operations.audit(filters))

    def iterate(self, **filters: Unpack[AuditFilters]) -> Iterator[AuditEntry]:
        """Every entry, page after page."""
        for page in self._client._pages(operations.audit, filters):
            for entry in page.entries:
                yield entry


class Budgets(AdminPart):
    """What the requests with a tag value may spend."""

    def list(self, account_id: str) -> BudgetList:
        return self._client._send(operations.budgets(account_id))

    def set(
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
        return self._client._send(call)

    def remove(
        self, account_id: str, *, tag: str, value: str, idempotency_key: str | None = None
    ) -> Budget:
        return self.set(account_id, tag=tag, value=value, idempotency_key=idempotency_key)
