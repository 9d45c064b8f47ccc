import { accountApi } from '@heliograph/account-api';
import { billingHook } from '@heliograph/billing-hook';
import { botRuntime } from '@heliograph/bot-runtime';
import { chatappApi } from '@heliograph/chatapp-api';
import { chatappHook } from '@heliograph/chatapp-hook';
import { migrate, type MigrationSet } from '@heliograph/database';
import { emailApi } from '@heliograph/email-api';
import { smsApi } from '@heliograph/sms-api';
import { Client } from 'pg';

const SERVER_URL = process.env['DATABASE_URL'] || 'postgres://postgres@127.0.0.1:5432/postgres';

export interface ScratchDatabase {
  url: string;
  drop(): Promise<void>;
}

/** The migrations of all services; a set that several services share is listed once. */
const MIGRATIONS: MigrationSet[] = [
  ...new Set(
    [smsApi, emailApi, chatappApi, botRuntime, accountApi, chatappHook, billingHook].flatMap(
      ({ migrations }) => migrations,
    ),
  ),
];

/** Creates an empty database with the schemas of all services, on the given server or the one in DATABASE_URL. */
export async function createScratchDatabase(name: string, serverUrl: string = SERVER_URL): Promise<ScratchDatabase> {
  await asAdmin(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  await asAdmin(serverUrl, `CREATE DATABASE ${name}`);
  const url = Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href;
  await migrate(url, MIGRATIONS);
  return { url, drop: () => asAdmin(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`) };
}

async function asAdmin(serverUrl: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}
