import { z } from 'zod';
import { describeIssue } from './describe-issue';
import { givenSettings, type Environment } from './environment.config';
import { enforcesProduction, unsafeVariables } from './production-rules';
import { describeType, metaOf } from './setting-type';

/** Thrown at the start when settings are missing or invalid. The message lists all of them. */
export class ConfigError extends Error {
  /** @param problems One line for each problem: the name of the setting, what is wrong, what the setting means, and an example. */
  constructor(readonly problems: readonly string[]) {
    super(
      `these environment variables are missing, invalid or unsafe:\n${problems.map((line) => `  ${line}`).join('\n')}`,
    );
  }
}

/**
 * Reads the configuration from environment variables and the files that they name. Throws a ConfigError that lists all invalid
 * settings and, in production, all settings whose values are not safe there.
 */
export function loadConfig<S extends z.ZodObject>(schema: S, environment: Environment): z.output<S> {
  const given = givenSettings(Object.keys(schema.shape), environment);
  const parsed = schema.safeParse(given.values, { error: describeIssue });
  const unsafe = enforcesProduction(environment) ? unsafeVariables(schema, given.values) : [];
  if (parsed.success && unsafe.length === 0 && given.problems.length === 0) return parsed.data;
  const unread = new Set(given.problems.map(([name]) => name.replace(/_FILE$/, '')));
  const invalid = (parsed.error?.issues ?? [])
    .map(({ path, message }) => [path.join('.'), message] as const)
    .filter(([name]) => !unread.has(name));
  const known = new Set([...unread, ...invalid.map(([name]) => name)]);
  const problems = [...given.problems, ...invalid, ...unsafe.filter(([name]) => !known.has(name))];
  throw new ConfigError(problems.map(([name, problem]) => `${name}: ${problem}${helpOf(schema, name)}`));
}

/**
 * The option `when` of a rule about several settings. The rule is checked if each of these settings is valid by itself, also if others
 * are invalid, so that one error lists all problems.
 */
export const whenValid =
  (...names: readonly string[]) =>
  ({ issues }: z.core.ParsePayload): boolean =>
    !issues.some(({ path }) => names.includes(String(path?.[0])));

/** The meaning of a setting and an example, as the rest of the line about its problem. */
function helpOf({ shape }: z.ZodObject, name: string): string {
  const setting = shape[name];
  if (setting === undefined) return '';
  const { description, example } = metaOf(setting);
  const sentences = [description, `It must be ${describeType(name, setting)}.`, example && `Example: ${example}`];
  return `. ${sentences.filter(Boolean).join(' ')}`;
}

/** A boolean variable. */
export const flagSetting = (byDefault: boolean) =>
  z
    .enum(['true', 'false', '1', '0'])
    .default(byDefault ? 'true' : 'false')
    .transform((text) => text === 'true' || text === '1');

/** A secret of the other side of a connection: one, or the old and the new one during a rotation. */
export const rotatedSecretSetting = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((secret) => secret.trim())
      .filter((secret) => secret !== ''),
  )
  .refine((secrets) => secrets.length === 1 || secrets.length === 2, 'must be one secret, or two during a rotation');

/** How a rotated secret is written, for the reference of all settings. */
export const ROTATED_SECRET_FORM = 'one secret, or two separated by a comma';
