import { authEntities } from '@heliograph/auth';
import { chatappCatalogEntities } from '@heliograph/chatapp-catalog';
import { migrate } from '@heliograph/database';
import { tenancyEntities } from '@heliograph/tenancy';
import { createTestDatabase, schemaDifferences, undoMigrations, until, type TestDatabase } from '@heliograph/testing';
import { chatappApi } from '../src/chatapp-api.service';
import { ChatappFixture, newNumber } from './chatapp-fixture';

describe('the schemas', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createTestDatabase(chatappApi.migrations);
  });
  afterEach(() => database.drop());

  it('match the entities of the catalogs', async () => {
    const entities = [...tenancyEntities, ...authEntities, ...chatappCatalogEntities];
    expect(await schemaDifferences(database.url, entities)).toEqual([]);
  });

  it('can be reverted completely and created again', async () => {
    expect(await undoMigrations(database.url, chatappApi.migrations)).toEqual([]);
    await migrate(database.url, chatappApi.migrations);
  });
});

describe('the retention of messages', () => {
  it('deletes only older messages', async () => {
    const chatapp = await ChatappFixture.start();
    try {
      const tenant = await chatapp.tenant();
      const to = newNumber();
      await chatapp.inbound(to);
      const sent = await chatapp.send(tenant, { to, text: 'Hi' });
      await chatapp.rows(
        `INSERT INTO chatapp.messages (id, organization_id, workspace_id, direction, status, type, recipient, sender)
         SELECT ('01900000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, $1, $2, 'inbound', 'received', 'text', '+1', '+2'
         FROM generate_series(1, 3000) AS n`,
        [tenant.organizationId, tenant.workspaceId],
      );
      const beside = await chatapp.beside();
      await until('the old messages are deleted', async () => {
        const rows = await chatapp.rows<{ id: string }>('SELECT id FROM chatapp.messages WHERE workspace_id = $1', [
          tenant.workspaceId,
        ]);
        return rows.length === 2 && rows.some(({ id }) => id === sent.body['id']);
      });
      await beside.service.stop();
    } finally {
      await chatapp.stop();
    }
  });
});
