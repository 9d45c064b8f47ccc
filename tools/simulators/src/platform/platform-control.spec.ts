import type { ControlApi } from '../control-api';
import { createControlApi } from '../create-control-api';
import { PlatformFixture } from './platform.fixture';

const OK = { status: 200, body: { ok: true } };

let fixture: PlatformFixture;
let api: ControlApi;
let origin: string;

beforeEach(async () => {
  fixture = await PlatformFixture.start();
  api = createControlApi({ platform: fixture.platform });
  origin = `http://127.0.0.1:${await api.start()}`;
});

afterEach(async () => {
  await api.stop();
  await fixture.stop();
});

async function call(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${origin}${path}`, { method, body: JSON.stringify(body) });
  return { status: response.status, body: await response.json() };
}

const text = { type: 'text', text: { body: 'hello' } };

describe('the platform’s part of the control API', () => {
  it('posts an inbound message, which opens the window', async () => {
    const inbound = {
      from: '+49 1511234567',
      message: text,
      id: 'camid.mine',
      timestamp: Math.floor(Date.now() / 1_000),
    };
    expect(await call('POST', '/platform/inbound', inbound)).toEqual({
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

  it('posts a status, and many updates at once', async () => {
    const status = { id: 'camid.x', status: 'failed', errors: [{ code: 131026, title: 'Undeliverable' }] };
    expect(await call('POST', '/platform/statuses', status)).toEqual({
      status: 200,
      body: { status: 200, body: { ok: true }, messageId: 'camid.x' },
    });
    const updates = [status, { from: '491', message: text, id: 'camid.y' }];
    expect(await call('POST', '/platform/webhook', { updates })).toMatchObject({
      body: { status: 200, messageIds: ['camid.x', 'camid.y'] },
    });
    expect(fixture.webhooks).toHaveLength(2);
  });

  it('takes times with fractions and as text', async () => {
    for (const timestamp of [1_700_000_000.75, '1700000000']) {
      await call('POST', '/platform/statuses', { id: 'camid.x', status: 'read', timestamp });
      expect(JSON.stringify(fixture.lastWebhook())).toContain('"timestamp":"1700000000"');
    }
  });

  it('says what the receiver answered, and when there is none', async () => {
    fixture.hookAnswer = { status: 400, body: '{"code":"SIGNATURE_INVALID"}' };
    const inbound = { from: '491', message: text };
    expect(await call('POST', '/platform/inbound', inbound)).toMatchObject({
      status: 200,
      body: { status: 400, body: { code: 'SIGNATURE_INVALID' } },
    });
    fixture.platform.hookUrl = 'http://127.0.0.1:1/';
    expect(await call('POST', '/platform/inbound', inbound)).toMatchObject({ status: 502 });
    fixture.platform.hookUrl = null;
    expect(await call('POST', '/platform/inbound', inbound)).toMatchObject({ status: 409 });
  });

  it('lists and forgets requests', async () => {
    await fixture.send(text, '+491700000000');
    await fixture.send(text, '+491700000001');
    expect(await call('GET', '/platform/requests?to=%2B49%20170%200000001')).toMatchObject({
      body: {
        requests: [
          { method: 'POST', path: '/v21.0/100000000000001/messages', query: {}, body: { to: '+491700000001' } },
        ],
      },
    });
    expect(await call('DELETE', '/platform/requests')).toEqual(OK);
    expect(await call('GET', '/platform/requests')).toEqual({ status: 200, body: { requests: [] } });
    expect(await call('GET', '/platform/messages')).toEqual({ status: 200, body: { messages: [] } });
    expect(await call('GET', '/platform/totals')).toEqual({ status: 200, body: { accepted: 0, distinct: 0 } });
    expect(await call('POST', '/platform/disconnect')).toEqual(OK);
  });

  it('sets, replaces and removes behaviours', async () => {
    const error = { status: 500, code: 2, message: 'away' };
    const { behaviours } = fixture.platform;
    expect(await call('PUT', '/platform/behaviour', { error })).toEqual(OK);
    expect(await call('PUT', '/platform/behaviour', { match: { to: '+49 1' }, unreachable: true })).toEqual(OK);
    expect(await call('PUT', '/platform/behaviour', { match: { to: '491' }, delayMs: 5 })).toEqual(OK);
    expect(behaviours.of('491')).toMatchObject({ delayMs: 5, unreachable: false });
    expect(behaviours.of(null).error).toEqual(error);
    expect(await call('DELETE', '/platform/behaviour', { match: { to: '491' } })).toEqual(OK);
    expect(behaviours.of('491').error).toEqual(error);
    expect(await call('DELETE', '/platform/behaviour')).toEqual(OK);
    expect(behaviours.of('491').error).toBeUndefined();
  });

  it('reviews a template, and makes it where there is none', async () => {
    const components = [{ type: 'body', text: 'Hi {{1}}' }];
    expect(
      await call('PUT', '/platform/templates/hello%5Fworld', {
        status: 'approved',
        language: 'en',
        category: 'utility',
        components,
      }),
    ).toEqual(OK);
    expect(fixture.platform.templates()).toMatchObject([
      {
        name: 'hello_world',
        status: 'APPROVED',
        language: 'en',
        category: 'UTILITY',
        components: [{ type: 'BODY', text: 'Hi {{1}}' }],
      },
    ]);
    expect(await call('PUT', '/platform/templates/hello_world', { status: 'REJECTED' })).toEqual(OK);
    expect(await call('PUT', '/platform/templates/hello_world', { status: 'PENDING', language: 'de' })).toEqual(OK);
    expect(fixture.platform.templates()).toMatchObject([
      { language: 'en', status: 'REJECTED', category: 'UTILITY' },
      { language: 'de', status: 'PENDING' },
    ]);
  });

  it.each([
    ['PUT', '/platform/behaviour', { eror: {} }, 'eror'],
    ['PUT', '/platform/behaviour', { error: { status: 99 } }, 'error.status'],
    ['PUT', '/platform/behaviour', { match: { to: 'nobody' } }, 'match.to'],
    ['POST', '/platform/inbound', { from: 'x', message: text }, 'from'],
    ['POST', '/platform/inbound', { from: '491', message: {} }, 'message.type'],
    ['POST', '/platform/inbound', { from: '491', message: text, timestamp: 'now' }, 'timestamp'],
    ['POST', '/platform/statuses', { id: 'x' }, 'status'],
    ['POST', '/platform/webhook', { updates: [] }, 'updates'],
    ['PUT', '/platform/templates/a', {}, 'status'],
  ])('names what is wrong in %s %s', async (method, path, body, field) => {
    const answer = await call(method, path, body);
    expect(answer.status).toBe(400);
    expect((answer.body as { error: string }).error).toContain(field);
    expect(fixture.webhooks).toEqual([]);
  });
});
