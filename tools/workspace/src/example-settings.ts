import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { workspaceRoot } from './workspace-copy';

/** Secrets that others give to the operator, and those that `docker/create-secrets.mjs` creates. */
export const exampleSecrets = {
  SMS_CARRIERS: JSON.stringify([
    {
      name: 'main',
      host: 'smpp.carrier.example',
      port: 2775,
      systemId: 'account',
      password: 'secret',
    },
  ]),
  EMAIL_SMTP_URL: 'smtp://account:secret@submission.provider.example:587',
  EMAIL_TOKEN_SECRET: 'made-up-by-the-operator',
  CHATAPP_APP_SECRET: 'told-by-the-platform',
  PERSON_HASH_KEYS: 'made-up-by-the-operator-0123456789abcdef',
  SECRETS_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
  EMAIL_SECRETS_KEYS: `k1:${Buffer.alloc(32, 2).toString('base64')}`,
};

/** The variables of docker/.env.example, with values for the secrets. */
export const exampleSettings: Record<string, string | undefined> = {
  ...parseEnv(readFileSync(path.join(workspaceRoot, 'docker/.env.example'), 'utf8')),
  ...exampleSecrets,
};
