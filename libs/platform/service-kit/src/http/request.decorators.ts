import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import type { Request, Response } from 'express';
import { requestIdOf } from '../observability/request-id';
import type { TraceSpan } from '../observability/tracing';
import { queryStringOf } from '../body/request-fields';

/** A request that a guard has authenticated. */
export interface IdentifiedRequest extends Request {
  /** Id of the API key, the user or the conversation. Rate limits and idempotency keys are per caller. */
  callerId?: string;
  /** The organization of the caller. Its calls share a lane. */
  organizationId?: string;
  /** The workspace of the caller's key or of the path, for the log. */
  workspaceId?: string;
  /** The API key of the caller, for the log. */
  keyId?: string;
  /** The span of the request while traces are recorded. */
  span?: TraceSpan;
  /** The DTO of the body, else of the query string, before validation; or a `MalformedInput`. */
  input?: object;
  /** The DTO of the query string, if the method has one; or a `MalformedInput`. */
  queryInput?: object;
}

/** The X-Request-Id of the call, which is also in its events and log entries. */
export const RequestId = createParamDecorator((_: unknown, context: ExecutionContext): string =>
  requestIdOf(context.switchToHttp().getResponse<Response>()),
);

/** The IP address of the client; null if the connection has ended. */
export const ClientAddress = createParamDecorator(
  (_: unknown, context: ExecutionContext): string | null => context.switchToHttp().getRequest<Request>().ip ?? null,
);

/** The request as a stream, for a service that reads a large body in pieces. */
export const BodyStream = createParamDecorator((_: unknown, context: ExecutionContext): IncomingMessage =>
  context.switchToHttp().getRequest<Request>(),
);

/** The query string as it was sent, for a method that refuses each malformed one with an error of its own. */
export const RawQuery = createParamDecorator((_: unknown, context: ExecutionContext): string =>
  queryStringOf(context.switchToHttp().getRequest<Request>()),
);
