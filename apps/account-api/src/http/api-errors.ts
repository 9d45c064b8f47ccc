import { ApiProperty } from '@nestjs/swagger';
import type { ErrorCode } from '@heliograph/errors';
import { describeRefusals, ErrorBody } from '@heliograph/service-kit';

class AccountError {
  @ApiProperty({ type: 'boolean', enum: [false] })
  ok: false;
  @ApiProperty()
  error: ErrorBody;
}

const ERROR_CODES = 'heliograph:refusals';

/** Documents errors of an operation, or of all operations of a controller, in addition to the errors that are already documented. */
export function ApiErrors(...codes: ErrorCode[]): MethodDecorator & ClassDecorator {
  return (target: object, key?: string | symbol, descriptor?: PropertyDescriptor) => {
    const documented: object = (descriptor?.value as object | undefined) ?? target;
    const known = (Reflect.getMetadata(ERROR_CODES, documented) ?? []) as ErrorCode[];
    const all = [...new Set([...known, ...codes])];
    Reflect.defineMetadata(ERROR_CODES, all, documented);
    const describe = describeRefusals(all, { type: AccountError });
    if (key !== undefined && descriptor) (describe as MethodDecorator)(target, key, descriptor);
    else (describe as ClassDecorator)(target as never);
  };
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
