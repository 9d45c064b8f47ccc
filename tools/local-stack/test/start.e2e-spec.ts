import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { end, installSdk, isFree, PYTHON_SDK, StackProcess } from '@heliograph/harness';
import { until } from '@heliograph/testing';
import { Client } from 'pg';

const root = path.join(__dirname, '../../..');
let stack: StackProcess;
let port: number;
/** A copy of the examples with the SDKs. */
let examples: string;

beforeAll(async () => {
  stack = await StackProcess.prepare();
  ({ port } = stack);
  examples = await mkdtemp(path.join(os.tmpdir(), 'examples-'));
  await cp(path.join(root, 'docs/examples'), examples, { recursive: true });
  await installSdk(examples);
});
afterAll(async () => {
  await stack.remove();
  await rm(examples, { recursive: true });
});

const DEMO_KEY = 'msg_live_demoDEMOdemoDEMOdemoDEMOdemo0001';
const KEY = { authorization: `Bearer ${DEMO_KEY}` };
/** The examples whose interpreter is installed, with their output. */
const EXAMPLES = [
  ['sh', 'v1.sh', /^The quote: ok\nThe message \S+ is delivered\n$/],
  ['node', 'v1.mjs', /costs 1 credit.*\nThe campaign is completed: 1 email/],
  ['python3', 'v1.py', /The import is completed: 2 created, 0 updated\.\nThe plan of Python is pro\./],
].filter(([command]) => spawnSync(command as string, ['-h']).error === undefined) as [string, string, RegExp][];

const environmentOfExamples = (): NodeJS.ProcessEnv => ({
  ...process.env,
  HELIOGRAPH_URL: `http://localhost:${port}`,
  PYTHONPATH: PYTHON_SDK,
});

interface Sent {
  subject?: string;
  html?: string | null;
  headers: Record<string, string>;
}

interface FeedPage {
  data: { type: string; data: { id: string } }[];
  next_cursor: string | null;
  has_more: boolean;
}

interface Delivery {
  verified: boolean;
  body: { type: string };
}

/** The messages that a simulator received. */
async function sent(simulator: 'carrier' | 'mailbox' | 'platform'): Promise<Sent[]> {
  return (await stack.control('GET', `/${simulator}/messages`))['messages'] as Sent[];
}

const post = (route: string, body: object): Promise<Response> =>
  fetch(`http://localhost:${port}${route}`, {
    method: 'POST',
    headers: { ...KEY, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

/** The events after a cursor, and the cursor of the last one. */
async function feedOf(after: string | null): Promise<{ events: string[]; next: string | null }> {
  const events: string[] = [];
  for (let next = after; ;) {
    const response = await fetch(`http://localhost:${port}/api/v1/events?limit=100${next ? `&after=${next}` : ''}`, {
      headers: KEY,
    });
    const page = (await response.json()) as FeedPage;
    events.push(...page.data.map(({ type, data }) => `${type} ${data.id}`));
    next = page.next_cursor ?? next;
    if (!page.has_more) return { events, next };
  }
}

const statusOf = async (url: string): Promise<number> => (await fetch(url)).status;
const serverPid = (): number =>
  Number(readFileSync(path.join(stack.dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('npm start', () => {
  it('starts in an empty folder and prints working commands', async () => {
    const { output } = await stack.start();
    expect(await statusOf(`http://localhost:${port}/health/ready`)).toBe(200);
    const commands = output.split('\n').filter((line) => /^ {2}(curl|id=)/.test(line));
    expect(commands).toHaveLength(11);
    const answers = commands.map((line) => execFileSync('sh', ['-c', line], { encoding: 'utf8' }));
    for (const answer of answers.slice(0, 3)) expect(JSON.parse(answer)).toMatchObject({ ok: true, status: 'queued' });
    expect(answers[3]).toContain('<status>queued</status>');
    expect(JSON.parse(answers[4]!)).toMatchObject({ status: 'delivered' });
    expect(await sent('carrier')).toHaveLength(5);
    for (const answer of answers.slice(5, 7)) expect(JSON.parse(answer)).toMatchObject({ ok: true, status: 'sent' });
    expect(JSON.parse(answers[7]!)).toMatchObject({ status: 'queued', to: ['ann@elsewhere.example'] });
    expect(JSON.parse(answers[8]!)).toMatchObject({ status: 'running', channel: 'email' });
    await until('the campaign is sent', async () => (await sent('mailbox')).length === 5);
    const mails = await sent('mailbox');
    expect(mails.slice(0, 2)).toMatchObject([
      { envelope: { to: ['ann@elsewhere.example'] }, subject: 'Hello from Heliograph' },
      { envelope: { to: ['ann@elsewhere.example'] }, subject: 'Welcome, Ann' },
    ]);
    // Another contact has opted out.
    expect(mails.slice(2).map(({ subject }) => subject)).toEqual(
      expect.arrayContaining(['Hello from Heliograph', 'News for Ann', 'News for Bob']),
    );
    expect(JSON.parse(answers[9]!)).toMatchObject({ ok: true, type: 'text', category: 'service', free: true });
    expect(await sent('platform')).toHaveLength(1);
    expect(JSON.parse(answers[10]!)).toHaveProperty('deliveries');
    const [webhookInbox] = /http:\S+\/webhook-inbox\S+/.exec(output) ?? [];
    const events = await until('the webhook of the demo received the events', async () => {
      const { deliveries } = (await (await fetch(webhookInbox!)).json()) as { deliveries: Delivery[] };
      const types = deliveries.map(({ body }) => body.type);
      const expected = ['sms.queued', 'sms.delivered', 'email.queued', 'email.sent', 'campaign.completed'];
      return expected.every((type) => types.includes(type)) && deliveries;
    });
    expect(events.every(({ verified }) => verified)).toBe(true);
    const [inbox] = /http:\S+\/mailbox(?= {2})/.exec(output) ?? [];
    expect(await (await fetch(inbox!)).text()).toContain('<title>Heliograph mailbox</title>');
  }, 90_000);

  it.each(EXAMPLES)(
    'works with %s for the example %s of the documentation',
    async (command, file, expected) => {
      const env = { ...environmentOfExamples(), HELIOGRAPH_KEY: DEMO_KEY };
      const { stdout } = await promisify(execFile)(command, [path.join(examples, file)], { env, timeout: 60_000 });
      expect(stdout).toMatch(expected);
    },
    90_000,
  );

  it.each(EXAMPLES)('reports a wrong key and fails with %s for the example %s', (command, file) => {
    const env = { ...environmentOfExamples(), HELIOGRAPH_KEY: `${DEMO_KEY}x` };
    const { status, stderr } = spawnSync(command, [path.join(examples, file)], { env, encoding: 'utf8' });
    expect(status).not.toBe(0);
    expect(stderr).toContain('UNAUTHENTICATED');
  });

  it('routes delivery notifications, tracking and unsubscriptions', async () => {
    const [mail] = await sent('mailbox');
    const to = 'ann@elsewhere.example';
    await stack.control('POST', '/mailbox/notify', { to, action: 'failed', status: '5.1.1' });
    const response = await post('/email/send', { to, subject: 'Again', text: 'Are you there?' });
    expect(await response.json()).toMatchObject({ status: 'skipped', skippedCount: 1 });
    const [pixel] = /http:[^"]*\/email\/t\/[^"]*/.exec(mail!.html!) ?? [];
    expect(await statusOf(pixel!)).toBe(200);
    const [unsubscribe] = /http:[^>]*\/email\/u\/[^>]*/.exec(mail!.headers['list-unsubscribe']!) ?? [];
    expect(await statusOf(unsubscribe!)).toBe(200);
  });

  it('idles with fewer than 25 transactions a second', async () => {
    const client = new Client({ connectionString: stack.databaseUrl });
    await client.connect();
    const sample = async () => {
      const { rows } = await client.query<{ count: string }>(
        'SELECT xact_commit AS count FROM pg_stat_database WHERE datname = current_database()',
      );
      return { count: Number(rows[0]?.count), atMs: performance.now() };
    };
    let before = await sample();
    const isIdle = async () => {
      const now = await sample();
      if (now.atMs - before.atMs < 3_000) return false;
      const perSecond = ((now.count - before.count) * 1_000) / (now.atMs - before.atMs);
      before = now;
      return perSecond < 25;
    };
    try {
      // The stack may still process the events of the examples, which takes longer on a busy machine.
      await until('the stack is idle', isIdle, { timeoutMs: 120_000, everyMs: 1_000 });
    } finally {
      await client.end();
    }
  }, 150_000);

  it('is found by its DATA_DIR', () => {
    const env = { ...process.env, DATA_DIR: stack.dataDir, DATABASE_URL: '' };
    const args = ['tools/provision.mjs', 'tools/local-stack/demo.yaml'];
    expect(execFileSync(process.execPath, args, { cwd: root, env, encoding: 'utf8' })).toContain(
      'applied organization demo',
    );
  });

  it('rejects a second stack with the same DATA_DIR', async () => {
    await expect(stack.start()).rejects.toThrow(/already running in/);
  }, 30_000);

  it('recovers all committed data after kill -9', async () => {
    const to = '+919812345678';
    await stack.control('POST', '/platform/inbound', { from: to, message: { type: 'text', text: { body: 'Hello?' } } });
    await stack.control('PUT', '/platform/templates/offer', {
      status: 'APPROVED',
      language: 'en_US',
      category: 'MARKETING',
      components: [{ type: 'BODY', text: 'Hello' }],
    });
    const orphan = serverPid();
    await end(stack.started[0]!, 'SIGKILL');
    expect(isRunning(orphan)).toBe(true);
    await stack.start();
    expect(isRunning(orphan)).toBe(false);
    const response = await fetch(`http://localhost:${port}/sms/balance`, {
      headers: KEY,
    });
    expect(await response.json()).toMatchObject({ balance: 9_994 });
    const webhooks = await fetch(`http://localhost:${port}/api/v1/webhooks`, { headers: KEY });
    expect(((await webhooks.json()) as { data: object[] }).data).toMatchObject([{ events: ['*'], status: 'healthy' }]);
    // The window and the template of the provider.
    expect((await post('/chatapp/send', { to, text: 'Hello' })).status).toBe(200);
    const utility = { to, type: 'template', category: 'utility' };
    const offer = await post('/chatapp/send', { ...utility, template: { name: 'offer' } });
    expect(await offer.json()).toMatchObject({ ok: true, free: true });
    expect((await post('/chatapp/send', { ...utility, template: { name: 'unknown' } })).status).toBe(400);
  }, 90_000);

  it('has every event once in the feed after kill -9 under load', async () => {
    const since = await feedOf(null);
    const accepted: string[] = [];
    const created: string[] = [];
    let isKilled = false;
    const load = async (worker: number): Promise<void> => {
      for (let n = 0; !isKilled; n++) {
        const number = `${worker}${String(n).padStart(5, '0')}`;
        const message = { sender_id: 'DEMOIN', template_id: 'otp', variables: { code: '1' } };
        const sms = await post('/api/v1/sms/send', { ...message, to: `+9198120${number.slice(-5)}` });
        if (sms.status === 202) accepted.push(((await sms.json()) as { id: string }).id);
        const contact = await post('/api/v1/contacts', { email: `load-${number}@elsewhere.example` });
        if (contact.status === 201) created.push(((await contact.json()) as { id: string }).id);
      }
    };
    // The connections of calls in flight are closed by the kill.
    const workers = Array.from({ length: 8 }, (_, worker) => load(worker).catch(() => undefined));
    await until('the stack is under load', () => accepted.length >= 60 && created.length >= 60);
    await end(stack.started.at(-1)!, 'SIGKILL');
    isKilled = true;
    await Promise.all(workers);
    await stack.start();

    const client = new Client({ connectionString: stack.databaseUrl });
    await client.connect();
    try {
      const messages = `SELECT id, status, sent_at FROM sms.messages WHERE id >= $1`;
      const first = [...accepted].sort()[0];
      await until('every message has left', async () => {
        const { rows } = await client.query<{ status: string }>(messages, [first]);
        return rows.every(({ status }) => status !== 'queued');
      });
      const expectedEvents = async (): Promise<string[]> => {
        const { rows } = await client.query<{ id: string; status: string; sent_at: Date | null }>(messages, [first]);
        expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining(accepted));
        const contacts = await client.query<{ id: string }>(
          `SELECT id FROM contacts.contacts WHERE email LIKE 'load-%@elsewhere.example'`,
        );
        expect(contacts.rows.map(({ id }) => id)).toEqual(expect.arrayContaining(created));
        return [
          ...rows.flatMap(({ id, status, sent_at: sentAt }) => [
            `sms.queued ${id}`,
            ...(sentAt ? [`sms.sent ${id}`] : []),
            ...(status === 'sent' ? [] : [`sms.${status} ${id}`]),
          ]),
          ...contacts.rows.map(({ id }) => `contact.created ${id}`),
        ].sort();
      };
      // Messages of the test before may still change.
      const events = async () => (await feedOf(since.next)).events.filter((event) => /^(sms|contact)\./.test(event));
      const isComplete = async () => (await events()).length >= (await expectedEvents()).length;
      await until('the feed has the events', isComplete, { everyMs: 500 });
      expect((await events()).sort()).toEqual(await expectedEvents());
    } finally {
      await client.end();
    }
  }, 120_000);

  it('exits with 0 on SIGTERM and leaves nothing running', async () => {
    const server = serverPid();
    expect(await end(stack.started.at(-1)!, 'SIGTERM')).toBe(0);
    expect(isRunning(server)).toBe(false);
    expect(await isFree(port)).toBe(true);
  }, 30_000);

  it('deletes all data with --reset', async () => {
    const { child } = await stack.start('--reset');
    const response = await fetch(`http://localhost:${port}/sms/balance`, {
      headers: KEY,
    });
    expect(await response.json()).toMatchObject({ balance: 10_000 });
    expect(await end(child, 'SIGINT')).toBe(0);
  }, 90_000);
});
