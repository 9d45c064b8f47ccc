import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { workspaceRoot } from './workspace-copy';

const example = parseEnv(readFileSync(path.join(workspaceRoot, 'docker/.env.example'), 'utf8'));
/** Passwords of the servers. The example has none. */
const passwords = Object.keys(example).filter((name) => name.endsWith('_PASSWORD') && example[name] === '');

/** The variables of docker/.env.example, with values for the secrets that the user must set. */
export const exampleSettings: Record<string, string | undefined> = {
  ...example,
  ...Object.fromEntries(passwords.map((name) => [name, 'chosen-by-the-operator'])),
  // The examples of secrets must not be used as they are.
  EMAIL_TOKEN_SECRET: 'made-up-by-the-operator',
  CHATAPP_APP_SECRET: 'told-by-the-platform',
  PERSON_HASH_KEYS: 'made-up-by-the-operator-0123456789abcdef',
  SECRETS_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
  EMAIL_SECRETS_KEYS: `k1:${Buffer.alloc(32, 2).toString('base64')}`,
};
