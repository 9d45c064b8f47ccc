import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { claimOf, type Claim } from '@heliograph/idempotency';
import type { Write } from '@heliograph/tenancy';
import type { AccessRequest } from '../access/caller';

/** The `Write` of the request. Only for routes with an authenticated caller. */
export const CurrentWrite = createParamDecorator((_: unknown, context: ExecutionContext): Write => {
  const { access } = context.switchToHttp().getRequest<AccessRequest>();
  const actor = access?.operator ?? access?.caller?.actor;
  if (!actor) throw new Error('this route writes but has no authenticated actor');
  return { actor, claim: claimOf(context) as Claim | null };
});
