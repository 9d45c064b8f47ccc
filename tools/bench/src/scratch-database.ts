import { migrate } from '@heliograph/database';
import { smsApi } from '@heliograph/sms-api';
import { Client } from 'pg';

const ADMIN_URL = process.env['DATABASE_URL'] || 'postgres://postgres@127.0.0.1:5432/postgres';

/** A fresh database with the schemas of the service; dropped again at the end. */
export async function createScratchDatabase(name: string): Promise<{ url: string; drop(): Promise<void> }> {
  await asAdmin(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  await asAdmin(`CREATE DATABASE ${name}`);
  const url = Object.assign(new URL(ADMIN_URL), { pathname: `/${name}` }).href;
  await migrate(url, smsApi.migrations);
  return { url, drop: () => asAdmin(`DROP DATABASE ${name} WITH (FORCE)`) };
}

async function asAdmin(statement: string): Promise<void> {
  const client = new Client({ connectionString: ADMIN_URL });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}
