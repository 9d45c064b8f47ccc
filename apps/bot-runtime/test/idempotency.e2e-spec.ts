import { newId } from '@heliograph/database';
import { until, type HttpAnswer } from '@heliograph/testing';
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
  const replayed = ({ headers }: HttpAnswer) => headers.get('idempotent-replayed');
  const submit = (chat: Chat, answers: unknown, headers: Record<string, string>) =>
    bots.postOn(chat, '/forms/lead/submissions', { answers }, headers);

  it('answers the same message with the first answer again, and stores it once', async () => {
    const chat = await bots.chat(bot.publicId);
    const key = keyed();
    const first = await bots.say(chat, HOURS, {}, key);
    const again = await bots.say(chat, HOURS, {}, { 'Idempotency-Key': `"${key['Idempotency-Key']}"` });
    expect([first.status, replayed(first)]).toEqual([201, null]);
    expect([again.status, replayed(again)]).toEqual([201, 'true']);
    expect(again.body).toEqual(first.body);
    expect(await bots.transcript(chat)).toHaveLength(2);
  });

  it('answers a message with quick replies, and one that shows a form, with all of them again', async () => {
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

  it('answers the same form with the first answer again, and stores one lead', async () => {
    const chat = await bots.chat(bot.publicId);
    const key = keyed();
    const first = await submit(chat, { email: 'a@example.com' }, key);
    const again = await submit(chat, { email: 'a@example.com' }, key);
    expect([again.status, replayed(again), again.body]).toEqual([201, 'true', first.body]);
    expect(await bots.rows('SELECT 1 FROM bots.submissions WHERE conversation_id = $1', [chat.id])).toHaveLength(1);
  });

  it('is another message’s under another request: 409 IDEMPOTENCY_KEY_REUSED', async () => {
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

  it('is one of its conversation, and of messages apart from forms', async () => {
    const key = keyed();
    const [one, other] = [await bots.chat(bot.publicId), await bots.chat(bot.publicId)];
    expect(replayed(await bots.say(one, HOURS, {}, key))).toBeNull();
    expect(replayed(await bots.say(other, HOURS, {}, key))).toBeNull();
    expect(replayed(await submit(one, { email: 'a@example.com' }, key))).toBeNull();
  });

  it('belongs to one form: 409 IDEMPOTENCY_KEY_REUSED for another form', async () => {
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

  it('can be used again after a 404, because the form may be published meanwhile', async () => {
    const chat = await bots.chat(bot.publicId);
    const key = keyed();
    const unknown = await bots.postOn(chat, '/forms/unknown/submissions', {}, key);
    expect([unknown.status, unknown.body['code']]).toEqual([404, 'NOT_FOUND']);
    const first = await submit(chat, { email: 'a@example.com' }, key);
    expect([first.status, replayed(first)]).toEqual([201, null]);
  });

  it('remembers a refusal with all that it said, and nothing that heals', async () => {
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

  it('still answers once the conversation has ended', async () => {
    const chat = await bots.chat(bot.publicId);
    const key = keyed();
    const first = await bots.say(chat, HOURS, {}, key);
    await bots.postOn(chat, '/end', {});
    const again = await bots.say(chat, HOURS, {}, key);
    expect([again.status, again.body]).toEqual([201, first.body]);
  });

  it.each(['', 'x'.repeat(256), 'schlüssel'])('answers 400 INVALID_REQUEST for the key %p', async (key) => {
    const chat = await bots.chat(bot.publicId);
    const octets = Buffer.from(key, 'utf8').toString('latin1');
    const answer = await bots.say(chat, HOURS, {}, { 'Idempotency-Key': key === '' ? '""' : octets });
    expect([answer.status, answer.body['code']]).toEqual([400, 'INVALID_REQUEST']);
  });

  it('lets one of many at once through, over two processes: the others wait, or get its answer', async () => {
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

  it('is asked for by a stream as by a call: the retry of one gets the answer of the other', async () => {
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

describe('turns at the same time', () => {
  let bots: BotFixture;
  let beside: BotFixture;
  let bot: MadeBot;
  beforeAll(async () => {
    bots = await BotFixture.start();
    beside = await bots.beside();
    bot = await bots.bot({ faqs: [{ id: 'hours', question: HOURS, answer: 'From 9 to 5' }] });
  });
  afterAll(async () => {
    await beside.service.stop();
    await bots.stop();
  });

  const seqs = (chat: Chat) =>
    bots.rows<{ seq: number; role: string; id: string }>(
      'SELECT seq, role, id FROM bots.messages WHERE conversation_id = $1 ORDER BY seq',
      [chat.id],
    );

  it.each([
    ['one process', () => [bots]],
    ['two processes', () => [bots, beside]],
  ])('stand question, reply, question, reply, without a gap: %s', async (_what, processes) => {
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

  it('are refused with 503 and Retry-After once too many wait', async () => {
    const chat = await bots.chat(bot.publicId);
    const lock = await bots.dataSource.createQueryRunner();
    await lock.startTransaction();
    await lock.query('SELECT 1 FROM bots.conversations WHERE id = $1 FOR UPDATE', [chat.id]);
    const calls = Array.from({ length: 24 }, (_, n) => bots.say(chat, `xyzzy ${n}`));
    const first = await Promise.race(calls);
    expect([first.status, first.body['code']]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(first.headers.get('retry-after')).not.toBeNull();
    await lock.commitTransaction();
    await lock.release();
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    expect([
      statuses.filter((status) => status === 201).length,
      statuses.filter((status) => status === 503).length,
    ]).toEqual([21, 3]);
  });

  describe('while a reply is being made', () => {
    /** Holds the turn at its commit until `meanwhile` is done, and answers what the visitor gets. */
    async function interrupted(chat: Chat, change: string): Promise<HttpAnswer> {
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

    it('a person takes over: the question is recorded, and the bot says nothing', async () => {
      const chat = await bots.chat(bot.publicId);
      const answer = await interrupted(chat, 'is_taken_over = true');
      expect([answer.status, answer.body['reply'], answer.body['paused']]).toEqual([201, null, true]);
      expect((await seqs(chat)).map(({ role }) => role)).toEqual(['user']);
    });

    it('it ends: 409 CONVERSATION_CLOSED, and nothing is stored', async () => {
      const chat = await bots.chat(bot.publicId);
      const answer = await interrupted(chat, `status = 'ended'`);
      expect([answer.status, answer.body['code']]).toEqual([409, 'CONVERSATION_CLOSED']);
      expect(await seqs(chat)).toEqual([]);
    });

    it('it is rated: the reply is recorded all the same', async () => {
      const chat = await bots.chat(bot.publicId);
      expect((await interrupted(chat, 'rating = 5')).status).toBe(201);
      expect(await seqs(chat)).toHaveLength(2);
    });
  });
});
