import { APPEND, READ, WRITE, type TableAccess } from '@heliograph/database';

/** The tables of a service that authenticates API keys and access tokens. */
export const KEY_ACCESS: TableAccess = {
  'auth.api_key_uses': WRITE,
  'auth.api_keys': READ,
  'auth.requests': APPEND,
  'tenancy.organizations': READ,
  'tenancy.workspaces': READ,
  'users.access_tokens': READ,
  'users.members': READ,
  'users.sessions': READ,
  'users.users(id, email, email_verified_at)': READ,
};
