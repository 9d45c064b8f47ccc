import type { Scope } from '@heliograph/contracts';
import type { ProvisioningFile, ProvisioningReport } from '@heliograph/provision';

/** A key of an organization that may do all of this, as the file gives it or as it was made up; null for none. */
export function findDemoKey(
  { slug, apiKeys }: ProvisioningFile['organizations'][number],
  { generated }: ProvisioningReport,
  needed: readonly Scope[],
): string | null {
  const usable = apiKeys.find(
    ({ scopes, role, revoked, expiresAt }) =>
      !revoked &&
      role !== 'viewer' &&
      (expiresAt === null || expiresAt.getTime() > Date.now()) &&
      (scopes.length === 0 || needed.every((scope) => scopes.includes(scope))),
  );
  if (!usable) return null;
  const made = generated.find(({ organization, name }) => organization === slug && name === usable.name);
  return usable.key ?? made?.key ?? null;
}
