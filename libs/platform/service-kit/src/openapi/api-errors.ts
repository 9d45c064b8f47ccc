import { applyDecorators } from '@nestjs/common';
import { ApiHeader, ApiProperty, ApiResponse, ApiSecurity, type ApiResponseOptions } from '@nestjs/swagger';
import { ERROR_STATUS, type ErrorCode } from '@heliograph/errors';

/** The error body of the messaging APIs in the OpenAPI document. */
export class ErrorBody {
  @ApiProperty({ enum: Object.keys(ERROR_STATUS) })
  code: ErrorCode;
  @ApiProperty({ description: 'A message that says what to do' })
  message: string;
}

const ERROR_CODES = 'heliograph:error-codes';
const ERROR_SHAPE = 'heliograph:error-shape';

/** The response to an error, for every status or by status. */
type ErrorShape = ApiResponseOptions | ((status: number) => ApiResponseOptions);

/**
 * Documents errors of an operation, or of all operations of a controller, in addition to the errors that are already
 * documented for it, with one schema per status.
 */
export function describeErrors(codes: ErrorCode[], shape: ErrorShape): MethodDecorator & ClassDecorator {
  return (target: object, key?: string | symbol, descriptor?: PropertyDescriptor) => {
    const documented: object = (descriptor?.value as object | undefined) ?? target;
    const known = (Reflect.getOwnMetadata(ERROR_CODES, documented) ?? []) as ErrorCode[];
    const all = [...new Set([...known, ...codes])];
    Reflect.defineMetadata(ERROR_CODES, all, documented);
    Reflect.defineMetadata(ERROR_SHAPE, shape, documented);
    const byStatus = new Map<number, ErrorCode[]>();
    for (const code of all) byStatus.set(ERROR_STATUS[code], [...(byStatus.get(ERROR_STATUS[code]) ?? []), code]);
    for (const [status, names] of byStatus) {
      const ofStatus = typeof shape === 'function' ? shape(status) : shape;
      const describe = ApiResponse({ ...ofStatus, status, description: names.join(', ') });
      if (key !== undefined && descriptor) describe(target, key, descriptor);
      else (describe as ClassDecorator)(target as never);
    }
  };
}

/** Documents the error responses of an operation or a controller of the messaging APIs. */
export function ApiErrors(...codes: ErrorCode[]): MethodDecorator & ClassDecorator {
  return describeErrors(codes, { type: ErrorBody });
}

/** The possible errors of every call with an API key. */
export const KEY_ERRORS = [
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'IP_NOT_ALLOWED',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
] as const satisfies ErrorCode[];

/** Documents the two headers that accept an API key. */
export function TakesKey(): ClassDecorator {
  return applyDecorators(ApiSecurity('bearer'), ApiSecurity('apiKey'));
}

const IDEMPOTENCY_ERRORS = [
  'INVALID_REQUEST',
  'IDEMPOTENCY_KEY_REUSED',
  'IDEMPOTENCY_IN_PROGRESS',
] as const satisfies ErrorCode[];

/** Documents the Idempotency-Key header and its errors, in the shape of the other errors of the operation. */
export function TakesIdempotencyKey(): MethodDecorator {
  return applyDecorators(
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      schema: { type: 'string', minLength: 1, maxLength: 255 },
      description:
        'For 24 hours, the same key and request return the first response with the header Idempotent-Replayed',
    }),
    (target: object, key: string | symbol, descriptor: PropertyDescriptor) => {
      const documented = descriptor.value as object;
      const shape = Reflect.getOwnMetadata(ERROR_SHAPE, documented) as ErrorShape | undefined;
      if (shape) describeErrors([...IDEMPOTENCY_ERRORS], shape)(target, key, descriptor);
      // The decorator of the other errors, which runs later, documents them.
      else Reflect.defineMetadata(ERROR_CODES, [...IDEMPOTENCY_ERRORS], documented);
    },
  );
}
