import { applyDecorators } from '@nestjs/common';
import { ApiHeader, ApiProperty, ApiResponse, ApiSecurity, type ApiResponseOptions } from '@nestjs/swagger';
import { ERROR_STATUS, type ErrorCode } from '@heliograph/errors';

/** The error body of the messaging APIs, as it is documented. */
export class ErrorBody {
  @ApiProperty({ enum: Object.keys(ERROR_STATUS) })
  code: ErrorCode;
  @ApiProperty({ description: 'What to do next' })
  message: string;
}

/** Documents the error answers of an operation, or of all of a controller, as one schema for each status. */
export function Refusals(...codes: ErrorCode[]): MethodDecorator & ClassDecorator {
  return describeRefusals(codes, { type: ErrorBody });
}

/** As `Refusals`, for answers of another shape. */
export function describeRefusals(codes: ErrorCode[], shape: ApiResponseOptions): MethodDecorator & ClassDecorator {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) byStatus.set(ERROR_STATUS[code], [...(byStatus.get(ERROR_STATUS[code]) ?? []), code]);
  return applyDecorators(
    ...[...byStatus].map(([status, names]) => ApiResponse({ ...shape, status, description: names.join(', ') })),
  );
}

/** What any call with a key may be refused with. */
export const KEY_REFUSALS = [
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'IP_NOT_ALLOWED',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
] as const satisfies ErrorCode[];

/** Documents the two headers that a key may come in. */
export function TakesKey(): ClassDecorator {
  return applyDecorators(ApiSecurity('bearer'), ApiSecurity('apiKey'));
}

/** Documents the header that makes a call happen once, however often it is sent. */
export function TakesIdempotencyKey(): MethodDecorator {
  return ApiHeader({
    name: 'Idempotency-Key',
    required: false,
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    description:
      'The same key and request get the first answer again, for 24 hours, with the header Idempotent-Replayed',
  });
}
