import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiResponse, ApiSecurity, ApiTags } from '@nestjs/swagger';
import { ERROR_STATUS, type ErrorCode } from '@heliograph/errors';

export class ErrorBody {
  @ApiProperty({ enum: Object.keys(ERROR_STATUS) })
  code: ErrorCode;
  @ApiProperty({ description: 'What to do next' })
  message: string;
}

/** The error answers of an operation, as one schema for each status. */
export function Refusals(...codes: ErrorCode[]): MethodDecorator & ClassDecorator {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) byStatus.set(ERROR_STATUS[code], [...(byStatus.get(ERROR_STATUS[code]) ?? []), code]);
  return applyDecorators(
    ...[...byStatus].map(([status, names]) => ApiResponse({ status, type: ErrorBody, description: names.join(', ') })),
  );
}

/** What all controllers of the SMS API have in common: a key in either header, and the answers that any call may get. */
export function SmsApi(tag: string): ClassDecorator {
  return applyDecorators(
    ApiTags(tag),
    ApiSecurity('bearer'),
    ApiSecurity('apiKey'),
    Refusals('UNAUTHENTICATED', 'FORBIDDEN', 'IP_NOT_ALLOWED', 'RATE_LIMITED', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'),
  );
}
