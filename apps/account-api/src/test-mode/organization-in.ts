import { modeOf, type Mode } from '@heliograph/auth';
import { testIdOf } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import type { Caller } from '../access/caller';

/**
 * The organization whose objects have the mode; by default that of the caller. Throws FORBIDDEN for live objects in test mode.
 */
export function organizationIn({ organizationId }: Pick<Caller, 'organizationId'>, mode: Mode | undefined): string {
  const own = modeOf(organizationId);
  if (mode === undefined || mode === own) return organizationId;
  if (mode === 'test') return testIdOf(organizationId);
  throw new AppError(
    'FORBIDDEN',
    'Test mode has no access to what is live. Use a live API key, or leave out the header Heliograph-Mode.',
  );
}

/** The organizations whose objects the caller may manage by their id: a live caller also manages those of the test mode. */
export function organizationsOf({ organizationId }: Pick<Caller, 'organizationId'>): string[] {
  return modeOf(organizationId) === 'live' ? [organizationId, testIdOf(organizationId)] : [organizationId];
}

/** Throws STATE_CONFLICT for a live caller. */
export function assertTestMode({ organizationId }: Pick<Caller, 'organizationId'>): void {
  if (modeOf(organizationId) === 'test') return;
  throw new AppError(
    'STATE_CONFLICT',
    'This endpoint exists in test mode only. Use a test API key, or send the header "Heliograph-Mode: test" with a session.',
  );
}
