import { connect, type Socket } from 'node:net';
import { until } from '@heliograph/testing';
import { BotFixture, type Chat } from './bot-fixture';
import type { EventStream } from './event-stream';
import type { MadeBot } from './make-bot';

const HOURS = 'What are your opening hours?';

describe('GET …/events with a client that does not read', () => {
  let bots: BotFixture;
  let bot: MadeBot;
  const streams: EventStream[] = [];
  const sockets: Socket[] = [];
  beforeAll(async () => {
    bots = await BotFixture.shared();
    bot = await bots.bot({ faqs: [{ id: 'hours', question: HOURS, answer: 'From 9 to 5', label: 'Hours' }] });
  });
  afterAll(() => {
    for (const stream of streams) stream.close();
    for (const socket of sockets) socket.destroy();
  });

  const ids = (stream: EventStream) => stream.messages.map(({ id }) => id);
  const transcriptIds = async (chat: Chat) => (await bots.transcript(chat)).map(({ id }) => id);

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
    const reader = await bots.events(chat);
    streams.push(reader);
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
