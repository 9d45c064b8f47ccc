import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  HttpCode,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import { ApiExtraModels, ApiProperty, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import type { ErrorCode } from '@heliograph/errors';
import { describeRefusals, ErrorBody } from '@heliograph/service-kit';
import type { Request } from 'express';
import { map, type Observable } from 'rxjs';

/**
 * Wraps the result of a handler in `{ ok, data }`. A handler that returns nothing or sends its own response is not
 * wrapped.
 */
@Injectable()
export class EnvelopeInterceptor implements NestInterceptor<object | undefined> {
  intercept(context: ExecutionContext, next: CallHandler<object | undefined>): Observable<object | undefined> {
    // Endpoints that all services share (health, metrics) have the same format everywhere.
    if (!context.switchToHttp().getRequest<Request>().path.startsWith('/api/')) return next.handle();
    return next.handle().pipe(map((data) => (data === undefined ? undefined : { ok: true, data })));
  }
}

/** Documents the type of `data`, and sets the status. */
export function ApiData(type: new () => object, status: 200 | 201 | 202 = 200): MethodDecorator {
  return applyDecorators(
    HttpCode(status),
    ApiExtraModels(type),
    ApiResponse({
      status,
      schema: {
        type: 'object',
        required: ['ok', 'data'],
        properties: { ok: { type: 'boolean', enum: [true] }, data: { $ref: getSchemaPath(type) } },
      },
    }),
  );
}

/** Documents a file response without the envelope. Errors remain JSON. */
export const ApiFile = (mediaType: string, description: string) =>
  ApiResponse({ status: 200, description, content: { [mediaType]: { schema: { type: 'string', format: 'binary' } } } });

/** Documents an empty response, and sets its status. */
export const ApiNoContent = () => applyDecorators(HttpCode(204), ApiResponse({ status: 204, description: 'Done' }));

class AccountError {
  @ApiProperty({ type: 'boolean', enum: [false] })
  ok: false;
  @ApiProperty()
  error: ErrorBody;
}

const ERROR_CODES = 'heliograph:refusals';

/** Documents errors of an operation, or of all operations of a controller, in addition to those already documented. */
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

/** Errors that any request can cause. */
export const CALLER_ERRORS = [
  'UNAUTHENTICATED',
  'AUTH_SESSION_EXPIRED',
  'FORBIDDEN',
  'IP_NOT_ALLOWED',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
] as const satisfies ErrorCode[];

/** Errors that any operator request can cause. */
export const OPERATOR_ERRORS = [
  'UNAUTHENTICATED',
  'NOT_FOUND',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
] as const satisfies ErrorCode[];
