import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { workspaceRoot } from './workspace-copy';

/** The variables of docker/.env.example, with values for the secrets that the user must fill in. */
export const exampleSettings: Record<string, string | undefined> = {
  ...parseEnv(readFileSync(path.join(workspaceRoot, 'docker/.env.example'), 'utf8')),
  // The examples of secrets must not be used as they are.
  EMAIL_TOKEN_SECRET: 'made-up-by-the-operator',
  CHATAPP_APP_SECRET: 'told-by-the-platform',
  PERSON_HASH_KEYS: 'made-up-by-the-operator-0123456789abcdef',
  SECRETS_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
  EMAIL_SECRETS_KEYS: `k1:${Buffer.alloc(32, 2).toString('base64')}`,
  POSTGRES_PASSWORD: 'chosen-by-the-operator',
  RABBITMQ_PASSWORD: 'chosen-by-the-operator',
};
