import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { StackProcess } from '@heliograph/harness';
import { until } from '@heliograph/testing';
import { findRoute } from '../src/gateway/find-route';
import { SERVICES } from '../src/routes';
import { metricProblems } from './metric-problems';

const root = path.join(__dirname, '../../..');
const APIS = ['v1', ...SERVICES];
const KEY = 'msg_live_demoDEMOdemoDEMOdemoDEMOdemo0001';
const BOT = 'bot_acme_help';

type Json = Record<string, unknown>;

let stack: StackProcess;
/** The output of `npm start`. */
let output: string;
beforeAll(async () => {
  stack = await StackProcess.prepare();
  ({ output } = await stack.start());
}, 90_000);
afterAll(() => stack.remove());

async function call(method: string, route: string, token: string | null, body?: object): Promise<[number, Json]> {
  const response = await fetch(`http://localhost:${stack.port}${route}`, {
    method,
    headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return [response.status, (await response.json()) as Json];
}

describe('the bots in the local stack', () => {
  it('are embedded in the demo page, which has a strict Content-Security-Policy, and have a hosted page', async () => {
    const [page] = /http:\S+(?= {3}a site that embeds the bot)/.exec(output) ?? [];
    const response = await fetch(page!);
    const html = await response.text();
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(html).toContain(`data-bot-id="${BOT}"`);
    const [, script] = /<script src="([^"]+)"/.exec(html) ?? [];
    expect((await fetch(script!)).headers.get('content-type')).toContain('javascript');
    expect((await fetch(new URL('/site.css', page))).status).toBe(200);
    expect((await fetch(`${page}/`)).status).toBe(200);
    expect((await fetch(new URL('/other', page))).status).toBe(404);
    const [hosted] = /http:\S+\/c\/\S+/.exec(output) ?? [];
    expect(await (await fetch(hosted!)).text()).toContain('Acme Help');
  });

  it('reply to visitors, but not while an agent replies', async () => {
    const [, workspaces] = await call('GET', '/api/workspaces', KEY);
    const [{ id: workspace }] = (workspaces['data'] as { workspaces: [{ id: string }] }).workspaces;
    const [status, started] = await call('POST', '/api/v1/chat/conversations', null, {
      botId: BOT,
      message: 'What are your opening hours?',
    });
    expect([status, started['reply']]).toMatchObject([201, { content: '9 to 5, Monday to Friday' }]);
    const token = started['conversationToken'] as string;
    const { id } = started['conversation'] as { id: string };
    const chat = `/api/v1/chat/conversations/${id}`;

    const abort = new AbortController();
    const events = await fetch(`http://localhost:${stack.port}${chat}/events`, {
      headers: { authorization: `Bearer ${token}` },
      signal: abort.signal,
    });
    let received = '';
    const reading = (async () => {
      for await (const chunk of events.body!) received += Buffer.from(chunk).toString();
    })().catch(() => undefined);

    const inbox = `/api/workspaces/${workspace}/conversations/${id}`;
    expect(await call('PATCH', inbox, KEY, { takenOver: true })).toMatchObject([200, { ok: true }]);
    expect(await call('POST', `${chat}/messages`, token, { message: 'When are you open?' })).toMatchObject([
      201,
      { reply: null, paused: true },
    ]);
    await call('POST', `${inbox}/messages`, KEY, { message: 'This is Ann. We are open until five.' });
    await until('the message of the agent has arrived', () => received.includes('This is Ann.'));
    await call('PATCH', inbox, KEY, { takenOver: false });
    expect(await call('POST', `${chat}/messages`, token, { message: 'When are you open?' })).toMatchObject([
      201,
      { paused: false, reply: { content: '9 to 5, Monday to Friday' } },
    ]);
    abort.abort();
    await reading;
  });

  it('return 404 in the format of the bot runtime for an unknown bot and an unknown path', async () => {
    expect(await call('GET', '/bots/widget/config?botId=nobody', null)).toEqual([
      404,
      { ok: false, code: 'BOT_UNAVAILABLE' },
    ]);
    expect(await call('GET', '/api/v1/chat/nothing', null)).toMatchObject([404, { ok: false, code: 'NOT_FOUND' }]);
  });
});

describe('chat-app in the local stack', () => {
  const ann = '+919812345678';
  const bob = '+919812345679';
  const key = 'msg_live_0123456789abcdefghijABCDEFGHIJ01';
  const provisioning = `
organizations:
  - slug: chats
    workspaces: [{ slug: chats-main, credits: { chatapp: 99 } }]
    apiKeys: [{ name: all, key: ${key} }]
platform:
  chatapp: { prices: [{ country: IN, category: marketing, baseCost: 80, markup: 20, currency: INR }] }
`;
  beforeAll(async () => {
    const file = path.join(stack.dataDir, 'chats.yaml');
    await writeFile(file, provisioning);
    const env = { ...process.env, DATA_DIR: stack.dataDir, DATABASE_URL: '' };
    execFileSync(process.execPath, ['tools/provision.mjs', file], { cwd: root, env });
  });

  const write = (from: string, text: string) =>
    stack.control('POST', '/platform/inbound', { from, message: { type: 'text', text: { body: text } } });
  const send = (body: object) => call('POST', '/chatapp/send', key, body);

  it('sends a text to a recipient with an open window, until it is delivered', async () => {
    expect(await send({ to: ann, text: 'Hello' })).toMatchObject([400, { code: 'CHATAPP_REQUEST_INVALID' }]);
    expect(await write(ann, 'Hello?')).toMatchObject({ status: 200 });
    const [status, sent] = await send({ to: ann, text: 'Hello' });
    expect([status, sent]).toMatchObject([200, { ok: true, to: ann, free: true, price: 0, charged: false }]);
    const { id, chatappMessageId } = sent;
    const { requests } = await stack.control('GET', `/platform/requests?to=${encodeURIComponent(ann)}`);
    expect(requests).toMatchObject([{ method: 'POST', body: { type: 'text', text: { body: 'Hello' } } }]);
    for (const reached of ['sent', 'delivered']) {
      const report = { id: chatappMessageId, status: reached };
      expect(await stack.control('POST', '/platform/statuses', report)).toMatchObject({ status: 200 });
    }
    const record = await until('the message is delivered', async () => {
      const [, found] = await call('GET', `/chatapp/status?id=${String(id)}`, key);
      return found['status'] === 'delivered' && found;
    });
    expect(record).toMatchObject({ id, chatappMessageId, deliveredAt: expect.any(String), creditsCharged: false });
  });

  it('sends nothing after a STOP', async () => {
    await write(ann, 'Hello again');
    expect(await send({ to: ann, text: 'Hello' })).toMatchObject([200, { ok: true }]);
    expect(await write(ann, 'STOP')).toMatchObject({ status: 200 });
    expect(await send({ to: ann, text: 'Hello' })).toMatchObject([409, { code: 'RECIPIENT_OPTED_OUT' }]);
    await write(ann, 'START');
    expect(await send({ to: ann, text: 'Hello' })).toMatchObject([200, { ok: true }]);
  });

  it('sends nothing without sufficient credits', async () => {
    await stack.control('PUT', '/platform/templates/offer', {
      status: 'APPROVED',
      language: 'en_US',
      category: 'MARKETING',
      components: [{ type: 'BODY', text: 'Hello' }],
    });
    const offer = { to: bob, type: 'template', template: { name: 'offer', language: 'en_US' } };
    expect(await send(offer)).toMatchObject([402, { code: 'INSUFFICIENT_CREDITS' }]);
    expect(await stack.control('GET', `/platform/requests?to=${encodeURIComponent(bob)}`)).toEqual({ requests: [] });
  });
});

describe('the OpenAPI documents and the metrics of all services', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'openapi-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const gateway = (route: string) => fetch(`http://localhost:${stack.port}${route}`);
  const service = (index: number, route: string, init?: RequestInit) =>
    fetch(`http://localhost:${stack.port + 1 + index}${route}`, init);
  const check = (documents: string) =>
    new Promise<string>((resolve) =>
      execFile(process.execPath, ['tools/check-openapi.mjs', documents], { cwd: root }, (error, stdout, stderr) =>
        resolve(error && stdout === '' ? stderr : stdout),
      ),
    );

  it('row 30: the gateway serves one reference with the documents of all services', async () => {
    const overview = await (await gateway('/docs')).text();
    for (const api of APIS) {
      expect(overview).toContain(`href="/docs/${api}"`);
      const [page, document] = await Promise.all([gateway(`/docs/${api}`), gateway(`/docs/${api}/openapi.json`)]);
      expect([api, page.status, document.status]).toEqual([api, 200, 200]);
      await writeFile(path.join(folder, `${api}.json`), await document.text());
    }
    // Operations that apps/account-api/src/developer/reference/outline.ts does not name are shown on pages of their API.
    const list = await (await gateway('/docs/llms.txt')).text();
    expect(APIS.filter((api) => new RegExp(`/docs/${api}/[\\w-]+\\.md`).test(list))).toEqual([]);
    expect((await gateway('/api/v1/docs')).status).toBe(200);
    for (const [index, name] of SERVICES.entries()) {
      expect([name, (await service(index, '/docs')).status]).toEqual([name, 200]);
    }
  });

  it('the gateway routes every documented path to the service that documents it', async () => {
    const misrouted: string[] = [];
    for (const [index, name] of SERVICES.entries()) {
      const { paths } = (await (await service(index, '/openapi.json')).json()) as { paths: Record<string, object> };
      const found = Object.keys(paths).filter((route) => findRoute(route.replace(/\{\w+\}/g, 'x'))?.service !== name);
      misrouted.push(...found.map((route) => `${name}: ${route}`));
    }
    // Every messaging API serves /api/me; the gateway uses the one of sms-api.
    expect(misrouted).toEqual(['email-api: /api/me', 'chatapp-api: /api/me']);
  });

  it('row 32: the document check accepts every served document, and reports a document that generators misinterpret', async () => {
    const schema = {
      type: 'object',
      properties: {
        draft: { type: 'object', default: false },
        limit: { type: 'integer', default: 20 },
        at: { type: 'string', format: 'date-time', description: 'When it is sent' },
      },
    };
    const misleading = {
      openapi: '3.0.0',
      info: { title: 'Misleading', version: '1' },
      servers: [],
      paths: {
        '/bad': {
          post: {
            requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Bad' } } } },
            responses: { 200: { description: 'OK' }, 400: { description: 'INVALID' } },
          },
        },
      },
      components: { schemas: { Bad: schema } },
    };
    await writeFile(path.join(folder, 'misleading.json'), JSON.stringify(misleading));
    const found = (await check(folder)).trim().split('\n');
    // Every problem starts with the name of its document.
    expect(found.filter((problem) => !/^misleading\b|^ /.test(problem))).toEqual([]);
    const problems = found.join('\n');
    expect(problems).toContain('(security-defined)');
    expect(problems).toContain('(no-empty-servers)');
    expect(problems).toContain('required: "limit"');
    expect(problems).toContain('misleading/schemas/Bad.limit: no description');
    expect(problems).toContain('misleading/schemas/Bad.at: no time zone');
    expect(problems).toContain('misleading/bad post: no description');
    expect(problems).toMatch(/zod\.gen\.ts.*not assignable|No overload matches/);
  }, 120_000);

  it('row 31: metrics of every service follow the conventions of Prometheus', async () => {
    const hasPromtool = spawnSync('promtool', ['--version']).status === 0;
    for (const [index, name] of SERVICES.entries()) {
      const text = await (await service(index, '/metrics')).text();
      expect([name, metricProblems(text)]).toEqual([name, []]);
      if (hasPromtool) execFileSync('promtool', ['check', 'metrics'], { input: text, stdio: 'pipe' });
    }
  });

  it('row 31: calls are counted by method and route template', async () => {
    const account = SERVICES.indexOf('account-api');
    await service(account, '/api/workspaces/0190a0a0-0000-7000-8000-000000000000/credits');
    await service(account, '/no/such/path');
    await service(SERVICES.indexOf('billing-hook'), '/api/webhooks/payments', { method: 'POST', body: '{}' });
    const routes: string[] = [];
    for (const [index] of SERVICES.entries()) {
      const text = await (await service(index, '/metrics')).text();
      const series = text.matchAll(
        /^http_request_duration_seconds_count\{.*method="(\w+)",route="(.*)",status=.* \d+$/gm,
      );
      routes.push(...[...series].map(([, method, route]) => `${method} ${route}`));
    }
    expect(routes).toEqual(
      expect.arrayContaining([
        'GET /docs/:api/openapi.json',
        'GET /api/workspaces/:id/credits',
        'GET none',
        'POST /api/webhooks/payments',
      ]),
    );
    expect(routes.filter((one) => /[0-9a-f]{8}-|no\/such/.test(one))).toEqual([]);
  });
});
