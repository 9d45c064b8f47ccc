"""Tests of the signatures of webhooks."""

from __future__ import annotations

import base64
import json
import time
import unittest
from typing import Any

from heliograph import WebhookVerificationError, sign_webhook, verify_webhook

SECRET = "whsec_" + base64.b64encode(b"a" * 32).decode()
OTHER = "whsec_" + base64.b64encode(b"b" * 32).decode()
BODY = json.dumps({"id": "evt_1", "type": "sms.delivered", "data": {"message": "Zürich €"}}, ensure_ascii=False)


class WebhookTest(unittest.TestCase):
    def test_signs_as_the_reference_implementation(self) -> None:
        # Computed by the package `standardwebhooks`.
        headers = sign_webhook('{"a":1}', SECRET, event_id="evt_1", timestamp=1_700_000_000)
        self.assertEqual(headers["webhook-signature"], "v1,fFo/HNoku95IndaKAPpNXKrI3EDTz+0BvGxdfR9cWb8=")

    def test_accepts_a_signature_among_several_and_a_secret_among_several(self) -> None:
        headers = sign_webhook(BODY, SECRET, event_id="evt_1")
        other = sign_webhook(BODY, OTHER, event_id="evt_1")["webhook-signature"]
        both = {**headers, "webhook-signature": f"{other} v2,x {headers['webhook-signature']}"}
        upper = {name.upper(): value for name, value in headers.items()}
        for given, secret in ((headers, SECRET), (upper, [OTHER, SECRET]), (both, SECRET)):
            event = verify_webhook(BODY.encode(), given, secret)
            self.assertEqual(event["type"], "sms.delivered")

    def test_refuses_what_the_platform_did_not_sign(self) -> None:
        headers = sign_webhook(BODY, SECRET, event_id="evt_1")
        old = sign_webhook(BODY, SECRET, event_id="evt_1", timestamp=time.time() - 400)
        cases: list[tuple[Any, dict[str, str], str, str]] = [
            (BODY + " ", headers, SECRET, "No signature matches"),
            (BODY, headers, OTHER, "No signature matches"),
            (BODY, old, SECRET, "seconds old"),
            (BODY, {}, SECRET, "webhook-id is missing"),
            (BODY, headers, "msg_live_key", "starts with whsec_"),
            (BODY, {**headers, "webhook-timestamp": "now"}, SECRET, "not a number"),
            (BODY, {**headers, "webhook-signature": "v1,*"}, SECRET, "No signature"),
            (json.loads(BODY), headers, SECRET, "Pass the raw body"),
        ]
        for body, given, secret, message in cases:
            with self.assertRaisesRegex(WebhookVerificationError, message):
                verify_webhook(body, given, secret)


if __name__ == "__main__":
    unittest.main()
