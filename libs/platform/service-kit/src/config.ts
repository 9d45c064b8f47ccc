import { z } from 'zod';

/** Thrown at the start when environment variables are missing or invalid. The message lists all of them. */
export class ConfigError extends Error {}

/**
 * Reads the configuration from environment variables. An empty value counts as unset. Throws a ConfigError that lists
 * all invalid variables.
 */
export function loadConfig<S extends z.ZodObject>(
  schema: S,
  environment: Record<string, string | undefined>,
): z.output<S> {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map(({ path, message }) => `  ${path.join('.')}: ${message}`);
  throw new ConfigError(`these environment variables are missing or invalid:\n${lines.join('\n')}`);
}

/** A boolean variable. */
export const flagSetting = (byDefault: boolean) =>
  z
    .enum(['true', 'false', '1', '0'])
    .default(byDefault ? 'true' : 'false')
    .transform((text) => text === 'true' || text === '1');
