import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const root = path.join(__dirname, '../../..');

/** Makes the command `heliograph` in a folder. Resolves with the folder, for `PATH`. */
export async function installCli(folder: string): Promise<string> {
  const built = path.join(folder, 'cli');
  await promisify(execFile)(process.execPath, [path.join(root, 'tools/build/build-cli.mjs'), built]);
  const bin = path.join(folder, 'bin');
  mkdirSync(bin, { recursive: true });
  const command = path.join(bin, 'heliograph');
  writeFileSync(command, `#!/bin/sh\nexec "${process.execPath}" "${path.join(built, 'heliograph.mjs')}" "$@"\n`);
  chmodSync(command, 0o755);
  return bin;
}
