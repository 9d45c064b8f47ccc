import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export const workspaceRoot = path.resolve(__dirname, '../../..');

const LEFT_OUT = new Set(['.git', '.nx', '.data', 'node_modules', 'dist', 'tmp', 'coverage']);
const TIMEOUT_MS = 300_000;

export interface CommandResult {
  status: number;
  /** Standard output, then standard error. */
  output: string;
}

/** The environment of a child process, without variables of the Nx or Jest process that runs this code. */
export function inheritedEnvironment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(NX_|JEST_|NODE_ENV$|FORCE_COLOR$)/.test(name));
  return { ...Object.fromEntries(inherited), NX_DAEMON: 'false', NO_COLOR: '1' };
}

/** Runs a command until it exits. Resolves with its exit code and output. */
export function runCommand(
  cwd: string,
  command: string,
  args: string[],
  env: NodeJS.ProcessEnv = {},
): Promise<CommandResult> {
  const options = {
    cwd,
    env: { ...inheritedEnvironment(), ...env },
    maxBuffer: 64 * 1024 * 1024,
    timeout: TIMEOUT_MS,
  };
  return new Promise((resolve) => {
    execFile(command, args, options, (error, stdout, stderr) => {
      const status = error ? (typeof error.code === 'number' ? error.code : 1) : 0;
      resolve({ status, output: stdout + stderr });
    });
  });
}

/** The output of a command. Throws an error with that output when the command failed. */
export function outputOf({ status, output }: CommandResult): string {
  if (status !== 0) throw new Error(`the command exited with ${status}:\n${output}`);
  return output;
}

/**
 * A copy of the workspace, or of the given files and folders of it, in a temporary folder with the same node_modules.
 * Tests build and generate there, without a change to the real one.
 */
export class WorkspaceCopy {
  readonly root = realpathSync(mkdtempSync(path.join(tmpdir(), 'heliograph-workspace-')));

  constructor(sources = ['.']) {
    const filter = (source: string) => !LEFT_OUT.has(path.basename(source));
    for (const source of sources) {
      cpSync(path.join(workspaceRoot, source), path.join(this.root, source), { recursive: true, filter });
    }
    symlinkSync(path.join(workspaceRoot, 'node_modules'), path.join(this.root, 'node_modules'));
  }

  nx(...args: string[]): Promise<CommandResult> {
    return runCommand(this.root, process.execPath, [path.join(this.root, 'node_modules/nx/dist/bin/nx.js'), ...args]);
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
