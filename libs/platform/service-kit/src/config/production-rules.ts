import { hasLocalKey } from '@heliograph/secrets';
import { z } from 'zod';
import type { Environment } from './environment.config';
import { LOCAL_SECRETS } from './local-secrets';
import { metaOf, type ProductionRule } from './setting-type';

/** Credentials that RabbitMQ and the examples of this repository use by default. */
const DEFAULT_CREDENTIALS = ['guest:guest@', 'heliograph:heliograph@'];

/** Decides whether the rules for production apply. Every service and tool reads it. */
export const productionConfigSchema = z.object({
  NODE_ENV: z.string().optional().meta({
    description: '`production` applies the rules for production to all settings. The images set it.',
    example: 'production',
  }),
  ALLOW_UNSAFE_SETTINGS: z.string().optional().meta({
    description: '`true` disables the rules for production, for tests of production builds on one machine.',
    form: '`true`, or unset',
    example: 'true',
  }),
});

/** True for production, unless the operator allows unsafe values: for tests of production builds on one machine. */
export const enforcesProduction = ({ NODE_ENV, ALLOW_UNSAFE_SETTINGS }: Environment): boolean =>
  NODE_ENV === 'production' && ALLOW_UNSAFE_SETTINGS !== 'true';

/** The variables whose values are not safe in production, with reasons. */
export function unsafeVariables(schema: z.ZodObject, environment: Environment): [name: string, problem: string][] {
  return Object.entries(schema.shape).flatMap(([name, setting]): [string, string][] => {
    const value = environment[name] ?? '';
    const problem = problemOf(value, metaOf(setting).production) ?? publishedSecretIn(value);
    return problem === null ? [] : [[name, problem]];
  });
}

function problemOf(value: string, rule: ProductionRule | undefined): string | null {
  if (rule === 'off') return /^(true|1)$/.test(value) ? 'must not be enabled in production' : null;
  if (value === '') return rule === 'required' || rule === 'https' ? 'must be set in production' : null;
  const isPlain = (rule === 'https' || rule === 'https-if-set') && /(^|,)\s*http:\/\//i.test(value);
  return isPlain ? 'must be an https URL in production' : null;
}

function publishedSecretIn(value: string): string | null {
  const parts = value.split(/[\s,"]+/);
  const isPublished = hasLocalKey(value) || Object.values(LOCAL_SECRETS).some((secret) => parts.includes(secret));
  if (isPublished) return 'is a secret of the local stack, which is public: create your own';
  const isDefault = DEFAULT_CREDENTIALS.some((credentials) => value.includes(credentials));
  return isDefault ? 'has default credentials, which are public: create your own' : null;
}
