import { applyDecorators, createParamDecorator, type ExecutionContext, UseFilters, UseGuards } from '@nestjs/common';
import { TakesIdempotencyKey } from '@heliograph/service-kit';
import { claimOf, IdempotencyGuard, type IdempotentOptions, RouteOptions } from './idempotency.guard';
import { RefusalFilter } from './refusal.filter';

/**
 * Makes a route idempotent per caller and endpoint. A string is the name of the endpoint. The method passes
 * `@IdempotencyClaim()` to its service, which does the work in `IdempotencyService.run`.
 */
export const Idempotent = (options: string | IdempotentOptions = {}): MethodDecorator =>
  applyDecorators(
    RouteOptions(typeof options === 'string' ? { endpoint: options } : options),
    UseGuards(IdempotencyGuard),
    UseFilters(RefusalFilter),
    TakesIdempotencyKey(),
  );

/** The claim that the service commits with its effect; `null` for a call without an Idempotency-Key. */
export const IdempotencyClaim = createParamDecorator((_: unknown, context: ExecutionContext) => claimOf(context));
