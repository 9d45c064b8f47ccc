import { findTarget } from '@heliograph/provision';
import { LOCAL_SECRETS } from '@heliograph/service-kit';

/** Without DATABASE_URL, the commands operate on the running local stack, which is found through DATA_DIR. */
export function useLocalStack(): void {
  if (process.env['DATABASE_URL'] || process.env['DATABASE_URL_FILE']) return;
  const target = findTarget(process.cwd());
  if (target === null) return;
  process.env['DATABASE_URL'] = target.databaseUrl;
  setByDefault('PERSON_HASH_KEYS', LOCAL_SECRETS.personHashKey);
  setByDefault('SECRETS_KEYS', LOCAL_SECRETS.secretsKeys);
  setByDefault('EMAIL_SECRETS_KEYS', LOCAL_SECRETS.secretsKeys);
}

function setByDefault(name: string, value: string): void {
  if (!process.env[`${name}_FILE`]) process.env[name] ||= value;
}
