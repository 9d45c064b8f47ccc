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

  it('are limited in number, and return 503 with Retry-After above the limit', async () => {
    const bots = await (await BotFixture.shared()).beside({ BOT_MAX_STREAMS: '2' });
    const { publicId } = await bots.bot();
    const chats = await Promise.all([1, 2, 3].map(() => bots.chat(publicId)));
    const open = await Promise.all(chats.slice(0, 2).map((chat) => bots.events(chat)));
    const refused = await bots.on(chats[2]!, '/events');
    expect([refused.status, refused.body['code']]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(refused.headers.get('retry-after')).not.toBeNull();
    for (const stream of open) stream.close();
    await bots.service.stop();
  });

  it('continue without the broker, and after a database outage', async () => {
    const [broker, database] = [
      await TcpProxy.start(testServers.amqpUrl),
      await TcpProxy.start(testServers.databaseUrl),
    ];
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
