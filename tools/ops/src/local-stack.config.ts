import { findTarget } from '@heliograph/provision';
import { LOCAL_SECRETS } from '@heliograph/service-kit';

/** Without DATABASE_URL, the commands operate on the running local stack, which is found through DATA_DIR. */
export function useLocalStack(): void {
  if (process.env['DATABASE_URL']) return;
  const target = findTarget(process.cwd());
  if (target === null) return;
  process.env['DATABASE_URL'] = target.databaseUrl;
  process.env['PERSON_HASH_KEYS'] ||= LOCAL_SECRETS.personHashKey;
  process.env['SECRETS_KEYS'] ||= LOCAL_SECRETS.secretsKeys;
  process.env['EMAIL_SECRETS_KEYS'] ||= LOCAL_SECRETS.secretsKeys;
}
