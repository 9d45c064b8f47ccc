import { z } from 'zod';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** Configuration of every service. */
export const serviceConfigSchema = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  HOST: z.string().default('0.0.0.0'),
  LOG_LEVEL: z.enum(LOG_LEVELS).default('info'),
  /**
   * Trusted proxies for X-Forwarded-For: IP addresses or CIDR ranges, separated by commas, or the number of proxies.
   */
  TRUST_PROXY: z.string().optional(),
  /** Unset: limits are counted in each process separately. */
  REDIS_URL: z
    .string()
    .regex(/^rediss?:\/\//, 'must be a redis:// or rediss:// URL')
    .optional()
    .meta({ production: 'required' }),
  /** Maximum time that a call waits for Redis. After that, the call is counted in this process. */
  REDIS_TIMEOUT_MS: z.coerce.number().int().min(10).max(60_000).default(250),
  /** `all`: HTTP and workers. `api` or `worker`: only one of them. A service may have further roles. */
  ROLE: z.enum(['all', 'api', 'worker']).default('all'),
  /** The public base URL of the service. */
  PUBLIC_BASE_URL: z.url().optional().meta({ production: 'https' }),
  /** Calls per minute and key; 0: no limit. */
  MESSAGING_RATE_PER_MINUTE: z.coerce.number().int().min(0).default(10_000),
  /** Maximum duration of a shutdown before open calls are aborted. */
  SHUTDOWN_GRACE_MS: z.coerce.number().int().min(0).default(20_000),
  /**
   * The niceness of a process without HTTP calls (roles `worker` and `webhooks`), from 0 to 19: calls that somebody waits for get
   * the processor first. A worker that is alone gets all of it.
   */
  WORKER_NICENESS: z.coerce.number().int().min(0).max(19).default(5),
  /** Multiplies the intervals of periodic tasks. Tests shorten them. */
  PERIODIC_INTERVAL_FACTOR: z.coerce.number().min(0.01).max(10).default(1),
});

/** What a process does. Each service accepts those roles that it has. */
export type Role = 'all' | 'api' | 'worker' | 'webhooks';

export type ServiceConfig = Omit<z.output<typeof serviceConfigSchema>, 'ROLE'> & { ROLE: Role };

/** Converts the variable to the value of Express' `trust proxy`. */
export function trustProxySetting(setting: string | undefined): false | number | string[] {
  if (setting === undefined || setting === 'false') return false;
  if (/^\d+$/.test(setting)) return Number(setting);
  return setting.split(',').map((address) => address.trim());
}
