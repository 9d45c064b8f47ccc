import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiBody, ApiHeader } from '@nestjs/swagger';
import { AppError } from '@heliograph/errors';
import { readBody } from '@heliograph/platform';
import type { Response } from 'express';
import type { AccessRequest } from '../access/caller';
import { RefusesWith } from './envelope';
import { toValid } from './validation';

const MAX_BODY_BYTES = 1_000_000;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The JSON body, read after the guards and checked against its class. Throws INVALID_REQUEST, VALIDATION_ERROR. */
export const JsonBody = createParamDecorator(
  async (type: new () => object, context: ExecutionContext): Promise<object> => {
    const http = context.switchToHttp();
    const request = http.getRequest<AccessRequest>();
    const { bytes } = await readBody(request, http.getResponse<Response>(), MAX_BODY_BYTES);
    // By it a repeat is known from another request with the same Idempotency-Key.
    request.asked = bytes.length === 0 ? fromNothing(type) : toValid(type, readObject(bytes));
    return request.asked;
  },
);

/** No body at all is fine where every field may be left out. */
function fromNothing(type: new () => object): object {
  try {
    return toValid(type, {});
  } catch (error) {
    throw new AppError('INVALID_REQUEST', 'The body is empty. Send a JSON object.', { cause: error });
  }
}

/** Describes the body of an operation, and what may be wrong with it. */
export const TakesBody = (type: new () => object) =>
  applyDecorators(ApiBody({ type }), RefusesWith('INVALID_REQUEST', 'VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'));

/** Describes what goes through `Writes` without a body: with the same Idempotency-Key it happens once. */
export const TakesOnce = () =>
  applyDecorators(
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description: 'The same key and request get the first answer again; kept for 24 hours',
    }),
    RefusesWith('INVALID_REQUEST', 'IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENCY_IN_PROGRESS'),
  );

/** As `TakesBody`, for what goes through `Writes`. */
export const TakesBodyOnce = (type: new () => object) => applyDecorators(TakesBody(type), TakesOnce());

function readObject(bytes: Buffer): object {
  const json = parse(bytes);
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) return json;
  throw new AppError('VALIDATION_ERROR', 'body: must be a JSON object.');
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch (error) {
    throw new AppError('INVALID_REQUEST', 'The body is not valid JSON. Send a JSON object, in UTF-8.', {
      cause: error,
    });
  }
}
