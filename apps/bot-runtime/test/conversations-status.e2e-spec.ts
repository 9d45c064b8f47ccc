import { until, type HttpResponse } from '@heliograph/testing';
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

  describe('the status of a conversation', () => {
    const conversationOf = ({ body }: HttpResponse) => body['conversation'] as Record<string, unknown>;
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
});
