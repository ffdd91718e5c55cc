# Written by scripts/python-client.ts from _async_admin_webhooks.py: do not edit.
"""The operator's blocking client for webhooks: endpoints, their secrets, and the log of deliveries."""

from collections.abc import Iterator, Sequence

from typing_extensions import Unpack

from . import _webhook_operations as operations
from ._admin_part import AdminPart
from ._webhook_operations import DeliveryFilters, Event, WebhookChange, WebhookFilters
from .admin_models import (
    DeliveryList,
    NewWebhook,
    Removed,
    Webhook,
    WebhookDelivery,
    WebhookList,
    WebhookSecret,
)


class Webhooks(AdminPart):
    def list(self, **filters: Unpack[WebhookFilters]) -> WebhookList:
        """One page, the newest first."""
        return self._client._send(operations.webhooks(filters))

    def iterate(self, **filters: Unpack[WebhookFilters]) -> Iterator[Webhook]:
        """Every endpoint, page after page."""
        for page in self._client._pages(operations.webhooks, filters):
            for entry in page.webhooks:
                yield entry

    def get(self, webhook_id: str) -> Webhook:
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
        """Without an account it is an endpoint of the gateway, for events about providers.

        The answer holds the secret, this once.
        """
        fields = {"url": url, "events": events, "description": description}
        call = operations.create_webhook(account_id, fields, idempotency_key)
        return self._client._send(call)

    def change(self, webhook_id: str, **change: Unpack[WebhookChange]) -> Webhook:
        """Changes only what is given."""
        return self._client._send(operations.change_webhook(webhook_id, change))

    def pause(self, webhook_id: str) -> Webhook:
        """Events are kept, and sent once it is resumed."""
        return self.change(webhook_id, paused=True)

    def resume(self, webhook_id: str) -> Webhook:
        return self.change(webhook_id, paused=False)

    def remove(self, webhook_id: str) -> Removed:
        return self._client._send(operations.remove_webhook(webhook_id))

    def rotate(
        self,
        webhook_id: str,
        *,
        overlap_hours: int | None = None,
        idempotency_key: str | None = None,
    ) -> NewWebhook:
        """The answer holds the new secret. During the overlap both sign."""
        call = operations.rotate_webhook(webhook_id, overlap_hours, idempotency_key)
        return self._client._send(call)

    def test(self, webhook_id: str, *, idempotency_key: str | None = None) -> WebhookDelivery:
        """Queues the event `webhook.test`."""
        return self._client._send(operations.send_test(webhook_id, idempotency_key))

    def deliveries(self, **filters: Unpack[DeliveryFilters]) -> DeliveryList:
        """One page of the log of deliveries, the newest first."""
        return self._client._send(operations.deliveries(filters))

    def iterate_deliveries(
        self, **filters: Unpack[DeliveryFilters]
    ) -> Iterator[WebhookDelivery]:
        """Every delivery, page after page."""
        for page in self._client._pages(operations.deliveries, filters):
            for entry in page.deliveries:
                yield entry

    def redeliver(
        self, delivery_id: str, *, idempotency_key: str | None = None
    ) -> WebhookDelivery:
        return self._client._send(operations.redeliver(delivery_id, idempotency_key))

    def secret(self, account_id: str) -> WebhookSecret:
        """Signs deliveries to the address that a request names."""
        return self._client._send(operations.secret(account_id))

    def rotate_secret(
        self,
        account_id: str,
        *,
        overlap_hours: int | None = None,
        idempotency_key: str | None = None,
    ) -> WebhookSecret:
        call = operations.rotate_secret(account_id, overlap_hours, idempotency_key)
        return self._client._send(call)
