import { z } from 'zod';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** Settings of every service. */
export const platformSettings = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  HOST: z.string().default('0.0.0.0'),
  LOG_LEVEL: z.enum(LOG_LEVELS).default('info'),
  /** Addresses (comma separated, CIDRs allowed) or count of the proxies whose X-Forwarded-For is believed. */
  TRUST_PROXY: z.string().optional(),
  /** Unset: limits are counted in this process alone. */
  REDIS_URL: z
    .string()
    .regex(/^rediss?:\/\//, 'must be a redis:// address')
    .optional(),
  /** How long a call waits for Redis before it is counted in this process. */
  REDIS_TIMEOUT_MS: z.coerce.number().int().min(10).max(60_000).default(250),
  /** all: answers HTTP and works on its queues. api, worker: one of the two. */
  ROLE: z.enum(['all', 'api', 'worker']).default('all'),
  /** The address that callers know the service by. */
  PUBLIC_BASE_URL: z.url().optional(),
  /** Calls a minute and key; 0: no limit. */
  MESSAGING_RATE_PER_MINUTE: z.coerce.number().int().min(0).default(10_000),
  /** How long a stop may take before what is still under way is cut. */
  SHUTDOWN_GRACE_MS: z.coerce.number().int().min(0).default(20_000),
});

export type PlatformSettings = z.output<typeof platformSettings>;

/** What Express takes as `trust proxy`. */
export function trustProxySetting(setting: string | undefined): false | number | string[] {
  if (setting === undefined || setting === 'false') return false;
  if (/^\d+$/.test(setting)) return Number(setting);
  return setting.split(',').map((address) => address.trim());
}
