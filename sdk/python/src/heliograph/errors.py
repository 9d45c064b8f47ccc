"""The errors of this package."""

from __future__ import annotations


class HeliographError(Exception):
    """The class of all errors of this package."""


class ConnectionFailedError(HeliographError):
    """The connection failed, or was lost before the response was complete."""


class RequestTimeoutError(ConnectionFailedError):
    """There was no complete response within the time limit."""


class WebhookVerificationError(HeliographError):
    """The signature of a webhook delivery is missing or wrong, or the delivery is too old."""


class ApiError(HeliographError):
    """The API refused a call."""

    def __init__(
        self,
        *,
        status: int,
        code: str,
        message: str,
        fields: list[dict[str, str]],
        request_id: str | None,
        link: str,
        retry_after: float | None,
    ) -> None:
        request = "" if request_id is None else f", request {request_id}"
        super().__init__(f"{message} ({code}, status {status}{request})")
        self.status = status
        #: Such as ``INSUFFICIENT_CREDITS``.
        self.code = code
        #: The fields of the request that are invalid.
        self.fields = fields
        #: Quote it to support.
        self.request_id = request_id
        #: The entry of the code in the documentation.
        self.link = link
        #: The seconds after which the server accepts the call, if it says so.
        self.retry_after = retry_after


class InvalidRequestError(ApiError):
    """400, 413 and 422: the request is invalid."""


class AuthenticationError(ApiError):
    """401: there is no valid key, token or session."""


class InsufficientCreditsError(ApiError):
    """402: the balance does not cover the call."""


class PermissionDeniedError(ApiError):
    """403: the key or user may not do this."""


class NotFoundError(ApiError):
    """404: there is no such object in the organization."""


class ConflictError(ApiError):
    """409: the state of an object does not allow the call."""


class RateLimitError(ApiError):
    """429: there were too many calls."""


class ServerError(ApiError):
    """500 and above: the call failed for a reason that is not in the request."""


_CLASSES: dict[int, type[ApiError]] = {
    400: InvalidRequestError,
    401: AuthenticationError,
    402: InsufficientCreditsError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    413: InvalidRequestError,
    422: InvalidRequestError,
    429: RateLimitError,
}


def class_of(status: int) -> type[ApiError]:
    return _CLASSES.get(status, ServerError if status >= 500 else ApiError)
