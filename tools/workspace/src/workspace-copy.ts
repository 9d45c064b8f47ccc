import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export const workspaceRoot = path.resolve(__dirname, '../../..');

const LEFT_OUT = new Set(['.git', '.nx', '.data', 'node_modules', 'dist', 'tmp', 'coverage']);
const TIMEOUT_MS = 300_000;

export interface CommandResult {
  status: number;
  /** What it printed, errors included. */
  output: string;
}

/** Runs a command to its end, whatever the end. Nothing of an nx that runs us is handed on to an nx below. */
export function runCommand(
  cwd: string,
  command: string,
  args: string[],
  env: NodeJS.ProcessEnv = {},
): Promise<CommandResult> {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(NX_|JEST_|NODE_ENV$|FORCE_COLOR$)/.test(name));
  const options = {
    cwd,
    env: { ...Object.fromEntries(inherited), NX_DAEMON: 'false', NO_COLOR: '1', ...env },
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

/** What a command printed; throws that when the command failed. */
export function outputOf({ status, output }: CommandResult): string {
  if (status !== 0) throw new Error(`ended with ${status}:\n${output}`);
  return output;
}

/**
 * The workspace (or the given files and folders of it) as it lies on the disk, in a temporary folder with the same node_modules: what is planted or built
 * there disturbs nobody who works in the real one.
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

  write(file: string, content: string): void {
    const target = path.join(this.root, file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, content);
  }

  /** Adds an import path, as tsconfig.base.json has one for each lib. */
  alias(name: string, file: string): void {
    const config = JSON.parse(readFileSync(path.join(this.root, 'tsconfig.base.json'), 'utf8')) as {
      compilerOptions: { paths: Record<string, string[]> };
    };
    config.compilerOptions.paths[name] = [`./${file}`];
    this.write('tsconfig.base.json', JSON.stringify(config));
  }

  nx(...args: string[]): Promise<CommandResult> {
    return runCommand(this.root, process.execPath, [path.join(this.root, 'node_modules/nx/dist/bin/nx.js'), ...args]);
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
