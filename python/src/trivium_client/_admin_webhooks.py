# Written by scripts/python-client.ts from _async_admin_webhooks.py: do not edit.
"""The operator's blocking client for webhooks: endpoints, their secrets, and the log of deliveries."""

from collections.abc import Sequence

from typing_extensions import Unpack

from . import _webhook_operations as operations
from ._sync import read_pages, Sender
from ._admin_part import AdminPart
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


class Webhooks(AdminPart):
    """Endpoints for events."""

    def __init__(self, client: Sender) -> None:
        super().__init__(client)
        self.deliveries = Deliveries(client)

    def list(self, **filters: Unpack[WebhookFilters]) -> WebhookList:
        """The endpoints, newest first. Iterate over the list to get every one of every page.

        Args:
            **filters: Filters, as in `WebhookFilters`.
        """
        return read_pages(self._client, operations.webhooks, filters)

    def get(self, webhook_id: str) -> Webhook:
        """One endpoint, without its secret.

        Args:
            webhook_id: The id of the endpoint.
        """
        return self._client._send(operations.webhook(webhook_id))

    def create(
        self,
        account_id: str | None = None,
        *,
        url: str,
        events: Sequence[Event],
        description: str | None = None,
        idempotency_key: str | None = None,
    ) -> NewWebhook:
        """Creates an endpoint. Without an account, it receives events about providers.

        The answer contains the secret, which is shown only once.

        Args:
            account_id: The id of the account.
            url: A public https address.
            events: The events that the endpoint receives.
            description: What the endpoint is for.
            idempotency_key: Generated for each call unless given. A call repeated with it
                takes effect once.
        """
        fields = {"url": url, "events": events, "description": description}
        call = operations.create_webhook(account_id, fields, idempotency_key)
        return self._client._send(call)

    def update(self, webhook_id: str, **change: Unpack[WebhookChange]) -> Webhook:
        """Changes only the given fields.

        Args:
            webhook_id: The id of the endpoint.
            **change: The fields to change, as in `WebhookChange`.
        """
        return self._client._send(operations.update_webhook(webhook_id, change))

    def pause(self, webhook_id: str) -> Webhook:
        """Pauses an endpoint. Its events are kept, and sent once it is resumed.

        Args:
            webhook_id: The id of the endpoint.
        """
        return self.update(webhook_id, paused=True)

    def resume(self, webhook_id: str) -> Webhook:
        """Resumes an endpoint, and sends the events that were kept.

        Args:
            webhook_id: The id of the endpoint.
        """
        return self.update(webhook_id, paused=False)

    def delete(self, webhook_id: str) -> Removed:
        """Deletes an endpoint. Events that wait for it are not sent.

        Args:
            webhook_id: The id of the endpoint.
        """
        return self._client._send(operations.delete_webhook(webhook_id))

    def rotate(
        self,
        webhook_id: str,
        *,
        overlap_hours: int | None = None,
        idempotency_key: str | None = None,
    ) -> NewWebhook:
        """Creates a new secret. During the overlap, deliveries are signed with both.

        Args:
            webhook_id: The id of the endpoint.
            overlap_hours: How many hours the previous secret also signs deliveries.
            idempotency_key: Generated for each call unless given. A call repeated with it
                takes effect once.
        """
        call = operations.rotate_webhook(webhook_id, overlap_hours, idempotency_key)
        return self._client._send(call)

    def test(self, webhook_id: str, *, idempotency_key: str | None = None) -> WebhookDelivery:
        """Queues the event `webhook.test`.

        Args:
            webhook_id: The id of the endpoint.
            idempotency_key: Generated for each call unless given. A call repeated with it
                takes effect once.
        """
        return self._client._send(operations.send_test(webhook_id, idempotency_key))

    def secret(self, account_id: str) -> WebhookSecret:
        """The secret that signs deliveries to an address named in a request.

        Args:
            account_id: The id of the account.
        """
        return self._client._send(operations.secret(account_id))

    def rotate_secret(
        self,
        account_id: str,
        *,
        overlap_hours: int | None = None,
        idempotency_key: str | None = None,
    ) -> WebhookSecret:
        """Replaces that secret. During the overlap, deliveries are signed with both.

        Args:
            account_id: The id of the account.
            overlap_hours: How many hours the previous secret also signs deliveries.
            idempotency_key: Generated for each call unless given. A call repeated with it
                takes effect once.
        """
        call = operations.rotate_secret(account_id, overlap_hours, idempotency_key)
        return self._client._send(call)


class Deliveries(AdminPart):
    """The log of deliveries."""

    def list(self, **filters: Unpack[DeliveryFilters]) -> DeliveryList:
        """The deliveries, newest first. Iterate over the list to get every one of every page.

        Args:
            **filters: Filters, as in `DeliveryFilters`.
        """
        return read_pages(self._client, operations.deliveries, filters)

    def get(self, delivery_id: str) -> DeliveryDetail:
        """One delivery, with its payload.

        Args:
            delivery_id: The id of the delivery.
        """
        return self._client._send(operations.delivery(delivery_id))

    def redeliver(
        self, delivery_id: str, *, idempotency_key: str | None = None
    ) -> WebhookDelivery:
        """Sends a delivery again.

        Args:
            delivery_id: The id of the delivery.
            idempotency_key: Generated for each call unless given. A call repeated with it
                takes effect once.
        """
        return self._client._send(operations.redeliver(delivery_id, idempotency_key))
