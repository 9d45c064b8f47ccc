import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { manageConversation, sayAsAgent } from '@heliograph/bot-conversations';
import { newId } from '@heliograph/database';
import { until } from '@heliograph/testing';
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
    const here = await open(chat);
    const there = await open(chat, '', {}, beside);
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
    const one = await bots.chat(bot.publicId);
    const other = await bots.chat(bot.publicId);
    const stream = await open(one);
    const foreign = await open(other);
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
