"""Webhook verification, compared with the reference implementation of the specification."""

import base64
from datetime import datetime, timezone
from typing import Any

import pytest
from standardwebhooks import Webhook

from trivium_client import ArgumentError, WebhookVerificationError, verify_webhook

SECRET = "whsec_" + base64.b64encode(b"a secret of thirty-two bytes....").decode()
OTHER = "whsec_" + base64.b64encode(bytes([7]) * 32).decode()
NOW = 1_795_000_000
BODY = '{"type":"job.completed","data":{"text":"Grüße 👋"}}'


def sign(secret: str = SECRET, at: int = NOW, body: str = BODY) -> str:
    moment = datetime.fromtimestamp(at, timezone.utc)
    return Webhook(secret).sign(msg_id="msg_1", timestamp=moment, data=body)


def headers(signature: str | None = None, **more: str) -> dict[str, str]:
    own = {
        "webhook-id": "msg_1",
        "webhook-timestamp": str(NOW),
        "webhook-signature": sign() if signature is None else signature,
    }
    return {**own, **{name.replace("_", "-"): value for name, value in more.items()}}


def verify(**changes: Any) -> Any:
    given = {"secret": SECRET, "headers": headers(), "body": BODY, "now": NOW, **changes}
    return verify_webhook(**given).payload


def test_what_the_reference_signs_is_accepted_and_read_alike() -> None:
    now = int(datetime.now(timezone.utc).timestamp())
    given = headers(sign(at=now), webhook_timestamp=str(now))
    verified = verify_webhook(secret=SECRET, headers=given, body=BODY.encode())
    assert verified.payload == Webhook(SECRET).verify(BODY, given)
    assert (verified.id, verified.timestamp.timestamp()) == ("msg_1", now)


@pytest.mark.parametrize(
    "changes",
    [
        {"headers": {name.title(): value for name, value in headers().items()}},
        {"headers": headers(f"v1,AAAA v1a,zzz {sign(OTHER)} v2,x {sign()}")},
        {"now": NOW + 300},
        {"now": NOW - 300},
        {"body": BODY.encode()},
    ],
)
def test_accepted(changes: dict[str, Any]) -> None:
    assert verify(**changes)["type"] == "job.completed"


@pytest.mark.parametrize(
    "changes",
    [
        {"body": BODY + " "},
        {"secret": OTHER},
        {"headers": headers(webhook_id="msg_2")},
        {"headers": headers(webhook_timestamp=f"{NOW}0")},
        {"headers": headers(webhook_timestamp=f"-{NOW}")},
        {"headers": headers(webhook_timestamp=f"{NOW}.5")},
        {"headers": headers(webhook_timestamp="٣")},
        {"now": NOW + 301},
        {"now": NOW - 301},
        {"now": NOW + 1, "tolerance": 0},
        {"headers": headers(sign().removeprefix("v1,"))},
        {"headers": headers("v1,%%%")},
        {"headers": headers("v1,")},
        {"headers": headers("v1,x " * 100_000 + sign())},
        {"headers": {}},
        {"headers": {**headers(), "Webhook-Id": "msg_2"}},
        {"body": "x", "headers": headers(sign(body="x"))},
    ],
)
def test_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(WebhookVerificationError):
        verify(**changes)


@pytest.mark.parametrize(
    "changes",
    [
        {"secret": ""},
        {"secret": "whsec_"},
        {"secret": SECRET.removeprefix("whsec_")},
        {"secret": "whsec_c2hvcnQ="},
        {"secret": "whsec_%%%"},
        {"secret": "whsec_" + base64.b64encode(bytes(65)).decode()},
        {"tolerance": -1},
        {"tolerance": float("nan")},
    ],
)
def test_mistakes_of_the_program(changes: dict[str, Any]) -> None:
    with pytest.raises(ArgumentError):
        verify(**changes)
