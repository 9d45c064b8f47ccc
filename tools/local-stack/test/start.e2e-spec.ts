import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { until } from '@heliograph/testing';

const root = path.join(__dirname, '../../..');
const START_TIMEOUT_MS = 60_000;
const PORTS = 11;

let dataDir: string;
let port: number;
const started: ChildProcess[] = [];

beforeAll(async () => {
  dataDir = mkdtempSync(path.join(os.tmpdir(), 'stack-'));
  port = await freePorts();
});

afterAll(async () => {
  await Promise.all(started.map((child) => end(child, 'SIGTERM')));
  rmSync(dataDir, { recursive: true, force: true });
});

/** The first of as many free ports in a row as the stack takes. */
async function freePorts(): Promise<number> {
  for (;;) {
    const first = randomInt(20_000, 30_000);
    const free = await Promise.all(Array.from({ length: PORTS }, (_, index) => isFree(first + index)));
    if (free.every(Boolean)) return first;
  }
}

function isFree(candidate: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(candidate, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}

/** Starts the stack as `npm start` does, and resolves with what it printed once it said that it is ready. */
async function start(...args: string[]): Promise<{ child: ChildProcess; output: string }> {
  const { DATABASE_URL: _database, AMQP_URL: _bus, REDIS_URL: _limiter, ...env } = process.env;
  const child = spawn(process.execPath, ['tools/start.mjs', ...args], {
    cwd: root,
    env: { ...env, PORT: String(port), DATA_DIR: dataDir, PROVISION: '', KEY_PREFIX: '' },
  });
  started.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk));
  await until('the stack is ready or has given up', () => output.includes('is ready') || child.exitCode !== null, {
    timeoutMs: START_TIMEOUT_MS,
  });
  if (child.exitCode !== null) throw new Error(output);
  return { child, output };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
  return child.exitCode;
}

const statusOf = async (url: string): Promise<number> => (await fetch(url)).status;
const serverPid = (): number =>
  Number(readFileSync(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('npm start', () => {
  it('comes up on an empty folder, and what it prints works as it is', async () => {
    const { output } = await start();
    expect(await statusOf(`http://localhost:${port}/health/ready`)).toBe(200);
    const commands = output.split('\n').filter((line) => /^ {2}(curl|id=)/.test(line));
    expect(commands).toHaveLength(5);
    const answers = commands.map((line) => execFileSync('sh', ['-c', line], { encoding: 'utf8' }));
    for (const answer of answers.slice(0, 3)) expect(JSON.parse(answer)).toMatchObject({ ok: true, status: 'queued' });
    expect(answers[3]).toContain('<status>queued</status>');
    expect(JSON.parse(answers[4]!)).toMatchObject({ status: 'delivered' });
    const control = `http://localhost:${port + 10}/carrier/messages`;
    const { messages } = (await (await fetch(control)).json()) as { messages: unknown[] };
    expect(messages).toHaveLength(5);
  }, 90_000);

  it('is found by its data folder', () => {
    const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: '' };
    const args = ['tools/provision.mjs', 'tools/local-stack/demo.yaml'];
    expect(execFileSync(process.execPath, args, { cwd: root, env, encoding: 'utf8' })).toContain(
      'demo is as the file says',
    );
  });

  it('refuses to share its folder', async () => {
    await expect(start()).rejects.toThrow(/already running in/);
  }, 30_000);

  it('recovers after kill -9, with everything that was committed', async () => {
    const orphan = serverPid();
    await end(started[0]!, 'SIGKILL');
    expect(isRunning(orphan)).toBe(true);
    await start();
    expect(isRunning(orphan)).toBe(false);
    const response = await fetch(`http://localhost:${port}/sms/balance`, {
      headers: { authorization: 'Bearer msg_live_demoDEMOdemoDEMOdemoDEMOdemo0001' },
    });
    expect(await response.json()).toMatchObject({ balance: 9_995 });
  }, 90_000);

  it('ends on SIGTERM with exit code 0 and leaves nothing running', async () => {
    const server = serverPid();
    expect(await end(started.at(-1)!, 'SIGTERM')).toBe(0);
    expect(isRunning(server)).toBe(false);
    expect(await isFree(port)).toBe(true);
  }, 30_000);

  it('forgets everything when told to', async () => {
    const { child } = await start('--reset');
    const response = await fetch(`http://localhost:${port}/sms/balance`, {
      headers: { authorization: 'Bearer msg_live_demoDEMOdemoDEMOdemoDEMOdemo0001' },
    });
    expect(await response.json()).toMatchObject({ balance: 10_000 });
    expect(await end(child, 'SIGINT')).toBe(0);
  }, 90_000);
});
