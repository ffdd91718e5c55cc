"""Verifies webhooks according to the Standard Webhooks specification (symmetric, version 1)."""

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any

from .errors import ArgumentError, WebhookVerificationError

_PREFIX = "whsec_"
_MIN_SECRET_BYTES = 24
_MAX_SECRET_BYTES = 64
_DEFAULT_TOLERANCE = 300.0
_MAX_SIGNATURES = 20
"""During a rotation there are two signatures. The limit protects the receiver from extra work."""


@dataclass(frozen=True)
class VerifiedWebhook:
    id: str
    """The same for every attempt to deliver this message. Store it to handle each message once."""
    timestamp: datetime
    payload: Any
    """The parsed body."""


def verify_webhook(
    *,
    secret: str,
    headers: Mapping[str, str],
    body: bytes | str,
    tolerance: float = _DEFAULT_TOLERANCE,
    now: float | None = None,
) -> VerifiedWebhook:
    """Raises a WebhookVerificationError unless the body was signed with the secret, and recently.

    `body` is the body exactly as received. `tolerance` is how many seconds the clocks may differ.
    `now` is the current time in seconds, taken from the clock by default.
    """
    key = _key_of(secret)
    if not tolerance >= 0:
        raise ArgumentError("tolerance: must be a number that is not negative")
    message_id = _header(headers, "webhook-id")
    timestamp = _header(headers, "webhook-timestamp")
    signatures = _header(headers, "webhook-signature")
    if not re.fullmatch(r"[0-9]{1,12}", timestamp):
        raise WebhookVerificationError("webhook-timestamp must be whole seconds since 1970.")
    age = (time.time() if now is None else now) - int(timestamp)
    if not abs(age) <= tolerance:
        fault = "old" if age > 0 else "far in the future"
        raise WebhookVerificationError(f"The webhook-timestamp is too {fault}.")
    raw = body.encode() if isinstance(body, str) else bytes(body)
    signed = f"{message_id}.{timestamp}.".encode() + raw
    if not _is_signed(key, signatures, signed):
        raise WebhookVerificationError("No webhook-signature matches the body and the secret.")
    return VerifiedWebhook(
        id=message_id,
        timestamp=datetime.fromtimestamp(int(timestamp), timezone.utc),
        payload=_parse(raw),
    )


def _key_of(secret: str) -> bytes:
    key = _decode(secret[len(_PREFIX) :]) if secret.startswith(_PREFIX) else None
    if key is None or not _MIN_SECRET_BYTES <= len(key) <= _MAX_SECRET_BYTES:
        raise ArgumentError(
            f"secret: must be {_PREFIX} and the base64 of "
            f"{_MIN_SECRET_BYTES} to {_MAX_SECRET_BYTES} bytes"
        )
    return key


def _header(headers: Mapping[str, str], name: str) -> str:
    found = [value for key, value in headers.items() if key.lower() == name]
    if len(found) == 1 and isinstance(found[0], str) and found[0] != "":
        return found[0]
    fault = "given more than once" if len(found) > 1 else "missing"
    raise WebhookVerificationError(f"The header {name} is {fault}.")


def _is_signed(key: bytes, signatures: str, signed: bytes) -> bool:
    expected = hmac.new(key, signed, hashlib.sha256).digest()
    # Signatures of other versions, such as v1a, are ignored.
    for signature in signatures.split(" ", _MAX_SIGNATURES)[:_MAX_SIGNATURES]:
        given = _decode(signature[len("v1,") :]) if signature.startswith("v1,") else None
        if given is not None and hmac.compare_digest(given, expected):
            return True
    return False


def _decode(text: str) -> bytes | None:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None


def _parse(body: bytes) -> Any:
    try:
        return json.loads(body)
    except ValueError as error:
        raise WebhookVerificationError("The body is signed, but is not JSON.") from error
