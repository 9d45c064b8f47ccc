import { accountApi } from '@heliograph/account-api';
import { billingHook } from '@heliograph/billing-hook';
import { botRuntime } from '@heliograph/bot-runtime';
import { chatappApi } from '@heliograph/chatapp-api';
import { chatappHook } from '@heliograph/chatapp-hook';
import { migrate, type MigrationSet } from '@heliograph/database';
import { emailApi } from '@heliograph/email-api';
import { smsApi } from '@heliograph/sms-api';
import { createTestDatabase, type TestDatabase } from '@heliograph/testing';

const SERVICES = [smsApi, emailApi, chatappApi, chatappHook, botRuntime, accountApi, billingHook];

describe('row 7: the database roles', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    const all: MigrationSet[] = [...new Set(SERVICES.flatMap(({ migrations }) => migrations))];
    database = await createTestDatabase(all);
    await migrate(database.url, all, { access: SERVICES.map(({ access }) => access) });
  });
  afterAll(() => database.drop());

  /** Returns the services that have a privilege on a table or, with `column`, on a column. */
  const allowed = async (privilege: string, table: string, column: string | null = null): Promise<string[]> => {
    const check = column
      ? 'has_column_privilege(r, $2, $3, $4)'
      : '$3::text IS NULL AND has_table_privilege(r, $2, $4)';
    const rows = await database.query<{ role: string }>(
      `SELECT r AS role FROM unnest($1::text[]) AS r WHERE ${check}`,
      [SERVICES.map(({ access }) => access.role), table, column, privilege],
    );
    return rows.map(({ role }) => role.replace('heliograph_', '').replaceAll('_', '-')).sort();
  };

  it.each(['password_hash', 'totp_secret'])('only account-api reads users.%s', async (column) => {
    expect(await allowed('SELECT', 'users.users', column)).toEqual(['account-api']);
  });

  it('only account-api writes keys, users and sessions', async () => {
    for (const table of ['auth.api_keys', 'users.users', 'users.sessions', 'users.refresh_tokens']) {
      for (const privilege of ['INSERT', 'UPDATE', 'DELETE']) {
        expect([table, await allowed(privilege, table)]).toEqual([table, ['account-api']]);
      }
    }
  });

  it('no service changes the ledger', async () => {
    expect(await allowed('UPDATE', 'credits.ledger')).toEqual([]);
    expect(await allowed('DELETE', 'credits.ledger')).toEqual([]);
    expect(await allowed('INSERT', 'credits.ledger')).not.toContain('bot-runtime');
  });

  it('no channel reads the messages of another', async () => {
    expect(await allowed('SELECT', 'sms.messages')).toEqual(['account-api', 'sms-api']);
    expect(await allowed('SELECT', 'email.messages')).toEqual(['account-api', 'email-api']);
    expect(await allowed('SELECT', 'chatapp.messages')).toEqual(['account-api', 'chatapp-api', 'chatapp-hook']);
    expect(await allowed('SELECT', 'bots.messages')).toEqual(['account-api', 'bot-runtime']);
  });

  it('no service creates objects', async () => {
    const rows = await database.query<{ role: string; schema: string }>(
      `SELECT r AS role, nspname AS schema FROM unnest($1::text[]) AS r, pg_namespace
       WHERE nspname NOT LIKE 'pg_%' AND has_schema_privilege(r, nspname, 'CREATE')`,
      [SERVICES.map(({ access }) => access.role)],
    );
    expect(rows).toEqual([]);
  });
});
