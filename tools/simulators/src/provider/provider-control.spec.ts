import request from 'supertest';
import type { ControlApi } from '../control-api';
import { createControlApi } from '../create-control-api';
import { ProviderFixture } from './provider.fixture';

const OK = { status: 200, body: { ok: true } };

let fixture: ProviderFixture;
let api: ControlApi;
let origin: string;

beforeEach(async () => {
  fixture = await ProviderFixture.start();
  api = createControlApi({ provider: fixture.provider });
  origin = `http://127.0.0.1:${await api.start()}`;
});

afterEach(async () => {
  await api.stop();
  await fixture.stop();
});

async function call(
  method: 'get' | 'put' | 'post' | 'delete',
  path: string,
  content?: object,
): Promise<{ status: number; body: unknown }> {
  const { status, body } = await request(origin)[method](path).send(content);
  return { status, body: body as unknown };
}

const text = { type: 'text', text: { body: 'hello' } };

describe('the control API of the provider', () => {
  it('posts an inbound message and opens the window', async () => {
    const inbound = {
      from: '+49 1511234567',
      message: text,
      id: 'camid.mine',
      timestamp: Math.floor(Date.now() / 1_000),
    };
    expect(await call('post', '/platform/inbound', inbound)).toEqual({
      status: 200,
      body: { status: 200, body: { ok: true }, messageId: 'camid.mine' },
    });
    expect(await fixture.send(text)).toMatchObject({ status: 200 });
    expect(fixture.lastWebhook()).toMatchObject({
      entry: [
        { changes: [{ value: { messages: [{ id: 'camid.mine', from: '491511234567', text: { body: 'hello' } }] } }] },
      ],
    });
  });

  it('posts a status, and several updates in one webhook', async () => {
    const status = { id: 'camid.x', status: 'failed', errors: [{ code: 131026, title: 'Undeliverable' }] };
    expect(await call('post', '/platform/statuses', status)).toEqual({
      status: 200,
      body: { status: 200, body: { ok: true }, messageId: 'camid.x' },
    });
    const updates = [status, { from: '491', message: text, id: 'camid.y' }];
    expect(await call('post', '/platform/webhook', { updates })).toMatchObject({
      body: { status: 200, messageIds: ['camid.x', 'camid.y'] },
    });
    expect(fixture.webhooks).toHaveLength(2);
  });

  it('returns the response of the receiver, or an error without one', async () => {
    fixture.hookAnswer = { status: 400, body: '{"code":"SIGNATURE_INVALID"}' };
    const inbound = { from: '491', message: text };
    expect(await call('post', '/platform/inbound', inbound)).toMatchObject({
      status: 200,
      body: { status: 400, body: { code: 'SIGNATURE_INVALID' } },
    });
    fixture.provider.hookUrl = 'http://127.0.0.1:1/';
    expect(await call('post', '/platform/inbound', inbound)).toMatchObject({ status: 502 });
    fixture.provider.hookUrl = null;
    expect(await call('post', '/platform/inbound', inbound)).toMatchObject({ status: 409 });
  });

  it('lists and deletes requests', async () => {
    await fixture.send(text, '+491700000000');
    await fixture.send(text, '+491700000001');
    expect(await call('get', '/platform/requests?to=%2B49%20170%200000001')).toMatchObject({
      body: {
        requests: [
          { method: 'POST', path: '/v21.0/100000000000001/messages', query: {}, body: { to: '+491700000001' } },
        ],
      },
    });
    expect(await call('delete', '/platform/requests')).toEqual(OK);
    expect(await call('get', '/platform/requests')).toEqual({ status: 200, body: { requests: [] } });
    expect(await call('get', '/platform/messages')).toEqual({ status: 200, body: { messages: [] } });
    expect(await call('get', '/platform/totals')).toEqual({ status: 200, body: { accepted: 0, distinct: 0 } });
    expect(await call('post', '/platform/disconnect')).toEqual(OK);
  });

  it('reviews templates and creates missing ones', async () => {
    const components = [{ type: 'body', text: 'Hi {{1}}' }];
    expect(
      await call('put', '/platform/templates/hello%5Fworld', {
        status: 'approved',
        language: 'en',
        category: 'utility',
        components,
      }),
    ).toEqual(OK);
    expect(fixture.provider.templates()).toMatchObject([
      {
        name: 'hello_world',
        status: 'APPROVED',
        language: 'en',
        category: 'UTILITY',
        components: [{ type: 'BODY', text: 'Hi {{1}}' }],
      },
    ]);
    expect(await call('put', '/platform/templates/hello_world', { status: 'REJECTED' })).toEqual(OK);
    expect(await call('put', '/platform/templates/hello_world', { status: 'PENDING', language: 'de' })).toEqual(OK);
    expect(fixture.provider.templates()).toMatchObject([
      { language: 'en', status: 'REJECTED', category: 'UTILITY' },
      { language: 'de', status: 'PENDING' },
    ]);
  });
});
