import { z } from 'zod';
import { ConfigError, loadConfig } from './config';
import { enforcesProduction } from './production-rules';

const HOW_TO_FIX =
  'Set each of these variables to the value that the services of this deployment use. To create a key, run: ' +
  'echo "k1:$(openssl rand -base64 32)". ALLOW_UNSAFE_SETTINGS=true allows the published keys on your own machine.';

/**
 * Reads the keys with which a command encrypts secrets of a deployment. The services of the local stack use published
 * keys by default. Those of any other deployment cannot decrypt what such a key encrypted, so the production rules
 * apply, whatever NODE_ENV is. Throws a ConfigError that names the variables and says how to create a key.
 */
export function loadDeploymentSecrets<S extends z.ZodObject>(
  schema: S,
  environment: Record<string, string | undefined>,
  { isLocalStack }: { isLocalStack: boolean },
): z.output<S> {
  const production = { ...environment, NODE_ENV: 'production' };
  if (isLocalStack || !enforcesProduction(production))
    return loadConfig(schema, { ...environment, NODE_ENV: undefined });
  try {
    return loadConfig(schema, production);
  } catch (error) {
    throw error instanceof ConfigError ? new ConfigError([...error.problems, HOW_TO_FIX]) : error;
  }
}
