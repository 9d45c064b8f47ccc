import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { until } from '@heliograph/testing';
import { end, StackProcess } from './stack-process.fixture';

const KEY = 'msg_live_0123456789abcdefghijABCDEFGHIJ01';
const ANN = '+919812345678';
const BOB = '+919812345679';
const FILE = `
organizations:
  - slug: acme
    workspaces: [{ slug: acme-main, credits: { chatapp: 99 } }]
    apiKeys: [{ name: all, key: ${KEY} }]
platform:
  chatapp: { prices: [{ country: IN, category: marketing, baseCost: 80, markup: 20, currency: INR }] }
`;

type Json = Record<string, unknown>;

describe('chat-app in the local stack', () => {
  let stack: StackProcess;
  beforeAll(async () => {
    stack = await StackProcess.prepare();
    const file = path.join(stack.dataDir, 'chatapp.yaml');
    writeFileSync(file, FILE);
    stack.settings['PROVISION'] = file;
    await stack.start();
  }, 90_000);
  afterAll(() => stack.remove());

  async function call(url: string, method: string, body?: object): Promise<{ status: number; body: Json }> {
    const response = await fetch(url, {
      method,
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return { status: response.status, body: (await response.json()) as Json };
  }
  const gateway = (method: string, route: string, body?: object) =>
    call(`http://localhost:${stack.port}${route}`, method, body);
  const control = async (method: string, route: string, body?: object): Promise<Json> => {
    const answer = await call(`http://localhost:${stack.port + 10}/platform${route}`, method, body);
    expect([route, answer.status]).toEqual([route, 200]);
    return answer.body;
  };
  const write = (from: string, text: string) =>
    control('POST', '/inbound', { from, message: { type: 'text', text: { body: text } } });
  const send = (body: object) => gateway('POST', '/chatapp/send', body);

  it('sends a text to a recipient with an open window, until it is delivered', async () => {
    expect(await send({ to: ANN, text: 'Hello' })).toMatchObject({
      ...{ status: 400, body: { code: 'CHATAPP_REQUEST_INVALID' } },
    });
    expect(await write(ANN, 'Hello?')).toMatchObject({ status: 200 });
    const sent = await send({ to: ANN, text: 'Hello' });
    expect(sent).toMatchObject({ status: 200, body: { ok: true, to: ANN, free: true, price: 0, charged: false } });
    const { id, chatappMessageId } = sent.body;
    const { requests } = await control('GET', `/requests?to=${encodeURIComponent(ANN)}`);
    expect(requests).toMatchObject([{ method: 'POST', body: { type: 'text', text: { body: 'Hello' } } }]);
    for (const status of ['sent', 'delivered']) {
      expect(await control('POST', '/statuses', { id: chatappMessageId, status })).toMatchObject({ status: 200 });
    }
    const record = await until('the message is delivered', async () => {
      const { body } = await gateway('GET', `/chatapp/status?id=${String(id)}`);
      return body['status'] === 'delivered' && body;
    });
    expect(record).toMatchObject({ id, chatappMessageId, deliveredAt: expect.any(String), creditsCharged: false });
  });

  it('sends nothing after a STOP', async () => {
    await write(ANN, 'Hello again');
    expect((await send({ to: ANN, text: 'Hello' })).status).toBe(200);
    expect(await write(ANN, 'STOP')).toMatchObject({ status: 200 });
    expect(await send({ to: ANN, text: 'Hello' })).toMatchObject({
      ...{ status: 409, body: { code: 'RECIPIENT_OPTED_OUT' } },
    });
    await write(ANN, 'START');
    expect((await send({ to: ANN, text: 'Hello' })).status).toBe(200);
  });

  it('sends nothing without sufficient credits', async () => {
    await control('PUT', '/templates/offer', {
      status: 'APPROVED',
      language: 'en_US',
      category: 'MARKETING',
      components: [{ type: 'BODY', text: 'Hello' }],
    });
    const offer = { to: BOB, type: 'template', template: { name: 'offer', language: 'en_US' } };
    expect(await send(offer)).toMatchObject({ status: 402, body: { code: 'INSUFFICIENT_CREDITS' } });
    expect(await control('GET', `/requests?to=${encodeURIComponent(BOB)}`)).toEqual({ requests: [] });
  });

  it('keeps windows and templates of the provider after kill -9', async () => {
    await end(stack.started[0]!, 'SIGKILL');
    await stack.start();
    expect((await send({ to: ANN, text: 'Hello' })).status).toBe(200);
    const utility = { to: ANN, type: 'template', category: 'utility' };
    expect((await send({ ...utility, template: { name: 'offer' } })).body).toMatchObject({ ok: true, free: true });
    expect((await send({ ...utility, template: { name: 'unknown' } })).status).toBe(400);
  }, 90_000);
});
