"""Tests of the client against a server that records calls and answers as the test says."""

from __future__ import annotations

import io
import json
import threading
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable

from heliograph import (
    ConflictError,
    ConnectionFailedError,
    Heliograph,
    HeliographError,
    InsufficientCreditsError,
    InvalidRequestError,
    NotFoundError,
    RateLimitError,
    RequestTimeoutError,
    ServerError,
)

Answer = Callable[["Handler"], None]


class Handler(BaseHTTPRequestHandler):
    calls: list[dict[str, Any]] = []
    answers: list[Answer] = []
    protocol_version = "HTTP/1.1"

    def answer(self) -> None:
        if self.headers.get("Transfer-Encoding") == "chunked":
            body = b""
            while size := int(self.rfile.readline().strip() or b"0", 16):
                body += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
        else:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        headers = {name.lower(): value for name, value in self.headers.items()}
        Handler.calls.append({"method": self.command, "url": self.path, "headers": headers, "body": body.decode()})
        (Handler.answers.pop(0) if len(Handler.answers) > 1 else Handler.answers[0])(self)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = answer

    def log_message(self, format: str, *args: Any) -> None:
        pass


def answer(status: int, body: Any, headers: dict[str, str] | None = None) -> Answer:
    def write(handler: Handler) -> None:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        handler.send_response(status)
        handler.send_header("X-Request-Id", "request-1")
        handler.send_header("Content-Length", str(len(content)))
        for name, value in (headers or {}).items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(content)

    return write


def cut(handler: Handler) -> None:
    handler.close_connection = True
    handler.connection.close()


def problem(status: int, code: str, headers: dict[str, str] | None = None) -> Answer:
    return answer(status, {"code": code, "message": "Do this."}, headers)


NOW = {"Retry-After": "0"}


class ClientTest(unittest.TestCase):
    server: ThreadingHTTPServer
    base_url: str

    @classmethod
    def setUpClass(cls) -> None:
        cls.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        cls.base_url = f"http://127.0.0.1:{cls.server.server_port}"
        threading.Thread(target=cls.server.serve_forever, args=(0.01,), daemon=True).start()

    @classmethod
    def tearDownClass(cls) -> None:
        cls.server.shutdown()
        cls.server.server_close()

    def answers(self, *answers: Answer) -> None:
        Handler.calls = []
        Handler.answers = list(answers)

    def client(self, **options: Any) -> Heliograph:
        return Heliograph(**{"api_key": "msg_test_key", "base_url": self.base_url, **options})

    def urls(self) -> list[str]:
        return [call["url"] for call in Handler.calls]

    def test_sends_the_key_the_body_and_a_new_idempotency_key(self) -> None:
        self.answers(answer(202, {"id": "m1", "status": "queued"}))
        sent = self.client().sms.messages.send(to="+14155550100", message="Hello")
        self.client().sms.messages.send(to="+14155550100", message="Hello", reference=None)
        self.assertEqual(sent["status"], "queued")
        first, second = Handler.calls
        self.assertEqual(json.loads(first["body"]), {"to": "+14155550100", "message": "Hello"})
        self.assertEqual(json.loads(second["body"])["reference"], None)
        self.assertEqual(first["headers"]["authorization"], "Bearer msg_test_key")
        self.assertRegex(first["headers"]["user-agent"], "^heliograph-python/")
        self.assertNotEqual(first["headers"]["idempotency-key"], second["headers"]["idempotency-key"])

    def test_sends_fields_under_their_names_in_the_api(self) -> None:
        self.answers(answer(200, {"data": []}))
        self.client().contacts.list(consent_sms="opted_in", search="a&b")
        self.client().analytics.sms(from_="2026-01-01T00:00:00Z")
        self.client().sms.messages.get("a/b")
        self.assertEqual(
            self.urls(),
            [
                "/api/v1/contacts?search=a%26b&consent%5Bsms%5D=opted_in",
                "/api/v1/analytics/sms?from=2026-01-01T00%3A00%3A00Z",
                "/api/v1/sms/delivery/a%2Fb",
            ],
        )
        with self.assertRaisesRegex(HeliographError, "contacts.erase needs contactId"):
            self.client().contacts.erase("")

    def test_acts_in_the_workspace(self) -> None:
        self.answers(answer(200, {"ok": True, "data": {"bot": {"id": "bot_1"}}}))
        client = self.client(workspace="w1")
        self.assertEqual(client.bots.get("bot_1"), {"id": "bot_1"})
        client.sms.messages.send(to="1", message="a", request_options={"workspace": "w2"})
        self.assertEqual(self.urls()[0], "/api/workspaces/w1/bots/bot_1")
        self.assertEqual(json.loads(Handler.calls[1]["body"])["workspace_id"], "w2")
        several = {"ok": True, "data": {"workspaces": [{"id": "w1"}, {"id": "w2"}]}}
        self.answers(answer(200, several))
        with self.assertRaisesRegex(HeliographError, "Set the option workspace"):
            self.client().bots.get("bot_1")

    def test_repeats_a_send_with_the_same_key(self) -> None:
        self.answers(cut, problem(503, "SERVICE_UNAVAILABLE", NOW), answer(202, {"id": "m1"}))
        self.client().sms.messages.send(to="1", message="a")
        self.assertEqual(len(Handler.calls), 3)
        self.assertEqual(len({call["headers"]["idempotency-key"] for call in Handler.calls}), 1)

    def test_repeats_a_call_without_a_key_only_if_it_was_not_made(self) -> None:
        self.answers(problem(429, "RATE_LIMITED", NOW), cut)
        with self.assertRaises(ConnectionFailedError):
            self.client().sms.messages.cancel("m1")
        self.assertEqual(self.urls(), ["/sms/cancel?id=m1", "/sms/cancel?id=m1"])

    def test_ends_after_the_retries_and_at_once_if_the_delay_is_too_long(self) -> None:
        self.answers(problem(500, "INTERNAL_ERROR", NOW))
        with self.assertRaises(ServerError):
            self.client(max_retries=1).me()
        self.assertEqual(len(Handler.calls), 2)
        self.answers(problem(429, "RATE_LIMITED", {"Retry-After": "3600"}))
        with self.assertRaises(RateLimitError) as raised:
            self.client().me()
        self.assertEqual((raised.exception.retry_after, len(Handler.calls)), (3600, 1))
        self.answers(problem(409, "IDEMPOTENCY_IN_PROGRESS", NOW), problem(409, "IDEMPOTENCY_KEY_REUSED"))
        with self.assertRaises(ConflictError):
            self.client().sms.messages.send(to="1", message="a")

    def test_reports_a_time_out(self) -> None:
        done = threading.Event()
        self.answers(lambda _: done.wait(5) and None)
        with self.assertRaises(RequestTimeoutError):
            self.client().me(request_options={"timeout": 0.05, "max_retries": 0})
        done.set()

    def test_errors_have_code_request_id_fields_and_link(self) -> None:
        fields = [{"field": "to", "message": "to is not a phone number."}]
        self.answers(answer(400, {"code": "INVALID_REQUEST", "message": "Wrong.", "fields": fields}))
        with self.assertRaises(InvalidRequestError) as raised:
            self.client().sms.messages.quote(to="x")
        error = raised.exception
        self.assertEqual((error.status, error.code, error.request_id, error.fields), (400, "INVALID_REQUEST", "request-1", fields))
        self.assertEqual(error.link, f"{self.base_url}/docs/guides/errors#invalid-request")
        self.answers(problem(402, "INSUFFICIENT_CREDITS", {"Link": '</help#x>; rel="help"'}))
        with self.assertRaises(InsufficientCreditsError) as other:
            self.client().me()
        self.assertEqual(other.exception.link, f"{self.base_url}/help#x")
        self.answers(answer(404, {"ok": False, "error": {"code": "NOT_FOUND", "message": "Nothing."}}))
        with self.assertRaisesRegex(NotFoundError, "Nothing. .NOT_FOUND, status 404"):
            self.client().workspaces.get("x")
        self.answers(answer(502, b"<h1>Bad gateway</h1>", NOW))
        with self.assertRaisesRegex(ServerError, "Bad gateway"):
            self.client().me()

    def test_reads_pages_and_all_entries(self) -> None:
        def pages() -> tuple[Answer, Answer]:
            return answer(200, {"data": [{"id": "1"}, {"id": "2"}], "next_cursor": "c"}), answer(200, {"data": [{"id": "3"}]})

        self.answers(*pages())
        self.assertEqual([one["id"] for one in self.client().sms.messages.list(limit=2)], ["1", "2", "3"])
        self.assertEqual(self.urls()[1], "/api/v1/sms/messages?limit=2&cursor=c")
        self.answers(*pages())
        page = self.client().sms.messages.list()
        following = page.next()
        assert following is not None
        self.assertEqual((len(page.data), len(following.data), following.next()), (2, 1, None))

    def test_follows_events(self) -> None:
        def feed(ids: list[str], cursor: str, more: bool) -> Answer:
            return answer(200, {"data": [{"id": one} for one in ids], "next_cursor": cursor, "has_more": more})

        self.answers(feed(["1"], "c1", True), feed([], "c2", False), feed(["2"], "c3", False))
        seen: list[str] = []
        cursors: list[str] = []
        for event in self.client().follow_events(types=["sms.*"], poll_seconds=0, on_cursor=cursors.append):
            seen.append(event["id"])
            if len(seen) == 2:
                break
        self.assertEqual((seen, cursors), (["1", "2"], ["c1", "c2"]))
        self.assertIn("after=c2", self.urls()[2])

    def test_uploads_and_downloads_files(self) -> None:
        self.answers(answer(202, {"id": "i1"}))
        self.client().contacts.imports.create(file=("a.csv", b"email\n", "text/csv"), options={"group_ids": ["g1"]})  # type: ignore[typeddict-item]
        self.client().contacts.imports.create(file=io.BytesIO(b"email\nbob\n"))
        self.assertIn('filename="a.csv"\r\nContent-Type: text/csv\r\n\r\nemail\n', Handler.calls[0]["body"])
        self.assertIn('name="options"\r\n\r\n{"group_ids": ["g1"]}', Handler.calls[0]["body"])
        self.assertIn("\r\n\r\nemail\nbob\n\r\n--", Handler.calls[1]["body"])
        self.answers(answer(200, b"a,b\n", {"Content-Type": "text/csv", "Content-Disposition": 'attachment; filename="a.csv"'}))
        file = self.client(workspace="w1").inbox.submissions.export()
        self.assertEqual((file.type, file.name, file.size, file.read()), ("text/csv", "a.csv", 4, b"a,b\n"))
        self.assertEqual(b"".join(self.client().download("/report?signature=s")), b"a,b\n")
        self.assertNotIn("authorization", Handler.calls[1]["headers"])

    def test_reads_server_sent_events(self) -> None:
        stream = b': ping\n\nevent: message\nid: 1\ndata: {"a":1}\n\ndata: {"b":2}\n\n'
        self.answers(answer(200, stream, {"Content-Type": "text/event-stream"}))
        with self.assertRaisesRegex(HeliographError, "conversation_token"):
            self.client().chat.conversations.get("c")
        events = list(self.client().chat.conversations.events("c", request_options={"conversation_token": "t"}))
        self.assertEqual([(one.event, one.id, one.data) for one in events], [("message", "1", {"a": 1}), ("message", None, {"b": 2})])
        self.assertEqual(Handler.calls[0]["headers"]["authorization"], "Bearer t")

    def test_follows_no_redirect(self) -> None:
        self.answers(answer(302, b"", {"Location": f"{self.base_url}/other"}))
        with self.assertRaisesRegex(HeliographError, "status 302"):
            self.client().me()
        self.assertEqual(len(Handler.calls), 1)

    def test_refuses_a_key_of_the_other_mode(self) -> None:
        with self.assertRaisesRegex(HeliographError, "is a live key"):
            self.client(api_key="msg_live_key", test_mode=True)
        with self.assertRaisesRegex(HeliographError, "is a test key"):
            self.client(api_key="msg_test_key", test_mode=False)
        with self.assertRaisesRegex(HeliographError, "https://"):
            self.client(base_url="messages.example.com")


if __name__ == "__main__":
    unittest.main()
