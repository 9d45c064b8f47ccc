import { spawn, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { poll } from './poll';

/** Clock ticks per second in /proc; 100 on every Linux that Node.js supports. */
const TICKS = 100;

const running = new Set<ChildProcess>();
// Child processes must not outlive this process, however it ends.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1));

/**
 * The options of Node.js for services, as in docker/Dockerfile. By default V8 lets garbage in the old space grow to 512 MB, or to
 * several times the live objects, before it collects it. These options bound it to half of the live objects. The larger
 * space for new objects keeps those of requests in progress from being copied.
 */
export const NODE_OPTIONS_OF_SERVICES = [
  '--enable-source-maps',
  '--initial-old-space-size=64',
  '--heap-growing-percent=50',
  '--max-semi-space-size=32',
] as const;

/** A log entry of the levels trace to info. */
const ROUTINE_ENTRY = /^\{"level":[123]0,/;

/** A child process that runs an entry point of the same bundle. */
export class ToolProcess {
  private readonly lines: string[] = [];
  private readonly child: ChildProcess;

  constructor(
    readonly name: string,
    entry: string,
    environment: Record<string, string> = {},
    args: string[] = [],
  ) {
    // PROFILE=<name> writes a CPU profile of that process to tmp/profiles when it exits.
    const profile = process.env['PROFILE'] === name ? ['--cpu-prof', '--cpu-prof-dir=tmp/profiles'] : [];
    this.child = spawn(
      process.execPath,
      [...profile, ...NODE_OPTIONS_OF_SERVICES, path.join(__dirname, `${entry}.js`), ...args],
      {
        env: {
          ...process.env,
          NODE_ENV: 'production',
          ALLOW_UNSAFE_SETTINGS: 'true',
          // LOG_LEVEL=info measures the log lines of requests and messages.
          LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'warn',
          ...environment,
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    running.add(this.child);
    this.child.once('exit', () => running.delete(this.child));
    let rest = '';
    this.child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      const parts = (rest + chunk).split('\n');
      rest = parts.pop() ?? '';
      for (const line of parts) {
        // Warnings and errors are forwarded to the terminal; every other line that is no log entry is a message to the parent process.
        if (ROUTINE_ENTRY.test(line)) continue;
        if (line.startsWith('{"level"')) process.stderr.write(`${line}\n`);
        else this.lines.push(line);
      }
    });
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  get exited(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** Reads the next message of the process, a line of JSON. */
  async nextJson<T>(timeoutMs = 30_000): Promise<T> {
    for (const deadline = Date.now() + timeoutMs; Date.now() < deadline; await delay(5)) {
      const line = this.lines.shift();
      if (line === undefined) {
        if (this.exited) throw new Error(`${this.name} exited with ${this.child.exitCode ?? this.child.signalCode}`);
        continue;
      }
      return JSON.parse(line) as T;
    }
    throw new Error(`${this.name} printed no message within ${timeoutMs} ms`);
  }

  signal(signal: NodeJS.Signals): void {
    if (!this.exited) this.child.kill(signal);
  }

  /** Resolves when the process has exited, with its exit code or the signal that ended it. */
  waitForExit(): Promise<number | string> {
    const outcome = (): number | string => this.child.exitCode ?? this.child.signalCode ?? 'unknown';
    if (this.exited) return Promise.resolve(outcome());
    return new Promise((resolve) => this.child.once('exit', () => resolve(outcome())));
  }

  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | string> {
    const exit = this.waitForExit();
    this.signal(signal);
    return exit;
  }

  cpuSeconds(): number {
    return cpuOf(this.pid);
  }

  /** Returns the resident memory in MB. */
  memoryMb(): number {
    const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${this.pid}/status`, 'utf8'))?.[1];
    return Number(kilobytes ?? 0) / 1024;
  }
}

function cpuOf(pid: number | string): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  // utime and stime, also of children that have exited.
  return [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index] ?? 0), 0) / TICKS;
}

/** Returns the CPU seconds used so far by all processes with this command name, such as the database or the broker. */
export function cpuOfCommand(command: string): number {
  let sum = 0;
  for (const pid of readdirSync('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    try {
      if (readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === command) sum += cpuOf(pid);
    } catch {
      // The process has exited in the meantime.
    }
  }
  return sum;
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Waits until a service reports that it is ready. */
export async function untilReady(port: number, timeoutMs = 30_000): Promise<void> {
  const isReady = (): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  if (!(await poll(isReady, { timeoutMs }))) throw new Error(`No service became ready on port ${port}.`);
}
