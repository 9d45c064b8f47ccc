import { accountApi } from '@heliograph/account-api';
import { billingHook } from '@heliograph/billing-hook';
import { botRuntime } from '@heliograph/bot-runtime';
import { chatappApi } from '@heliograph/chatapp-api';
import { chatappHook } from '@heliograph/chatapp-hook';
import { emailApi } from '@heliograph/email-api';
import { smsApi } from '@heliograph/sms-api';
import { createTestDatabase, type TestDatabase } from '@heliograph/testing';
import { isCheckUnavailable } from './plpgsql-check.config';

const services = [smsApi, emailApi, chatappApi, chatappHook, botRuntime, billingHook, accountApi];

describe('the SQL functions', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase([...new Set(services.flatMap(({ migrations }) => migrations))]);
  });
  afterAll(() => database.drop());

  const installPlpgsqlCheck = async (): Promise<void> => {
    const available = await database.query(`SELECT FROM pg_available_extensions WHERE name = 'plpgsql_check'`);
    if (available.length === 0) {
      throw new Error(
        'The PostgreSQL server lacks plpgsql_check. Install it (Debian: apt-get install postgresql-15-plpgsql-check), or run the tests with `npm test`, which skips this test if the extension cannot be installed.',
      );
    }
    await database.query('CREATE EXTENSION IF NOT EXISTS plpgsql_check');
  };

  const findings = () =>
    database.query<{ finding: string }>(
      `SELECT format('%s: %s', p.oid::regprocedure, c.message) AS finding
       FROM pg_proc AS p
       JOIN pg_namespace AS n ON n.oid = p.pronamespace AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'public', 'testing')
       JOIN pg_language AS l ON l.oid = p.prolang AND l.lanname = 'plpgsql'
       LEFT JOIN pg_trigger AS t ON t.tgfoid = p.oid AND NOT t.tgisinternal
       CROSS JOIN LATERAL plpgsql_check_function_tb(p.oid, coalesce(t.tgrelid, 0), fatal_errors => false,
         extra_warnings => true, performance_warnings => true, security_warnings => true) AS c
       ORDER BY 1`,
    );

  (isCheckUnavailable() ? it.skip : it)('pass plpgsql_check', async () => {
    await installPlpgsqlCheck();
    expect(await findings()).toEqual([]);
    await database.query(`CREATE FUNCTION sms.wrong() RETURNS void LANGUAGE plpgsql
      AS $$ BEGIN UPDATE sms.messages SET no_such_column = 1; END $$`);
    expect(await findings()).toContainEqual({
      finding: 'sms.wrong(): column "no_such_column" of relation "messages" does not exist',
    });
  });
});
