import {
  applyDecorators,
  CallHandler,
  createParamDecorator,
  ExecutionContext,
  Injectable,
  NestInterceptor,
  SetMetadata,
  UseInterceptors,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type IdentifiedRequest, MalformedInput, TakesIdempotencyKey } from '@heliograph/service-kit';
import type { Response } from 'express';
import { from, lastValueFrom, map, type Observable } from 'rxjs';
import { fingerprint, readIdempotencyKey } from './idempotency-key';
import { IdempotencyService, type IdempotentCall } from './idempotency.service';

const ENDPOINT = 'heliograph:idempotent-endpoint';

interface IdempotentRequest extends IdentifiedRequest {
  idempotentCall?: IdempotentCall;
}

/**
 * Reads the Idempotency-Key of a call and replays the first answer to a repeated one. The service that does the work
 * commits the claim of the key together with its effect; it gets the claim through `@IdempotencyClaim()`.
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly idempotency: IdempotencyService,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler<object>): Observable<object> {
    const http = context.switchToHttp();
    const request = http.getRequest<IdempotentRequest>();
    const key = readIdempotencyKey(request.headers['idempotency-key']);
    if (key === undefined) return next.handle();
    const { callerId } = request;
    if (callerId === undefined) throw new Error('An idempotent route must authenticate its caller.');
    const endpoint = this.reflector.get<string>(ENDPOINT, context.getHandler());
    const call: IdempotentCall = { callerId, endpoint, key, fingerprint: fingerprintOf(request) };
    request.idempotentCall = call;
    return from(this.idempotency.run<object>(call, () => lastValueFrom(next.handle()))).pipe(
      map(({ body, replayed }) => {
        if (replayed) http.getResponse<Response>().setHeader('Idempotent-Replayed', 'true');
        return body;
      }),
    );
  }
}

/** The fields of the request, after aliases and formats were resolved: the same call in another style is a repeat. */
function fingerprintOf({ body, query }: IdempotentRequest): string {
  const input: unknown = body ?? query;
  return fingerprint(input instanceof MalformedInput ? input.source : input);
}

/**
 * Makes a route idempotent per caller and endpoint.
 * @param endpoint one name for all paths and styles of the endpoint
 */
export const Idempotent = (endpoint: string): MethodDecorator =>
  applyDecorators(SetMetadata(ENDPOINT, endpoint), UseInterceptors(IdempotencyInterceptor), TakesIdempotencyKey());

/** The claim that the service commits with its effect; `null` for a call without an Idempotency-Key. */
export const IdempotencyClaim = createParamDecorator((_: unknown, context: ExecutionContext): IdempotentCall | null => {
  return context.switchToHttp().getRequest<IdempotentRequest>().idempotentCall ?? null;
});
