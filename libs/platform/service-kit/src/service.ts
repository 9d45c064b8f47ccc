import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getPriority, setPriority } from 'node:os';
import { DynamicModule, Module, type Type } from '@nestjs/common';
import { APP_PIPE, DiscoveryModule, NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { ThrottlerModule } from '@nestjs/throttler';
import { Pool } from 'pg';
import type { DestinationStream } from 'pino';
import { z } from 'zod';
import {
  CommitPools,
  databaseConfigSchema,
  describeApplied,
  migrate,
  registerPoolMetrics,
  type DatabaseAccess,
  type MigrationSet,
} from '@heliograph/database';
import {
  CALLS_PER_MINUTE,
  ErrorFilter,
  ErrorReport,
  messagingErrorBody,
  v1ErrorBody,
  type AppError,
} from '@heliograph/errors';
import { LaneObserver } from '@heliograph/fairness';
import { EncodedBodies } from './encoded/encoded-bodies';
import { environment } from './config/environment.config';
import { FieldDirectory } from './fields/field-directory';
import { Health, HealthController } from './observability/health';
import { paceRequests } from './limits/pace-requests';
import { INPUT_DEFAULTS, type InputDefaults } from './http/input-formats';
import { InputGuard } from './http/input.guard';
import { RequestValidationPipe, type RequestValidationOptions } from './http/request-validation.pipe';
import { refuseUnreadable } from './http/unreadable-request';
import { ServiceAdapter } from './http/service.adapter';
import { Admission } from './limits/admission';
import { AdmissionGuard } from './limits/admission.guard';
import { KeyThrottlerGuard } from './limits/key-throttler.guard';
import { LimiterStorage } from './limits/limiter-storage';
import { createLogger, loggableError, NestLogger, type Logger } from './observability/logger';
import {
  createRegistry,
  HttpMetrics,
  METRICS,
  MetricsController,
  registerBuildInfo,
  registerHealthMetrics,
} from './observability/metrics';
import { ApiDescription, describeApi, type OpenApiOptions } from './openapi/openapi';
import { ReferenceController } from './reference/reference.controller';
import { ReferencePages } from './reference/reference-pages';
import { ReferenceService } from './reference/reference.service';
import { trustProxySetting, type ServiceConfig } from './config/service.config';
import { inV1 } from './v1/v1-errors';
import { V1_PREFIX } from './v1/v1-prefix';
import { PeriodicTasks } from './periodic';
import { requestContext } from './observability/request-context';
import { loadConfig, ConfigError } from './config/config';
import { enforcesProduction } from './config/production-rules';
import { CONFIG, LIMITER, LOGGER, ROLE } from './tokens';

/** The definition of a service. Production, the local stack and the tests start services from the same definition. */
export interface ServiceDefinition<Settings extends ServiceConfig> extends OpenApiOptions {
  name: string;
  /** The settings of the service, for the reference of the configuration. `loadConfig` reads them. */
  configSchema: z.ZodObject;
  loadConfig: (environment: Record<string, string | undefined>) => Settings;
  /** Returns the imports of the service for its configuration and logger. */
  imports: (config: Settings, logger: Logger) => (DynamicModule | Type)[];
  /** Schemas that the service needs, in migration order. */
  migrations: MigrationSet[];
  /** The privileges of the service in the database. */
  access: DatabaseAccess;
  /** The format of error bodies. Default: that of the messaging APIs. */
  errorBody?: (error: AppError) => object;
  /** Serves routes of the v1 API, whose errors list the invalid fields. */
  servesV1?: boolean;
  /** The error format for violations of validation rules without their own error code. */
  validation?: RequestValidationOptions;
  /** The formats of bodies and query strings for routes that declare none. */
  input?: InputDefaults;
  /** The limit of calls per minute for a path, for the headers of errors before a call is counted; 0 for none. Default: no limit. */
  callsPerMinute?: (config: Settings, path: string) => number;
  /** Starts only a few calls per turn of the event loop, for expensive calls that arrive in bursts. */
  pacesRequests?: boolean;
  /** Time limit for receiving a whole request, for services with large uploads. Default: one minute. */
  requestTimeoutMs?: number;
}

export interface RunningService {
  name: string;
  /** The base URL with the actual port, also if the configured port is 0. */
  port: number;
  app: NestExpressApplication;
  /** Maximum duration of a shutdown before open requests are aborted. */
  graceMs: number;
  /**
   * Stops the service: not ready, no new work, work in progress completes, connections close. Limited by the grace
   * period.
   */
  stop(): Promise<void>;
}

const REQUEST_TIMEOUT_MS = 60_000;

@Module({})
class ServiceModule {}

/** The last module: Express tries the routes in the order of their registration, and these are not on the hot path. */
@Module({ controllers: [HealthController, MetricsController, ReferenceController] })
class OperationsModule {}

/**
 * Starts a service. Rejects if its configuration is invalid or a required dependency is unavailable. Logs to standard
 * output unless another destination is given.
 */
export async function startService<S extends ServiceConfig>(
  definition: ServiceDefinition<S>,
  env: Record<string, string | undefined>,
  logDestination?: DestinationStream,
): Promise<RunningService> {
  const config = definition.loadConfig(env);
  const logger = createLogger(definition.name, config.LOG_LEVEL, logDestination);
  if (env['NODE_ENV'] === 'production' && !enforcesProduction(env)) {
    logger.warn({}, 'ALLOW_UNSAFE_SETTINGS is set: the configuration is not checked against the production rules');
  }
  const registry = createRegistry(definition.name, config.ROLE);
  registerBuildInfo(registry, config);
  const limiter = new LimiterStorage(config.REDIS_URL, config.REDIS_TIMEOUT_MS);
  const health = new Health(definition.name);
  registerHealthMetrics(registry, health);
  if (config.REDIS_URL) {
    health.register('redis', false, () => {
      if (!limiter.usesRedis) throw new Error('not connected');
    });
  }
  const { errorBody = messagingErrorBody } = definition;
  const errorFilter = new ErrorFilter(new ErrorReport(logger), (error, { path }, response) => {
    if (!definition.servesV1 || !path.startsWith(V1_PREFIX)) return void response.json(errorBody(error));
    const shown = inV1(error);
    response.locals['errorCode'] = shown.code;
    return void response.status(shown.status).json(v1ErrorBody(shown));
  });
  const root: DynamicModule = {
    module: ServiceModule,
    global: true,
    imports: [
      DiscoveryModule,
      ThrottlerModule.forRoot({
        throttlers: [{ ttl: 60_000, limit: config.MESSAGING_RATE_PER_MINUTE }],
        storage: limiter,
      }),
      ...definition.imports(config, logger),
      OperationsModule,
    ],
    providers: [
      { provide: CONFIG, useValue: config },
      { provide: METRICS, useValue: registry },
      { provide: LaneObserver, useValue: new LaneObserver(registry, logger) },
      { provide: Health, useValue: health },
      { provide: LOGGER, useValue: logger },
      { provide: LIMITER, useValue: limiter },
      { provide: INPUT_DEFAULTS, useValue: { ...definition.validation, ...definition.input } },
      FieldDirectory,
      { provide: ROLE, useValue: config.ROLE },
      ApiDescription,
      EncodedBodies,
      ReferencePages,
      ReferenceService,
      PeriodicTasks,
      KeyThrottlerGuard,
      InputGuard,
      Admission,
      AdmissionGuard,
      {
        provide: APP_PIPE,
        useFactory: (directory: FieldDirectory) =>
          new RequestValidationPipe({ ...definition.validation, ...definition.input }, directory),
        inject: [FieldDirectory],
      },
      { provide: ErrorFilter, useValue: errorFilter },
    ],
    exports: [
      ErrorFilter,
      ApiDescription,
      EncodedBodies,
      ReferencePages,
      ReferenceService,
      CONFIG,
      METRICS,
      LaneObserver,
      Admission,
      Health,
      LOGGER,
      LIMITER,
      ROLE,
    ],
  };
  const app = await NestFactory.create<NestExpressApplication>(root, new ServiceAdapter(logger), {
    logger: new NestLogger(logger),
    bodyParser: false,
    abortOnError: false,
  });
  // They run after the global guards of the modules (`APP_GUARD`): a call without a valid key gets 401, is not counted, and its
  // body is not read. A call waits for its turn after its body has arrived.
  app.useGlobalGuards(app.get(KeyThrottlerGuard), app.get(InputGuard), app.get(AdmissionGuard));
  registerPoolMetrics(registry, { main: app.get(Pool), commits: app.get(CommitPools).of(false) });
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.set('trust proxy', trustProxySetting(config.TRUST_PROXY));
  app.use(requestContext(new HttpMetrics(registry), logger));
  app.useGlobalFilters(errorFilter);
  const { callsPerMinute } = definition;
  if (callsPerMinute) app.set(CALLS_PER_MINUTE, (path: string) => callsPerMinute(config, path));
  describeApi(app, definition);

  await app.init();
  const server = app.getHttpServer() as Server;
  refuseUnreadable(server, errorBody);
  if (definition.pacesRequests) paceRequests(server);
  // Time limits for slow headers and bodies. The keep-alive time-out is longer than that of the proxies.
  server.headersTimeout = 15_000;
  server.requestTimeout = definition.requestTimeoutMs ?? REQUEST_TIMEOUT_MS;
  server.keepAliveTimeout = 75_000;
  await app.listen(config.PORT, config.HOST);
  const { port } = server.address() as AddressInfo;
  logger.info({ port, role: config.ROLE }, `${definition.name} is listening`);

  let stopping: Promise<void> | null = null;
  const stop = async (): Promise<void> => {
    health.stop();
    // Closes the listener and idle connections; open requests are completed.
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeIdleConnections();
    const idle = setInterval(() => server.closeIdleConnections(), 50);
    const cut = setTimeout(() => server.closeAllConnections(), config.SHUTDOWN_GRACE_MS);
    await closed;
    clearInterval(idle);
    clearTimeout(cut);
    await app.close();
    limiter.close();
    logger.info({}, `${definition.name} has stopped`);
    logger.flush();
  };
  return { name: definition.name, port, app, graceMs: config.SHUTDOWN_GRACE_MS, stop: () => (stopping ??= stop()) };
}

/** Lowers the priority of a process that serves no calls, and never raises it, which needs privileges. Threads that it starts later
 * inherit the priority. */
function lowerPriorityOfWorkers({ ROLE: role, WORKER_NICENESS }: ServiceConfig): void {
  if (role === 'worker' || role === 'webhooks') setPriority(Math.max(getPriority(), WORKER_NICENESS));
}

/**
 * The main function of a service: starts it from the environment and stops it on SIGTERM or SIGINT. With the argument
 * `--check-config` it only checks the environment.
 */
export async function runService<S extends ServiceConfig>(definition: ServiceDefinition<S>): Promise<void> {
  let service: RunningService;
  try {
    const config = definition.loadConfig(environment());
    if (process.argv.includes('--check-config')) {
      console.log(`${definition.name}: the configuration is valid`);
      return;
    }
    lowerPriorityOfWorkers(config);
    service = await startService(definition, environment());
  } catch (error) {
    const text = error instanceof ConfigError ? error.message : error;
    console.error(`${definition.name} did not start:`, text);
    process.exit(1);
  }
  const end = (): void => {
    // Exits even if a task is still running after the grace period. This is safe because all state is durable.
    setTimeout(() => process.exit(1), service.graceMs + 10_000).unref();
    service.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(`${definition.name} did not stop cleanly:`, error);
        process.exit(1);
      },
    );
  };
  process.once('SIGTERM', end);
  process.once('SIGINT', end);
}

const migrationConfigSchema = z.object({
  /** The owner of the tables, who may create roles. Unset: the service itself owns everything. */
  MIGRATION_DATABASE_URL: databaseConfigSchema.shape.DATABASE_URL.optional(),
  DATABASE_URL: databaseConfigSchema.shape.DATABASE_URL,
});

/**
 * The main function of the migration job. It needs only the database URLs: with that of the owner, it also creates the
 * login of the service, with the user and the password in DATABASE_URL.
 */
export async function runMigrations(
  definition: Pick<ServiceDefinition<never>, 'name' | 'migrations' | 'access'>,
): Promise<void> {
  const { name, migrations, access } = definition;
  try {
    const { DATABASE_URL, MIGRATION_DATABASE_URL } = loadConfig(migrationConfigSchema, environment());
    const { username, password } = new URL(DATABASE_URL);
    const applied = await migrate(
      MIGRATION_DATABASE_URL ?? DATABASE_URL,
      migrations,
      MIGRATION_DATABASE_URL
        ? {
            access: [access],
            login: { user: decodeURIComponent(username), password: decodeURIComponent(password) },
          }
        : {},
    );
    for (const line of describeApplied(applied)) console.log(`${name}: ${line}`);
    console.log(`${name}: the schemas are up to date`);
    if (!MIGRATION_DATABASE_URL) {
      console.warn(`${name}: set MIGRATION_DATABASE_URL to the owner of the tables, to create a role for the service`);
    }
  } catch (error) {
    console.error(
      `${name}: the migration failed:`,
      error instanceof ConfigError ? error.message : loggableError(error),
    );
    process.exit(1);
  }
}
