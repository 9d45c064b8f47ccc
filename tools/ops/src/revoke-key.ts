import { readFileSync } from 'node:fs';
import { ApiKey, ApiKeysService, ApiKeyUse, authEntities } from '@heliograph/auth';
import { createDataSource, databaseConfigSchema } from '@heliograph/database';
import { hashToken } from '@heliograph/secrets';
import { loadConfig } from '@heliograph/service-kit';
import { auditEntities, recordWrite, tenancyEntities, type Actor } from '@heliograph/tenancy';
import { UsageError } from './usage-error';

const OPERATOR: Actor = {
  kind: 'operator',
  id: null,
  name: 'npm run ops -- revoke-key',
  ipAddress: null,
  userAgent: null,
  requestId: null,
};
const STANDARD_INPUT = 0;

/**
 * Revokes an API key, for a key that has leaked. The key is read from a file or the standard input, because arguments are visible
 * to other users of the host. Services notice within a second.
 */
export async function revokeKey(args: readonly string[]): Promise<boolean> {
  const [file] = args;
  if (file === undefined || args.length !== 1)
    throw new UsageError('revoke-key needs one file that contains the key, or - for the standard input.');
  const text = readFileSync(file === '-' ? STANDARD_INPUT : file, 'utf8').trim();
  const dataSource = await createDataSource(loadConfig(databaseConfigSchema, process.env), 'ops revoke-key', [
    ...authEntities,
    ...tenancyEntities,
    ...auditEntities,
  ]).initialize();
  try {
    const hash = hashToken(text);
    const found = await dataSource.getRepository(ApiKey).findOne({ where: [{ hash }, { previousHash: hash }] });
    if (!found || found.organizationId === null) throw new UsageError('There is no such API key.');
    const { id, organizationId, name, lastFour } = found;
    const keys = new ApiKeysService(dataSource.getRepository(ApiKey), dataSource.getRepository(ApiKeyUse));
    const isChanged = await dataSource.transaction(async (transaction) => {
      const { before, after } = await keys.revoke(transaction, organizationId, id, null);
      if (before.revokedAt !== null) return false;
      await recordWrite(transaction, OPERATOR, {
        organizationId,
        action: 'apikey.revoked',
        target: { type: 'apikey', id },
        before: { revokedAt: null },
        after: { revokedAt: after.revokedAt },
      });
      return true;
    });
    console.log(
      `The key "${name}" (…${lastFour}) of the organization ${organizationId} ${isChanged ? 'is' : 'was'} revoked.`,
    );
    return true;
  } finally {
    await dataSource.destroy();
  }
}
