import { spawn, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { until } from '@heliograph/testing';
import { Client } from 'pg';

const root = path.join(__dirname, '../../..');
const START_TIMEOUT_MS = 60_000;
const PORTS = 11;

/** A local stack with its own ports and data folder, started in the same way as `npm start`. */
export class StackProcess {
  readonly started: ChildProcess[] = [];

  private constructor(
    readonly port: number,
    readonly dataDir: string,
    /** Further environment variables, which may change before the start. */
    readonly settings: Record<string, string>,
    /** The folder of the workspace. */
    private readonly workspace: string,
  ) {}

  /** Reserves ports and a folder without starting the stack. */
  static async prepare(settings: Record<string, string> = {}, workspace = root): Promise<StackProcess> {
    return new StackProcess(await freePorts(), mkdtempSync(path.join(os.tmpdir(), 'stack-')), settings, workspace);
  }

  /** Resolves with the output when the stack is ready; rejects with it if the stack does not start. */
  async start(...args: string[]): Promise<{ child: ChildProcess; output: string }> {
    const { DATABASE_URL: _database, AMQP_URL: _bus, REDIS_URL: _limiter, ...env } = process.env;
    const own = { PORT: String(this.port), DATA_DIR: this.dataDir, PROVISION: '', KEY_PREFIX: '', ...this.settings };
    const child = spawn(process.execPath, ['tools/start.mjs', ...args], {
      cwd: this.workspace,
      env: { ...env, ...own },
    });
    this.started.push(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk));
    await until('the stack is ready or has failed', () => output.includes('is ready') || child.exitCode !== null, {
      timeoutMs: START_TIMEOUT_MS,
    });
    if (child.exitCode !== null) throw new Error(output);
    return { child, output };
  }

  /** Calls the control API of the simulators. Rejects if the status is not 200. */
  async control(method: string, route: string, body?: object): Promise<Record<string, unknown>> {
    const response = await fetch(`http://localhost:${this.port + 10}${route}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (response.status !== 200) throw new Error(`${method} ${route}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Record<string, unknown>;
  }

  /** The address of the database of the started stack. */
  get databaseUrl(): string {
    const state = JSON.parse(readFileSync(path.join(this.dataDir, 'stack.json'), 'utf8')) as { databaseUrl: string };
    return state.databaseUrl;
  }

  /** Runs one statement in the database of the started stack. */
  async query(text: string, values: unknown[] = []): Promise<void> {
    const client = new Client({ connectionString: this.databaseUrl });
    await client.connect();
    try {
      await client.query(text, values);
    } finally {
      await client.end();
    }
  }

  async remove(): Promise<void> {
    await Promise.all(this.started.map((child) => end(child, 'SIGTERM')));
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}

export async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
  return child.exitCode;
}

/** Returns the first of the required number of consecutive free ports. */
async function freePorts(): Promise<number> {
  for (;;) {
    const first = randomInt(20_000, 30_000);
    const free = await Promise.all(Array.from({ length: PORTS }, (_, index) => isFree(first + index)));
    if (free.every(Boolean)) return first;
  }
}

export function isFree(candidate: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(candidate, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
