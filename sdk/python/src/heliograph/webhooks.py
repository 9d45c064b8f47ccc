"""Verifies the signatures of webhook deliveries."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from typing import Mapping, Sequence, cast

from .errors import WebhookVerificationError
from .types import WebhookEvent

_PREFIX = "whsec_"


def verify_webhook(
    body: bytes | str,
    headers: Mapping[str, str],
    secret: str | Sequence[str],
    *,
    tolerance_seconds: float = 300,
) -> WebhookEvent:
    """Verifies a delivery and returns its event.

    ``body`` is the raw body as it was received, ``secret`` that of the webhook, or several while it is rotated. Raises
    ``WebhookVerificationError`` with the likely cause.
    """
    if not isinstance(body, (bytes, str)):
        raise WebhookVerificationError("Pass the raw body, bytes or a text. A body that was parsed has another signature.")
    raw = body.encode() if isinstance(body, str) else body
    lower = {name.lower(): value for name, value in headers.items()}
    event_id = _header(lower, "webhook-id")
    timestamp = _header(lower, "webhook-timestamp")
    signatures = _header(lower, "webhook-signature")
    if not timestamp.isdecimal():
        raise WebhookVerificationError("The header webhook-timestamp is not a number of seconds.")
    age = time.time() - int(timestamp)
    if abs(age) > tolerance_seconds:
        when = "old" if age > 0 else "in the future"
        raise WebhookVerificationError(
            f"The delivery is {abs(round(age))} seconds {when}, more than the tolerance of {tolerance_seconds}. "
            "If it was sent now, correct the clock of this machine."
        )
    signed = f"{event_id}.{timestamp}.".encode() + raw
    for one in [secret] if isinstance(secret, str) else secret:
        expected = hmac.new(_key_of(one), signed, hashlib.sha256).digest()
        for signature in signatures.split(" "):
            version, _, text = signature.partition(",")
            if version == "v1" and hmac.compare_digest(_bytes_of(text), expected):
                return cast(WebhookEvent, json.loads(raw))
    raise WebhookVerificationError(
        "No signature matches. Check that the secret is that of this webhook, and that the body is passed exactly as it was received."
    )


def sign_webhook(body: str, secret: str, *, event_id: str, timestamp: float | None = None) -> dict[str, str]:
    """Signs a delivery as the platform does, for tests of a receiver. Returns the headers."""
    seconds = str(int(time.time() if timestamp is None else timestamp))
    digest = hmac.new(_key_of(secret), f"{event_id}.{seconds}.{body}".encode(), hashlib.sha256).digest()
    signature = f"v1,{base64.b64encode(digest).decode()}"
    return {
        "Content-Type": "application/json",
        "webhook-id": event_id,
        "webhook-timestamp": seconds,
        "webhook-signature": signature,
        "X-Service-Signature": signature,
    }


def _key_of(secret: str) -> bytes:
    key = _bytes_of(secret[len(_PREFIX) :]) if secret.startswith(_PREFIX) else b""
    if key == b"":
        raise WebhookVerificationError(
            "The secret is not the secret of a webhook: it starts with whsec_ and is shown when the webhook is created."
        )
    return key


def _bytes_of(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except binascii.Error:
        return b""


def _header(headers: Mapping[str, str], name: str) -> str:
    value = headers.get(name)
    if not value:
        raise WebhookVerificationError(f"The header {name} is missing. Only deliveries of the platform have it.")
    return value
