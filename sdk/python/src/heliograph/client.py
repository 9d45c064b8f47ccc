"""The client."""

from __future__ import annotations

import time
from typing import Callable, Iterator, Mapping, Sequence, cast

from .groups import Groups
from .transport import UNSET, FileDownload, RequestOptions, Transport
from .types import WebhookEvent


class Heliograph(Groups):
    """A client with all calls of the API.

    ``api_key`` is an API key, or an access token of ``auth.login``. ``test_mode=True`` refuses live keys before a call, and
    ``False`` refuses test keys. ``workspace`` is the id of the workspace in which calls act.
    """

    def __init__(
        self,
        *,
        base_url: str,
        api_key: str | None = None,
        workspace: str | None = None,
        test_mode: bool | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
        max_retry_delay: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(
            Transport(
                base_url=base_url,
                api_key=api_key,
                workspace=workspace,
                test_mode=test_mode,
                timeout=timeout,
                max_retries=max_retries,
                max_retry_delay=max_retry_delay,
                headers=headers,
            )
        )

    def download(self, url: str, *, request_options: RequestOptions | None = None) -> FileDownload:
        """Downloads a file by the URL in a response. No key is sent to the URL."""
        return self._transport.download(url, request_options)

    def follow_events(
        self,
        *,
        after: str | None = None,
        types: Sequence[str] | None = None,
        poll_seconds: float = 1.0,
        on_cursor: Callable[[str], None] | None = None,
        request_options: RequestOptions | None = None,
    ) -> Iterator[WebhookEvent]:
        """Yields the events of the feed, and waits for further ones."""
        cursor = after
        while True:
            page = self._events_page(cursor, types, request_options)
            yield from page[0]
            cursor = page[1] or cursor
            if cursor is not None and on_cursor is not None:
                on_cursor(cursor)
            if not page[2]:
                time.sleep(poll_seconds)

    def _events_page(
        self, cursor: str | None, types: Sequence[str] | None, options: RequestOptions | None
    ) -> tuple[list[WebhookEvent], str | None, bool]:
        page = self.events.list(
            limit=100,
            after=UNSET if cursor is None else cursor,
            types=UNSET if types is None else ",".join(types),
            request_options=options,
        )
        return cast("list[WebhookEvent]", page.data), page.next_cursor, page.has_more
