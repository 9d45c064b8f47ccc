import type { DatabaseConfig } from '@heliograph/database';
import { z } from 'zod';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** Configuration of every service. */
export const serviceConfigSchema = z.object({
  PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65_535)
    .default(3000)
    .meta({ description: 'Port of the HTTP listener; 0 selects a free one.', example: '3000' }),
  HOST: z.string().default('0.0.0.0').meta({ description: 'Address of the HTTP listener.', example: '0.0.0.0' }),
  LOG_LEVEL: z
    .enum(LOG_LEVELS)
    .default('info')
    .meta({ description: 'Least severe level of the entries in the log.', example: 'info' }),
  TRUST_PROXY: z.string().optional().meta({
    description: 'Trusted proxies for X-Forwarded-For. Unset: none.',
    form: 'IP addresses or CIDR ranges, separated by commas, or the number of proxies',
    example: '10.0.0.0/8',
  }),
  REDIS_URL: z
    .string()
    .regex(/^rediss?:\/\//, 'must be a redis:// or rediss:// URL')
    .optional()
    .meta({
      description:
        'Redis, which counts the calls of all processes for the rate limits. Unset: limits are counted in each process separately.',
      form: 'a redis:// or rediss:// URL',
      example: 'redis://redis:6379',
      secret: true,
      production: 'required',
    }),
  REDIS_TIMEOUT_MS: z.coerce.number().int().min(10).max(60_000).default(250).meta({
    description: 'Maximum time that a call waits for Redis. After that, the call is counted in this process.',
  }),
  ROLE: z.enum(['all', 'api', 'worker']).default('all').meta({
    description: 'What the process does. `all`: HTTP and workers; `api` or `worker`: only one of them.',
    example: 'api',
  }),
  PUBLIC_BASE_URL: z.url().optional().meta({
    description: 'Base URL under which callers reach the services.',
    example: 'https://messaging.example.com',
    production: 'https',
  }),
  MESSAGING_RATE_PER_MINUTE: z.coerce
    .number()
    .int()
    .min(0)
    .default(10_000)
    .meta({ description: 'Calls per minute and API key; 0 disables the limit.' }),
  SHUTDOWN_DELAY_MS: z.coerce
    .number()
    .int()
    .min(0)
    .max(600_000)
    .default(0)
    .meta({
      description:
        'Time between SIGTERM and the close of the listener, during which the process reports that it is not ready and still takes calls, so ' +
        'that load balancers stop sending them. Longer than the interval of their checks.',
      example: '5000',
    }),
  SHUTDOWN_GRACE_MS: z.coerce.number().int().min(0).default(20_000).meta({
    description:
      'Maximum time during which a stopping process completes the calls in progress. After it, open calls are aborted.',
  }),
  WORKER_NICENESS: z.coerce.number().int().min(0).max(19).default(5).meta({
    description:
      'The niceness of a process without HTTP calls (roles `worker` and `webhooks`), from 0 to 19: calls that somebody waits for get the processor first. A worker that is alone gets all of it.',
  }),
  BUILD_VERSION: z
    .string()
    .default('development')
    .meta({ description: 'The version of the release, for the metric `build_info`. Images set it.', example: '1.0.0' }),
  BUILD_REVISION: z.string().default('unknown').meta({
    description: 'The revision of the source, for the metric `build_info`. Images set it.',
    example: '3951d1fd',
  }),
  OTEL_SDK_DISABLED: z
    .stringbool()
    .default(false)
    .meta({ description: 'Turns traces off although an endpoint is configured.', form: '`true` or `false`' }),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url().optional().meta({
    description:
      'Base URL of an OpenTelemetry collector (OTLP over HTTP). Unset: no traces. The other standard variables, such as `OTEL_TRACES_SAMPLER`, `OTEL_RESOURCE_ATTRIBUTES` and `OTEL_EXPORTER_OTLP_HEADERS`, take effect too.',
    example: 'http://otel-collector:4318',
  }),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: z.url().optional().meta({
    description: 'The complete URL for traces, instead of that under `OTEL_EXPORTER_OTLP_ENDPOINT`.',
    example: 'http://otel-collector:4318/v1/traces',
  }),
  OTEL_SERVICE_NAME: z.string().optional().meta({
    description: 'The name of the service in traces. Unset: that of the service, such as `sms-api`.',
    example: 'sms-api',
  }),
  PERIODIC_INTERVAL_FACTOR: z.coerce
    .number()
    .min(0.01)
    .max(10)
    .default(1)
    .meta({ description: 'Multiplies the intervals of periodic tasks. Tests shorten them.' }),
});

/** What a process does. Each service accepts those roles that it has. */
export type Role = 'all' | 'api' | 'worker' | 'webhooks';

export type ServiceConfig = Omit<z.output<typeof serviceConfigSchema>, 'ROLE'> & DatabaseConfig & { ROLE: Role };

/** Converts the variable to the value of Express' `trust proxy`. */
export function trustProxySetting(setting: string | undefined): false | number | string[] {
  if (setting === undefined || setting === 'false') return false;
  if (/^\d+$/.test(setting)) return Number(setting);
  return setting.split(',').map((address) => address.trim());
}
