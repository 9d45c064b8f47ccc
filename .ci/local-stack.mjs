// Starts the local stack as a new developer would, runs the commands that it prints, waits until a message is
// delivered, and stops the stack with SIGTERM. The stack must exit with code 0 and leave no process running.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const PORT = '18480';
const READY_MS = 120_000;
const DELIVERED_MS = 30_000;
const STOPPED_MS = 30_000;

const url = `http://localhost:${PORT}`;
const dataDir = mkdtempSync(path.join(tmpdir(), 'heliograph-local-stack-'));
const startedAt = Date.now();
const say = (text) => console.log(`[${((Date.now() - startedAt) / 1_000).toFixed(1)} s] ${text}`);

async function until(what, limitMs, holds) {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const held = await holds();
    if (held) return held;
    if (Date.now() > deadline) throw new Error(`timed out after ${limitMs / 1_000} s: ${what}`);
    await wait(100);
  }
}

/**
 * The running processes of the stack: those whose environment contains its folder, or whose working directory is in it,
 * as for PostgreSQL. Processes that have exited do not count.
 */
function processes() {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      const environment = readFileSync(`/proc/${name}/environ`, 'utf8').split('\0');
      return environment.includes(`DATA_DIR=${dataDir}`) || readlinkSync(`/proc/${name}/cwd`).startsWith(dataDir);
    } catch {
      return false;
    }
  });
}

// Ignores the servers of the machine, to use the embedded database, the PostgreSQL bus and the in-process rate limits.
const env = { ...process.env, PORT, DATA_DIR: dataDir, DATABASE_URL: '', AMQP_URL: '', REDIS_URL: '' };
const stack = spawn('npm', ['start'], { env, detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
const ended = once(stack, 'exit');
let banner = '';
stack.stdout.on('data', (chunk) => {
  process.stdout.write(chunk);
  banner += chunk;
});

try {
  await until('GET /health/ready answers 200', READY_MS, async () => {
    if (stack.exitCode !== null) throw new Error(`npm start ended with ${stack.exitCode}`);
    const response = await fetch(`${url}/health/ready`).catch(() => null);
    return response?.ok && banner.includes('/sms/status');
  });
  say('ready');

  const commands = banner.split('\n').filter((line) => /^ {2}(curl|id=)/.test(line));
  if (commands.length < 5) throw new Error(`the banner shows ${commands.length} commands`);
  const [first] = commands.map((command) => {
    const { status, stdout, stderr } = spawnSync('sh', ['-c', command], { encoding: 'utf8' });
    if (status !== 0 || !/queued|sent|delivered|chatappMessageId/.test(stdout))
      throw new Error(`${command}\n${stdout}${stderr}`);
    say(stdout.trim());
    return stdout;
  });

  const [key] = /msg_live_\w+/.exec(banner);
  const { messageId } = JSON.parse(first);
  await until('GET /sms/status returns delivered', DELIVERED_MS, async () => {
    const headers = { authorization: `Bearer ${key}` };
    const response = await fetch(`${url}/sms/status?id=${messageId}`, { headers });
    return (await response.text()).includes('"delivered"');
  });
  say(`${messageId} is delivered`);

  say(`sending SIGTERM to npm start (${processes().length} processes)`);
  stack.kill('SIGTERM');
  const status = await Promise.race([ended, wait(STOPPED_MS, ['nothing'], { ref: false })]);
  if (status[0] !== 0) throw new Error(`SIGTERM: npm start ended with ${status[0] ?? status[1]}`);
  const left = processes();
  if (left.length > 0) throw new Error(`processes are still running after SIGTERM: ${left.join(', ')}`);
  say('exited with code 0; no process is running');
} catch (error) {
  console.error(`The test of the local stack failed: ${error.message}`);
  process.exitCode = 1;
} finally {
  for (const pid of processes()) process.kill(Number(pid), 'SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
}
