import { auditEntities } from '@heliograph/audit';
import { authEntities } from '@heliograph/auth';
import { billingEntities } from '@heliograph/billing';
import { botEntities } from '@heliograph/bot-conversations';
import { botSearchEntities } from '@heliograph/bot-search';
import { chatappEntities } from '@heliograph/chatapp-messages';
import { creditsEntities } from '@heliograph/credits';
import { migrate } from '@heliograph/database';
import { emailCatalogEntities } from '@heliograph/email-catalog';
import { idempotencyEntities } from '@heliograph/idempotency';
import { messagingEntities } from '@heliograph/messaging';
import { smsCatalogEntities } from '@heliograph/sms-catalog';
import { tenancyEntities } from '@heliograph/tenancy';
import { createTestDatabase, schemaDifferences, undoMigrations, type TestDatabase } from '@heliograph/testing';
import { usersEntities } from '@heliograph/users';
import { accountApi } from '../src/account-api.service';

const ENTITIES = [
  ...tenancyEntities,
  ...usersEntities,
  ...authEntities,
  ...auditEntities,
  ...messagingEntities,
  ...creditsEntities,
  ...idempotencyEntities,
  ...smsCatalogEntities,
  ...emailCatalogEntities,
  ...chatappEntities,
  ...botEntities,
  ...botSearchEntities,
  ...billingEntities,
];

describe('the schemas of account-api', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createTestDatabase(accountApi.migrations);
  });
  afterEach(() => database.drop());

  it('are what the entities say, with no table that no entity describes', async () => {
    expect(await schemaDifferences(database.url, ENTITIES)).toEqual([]);
  });

  it('are told apart from others: an index more, a column less, a table of nobody', async () => {
    await database.query('CREATE INDEX more ON auth.api_keys (name)');
    await database.query('ALTER TABLE tenancy.workspaces DROP COLUMN plan');
    await database.query('CREATE TABLE audit.nobodys (id uuid)');
    const differences = (await schemaDifferences(database.url, ENTITIES)).join('\n');
    for (const word of ['DROP INDEX "auth"."more"', '"plan" text', 'audit.nobodys'])
      expect(differences).toContain(word);
  });

  it('can be brought up to date again, and by many processes at once', async () => {
    await Promise.all(Array.from({ length: 4 }, () => migrate(database.url, accountApi.migrations)));
  });

  it('can be taken down to nothing, and made anew', async () => {
    expect(await undoMigrations(database.url, accountApi.migrations)).toEqual([]);
    await migrate(database.url, accountApi.migrations);
    expect(await schemaDifferences(database.url, ENTITIES)).toEqual([]);
  });
});
