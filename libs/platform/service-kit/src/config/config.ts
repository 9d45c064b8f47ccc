import { z } from 'zod';
import { enforcesProduction, unsafeVariables } from './production-rules';

/** Thrown at the start when environment variables are missing or invalid. The message lists all of them. */
export class ConfigError extends Error {}

/**
 * Reads the configuration from environment variables. An empty value counts as unset. Throws a ConfigError that lists
 * all invalid variables and, in production, all variables whose values are not safe there.
 */
export function loadConfig<S extends z.ZodObject>(
  schema: S,
  environment: Record<string, string | undefined>,
): z.output<S> {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = schema.safeParse(given);
  const unsafe = enforcesProduction(environment) ? unsafeVariables(schema, given) : [];
  if (parsed.success && unsafe.length === 0) return parsed.data;
  const invalid = (parsed.error?.issues ?? []).map(({ path, message }) => [path.join('.'), message] as const);
  const isInvalid = (name: string) => invalid.some(([other]) => other === name);
  const problems = [...invalid, ...unsafe.filter(([name]) => !isInvalid(name))];
  const lines = problems.map(([name, problem]) => `  ${name}: ${problem}`);
  throw new ConfigError(`these environment variables are missing, invalid or unsafe:\n${lines.join('\n')}`);
}

/** A boolean variable. */
export const flagSetting = (byDefault: boolean) =>
  z
    .enum(['true', 'false', '1', '0'])
    .default(byDefault ? 'true' : 'false')
    .transform((text) => text === 'true' || text === '1');
