import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { until } from '@heliograph/testing';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import type { Received } from './webhook-receiver';
import { WebhooksFixture } from './webhooks-fixture';

const root = path.join(__dirname, '../../..');
/** The examples of the page by title. */
const EXAMPLES = new Map(
  [
    ...readFileSync(path.join(root, 'docs/guides/webhooks.md'), 'utf8').matchAll(
      /^## (.+)\n[^#]*?\n```(\w+)\n([\s\S]*?)\n```/gm,
    ),
  ].map(([, title = '', language = '', code = '']) => [title, { language, code }] as const),
);
/** File name, interpreter command, and a command that tests whether the interpreter is installed. */
const LANGUAGES: Record<string, { file: string; command: string[]; probe: string[] }> = {
  js: { file: 'verify.mjs', command: [process.execPath], probe: [process.execPath, '--version'] },
  python: { file: 'verify.py', command: ['python3'], probe: ['python3', '--version'] },
  go: { file: 'verify.go', command: ['go', 'run'], probe: ['go', 'version'] },
  php: { file: 'verify.php', command: ['php'], probe: ['php', '--version'] },
  sh: { file: 'verify.sh', command: ['sh'], probe: ['openssl', 'version'] },
};
const isInstalled = ([command = '', ...args]: string[]): boolean => spawnSync(command, args).status === 0;
const SENDS = 'Send a signed request with curl';
const VERIFIES = [...EXAMPLES.keys()].filter((title) => title !== SENDS);
const RUNNABLE = VERIFIES.filter((title) => isInstalled(LANGUAGES[EXAMPLES.get(title)!.language]!.probe));

describe('the examples of docs/guides/webhooks.md', () => {
  let fixture: WebhooksFixture;
  let folder: string;
  let secret: string;
  let delivery: Received;
  beforeAll(async () => {
    fixture = await WebhooksFixture.shared();
    // The folder is inside the repository, so that packages can be resolved.
    mkdirSync(path.join(root, 'tmp'), { recursive: true });
    folder = mkdtempSync(path.join(root, 'tmp/verify-'));
    const created = await fixture.create('/verified', ['sms.delivered']);
    const rotated = await fixture.call('POST', `webhooks/${created.id}/rotate-secret`);
    // The delivery has two signatures; the second one uses the older secret.
    ({ secret } = created);
    expect(rotated).toHaveProperty('secret');
    await fixture.publish();
    delivery = await until('a delivery has arrived', () => fixture.receiver.at('/verified')[0]);
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await fixture.receiver.stop();
  });

  const textOf = (name: string) => delivery.headers[name] as string;
  const run = async (title: string, body: string, changed: Record<string, string> = {}) => {
    const { language, code } = EXAMPLES.get(title)!;
    const { file, command } = LANGUAGES[language]!;
    const target = path.join(folder, file);
    writeFileSync(target, code);
    const headers = {
      WEBHOOK_ID: textOf('webhook-id'),
      WEBHOOK_TIMESTAMP: textOf('webhook-timestamp'),
      WEBHOOK_SIGNATURE: textOf('webhook-signature'),
    };
    const env = { ...process.env, WEBHOOK_SECRET: secret, ...headers, ...changed };
    const child = spawn(command[0]!, [...command.slice(1), target], { env, timeout: 60_000 });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stdin.on('error', () => undefined).end(body);
    const code0 = await new Promise<number | null>((resolve) => child.once('close', resolve));
    return { code: code0, output };
  };

  it('exist for openssl, Node.js with and without the package, Python, Go and PHP', () => {
    expect(VERIFIES.map((title) => EXAMPLES.get(title)!.language)).toEqual(['js', 'js', 'python', 'go', 'php', 'sh']);
    expect(EXAMPLES.get(VERIFIES[0]!)!.code).toContain("from 'standardwebhooks'");
    const languages = RUNNABLE.map((title) => EXAMPLES.get(title)!.language);
    expect(languages).toEqual(expect.arrayContaining(['js', 'js', 'python', 'sh']));
  });

  it.each(RUNNABLE)('%s: accept a valid delivery and reject modified, unsigned and old deliveries', async (title) => {
    const { body } = delivery;
    expect(textOf('webhook-signature').split(' ')).toHaveLength(2);
    expect(await run(title, body)).toMatchObject({ code: 0, output: expect.stringMatching(/^valid/) as string });
    const refused = { code: 1, output: expect.stringContaining('invalid') as string };
    expect(await run(title, body.replace('"delivered"', '"failed"'))).toMatchObject(refused);
    expect(await run(title, `${body}\n`)).toMatchObject(refused);
    expect(await run(title, body, { WEBHOOK_ID: 'evt_other' })).toMatchObject(refused);
    expect(await run(title, body, { WEBHOOK_SIGNATURE: '' })).toMatchObject(refused);
    const other = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    expect(await run(title, body, { WEBHOOK_SECRET: other })).toMatchObject(refused);
    const at = new Date(Date.now() - 600_000);
    const old = {
      WEBHOOK_TIMESTAMP: String(Math.floor(at.getTime() / 1_000)),
      WEBHOOK_SIGNATURE: new StandardWebhook(secret).sign(textOf('webhook-id'), at, body),
    };
    expect(await run(title, body, old)).toMatchObject(refused);
  });

  it('sign a request that the package verifies', async () => {
    const body = '{"type": "sms.delivered", "data": {"message": "ünïcode %s"}}';
    const sent = await run(SENDS, body, { WEBHOOK_URL: `${fixture.receiver.url}/sent` });
    expect(sent).toMatchObject({ code: 0 });
    const [received] = fixture.receiver.at('/sent');
    expect(received!.body).toBe(body);
    expect(new StandardWebhook(secret).verify(received!.body, received!.headers as never)).toMatchObject({
      type: 'sms.delivered',
    });
  });
});
