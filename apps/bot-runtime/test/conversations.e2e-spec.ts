import { newId } from '@heliograph/database';
import { sendIncompleteRequest, tapEvents, until, type HttpAnswer } from '@heliograph/testing';
import { BotFixture, type Chat, type Message } from './bot-fixture';
import type { MadeBot } from './make-bot';

const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const HOURS = 'What are your opening hours?';
const NINE_TO_FIVE = '9 to 5, Monday to Friday';

const refusal = ({ status, body }: HttpAnswer) => [status, body['ok'], body['code']];
const messageOf = ({ body }: HttpAnswer, name: string) => body[name] as Message;

describe('conversations', () => {
  let bots: BotFixture;
  let bot: MadeBot;
  beforeAll(async () => {
    bots = await BotFixture.shared();
    bot = await bots.bot({
      name: 'Acme Help',
      slug: 'acme-help',
      settings: { welcomeMessage: 'Welcome to Acme', handoff: { enabled: true } },
      version: { number: 3 },
      faqs: [{ id: 'hours', question: HOURS, answer: NINE_TO_FIVE, label: 'Opening hours' }],
      knowledge: [{ title: 'Returns', body: 'Goods can be returned within 30 days.' }],
      shortcuts: [
        { id: 'returns', label: 'Returns', command: '/returns', description: 'Our policy', query: 'returns' },
      ],
      forms: [
        {
          id: 'lead',
          title: 'Leave your details',
          keywords: ['demo'],
          fields: [
            { key: 'email', label: 'Email', type: 'email', required: true },
            { key: 'size', label: 'Size', type: 'select', options: ['S', 'L'] },
          ],
        },
      ],
    });
  });

  const start = (body: unknown, headers: Record<string, string> = {}) =>
    bots.post('/api/v1/chat/conversations', body, headers);

  describe('POST /api/v1/chat/conversations', () => {
    it('returns 201 with exactly the conversation, its token, the bot, the greeting, shortcuts and forms', async () => {
      const { status, body } = await start({ botId: bot.publicId });
      expect(status).toBe(201);
      expect(body).toEqual({
        conversation: { id: expect.stringMatching(UUID), status: 'open', channel: 'web' },
        conversationToken: expect.stringMatching(/^bcs_[0-9A-Za-z]{43,}$/),
        bot: {
          id: bot.publicId,
          name: 'Acme Help',
          slug: 'acme-help',
          locale: 'en',
          version: { id: bot.version.id, version: 3 },
        },
        greeting: 'Welcome to Acme',
        shortcuts: [
          {
            id: 'returns',
            label: 'Returns',
            command: '/returns',
            description: 'Our policy',
            type: 'knowledge_query',
            displayOrder: 0,
          },
        ],
        forms: [
          {
            id: 'lead',
            title: 'Leave your details',
            fields: [
              { key: 'email', label: 'Email', type: 'email', required: true },
              { key: 'size', label: 'Size', type: 'select', required: false, options: ['S', 'L'] },
            ],
          },
        ],
      });
    });

    it('reveals no data of the owner in any response', async () => {
      const answers = [await start({ botId: bot.publicId, message: HOURS })];
      const chat = {
        id: (answers[0]!.body['conversation'] as Chat).id,
        token: String(answers[0]!.body['conversationToken']),
      };
      answers.push(await bots.say(chat, HOURS), await bots.on(chat, ''), await bots.on(chat, '/messages'));
      for (const { text } of answers) {
        for (const secret of [bot.id, bot.organizationId, bot.workspaceId, 'settings'])
          expect(text).not.toContain(secret);
      }
    });

    it('returns a reply with suggestions to the first message, and stores it in the transcript', async () => {
      const answer = await start({ botId: bot.publicId, message: 'xyzzy' });
      const { reply } = answer.body as { reply: Message };
      expect(reply).toEqual({
        id: expect.stringMatching(UUID),
        role: 'assistant',
        content: expect.any(String),
        contentType: 'text',
        metadata: expect.objectContaining({ author: 'bot' }),
        createdAt: expect.stringMatching(RFC_3339),
        quickReplies: [{ id: 'hours', label: 'Opening hours', type: 'faq', action: { type: 'faq', id: 'hours' } }],
        form: null,
      });
      const { conversation, conversationToken } = answer.body as { conversation: Chat; conversationToken: string };
      const transcript = await bots.transcript({ id: conversation.id, token: conversationToken });
      expect(transcript.map(({ role, content }) => [role, content])).toEqual([
        ['user', 'xyzzy'],
        ['assistant', reply.content],
      ]);
      const { form, ...shown } = reply;
      expect(form).toBeNull();
      expect(transcript[1]).toEqual(shown);
    });

    it('does not store the greeting in the transcript, and returns no reply without a message', async () => {
      const { id, token, started } = await bots.chat(bot.publicId);
      expect('reply' in started).toBe(false);
      expect(await bots.transcript({ id, token })).toEqual([]);
    });

    it.each(['web', 'hosted', 'chatapp', 'sms', 'email', 'api'])('accepts the channel %s', async (channel) => {
      const { body } = await start({ botId: bot.publicId, channel });
      expect(body['conversation']).toMatchObject({ channel });
    });

    it.each([
      ['an unknown bot', { botId: 'bot_nobody' }],
      ['a missing bot id', {}],
      ['a bot id with NUL', { botId: 'bot\0' }],
      ['a very long bot id', { botId: 'b'.repeat(5_000) }],
    ])('returns 404 BOT_UNAVAILABLE for %s', async (_what, body) => {
      expect(refusal(await start(body))).toEqual([404, false, 'BOT_UNAVAILABLE']);
    });

    it('returns 404 BOT_UNAVAILABLE for a draft, a paused bot and a bot without a published version', async () => {
      const hidden = [
        await bots.bot({ status: 'draft' }),
        await bots.bot({ status: 'paused' }),
        await bots.bot({ version: null }),
      ];
      for (const { publicId } of hidden) {
        expect(refusal(await start({ botId: publicId }))).toEqual([404, false, 'BOT_UNAVAILABLE']);
      }
    });

    it.each([
      ['a bot id that is not text', { botId: 7 }, 'INVALID_REQUEST'],
      ['an unknown channel', { channel: 'pigeon' }, 'INVALID_REQUEST'],
      ['a channel that is not text', { channel: ['web'] }, 'INVALID_REQUEST'],
      ['a client that is not an object', { client: 'x' }, 'INVALID_REQUEST'],
      ['a client that is an array', { client: [] }, 'INVALID_REQUEST'],
      ['a page URL that is not text', { client: { pageUrl: 7 } }, 'INVALID_REQUEST'],
      ['a language with NUL', { client: { language: 'e\0n' } }, 'INVALID_REQUEST'],
      ['an empty message', { message: '' }, 'EMPTY_MESSAGE'],
      ['a message of white space', { message: ' \n\t' }, 'EMPTY_MESSAGE'],
      ['a message of invisible characters', { message: '\u200b\u2060' }, 'EMPTY_MESSAGE'],
      ['a message that is not text', { message: 7 }, 'EMPTY_MESSAGE'],
      ['a message with NUL', { message: 'a\0b' }, 'EMPTY_MESSAGE'],
      ['a message with an unpaired surrogate', '{"message":"\\ud800"}', 'EMPTY_MESSAGE'],
      ['a message of 4,001 code points', { message: '😀'.repeat(4_001) }, 'MESSAGE_TOO_LONG'],
      ['an array', [], 'INVALID_REQUEST'],
      ['invalid JSON', '{', 'INVALID_REQUEST'],
    ])('returns 400 for %s', async (_what, body, code) => {
      const whole =
        typeof body === 'string'
          ? body.replace('{"', `{"botId":"${bot.publicId}","`)
          : Array.isArray(body)
            ? body
            : { botId: bot.publicId, ...body };
      expect(refusal(await start(whole))).toEqual([400, false, code]);
    });

    it('returns 413 PAYLOAD_TOO_LARGE for more than one megabyte', async () => {
      expect(refusal(await start(`"${'x'.repeat(1_000_001)}"`))).toEqual([413, false, 'PAYLOAD_TOO_LARGE']);
    });

    it('ignores unknown fields, treats null as absent, and limits messages to 4,000 code points instead of UTF-16 units', async () => {
      const message = '😀'.repeat(4_000);
      const answer = await start({ botId: bot.publicId, message, channel: null, client: null, more: { a: 1 } });
      expect(answer.status).toBe(201);
    });

    it('ignores an Idempotency-Key, because a token is shown only once', async () => {
      const key = { 'Idempotency-Key': newId() };
      const one = await start({ botId: bot.publicId }, key);
      const other = await start({ botId: bot.publicId }, key);
      expect([one.status, other.status]).toEqual([201, 201]);
      expect(one.body['conversationToken']).not.toBe(other.body['conversationToken']);
    });

    it('stores only the hash of the token', async () => {
      const { id, token } = await bots.chat(bot.publicId);
      const { tokenHash } = await bots.stored(id);
      expect(tokenHash).toHaveLength(32);
      expect(tokenHash.toString('utf8')).not.toContain('bcs_');
      expect(tokenHash.toString('hex')).not.toContain(Buffer.from(token).toString('hex'));
    });

    it('stores the page, referrer, language and detected browser and device of web and hosted visitors', async () => {
      const client = {
        platform: 'MacIntel',
        pageUrl: 'https://shop.example/a',
        referrer: 'https://x.example',
        language: 'de',
      };
      const agent =
        'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1';
      for (const channel of ['web', 'hosted']) {
        const { id } = await bots.chat(
          bot.publicId,
          { channel, client: { ...client, ip: '1.2.3.4' } },
          { 'User-Agent': agent },
        );
        const stored = await bots.stored(id);
        expect(stored.client).toEqual({ ...client, browser: 'Safari', os: 'iOS', device: 'mobile' });
      }
    });

    it('truncates client data to 2,000 characters', async () => {
      const { id } = await bots.chat(bot.publicId, { client: { pageUrl: '😀'.repeat(3_000) } });
      expect([...((await bots.stored(id)).client.pageUrl ?? '')]).toHaveLength(2_000);
    });

    it.each(['chatapp', 'sms', 'email', 'api'])('stores only the platform for the channel %s', async (channel) => {
      const client = { platform: 'handset', pageUrl: 'https://x.example', referrer: 'r', language: 'de' };
      const { id } = await bots.chat(
        bot.publicId,
        { channel, client, message: HOURS },
        { 'User-Agent': 'Mozilla/5.0 (Windows NT 10.0)' },
      );
      const [row] = await bots.rows<Record<string, unknown>>('SELECT * FROM bots.conversations WHERE id = $1', [id]);
      expect(row?.['client']).toEqual({ platform: 'handset' });
      expect(JSON.stringify(row)).not.toMatch(/127\.0\.0\.1|Windows/);
      const addresses = await bots.rows(
        'SELECT DISTINCT client_address FROM bots.messages WHERE conversation_id = $1',
        [id],
      );
      expect(addresses).toEqual([{ client_address: null }]);
    });

    it('stores the request id and the address of a visitor with each message, and only there', async () => {
      const chat = await bots.chat(bot.publicId, { message: HOURS }, { 'X-Request-Id': 'start-1' });
      await bots.postOn(chat, '/messages', { message: HOURS }, { 'X-Request-Id': 'message-1' });
      const [conversation] = await bots.rows('SELECT * FROM bots.conversations WHERE id = $1', [chat.id]);
      expect(JSON.stringify(conversation)).not.toContain('127.0.0.1');
      expect(
        await bots.rows(
          `SELECT role, correlation_id, client_address, key_id FROM bots.messages WHERE conversation_id = $1 ORDER BY seq`,
          [chat.id],
        ),
      ).toEqual(
        ['start-1', 'message-1'].flatMap((id) =>
          ['user', 'assistant'].map((role) => ({
            ...{ role, correlation_id: id, client_address: '127.0.0.1', key_id: null },
          })),
        ),
      );
    });
  });

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
          headers: { 'Content-Type': 'application/json', ...headers },
          ...(method === 'POST' ? { body: JSON.stringify(body ?? {}) } : {}),
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

  describe('POST …/messages', () => {
    it('returns 201 with exactly the user message, the reply and paused', async () => {
      const chat = await bots.chat(bot.publicId);
      const answer = await bots.say(chat, HOURS);
      expect(answer.status).toBe(201);
      expect(Object.keys(answer.body)).toEqual(['userMessage', 'reply', 'paused']);
      expect(messageOf(answer, 'userMessage')).toEqual({
        id: expect.stringMatching(UUID),
        role: 'user',
        content: HOURS,
        contentType: 'text',
        metadata: {},
        createdAt: expect.stringMatching(RFC_3339),
      });
      expect(messageOf(answer, 'reply')).toMatchObject({ role: 'assistant', content: NINE_TO_FIVE, form: null });
      expect(answer.body['paused']).toBe(false);
    });

    it('replies from knowledge, to a slash command, and with a form for a keyword', async () => {
      const chat = await bots.chat(bot.publicId);
      expect(messageOf(await bots.say(chat, '/returns'), 'reply').content).toContain('within 30 days');
      expect(messageOf(await bots.say(chat, 'How long can goods be returned?'), 'reply').content).toContain(
        'within 30 days',
      );
      expect(messageOf(await bots.say(chat, 'demo'), 'reply').form).toMatchObject({
        id: 'lead',
        title: 'Leave your details',
      });
      const transcript = await bots.transcript(chat);
      expect(transcript.at(-1)?.form).toMatchObject({ id: 'lead' });
    });

    it.each([
      ['a shortcut', { type: 'shortcut', id: 'returns', command: '/returns' }, 'within 30 days'],
      ['an FAQ', { type: 'faq', id: 'hours' }, NINE_TO_FIVE],
    ])('executes the action of %s', async (_what, action, expected) => {
      const chat = await bots.chat(bot.publicId);
      const answer = await bots.say(chat, 'clicked', { action });
      expect(messageOf(answer, 'reply').content).toContain(expected);
      expect(messageOf(answer, 'userMessage').metadata).toEqual({ action });
    });

    it('accepts the unchanged action of a quick reply as the next action', async () => {
      const answer = await start({ botId: bot.publicId, message: 'xyzzy' });
      const { conversation, conversationToken, reply } = answer.body as unknown as {
        conversation: Chat;
        conversationToken: string;
        reply: Message;
      };
      const [quick] = reply.quickReplies!;
      const chat = { id: conversation.id, token: conversationToken };
      const next = await bots.say(chat, quick!.label, { action: quick!.action });
      expect(messageOf(next, 'reply').content).toBe(NINE_TO_FIVE);
    });

    it.each([
      ['an unknown FAQ', { type: 'faq', id: 'nobody' }],
      ['an unknown shortcut', { type: 'shortcut', id: 'nobody', command: '/returns' }],
      ['a command that does not belong to the shortcut', { type: 'shortcut', id: 'returns', command: '/other' }],
      ['a shortcut without its command', { type: 'shortcut', id: 'returns' }],
      ['an unknown type', { type: 'form', id: 'lead' }],
      ['text instead of an action', 'hours'],
      ['an FAQ id with NUL', { type: 'faq', id: 'a\0' }],
      ['an FAQ id that is a number', { type: 'faq', id: 7 }],
    ])('returns 400 INVALID_ACTION for %s, and stores nothing', async (_what, action) => {
      const chat = await bots.chat(bot.publicId);
      expect(refusal(await bots.say(chat, 'Hi', { action }))).toEqual([400, false, 'INVALID_ACTION']);
      expect(await bots.transcript(chat)).toEqual([]);
    });

    it('returns 400 INVALID_ACTION for an FAQ or a shortcut that is disabled, unpublished or of another bot', async () => {
      const other = await bots.bot({
        faqs: [
          { id: 'off', question: 'Q?', answer: 'A', enabled: false },
          { id: 'unpublished', question: 'R?', answer: 'B', published: false },
        ],
        shortcuts: [
          { id: 'off', label: 'Off', command: '/off', enabled: false },
          { id: 'unpublished', label: 'U', command: '/u', published: false },
        ],
      });
      const chat = await bots.chat(other.publicId);
      for (const id of ['off', 'unpublished', 'hours']) {
        expect(refusal(await bots.say(chat, 'Hi', { action: { type: 'faq', id } }))[2]).toBe('INVALID_ACTION');
      }
      for (const [id, command] of [
        ['off', '/off'],
        ['unpublished', '/u'],
        ['returns', '/returns'],
      ]) {
        const action = { type: 'shortcut', id, command };
        expect(refusal(await bots.say(chat, 'Hi', { action }))[2]).toBe('INVALID_ACTION');
      }
    });

    it.each([
      ['a missing message', {}, 'EMPTY_MESSAGE'],
      ['an empty message', { message: '' }, 'EMPTY_MESSAGE'],
      ['white space', { message: '  \n' }, 'EMPTY_MESSAGE'],
      ['a number', { message: 7 }, 'EMPTY_MESSAGE'],
      ['4,001 code points', { message: '😀'.repeat(4_001) }, 'MESSAGE_TOO_LONG'],
      ['NUL', { message: 'a\0' }, 'EMPTY_MESSAGE'],
      ['an array', [], 'INVALID_REQUEST'],
      ['invalid JSON', 'message=Hi', 'INVALID_REQUEST'],
      [
        'bytes that are not UTF-8',
        Uint8Array.from([...Buffer.from('{"message":"'), 0xff, ...Buffer.from('"}')]),
        'EMPTY_MESSAGE',
      ],
    ])('returns 400 for %s', async (_what, body, code) => {
      const chat = await bots.chat(bot.publicId);
      expect(refusal(await bots.postOn(chat, '/messages', body))).toEqual([400, false, code]);
    });

    it('stores the state of the reply engine between turns, and records a handoff request', async () => {
      const chat = await bots.chat(bot.publicId);
      await bots.say(chat, 'xyzzy plugh');
      await bots.say(chat, 'plugh xyzzy');
      expect((await bots.stored(chat.id)).state).toMatchObject({ missed: 2 });
      const called = await bots.say(chat, 'I want to talk to a human');
      expect(messageOf(called, 'reply').metadata['via']).toBe('handoff');
      expect((await bots.stored(chat.id)).handoffRequestedAt).toBeInstanceOf(Date);
    });

    it('returns 404 BOT_UNAVAILABLE after the bot is paused, while the visitor can still read the transcript', async () => {
      const own = await bots.bot({ faqs: [{ question: HOURS, answer: NINE_TO_FIVE }] });
      const chat = await bots.chat(own.publicId, { message: HOURS });
      await bots.rows(`UPDATE bots.bots SET status = 'paused' WHERE id = $1`, [own.id]);
      await until('the bot is unavailable', async () => (await bots.say(chat, HOURS)).status === 404);
      const key = { 'Idempotency-Key': newId() };
      expect(refusal(await bots.say(chat, HOURS, {}, key))).toEqual([404, false, 'BOT_UNAVAILABLE']);
      const transcript = await bots.transcript(chat);
      expect(transcript.length).toBeGreaterThanOrEqual(2);
      expect((await bots.on(chat, '')).status).toBe(200);
      await bots.rows(`UPDATE bots.bots SET status = 'active' WHERE id = $1`, [own.id]);
      await until('the bot is available again', async () => (await bots.say(chat, HOURS)).status === 201);
      const again = await bots.say(chat, HOURS, {}, key);
      const replayed = again.headers.get('idempotent-replayed');
      expect([...refusal(again), replayed]).toEqual([404, false, 'BOT_UNAVAILABLE', 'true']);
    });
  });

  describe('GET …/messages', () => {
    it('returns the transcript, oldest first, in pages', async () => {
      const chat = await bots.chat(bot.publicId);
      for (let n = 1; n <= 3; n++) await bots.say(chat, `xyzzy ${n}`);
      const whole = await bots.on(chat, '/messages');
      expect(Object.keys(whole.body)).toEqual(['messages']);
      const messages = whole.body['messages'] as Message[];
      expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant', 'user', 'assistant']);
      expect(messages[0]!.content).toBe('xyzzy 1');
      const parts: Message[] = [];
      let cursor = '';
      for (const expected of [4, 2]) {
        const { body } = await bots.on(chat, `/messages?limit=4${cursor}`);
        expect(body['messages']).toHaveLength(expected);
        parts.push(...(body['messages'] as Message[]));
        cursor = `&cursor=${String(body['nextCursor'])}`;
        if (expected === 2) expect('nextCursor' in body).toBe(false);
      }
      expect(parts).toEqual(messages);
      expect('nextCursor' in (await bots.on(chat, '/messages?limit=6')).body).toBe(false);
    });

    it('omits quickReplies and form if there are none', async () => {
      const chat = await bots.chat(bot.publicId);
      await bots.say(chat, 'xyzzy');
      await bots.say(chat, HOURS);
      const answer = (await bots.transcript(chat)).at(-1)!;
      expect([answer.content, 'form' in answer, 'quickReplies' in answer]).toEqual([NINE_TO_FIVE, false, false]);
    });

    it.each([
      'limit=0',
      'limit=101',
      'limit=x',
      'limit=',
      'limit=1.5',
      'limit=-1',
      'limit=1&limit=2',
      'cursor=',
      'cursor=x',
      'cursor=a&cursor=b',
    ])('returns 400 INVALID_REQUEST for %s', async (query) => {
      const chat = await bots.chat(bot.publicId);
      expect(refusal(await bots.on(chat, `/messages?${query}`))).toEqual([400, false, 'INVALID_REQUEST']);
    });

    it('rejects the cursor of another conversation', async () => {
      const one = await bots.chat(bot.publicId, { message: HOURS });
      const other = await bots.chat(bot.publicId, { message: HOURS });
      const { body } = await bots.on(one, '/messages?limit=1');
      const query = `/messages?cursor=${String(body['nextCursor'])}`;
      expect((await bots.on(one, query)).status).toBe(200);
      expect(refusal(await bots.on(other, query))).toEqual([400, false, 'INVALID_REQUEST']);
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

  describe('the status of a conversation', () => {
    const conversationOf = ({ body }: HttpAnswer) => body['conversation'] as Record<string, unknown>;
    const setStatus = (id: string, status: string) =>
      bots.rows('UPDATE bots.conversations SET status = $2, revision = revision + 1 WHERE id = $1', [id, status]);

    it('changes from open to ended at the end, with endedAt and endedBy', async () => {
      const chat = await bots.chat(bot.publicId);
      const ended = await bots.postOn(chat, '/end', '');
      expect(ended.status).toBe(200);
      expect(conversationOf(ended)).toMatchObject({
        status: 'ended',
        endedAt: expect.stringMatching(RFC_3339),
        endedBy: 'visitor',
      });
    });

    it('remains ended with the first endedAt and endedBy when the end is repeated', async () => {
      const chat = await bots.chat(bot.publicId);
      const first = await bots.postOn(chat, '/end', {});
      const again = await bots.postOn(chat, '/end', {});
      expect([again.status, again.body]).toEqual([200, first.body]);
    });

    it('changes from ended to open when it is reopened, which clears endedAt and endedBy and keeps the feedback', async () => {
      const chat = await bots.chat(bot.publicId);
      await bots.postOn(chat, '/end', {});
      await bots.postOn(chat, '/feedback', { rating: 4, message: 'Good' });
      const reopened = await bots.postOn(chat, '/reopen', {});
      expect(reopened.status).toBe(200);
      expect(conversationOf(reopened)).toMatchObject({
        status: 'open',
        endedAt: null,
        endedBy: null,
        feedback: { rating: 4, message: 'Good' },
      });
      expect((await bots.say(chat, HOURS)).status).toBe(201);
    });

    it('remains open and unchanged when an open conversation is reopened', async () => {
      const chat = await bots.chat(bot.publicId);
      const before = await bots.on(chat, '');
      const reopened = await bots.postOn(chat, '/reopen', {});
      expect([reopened.status, reopened.body]).toEqual([200, before.body]);
    });

    it.each(['closed', 'archived'])(
      'does not change from %s: reopen and end return 409 CONVERSATION_CLOSED',
      async (status) => {
        const chat = await bots.chat(bot.publicId);
        await setStatus(chat.id, status);
        for (const path of ['/reopen', '/end']) {
          expect(refusal(await bots.postOn(chat, path, {}))).toEqual([409, false, 'CONVERSATION_CLOSED']);
        }
        expect(conversationOf(await bots.on(chat, ''))).toMatchObject({ status });
      },
    );

    it.each(['ended', 'closed', 'archived'])(
      '%s does not allow messages and forms, which return 409 CONVERSATION_CLOSED',
      async (status) => {
        const chat = await bots.chat(bot.publicId);
        await setStatus(chat.id, status);
        const submission = { answers: { email: 'a@example.com' } };
        for (const answer of [
          await bots.say(chat, HOURS),
          await bots.say(chat, HOURS, {}, { Accept: 'text/event-stream' }),
          await bots.postOn(chat, '/forms/lead/submissions', submission),
        ]) {
          expect(refusal(answer)).toEqual([409, false, 'CONVERSATION_CLOSED']);
        }
        expect(await bots.transcript(chat)).toEqual([]);
      },
    );

    it('is checked after the request is validated', async () => {
      const chat = await bots.chat(bot.publicId);
      await bots.postOn(chat, '/end', {});
      expect(refusal(await bots.say(chat, ''))[2]).toBe('EMPTY_MESSAGE');
      expect(refusal(await bots.say(chat, 'Hi', { action: { type: 'faq', id: 'nobody' } }))[2]).toBe('INVALID_ACTION');
      expect(refusal(await bots.postOn(chat, '/forms/lead/submissions', {}))[2]).toBe('INVALID_SUBMISSION');
    });

    it('does not change during a takeover: the message is stored with reply null and paused true, and the bot does not reply', async () => {
      const chat = await bots.chat(bot.publicId);
      await bots.rows('UPDATE bots.conversations SET is_taken_over = true, revision = revision + 1 WHERE id = $1', [
        chat.id,
      ]);
      const answer = await bots.say(chat, HOURS);
      expect([answer.status, answer.body['reply'], answer.body['paused']]).toEqual([201, null, true]);
      expect(refusal(await bots.say(chat, 'Hi', { action: { type: 'faq', id: 'nobody' } }))[2]).toBe('INVALID_ACTION');
      const submitted = await bots.postOn(chat, '/forms/lead/submissions', { answers: { email: 'a@example.com' } });
      expect([submitted.status, submitted.body['reply']]).toEqual([201, null]);
      expect((await bots.transcript(chat)).map(({ role }) => role)).toEqual(['user', 'user']);
    });

    it('allows messages during a takeover although the bot is paused', async () => {
      const own = await bots.bot();
      const chat = await bots.chat(own.publicId);
      await bots.rows('UPDATE bots.conversations SET is_taken_over = true, revision = revision + 1 WHERE id = $1', [
        chat.id,
      ]);
      await bots.rows(`UPDATE bots.bots SET status = 'paused' WHERE id = $1`, [own.id]);
      await until('the bot is unavailable', async () => (await start({ botId: own.publicId })).status === 404);
      expect((await bots.say(chat, HOURS)).body).toMatchObject({ reply: null, paused: true });
    });
  });

  describe('POST …/feedback', () => {
    it('returns exactly the feedback, and a second feedback replaces the first', async () => {
      const chat = await bots.chat(bot.publicId);
      const first = await bots.postOn(chat, '/feedback', { rating: 1 });
      expect([first.status, first.body]).toEqual([
        200,
        { feedback: { rating: 1, message: null, createdAt: expect.stringMatching(RFC_3339) } },
      ]);
      await bots.postOn(chat, '/feedback', { rating: 5, message: 'Thanks' });
      const { body } = await bots.on(chat, '');
      expect(body['conversation']).toMatchObject({ feedback: { rating: 5, message: 'Thanks' } });
    });

    it.each([0, 6, 2.5, '5', null, true])('returns 400 INVALID_RATING for %p', async (rating) => {
      const chat = await bots.chat(bot.publicId);
      expect(refusal(await bots.postOn(chat, '/feedback', { rating }))).toEqual([400, false, 'INVALID_RATING']);
    });

    it.each([
      ['a number', 7, 'INVALID_REQUEST'],
      ['NUL', '\0', 'INVALID_REQUEST'],
      ['4,001 characters', 'x'.repeat(4_001), 'MESSAGE_TOO_LONG'],
    ])('returns 400 for a message of %s', async (_what, message, code) => {
      const chat = await bots.chat(bot.publicId);
      expect(refusal(await bots.postOn(chat, '/feedback', { rating: 5, message }))).toEqual([400, false, code]);
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
