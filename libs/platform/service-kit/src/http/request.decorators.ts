import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import { requestIdOf } from '../request-context';

/** A request that a guard has authenticated. */
export interface IdentifiedRequest extends Request {
  /** Id of the API key, the user or the conversation. Rate limits and idempotency keys are per caller. */
  callerId?: string;
  /** The DTO of the body, else of the query string, before validation; or a `MalformedInput`. */
  input?: object;
}

/** The X-Request-Id of the call, which is also in its events and log entries. */
export const RequestId = createParamDecorator((_: unknown, context: ExecutionContext): string =>
  requestIdOf(context.switchToHttp().getResponse<Response>()),
);
