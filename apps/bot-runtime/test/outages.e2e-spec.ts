import { newId } from '@heliograph/database';
import { TcpProxy, testServers, until, type HttpResponse } from '@heliograph/testing';
import { BotFixture, type Chat } from './bot-fixture';
import type { MadeBot } from './make-bot';

const HOURS = 'What are your opening hours?';

describe('an outage', () => {
  let bots: BotFixture;
  let bot: MadeBot;
  beforeAll(async () => {
    bots = await BotFixture.shared();
    bot = await bots.bot({
      faqs: [{ question: HOURS, answer: 'From 9 to 5' }],
      forms: [{ id: 'lead', title: 'Lead', fields: [{ key: 'email', type: 'email', required: true }] }],
    });
  });

  const lead = (at: BotFixture, chat: Chat) =>
    at.postOn(chat, '/forms/lead/submissions', { answers: { email: 'a@example.com' } });

  function assertAway(answer: HttpResponse): void {
    expect([answer.status, answer.body['ok'], answer.body['code']]).toEqual([503, false, 'SERVICE_UNAVAILABLE']);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  }

  it('of the database causes 503 with Retry-After on every request, and the service recovers automatically', async () => {
    const proxy = await TcpProxy.start(testServers.databaseUrl);
    const behind = await bots.beside({ DATABASE_URL: proxy.through(bots.database.url) });
    const chat = await behind.chat(bot.publicId, { message: HOURS });
    proxy.cut();
    for (const call of [
      () => behind.post('/api/v1/chat/conversations', { botId: bot.publicId, message: HOURS }),
      () => behind.say(chat, HOURS),
      () => lead(behind, chat),
      () => behind.on(chat, '/messages'),
      () => behind.on(chat, ''),
      () => behind.on(chat, '/events'),
      () => behind.postOn(chat, '/end', {}),
    ]) {
      assertAway(await call());
    }
    const config = await behind.call('/bots/widget/config?botId=bot_not_in_the_cache');
    assertAway(config);
    expect(config.body).toEqual({ ok: false, code: 'SERVICE_UNAVAILABLE' });
    expect(await bots.transcript(chat)).toHaveLength(2);
    proxy.heal();
    const key = { 'Idempotency-Key': newId() };
    await until('messages are accepted again', async () => (await behind.say(chat, HOURS, {}, key)).status === 201);
    expect(await bots.transcript(chat)).toHaveLength(4);
    await behind.service.stop();
    await proxy.stop();
  });

  it('of the database while a turn is stored is resolved by a retry, and the turn is stored once', async () => {
    const proxy = await TcpProxy.start(testServers.databaseUrl);
    const behind = await bots.beside({ DATABASE_URL: proxy.through(bots.database.url) });
    const chat = await behind.chat(bot.publicId);
    const key = { 'Idempotency-Key': newId() };
    const lock = bots.dataSource.createQueryRunner();
    await lock.startTransaction();
    await lock.query('SELECT 1 FROM bots.conversations WHERE id = $1 FOR UPDATE', [chat.id]);
    const first = behind.say(chat, HOURS, {}, key);
    await until('the turn waits for the conversation', async () => {
      const waiting = await bots.rows(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
           AND query LIKE '%record_turns%'`,
      );
      return waiting.length > 0;
    });
    proxy.cut();
    assertAway(await first);
    await lock.commitTransaction();
    await lock.release();
    proxy.heal();
    const again = await until('the retry succeeds', async () => {
      const answer = await behind.say(chat, HOURS, {}, key);
      return answer.status === 201 && answer;
    });
    const transcript = await bots.transcript(chat);
    expect(transcript.map(({ role }) => role)).toEqual(['user', 'assistant']);
    expect(transcript[0]).toEqual(again.body['userMessage']);
    await behind.service.stop();
    await proxy.stop();
  });

  it('of the broker does not affect the chat, and events are published later', async () => {
    const proxy = await TcpProxy.start(testServers.amqpUrl);
    const behind = await bots.beside({ AMQP_URL: proxy.through(testServers.amqpUrl) });
    proxy.cut();
    const chat = await behind.chat(bot.publicId, { message: HOURS });
    expect((await behind.say(chat, HOURS)).status).toBe(201);
    expect((await lead(behind, chat)).status).toBe(201);
    const { status } = await behind.call('/health/ready');
    expect(status).toBe(200);
    proxy.heal();
    await behind.service.stop();
    await proxy.stop();
  });

  it('of Redis does not affect the chat', async () => {
    const proxy = await TcpProxy.start(testServers.redisUrl);
    const environment = { BOT_STARTS_PER_5_MINUTES: '1000', BOT_MESSAGES_PER_MINUTE: '1000' };
    const behind = await bots.beside({ ...environment, REDIS_URL: proxy.through(testServers.redisUrl) });
    const chat = await behind.chat(bot.publicId);
    proxy.cut();
    for (let n = 0; n < 5; n++) expect((await behind.say(chat, HOURS)).status).toBe(201);
    await behind.service.stop();
    await proxy.stop();
  });
});
