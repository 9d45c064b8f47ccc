import {
  auditEntities,
  recordWrite,
  type Actor,
  Organization,
  tenancyEntities,
  Erasures,
  personsConfig,
  readPersonAddress,
  type Erasure,
} from '@heliograph/tenancy';
import { createDataSource, databaseConfigSchema, poolOf } from '@heliograph/database';
import { isLocalStack } from '@heliograph/provision';
import { loadConfig, loadDeploymentSecrets } from '@heliograph/service-kit';
import { z } from 'zod';
import { UsageError } from './usage-error';

const OPERATOR: Actor = {
  kind: 'operator',
  id: null,
  name: 'npm run ops -- erase',
  ipAddress: null,
  userAgent: null,
  requestId: null,
};
const WAIT_MS = 60_000;
const LOOK_AGAIN_MS = 500;

/**
 * Erases a person from an organization, as `POST /api/organization/erasures` does. Waits up to a minute for the
 * services, and resolves with whether all have finished.
 */
export async function erasePerson(args: readonly string[]): Promise<boolean> {
  const [slug, address] = args;
  const person = address === undefined ? null : readPersonAddress(address);
  if (slug === undefined || person === null || args.length !== 2) {
    throw new UsageError(
      'erase needs the slug of an organization, and an email address or a number such as +919811111111.',
    );
  }
  const settings = loadConfig(z.object({ ...databaseConfigSchema.shape, ...personsConfig }), process.env);
  if (settings.PERSON_HASH_KEYS.length === 0) throw new UsageError('Set PERSON_HASH_KEYS as in the services.');
  const target = { isLocalStack: isLocalStack(process.cwd(), settings.DATABASE_URL) };
  loadDeploymentSecrets(z.object(personsConfig), process.env, target);
  const entities = [...tenancyEntities, ...auditEntities];
  const dataSource = await createDataSource(settings, 'ops erase', entities).initialize();
  try {
    const erasures = new Erasures(poolOf(dataSource), settings);
    const organization = await dataSource.getRepository(Organization).findOneBy({ slug });
    if (!organization) throw new UsageError(`There is no organization with the slug ${slug}.`);
    let erasure = await dataSource.transaction(async (transaction) => {
      const requested = await erasures.request(transaction, organization.id, person, null);
      await recordWrite(transaction, OPERATOR, {
        organizationId: organization.id,
        action: 'person.erased',
        target: { type: 'person', id: requested.id },
        before: null,
        after: { kind: person.kind },
      });
      return requested;
    });
    for (const deadline = Date.now() + WAIT_MS; erasure.finishedAt === null && Date.now() < deadline;) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
      erasure = await erasures.read(organization.id, erasure.id);
    }
    console.log(describe(erasure));
    return erasure.finishedAt !== null;
  } finally {
    await dataSource.destroy();
  }
}

function describe({ id, pending, finishedAt }: Erasure): string {
  if (finishedAt !== null) return `Erasure ${id} is finished.`;
  return `Erasure ${id} continues in the background. Waiting for: ${pending.join(', ')}.`;
}
