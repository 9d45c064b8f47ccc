import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { workspaceRoot } from './workspace-copy';

/** The settings of docker/.env.example, with the secret that its reader has to make up. */
export const exampleSettings: Record<string, string | undefined> = {
  ...parseEnv(readFileSync(path.join(workspaceRoot, 'docker/.env.example'), 'utf8')),
  // An example of it would be used as it is.
  EMAIL_TOKEN_SECRET: 'made-up-by-the-operator',
};
