import { databaseConfigSchema, describeApplied, migrate } from '@heliograph/database';
import type { StopSignal, StopSignals } from '@heliograph/stop-signals';
import { z } from 'zod';
import { ConfigError, loadConfig } from '../config/config';
import { environment } from '../config/environment.config';
import { serviceConfigSchema } from '../config/service.config';
import { createLogger } from '../observability/logger';
import type { ServiceDefinition } from '../service';
import { checksConfig } from './check-config';
import { logFailures } from './log-failures';

/** A stopped migration exits after this time, even if the server does not answer. */
const STOP_MS = 2_000;

export const migrationConfigSchema = z.object({
  MIGRATION_DATABASE_URL: databaseConfigSchema.shape.DATABASE_URL.optional().meta({
    description:
      'The database with the owner of the tables, who may create roles. Unset: the user of DATABASE_URL owns everything, and no role is created.',
    form: 'a postgres:// or postgresql:// URL',
    example: 'postgres://heliograph:$(openssl rand -hex 32)@postgres:5432/heliograph',
    secret: true,
  }),
  DATABASE_URL: databaseConfigSchema.shape.DATABASE_URL,
  MIGRATION_WAIT_MS: z.coerce
    .number()
    .int()
    .min(0)
    .default(60_000)
    .meta({ description: 'Maximum time that the migration job waits for the database.' }),
  LOG_LEVEL: serviceConfigSchema.shape.LOG_LEVEL,
});

/**
 * The main function of the migration job. It needs only the database URLs: with that of the owner, it also creates the
 * login of the service, with the user and the password in DATABASE_URL. SIGTERM or SIGINT rolls back the migration in progress; the
 * exit code is then not 0. With the argument `--check-config` it only checks the environment.
 */
export async function runMigrations(
  { name, migrations, access }: Pick<ServiceDefinition<never>, 'name' | 'migrations' | 'access'>,
  signals: StopSignals,
): Promise<void> {
  let logger = createLogger(name, 'info');
  logFailures(() => logger);
  const stop = signals.aborting(STOP_MS);
  const load = () => loadConfig(migrationConfigSchema, environment());
  if (checksConfig(`${name} migrations`, load)) return;
  try {
    const config = load();
    logger = createLogger(name, config.LOG_LEVEL);
    const { DATABASE_URL, MIGRATION_DATABASE_URL, MIGRATION_WAIT_MS } = config;
    const { username, password } = new URL(DATABASE_URL);
    const login = { user: decodeURIComponent(username), password: decodeURIComponent(password) };
    const own = MIGRATION_DATABASE_URL ? { access: [access], login } : {};
    const applied = await migrate(MIGRATION_DATABASE_URL ?? DATABASE_URL, migrations, {
      ...own,
      signal: stop,
      wait: {
        timeoutMs: MIGRATION_WAIT_MS,
        onFailure: (attempt) => logger.warn({ ...attempt }, 'waiting for PostgreSQL'),
      },
    });
    for (const line of describeApplied(applied)) logger.info({}, line);
    logger.info({}, 'the schemas are up to date');
    if (!MIGRATION_DATABASE_URL) {
      logger.warn({}, 'set MIGRATION_DATABASE_URL to the owner of the tables, to create a role for the service');
    }
  } catch (error) {
    if (stop.aborted) {
      const signal = stop.reason as StopSignal;
      logger.warn({ signal }, 'the migration was stopped; the transaction in progress was rolled back');
      logger.flush();
      signals.exit(signal);
    }
    const reason = error instanceof ConfigError ? { problems: error.problems } : { err: error };
    logger.fatal(reason, 'the migration failed');
    logger.flush();
    process.exit(1);
  }
}
