import {
  applyDecorators,
  CallHandler,
  createParamDecorator,
  ExecutionContext,
  Injectable,
  NestInterceptor,
  SetMetadata,
  UseInterceptors,
  type Type,
} from '@nestjs/common';
import { ModuleRef, Reflector } from '@nestjs/core';
import { type IdentifiedRequest, MalformedInput, TakesIdempotencyKey } from '@heliograph/service-kit';
import type { Response } from 'express';
import { lastValueFrom, of, type Observable } from 'rxjs';
import { AnswerSeal } from './answer-seal';
import { fingerprintInTurns, readIdempotencyKey } from './idempotency-key';
import { IdempotencyService, type PendingAnswers } from './idempotency.service';
import type { IdempotentCall, StreamedCall } from './idempotent-call';
import { routeEndpoint } from './route-endpoint';

const OPTIONS = 'heliograph:idempotent';

export interface IdempotentOptions {
  /** The same name for all paths and styles of the endpoint. Default: the route with its parameters. */
  endpoint?: string;
  /** The answer contains a secret, so it is stored encrypted, and only the SHA-256 of the Idempotency-Key is stored. */
  sealed?: boolean;
  /** The provider that derives answers, for a service that stores a reference, such as `{"pending": id}`, with the claim. */
  pendingAnswers?: Type<PendingAnswers>;
  /** The service reads the body itself. Its claim is a StreamedCall, whose fingerprint it sets. */
  streamed?: boolean;
  /** Path parameters that are part of the request: another value with the same key is another request. */
  params?: readonly string[];
  /** Statuses of refusals that are not stored, because they can disappear. 401, 402, 403, 409 and 429 never are. */
  transient?: readonly number[];
}

interface IdempotentRequest extends IdentifiedRequest {
  idempotentCall?: IdempotentCall | StreamedCall;
}

/**
 * Reads the Idempotency-Key of a call and replays the first answer to a repeated one. The service that does the work
 * commits the claim of the key together with its effect; it gets the claim through `@IdempotencyClaim()`.
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly modules: ModuleRef,
    private readonly idempotency: IdempotencyService,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler<object>): Promise<Observable<object>> {
    const http = context.switchToHttp();
    const request = http.getRequest<IdempotentRequest>();
    const key = readIdempotencyKey(request.headers['idempotency-key']);
    if (key === undefined) return next.handle();
    const options = this.reflector.get<IdempotentOptions>(OPTIONS, context.getHandler());
    const call = await callOf(request, key, options);
    request.idempotentCall = call;
    const pending =
      options.pendingAnswers && this.modules.get<PendingAnswers>(options.pendingAnswers, { strict: false });
    const { body, replayed } = await this.idempotency.run<object, IdempotentCall | StreamedCall>(
      call,
      () => lastValueFrom(next.handle()),
      pending,
    );
    if (replayed) http.getResponse<Response>().setHeader('Idempotent-Replayed', 'true');
    return of(body);
  }
}

async function callOf(
  request: IdempotentRequest,
  key: string,
  { endpoint = routeEndpoint(request), sealed, streamed, params, transient = [] }: IdempotentOptions,
): Promise<IdempotentCall | StreamedCall> {
  const { callerId } = request;
  if (callerId === undefined) throw new Error('An idempotent route must authenticate its caller.');
  if (streamed) return { callerId, endpoint, key, fingerprint: null, isRepeat: false };
  const call = { callerId, endpoint, key, fingerprint: await fingerprintOf(request, params), transient };
  if (!sealed) return call;
  const seal = new AnswerSeal(key, callerId);
  return { ...call, key: seal.storedKey, seal };
}

/**
 * The fields of the request after aliases and formats were resolved, so that the same request in another style counts
 * as a repeated call.
 */
function fingerprintOf({ input = {}, params }: IdempotentRequest, names: readonly string[] = []): Promise<string> {
  if (input instanceof MalformedInput) {
    // Nothing is stored for a body that could not be read.
    if (input.source === null) throw input.error;
    return fingerprintInTurns(input.source);
  }
  if (names.length === 0) return fingerprintInTurns(input);
  return fingerprintInTurns({ ...Object.fromEntries(names.map((name) => [name, params[name]])), ...input });
}

/** Makes a route idempotent per caller and endpoint. A string is the name of the endpoint. */
export const Idempotent = (options: string | IdempotentOptions = {}): MethodDecorator =>
  applyDecorators(
    SetMetadata(OPTIONS, typeof options === 'string' ? { endpoint: options } : options),
    UseInterceptors(IdempotencyInterceptor),
    TakesIdempotencyKey(),
  );

/** The claim of the current call; `null` for a call without an Idempotency-Key. */
export function claimOf(context: ExecutionContext): IdempotentCall | StreamedCall | null {
  return context.switchToHttp().getRequest<IdempotentRequest>().idempotentCall ?? null;
}

/** The claim that the service commits with its effect; `null` for a call without an Idempotency-Key. */
export const IdempotencyClaim = createParamDecorator((_: unknown, context: ExecutionContext) => claimOf(context));
