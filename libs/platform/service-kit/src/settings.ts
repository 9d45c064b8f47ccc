import { z } from 'zod';

/** Thrown at the start when settings are missing or wrong; its message lists all of them. */
export class SettingsError extends Error {}

/**
 * Reads settings from an environment. An empty value means not set. Throws a SettingsError that names every wrong
 * setting at once, so that nobody has to start a service as often as it has settings.
 */
export function loadSettings<S extends z.ZodObject>(
  schema: S,
  environment: Record<string, string | undefined>,
): z.output<S> {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map(({ path, message }) => `  ${path.join('.')}: ${message}`);
  throw new SettingsError(`these settings are missing or wrong:\n${lines.join('\n')}`);
}

/** A setting that is on or off. */
export const flagSetting = (byDefault: boolean) =>
  z
    .enum(['true', 'false', '1', '0'])
    .default(byDefault ? 'true' : 'false')
    .transform((text) => text === 'true' || text === '1');
