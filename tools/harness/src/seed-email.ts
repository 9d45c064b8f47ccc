import { localKeyRing } from '@heliograph/secrets';
import { emailCatalogEntities, EmailCatalogService } from '@heliograph/email-catalog';
import { benchWorkspaces, grantCredits, withSeedConnection } from './seed-connection';

/**
 * Enables email for the first organizations of a seeded database, one per sender address, each with a verified domain
 * and credits.
 */
export async function seedEmail(databaseUrl: string, senders: readonly string[]): Promise<void> {
  await withSeedConnection(databaseUrl, emailCatalogEntities, async (dataSource, pool) => {
    const catalog = new EmailCatalogService(localKeyRing());
    const workspaces = await benchWorkspaces(pool, senders.length);
    for (const [index, workspace] of workspaces.entries()) {
      const address = senders[index] ?? '';
      const name = address.slice(address.indexOf('@') + 1);
      await catalog.putDomain(dataSource.manager, workspace.organizationId, {
        name,
        status: 'verified',
        expiresAt: null,
      });
      await catalog.putSender(dataSource.manager, workspace.organizationId, { address, name: 'Bench', isMain: true });
      await grantCredits(pool, workspace, 'email');
    }
  });
}
