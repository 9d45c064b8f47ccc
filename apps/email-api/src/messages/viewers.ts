import type { Tenant } from '@heliograph/auth';
import { AppError } from '@heliograph/errors';

/** Throws FORBIDDEN for the key of a viewer, whatever its scopes. */
export function refuseViewers({ role }: Tenant): void {
  if (role === 'viewer') {
    throw new AppError('FORBIDDEN', 'The key of a viewer may read, not send. Use one of a member, admin or owner.');
  }
}
