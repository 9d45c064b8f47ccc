import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { closeContexts, sharedBrowser } from '@heliograph/testing';

const root = path.join(__dirname, '../../..');
const TSC = path.join(root, 'node_modules/typescript/bin/tsc');
const BUILD = path.join(root, 'tools/build/build-sdk.mjs');

/** Compiles only if the types of inputs, results, lists, errors and events are known. */
const PROGRAM = `
const client = new Heliograph({ apiKey: process.env['KEY'] ?? '', baseUrl: process.env['BASE_URL'] ?? '' });
async function main(): Promise<void> {
  const sent = await client.sms.messages.send({ to: '+14155550100', message: 'Hello' });
  const status: string = sent.status;
  // @ts-expect-error: the field is unknown.
  void (() => client.sms.messages.send({ to: '+14155550100', text: 'Hello' }));
  // @ts-expect-error: the recipient is missing.
  void (() => client.sms.messages.send({ message: 'Hello' }));
  const ids: string[] = [];
  for await (const message of client.sms.messages.list({ limit: 2 })) ids.push(message.id);
  const failure: unknown = await client.webhooks.get('w').catch((error: unknown) => error);
  const code = failure instanceof NotFoundError ? failure.code : '';
  const headers = await signWebhook(BODY, SECRET, { id: 'evt_1' });
  const event = await verifyWebhook(BODY, headers, SECRET);
  const error: string = event.type === 'sms.failed' ? (event.data.error?.code ?? '') : event.type;
  console.log([status, ids.join('+'), code, error].join(' '));
}
const SECRET = 'whsec_YWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWE=';
const BODY = JSON.stringify({ id: 'evt_1', type: 'sms.failed', data: { error: { code: 'EXPIRED' } } });
void main();
`;
const NAMES = '{ Heliograph, NotFoundError, signWebhook, verifyWebhook }';
const STRICT = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noPropertyAccessFromIndexSignature: true,
  verbatimModuleSyntax: true,
  skipLibCheck: false,
  target: 'es2022',
  module: 'nodenext',
  lib: ['es2022', 'dom', 'dom.iterable'],
  types: [],
};

let folder: string;
let server: Server;
let baseUrl: string;

/** Answers as the API does, for any client. */
beforeAll(async () => {
  server = createServer((request, response) => {
    const cors = {
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Allow-Headers': 'authorization, content-type, idempotency-key',
    };
    if (request.method === 'OPTIONS') return void response.writeHead(204, cors).end();
    const [status, body] = answerTo(request.method ?? '', request.url ?? '');
    response.writeHead(status, { ...cors, 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  folder = await mkdtemp(path.join(os.tmpdir(), 'sdk-package-'));
  await run(process.execPath, [BUILD, path.join(folder, 'packed')], root);
  await writeFile(path.join(folder, 'package.json'), JSON.stringify({ name: 'empty', private: true }));
  const install = [
    'install',
    '--offline',
    '--no-audit',
    '--no-fund',
    '--silent',
    './packages/heliograph-sdk-1.0.0.tgz',
  ];
  await run('npm', install, folder);
}, 120_000);
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true, force: true });
});

function answerTo(method: string, url: string): [number, object] {
  if (url.startsWith('/api/v1/webhooks')) return [404, { code: 'NOT_FOUND', message: 'Nothing.' }];
  if (method === 'POST') return [202, { id: 'm1', status: 'queued' }];
  const isSecond = url.includes('cursor=');
  return [200, isSecond ? { data: [{ id: 'm3' }] } : { data: [{ id: 'm1' }, { id: 'm2' }], next_cursor: 'c' }];
}

/** Resolves with the output. The server of this process answers meanwhile. */
async function run(command: string, args: string[], cwd: string, env: Record<string, string> = {}): Promise<string> {
  return new Promise((resolve, reject) =>
    execFile(command, args, { cwd, env: { ...process.env, ...env }, timeout: 60_000 }, (error, stdout, stderr) =>
      error ? reject(new Error(`${command} ${args.join(' ')}\n${stdout}${stderr}`)) : resolve(stdout),
    ),
  );
}

describe('the packed npm package, in an empty project', () => {
  it('compiles under strict TypeScript as an ES module and as CommonJS, and runs', async () => {
    const declaration = 'declare const process: { env: Record<string, string | undefined> };\n';
    await writeFile(path.join(folder, 'esm.mts'), `import ${NAMES} from '@heliograph/sdk';\n${declaration}${PROGRAM}`);
    const required = `import sdk = require('@heliograph/sdk');\nconst ${NAMES} = sdk;\n${declaration}`;
    await writeFile(path.join(folder, 'cjs.cts'), required + PROGRAM.replace('new Heliograph', 'new sdk.Heliograph'));
    await writeFile(
      path.join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: STRICT, include: ['*.?ts'] }),
    );
    await run(process.execPath, [TSC, '-p', '.'], folder);
    for (const file of ['esm.mjs', 'cjs.cjs']) {
      const output = await run(process.execPath, [file], folder, { KEY: 'msg_test_key', BASE_URL: baseUrl });
      expect([file, output.trim()]).toEqual([file, 'queued m1+m2+m3 NOT_FOUND EXPIRED']);
    }
  }, 60_000);

  it('has no problem that publint finds, no dependency, and no import of a module of Node.js', async () => {
    const { publint } = await import('publint');
    const { messages } = await publint({ pkgDir: path.join(folder, 'packed'), pack: false });
    expect(messages).toEqual([]);
    const bundled = await bundle(`export * from '@heliograph/sdk'; export * from '@heliograph/sdk/definitions';`);
    expect(bundled.imports).toEqual([]);
  });

  it('contains only the chosen groups in a bundle', async () => {
    const program = (names: string, make: string): string =>
      `import { ${names} } from '@heliograph/sdk';\nglobalThis.client = ${make};`;
    const whole = await bundle(program('Heliograph', 'new Heliograph({ baseUrl: "https://a.example" })'));
    const small = await bundle(program('createClient, sms', 'createClient({ baseUrl: "https://a.example" }, { sms })'));
    const verifier = await bundle(program('verifyWebhook', 'verifyWebhook'));
    expect(small.text).toContain('/api/v1/sms/send');
    expect(small.text).not.toContain('/api/v1/email');
    expect(verifier.text).not.toContain('/api/');
    // Minified, in bytes; the whole client has 220 calls.
    expect(whole.text.length).toBeLessThan(90_000);
    expect(small.text.length).toBeLessThan(20_000);
    expect(verifier.text.length).toBeLessThan(4_000);
  });

  it('runs in a browser, with streams and signatures', async () => {
    const { text } = await bundle(`
      import { Heliograph, NotFoundError, signWebhook, verifyWebhook } from '@heliograph/sdk';
      const client = new Heliograph({ apiKey: 'msg_test_key', baseUrl: ${JSON.stringify(baseUrl)}, testMode: true });
      globalThis.result = (async () => {
        const sent = await client.sms.messages.send({ to: '+14155550100', message: 'Hello' });
        const ids = [];
        for await (const { id } of client.sms.messages.list()) ids.push(id);
        const failure = await client.webhooks.get('w').catch((error) => error);
        const secret = 'whsec_YWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWE=';
        const headers = await signWebhook('{"id":"evt_1"}', secret, { id: 'evt_1' });
        const event = await verifyWebhook('{"id":"evt_1"}', headers, secret);
        return [sent.status, ids.join('+'), failure instanceof NotFoundError, event.id].join(' ');
      })();`);
    const browser = await sharedBrowser();
    try {
      const page = await browser.newPage();
      await page.goto(`${baseUrl}/api/v1/sms/messages`);
      await page.addScriptTag({ content: text });
      expect(await page.evaluate('globalThis.result')).toBe('queued m1+m2+m3 true evt_1');
    } finally {
      await closeContexts(browser);
    }
  }, 60_000);
});

interface Bundle {
  text: string;
  imports: string[];
}

async function bundle(contents: string): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: folder },
    bundle: true,
    write: false,
    minify: true,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    logLevel: 'silent',
  });
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports.map((one) => one.path));
  return { text: outputFiles[0]?.text ?? '', imports };
}
