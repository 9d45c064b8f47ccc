"""Makes the calls of all groups: credentials, idempotency keys, retries, pages, files and errors."""

from __future__ import annotations

import json
import random
import re
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from http.client import HTTPException, HTTPResponse
from typing import Any, BinaryIO, Callable, Generic, Iterator, Mapping, Sequence, TypedDict, TypeVar, Union

from .errors import ApiError, ConnectionFailedError, HeliographError, RequestTimeoutError, class_of
from .version import VERSION

Entry = TypeVar("Entry")

_TIMEOUT = 60.0
_MAX_RETRIES = 2
_MAX_RETRY_DELAY = 60.0
_FIRST_DELAY = 0.5
_LONGEST_DELAY = 8.0
_MAX_EXCERPT = 200
_CHUNK = 64 * 1024


class Unset:
    """The type of arguments that were not given. ``None`` is sent as ``null``."""

    def __repr__(self) -> str:
        return "UNSET"

    def __bool__(self) -> bool:
        return False


UNSET = Unset()

#: A file in a request: bytes, a text, a binary file object, or a tuple of name, content and media type.
FileInput = Union[bytes, str, BinaryIO, tuple[str, Union[bytes, str, BinaryIO], str]]


class RequestOptions(TypedDict, total=False):
    """Options of one call."""

    #: Default: a random key for each call that sends, buys or creates.
    idempotency_key: str
    #: Id of the workspace, instead of that of the client.
    workspace: str
    #: Token of a conversation between a visitor and a bot, instead of the API key.
    conversation_token: str
    #: Seconds per attempt.
    timeout: float
    max_retries: int
    headers: Mapping[str, str]


@dataclass(frozen=True)
class Paging:
    items: str
    cursor_parameter: str
    cursor_field: str
    has_more_field: str | None


@dataclass(frozen=True)
class Call:
    """What the client knows of an operation."""

    name: str
    method: str
    path: str
    positions: tuple[str, ...] = ()
    workspace: str | None = None
    query: tuple[str, ...] = ()
    body: str | None = None
    is_idempotent: bool = False
    auth: str = "key"
    result: str = "json"
    envelope: tuple[str, ...] = ()
    paging: Paging | None = None


@dataclass(frozen=True)
class ServerEvent:
    """An event of a stream of server-sent events."""

    event: str
    data: Any
    id: str | None


class Page(Generic[Entry]):
    """One page of a list. Iterating over it reads the entries of this page and of all that follow."""

    def __init__(
        self,
        data: list[Entry],
        next_cursor: str | None,
        has_more: bool,
        read_next: Callable[[str], Page[Entry]],
    ) -> None:
        self.data = data
        self.next_cursor = next_cursor
        self.has_more = has_more
        self._read_next = read_next

    def next(self) -> Page[Entry] | None:
        """The next page, or None on the last one."""
        if not self.has_more or self.next_cursor is None:
            return None
        return self._read_next(self.next_cursor)

    def __iter__(self) -> Iterator[Entry]:
        page: Page[Entry] | None = self
        while page is not None:
            yield from page.data
            page = page.next()


class FileDownload:
    """A file in a response. Use it in a ``with`` statement, or read it to its end."""

    def __init__(self, response: HTTPResponse) -> None:
        self._response = response

    @property
    def type(self) -> str:
        return self._response.headers.get("Content-Type", "application/octet-stream")

    @property
    def name(self) -> str | None:
        """The file name that the server suggests."""
        return self._response.headers.get_filename()

    @property
    def size(self) -> int | None:
        text = self._response.headers.get("Content-Length")
        return None if text is None else int(text)

    def read(self) -> bytes:
        with self._response:
            return self._response.read()

    def __iter__(self) -> Iterator[bytes]:
        """Chunks of the file."""
        with self._response:
            while chunk := self._response.read(_CHUNK):
                yield chunk

    def close(self) -> None:
        self._response.close()

    def __enter__(self) -> FileDownload:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """The API does not redirect. A redirect to another host would get the key."""

    def redirect_request(self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str) -> None:
        return None


@dataclass
class _Request:
    method: str
    url: str
    headers: dict[str, str]
    body: bytes | Iterator[bytes] | None
    #: Whether two calls have the same effect as one.
    is_safe: bool


class Transport:
    def __init__(
        self,
        *,
        base_url: str,
        api_key: str | None,
        workspace: str | None,
        test_mode: bool | None,
        timeout: float | None,
        max_retries: int | None,
        max_retry_delay: float | None,
        headers: Mapping[str, str] | None,
    ) -> None:
        _check_options(base_url, api_key, test_mode)
        self._base_url = base_url.rstrip("/")
        self._api_key = api_key
        self._workspace = workspace
        self._test_mode = test_mode
        self._timeout = _TIMEOUT if timeout is None else timeout
        self._max_retries = _MAX_RETRIES if max_retries is None else max_retries
        self._max_retry_delay = _MAX_RETRY_DELAY if max_retry_delay is None else max_retry_delay
        self._headers = dict(headers or {})
        self._only_workspace: str | None = None
        self._opener = urllib.request.build_opener(_NoRedirect)

    def call(
        self,
        call: Call,
        positions: Sequence[str],
        fields: Mapping[str, Any],
        options: RequestOptions | None,
    ) -> Any:
        options = options or {}
        response = self._send(self._prepare(call, positions, fields, options), options)
        if call.result == "file":
            return FileDownload(response)
        with response:
            text = response.read()
        if call.result == "none" or text == b"":
            return None
        result = json.loads(text)
        for name in call.envelope:
            result = result[name]
        return result

    def list(
        self,
        call: Call,
        positions: Sequence[str],
        fields: Mapping[str, Any],
        options: RequestOptions | None,
    ) -> Page[Any]:
        paging = call.paging
        if paging is None:
            raise HeliographError(f"{call.name} is not a list.")
        body = self.call(call, positions, fields, options)
        cursor = body.get(paging.cursor_field)
        more = cursor is not None if paging.has_more_field is None else body[paging.has_more_field]

        def read_next(after: str) -> Page[Any]:
            return self.list(call, positions, {**fields, paging.cursor_parameter: after}, options)

        return Page(body[paging.items], cursor, more, read_next)

    def events(
        self,
        call: Call,
        positions: Sequence[str],
        fields: Mapping[str, Any],
        options: RequestOptions | None,
    ) -> Iterator[ServerEvent]:
        options = options or {}
        with self._send(self._prepare(call, positions, fields, options), options) as response:
            lines: list[str] = []
            for raw in response:
                line = raw.decode().rstrip("\r\n")
                if line:
                    lines.append(line)
                    continue
                event = _event_of(lines)
                lines = []
                if event is not None:
                    yield event

    def download(self, url: str, options: RequestOptions | None = None) -> FileDownload:
        full = urllib.parse.urljoin(f"{self._base_url}/", url)
        return FileDownload(self._send(_Request("GET", full, self._agent(), None, True), options or {}))

    def _prepare(
        self,
        call: Call,
        positions: Sequence[str],
        given: Mapping[str, Any],
        options: RequestOptions,
    ) -> _Request:
        fields = {name: value for name, value in given.items() if not isinstance(value, Unset)}
        workspace = options.get("workspace", self._workspace)
        if call.workspace in ("body", "query") and workspace is not None:
            fields.setdefault("workspace_id", workspace)
        query: list[tuple[str, str]] = []
        path = call.path
        for name, value in zip(call.positions, positions):
            if not isinstance(value, str) or value == "":
                raise HeliographError(f"{call.name} needs {name}, a text that is not empty.")
            if f"{{{name}}}" in path:
                path = path.replace(f"{{{name}}}", urllib.parse.quote(value, safe=""))
            else:
                query.append((name, value))
        if call.workspace == "path":
            path = path.replace("{id}", urllib.parse.quote(workspace or self._read_only_workspace(), safe=""))
        query += [(name, _text_of(fields[name])) for name in call.query if fields.get(name) is not None]
        headers = {
            "Accept": "text/event-stream" if call.result == "events" else "application/json, */*;q=0.5",
            **self._agent(),
            **self._credentials(call, options),
            **({"Idempotency-Key": options.get("idempotency_key") or str(uuid.uuid4())} if call.is_idempotent else {}),
            **self._headers,
            **options.get("headers", {}),
        }
        content = {name: value for name, value in fields.items() if name not in call.query}
        body: bytes | Iterator[bytes] | None = None
        if call.body == "json":
            body = json.dumps(content).encode()
            headers["Content-Type"] = "application/json"
        elif call.body == "form":
            body, headers["Content-Type"] = _form_of(content)
        text = urllib.parse.urlencode(query)
        url = f"{self._base_url}{path}{'?' if text else ''}{text}"
        is_safe = call.is_idempotent or call.method in ("GET", "PUT", "DELETE")
        return _Request(call.method, url, headers, body, is_safe)

    def _agent(self) -> dict[str, str]:
        return {"User-Agent": f"heliograph-python/{VERSION}"}

    def _credentials(self, call: Call, options: RequestOptions) -> dict[str, str]:
        if call.auth == "none":
            return {}
        if call.auth == "conversation":
            token = options.get("conversation_token")
            if token is None:
                raise HeliographError(
                    "Set conversation_token in request_options to the token in the response of chat.conversations.start."
                )
            return {"Authorization": f"Bearer {token}"}
        key = self._api_key
        chooses_mode = self._test_mode is True and (key is None or mode_of_key(key) is None)
        return {
            **({} if key is None else {"Authorization": f"Bearer {key}"}),
            **({"Heliograph-Mode": "test"} if chooses_mode else {}),
        }

    def _read_only_workspace(self) -> str:
        if self._only_workspace is None:
            call = Call("workspaces.list", "GET", "/api/workspaces", query=("limit",), envelope=("data", "workspaces"))
            workspaces = self.call(call, [], {"limit": 2}, None)
            if len(workspaces) != 1:
                raise HeliographError(
                    "This call needs a workspace, and the organization has several or none. "
                    "Set the option workspace of the client or of the call to its id."
                )
            self._only_workspace = str(workspaces[0]["id"])
        return self._only_workspace

    def _send(self, request: _Request, options: RequestOptions) -> HTTPResponse:
        max_retries = options.get("max_retries", self._max_retries)
        attempt = 0
        while True:
            try:
                return self._attempt(request, options)
            except (ApiError, ConnectionFailedError) as error:
                delay = self._delay_before(attempt, error)
                is_repeatable = request.body is None or isinstance(request.body, bytes)
                if attempt >= max_retries or not is_repeatable or not _may_repeat(error, request) or delay is None:
                    raise
                time.sleep(delay)
                attempt += 1

    def _attempt(self, request: _Request, options: RequestOptions) -> HTTPResponse:
        prepared = urllib.request.Request(
            request.url, method=request.method, headers=request.headers, data=request.body  # type: ignore[arg-type]
        )
        timeout = options.get("timeout", self._timeout)
        try:
            return self._opener.open(prepared, timeout=timeout)
        except urllib.error.HTTPError as error:
            with error:
                raise self._error_of(error) from None
        except TimeoutError as error:
            raise RequestTimeoutError(f"There was no response within {timeout} seconds.") from error
        except urllib.error.URLError as error:
            if isinstance(error.reason, TimeoutError):
                raise RequestTimeoutError(f"There was no response within {timeout} seconds.") from error
            raise ConnectionFailedError(f"The call to {self._base_url} failed: {error.reason}") from error
        except (OSError, HTTPException) as error:
            raise ConnectionFailedError(f"The call to {self._base_url} failed: {error}") from error

    def _error_of(self, response: urllib.error.HTTPError) -> ApiError:
        text = response.read().decode(errors="replace")
        try:
            parsed = json.loads(text)
        except ValueError:
            parsed = None
        body: dict[str, Any] = parsed if isinstance(parsed, dict) else {}
        inner = body.get("error")
        error: dict[str, Any] = inner if isinstance(inner, dict) else body
        code = str(error.get("code") or f"HTTP_{response.code}")
        plain = re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", text)).strip()[:_MAX_EXCERPT]
        message = error.get("message") or f"The response with status {response.code} is not an error of the API: {plain}"
        found = re.search(r"<([^>]+)>\s*;[^,]*rel=\"?help\"?", response.headers.get("Link") or "", re.IGNORECASE)
        link = found[1] if found else f"/docs/guides/errors#{code.lower().replace('_', '-')}"
        return class_of(response.code)(
            status=response.code,
            code=code,
            message=str(message),
            fields=body.get("fields") or [],
            request_id=response.headers.get("X-Request-Id"),
            link=urllib.parse.urljoin(f"{self._base_url}/", link),
            retry_after=_retry_after(response.headers.get("Retry-After")),
        )

    def _delay_before(self, attempt: int, error: HeliographError) -> float | None:
        """None if the server asks to wait for too long."""
        asked = error.retry_after if isinstance(error, ApiError) else None
        if asked is not None:
            return None if asked > self._max_retry_delay else asked
        return min(_FIRST_DELAY * 2**attempt, _LONGEST_DELAY) * (0.5 + random.random() / 2)


def _may_repeat(error: HeliographError, request: _Request) -> bool:
    # A call without a response may have had its effect.
    if not isinstance(error, ApiError):
        return request.is_safe
    # The call was not made, or the first call with the key is still running.
    if error.status == 429 or error.code == "IDEMPOTENCY_IN_PROGRESS":
        return True
    return request.is_safe and error.status in (500, 502, 503, 504)


def mode_of_key(api_key: str) -> str | None:
    """``live`` or ``test``; None for other credentials, such as access tokens."""
    found = re.match(r"[a-z0-9]+_(live|test)_", api_key, re.IGNORECASE)
    return found[1].lower() if found else None


def _check_options(base_url: str, api_key: str | None, test_mode: bool | None) -> None:
    if not re.match(r"https?://", base_url, re.IGNORECASE):
        raise HeliographError(f"base_url must start with https://, such as https://messages.example.com. It is {base_url}.")
    if api_key is None:
        return
    if not re.fullmatch(r"[\x21-\x7e]+", api_key):
        raise HeliographError("api_key is empty or contains spaces or other characters that no key has. Copy the key again.")
    mode = mode_of_key(api_key)
    if test_mode is True and mode == "live":
        raise HeliographError("test_mode is True, but the API key is a live key. Use a test key: its name contains _test_.")
    if test_mode is False and mode == "test":
        raise HeliographError("test_mode is False, but the API key is a test key. Use a live key: its name contains _live_.")


def _retry_after(text: str | None) -> float | None:
    if not text:
        return None
    try:
        return max(0.0, float(text))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except ValueError:
        return None


def _text_of(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return ",".join(_text_of(one) for one in value)
    return json.dumps(value) if isinstance(value, dict) else str(value)


def _form_of(fields: Mapping[str, Any]) -> tuple[bytes | Iterator[bytes], str]:
    """Encodes a form. With a file object it is encoded while it is sent."""
    boundary = f"heliograph-{uuid.uuid4()}"
    parts = _parts(fields, boundary)
    has_stream = any(hasattr(_content_of(value), "read") for value in fields.values())
    return (parts if has_stream else b"".join(parts)), f"multipart/form-data; boundary={boundary}"


def _content_of(value: Any) -> Any:
    return value[1] if isinstance(value, tuple) else value


def _parts(fields: Mapping[str, Any], boundary: str) -> Iterator[bytes]:
    for name, value in fields.items():
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"'
        content = _content_of(value)
        is_file = name == "file" or isinstance(value, tuple) or isinstance(content, bytes) or hasattr(content, "read")
        if is_file:
            file_name, media_type = (value[0], value[2]) if isinstance(value, tuple) else (name, "application/octet-stream")
            safe = file_name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
            yield f'{head}; filename="{safe}"\r\nContent-Type: {media_type}\r\n\r\n'.encode()
            if isinstance(content, (bytes, str)):
                yield content.encode() if isinstance(content, str) else content
            else:
                while chunk := content.read(_CHUNK):
                    yield chunk
        else:
            yield f"{head}\r\n\r\n{content if isinstance(content, str) else json.dumps(content)}".encode()
        yield b"\r\n"
    yield f"--{boundary}--\r\n".encode()


def _event_of(lines: Sequence[str]) -> ServerEvent | None:
    fields: dict[str, str] = {}
    for line in lines:
        name, _, value = line.partition(":")
        if name:
            value = value[1:] if value.startswith(" ") else value
            fields[name] = f"{fields[name]}\n{value}" if name in fields else value
    if "data" not in fields:
        return None
    return ServerEvent(fields.get("event", "message"), json.loads(fields["data"]), fields.get("id"))
