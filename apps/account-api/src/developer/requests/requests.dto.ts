import type { Integer, Timestamp, Uuid } from '@heliograph/contracts';
import { timeOfId } from '@heliograph/database';
import { IsOptional } from 'class-validator';
import type { LoggedRequest } from '@heliograph/auth';
import { IsInstant, IsOneOf, rule, V1ListQuery, V1Request, v1Timestamp } from '@heliograph/service-kit';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const RESULTS = ['ok', 'error'] as const;
const MAX_TEXT = 500;

const IsFilter = (field: string): PropertyDecorator =>
  rule(
    'isFilter',
    `${field} must be a text of 1 to ${MAX_TEXT} characters without NUL.`,
    (value) => typeof value === 'string' && value.length >= 1 && value.length <= MAX_TEXT && !value.includes('\0'),
  );

@V1Request()
export class V1RequestsQuery extends V1ListQuery {
  /**
   * Returns the calls with this X-Request-Id. Every response has the header.
   * @example order-1001
   */
  @IsOptional()
  @IsFilter('request_id')
  request_id?: string;
  /** Returns the calls with this key. */
  @IsOptional()
  @IsFilter('key_id')
  key_id?: Uuid;
  /** Returns the calls that concern this workspace. */
  @IsOptional()
  @IsFilter('workspace_id')
  workspace_id?: Uuid;
  @IsOptional()
  @IsOneOf('method', METHODS)
  method?: (typeof METHODS)[number];
  /**
   * Returns the calls whose path begins with this text.
   * @example /api/v1/sms
   */
  @IsOptional()
  @IsFilter('path')
  path?: string;
  /** Returns the calls with this HTTP status. */
  @IsOptional()
  @rule('isStatus', 'status must be an HTTP status from 100 to 599.', (value) => /^[1-5]\d\d$/.test(String(value)))
  status?: Integer;
  /** `error` returns only calls with an error, `ok` only calls without one. */
  @IsOptional()
  @IsOneOf('result', RESULTS)
  result?: (typeof RESULTS)[number];
  /**
   * Returns the calls with this error code.
   * @example INVALID_REQUEST
   */
  @IsOptional()
  @IsFilter('error')
  error?: string;
  /** Returns calls that ended at or after this time. */
  @IsOptional()
  @IsInstant('from')
  from?: Timestamp;
  /** Returns calls that ended before this time. */
  @IsOptional()
  @IsInstant('until')
  until?: Timestamp;
}

/** A call of an API key. */
export class V1LoggedRequest {
  id: Uuid;
  /**
   * The X-Request-Id of the response.
   * @example order-1001
   */
  request_id: string;
  /** When the response ended, in UTC. */
  at: Timestamp;
  key_id: Uuid;
  /** The workspace of the key or of the path; `null` if there is none. */
  workspace_id: Uuid | null;
  /** @example sms-api */
  service: string;
  /** @example POST */
  method: string;
  /**
   * Without the query string, and with `…` for telephone numbers, email addresses and tokens.
   * @example /api/v1/sms/send
   */
  path: string;
  /**
   * HTTP status of the response.
   * @example 400
   */
  status: Integer;
  /**
   * The error code, which the list of errors explains. `CONNECTION_CLOSED`: the client closed the connection before the response
   * ended. `null` for a successful call.
   * @example INVALID_REQUEST
   */
  error: string | null;
  /**
   * From the first byte of the request to the last byte of the response.
   * @example 7
   */
  duration_ms: Integer;
  /**
   * The IP address of the client.
   * @example 203.0.113.7
   */
  ip_address: string | null;

  static of(request: LoggedRequest): V1LoggedRequest {
    return {
      id: request.id,
      request_id: request.requestId,
      at: v1Timestamp(timeOfId(request.id)),
      key_id: request.keyId,
      workspace_id: request.workspaceId,
      service: request.service,
      method: request.method,
      path: request.path,
      status: request.status,
      error: request.error,
      duration_ms: request.durationMs,
      ip_address: request.address,
    };
  }
}

export class V1LoggedRequestDetails extends V1LoggedRequest {
  /**
   * The body as JSON text of at most 4,000 characters, for calls with a test key and for calls with an error. Secrets, codes, telephone
   * numbers and email addresses are replaced by `…`. `null` for all other calls, and for a body that is not JSON.
   * @example "{\"to\":\"…3210\"}"
   */
  request_body: string | null;
  /**
   * The body of the response, like `request_body`.
   * @example "{\"code\":\"INVALID_REQUEST\",\"message\":\"Set message or template_id.\"}"
   */
  response_body: string | null;

  static override of(request: LoggedRequest): V1LoggedRequestDetails {
    return {
      ...V1LoggedRequest.of(request),
      request_body: request.requestBody,
      response_body: request.responseBody,
    };
  }
}

export class V1LoggedRequests {
  data: V1LoggedRequest[];
  /**
   * Cursor of the next page; absent on the last page. With filters, a page can have fewer calls than `limit`, also none, and still not
   * be the last one.
   */
  next_cursor?: string;
}
