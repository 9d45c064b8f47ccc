import {
  applyDecorators,
  CanActivate,
  createParamDecorator,
  ExecutionContext,
  Injectable,
  SetMetadata,
  UseGuards,
  type Type,
} from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants';
import { ModuleRef, Reflector } from '@nestjs/core';
import { beforeRejection, type IdentifiedRequest, MalformedInput, TakesIdempotencyKey } from '@heliograph/service-kit';
import type { Response } from 'express';
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
}

type Work = () => Promise<object>;
/** Returns the answer of the work, or the answer to an earlier call with the same key. */
type RunOnce = (work: Work) => Promise<object>;

interface IdempotentRequest extends IdentifiedRequest {
  idempotent?: { call: IdempotentCall | StreamedCall; run: RunOnce };
}

/**
 * Reads the Idempotency-Key of a call. The method of the controller then runs once for each key, and a repeated call gets the first
 * answer. The service that does the work commits the claim of the key together with its effect; it gets the claim through
 * `@IdempotencyClaim()`. An input that the validation pipe rejects is an answer as well.
 */
@Injectable()
export class IdempotencyGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly modules: ModuleRef,
    private readonly idempotency: IdempotencyService,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = context.switchToHttp().getRequest<IdempotentRequest>();
    const key = readIdempotencyKey(request.headers['idempotency-key']);
    return key === undefined || this.begin(context, request, key);
  }

  private async begin(context: ExecutionContext, request: IdempotentRequest, key: string): Promise<true> {
    const options = this.reflector.get<IdempotentOptions>(OPTIONS, context.getHandler());
    const call = await callOf(request, key, options);
    const pending =
      options.pendingAnswers && this.modules.get<PendingAnswers>(options.pendingAnswers, { strict: false });
    const response = context.switchToHttp().getResponse<Response>();
    const run: RunOnce = async (work) => {
      const { body, replayed } = await this.idempotency.run<object, IdempotentCall | StreamedCall>(call, work, pending);
      if (replayed) response.setHeader('Idempotent-Replayed', 'true');
      return body;
    };
    request.idempotent = { call, run };
    for (const input of [request.body, request.query] as unknown[]) {
      if (typeof input !== 'object' || input === null) continue;
      beforeRejection(input, async (error) => {
        await run(() => Promise.reject(error));
      });
    }
    return true;
  }
}

async function callOf(
  request: IdempotentRequest,
  key: string,
  { endpoint = routeEndpoint(request), sealed, streamed, params }: IdempotentOptions,
): Promise<IdempotentCall | StreamedCall> {
  const { callerId } = request;
  if (callerId === undefined) throw new Error('An idempotent route must authenticate its caller.');
  if (streamed) return { callerId, endpoint, key, fingerprint: null, isRepeat: false };
  const call = { callerId, endpoint, key, fingerprint: await fingerprintOf(request, params) };
  if (!sealed) return call;
  const seal = new AnswerSeal(key, callerId);
  return { ...call, key: seal.storedKey, seal };
}

/**
 * The fields of the request after aliases and formats were resolved, so that the same request in another style counts
 * as a repeated call.
 */
function fingerprintOf(
  { input = {}, queryInput, params }: IdempotentRequest,
  names: readonly string[] = [],
): Promise<string> {
  if (input instanceof MalformedInput) {
    // Nothing is stored for a body that could not be read.
    if (input.source === null) throw input.error;
    return fingerprintInTurns(input.source);
  }
  const query = queryInput === input || queryInput instanceof MalformedInput ? {} : { ...queryInput };
  const path = Object.fromEntries(names.map((name) => [name, params[name]]));
  if (Object.keys(query).length + names.length === 0) return fingerprintInTurns(input);
  return fingerprintInTurns({ ...path, ...query, ...input });
}

const CurrentRun = createParamDecorator(
  (_: unknown, context: ExecutionContext): RunOnce | undefined =>
    context.switchToHttp().getRequest<IdempotentRequest>().idempotent?.run,
);

/**
 * Replaces the method of a controller by one that runs it once for each key. An interceptor could do the same, but Nest wraps
 * every call of a method with an interceptor in Observables (ADR 22).
 */
function runOnce(target: object, name: string | symbol, descriptor: PropertyDescriptor): void {
  const method = descriptor.value as (...args: unknown[]) => Promise<object>;
  const parameters = (Reflect.getMetadata(ROUTE_ARGS_METADATA, target.constructor, name) ?? {}) as object;
  const count = Math.max(-1, ...Object.values(parameters).map(({ index }: { index: number }) => index)) + 1;
  // One more parameter, which the method does not know.
  CurrentRun()(target, name, count);
  const replacement = function (this: unknown, ...args: unknown[]): Promise<object> {
    const run = args[count] as RunOnce | undefined;
    return run ? run(() => method.apply(this, args.slice(0, count))) : method.apply(this, args);
  };
  // Decorators store metadata on the function, so the replacement needs a copy of it.
  for (const key of Reflect.getMetadataKeys(method) as unknown[]) {
    Reflect.defineMetadata(key, Reflect.getMetadata(key, method), replacement);
  }
  descriptor.value = Object.defineProperty(replacement, 'name', { value: method.name });
}

/** Makes a route idempotent per caller and endpoint. A string is the name of the endpoint. */
export const Idempotent = (options: string | IdempotentOptions = {}): MethodDecorator =>
  applyDecorators(
    runOnce as MethodDecorator,
    SetMetadata(OPTIONS, typeof options === 'string' ? { endpoint: options } : options),
    UseGuards(IdempotencyGuard),
    TakesIdempotencyKey(),
  );

/** The claim of the current call; `null` for a call without an Idempotency-Key. */
export function claimOf(context: ExecutionContext): IdempotentCall | StreamedCall | null {
  return context.switchToHttp().getRequest<IdempotentRequest>().idempotent?.call ?? null;
}

/** The claim that the service commits with its effect; `null` for a call without an Idempotency-Key. */
export const IdempotencyClaim = createParamDecorator((_: unknown, context: ExecutionContext) => claimOf(context));
