import { spawn, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Clock ticks per second of /proc; 100 on every Linux that Node runs on. */
const TICKS = 100;

const running = new Set<ChildProcess>();
// Whatever ends this process, nothing that it has started outlives it.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1));

/** A process of a bench or of a fault run, started from an entry point in the same bundle. */
export class ToolProcess {
  private readonly lines: string[] = [];
  private readonly child: ChildProcess;

  constructor(
    readonly name: string,
    entry: string,
    environment: Record<string, string> = {},
    args: string[] = [],
  ) {
    // PROFILE=worker, for one, leaves a CPU profile of that process in tmp/profiles when it ends.
    const profile = process.env['PROFILE'] === name ? ['--cpu-prof', '--cpu-prof-dir=tmp/profiles'] : [];
    this.child = spawn(
      process.execPath,
      [...profile, '--enable-source-maps', path.join(__dirname, `${entry}.js`), ...args],
      {
        env: { ...process.env, NODE_ENV: 'production', LOG_LEVEL: 'warn', ...environment },
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
        // What a service logs is for whoever watches; everything else is an answer to us.
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

  /** The next line that is not an entry of the log. */
  async nextJson<T>(timeoutMs = 30_000): Promise<T> {
    for (const deadline = Date.now() + timeoutMs; Date.now() < deadline; await delay(5)) {
      const line = this.lines.shift();
      if (line === undefined) {
        if (this.exited) throw new Error(`${this.name} ended with ${this.child.exitCode ?? this.child.signalCode}`);
        continue;
      }
      return JSON.parse(line) as T;
    }
    throw new Error(`${this.name} said nothing in ${timeoutMs} ms`);
  }

  signal(signal: NodeJS.Signals): void {
    if (!this.exited) this.child.kill(signal);
  }

  /** Resolves when it has ended, with its exit code or the signal that ended it. */
  ended(): Promise<number | string> {
    const outcome = (): number | string => this.child.exitCode ?? this.child.signalCode ?? 'nothing';
    if (this.exited) return Promise.resolve(outcome());
    return new Promise((resolve) => this.child.once('exit', () => resolve(outcome())));
  }

  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | string> {
    const ended = this.ended();
    this.signal(signal);
    return ended;
  }

  cpuSeconds(): number {
    return cpuOf(this.pid);
  }

  /** Resident memory in MB. */
  memoryMb(): number {
    const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${this.pid}/status`, 'utf8'))?.[1];
    return Number(kilobytes ?? 0) / 1024;
  }
}

function cpuOf(pid: number | string): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  // utime and stime, and those of children that have ended.
  return [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index] ?? 0), 0) / TICKS;
}

/** CPU seconds so far of all processes with this command name (the database, the broker). */
export function cpuOfCommand(command: string): number {
  let sum = 0;
  for (const pid of readdirSync('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    try {
      if (readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === command) sum += cpuOf(pid);
    } catch {
      // It ended while we looked.
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

/** Waits until a service answers its readiness. */
export async function untilReady(port: number, timeoutMs = 30_000): Promise<void> {
  for (const deadline = Date.now() + timeoutMs; Date.now() < deadline; await delay(50)) {
    const ready = await fetch(`http://127.0.0.1:${port}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (ready) return;
  }
  throw new Error(`nothing is ready on port ${port}`);
}
