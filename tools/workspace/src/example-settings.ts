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
};
