import { TcpProxy, testServers, until } from '@heliograph/testing';
import { BotFixture } from './bot-fixture';

const HOURS = 'What are your opening hours?';

describe('the event streams of a service', () => {
  it('end immediately and completely when the service stops, and can be continued elsewhere with their cursor', async () => {
    const bots = await BotFixture.shared();
    const { publicId } = await bots.bot({ faqs: [{ question: HOURS, answer: 'From 9 to 5' }] });
    const beside = await bots.beside({ SHUTDOWN_GRACE_MS: '20000' });
    const chat = await bots.chat(publicId, { message: HOURS });
    const stream = await beside.events(chat);
    await beside.say(chat, 'xyzzy');
    await stream.waitFor('message', 2);
    const stopping = beside.service.stop();
    await until('the stream has ended', () => stream.ended, { timeoutMs: 10_000 });
    await stopping;
    const cursor = stream.of('message').at(-1)!.id!;
    await bots.say(chat, 'plugh');
    const next = await bots.events(chat, '', { 'Last-Event-ID': cursor });
    await next.waitFor('message', 2);
    expect(next.messages[0]?.content).toBe('plugh');
    next.close();
  });

  it('are limited in number, and an organization with few streams gets the place of one with many', async () => {
    const bots = await (await BotFixture.shared()).beside({ BOT_MAX_STREAMS: '2' });
    const { publicId } = await bots.bot();
    const chats = await Promise.all([1, 2, 3].map(() => bots.chat(publicId)));
    const oldest = await bots.events(chats[0]!);
    const newer = await bots.events(chats[1]!);
    const refused = await bots.on(chats[2]!, '/events');
    expect([refused.status, refused.body['code']]).toEqual([429, 'RATE_LIMITED']);
    expect(refused.headers.get('retry-after')).not.toBeNull();
    const other = await bots.bot();
    const neighbor = await bots.chat(other.publicId);
    const stream = await bots.events(neighbor);
    await stream.waitFor('conversation');
    await until('the oldest stream of the other organization has ended', () => oldest.ended);
    expect([newer.ended, stream.ended]).toEqual([false, false]);
    const cursor = oldest.of('message').at(-1)?.id;
    expect(cursor).toBeUndefined();
    newer.close();
    await until('a stream of the first organization can be opened again', async () => {
      const response = await bots.on(chats[0]!, '/messages');
      return response.status === 200;
    });
    stream.close();
    await bots.service.stop();
  });

  it('continue without the broker, and after a database outage', async () => {
    const broker = await TcpProxy.start(testServers.amqpUrl);
    const database = await TcpProxy.start(testServers.databaseUrl);
    const bots = await BotFixture.shared();
    const behind = await bots.beside({
      AMQP_URL: broker.through(testServers.amqpUrl),
      DATABASE_URL: database.through(bots.database.url),
    });
    const { publicId } = await bots.bot();
    const chat = await bots.chat(publicId);
    const stream = await behind.events(chat);
    await stream.waitFor('conversation');
    broker.cut();
    expect((await behind.say(chat, 'without the broker')).status).toBe(201);
    await stream.waitFor('message', 2);
    database.cut();
    await bots.say(chat, 'unheard');
    database.heal();
    await stream.waitFor('message', 4);
    expect(stream.messages.filter(({ role }) => role === 'user').map(({ content }) => content)).toEqual([
      'without the broker',
      'unheard',
    ]);
    stream.close();
    broker.heal();
    await behind.service.stop();
    await Promise.all([broker.stop(), database.stop()]);
  });
});
