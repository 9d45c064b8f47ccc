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
import { describeRefusals, ErrorBody } from '@heliograph/platform';
import type { Request } from 'express';
import { map, type Observable } from 'rxjs';

/** Wraps what a handler answers; what answers nothing, or has sent its answer itself, stays as it is. */
@Injectable()
export class EnvelopeInterceptor implements NestInterceptor<object | undefined> {
  intercept(context: ExecutionContext, next: CallHandler<object | undefined>): Observable<object | undefined> {
    // What every service has (health, metrics) looks in all of them alike.
    if (!context.switchToHttp().getRequest<Request>().path.startsWith('/api/')) return next.handle();
    return next.handle().pipe(map((data) => (data === undefined ? undefined : { ok: true, data })));
  }
}

/** Documents what stands in `data`, and sets the status. */
export function Answers(type: new () => object, status: 200 | 201 | 202 = 200): MethodDecorator {
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

/** Documents a file, which stands in the place of the envelope. Refusals stay JSON. */
export const AnswersFile = (mediaType: string, description: string) =>
  ApiResponse({ status: 200, description, content: { [mediaType]: { schema: { type: 'string', format: 'binary' } } } });

/** Documents an answer without a body, and sets its status. */
export const AnswersNothing = () => applyDecorators(HttpCode(204), ApiResponse({ status: 204, description: 'Done' }));

class AccountError {
  @ApiProperty({ type: 'boolean', enum: [false] })
  ok: false;
  @ApiProperty()
  error: ErrorBody;
}

const REFUSALS = 'heliograph:refusals';

/** Documents refusals of an operation, or of all of a controller, beside those that are documented already. */
export function RefusesWith(...codes: ErrorCode[]): MethodDecorator & ClassDecorator {
  return (target: object, key?: string | symbol, descriptor?: PropertyDescriptor) => {
    const documented: object = (descriptor?.value as object | undefined) ?? target;
    const known = (Reflect.getMetadata(REFUSALS, documented) ?? []) as ErrorCode[];
    const all = [...new Set([...known, ...codes])];
    Reflect.defineMetadata(REFUSALS, all, documented);
    const describe = describeRefusals(all, { type: AccountError });
    if (key !== undefined && descriptor) (describe as MethodDecorator)(target, key, descriptor);
    else (describe as ClassDecorator)(target as never);
  };
}

/** What any call may be refused with. */
export const CALLER_REFUSALS = [
  'UNAUTHENTICATED',
  'AUTH_SESSION_EXPIRED',
  'FORBIDDEN',
  'IP_NOT_ALLOWED',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
] as const satisfies ErrorCode[];

/** What a call of the platform operator may be refused with. */
export const OPERATOR_REFUSALS = [
  'UNAUTHENTICATED',
  'NOT_FOUND',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
] as const satisfies ErrorCode[];
