import { execFile } from 'node:child_process';
import path from 'node:path';

export interface CommandResult {
  succeeded: boolean;
  output: string;
}

/** Runs `npm run ops -- <args>` with an environment. */
export function ops(
  root: string,
  args: readonly string[],
  environment: Record<string, string>,
): Promise<CommandResult> {
  const env = { ...process.env, ...environment };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [path.join(root, 'tools/ops.mjs'), ...args],
      { cwd: root, env },
      (error, stdout, stderr) => resolve({ succeeded: error === null, output: `${stdout}${stderr}`.trim() }),
    );
  });
}
