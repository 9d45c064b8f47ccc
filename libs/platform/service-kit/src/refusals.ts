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

/** Documents the error responses of an operation or a controller, with one schema per status. */
export function Refusals(...codes: ErrorCode[]): MethodDecorator & ClassDecorator {
  return describeRefusals(codes, { type: ErrorBody });
}

/** Like `Refusals`, for other error bodies. */
export function describeRefusals(codes: ErrorCode[], shape: ApiResponseOptions): MethodDecorator & ClassDecorator {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) byStatus.set(ERROR_STATUS[code], [...(byStatus.get(ERROR_STATUS[code]) ?? []), code]);
  return applyDecorators(
    ...[...byStatus].map(([status, names]) => ApiResponse({ ...shape, status, description: names.join(', ') })),
  );
}

/** The possible errors of every call with an API key. */
export const KEY_REFUSALS = [
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

/** Documents the Idempotency-Key header. */
export function TakesIdempotencyKey(): MethodDecorator {
  return ApiHeader({
    name: 'Idempotency-Key',
    required: false,
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    description: 'For 24 hours, the same key and request return the first response with the header Idempotent-Replayed',
  });
}
