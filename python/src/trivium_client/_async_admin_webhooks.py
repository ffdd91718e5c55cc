"""The operator's async client for webhooks: endpoints, their secrets, and the log of deliveries."""

from collections.abc import Sequence

from typing_extensions import Unpack

from . import _webhook_operations as operations
from ._async import AsyncPages, AsyncSender
from ._async_admin_part import AsyncAdminPart
from ._webhook_operations import DeliveryFilters, Event, WebhookChange, WebhookFilters
from .admin_models import (
    DeliveryDetail,
    DeliveryList,
    NewWebhook,
    Removed,
    Webhook,
    WebhookDelivery,
    WebhookList,
    WebhookSecret,
)


class AsyncWebhooks(AsyncAdminPart):
    """Endpoints for events."""

    def __init__(self, client: AsyncSender) -> None:
        super().__init__(client)
        self.deliveries = AsyncDeliveries(client)

    def list(self, **filters: Unpack[WebhookFilters]) -> AsyncPages[WebhookList, Webhook]:
        """The endpoints, the newest first. Iterate over it for every one of every page.

        Args:
            **filters: What to list, as in `WebhookFilters`.
        """
        return AsyncPages(self._client, operations.webhooks, filters)

    async def get(self, webhook_id: str) -> Webhook:
        """One endpoint, without its secret.

        Args:
            webhook_id: The id of the endpoint.
        """
        return await self._client._send(operations.webhook(webhook_id))

    async def create(
        self,
        account_id: str | None = None,
        *,
        url: str,
        events: Sequence[Event],
        description: str | None = None,
        idempotency_key: str | None = None,
    ) -> NewWebhook:
        """Without an account it is an endpoint of the gateway, for events about providers.

        The answer has the secret; it is shown only once.

        Args:
            account_id: The id of the account.
            url: A public https address.
            events: What the endpoint receives.
            description: What the endpoint is for.
            idempotency_key: Made for each call unless given. A call repeated under it is
                charged once.
        """
        fields = {"url": url, "events": events, "description": description}
        call = operations.create_webhook(account_id, fields, idempotency_key)
        return await self._client._send(call)

    async def update(self, webhook_id: str, **change: Unpack[WebhookChange]) -> Webhook:
        """Changes only what is given.

        Args:
            webhook_id: The id of the endpoint.
            **change: What to change, as in `WebhookChange`.
        """
        return await self._client._send(operations.update_webhook(webhook_id, change))

    async def pause(self, webhook_id: str) -> Webhook:
        """Events are kept, and sent once it is resumed.

        Args:
            webhook_id: The id of the endpoint.
        """
        return await self.update(webhook_id, paused=True)

    async def resume(self, webhook_id: str) -> Webhook:
        """Sends what was kept.

        Args:
            webhook_id: The id of the endpoint.
        """
        return await self.update(webhook_id, paused=False)

    async def delete(self, webhook_id: str) -> Removed:
        """Deletes an endpoint; what waits for it is not sent.

        Args:
            webhook_id: The id of the endpoint.
        """
        return await self._client._send(operations.delete_webhook(webhook_id))

    async def rotate(
        self,
        webhook_id: str,
        *,
        overlap_hours: int | None = None,
        idempotency_key: str | None = None,
    ) -> NewWebhook:
        """The answer has the new secret. During the overlap both sign.

        Args:
            webhook_id: The id of the endpoint.
            overlap_hours: How long the earlier secret works beside the new one.
            idempotency_key: Made for each call unless given. A call repeated under it is
                charged once.
        """
        call = operations.rotate_webhook(webhook_id, overlap_hours, idempotency_key)
        return await self._client._send(call)

    async def test(self, webhook_id: str, *, idempotency_key: str | None = None) -> WebhookDelivery:
        """Queues the event `webhook.test`.

        Args:
            webhook_id: The id of the endpoint.
            idempotency_key: Made for each call unless given. A call repeated under it is
                charged once.
        """
        return await self._client._send(operations.send_test(webhook_id, idempotency_key))

    async def secret(self, account_id: str) -> WebhookSecret:
        """Signs deliveries to the address that a request names.

        Args:
            account_id: The id of the account.
        """
        return await self._client._send(operations.secret(account_id))

    async def rotate_secret(
        self,
        account_id: str,
        *,
        overlap_hours: int | None = None,
        idempotency_key: str | None = None,
    ) -> WebhookSecret:
        """Replaces the secret. During the overlap both sign.

        Args:
            account_id: The id of the account.
            overlap_hours: How long the earlier secret works beside the new one.
            idempotency_key: Made for each call unless given. A call repeated under it is
                charged once.
        """
        call = operations.rotate_secret(account_id, overlap_hours, idempotency_key)
        return await self._client._send(call)


class AsyncDeliveries(AsyncAdminPart):
    """The log of deliveries."""

    def list(self, **filters: Unpack[DeliveryFilters]) -> AsyncPages[DeliveryList, WebhookDelivery]:
        """The deliveries, the newest first. Iterate over it for every one of every page.

        Args:
            **filters: What to list, as in `DeliveryFilters`.
        """
        return AsyncPages(self._client, operations.deliveries, filters)

    async def get(self, delivery_id: str) -> DeliveryDetail:
        """One delivery, with its payload.

        Args:
            delivery_id: The id of the delivery.
        """
        return await self._client._send(operations.delivery(delivery_id))

    async def redeliver(
        self, delivery_id: str, *, idempotency_key: str | None = None
    ) -> WebhookDelivery:
        """Sends an event once more.

        Args:
            delivery_id: The id of the delivery.
            idempotency_key: Made for each call unless given. A call repeated under it is
                charged once.
        """
        return await self._client._send(operations.redeliver(delivery_id, idempotency_key))
