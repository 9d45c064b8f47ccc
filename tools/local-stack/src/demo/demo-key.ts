import type { Scope } from '@heliograph/contracts';
import type { ProvisioningFile, ProvisioningReport } from '@heliograph/provision';

/** The first usable API key with the required scopes, given in the file or generated; or null. */
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
