import { newId } from '@heliograph/database';
import { until } from '@heliograph/testing';
import { acmeBot, HOURS, messageOf, NINE_TO_FIVE, refusal, RFC_3339, UUID } from './acme-bot';
import { BotFixture, type Message } from './bot-fixture';
import type { MadeBot } from './make-bot';

describe('conversations', () => {
  let bots: BotFixture;
  let bot: MadeBot;
  beforeAll(async () => {
    bots = await BotFixture.shared();
    bot = await acmeBot(bots);
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
      const { started, ...chat } = await bots.chat(bot.publicId, { message: 'xyzzy' });
      const [quick] = (started['reply'] as Message).quickReplies!;
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
});
