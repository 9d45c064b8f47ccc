import { ApiProperty } from '@nestjs/swagger';
import type { ErrorCode } from '@heliograph/errors';
import { describeErrors, ErrorBody } from '@heliograph/service-kit';

class AccountError {
  @ApiProperty({ type: 'boolean', enum: [false] })
  ok: false;
  @ApiProperty()
  error: ErrorBody;
}

/** Documents errors of an operation, or of all operations of a controller, of the account API. */
export function AccountApiErrors(...codes: ErrorCode[]): MethodDecorator & ClassDecorator {
  return describeErrors(codes, { type: AccountError });
}

/** Errors of every route. */
export const PUBLIC_ERRORS = ['RATE_LIMITED', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'] as const satisfies ErrorCode[];

/** Errors of every route that requires a session or an API key. */
export const CALLER_ERRORS = [
  'UNAUTHENTICATED',
  'AUTH_SESSION_EXPIRED',
  'FORBIDDEN',
  'IP_NOT_ALLOWED',
  ...PUBLIC_ERRORS,
] as const satisfies ErrorCode[];

/** Errors of every route of the operator. */
export const OPERATOR_ERRORS = ['UNAUTHENTICATED', 'NOT_FOUND', ...PUBLIC_ERRORS] as const satisfies ErrorCode[];
