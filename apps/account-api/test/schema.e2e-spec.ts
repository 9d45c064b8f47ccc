import { auditEntities, tenancyEntities } from '@heliograph/tenancy';
import { authEntities } from '@heliograph/auth';
import { billingEntities } from '@heliograph/billing';
import { botEntities } from '@heliograph/bot-conversations';
import { chatappCatalogEntities } from '@heliograph/chatapp-catalog';
import { contactsEntities } from '@heliograph/contacts';
import { migrate } from '@heliograph/database';
import { emailCatalogEntities } from '@heliograph/email-catalog';
import { smsCatalogEntities } from '@heliograph/sms-catalog';
import { createTestDatabase, schemaDifferences, undoMigrations, type TestDatabase } from '@heliograph/testing';
import { usersEntities } from '@heliograph/users';
import { webhooksEntities } from '@heliograph/webhooks';
import { accountApi } from '../src/account-api.service';

const ENTITIES = [
  ...tenancyEntities,
  ...usersEntities,
  ...authEntities,
  ...auditEntities,
  ...smsCatalogEntities,
  ...emailCatalogEntities,
  ...chatappCatalogEntities,
  ...botEntities,
  ...contactsEntities,
  ...billingEntities,
  ...webhooksEntities,
];

describe('the schemas of account-api', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createTestDatabase(accountApi.migrations);
  });
  afterEach(() => database.drop());

  it('match their entities', async () => {
    expect(await schemaDifferences(database.url, ENTITIES)).toEqual([]);
  });

  it('differ from a database with an additional index and a missing column', async () => {
    await database.query('CREATE INDEX more ON auth.api_keys (name)');
    await database.query('ALTER TABLE tenancy.workspaces DROP COLUMN plan');
    const differences = (await schemaDifferences(database.url, ENTITIES)).join('\n');
    for (const word of ['DROP INDEX "auth"."more"', '"plan" text']) expect(differences).toContain(word);
  });

  it('can be migrated repeatedly and concurrently', async () => {
    await Promise.all(Array.from({ length: 4 }, () => migrate(database.url, accountApi.migrations)));
  });

  it('can be reverted completely and migrated again', async () => {
    expect(await undoMigrations(database.url, accountApi.migrations)).toEqual([]);
    await migrate(database.url, accountApi.migrations);
    expect(await schemaDifferences(database.url, ENTITIES)).toEqual([]);
  });
});
