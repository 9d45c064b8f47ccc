import { createServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { manageConversation, sayAsAgent } from '@heliograph/bot-conversations';
import { newId } from '@heliograph/database';
import { TcpProxy, testServers, until } from '@heliograph/testing';
import { BotFixture, type Chat, type Message } from './bot-fixture';
import { ConversationsRepository } from '../src/visitors/conversations.repository';
import { EventStreamsService } from '../src/live/event-streams.service';
import { EventStream } from './event-stream';
import type { MadeBot } from './make-bot';

const HOURS = 'What are your opening hours?';

describe('GET …/events', () => {
  let bots: BotFixture;
  let beside: BotFixture;
  let bot: MadeBot;
  const streams: EventStream[] = [];
  beforeAll(async () => {
    bots = await BotFixture.shared();
    beside = await bots.beside();
    bot = await bots.bot({
      faqs: [{ id: 'hours', question: HOURS, answer: 'From 9 to 5', label: 'Hours' }],
      forms: [{ id: 'lead', title: 'Lead', fields: [{ key: 'note', type: 'text' }] }],
    });
  });
  afterAll(async () => {
    for (const stream of streams) stream.close();
    await beside.service.stop();
  });

  async function open(chat: Chat, query = '', headers: Record<string, string> = {}, at = bots): Promise<EventStream> {
    const stream = await at.events(chat, query, headers);
    streams.push(stream);
    return stream;
  }
  /** Actions of an agent in the inbox, which is another process. */
  const agent = {
    say: (chat: Chat, content: string) =>
      bots.dataSource.transaction((transaction) =>
        sayAsAgent(transaction, { conversationId: chat.id, correlationId: null }, { content, agentName: 'Ada' }),
      ),
    manage: (chat: Chat, changes: Parameters<typeof manageConversation>[2]) =>
      bots.dataSource.transaction((transaction) =>
        manageConversation(transaction, { conversationId: chat.id, correlationId: null }, changes),
      ),
  };
  /** Stores a message without an outbox entry, as if its notification were lost. */
  const unannounced = (chat: Chat, content: string) =>
    bots.rows(
      `WITH c AS (UPDATE bots.conversations SET last_seq = last_seq + 1 WHERE id = $1 RETURNING id, last_seq)
       INSERT INTO bots.messages (conversation_id, seq, id, role, content, content_type, created_at)
       SELECT id, last_seq, $2, 'assistant', $3, 'text', now() FROM c`,
      [chat.id, newId(), content],
    );
  const ids = (stream: EventStream) => stream.messages.map(({ id }) => id);
  const transcriptIds = async (chat: Chat) => (await bots.transcript(chat)).map(({ id }) => id);

  it('starts immediately, with headers that prevent buffering and caching', async () => {
    const chat = await bots.chat(bot.publicId);
    const stream = await open(chat);
    const header = (name: string) => stream.response.headers.get(name);
    expect(stream.status).toBe(200);
    expect(header('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(header('cache-control')).toBe('no-store, no-transform');
    expect(header('x-accel-buffering')).toBe('no');
    expect(header('access-control-allow-origin')).toBe('*');
    await until('the first bytes have arrived', () => stream.comments.length > 0);
    expect(stream.retry).toBe(3_000);
    const [first] = await stream.waitFor('conversation');
    expect(first?.data).toEqual({ conversation: (await bots.on(chat, '')).body['conversation'], paused: false });
  });

  it('contains both messages of a turn, with the same ids as in the transcript', async () => {
    const chat = await bots.chat(bot.publicId, { message: HOURS });
    const stream = await open(chat);
    await stream.waitFor('conversation');
    await bots.say(chat, 'xyzzy');
    const submitted = await bots.postOn(chat, '/forms/lead/submissions', { answers: { note: 'x' } });
    expect([submitted.status, submitted.text]).toEqual([201, expect.any(String)]);
    await stream.waitFor('message', 4);
    const transcript = await bots.transcript(chat);
    expect(stream.messages).toEqual(transcript.slice(2));
    expect(stream.of('message').map(({ id }) => id)).toEqual(transcript.slice(2).map(({ id }) => id));
  });

  it('contains no earlier messages without a cursor', async () => {
    const chat = await bots.chat(bot.publicId, { message: HOURS });
    const stream = await open(chat);
    await bots.say(chat, 'xyzzy');
    await stream.waitFor('message', 2);
    expect(stream.messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
    expect(stream.messages[0]?.content).toBe('xyzzy');
  });

  it.each<[string, (id: string) => [string, Record<string, string>]]>([
    ['after', (id) => [`?after=${id}`, {}]],
    ['Last-Event-ID', (id) => ['', { 'Last-Event-ID': id }]],
    ['Last-Event-ID in preference to after', (id) => [`?after=${newId()}`, { 'Last-Event-ID': id }]],
  ])('replays all messages after a cursor and continues with new ones: %s', async (_what, cursorOf) => {
    const chat = await bots.chat(bot.publicId);
    for (let n = 0; n < 15; n++) await bots.say(chat, `xyzzy ${n}`);
    const known = (await transcriptIds(chat))[2]!;
    const stream = await open(chat, ...cursorOf(known));
    await stream.waitFor('message', 27);
    await bots.say(chat, 'more');
    await stream.waitFor('message', 29);
    expect(ids(stream)).toEqual((await transcriptIds(chat)).slice(3));
  });

  it('returns 400 INVALID_REQUEST for a cursor that is not a message of the conversation', async () => {
    const chat = await bots.chat(bot.publicId);
    const other = await bots.chat(bot.publicId, { message: HOURS });
    const [foreign] = await transcriptIds(other);
    for (const query of ['?after=x', `?after=${newId()}`, `?after=${foreign}`, '?after=%00', '?after=a&after=b']) {
      const answer = await bots.on(chat, `/events${query}`);
      expect([query, answer.status, answer.body['code']]).toEqual([query, 400, 'INVALID_REQUEST']);
    }
  });

  it('contains messages that an agent sends in another process', async () => {
    const chat = await bots.chat(bot.publicId);
    const [here, there] = [await open(chat), await open(chat, '', {}, beside)];
    await Promise.all([here.waitFor('conversation'), there.waitFor('conversation')]);
    await agent.say(chat, 'Hello, this is Ada');
    await Promise.all([here.waitFor('message'), there.waitFor('message')]);
    for (const stream of [here, there]) {
      expect(stream.messages).toMatchObject([
        { role: 'assistant', content: 'Hello, this is Ada', metadata: { author: 'agent', agentName: 'Ada' } },
      ]);
    }
  });

  it('contains a takeover, an end, a reopening and a rating', async () => {
    const chat = await bots.chat(bot.publicId);
    const stream = await open(chat, '', {}, beside);
    await stream.waitFor('conversation');
    await agent.manage(chat, { isTakenOver: true });
    expect((await stream.waitFor('conversation', 2))[1]?.data).toMatchObject({ paused: true });
    await agent.manage(chat, { isTakenOver: false });
    await stream.waitFor('conversation', 3);
    await bots.postOn(chat, '/end', {});
    await stream.waitFor('conversation', 4);
    await bots.postOn(chat, '/reopen', {});
    await stream.waitFor('conversation', 5);
    await bots.postOn(chat, '/feedback', { rating: 5 });
    const told = (await stream.waitFor('conversation', 6)).slice(2).map(({ data }) => data);
    const conversations = told.map(({ conversation }) => conversation as Record<string, unknown>);
    expect(told.map(({ paused }) => paused)).toEqual([false, false, false, false]);
    expect(conversations.map(({ status }) => status)).toEqual(['open', 'ended', 'open', 'open']);
    expect(conversations.at(-1)).toMatchObject({ feedback: { rating: 5 } });
  });

  it('contains each message once and in order while many messages are sent in two processes', async () => {
    const chat = await bots.chat(bot.publicId, { message: HOURS });
    const [first] = await transcriptIds(chat);
    const early = [await open(chat), await open(chat, '', {}, beside), await open(chat, `?after=${first}`)];
    const speaking = Array.from({ length: 16 }, (_, n) => [bots, beside][n % 2]!.say(chat, `xyzzy ${n}`));
    // Some streams start while messages are sent.
    const late = await Promise.all([open(chat, `?after=${first}`), open(chat, `?after=${first}`, {}, beside)]);
    await Promise.all(speaking);
    await agent.say(chat, 'the last');
    const all = await transcriptIds(chat);
    expect(all).toHaveLength(35);
    for (const stream of [...early, ...late]) {
      await until('the last message has arrived', () => stream.messages.at(-1)?.content === 'the last');
    }
    for (const stream of early.slice(0, 2)) expect(ids(stream)).toEqual(all.slice(2));
    for (const stream of [...early.slice(2), ...late]) expect(ids(stream)).toEqual(all.slice(1));
  });

  it('contains the messages between the authentication and the start of the stream, even if other streams received them', async () => {
    const chat = await bots.chat(bot.publicId, { message: HOURS });
    const { app } = bots.service;
    const stale = (await app.get(ConversationsRepository).byIdAcrossTenants(chat.id))!;
    const other = await open(chat);
    await other.waitFor('conversation');
    await bots.say(chat, 'xyzzy');
    await agent.manage(chat, { isTakenOver: true });
    await other.waitFor('message', 2);
    await other.waitFor('conversation', 2);
    const server = createServer((_request, response) =>
      app.get(EventStreamsService).open(stale, { response, network: '127.0.0.1', seq: stale.lastSeq }),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const stream = await EventStream.open(`http://127.0.0.1:${port}`, {});
    await stream.waitFor('conversation', 2);
    await bots.say(chat, 'plugh');
    await stream.waitFor('message', 3);
    expect(ids(stream)).toEqual((await transcriptIds(chat)).slice(2));
    expect(stream.of('conversation').map(({ data }) => data['paused'])).toEqual([false, true]);
    stream.close();
    await new Promise((resolve) => server.close(resolve));
  });

  it('does not contain messages from before its start that older streams have not received yet', async () => {
    const chat = await bots.chat(bot.publicId);
    const early = await open(chat);
    await early.waitFor('conversation');
    await unannounced(chat, 'one');
    const late = await open(chat);
    await late.waitFor('conversation');
    await early.waitFor('message');
    await unannounced(chat, 'two');
    await late.waitFor('message');
    expect(late.messages.map(({ content }) => content)).toEqual(['two']);
    expect(early.messages.map(({ content }) => content)).toEqual(['one', 'two']);
  });

  it('contains no messages of other conversations', async () => {
    const [one, other] = [await bots.chat(bot.publicId), await bots.chat(bot.publicId)];
    const [stream, foreign] = [await open(one), await open(other)];
    await bots.say(one, 'xyzzy');
    await stream.waitFor('message', 2);
    await bots.say(other, 'plugh');
    await foreign.waitFor('message', 2);
    expect(foreign.messages[0]?.content).toBe('plugh');
    expect(stream.messages).toHaveLength(2);
  });

  it('contains messages without a notification', async () => {
    const chat = await bots.chat(bot.publicId);
    const stream = await open(chat);
    await stream.waitFor('conversation');
    await unannounced(chat, 'unannounced');
    await stream.waitFor('message');
    expect(stream.messages[0]?.content).toBe('unannounced');
  });

  it('is limited to 8 per conversation, and the next one returns 429 with Retry-After', async () => {
    const chat = await bots.chat(bot.publicId);
    const open8 = await Promise.all(Array.from({ length: 8 }, () => open(chat)));
    await Promise.all(open8.map((stream) => stream.waitFor('conversation')));
    const refused = await bots.on(chat, '/events');
    expect([refused.status, refused.body['code']]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    open8[0]?.close();
    await until('a new connection is accepted', async () => {
      const next = await open(chat);
      if (next.status !== 200) return false;
      next.close();
      return true;
    });
  });

  it('is counted in the metrics while it is open', async () => {
    const chat = await bots.chat(bot.publicId);
    const stream = await open(chat);
    await stream.waitFor('conversation');
    const opened = async () => {
      const { text } = await bots.call('/metrics');
      return Number(/^bot_event_streams\{.*\} (\d+)$/m.exec(text)?.[1]);
    };
    expect(await opened()).toBeGreaterThan(0);
    for (const each of streams) each.close();
    await until('no stream is open', async () => (await opened()) === 0);
  });

  describe('with a client that does not read', () => {
    const sockets: Socket[] = [];
    afterAll(() => sockets.forEach((socket) => socket.destroy()));

    /** Opens a stream whose client reads only what fits in the socket buffers. */
    function openUnread(chat: Chat, query = ''): Socket {
      const { hostname, port } = new URL(bots.url);
      const socket = connect(Number(port), hostname);
      sockets.push(socket);
      socket.pause();
      socket.write(
        `GET /api/v1/chat/conversations/${chat.id}/events${query} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${chat.token}\r\n\r\n`,
      );
      return socket;
    }
    const writeMany = (chat: Chat, count: number) =>
      bots.rows(
        `WITH c AS (UPDATE bots.conversations SET last_seq = last_seq + $2 WHERE id = $1 RETURNING id, last_seq)
         INSERT INTO bots.messages (conversation_id, seq, id, role, content, content_type, created_at)
         SELECT id, last_seq - $2 + n, gen_random_uuid(), 'assistant', repeat('😀', 4000), 'text', now()
         FROM c, generate_series(1, $2::integer) AS n`,
        [chat.id, count],
      );
    const metric = async (name: string) => {
      const { text } = await bots.call('/metrics');
      return Number(new RegExp(`^${name}\\{.*\\} (\\d+)$`, 'm').exec(text)?.[1]);
    };

    it('does not delay other streams, and delivers all messages in order when the client reads', async () => {
      const chat = await bots.chat(bot.publicId);
      const unread = openUnread(chat);
      await until('the stream is open', async () => (await metric('bot_event_streams')) > 0);
      const reader = await open(chat);
      await reader.waitFor('conversation');
      // These are 16 MB, which is more than the socket buffers can hold.
      await writeMany(chat, 1_000);
      let text = '';
      const take = (chunk: Buffer | null) => (text += chunk?.toString('latin1').replace(/[^\x00-\x7f]+/g, '') ?? '');
      // Reads a little, because the service closes a stream whose client reads nothing between two heartbeats.
      const slowly = setInterval(() => take(unread.read() as Buffer | null), 1_000);
      await reader.waitFor('message', 1_000, 60_000).finally(() => clearInterval(slowly));
      unread.on('data', take);
      unread.resume();
      const sent = () => [...text.matchAll(/^id: (.*)$/gm)].map(([, id]) => id);
      await until('the stream has caught up', () => sent().length >= 1_000, { timeoutMs: 60_000 });
      expect(sent()).toEqual(ids(reader));
    }, 150_000);

    it('waits during a replay until the client reads', async () => {
      const chat = await bots.chat(bot.publicId, { message: HOURS });
      const [first] = await transcriptIds(chat);
      await writeMany(chat, 1_000);
      const socket = openUnread(chat, `?after=${first}`);
      let read = '';
      socket.on('data', (chunk: Buffer) => (read = (read + chunk.toString('latin1')).slice(-50_000)));
      const last = (
        await bots.rows<{ id: string }>(
          'SELECT id FROM bots.messages WHERE conversation_id = $1 ORDER BY seq DESC LIMIT 1',
          [chat.id],
        )
      )[0]!.id;
      socket.resume();
      await until('all messages were read', () => read.includes(`id: ${last}`), { timeoutMs: 60_000 });
    }, 150_000);
  });
});

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

describe('a message with a streamed response', () => {
  let bots: BotFixture;
  let bot: MadeBot;
  beforeAll(async () => {
    bots = await BotFixture.shared();
    bot = await bots.bot({ faqs: [{ question: HOURS, answer: 'From 9 to 5' }] });
  });

  it('ends with the same body as a response without streaming', async () => {
    const chat = await bots.chat(bot.publicId);
    const answer = await bots.say(chat, HOURS, {}, { Accept: 'text/event-stream' });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    const [event, data] = answer.text.trim().split('\n');
    expect(event).toBe('event: done');
    const body = JSON.parse(data!.slice('data: '.length)) as { userMessage: Message; reply: Message };
    expect(Object.keys(body)).toEqual(['userMessage', 'reply', 'paused']);
    expect(body.reply.content).toBe('From 9 to 5');
  });

  it('is rejected with its HTTP status before the stream starts', async () => {
    const chat = await bots.chat(bot.publicId);
    const answer = await bots.say(chat, '', {}, { Accept: 'text/event-stream' });
    expect([answer.status, answer.body['code']]).toEqual([400, 'EMPTY_MESSAGE']);
    expect((await bots.say({ ...chat, token: 'x' }, 'Hi', {}, { Accept: 'text/event-stream' })).status).toBe(401);
  });
});
