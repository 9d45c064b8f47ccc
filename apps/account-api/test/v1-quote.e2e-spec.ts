import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newId } from '@heliograph/database';
import { AccountFixture, type Tenant } from './account-fixture';
import { botOwnerTests, storeConversation } from './bot-inbox-fixture';

const QUOTE = {
  segments: 1,
  encoding: 'gsm-7',
  credits_cost: 1,
  currency: null,
  credits_available: 5,
  verdict: 'ok',
  checks: [{ name: 'credits', result: 'passed', message: null }],
  earliest_send_at: '2026-01-01T00:00:00.000Z',
};

interface Quoted {
  status: number;
  verdict: string;
  checks: { name: string; result: string; message: string | null }[];
}

describe('POST /api/v1/quote', () => {
  let fixture: AccountFixture;
  let tenant: Tenant;
  let service: Server;
  let answer: { status: number; body: object; headers?: Record<string, string> };
  const received: { path: string; headers: IncomingMessage['headers']; body: unknown }[] = [];
  beforeAll(async () => {
    service = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        // account-api also reads the OpenAPI document of the service.
        if (request.method === 'GET') return void response.writeHead(404).end();
        const body = JSON.parse(Buffer.concat(chunks).toString()) as unknown;
        received.push({ path: request.url ?? '', headers: request.headers, body });
        response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
        response.end(JSON.stringify(answer.body));
      });
    });
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
    const shared = await AccountFixture.shared();
    fixture = await shared.beside({ SMS_API_URL: url, CHATAPP_API_URL: 'http://127.0.0.1:1' });
    tenant = await fixture.tenant();
  });
  beforeEach(() => {
    received.length = 0;
    answer = { status: 200, body: QUOTE };
  });
  afterAll(async () => {
    await fixture.service.stop();
    service.close();
  });

  const quote = (body: object, credentials: object = { key: tenant.key }) =>
    fixture.call('POST', '/api/v1/quote', { ...credentials, body });

  it('forwards the request to the service of the channel with the key of the caller', async () => {
    const answered = await fixture.call('POST', '/api/v1/quote', {
      key: tenant.key,
      headers: { 'x-request-id': 'request-of-the-test' },
      body: { channel: 'sms', to: '+919811111111', template_id: 'otp' },
    });
    expect(answered).toMatchObject(QUOTE);
    expect(received).toEqual([
      {
        path: '/api/v1/sms/quote',
        headers: expect.objectContaining({
          authorization: `Bearer ${tenant.key}`,
          'x-request-id': 'request-of-the-test',
          'x-forwarded-for': expect.stringMatching(/127\.0\.0\.1|::1/) as string,
        }) as object,
        body: { to: '+919811111111', template_id: 'otp' },
      },
    ]);
  });

  it('returns the errors of the service', async () => {
    const fields = [{ field: 'to', message: 'to must be text.' }];
    answer = { status: 400, body: { code: 'INVALID_RECIPIENT', message: 'to must be text.', fields } };
    expect(await quote({ channel: 'sms' })).toMatchObject({ status: 400, code: 'INVALID_RECIPIENT', fields });
    answer = { status: 500, body: { code: 'INTERNAL_ERROR', message: 'x' } };
    expect(await quote({ channel: 'sms' })).toMatchObject({ status: 503, code: 'SERVICE_UNAVAILABLE' });
  });

  it('returns the Retry-After header of the service', async () => {
    answer = { status: 429, body: { code: 'RATE_LIMITED', message: 'x' }, headers: { 'retry-after': '7' } };
    const limited = await quote({ channel: 'sms' });
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '7']);
  });

  it('returns quotes to an organization whose workspaces are locked, because a quote changes nothing', async () => {
    const locked = await fixture.tenant();
    await fixture.database.query(`UPDATE tenancy.workspaces SET status = 'locked' WHERE id = $1`, [
      locked.workspace.id,
    ]);
    expect(await quote({ channel: 'sms' }, { key: locked.key })).toMatchObject(QUOTE);
  });

  it('returns 503 for a channel whose service is not reachable or not configured', async () => {
    for (const channel of ['chatapp', 'email']) {
      expect(await quote({ channel })).toMatchObject({ status: 503, code: 'SERVICE_UNAVAILABLE' });
    }
  });

  it('forwards the session cookie of the console as a call of the same origin', async () => {
    const cookie = await fixture.login(tenant.owner.email);
    expect(await quote({ channel: 'sms' }, { cookie })).toMatchObject(QUOTE);
    expect(received[0]?.headers).toMatchObject({ cookie, 'sec-fetch-site': 'same-origin' });
  });

  it('rejects an unknown channel, and callers without a credential', async () => {
    for (const channel of ['fax', 5, null, undefined, 'constructor']) {
      expect(await quote({ channel })).toMatchObject({ status: 400, fields: [{ field: 'channel' }] });
    }
    expect(await quote({ channel: 'sms' }, {})).toMatchObject({ status: 401 });
    expect(received).toEqual([]);
  });

  describe('of the bots channel', () => {
    const bots = botOwnerTests();
    const quoteReply = (conversationId: unknown, message: unknown = 'Hello', key = bots.at.tenant.key) =>
      bots.at.fixture.v1<Quoted>('POST', '/api/v1/quote', {
        key,
        body: { channel: 'bots', conversation_id: conversationId, message },
      });
    const failed = ({ checks }: Quoted) => checks.filter(({ result }) => result === 'failed');

    it('runs the checks of an agent reply, which is free', async () => {
      const id = await storeConversation(bots.at.fixture, bots.home(), bots.at.bot);
      expect(await quoteReply(id)).toMatchObject({
        status: 200,
        verdict: 'ok',
        credits_cost: 0,
        segments: null,
        earliest_send_at: expect.any(String) as string,
        checks: ['permission', 'conversation', 'workspace', 'content', 'state'].map((name) => ({
          name,
          result: 'passed',
        })),
      });
      expect((await bots.call('GET', `conversations/${id}/messages`)).data).toMatchObject({ messages: [] });
    });

    it('returns all failed checks of a reply', async () => {
      const ended = await storeConversation(bots.at.fixture, bots.home(), bots.at.bot, { status: 'ended' });
      const names = (quoted: Quoted) => failed(quoted).map(({ name }) => name);
      expect(names(await quoteReply(ended, '<b></b>'))).toEqual(['content', 'state']);
      expect(names(await quoteReply(newId(), '<b></b>'))).toEqual(['conversation', 'content']);
    });

    it('refuses what the reply refuses', async () => {
      const open = await storeConversation(bots.at.fixture, bots.home(), bots.at.bot);
      const ended = await storeConversation(bots.at.fixture, bots.home(), bots.at.bot, { status: 'ended' });
      for (const [id, message, code] of [
        [ended, 'Hello', 'CONVERSATION_CLOSED'],
        [open, '<b></b>', 'VALIDATION_ERROR'],
        [newId(), 'Hello', 'NOT_FOUND'],
        ['x', 'Hello', 'NOT_FOUND'],
      ] as const) {
        const quoted = await quoteReply(id, message);
        expect(quoted).toMatchObject({ status: 200, verdict: 'refused', earliest_send_at: null });
        expect(failed(quoted)).toMatchObject([{ message: expect.stringContaining(code) as string }]);
        const sent = await bots.call('POST', `conversations/${id}/messages`, { message });
        expect(JSON.stringify(sent)).toContain(code);
      }
      const viewer = await bots.at.fixture.factory.key(bots.at.tenant.organizationId, { role: 'viewer' });
      expect(failed(await quoteReply(open, 'Hello', viewer))).toMatchObject([{ name: 'permission' }]);
      const { key } = await bots.at.fixture.tenant();
      expect(failed(await quoteReply(open, 'Hello', key))).toMatchObject([{ name: 'conversation' }]);
    });

    it('refuses fields of the wrong type', async () => {
      expect(await quoteReply(5)).toMatchObject({ status: 400, fields: [{ field: 'conversation_id' }] });
      expect(await quoteReply(newId(), 5)).toMatchObject({ status: 400, fields: [{ field: 'message' }] });
    });
  });
});
