import { newId } from '@heliograph/database';
import { sendIncompleteRequest, tapEvents, until } from '@heliograph/testing';
import { acmeBot, HOURS, refusal, RFC_3339 } from './acme-bot';
import { BotFixture } from './bot-fixture';
import type { MadeBot } from './make-bot';

describe('conversations', () => {
  let bots: BotFixture;
  let bot: MadeBot;
  beforeAll(async () => {
    bots = await BotFixture.shared();
    bot = await acmeBot(bots);
  });

  const start = (body: unknown, headers: Record<string, string> = {}) =>
    bots.post('/api/v1/chat/conversations', body, headers);

  describe('every call on a conversation', () => {
    const calls: [string, string, object | null][] = [
      ['POST', '/messages', { message: 'Hi' }],
      ['POST', '/forms/lead/submissions', { answers: { email: 'a@example.com' } }],
      ['GET', '/messages', null],
      ['GET', '', null],
      ['POST', '/end', null],
      ['POST', '/feedback', { rating: 5 }],
      ['POST', '/reopen', null],
      ['GET', '/events', null],
    ];

    it.each(calls)('%s %s returns 401 without the token of the conversation', async (method, path, body) => {
      const own = await bots.chat(bot.publicId);
      const foreign = await bots.chat(bot.publicId);
      const call = (id: string, headers: Record<string, string>, query = '') =>
        bots.call(`/api/v1/chat/conversations/${id}${path}${query}`, {
          method,
          headers,
          ...(method === 'POST' ? { json: body ?? {} } : {}),
        });
      const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
      const refused = [
        await call(own.id, {}),
        await call(own.id, bearer(foreign.token)),
        await call(own.id, bearer(`bcs_${'x'.repeat(43)}`)),
        await call(own.id, bearer('nonsense')),
        await call(own.id, bearer(`${own.token}x`)),
        await call(own.id, { Authorization: `Basic ${own.token}` }),
        await call(own.id, { 'X-API-Key': own.token }),
        await call(own.id, {}, `?token=${own.token}&conversationToken=${own.token}&access_token=${own.token}`),
        await call(newId(), bearer(own.token)),
        await call('not-an-id', bearer(own.token)),
        await call('%00', bearer(own.token)),
      ];
      for (const answer of refused) {
        expect(refusal(answer)).toEqual([401, false, 'UNAUTHENTICATED']);
        expect(answer.headers.get('www-authenticate')).toBe('Bearer');
        expect(Object.keys(answer.body)).toEqual(['ok', 'code', 'message']);
      }
    });

    it.each(calls.filter(([method]) => method === 'POST'))(
      '%s %s is refused without a token before the body is read',
      async (_method, path) => {
        const own = await bots.chat(bot.publicId);
        const answer = await sendIncompleteRequest(`${bots.url}/api/v1/chat/conversations/${own.id}${path}`);
        expect([answer.status, JSON.parse(answer.text)]).toMatchObject([401, { code: 'UNAUTHENTICATED' }]);
      },
    );

    it('accepts the authentication scheme in any case', async () => {
      const { id, token } = await bots.chat(bot.publicId);
      const answer = await bots.call(`/api/v1/chat/conversations/${id}`, {
        headers: { Authorization: `bearer  ${token}` },
      });
      expect(answer.status).toBe(200);
    });

    it('returns a valid X-Request-Id of the caller, and otherwise generates one', async () => {
      const chat = await bots.chat(bot.publicId);
      const given = await bots.on(chat, '', { headers: { 'X-Request-Id': 'abc-1' } });
      expect(given.headers.get('x-request-id')).toBe('abc-1');
      expect((await bots.on(chat, '')).headers.get('x-request-id')).toMatch(/^[\w-]{36}$/);
    });

    it('returns Cache-Control: no-store', async () => {
      const chat = await bots.chat(bot.publicId);
      expect((await bots.on(chat, '/messages')).headers.get('cache-control')).toBe('no-store');
    });
  });

  describe('GET …/conversations/{id}', () => {
    it('returns exactly the conversation', async () => {
      const chat = await bots.chat(bot.publicId, { channel: 'hosted' });
      expect((await bots.on(chat, '')).body).toEqual({
        conversation: {
          id: chat.id,
          status: 'open',
          channel: 'hosted',
          createdAt: expect.stringMatching(RFC_3339),
          updatedAt: expect.stringMatching(RFC_3339),
          endedAt: null,
          endedBy: null,
          feedback: null,
        },
      });
    });
  });

  describe('paths and methods', () => {
    it('return 404 NOT_FOUND and 405 METHOD_NOT_ALLOWED with Allow, in the error format of the runtime', async () => {
      const chat = await bots.chat(bot.publicId);
      const unknown = await bots.on(chat, '/nothing');
      expect(refusal(unknown)).toEqual([404, false, 'NOT_FOUND']);
      expect(refusal(await bots.call('/api/v1/chat'))).toEqual([404, false, 'NOT_FOUND']);
      for (const [method, path, allow] of [
        ['GET', '/end', 'POST'],
        ['DELETE', '', 'GET'],
        ['PUT', '/messages', 'GET, POST'],
        ['POST', '/events', 'GET'],
      ] as const) {
        const answer = await bots.on(chat, path, { method });
        expect([...refusal(answer), answer.headers.get('allow')]).toEqual([405, false, 'METHOD_NOT_ALLOWED', allow]);
      }
      const started = await bots.call('/api/v1/chat/conversations');
      expect([...refusal(started), started.headers.get('allow')]).toEqual([405, false, 'METHOD_NOT_ALLOWED', 'POST']);
      const head = await bots.on(chat, '/events', { method: 'HEAD' });
      expect([head.status, head.headers.get('allow')]).toEqual([405, 'GET']);
    });

    it('are available to any site without credentials, including preflight requests', async () => {
      const preflight = await bots.call('/api/v1/chat/conversations/x/messages', {
        method: 'OPTIONS',
        headers: {
          Origin: 'https://shop.example',
          'Access-Control-Request-Method': 'POST',
          'Access-Control-Request-Headers': 'authorization,content-type,idempotency-key',
        },
      });
      expect(preflight.status).toBe(204);
      expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
      expect(preflight.headers.get('access-control-allow-credentials')).toBeNull();
      expect(preflight.headers.get('access-control-allow-methods')).toContain('POST');
      for (const name of ['authorization', 'content-type', 'idempotency-key']) {
        expect(preflight.headers.get('access-control-allow-headers')).toContain(name);
      }
      expect(Number(preflight.headers.get('access-control-max-age'))).toBeGreaterThan(0);
      for (const answer of [await start({ botId: bot.publicId }), await start({}), await bots.call('/api/v1/chat/x')]) {
        expect(answer.headers.get('access-control-allow-origin')).toBe('*');
        const exposed = answer.headers.get('access-control-expose-headers');
        for (const name of ['Retry-After', 'RateLimit-Remaining', 'X-Request-Id', 'Idempotent-Replayed']) {
          expect(exposed).toContain(name);
        }
      }
    });
  });

  it('a chosen quick reply “Talk to a person” publishes the request for a hand-off', async () => {
    const tap = await tapEvents(bots.service.amqpPrefix);
    const helpful = await bots.bot({ settings: { handoff: { enabled: true } } });
    const chat = await bots.chat(helpful.publicId);
    const { body } = await bots.say(chat, 'xyzzy plugh');
    const { quickReplies = [] } = body['reply'] as { quickReplies?: { label: string; action: object }[] };
    expect(quickReplies).toMatchObject([{ label: 'Talk to a person', type: 'faq' }]);
    const [person] = quickReplies;
    const chosen = await bots.say(chat, person!.label, { action: person!.action });
    expect(chosen).toMatchObject({ status: 201, body: { reply: { metadata: { via: 'handoff' } } } });
    expect((await bots.stored(chat.id)).handoffRequestedAt).toBeInstanceOf(Date);
    const requests = () =>
      tap.events.filter(
        ({ type, data }) =>
          type === 'bot.handoff.requested' && (data as { conversationId: string }).conversationId === chat.id,
      );
    await until('the request is published', () => requests().length > 0);
    expect(requests()).toHaveLength(1);
    await tap.close();
  });

  it('events of starts, messages, handoffs and ends are published in the name of the owner', async () => {
    const tap = await tapEvents(bots.service.amqpPrefix);
    const headers = { 'X-Request-Id': `request-${newId()}` };
    const chat = await bots.chat(bot.publicId, { message: HOURS, client: { language: 'de' } }, headers);
    await bots.say(chat, 'I want to talk to a human', {}, headers);
    await bots.postOn(chat, '/end', {}, headers);
    const own = () => tap.events.filter(({ data }) => (data as { conversationId: string }).conversationId === chat.id);
    await until('the event of the end is published', () => own().some(({ type }) => type === 'bot.conversation.ended'));
    const types = own().map(({ type }) => type);
    expect([...types].sort()).toEqual([
      'bot.conversation.changed',
      'bot.conversation.ended',
      'bot.conversation.started',
      'bot.handoff.requested',
      'bot.message.received',
      'bot.message.received',
    ]);
    for (const event of own()) {
      expect(event).toMatchObject({
        organizationId: bot.organizationId,
        workspaceId: bot.workspaceId,
        correlationId: headers['X-Request-Id'],
      });
    }
    const started = own().find(({ type }) => type === 'bot.conversation.started');
    expect(started?.data).toMatchObject({ botId: bot.publicId, channel: 'web', client: { language: 'de' } });
    const received = own().filter(({ type }) => type === 'bot.message.received');
    expect(received.map(({ data }) => (data as { content: string }).content).sort()).toEqual(
      [HOURS, 'I want to talk to a human'].sort(),
    );
    await tap.close();
  });
});
