import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  HttpCode,
  Injectable,
  type NestInterceptor,
  StreamableFile,
} from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum';
import { ApiExtraModels, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { Idempotent, type IdempotentOptions } from '@heliograph/idempotency';
import type { Request } from 'express';
import { map, type Observable } from 'rxjs';
import { HttpResult, operationOf, V1_PREFIX } from '@heliograph/service-kit';
import { AccountApiErrors } from './api-errors';

/**
 * Wraps the result of a handler in `{ ok, data }`. Files, results with a status of their own, results of the v1
 * API and handlers that return nothing are not wrapped.
 */
@Injectable()
export class EnvelopeInterceptor implements NestInterceptor<object | undefined> {
  intercept(context: ExecutionContext, next: CallHandler<object | undefined>): Observable<object | undefined> {
    // Endpoints that all services have (health, metrics) return the same format in all services.
    const { path } = context.switchToHttp().getRequest<Request>();
    if (!path.startsWith('/api/') || path.startsWith(V1_PREFIX)) return next.handle();
    const isBare = (data: object | undefined) =>
      data === undefined || data instanceof StreamableFile || data instanceof HttpResult;
    return next.handle().pipe(map((data) => (isBare(data) ? data : { ok: true, data })));
  }
}

/** Documents the type of `data` and the errors of the input, and sets the HTTP status. */
export function ApiData(type: new () => object, status = 200): MethodDecorator {
  const schema = {
    type: 'object',
    required: ['ok', 'data'],
    properties: { ok: { type: 'boolean', enum: [true] }, data: { $ref: getSchemaPath(type) } },
  };
  return applyDecorators(HttpCode(status), ApiExtraModels(type), ApiResponse({ status, schema }), ApiInputErrors());
}

/** Describes a route of the account API. */
export const AccountOperation = operationOf({ response: ApiData, errors: AccountApiErrors });

/** Documents a file response without the envelope. Errors remain JSON. */
export const ApiFile = (mediaType: string, description: string): MethodDecorator => {
  const content = { [mediaType]: { schema: { type: 'string', format: 'binary' } } };
  return applyDecorators(ApiResponse({ status: 200, description, content }), ApiInputErrors());
};

/** Documents an empty response, and sets the HTTP status. */
export const ApiNoContent = (): MethodDecorator =>
  applyDecorators(
    HttpCode(204),
    ApiResponse({ status: 204, description: 'The operation was performed. The response has no body' }),
    ApiInputErrors(),
  );

/** Makes a write idempotent and documents the errors of the Idempotency-Key. */
export const IdempotentWrite = (options?: IdempotentOptions): MethodDecorator =>
  applyDecorators(
    Idempotent(options),
    AccountApiErrors('INVALID_REQUEST', 'IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENCY_IN_PROGRESS'),
  );

/** Documents the errors of the body and of the query string, if the method has such a parameter. */
function ApiInputErrors(): MethodDecorator {
  return (target, key, descriptor) => {
    const parameters = Object.keys((Reflect.getMetadata(ROUTE_ARGS_METADATA, target.constructor, key) ?? {}) as object);
    const reads = (kind: RouteParamtypes) => parameters.some((name) => name.startsWith(`${kind}:`));
    if (reads(RouteParamtypes.BODY)) AccountApiErrors('PAYLOAD_TOO_LARGE')(target, key, descriptor);
    if (reads(RouteParamtypes.BODY) || reads(RouteParamtypes.QUERY)) {
      AccountApiErrors('INVALID_REQUEST', 'VALIDATION_ERROR')(target, key, descriptor);
    }
  };
}
