import { newId } from '@heliograph/database';
import { until, type HttpResponse } from '@heliograph/testing';
import { BotFixture, type Chat, type Message } from './bot-fixture';
import { EventStream } from './event-stream';
import type { MadeBot } from './make-bot';

const HOURS = 'What are your opening hours?';

describe('an Idempotency-Key on messages and forms', () => {
  let bots: BotFixture;
  let bot: MadeBot;
  beforeAll(async () => {
    bots = await BotFixture.shared();
    bot = await bots.bot({
      faqs: [{ id: 'hours', question: HOURS, answer: 'From 9 to 5' }],
      forms: [{ id: 'lead', title: 'Lead', fields: [{ key: 'email', type: 'email', required: true }] }],
    });
  });

  const keyed = (key = newId()) => ({ 'Idempotency-Key': key });
  const replayed = ({ headers }: HttpResponse) => headers.get('idempotent-replayed');
  const submit = (chat: Chat, answers: unknown, headers: Record<string, string>) =>
    bots.postOn(chat, '/forms/lead/submissions', { answers }, headers);

  it('returns the first response again for the same message, and stores the message once', async () => {
    const chat = await bots.chat(bot.publicId);
    const key = keyed();
    const first = await bots.say(chat, HOURS, {}, key);
    const again = await bots.say(chat, HOURS, {}, { 'Idempotency-Key': `"${key['Idempotency-Key']}"` });
    expect([first.status, replayed(first)]).toEqual([201, null]);
    expect([again.status, replayed(again)]).toEqual([201, 'true']);
    expect(again.body).toEqual(first.body);
    expect(await bots.transcript(chat)).toHaveLength(2);
  });

  it('returns the same quick replies and the same form again', async () => {
    const own = await bots.bot({
      faqs: [{ id: 'hours', question: HOURS, answer: 'From 9 to 5', label: 'Hours' }],
      forms: [{ id: 'lead', title: 'Lead', keywords: ['demo'], fields: [{ key: 'email', type: 'email' }] }],
    });
    const chat = await bots.chat(own.publicId);
    for (const message of ['xyzzy', 'demo']) {
      const key = keyed();
      const first = await bots.say(chat, message, {}, key);
      expect((await bots.say(chat, message, {}, key)).body).toEqual(first.body);
    }
  });

  it('returns the first response again for the same form, and stores one lead', async () => {
    const chat = await bots.chat(bot.publicId);
    const key = keyed();
    const first = await submit(chat, { email: 'a@example.com' }, key);
    const again = await submit(chat, { email: 'a@example.com' }, key);
    expect([again.status, replayed(again), again.body]).toEqual([201, 'true', first.body]);
    expect(await bots.rows('SELECT 1 FROM bots.submissions WHERE conversation_id = $1', [chat.id])).toHaveLength(1);
  });

  it('returns 409 IDEMPOTENCY_KEY_REUSED for a different message', async () => {
    const chat = await bots.chat(bot.publicId);
    const key = keyed();
    await bots.say(chat, HOURS, {}, key);
    for (const answer of [
      await bots.say(chat, 'Something else', {}, key),
      await bots.say(chat, HOURS, { action: { type: 'faq', id: 'hours' } }, key),
    ]) {
      expect([answer.status, answer.body['ok'], answer.body['code']]).toEqual([409, false, 'IDEMPOTENCY_KEY_REUSED']);
    }
    expect(await bots.transcript(chat)).toHaveLength(2);
  });

  it('is scoped to one conversation, and separately to messages and forms', async () => {
    const key = keyed();
    const one = await bots.chat(bot.publicId);
    const other = await bots.chat(bot.publicId);
    expect(replayed(await bots.say(one, HOURS, {}, key))).toBeNull();
    expect(replayed(await bots.say(other, HOURS, {}, key))).toBeNull();
    expect(replayed(await submit(one, { email: 'a@example.com' }, key))).toBeNull();
  });

  it('is scoped to one form, and returns 409 IDEMPOTENCY_KEY_REUSED for another form', async () => {
    const fields = [{ key: 'email', type: 'email' as const }];
    const own = await bots.bot({
      forms: [
        { id: 'one', title: 'One', fields },
        { id: 'two', title: 'Two', fields },
      ],
    });
    const chat = await bots.chat(own.publicId);
    const key = keyed();
    const submitTo = (form: string) =>
      bots.postOn(chat, `/forms/${form}/submissions`, { answers: { email: 'a@example.com' } }, key);
    expect((await submitTo('one')).status).toBe(201);
    const other = await submitTo('two');
    expect([other.status, other.body['code']]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
  });

  it('replays a 404, even if the form is published in the meantime', async () => {
    const own = await bots.bot({
      forms: [{ id: 'lead', title: 'Lead', fields: [{ key: 'email', type: 'email' }], published: false }],
    });
    const chat = await bots.chat(own.publicId);
    const answers = { email: 'a@example.com' };
    const key = keyed();
    const first = await submit(chat, answers, key);
    expect([first.status, first.body['code'], replayed(first)]).toEqual([404, 'NOT_FOUND', null]);
    await bots.rows('UPDATE bots.forms SET is_published = true WHERE bot_id = $1', [own.id]);
    await until('the form is published', async () => (await submit(chat, answers, keyed())).status === 201);
    const again = await submit(chat, answers, key);
    expect([again.status, replayed(again), again.body]).toEqual([404, 'true', first.body]);
  });

  it('replays a validation error completely, but not a temporary error', async () => {
    const chat = await bots.chat(bot.publicId);
    const key = keyed();
    const first = await submit(chat, {}, key);
    const again = await submit(chat, {}, key);
    expect([again.status, replayed(again), again.body]).toEqual([400, 'true', first.body]);
    expect(first.body['fields']).toEqual([{ key: 'email', message: expect.any(String) }]);
    const closed = keyed();
    await bots.postOn(chat, '/end', {});
    expect((await bots.say(chat, HOURS, {}, closed)).status).toBe(409);
    await bots.postOn(chat, '/reopen', {});
    expect((await bots.say(chat, HOURS, {}, closed)).status).toBe(201);
  });

  it('replays the response after the conversation has ended', async () => {
    const chat = await bots.chat(bot.publicId);
    const key = keyed();
    const first = await bots.say(chat, HOURS, {}, key);
    await bots.postOn(chat, '/end', {});
    const again = await bots.say(chat, HOURS, {}, key);
    expect([again.status, again.body]).toEqual([201, first.body]);
  });

  it.each(['', 'x'.repeat(256), 'schlüssel'])('returns 400 INVALID_REQUEST for the key %p', async (key) => {
    const chat = await bots.chat(bot.publicId);
    const octets = Buffer.from(key, 'utf8').toString('latin1');
    const answer = await bots.say(chat, HOURS, {}, { 'Idempotency-Key': key === '' ? '""' : octets });
    expect([answer.status, answer.body['code']]).toEqual([400, 'INVALID_REQUEST']);
  });

  it('executes one of many concurrent requests in two processes, and the others wait or receive its response', async () => {
    const beside = await bots.beside();
    const chat = await bots.chat(bot.publicId);
    const key = keyed();
    const answers = await Promise.all(
      [bots, beside, bots, beside, bots, beside].map((process) => process.say(chat, HOURS, {}, key)),
    );
    for (const { status, body } of answers) {
      expect([201, 409]).toContain(status);
      if (status === 409) expect(body['code']).toBe('IDEMPOTENCY_IN_PROGRESS');
    }
    const again = await bots.say(chat, HOURS, {}, key);
    for (const { status, body } of answers) if (status === 201) expect(body).toEqual(again.body);
    expect(await bots.transcript(chat)).toHaveLength(2);
    await beside.service.stop();
  });

  it('is shared by streamed and normal responses, so that a retry of one returns the response of the other', async () => {
    const chat = await bots.chat(bot.publicId);
    const key = keyed();
    const first = await bots.say(chat, HOURS, {}, key);
    const url = `${bots.url}/api/v1/chat/conversations/${chat.id}/messages`;
    const stream = await EventStream.open(
      url,
      { Authorization: `Bearer ${chat.token}`, 'Content-Type': 'application/json', ...key },
      { method: 'POST', body: JSON.stringify({ message: HOURS }) },
    );
    const [done] = await stream.waitFor('done');
    expect([stream.status, stream.response.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    expect(done?.data).toEqual(first.body);
    await until('the stream has ended', () => stream.ended);
    expect(await bots.transcript(chat)).toHaveLength(2);
  });
});

describe('concurrent turns', () => {
  let bots: BotFixture;
  let beside: BotFixture;
  let bot: MadeBot;
  beforeAll(async () => {
    bots = await BotFixture.shared();
    beside = await bots.beside();
    bot = await bots.bot({ faqs: [{ id: 'hours', question: HOURS, answer: 'From 9 to 5' }] });
  });
  afterAll(() => beside.service.stop());

  const seqs = (chat: Chat) =>
    bots.rows<{ seq: number; role: string; id: string }>(
      'SELECT seq, role, id FROM bots.messages WHERE conversation_id = $1 ORDER BY seq',
      [chat.id],
    );

  it.each([
    ['one process', () => [bots]],
    ['two processes', () => [bots, beside]],
  ])('are stored as alternating questions and replies without gaps: %s', async (_what, processes) => {
    const chat = await bots.chat(bot.publicId);
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => processes()[n % processes().length]!.say(chat, `xyzzy ${n}`)),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    const rows = await seqs(chat);
    expect(rows.map(({ seq }) => seq)).toEqual(Array.from({ length: 24 }, (_, n) => n + 1));
    expect(rows.map(({ role }) => role)).toEqual(Array.from({ length: 24 }, (_, n) => (n % 2 ? 'assistant' : 'user')));
    const pairs = new Map(rows.map(({ id }, n) => [id, rows[n + 1]?.id]));
    for (const { body } of answers) {
      const { userMessage, reply } = body as { userMessage: Message; reply: Message };
      expect(pairs.get(userMessage.id)).toBe(reply.id);
    }
  });

  it('are rejected with 503 and Retry-After when too many wait', async () => {
    const chat = await bots.chat(bot.publicId);
    const lock = await bots.dataSource.createQueryRunner();
    await lock.startTransaction();
    await lock.query('SELECT 1 FROM bots.conversations WHERE id = $1 FOR UPDATE', [chat.id]);
    const calls = Array.from({ length: 24 }, (_, n) => bots.say(chat, `xyzzy ${n}`));
    const rejected: HttpResponse[] = [];
    for (const call of calls) void call.then((answer) => rejected.push(answer));
    await until('as many are rejected as are too many', () => rejected.length === 3);
    for (const { status, body, headers } of rejected) {
      expect([status, body['code']]).toEqual([503, 'SERVICE_UNAVAILABLE']);
      expect(headers.get('retry-after')).not.toBeNull();
    }
    await lock.commitTransaction();
    await lock.release();
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    expect([
      statuses.filter((status) => status === 201).length,
      statuses.filter((status) => status === 503).length,
    ]).toEqual([21, 3]);
  });

  describe('while a reply is generated', () => {
    /** Blocks the turn at its commit until the change is made, and returns the response to the visitor. */
    async function interrupted(chat: Chat, change: string): Promise<HttpResponse> {
      const lock = bots.dataSource.createQueryRunner();
      await lock.startTransaction();
      await lock.query('SELECT 1 FROM bots.conversations WHERE id = $1 FOR UPDATE', [chat.id]);
      const answer = bots.say(chat, HOURS);
      await until('the turn waits for the conversation', async () => {
        const waiting = await bots.rows(
          `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
             AND query LIKE '%record_turns%'`,
        );
        return waiting.length > 0;
      });
      await lock.query(`UPDATE bots.conversations SET ${change}, revision = revision + 1 WHERE id = $1`, [chat.id]);
      await lock.commitTransaction();
      await lock.release();
      return answer;
    }

    it('a takeover stores the question, and the bot does not reply', async () => {
      const chat = await bots.chat(bot.publicId);
      const answer = await interrupted(chat, 'is_taken_over = true');
      expect([answer.status, answer.body['reply'], answer.body['paused']]).toEqual([201, null, true]);
      expect((await seqs(chat)).map(({ role }) => role)).toEqual(['user']);
    });

    it('an end returns 409 CONVERSATION_CLOSED, and nothing is stored', async () => {
      const chat = await bots.chat(bot.publicId);
      const answer = await interrupted(chat, `status = 'ended'`);
      expect([answer.status, answer.body['code']]).toEqual([409, 'CONVERSATION_CLOSED']);
      expect(await seqs(chat)).toEqual([]);
    });

    it('a rating does not prevent the reply', async () => {
      const chat = await bots.chat(bot.publicId);
      expect((await interrupted(chat, 'rating = 5')).status).toBe(201);
      expect(await seqs(chat)).toHaveLength(2);
    });
  });
});
