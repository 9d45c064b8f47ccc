import { newId } from '@heliograph/database';
import { acmeBot, HOURS, refusal, RFC_3339, UUID } from './acme-bot';
import { BotFixture, type Chat, type Message } from './bot-fixture';
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
        quickReplies: [
          { id: 'hours', label: 'Opening hours', type: 'faq', action: { type: 'faq', id: 'hours' } },
          { id: '_person', label: 'Talk to a person', type: 'faq', action: { type: 'faq', id: '_person' } },
        ],
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
            role,
            correlation_id: id,
            client_address: '127.0.0.1',
            key_id: null,
          })),
        ),
      );
    });
  });
});
