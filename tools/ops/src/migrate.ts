import { accountApi } from '@heliograph/account-api';
import { billingHook } from '@heliograph/billing-hook';
import { botRuntime } from '@heliograph/bot-runtime';
import { chatappApi } from '@heliograph/chatapp-api';
import { chatappHook } from '@heliograph/chatapp-hook';
import { databaseConfigSchema, describeApplied, migrate } from '@heliograph/database';
import { emailApi } from '@heliograph/email-api';
import { loadConfig, migrationConfigSchema } from '@heliograph/service-kit';
import { smsApi } from '@heliograph/sms-api';
import { z } from 'zod';
import { UsageError } from './usage-error';

/** The services of a deployment. */
export const SERVICES = [smsApi, emailApi, chatappApi, chatappHook, botRuntime, accountApi, billingHook];

/** The variable with the URL of a service, such as `SMS_API_DATABASE_URL`. */
const urlSettingOf = (service: string): string => `${service.toUpperCase().replaceAll('-', '_')}_DATABASE_URL`;

const { DATABASE_URL: databaseUrl } = databaseConfigSchema.shape;
/** The settings of `ops migrate`. */
export const opsMigrationConfigSchema = z.object({
  MIGRATION_WAIT_MS: migrationConfigSchema.shape.MIGRATION_WAIT_MS,
  DATABASE_URL: databaseUrl.meta({
    description: 'The database, as the owner of the tables, who may create roles.',
    form: 'a postgres:// or postgresql:// URL',
    example: 'postgres://heliograph:$(openssl rand -hex 32)@postgres:5432/heliograph',
    secret: true,
  }),
  ...Object.fromEntries(
    SERVICES.map(({ name, access: { role } }) => [
      urlSettingOf(name),
      databaseUrl.optional().meta({
        description: `DATABASE_URL of ${name}, with the user and the password of its login.`,
        form: 'a postgres:// or postgresql:// URL',
        example: `postgres://${role}:$(openssl rand -hex 32)@postgres:5432/heliograph`,
        secret: true,
      }),
    ]),
  ),
});

/**
 * Migrates the schemas of all services in one run, then grants the privileges of each service. A service whose URL is given
 * also gets its login, with the user and the password of the URL. `stop` rolls back the migration in progress.
 */
export async function migrateServices(args: readonly string[], stop?: AbortSignal): Promise<boolean> {
  if (args.length > 0) throw new UsageError('migrate takes no arguments.');
  const { DATABASE_URL: owner, MIGRATION_WAIT_MS, ...urls } = loadConfig(opsMigrationConfigSchema, process.env);
  // Services share schemas: each is migrated once, in the order in which its first service lists it.
  const sets = [...new Set(SERVICES.flatMap(({ migrations }) => migrations))];
  const stoppable = stop ? { signal: stop } : {};
  const applied = await migrate(owner, sets, {
    ...stoppable,
    access: SERVICES.map(({ access }) => access),
    wait: {
      timeoutMs: MIGRATION_WAIT_MS,
      onFailure: ({ reason }) => console.error(`waiting for PostgreSQL: ${reason}`),
    },
  });
  for (const line of describeApplied(applied)) console.log(line);
  for (const { name, access } of SERVICES) {
    const url = (urls as Record<string, string | undefined>)[urlSettingOf(name)];
    if (url === undefined) continue;
    const { username, password } = new URL(url);
    const login = { user: decodeURIComponent(username), password: decodeURIComponent(password) };
    await migrate(owner, [], { ...stoppable, access: [access], login });
    console.log(`${name}: the login ${login.user} has its privileges`);
  }
  console.log('the schemas are up to date');
  return true;
}
