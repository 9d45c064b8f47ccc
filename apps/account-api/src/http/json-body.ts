import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiBody, ApiHeader } from '@nestjs/swagger';
import { AppError } from '@heliograph/errors';
import { readBody } from '@heliograph/service-kit';
import type { Response } from 'express';
import type { AccessRequest } from '../access/caller';
import { ApiErrors } from './envelope';
import { validateRequest } from './validation';

const MAX_BODY_BYTES = 1_000_000;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The JSON body, read after the guards and validated against its class. Throws INVALID_REQUEST, VALIDATION_ERROR. */
export const JsonBody = createParamDecorator(
  async (type: new () => object, context: ExecutionContext): Promise<object> => {
    const http = context.switchToHttp();
    const request = http.getRequest<AccessRequest>();
    const { bytes } = await readBody(request, http.getResponse<Response>(), MAX_BODY_BYTES);
    // Input of the fingerprint that detects reuse of an Idempotency-Key for a different request.
    request.validatedBody = bytes.length === 0 ? fromEmptyBody(type) : validateRequest(type, readObject(bytes));
    return request.validatedBody;
  },
);

/** An empty body is valid if all fields are optional. */
function fromEmptyBody(type: new () => object): object {
  try {
    return validateRequest(type, {});
  } catch (error) {
    throw new AppError('INVALID_REQUEST', 'The body is empty. Send a JSON object.', { cause: error });
  }
}

/** Documents the body of an operation and its errors. */
export const ApiJsonBody = (type: new () => object) =>
  applyDecorators(ApiBody({ type }), ApiErrors('INVALID_REQUEST', 'VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'));

/** Documents an idempotent write without a body. */
export const ApiIdempotent = () =>
  applyDecorators(
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description: 'Repeats with the same key and request return the original response for 24 hours',
    }),
    ApiErrors('INVALID_REQUEST', 'IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENCY_IN_PROGRESS'),
  );

/** Documents an idempotent write with a body. */
export const ApiIdempotentBody = (type: new () => object) => applyDecorators(ApiJsonBody(type), ApiIdempotent());

function readObject(bytes: Buffer): object {
  const json = parse(bytes);
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) return json;
  throw new AppError('VALIDATION_ERROR', 'body: must be a JSON object.');
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch (error) {
    throw new AppError('INVALID_REQUEST', 'The body is not valid JSON. Send a JSON object in UTF-8.', {
      cause: error,
    });
  }
}
