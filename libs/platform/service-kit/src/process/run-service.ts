import { getPriority, setPriority } from 'node:os';
import type { StopSignals } from '@heliograph/stop-signals';
import { ConfigError } from '../config/config';
import { environment } from '../config/environment.config';
import type { ServiceConfig } from '../config/service.config';
import { createLogger } from '../observability/logger';
import { startService, type ServiceDefinition } from '../service';
import { checksConfig } from './check-config';
import { logFailures } from './log-failures';

/** Time after the grace period for tasks that end slowly. */
const MARGIN_MS = 10_000;

/**
 * The main function of a service: starts it from the environment and stops it on SIGTERM or SIGINT. A signal during the start ends the
 * process at once, which loses nothing because all state is durable; the second signal of a stop skips SHUTDOWN_DELAY_MS. With the
 * argument `--check-config` it only checks the environment.
 */
export async function runService<S extends ServiceConfig>(
  definition: ServiceDefinition<S>,
  signals: StopSignals,
): Promise<void> {
  const { name } = definition;
  let logger = createLogger(name, 'info');
  logFailures(() => logger);
  signals.handle((signal) => {
    logger.info({ signal }, `${name} was stopped before it was ready`);
    logger.flush();
    signals.exit(signal);
  });
  if (checksConfig(name, () => definition.loadConfig(environment()))) return;
  try {
    const config = definition.loadConfig(environment());
    logger = createLogger(name, config.LOG_LEVEL);
    lowerPriorityOfWorkers(config);
    const service = await startService(definition, environment());
    signals.handle((signal) => {
      logger.info({ signal }, `${name} is stopping`);
      // Exits even if a task is still running after the grace period. This is safe because all state is durable.
      setTimeout(() => process.exit(1), config.SHUTDOWN_DELAY_MS + service.graceMs + MARGIN_MS).unref();
      service.stop().then(
        () => process.exit(0),
        (error: unknown) => {
          logger.fatal({ err: error }, `${name} did not stop cleanly`);
          process.exit(1);
        },
      );
    });
  } catch (error) {
    const reason = error instanceof ConfigError ? { problems: error.problems } : { err: error };
    logger.fatal(reason, `${name} did not start`);
    logger.flush();
    process.exit(1);
  }
}

/** Lowers the priority of a process that serves no calls, and never raises it, which needs privileges. Threads that it starts later
 * inherit the priority. */
function lowerPriorityOfWorkers({ ROLE: role, WORKER_NICENESS }: ServiceConfig): void {
  if (role === 'worker' || role === 'webhooks') setPriority(Math.max(getPriority(), WORKER_NICENESS));
}
