"""The operator's calls for webhooks as data, shared by the sync and the async client."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pydantic import TypeAdapter
from typing_extensions import TypedDict

from ._admin_operations import ROOT, PageFilters, account_path, listing, once
from ._call import Call, encode, get, query, segment
from .admin_models import (
    AccountEvent,
    DeliveryDetail,
    DeliveryList,
    GatewayEvent,
    NewWebhook,
    Removed,
    Webhook,
    WebhookDelivery,
    WebhookList,
    WebhookSecret,
)
from .requests import strict_fields

Event = AccountEvent | GatewayEvent


class WebhookFilters(PageFilters, total=False):
    account_id: str | None
    """Only this account."""


class DeliveryFilters(PageFilters, total=False):
    account_id: str | None
    """Only this account."""
    webhook_id: str | None
    """Only this endpoint."""
    event: Event | Literal["webhook.test"] | None
    """Only this event."""
    state: Literal["pending", "delivered", "failed"] | None
    """Only this state."""
    subject: str | None
    """The job, key, account, provider or endpoint that the event is about."""


@strict_fields
class WebhookChange(TypedDict, total=False):
    """The fields of an endpoint that can be set. None means not given."""

    url: str | None
    """A public https address."""
    events: Sequence[Event] | None
    """The events that the endpoint receives."""
    description: str | None
    """What the endpoint is for."""
    paused: bool | None
    """Whether deliveries are held back."""


@strict_fields
class SecretRotation(TypedDict, total=False):
    overlap_hours: int | None
    """How many hours deliveries are also signed with the previous secret."""


_change: TypeAdapter[WebhookChange] = TypeAdapter(WebhookChange)
_rotation: TypeAdapter[SecretRotation] = TypeAdapter(SecretRotation)


def webhooks(filters: Mapping[str, Any]) -> Call[WebhookList]:
    return listing("/webhooks", WebhookList, filters, WebhookFilters)


def deliveries(filters: Mapping[str, Any]) -> Call[DeliveryList]:
    return listing("/webhooks/deliveries", DeliveryList, filters, DeliveryFilters)


def delivery(delivery_id: str) -> Call[DeliveryDetail]:
    path = f"{ROOT}/webhooks/deliveries/{segment('delivery_id', delivery_id)}/detail"
    return get(path, DeliveryDetail, None)


def webhook(webhook_id: str) -> Call[Webhook]:
    return get(_webhook(webhook_id), Webhook, None)


def create_webhook(
    account_id: str | None, fields: Mapping[str, Any], idempotency_key: str | None
) -> Call[NewWebhook]:
    path = f"{ROOT}/webhooks{query({'account_id': account_id})}"
    return once(path, NewWebhook, encode(_change, fields), idempotency_key)


def update_webhook(webhook_id: str, change: Mapping[str, Any]) -> Call[Webhook]:
    return Call("PATCH", _webhook(webhook_id), Webhook, body=encode(_change, change))


def delete_webhook(webhook_id: str) -> Call[Removed]:
    return Call("DELETE", _webhook(webhook_id), Removed)


def rotate_webhook(
    webhook_id: str, overlap_hours: int | None, idempotency_key: str | None
) -> Call[NewWebhook]:
    path = f"{_webhook(webhook_id)}/rotate"
    return once(path, NewWebhook, _overlap(overlap_hours), idempotency_key)


def send_test(webhook_id: str, idempotency_key: str | None) -> Call[WebhookDelivery]:
    return once(f"{_webhook(webhook_id)}/test", WebhookDelivery, None, idempotency_key)


def redeliver(delivery_id: str, idempotency_key: str | None) -> Call[WebhookDelivery]:
    path = f"{ROOT}/webhooks/deliveries/{segment('delivery_id', delivery_id)}/redeliver"
    return once(path, WebhookDelivery, None, idempotency_key)


def secret(account_id: str) -> Call[WebhookSecret]:
    return get(f"{account_path(account_id)}/webhook-secret", WebhookSecret, None)


def rotate_secret(
    account_id: str, overlap_hours: int | None, idempotency_key: str | None
) -> Call[WebhookSecret]:
    path = f"{account_path(account_id)}/webhook-secret/rotate"
    return once(path, WebhookSecret, _overlap(overlap_hours), idempotency_key)


def _overlap(hours: int | None) -> bytes:
    return encode(_rotation, {"overlap_hours": hours})


def _webhook(webhook_id: str) -> str:
    return f"{ROOT}/webhooks/{segment('webhook_id', webhook_id)}"
