import type { Tenant } from '@heliograph/auth';
import { AppError } from '@heliograph/errors';

/** Throws FORBIDDEN for the key of a viewer, regardless of its scopes. */
export function refuseViewers({ role }: Tenant): void {
  if (role === 'viewer') {
    throw new AppError(
      'FORBIDDEN',
      'A key with the role viewer cannot send. Use a key with the role member, admin or owner.',
    );
  }
}
