import { type ArgumentsHost, type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type IdentifiedRequest, MalformedInput } from '@heliograph/service-kit';
import type { Response } from 'express';
import { ResponseSeal } from './response-seal';
import type { Claim, StreamedClaim } from './claim';
import { fingerprintInTurns, readIdempotencyKey } from './idempotency-key';
import { routeEndpoint } from './route-endpoint';

export interface IdempotentOptions {
  /** The same name for all paths and styles of the endpoint. Default: the route with its parameters. */
  endpoint?: string;
  /** The response contains a secret, so it is stored encrypted, and only the SHA-256 of the Idempotency-Key is stored. */
  sealed?: boolean;
  /** The service reads the body itself. Its claim is a StreamedClaim, whose fingerprint it sets. */
  streamed?: boolean;
  /** Path parameters that are part of the request: another value with the same key is another request. */
  params?: readonly string[];
}

export const RouteOptions = Reflector.createDecorator<IdempotentOptions>();

interface IdempotentRequest extends IdentifiedRequest {
  claim?: Claim | StreamedClaim;
}

/** The claim of the current call; `null` for a call without an Idempotency-Key, and before IdempotencyGuard. */
export function claimOf(host: ArgumentsHost): Claim | StreamedClaim | null {
  return host.switchToHttp().getRequest<IdempotentRequest>().claim ?? null;
}

/** Reads the Idempotency-Key of a call and makes its claim, which the controller passes to its service. */
@Injectable()
export class IdempotencyGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = context.switchToHttp().getRequest<IdempotentRequest>();
    const key = readIdempotencyKey(request.headers['idempotency-key']);
    return key === undefined || this.claim(context, request, key);
  }

  private async claim(context: ExecutionContext, request: IdempotentRequest, key: string): Promise<true> {
    const options = this.reflector.get(RouteOptions, context.getHandler());
    const { endpoint = routeEndpoint(request), sealed, streamed, params } = options;
    const { callerId } = request;
    if (callerId === undefined) throw new Error('An idempotent route must authenticate its caller.');
    const response = context.switchToHttp().getResponse<Response>();
    const seal = sealed ? new ResponseSeal(key, callerId) : null;
    const claim = {
      callerId,
      endpoint,
      key: seal?.storedKey ?? key,
      seal,
      isBegun: false,
      onReplay: () => void response.setHeader('Idempotent-Replayed', 'true'),
    };
    request.claim = streamed
      ? { ...claim, fingerprint: null, isRepeat: false }
      : { ...claim, fingerprint: await fingerprintOf(request, params) };
    return true;
  }
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
