import { ConfigError } from '../config/config';

/**
 * With the argument `--check-config`, prints for a person whether the configuration is valid, and returns true. The exit code is 1 if it
 * is not.
 */
export function checksConfig(name: string, load: () => unknown): boolean {
  if (!process.argv.includes('--check-config')) return false;
  try {
    load();
    console.log(`${name}: the configuration is valid`);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(`${name}: ${error.message}`);
    process.exitCode = 1;
  }
  return true;
}
