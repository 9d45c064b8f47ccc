import type { ErrorCode } from './generated/error-codes';

/** The class of all errors of this package. */
export class HeliographError extends Error {
  override readonly name: string = 'HeliographError';
}

/** The connection failed, or was lost before the response was complete. A call with an idempotency key may be repeated. */
export class ConnectionError extends HeliographError {
  override readonly name: string = 'ConnectionError';
}

/** There was no complete response within the time limit. */
export class TimeoutError extends ConnectionError {
  override readonly name: string = 'TimeoutError';
}

/** The signature of a webhook delivery is missing or wrong, or the delivery is too old. */
export class WebhookVerificationError extends HeliographError {
  override readonly name: string = 'WebhookVerificationError';
}

export interface FieldProblem {
  field: string;
  message: string;
}

export interface ErrorDetails {
  status: number;
  code: string;
  message: string;
  fields: readonly FieldProblem[];
  requestId: string | null;
  link: string;
  retryAfterMs: number | null;
}

/** The API refused a call. */
export class ApiError extends HeliographError {
  override readonly name: string = 'ApiError';
  readonly status: number;
  /** Such as `INSUFFICIENT_CREDITS`. The code of a later version of the API may be one that this version does not list. */
  readonly code: ErrorCode | (string & {});
  /** The fields of the request that are invalid. */
  readonly fields: readonly FieldProblem[];
  /** Quote it to support. */
  readonly requestId: string | null;
  /** The entry of the code in the documentation. */
  readonly link: string;
  /** The time after which the server accepts the call, if it says so. */
  readonly retryAfterMs: number | null;

  constructor({ status, code, message, fields, requestId, link, retryAfterMs }: ErrorDetails) {
    super(`${message} (${code}, status ${status}${requestId === null ? '' : `, request ${requestId}`})`);
    this.status = status;
    this.code = code;
    this.fields = fields;
    this.requestId = requestId;
    this.link = link;
    this.retryAfterMs = retryAfterMs;
  }
}

/** 400, 413 and 422: the request is invalid. */
export class InvalidRequestError extends ApiError {
  override readonly name: string = 'InvalidRequestError';
}

/** 401: there is no valid key, token or session. */
export class AuthenticationError extends ApiError {
  override readonly name: string = 'AuthenticationError';
}

/** 402: the balance does not cover the call. */
export class InsufficientCreditsError extends ApiError {
  override readonly name: string = 'InsufficientCreditsError';
}

/** 403: the key or user may not do this. */
export class PermissionError extends ApiError {
  override readonly name: string = 'PermissionError';
}

/** 404: there is no such object in the organization. */
export class NotFoundError extends ApiError {
  override readonly name: string = 'NotFoundError';
}

/** 409: the state of an object does not allow the call. */
export class ConflictError extends ApiError {
  override readonly name: string = 'ConflictError';
}

/** 429: there were too many calls. */
export class RateLimitError extends ApiError {
  override readonly name: string = 'RateLimitError';
}

/** 500 and above: the call failed for a reason that is not in the request. */
export class ServerError extends ApiError {
  override readonly name: string = 'ServerError';
}

type ApiErrorClass = new (details: ErrorDetails) => ApiError;

function classOf(status: number): ApiErrorClass {
  switch (status) {
    case 400:
    case 413:
    case 422:
      return InvalidRequestError;
    case 401:
      return AuthenticationError;
    case 402:
      return InsufficientCreditsError;
    case 403:
      return PermissionError;
    case 404:
      return NotFoundError;
    case 409:
      return ConflictError;
    case 429:
      return RateLimitError;
    default:
      return status >= 500 ? ServerError : ApiError;
  }
}

/** The longest text of a response that is no error of the API, such as the page of a proxy. */
const MAX_EXCERPT = 200;

/** Makes the error of a response. Its body may be of any kind: a proxy answers with a page. */
export function errorOf(response: Response, text: string, baseUrl: string): ApiError {
  const { status, headers } = response;
  const body = parsedObject(text);
  // The account API has `{ok, error: {code, message}}`, the others have both fields at the top.
  const error = isObject(body['error']) ? body['error'] : body;
  const code = typeof error['code'] === 'string' ? error['code'] : `HTTP_${status}`;
  const message = typeof error['message'] === 'string' ? error['message'] : excerptOf(text, status);
  const fields = Array.isArray(body['fields']) ? (body['fields'] as FieldProblem[]) : [];
  const link =
    helpLinkOf(headers.get('Link'), baseUrl) ??
    `${baseUrl}/docs/guides/errors#${code.toLowerCase().replaceAll('_', '-')}`;
  const ErrorClass = classOf(status);
  return new ErrorClass({
    status,
    code,
    message,
    fields,
    requestId: headers.get('X-Request-Id'),
    link,
    retryAfterMs: retryAfterOf(headers),
  });
}

/** The time in a Retry-After header, in seconds or as a date. */
export function retryAfterOf(headers: Headers): number | null {
  const text = headers.get('Retry-After');
  if (text === null || text.trim() === '') return null;
  const seconds = Number(text);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - Date.now());
}

function helpLinkOf(header: string | null, baseUrl: string): string | null {
  const found = header === null ? null : /<([^>]+)>\s*;[^,]*rel="?help"?/i.exec(header);
  return found?.[1] === undefined ? null : new URL(found[1], `${baseUrl}/`).href;
}

function excerptOf(text: string, status: number): string {
  const plain = text
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const excerpt = plain.length > MAX_EXCERPT ? `${plain.slice(0, MAX_EXCERPT)}…` : plain;
  return `The response with status ${status} is not an error of the API${excerpt === '' ? '.' : `: ${excerpt}`}`;
}

function parsedObject(text: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text);
    return isObject(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
