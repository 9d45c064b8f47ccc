"""Client of the Heliograph messaging APIs."""

from . import types
from .client import Heliograph
from .errors import (
    ApiError,
    AuthenticationError,
    ConflictError,
    ConnectionFailedError,
    HeliographError,
    InsufficientCreditsError,
    InvalidRequestError,
    NotFoundError,
    PermissionDeniedError,
    RateLimitError,
    RequestTimeoutError,
    ServerError,
    WebhookVerificationError,
)
from .transport import UNSET, FileDownload, FileInput, Page, RequestOptions, ServerEvent, mode_of_key
from .version import VERSION
from .webhooks import sign_webhook, verify_webhook

__all__ = [
    "ApiError",
    "AuthenticationError",
    "ConflictError",
    "ConnectionFailedError",
    "FileDownload",
    "FileInput",
    "Heliograph",
    "HeliographError",
    "InsufficientCreditsError",
    "InvalidRequestError",
    "NotFoundError",
    "Page",
    "PermissionDeniedError",
    "RateLimitError",
    "RequestOptions",
    "RequestTimeoutError",
    "ServerError",
    "ServerEvent",
    "UNSET",
    "VERSION",
    "WebhookVerificationError",
    "mode_of_key",
    "sign_webhook",
    "types",
    "verify_webhook",
]
