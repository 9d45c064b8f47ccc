import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { DynamicModule, Module, type Type } from '@nestjs/common';
import { APP_PIPE, DiscoveryModule, NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { ThrottlerModule } from '@nestjs/throttler';
import { Pool } from 'pg';
import type { DestinationStream } from 'pino';
import { z } from 'zod';
import {
  CommitPools,
  connectionOptions,
  registerPoolMetrics,
  untilConnected,
  type DatabaseAccess,
  type MigrationSet,
} from '@heliograph/database';
import {
  CALLS_PER_MINUTE,
  ErrorFilter,
  ErrorReport,
  helpLink,
  messagingErrorBody,
  v1ErrorBody,
  type AppError,
} from '@heliograph/errors';
import { LaneObserver } from '@heliograph/fairness';
import { EncodedBodies } from './encoded/encoded-bodies';
import { FieldDirectory } from './fields/field-directory';
import { StartingResponses } from './http/starting-responses';
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
import { createLogger, NestLogger, type Logger } from './observability/logger';
import {
  createRegistry,
  HttpMetrics,
  METRICS,
  MetricsController,
  registerBuildInfo,
  registerHealthMetrics,
} from './observability/metrics';
import type { RouteFacts } from '@heliograph/api-reference';
import type { ReadMetadata } from './openapi/describe-routes';
import { ApiDescription, describeApi, type OpenApiOptions } from './openapi/openapi';
import { ReferenceController } from './reference/reference.controller';
import { ReferencePages } from './reference/reference-pages';
import { ReferenceService } from './reference/reference.service';
import { trustProxySetting, type ServiceConfig } from './config/service.config';
import { inV1 } from './v1/v1-errors';
import { V1_PREFIX } from './v1/v1-prefix';
import { PeriodicTasks } from './periodic';
import { SHARED_PROVIDERS } from './shared-providers';
import { EndedRequests } from './observability/ended-requests';
import { requestContext } from './observability/request-context';
import { TraceGuard } from './observability/trace.guard';
import { createTracing, Tracing } from './observability/tracing';
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
  /** What the guards of the service enforce for a route, read from its metadata, for the OpenAPI document. Default: nothing. */
  factsOf?: (read: ReadMetadata, config: Settings) => RouteFacts;
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
   * Stops the service: not ready; after the delay no new calls and no new work, work in progress completes, connections close. Limited
   * by the grace period. A second call skips the delay.
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
 * Starts a service. It listens at once, is live and not ready, and waits for PostgreSQL. RabbitMQ and Redis may be unavailable. Rejects
 * if its configuration is invalid or its port is in use. Logs to standard output unless another destination is given.
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
  const tracing = await createTracing(config, definition.name);
  const ended = new EndedRequests();
  const limiter = new LimiterStorage(config.REDIS_URL, config.REDIS_TIMEOUT_MS);
  const health = new Health(definition.name);
  registerHealthMetrics(registry, health);
  if (config.REDIS_URL) {
    health.register('redis', false, () => {
      if (!limiter.usesRedis) throw new Error('not connected');
    });
  }
  const { errorBody = messagingErrorBody } = definition;
  const isV1 = (path: string): boolean => definition.servesV1 === true && path.startsWith(V1_PREFIX);
  const errorFilter = new ErrorFilter(new ErrorReport(logger), (error, { path }, response) => {
    const shown = isV1(path) ? inV1(error) : error;
    const body = isV1(path) ? v1ErrorBody(shown) : errorBody(shown);
    response.locals['errorCode'] = shown.code;
    if (shown !== error) response.set('Link', helpLink(shown.code));
    response.locals['body'] = body;
    response.status(shown.status).json(body);
  });
  const adapter = new ServiceAdapter(logger);
  const starting = new StartingResponses(definition.name, (error, path) =>
    isV1(path) ? v1ErrorBody(error) : errorBody(error),
  );
  const server = adapter.open((request, response) => starting.answer(request, response));
  refuseUnreadable(server, errorBody);
  // Time limits for slow headers and bodies. The keep-alive time-out is longer than that of the proxies.
  server.headersTimeout = 15_000;
  server.requestTimeout = definition.requestTimeoutMs ?? REQUEST_TIMEOUT_MS;
  server.keepAliveTimeout = 75_000;
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
      { provide: Tracing, useValue: tracing },
      { provide: EndedRequests, useValue: ended },
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
    exports: SHARED_PROVIDERS,
  };
  const createApp = async (): Promise<NestExpressApplication> => {
    const app = await NestFactory.create<NestExpressApplication>(root, adapter, {
      logger: new NestLogger(logger),
      bodyParser: false,
      abortOnError: false,
    });
    // They run after the global guards of the modules (`APP_GUARD`): a call without a valid key gets 401, is not counted, and its
    // body is not read. A call waits for its turn after its body has arrived.
    const traces = tracing.isOn ? [new TraceGuard(tracing)] : [];
    app.useGlobalGuards(app.get(KeyThrottlerGuard), app.get(InputGuard), ...traces, app.get(AdmissionGuard));
    registerPoolMetrics(registry, { main: app.get(Pool), commits: app.get(CommitPools).of(false) });
    app.disable('x-powered-by');
    app.disable('etag');
    app.set('query parser', false);
    app.set('trust proxy', trustProxySetting(config.TRUST_PROXY));
    app.use(requestContext({ metrics: new HttpMetrics(registry), log: logger, tracing, ended }));
    app.useGlobalFilters(errorFilter);
    const { callsPerMinute } = definition;
    if (callsPerMinute) app.set(CALLS_PER_MINUTE, (path: string) => callsPerMinute(config, path));
    describeApi(app, definition, (read) => definition.factsOf?.(read, config) ?? {});
    return app;
  };
  await listen(server, config);
  const { port } = server.address() as AddressInfo;
  let app: NestExpressApplication;
  try {
    await starting.during('database', () =>
      untilConnected(connectionOptions(config, definition.name), {
        onFailure: (attempt) => logger.warn({ ...attempt }, 'waiting for PostgreSQL'),
      }),
    );
    app = await createApp();
    await app.init();
  } catch (error) {
    server.close();
    server.closeAllConnections();
    throw error;
  }
  adapter.serve();
  if (definition.pacesRequests) paceRequests(server);
  logger.info({ port, role: config.ROLE }, `${definition.name} is listening`);
  const { SHUTDOWN_DELAY_MS: delayMs, SHUTDOWN_GRACE_MS: graceMs } = config;
  const hurry = new AbortController();
  const stop = async (): Promise<void> => {
    health.stop();
    // Node.js closes the connection after a response with this header, and the next call opens one to another process.
    server.prependListener('request', (_, response: ServerResponse) => (response.shouldKeepAlive = false));
    if (delayMs > 0) {
      logger.info({ delayMs }, `${definition.name} is not ready any more and takes calls until the end of the delay`);
      await delay(delayMs, undefined, { signal: hurry.signal }).catch(() => undefined);
    }
    health.endCalls();
    // Closes the listener and idle connections; open requests are completed.
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeIdleConnections();
    const idle = setInterval(() => server.closeIdleConnections(), 50);
    const cut = setTimeout(() => server.closeAllConnections(), graceMs);
    await closed;
    clearInterval(idle);
    clearTimeout(cut);
    await app.close();
    limiter.close();
    await tracing.stop();
    logger.info({}, `${definition.name} has stopped`);
    logger.flush();
  };
  let stopping: Promise<void> | null = null;
  return {
    name: definition.name,
    port,
    app,
    graceMs,
    stop: () => {
      if (stopping) hurry.abort();
      return (stopping ??= stop());
    },
  };
}

/** Resolves when the server listens; rejects with the error of the system, such as EADDRINUSE. */
async function listen(server: Server, { PORT: port, HOST: host }: ServiceConfig): Promise<void> {
  server.listen(port, host);
  await once(server, 'listening');
}
