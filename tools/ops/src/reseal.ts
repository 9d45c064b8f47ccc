import { databaseConfigSchema } from '@heliograph/database';
import { DKIM_PRIVATE_KEY, emailDomainConfig } from '@heliograph/email-catalog';
import { reseal, secretsConfigSchema } from '@heliograph/secrets';
import { isLocalStack } from '@heliograph/provision';
import { givenSettings, loadConfig, loadDeploymentSecrets } from '@heliograph/service-kit';
import { PENDING_TOTP_SECRET, TOTP_SECRET } from '@heliograph/users';
import { PREVIOUS_WEBHOOK_SECRET, WEBHOOK_SECRET } from '@heliograph/webhooks';
import { Pool } from 'pg';
import { UsageError } from './usage-error';

/** Encrypts the sealed columns of all services with the first keys of their rings. Takes no arguments. */
export async function resealSecrets(args: readonly string[]): Promise<boolean> {
  if (args.length > 0) throw new UsageError('reseal takes no arguments.');
  const keys = secretsConfigSchema.extend(emailDomainConfig.pick({ EMAIL_SECRETS_KEYS: true }).shape);
  const config = loadConfig(databaseConfigSchema.extend(keys.shape), process.env);
  const target = { isLocalStack: isLocalStack(process.cwd(), config.DATABASE_URL) };
  loadDeploymentSecrets(keys, encryptingKeys(Object.keys(keys.shape)), target);
  const pool = new Pool({ connectionString: config.DATABASE_URL, application_name: 'ops reseal', max: 1 });
  try {
    for (const [ring, column] of [
      [config.SECRETS_KEYS, TOTP_SECRET],
      [config.SECRETS_KEYS, PENDING_TOTP_SECRET],
      [config.SECRETS_KEYS, WEBHOOK_SECRET],
      [config.SECRETS_KEYS, PREVIOUS_WEBHOOK_SECRET],
      [config.EMAIL_SECRETS_KEYS, DKIM_PRIVATE_KEY],
    ] as const) {
      console.log(`${column.table}.${column.column}: ${await reseal(pool, ring, column)} secrets resealed`);
    }
    return true;
  } finally {
    await pool.end();
  }
}

/** The keys that encrypt. Values may still be encrypted with a published key, so the other keys may contain it. */
function encryptingKeys(names: readonly string[]): Record<string, string | undefined> {
  const { values } = givenSettings(names, process.env);
  const first = Object.entries(values).map(([name, keys]) => [name, keys.split(',')[0]]);
  return { ALLOW_UNSAFE_SETTINGS: process.env['ALLOW_UNSAFE_SETTINGS'], ...Object.fromEntries(first) };
}
