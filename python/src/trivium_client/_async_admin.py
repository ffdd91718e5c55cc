# Written by scripts/clients.ts from the operations: do not edit.
"""The operator's async client: accounts, balances, keys, people, webhooks and usage."""

from collections.abc import Sequence
from typing import Literal

import httpx
from typing_extensions import Unpack

from ._admin_calls import ROOT, change, changed, listing
from ._async import AsyncPages, AsyncSender
from ._call import Call, encode, get, query, segment
from ._fields import (
    AccountChange,
    AccountFilters,
    AdjustmentRequest,
    AuditFilters,
    BudgetRequest,
    DeliveryFilters,
    ErrorFilters,
    Event,
    FindFilters,
    IncidentChange,
    IncidentFilters,
    InviteRequest,
    JobFilters,
    KeyChange,
    KeyRotation,
    NoteRequest,
    OverviewFilters,
    PersonChange,
    PolicyChange,
    RefundRequest,
    RequestFilters,
    ScorecardFilters,
    SecretRotation,
    TopupRequest,
    TransferFilters,
    UsageChangeFilters,
    UsageFilters,
    ViewChange,
    ViewRequest,
    WebhookChange,
    WebhookFilters,
    WebhookRequest,
)
from ._providers import to_provider_id
from ._settings import DEFAULT_MAX_RETRIES, DEFAULT_TIMEOUT, read_settings
from .admin_models import (
    Account,
    AccountList,
    Activity,
    AuditEntry,
    AuditList,
    Budget,
    BudgetList,
    DeliveryDetail,
    DeliveryList,
    ErrorKindList,
    FoundList,
    Incident,
    IncidentList,
    JobLine,
    JobList,
    JobRecording,
    Key,
    KeyList,
    NewInvite,
    NewKey,
    NewWebhook,
    Overview,
    PeopleList,
    Person,
    ProviderCheck,
    ProviderHourList,
    ProviderRecordList,
    Removed,
    RequestAnswer,
    RequestLine,
    RequestList,
    RequestNote,
    ResetLink,
    SavedView,
    Scorecard,
    SettingsView,
    TransferLine,
    TransferList,
    UsageComparison,
    UsageReport,
    ViewList,
    Webhook,
    WebhookDelivery,
    WebhookList,
    WebhookSecret,
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
        self.accounts = AsyncAdminAccounts(self)
        self.keys = AsyncAdminKeys(self)
        self.budgets = AsyncAdminBudgets(self)
        self.views = AsyncAdminViews(self)
        self.requests = AsyncAdminRequests(self)
        self.transfers = AsyncAdminTransfers(self)
        self.jobs = AsyncAdminJobs(self)
        self.incidents = AsyncAdminIncidents(self)
        self.audit = AsyncAdminAudit(self)
        self.people = AsyncAdminPeople(self)
        self.invitations = AsyncAdminInvitations(self)
        self.providers = AsyncAdminProviders(self)
        self.webhooks = AsyncAdminWebhooks(self)

    async def find(self, **filters: Unpack[FindFilters]) -> FoundList:
        """Find keys, accounts, people, requests and jobs by name or id.

        Returns what has this text in its name, or as its id. Members find keys, requests and
        jobs of their account; operators find those of all accounts, and accounts and people.

        Args:
            **filters: Filters, as in `FindFilters`.
        """
        path = f"{ROOT}/find"
        return await self._send(listing(path, FoundList, filters, FindFilters))

    async def usage(self, **filters: Unpack[UsageFilters]) -> UsageReport:
        """Sum usage by day, provider, key, tool, account or tag.

        Returns requests, their outcomes and cost, added up by group.

        Args:
            **filters: Filters, as in `UsageFilters`.
        """
        path = f"{ROOT}/usage"
        return await self._send(listing(path, UsageReport, filters, UsageFilters))

    async def usage_change(self, **filters: Unpack[UsageChangeFilters]) -> UsageComparison:
        """Explain the change of usage between two ranges.

        Compares a range with the one before it, which is as long, and names the keys, providers
        and tags that account for at least a third of the difference.

        Args:
            **filters: Filters, as in `UsageChangeFilters`.
        """
        path = f"{ROOT}/usage/change"
        return await self._send(listing(path, UsageComparison, filters, UsageChangeFilters))

    async def scorecard(self, **filters: Unpack[ScorecardFilters]) -> Scorecard:
        """Compare search engines by measured quality, price, latency and failures.

        Returns, for an account or for the deployment, how good the answers of each engine were
        by agreement with other engines and by feedback, with intervals, weeks and changes.

        Args:
            **filters: Filters, as in `ScorecardFilters`.
        """
        path = f"{ROOT}/scorecard"
        return await self._send(listing(path, Scorecard, filters, ScorecardFilters))

    async def overview(self, **filters: Unpack[OverviewFilters]) -> Overview:
        """Read the balance, requests, outcomes and latency of an account over a time range.

        Returns the figures of the overview page of the dashboard.

        Args:
            **filters: Filters, as in `OverviewFilters`.
        """
        path = f"{ROOT}/overview"
        return await self._send(listing(path, Overview, filters, OverviewFilters))

    async def activity(self, account_id: str) -> Activity:
        """See whether something has happened on an account.

        Returns a version that changes with the requests, jobs, money and incidents of the
        account.

        Args:
            account_id: The id of the account.
        """
        path = f"{ROOT}/activity{query({'account_id': account_id})}"
        return await self._send(get(path, Activity, None))

    async def settings(self) -> SettingsView:
        """Read the settings that apply.

        Returns every setting that this gateway was started with. Secrets are hidden.
        """
        path = f"{ROOT}/settings"
        return await self._send(get(path, SettingsView, None))


class _Part:
    def __init__(self, client: AsyncSender) -> None:
        self._client = client


class AsyncAdminAccounts(_Part):
    """Accounts and their balances."""

    async def create(
        self,
        name: str,
        *,
        idempotency_key: str | None = None,
        **fields: Unpack[PolicyChange],
    ) -> Account:
        """Creates an account with an empty balance, and its policy if one is given.

        Args:
            name: A name for people to read.
            idempotency_key: Generated for each call unless given. A call repeated with it
                takes effect once.
            **fields: An account to create. The fields are in `PolicyChange`.
        """
        path = f"{ROOT}/accounts"
        body = changed(AccountChange, {"name": name, **fields})
        return await self._client._send(change(path, Account, body, idempotency_key))

    def list(self, **filters: Unpack[AccountFilters]) -> AsyncPages[AccountList, Account]:
        """List accounts, newest first.

        Iterate over the list to get every entry of every page.

        Args:
            **filters: Filters, as in `AccountFilters`.
        """
        path = f"{ROOT}/accounts"
        return AsyncPages(
            self._client,
            lambda given: listing(path, AccountList, given, AccountFilters),
            filters,
        )

    async def get(self, account_id: str) -> Account:
        """Read an account.

        Returns an account with its balance.

        Args:
            account_id: The id of the account.
        """
        path = f"{ROOT}/accounts/{segment('account_id', account_id)}"
        return await self._client._send(get(path, Account, None))

    async def update(self, account_id: str, **fields: Unpack[AccountChange]) -> Account:
        """Changes the name or the policy of an account. This gateway applies it immediately,
        others within half a second.

        None removes a limit.

        Args:
            account_id: The id of the account.
            **fields: What to change; an omitted field keeps its value, and None removes a
                limit. The fields are in `AccountChange`.
        """
        path = f"{ROOT}/accounts/{segment('account_id', account_id)}"
        body = changed(AccountChange, fields)
        return await self._client._send(Call("PATCH", path, Account, body=body))

    async def top_up(
        self,
        account_id: str,
        *,
        amount_usd: float,
        reason: str,
        idempotency_key: str | None = None,
    ) -> TransferLine:
        """Adds money to the balance.

        Args:
            account_id: The id of the account.
            amount_usd: How much to add.
            reason: The reason; recorded in the ledger permanently.
            idempotency_key: Generated for each call unless given. A call repeated with it
                takes effect once.
        """
        path = f"{ROOT}/accounts/{segment('account_id', account_id)}/topups"
        body = encode(TopupRequest, {"amount_usd": amount_usd, "reason": reason})
        return await self._client._send(change(path, TransferLine, body, idempotency_key))

    async def adjust(
        self,
        account_id: str,
        *,
        amount_usd: float,
        reason: str,
        idempotency_key: str | None = None,
    ) -> TransferLine:
        """Changes the balance by a positive or negative amount, to correct a mistake.

        Args:
            account_id: The id of the account.
            amount_usd: Negative to debit; never more than the account has available.
            reason: The reason; recorded in the ledger permanently.
            idempotency_key: Generated for each call unless given. A call repeated with it
                takes effect once.
        """
        path = f"{ROOT}/accounts/{segment('account_id', account_id)}/adjustments"
        body = encode(AdjustmentRequest, {"amount_usd": amount_usd, "reason": reason})
        return await self._client._send(change(path, TransferLine, body, idempotency_key))

    async def refund(
        self,
        account_id: str,
        *,
        request_id: str,
        amount_usd: float,
        reason: str,
        idempotency_key: str | None = None,
    ) -> TransferLine:
        """Refund the cost of a request.

        Returns all or part of the cost of a request to the balance.

        Args:
            account_id: The id of the account.
            request_id: The request to refund.
            amount_usd: How much to return; never more than the request cost.
            reason: The reason; recorded in the ledger permanently.
            idempotency_key: Generated for each call unless given. A call repeated with it
                takes effect once.
        """
        path = f"{ROOT}/accounts/{segment('account_id', account_id)}/refunds"
        body = encode(
            RefundRequest,
            {"request_id": request_id, "amount_usd": amount_usd, "reason": reason},
        )
        return await self._client._send(change(path, TransferLine, body, idempotency_key))


class AsyncAdminKeys(_Part):
    """The API keys of accounts."""

    async def create(
        self,
        account_id: str,
        *,
        idempotency_key: str | None = None,
        **fields: Unpack[KeyChange],
    ) -> NewKey:
        """Creates an API key for an account, with optional caps, expiry and policy. Members may
        set the name, the caps, the expiry and the providers.

        It is shown only once.

        Args:
            account_id: The id of the account.
            idempotency_key: Generated for each call unless given. A call repeated with it
                takes effect once.
            **fields: An API key to create. The fields are in `KeyChange`.
        """
        path = f"{ROOT}/accounts/{segment('account_id', account_id)}/keys"
        body = changed(KeyChange, fields)
        return await self._client._send(change(path, NewKey, body, idempotency_key))

    def list(self, account_id: str) -> AsyncPages[KeyList, Key]:
        """List the keys of an account.

        Returns the keys of an account, without their secrets.

        Args:
            account_id: The id of the account.
        """
        path = f"{ROOT}/accounts/{segment('account_id', account_id)}/keys"
        return AsyncPages(self._client, lambda _: get(path, KeyList, None))

    async def update(self, key_id: str, **fields: Unpack[KeyChange]) -> Key:
        """Changes the name, the limits or the policy of a key. Members may change the name, the
        caps, the expiry and the providers.

        None removes a limit.

        Args:
            key_id: The id of the key.
            **fields: What to change; an omitted field keeps its value. The fields are in
                `KeyChange`.
        """
        path = f"{ROOT}/keys/{segment('key_id', key_id)}"
        body = changed(KeyChange, fields)
        return await self._client._send(Call("PATCH", path, Key, body=body))

    async def revoke(self, key_id: str) -> Key:
        """Makes a key permanently invalid, with immediate effect.

        Args:
            key_id: The id of the key.
        """
        path = f"{ROOT}/keys/{segment('key_id', key_id)}"
        return await self._client._send(Call("DELETE", path, Key))

    async def rotate(
        self,
        key_id: str,
        *,
        overlap_hours: float | None = None,
        idempotency_key: str | None = None,
    ) -> NewKey:
        """Give a key a new secret; the old one keeps working for a while.

        The key keeps its id, its limits and its spending. Only one old secret works besides the
        new one: rotating again ends it. To rotate TRIVIUM_BOOTSTRAP_KEY, change the setting.

        Args:
            key_id: The id of the key.
            overlap_hours: How long the old secret keeps working; 0 ends it immediately.
                Default: 24.
            idempotency_key: Generated for each call unless given. A call repeated with it
                takes effect once.
        """
        path = f"{ROOT}/keys/{segment('key_id', key_id)}/rotate"
        body = encode(KeyRotation, {"overlap_hours": overlap_hours})
        return await self._client._send(change(path, NewKey, body, idempotency_key))

    async def end_overlap(self, key_id: str) -> Key:
        """End the old secret of a rotated key immediately.

        From now on only the newest secret of the key works.

        Args:
            key_id: The id of the key.
        """
        path = f"{ROOT}/keys/{segment('key_id', key_id)}/previous"
        return await self._client._send(Call("DELETE", path, Key))


class AsyncAdminBudgets(_Part):
    """How much requests with a tag value may spend."""

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
        """Caps what the account's requests with this tag value may spend in a UTC day or month.
        It replaces an existing budget of the tag value; without a cap, it removes it.

        Args:
            account_id: The id of the account.
            tag: The name of a tag, such as team.
            value: A value of the tag, such as search.
            daily_cap_usd: The maximum they may spend and hold in a UTC day; None for no cap.
            monthly_cap_usd: The maximum they may spend and hold in a calendar month, in UTC;
                None for no cap.
            idempotency_key: Generated for each call unless given. A call repeated with it
                takes effect once.
        """
        path = f"{ROOT}/accounts/{segment('account_id', account_id)}/budgets"
        body = encode(
            BudgetRequest,
            {"tag": tag, "value": value, "daily_cap_usd": daily_cap_usd, "monthly_cap_usd": monthly_cap_usd},
        )
        return await self._client._send(change(path, Budget, body, idempotency_key))

    async def delete(
        self,
        account_id: str,
        *,
        tag: str,
        value: str,
        idempotency_key: str | None = None,
    ) -> Budget:
        """Delete the budget of a tag value.

        Args:
            account_id: The id of the account.
            tag: The name of a tag, such as team.
            value: A value of the tag, such as search.
            idempotency_key: Generated for each call unless given. A call repeated with it
                takes effect once.
        """
        path = f"{ROOT}/accounts/{segment('account_id', account_id)}/budgets"
        body = encode(BudgetRequest, {"tag": tag, "value": value})
        return await self._client._send(change(path, Budget, body, idempotency_key))

    def list(self, account_id: str) -> AsyncPages[BudgetList, Budget]:
        """List the budgets of an account.

        Returns every budget, and the spending that counts towards it today and this month.

        Args:
            account_id: The id of the account.
        """
        path = f"{ROOT}/accounts/{segment('account_id', account_id)}/budgets"
        return AsyncPages(self._client, lambda _: get(path, BudgetList, None))


class AsyncAdminViews(_Part):
    """Named addresses of the lists in the dashboard."""

    async def create(
        self,
        account_id: str,
        *,
        name: str,
        page: Literal["/requests", "/jobs", "/usage", "/webhooks", "/billing", "/audit"],
        query: str,
        idempotency_key: str | None = None,
    ) -> SavedView:
        """Save a view of a list in the dashboard.

        Names the filters, the columns and the order of a list, for everyone who can see the
        account. An account can have 100 views, whose names differ on each page.

        Args:
            account_id: The id of the account.
            name: Its name, which no other view of the page has.
            page: The page of the dashboard.
            query: The filters, the columns and the order of the list, as in the address of
                the page.
            idempotency_key: Generated for each call unless given. A call repeated with it
                takes effect once.
        """
        path = f"{ROOT}/accounts/{segment('account_id', account_id)}/views"
        body = encode(ViewRequest, {"name": name, "page": page, "query": query})
        return await self._client._send(change(path, SavedView, body, idempotency_key))

    def list(self, account_id: str) -> AsyncPages[ViewList, SavedView]:
        """List the saved views of an account.

        Returns the views of every page, ordered by name.

        Args:
            account_id: The id of the account.
        """
        path = f"{ROOT}/accounts/{segment('account_id', account_id)}/views"
        return AsyncPages(self._client, lambda _: get(path, ViewList, None))

    async def update(
        self,
        view_id: str,
        *,
        name: str | None = None,
        query: str | None = None,
    ) -> SavedView:
        """Changes the name of a view, or what it shows.

        Args:
            view_id: The id of the view.
            name: Its name, which no other view of the page has.
            query: The filters, the columns and the order of the list, as in the address of
                the page.
        """
        path = f"{ROOT}/views/{segment('view_id', view_id)}"
        body = encode(ViewChange, {"name": name, "query": query})
        return await self._client._send(Call("PATCH", path, SavedView, body=body))

    async def delete(self, view_id: str) -> Removed:
        """Removes a view. What it shows is not changed.

        Args:
            view_id: The id of the view.
        """
        path = f"{ROOT}/views/{segment('view_id', view_id)}"
        return await self._client._send(Call("DELETE", path, Removed))


class AsyncAdminRequests(_Part):
    """The request log."""

    def __init__(self, client: AsyncSender) -> None:
        super().__init__(client)
        self.notes = AsyncAdminNotes(client)

    def list(self, **filters: Unpack[RequestFilters]) -> AsyncPages[RequestList, RequestLine]:
        """List requests, newest first.

        Iterate over the list to get every entry of every page.

        Args:
            **filters: Filters, as in `RequestFilters`.
        """
        path = f"{ROOT}/requests"
        return AsyncPages(
            self._client,
            lambda given: listing(path, RequestList, given, RequestFilters),
            filters,
        )

    async def errors(self, **filters: Unpack[ErrorFilters]) -> ErrorKindList:
        """Group the errors of the request log by kind.

        Returns how often each kind of error occurred, when it was first and last seen, and the
        latest request with it. It examines the newest 100,000 requests in the range.

        Args:
            **filters: Filters, as in `ErrorFilters`.
        """
        path = f"{ROOT}/requests/errors"
        return await self._client._send(listing(path, ErrorKindList, filters, ErrorFilters))

    async def get(self, request_id: str) -> RequestLine:
        """Finds a request by its id, by the id of its answer, or by the id of its job.

        Args:
            request_id: The id of the request, of its answer, or of its job.
        """
        path = f"{ROOT}/requests/{segment('request_id', request_id)}"
        return await self._client._send(get(path, RequestLine, None))

    async def answer(self, request_id: str, *, account_id: str | None = None) -> RequestAnswer:
        """Read the answer to a request of the log.

        Returns the answer to a search or an extraction, if the gateway keeps answers. The answer
        of a transcription is kept with its job.

        Args:
            request_id: The id of the request, of its answer, or of its job.
            account_id: The id of the account.
        """
        path = f"{ROOT}/requests/{segment('request_id', request_id)}/answer{query({'account_id': account_id})}"
        return await self._client._send(get(path, RequestAnswer, None))


class AsyncAdminNotes(_Part):
    """Notes that people write on requests; each request has its own."""

    async def create(
        self,
        request_id: str,
        *,
        text: str,
        idempotency_key: str | None = None,
    ) -> RequestNote:
        """Adds a note, which everyone who can see the request can read. A request can have 20
        notes.

        Args:
            request_id: The id of the request, of its answer, or of its job.
            text: The note, as plain text. It is deleted with the request.
            idempotency_key: Generated for each call unless given. A call repeated with it
                takes effect once.
        """
        path = f"{ROOT}/requests/{segment('request_id', request_id)}/notes"
        body = encode(NoteRequest, {"text": text})
        return await self._client._send(change(path, RequestNote, body, idempotency_key))

    async def update(self, note_id: str, *, text: str) -> RequestNote:
        """Changes the text of a note. Only its author and operators may do this.

        Args:
            note_id: The id of the note.
            text: The note, as plain text. It is deleted with the request.
        """
        path = f"{ROOT}/notes/{segment('note_id', note_id)}"
        body = encode(NoteRequest, {"text": text})
        return await self._client._send(Call("PATCH", path, RequestNote, body=body))

    async def delete(self, note_id: str) -> Removed:
        """Deletes a note. Only its author and operators may do this.

        Args:
            note_id: The id of the note.
        """
        path = f"{ROOT}/notes/{segment('note_id', note_id)}"
        return await self._client._send(Call("DELETE", path, Removed))


class AsyncAdminTransfers(_Part):
    """The ledger."""

    def list(self, **filters: Unpack[TransferFilters]) -> AsyncPages[TransferList, TransferLine]:
        """List ledger lines, newest first.

        Iterate over the list to get every entry of every page.

        Args:
            **filters: Filters, as in `TransferFilters`.
        """
        path = f"{ROOT}/transfers"
        return AsyncPages(
            self._client,
            lambda given: listing(path, TransferList, given, TransferFilters),
            filters,
        )


class AsyncAdminJobs(_Part):
    """Transcription jobs of every account."""

    def list(self, **filters: Unpack[JobFilters]) -> AsyncPages[JobList, JobLine]:
        """List transcription jobs, newest first.

        Iterate over the list to get every entry of every page.

        Args:
            **filters: Filters, as in `JobFilters`.
        """
        path = f"{ROOT}/jobs"
        return AsyncPages(
            self._client,
            lambda given: listing(path, JobList, given, JobFilters),
            filters,
        )

    async def recording(self, job_id: str, *, account_id: str | None = None) -> JobRecording:
        """Read where the recording of a job can be heard.

        Returns the address that the caller gave, or that of an upload while it is kept. Viewers
        get only an address without a signature. The gateway does not contact it.

        Args:
            job_id: The id of the job.
            account_id: The id of the account.
        """
        path = f"{ROOT}/jobs/{segment('job_id', job_id)}/recording{query({'account_id': account_id})}"
        return await self._client._send(get(path, JobRecording, None))


class AsyncAdminIncidents(_Part):
    """What fails or is used up, from its start to its end."""

    def list(self, **filters: Unpack[IncidentFilters]) -> AsyncPages[IncidentList, Incident]:
        """List incidents, newest first.

        Iterate over the list to get every entry of every page.

        Args:
            **filters: Filters, as in `IncidentFilters`.
        """
        path = f"{ROOT}/incidents"
        return AsyncPages(
            self._client,
            lambda given: listing(path, IncidentList, given, IncidentFilters),
            filters,
        )

    async def update(
        self,
        incident_id: str,
        *,
        account_id: str,
        muted: bool | None = None,
        note: str | None = None,
    ) -> Incident:
        """Mute an incident, or note something about it.

        Everyone who sees the incident sees the change, and it is in the audit log. The account
        in the query is the one whose incidents were listed.

        Args:
            incident_id: The id of the incident.
            account_id: The id of the account.
            muted: A muted incident is still listed, without an alert.
            note: What others should know about it. An empty text removes the note.
        """
        path = f"{ROOT}/incidents/{segment('incident_id', incident_id)}{query({'account_id': account_id})}"
        body = encode(IncidentChange, {"muted": muted, "note": note})
        return await self._client._send(Call("PATCH", path, Incident, body=body))


class AsyncAdminAudit(_Part):
    """Who changed what."""

    def list(self, **filters: Unpack[AuditFilters]) -> AsyncPages[AuditList, AuditEntry]:
        """List changes, newest first.

        Iterate over the list to get every entry of every page.

        Args:
            **filters: Filters, as in `AuditFilters`.
        """
        path = f"{ROOT}/audit"
        return AsyncPages(
            self._client,
            lambda given: listing(path, AuditList, given, AuditFilters),
            filters,
        )


class AsyncAdminPeople(_Part):
    """The people who can sign in to the dashboard."""

    async def list(self) -> PeopleList:
        """List the people who can sign in, and open invitations.

        Returns everyone who can sign in to the dashboard.
        """
        path = f"{ROOT}/people"
        return await self._client._send(get(path, PeopleList, None))

    async def update(
        self,
        person_id: str,
        *,
        role: Literal["operator", "member", "viewer"],
        account_id: str | None = None,
    ) -> Person:
        """Change the role of a person.

        Takes effect with the person's next request. The last operator cannot be demoted.

        Args:
            person_id: The id of the person.
            role: An operator can do everything; a member belongs to one account; a viewer
                can read one account and change nothing.
            account_id: Required for a member and for a viewer.
        """
        path = f"{ROOT}/people/{segment('person_id', person_id)}"
        body = encode(PersonChange, {"role": role, "account_id": account_id})
        return await self._client._send(Call("PATCH", path, Person, body=body))

    async def delete(self, person_id: str) -> Removed:
        """Removes a person and ends all of their sessions.

        Args:
            person_id: The id of the person.
        """
        path = f"{ROOT}/people/{segment('person_id', person_id)}"
        return await self._client._send(Call("DELETE", path, Removed))

    async def reset_password(self, person_id: str) -> ResetLink:
        """Create a link for choosing a new password.

        The link works for a day, or until the password is changed. Pass it on to the person
        yourself.

        Args:
            person_id: The id of the person.
        """
        path = f"{ROOT}/people/{segment('person_id', person_id)}/reset"
        return await self._client._send(Call("POST", path, ResetLink))


class AsyncAdminInvitations(_Part):
    """Links that give people access to the dashboard; `people.list` lists open ones."""

    async def create(
        self,
        role: Literal["operator", "member", "viewer"],
        *,
        label: str | None = None,
        account_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> NewInvite:
        """Creates a link that lets one person join.

        Its token is shown only once.

        Args:
            role: An operator can do everything; a member belongs to one account; a viewer
                can read one account and change nothing.
            label: The person or purpose it is for.
            account_id: Required for a member and for a viewer.
            idempotency_key: Generated for each call unless given. A call repeated with it
                takes effect once.
        """
        path = f"{ROOT}/invites"
        body = encode(InviteRequest, {"role": role, "label": label, "account_id": account_id})
        return await self._client._send(change(path, NewInvite, body, idempotency_key))

    async def delete(self, invitation_id: str) -> Removed:
        """Makes an invitation link invalid.

        Args:
            invitation_id: The id of the invitation.
        """
        path = f"{ROOT}/invites/{segment('invitation_id', invitation_id)}"
        return await self._client._send(Call("DELETE", path, Removed))


class AsyncAdminProviders(_Part):
    """The health of the providers."""

    async def records(self) -> ProviderRecordList:
        """Read the recent latency and failures of each provider.

        Returns the latency and failures of the latest requests, by provider.
        """
        path = f"{ROOT}/provider-records"
        return await self._client._send(get(path, ProviderRecordList, None))

    async def hours(self, provider: str) -> ProviderHourList:
        """Read how often and how fast a provider answered, by hour.

        Returns the hours of the last 30 days in which requests reached the provider.

        Args:
            provider: The id of the provider, or its vendor's name.
        """
        path = f"{ROOT}/providers/{segment('provider', to_provider_id(provider))}/hours"
        return await self._client._send(get(path, ProviderHourList, None))

    async def check(self, provider: str) -> ProviderCheck:
        """Calls the provider once with its configured credential, and reports the result.

        Args:
            provider: The id of the provider, or its vendor's name.
        """
        path = f"{ROOT}/providers/{segment('provider', to_provider_id(provider))}/check"
        return await self._client._send(Call("POST", path, ProviderCheck))


class AsyncAdminWebhooks(_Part):
    """Endpoints for events, and their secrets."""

    def __init__(self, client: AsyncSender) -> None:
        super().__init__(client)
        self.deliveries = AsyncAdminDeliveries(client)

    async def create(
        self,
        account_id: str | None = None,
        *,
        url: str,
        events: Sequence[Event],
        description: str | None = None,
        idempotency_key: str | None = None,
    ) -> NewWebhook:
        """Creates an endpoint for the account in the query. Without an account, operators create
        an endpoint for the gateway itself.

        Its secret is shown only once.

        Args:
            account_id: The id of the account.
            url: A public https URL, to which the gateway sends a POST for each event.
            events: What to send. An endpoint of an account receives the events of that
                account: job.completed, job.failed, balance.low, cap.reached, budget.reached,
                key.created, key.revoked. One without an account receives provider.unhealthy,
                provider.recovered, provider.unusable_duration.
            description: A note for people to read.
            idempotency_key: Generated for each call unless given. A call repeated with it
                takes effect once.
        """
        path = f"{ROOT}/webhooks{query({'account_id': account_id})}"
        body = encode(WebhookRequest, {"url": url, "events": events, "description": description})
        return await self._client._send(change(path, NewWebhook, body, idempotency_key))

    def list(self, **filters: Unpack[WebhookFilters]) -> AsyncPages[WebhookList, Webhook]:
        """List endpoints, newest first.

        Iterate over the list to get every entry of every page.

        Args:
            **filters: Filters, as in `WebhookFilters`.
        """
        path = f"{ROOT}/webhooks"
        return AsyncPages(
            self._client,
            lambda given: listing(path, WebhookList, given, WebhookFilters),
            filters,
        )

    async def get(self, webhook_id: str) -> Webhook:
        """Read an endpoint.

        Returns an endpoint without its secret.

        Args:
            webhook_id: The id of the endpoint.
        """
        path = f"{ROOT}/webhooks/{segment('webhook_id', webhook_id)}"
        return await self._client._send(get(path, Webhook, None))

    async def update(self, webhook_id: str, **fields: Unpack[WebhookChange]) -> Webhook:
        """Changes the given fields. Events for a paused endpoint are kept and sent when it is
        resumed.

        Args:
            webhook_id: The id of the endpoint.
            **fields: What to change; an omitted field keeps its value. The fields are in
                `WebhookChange`.
        """
        path = f"{ROOT}/webhooks/{segment('webhook_id', webhook_id)}"
        body = encode(WebhookChange, fields)
        return await self._client._send(Call("PATCH", path, Webhook, body=body))

    async def pause(self, webhook_id: str) -> Webhook:
        """Pause an endpoint.

        Its events are kept.

        Args:
            webhook_id: The id of the endpoint.
        """
        path = f"{ROOT}/webhooks/{segment('webhook_id', webhook_id)}"
        body = encode(WebhookChange, {"paused": True})
        return await self._client._send(Call("PATCH", path, Webhook, body=body))

    async def resume(self, webhook_id: str) -> Webhook:
        """Resume an endpoint.

        The events that were kept are sent.

        Args:
            webhook_id: The id of the endpoint.
        """
        path = f"{ROOT}/webhooks/{segment('webhook_id', webhook_id)}"
        body = encode(WebhookChange, {"paused": False})
        return await self._client._send(Call("PATCH", path, Webhook, body=body))

    async def delete(self, webhook_id: str) -> Removed:
        """Deletes an endpoint. Its pending deliveries are cancelled.

        Args:
            webhook_id: The id of the endpoint.
        """
        path = f"{ROOT}/webhooks/{segment('webhook_id', webhook_id)}"
        return await self._client._send(Call("DELETE", path, Removed))

    async def rotate(
        self,
        webhook_id: str,
        *,
        overlap_hours: int | None = None,
        idempotency_key: str | None = None,
    ) -> NewWebhook:
        """Replace the secret of an endpoint; the new one is shown only once.

        During the overlap each delivery carries a signature of both secrets.

        Args:
            webhook_id: The id of the endpoint.
            overlap_hours: How long deliveries are also signed with the current secret.
                Default: 24.
            idempotency_key: Generated for each call unless given. A call repeated with it
                takes effect once.
        """
        path = f"{ROOT}/webhooks/{segment('webhook_id', webhook_id)}/rotate"
        body = encode(SecretRotation, {"overlap_hours": overlap_hours})
        return await self._client._send(change(path, NewWebhook, body, idempotency_key))

    async def test(self, webhook_id: str, *, idempotency_key: str | None = None) -> WebhookDelivery:
        """Send a test event to an endpoint.

        Queues the event webhook.test, even for a paused endpoint. The result appears in the list
        of deliveries.

        Args:
            webhook_id: The id of the endpoint.
            idempotency_key: Generated for each call unless given. A call repeated with it
                takes effect once.
        """
        path = f"{ROOT}/webhooks/{segment('webhook_id', webhook_id)}/test"
        return await self._client._send(change(path, WebhookDelivery, None, idempotency_key))

    async def secret(self, account_id: str) -> WebhookSecret:
        """Read the secret that signs deliveries to x-trivium-webhook.

        Returns the secret of the account for the addresses in x-trivium-webhook.

        Args:
            account_id: The id of the account.
        """
        path = f"{ROOT}/accounts/{segment('account_id', account_id)}/webhook-secret"
        return await self._client._send(get(path, WebhookSecret, None))

    async def rotate_secret(
        self,
        account_id: str,
        *,
        overlap_hours: int | None = None,
        idempotency_key: str | None = None,
    ) -> WebhookSecret:
        """Replace the secret that signs deliveries to x-trivium-webhook.

        During the overlap each delivery carries a signature of both secrets.

        Args:
            account_id: The id of the account.
            overlap_hours: How long deliveries are also signed with the current secret.
                Default: 24.
            idempotency_key: Generated for each call unless given. A call repeated with it
                takes effect once.
        """
        path = f"{ROOT}/accounts/{segment('account_id', account_id)}/webhook-secret/rotate"
        body = encode(SecretRotation, {"overlap_hours": overlap_hours})
        return await self._client._send(change(path, WebhookSecret, body, idempotency_key))


class AsyncAdminDeliveries(_Part):
    """The log of deliveries."""

    def list(self, **filters: Unpack[DeliveryFilters]) -> AsyncPages[DeliveryList, WebhookDelivery]:
        """List deliveries, newest first.

        Iterate over the list to get every entry of every page.

        Args:
            **filters: Filters, as in `DeliveryFilters`.
        """
        path = f"{ROOT}/webhooks/deliveries"
        return AsyncPages(
            self._client,
            lambda given: listing(path, DeliveryList, given, DeliveryFilters),
            filters,
        )

    async def get(self, delivery_id: str) -> DeliveryDetail:
        """Read a delivery with its payload.

        Returns one delivery of the log, the data of its event, and its attempts.

        Args:
            delivery_id: The id of the delivery.
        """
        path = f"{ROOT}/webhooks/deliveries/{segment('delivery_id', delivery_id)}/detail"
        return await self._client._send(get(path, DeliveryDetail, None))

    async def redeliver(
        self,
        delivery_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> WebhookDelivery:
        """Send an event again.

        Sends it now, with the same webhook-id, and retries for another 24 hours.

        Args:
            delivery_id: The id of the delivery.
            idempotency_key: Generated for each call unless given. A call repeated with it
                takes effect once.
        """
        path = f"{ROOT}/webhooks/deliveries/{segment('delivery_id', delivery_id)}/redeliver"
        return await self._client._send(change(path, WebhookDelivery, None, idempotency_key))
