import { newId } from '@heliograph/database';
import { tapEvents, unique, until, type EventTap } from '@heliograph/testing';
import type {
  ConversationMessagePage,
  ConversationPage,
  OneConversation,
  OneConversationMessage,
} from '../src/bots-and-inbox/inbox/conversations.dto';
import { botOwnerTests, storeConversation, storeLead } from './bot-inbox-fixture';

describe('the inbox', () => {
  const { at, place, botOf, home, call } = botOwnerTests();
  let tap: EventTap;
  beforeAll(async () => {
    tap = await tapEvents(at.fixture.service.amqpPrefix);
  });
  afterAll(() => tap.close());

  const store = (details: Parameters<typeof storeConversation>[3] = {}, of = at.bot) =>
    storeConversation(at.fixture, home(), of, details);
  const list = async (query = '') => (await call<ConversationPage>('GET', `conversations${query}`)).data;
  const ids = async (query = '') => (await list(query)).conversations.map(({ id }) => id);
  const change = (id: string, body: object) => call<OneConversation>('PATCH', `conversations/${id}`, body);
  const reply = (id: string, message: unknown, headers: Record<string, string> = {}) =>
    call<OneConversationMessage>('POST', `conversations/${id}/messages`, { message }, headers);
  /** Returns the types of the published events of a conversation when the expected number has arrived. */
  const eventTypes = (conversationId: string, count: number) =>
    until(`${count} events are published`, () => {
      const of = tap.events.filter(
        ({ data }) => (data as { conversationId?: string }).conversationId === conversationId,
      );
      return of.length >= count && of.map(({ type }) => type).sort();
    });

  it('shows a conversation with its visitor, contact, bot and latest message', async () => {
    const { conversationId } = await storeLead(at.fixture, home(), at.bot, { email: 'ann@example.com' });
    await at.fixture.database.query(
      `UPDATE bots.conversations SET client = $2, rating = 4, feedback = 'Good', feedback_at = now() WHERE id = $1`,
      [conversationId, { pageUrl: 'https://acme.example/', language: 'en', device: 'mobile' }],
    );
    const { data } = await call<OneConversation>('GET', `conversations/${conversationId}`);
    expect(data.conversation).toEqual({
      ...data.conversation,
      id: conversationId,
      bot: { id: at.bot, name: 'Help' },
      status: 'open',
      channel: 'web',
      takenOver: false,
      takenOverBy: null,
      handoffRequestedAt: null,
      unreadCount: 0,
      messageCount: 0,
      lastMessage: null,
      endedAt: null,
      endedBy: null,
      client: { pageUrl: 'https://acme.example/', language: 'en', device: 'mobile' },
      contact: { id: expect.any(String) as string, name: 'Lead', email: 'ann@example.com', phone: null },
      feedback: { rating: 4, message: 'Good', createdAt: expect.stringMatching(/Z$/) as string },
    });
    expect((await list()).conversations).toEqual([data.conversation]);
  });

  it('lists conversations by latest activity in pages, without gaps for equal timestamps', async () => {
    const moment = new Date('2026-01-02T03:04:05.678Z');
    const stored: string[] = [];
    for (let i = 0; i < 5; i++)
      stored.push(await store({ lastMessageAt: i < 3 ? moment : new Date(moment.getTime() + i) }));
    await at.fixture.database.query(
      `UPDATE bots.conversations SET last_message_at = last_message_at + interval '3 microseconds' WHERE id = $1`,
      [stored[0]],
    );
    const expected = [stored[4], stored[3], stored[0], stored[2], stored[1]];
    const seen: string[] = [];
    for (let query = '?limit=1'; ;) {
      const page = await list(query);
      seen.push(...page.conversations.map(({ id }) => id));
      if (page.nextCursor === undefined) break;
      query = `?limit=1&cursor=${page.nextCursor}`;
    }
    expect(seen).toEqual(expected);
    for (const cursor of [
      'x',
      Buffer.from('2026-13-99T00:00:00.000000 x').toString('base64url'),
      Buffer.from(newId()).toString('base64url'),
      Buffer.from(`0000-01-01T00:00:00.000000 ${newId()}`).toString('base64url'),
      Buffer.from(`2026-02-30T00:00:00.000000 ${newId()}`).toString('base64url'),
    ]) {
      expect((await call('GET', `conversations?cursor=${cursor}`)).status).toBe(422);
    }
  });

  it('filters by status, bot, takeover and pending hand-off', async () => {
    const other = await botOf('other');
    const open = await store();
    const closed = await store({ status: 'closed', handoffRequestedAt: new Date() });
    const taken = await store({ takenOver: true });
    const waiting = await store({ handoffRequestedAt: new Date() }, other);
    const sorted = async (query: string) => (await ids(query)).sort();
    expect(await sorted('?status=closed')).toEqual([closed]);
    expect(await sorted(`?botId=${other}`)).toEqual([waiting]);
    expect(await sorted('?takenOver=true')).toEqual([taken]);
    expect(await sorted('?handoff=true')).toEqual([waiting]);
    expect(await sorted('?handoff=false&status=open')).toEqual([open, taken].sort());
    expect(await sorted(`?handoff=true&botId=${at.bot}`)).toEqual([]);
    for (const query of ['?status=gone', '?takenOver=yes', '?handoff=1', '?limit=0']) {
      expect([query, (await call('GET', `conversations${query}`)).status]).toEqual([query, 422]);
    }
    expect((await call('GET', 'conversations?botId=bot_nobodys')).status).toBe(404);
  });

  it('counts the messages of a waiting visitor since the last agent reply', async () => {
    const messages: [string, string][] = [
      ['visitor', 'a'],
      ['bot', 'b'],
      ['agent', 'c'],
      ['visitor', 'd'],
      ['visitor', 'x'.repeat(300)],
    ];
    const bots = await store({ messages });
    const waits = await store({ messages, handoffRequestedAt: new Date() });
    const taken = await store({ messages, takenOver: true });
    const { conversations } = await list();
    const of = (id: string) => conversations.find((one) => one.id === id)!;
    expect([of(bots).unreadCount, of(waits).unreadCount, of(taken).unreadCount]).toEqual([0, 2, 2]);
    expect(of(bots).lastMessage).toEqual({ author: 'visitor', content: 'x'.repeat(200) });
    await reply(taken, 'Hello');
    const after = (await call<OneConversation>('GET', `conversations/${taken}`)).data.conversation;
    expect([after.unreadCount, after.lastMessage]).toEqual([0, { author: 'agent', content: 'Hello' }]);
  });

  it('lets an agent take over and return a conversation, with audit entries and events', async () => {
    const id = await store({ handoffRequestedAt: new Date() });
    expect((await change(id, { takenOver: true })).data.conversation).toMatchObject({
      takenOver: true,
      takenOverBy: at.tenant.owner.id,
      handoffRequestedAt: null,
      status: 'open',
    });
    await change(id, { takenOver: true });
    expect((await change(id, { takenOver: false })).data.conversation).toMatchObject({
      takenOver: false,
      takenOverBy: null,
    });
    const log = await at.fixture.call<{ entries: object[] }>('GET', `/api/organization/audit-log?targetId=${id}`, {
      cookie: at.cookie,
    });
    expect(log.data.entries).toMatchObject([
      { action: 'conversation.changed', before: { takenOver: true }, after: { takenOver: false } },
      { action: 'conversation.changed', before: { takenOver: false }, after: { takenOver: true } },
    ]);
    expect(await eventTypes(id, 2)).toEqual(['bot.conversation.changed', 'bot.conversation.changed']);
  });

  it('closes, archives and reopens a conversation and rejects other statuses', async () => {
    const id = await store();
    expect((await change(id, { status: 'closed' })).data.conversation).toMatchObject({
      status: 'closed',
      endedBy: 'agent',
      endedAt: expect.stringMatching(/Z$/) as string,
    });
    expect(await eventTypes(id, 2)).toEqual(['bot.conversation.changed', 'bot.conversation.ended']);
    expect((await change(id, { status: 'archived' })).data.conversation.status).toBe('archived');
    expect((await change(id, { status: 'open', takenOver: true })).data.conversation).toMatchObject({
      status: 'open',
      endedAt: null,
      endedBy: null,
      takenOver: true,
    });
    for (const body of [{ status: 'ended' }, { status: null }, { takenOver: 'true' }, { takenOver: null }]) {
      expect((await change(id, body)).status).toBe(422);
    }
    expect((await change(id, {})).status).toBe(200);
  });

  it('sends a reply in the name of the user, or of the bot if an API key is used', async () => {
    const id = await store({ takenOver: true });
    const { status, data } = await reply(id, 'Hello <b>you</b>');
    expect(status).toBe(201);
    expect(data.message).toEqual({
      id: data.message.id,
      role: 'assistant',
      author: 'agent',
      agentName: 'The owner',
      content: 'Hello you',
      contentType: 'text',
      metadata: { author: 'agent', agentName: 'The owner' },
      createdAt: data.message.createdAt,
    });
    const key = await at.fixture.factory.key(at.tenant.organizationId, { name: 'desk' });
    await at.fixture.call('POST', `${place()}/conversations/${id}/messages`, { key, body: { message: 'Again' } });
    const all = (await call<ConversationMessagePage>('GET', `conversations/${id}/messages`)).data.messages;
    // The name of an API key is not shown to visitors.
    const { name: botName } = (await call<OneConversation>('GET', `conversations/${id}`)).data.conversation.bot;
    expect(all.map(({ agentName, content }) => [agentName, content])).toEqual([
      ['The owner', 'Hello you'],
      [botName, 'Again'],
    ]);
    expect(all[0]).toEqual(data.message);
  });

  it.each([
    ['an empty text', ''],
    ['white space only', '  '],
    ['HTML only', '<b></b>'],
    ['more than 4,000 characters', 'x'.repeat(4_001)],
    ['a number', 7],
    ['a NUL character', 'a\0'],
  ])('rejects a reply with %s', async (_what, message) => {
    expect(await reply(await store(), message)).toMatchObject({ status: 422, error: { code: 'VALIDATION_ERROR' } });
  });

  it.each(['ended', 'closed', 'archived'])('rejects a reply in an %s conversation', async (status) => {
    expect(await reply(await store({ status }), 'Hello')).toMatchObject({
      status: 409,
      error: { code: 'CONVERSATION_CLOSED' },
    });
  });

  it('sends a reply once per Idempotency-Key', async () => {
    const id = await store();
    const headers = { 'Idempotency-Key': unique() };
    const first = await reply(id, 'Once', headers);
    const again = await reply(id, 'Once', headers);
    expect([again.headers.get('idempotent-replayed'), again.data]).toEqual(['true', first.data]);
    expect((await call<ConversationMessagePage>('GET', `conversations/${id}/messages`)).data.messages).toHaveLength(1);
  });

  it('stores every message in order when several agents reply concurrently', async () => {
    const id = await store();
    const colleague = await at.fixture.login((await at.fixture.user(at.tenant.organizationId, 'member')).email);
    const texts = Array.from({ length: 10 }, (_, i) => `${i}`);
    const answers = await Promise.all(
      texts.map((message, i) =>
        at.fixture.call('POST', `${place()}/conversations/${id}/messages`, {
          cookie: i % 2 ? at.cookie : colleague,
          body: { message },
        }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(texts.map(() => 201));
    const rows = await at.fixture.database.query<{ seq: number; content: string }>(
      'SELECT seq, content FROM bots.messages WHERE conversation_id = $1 ORDER BY seq',
      [id],
    );
    expect(rows.map(({ seq }) => seq)).toEqual(texts.map((_, i) => i + 1));
    expect(rows.map(({ content }) => content).sort()).toEqual(texts);
  });

  it('lists messages in both directions, in pages', async () => {
    const id = await store({
      messages: [
        ['visitor', '1'],
        ['bot', '2'],
        ['visitor', '3'],
      ],
    });
    const read = async (query: string) =>
      (await call<ConversationMessagePage>('GET', `conversations/${id}/messages${query}`)).data;
    for (const [order, expected] of [
      ['asc', ['1', '2', '3']],
      ['desc', ['3', '2', '1']],
    ] as const) {
      const first = await read(`?order=${order}&limit=2`);
      const rest = await read(`?order=${order}&limit=2&cursor=${first.nextCursor}`);
      expect([...first.messages, ...rest.messages].map(({ content }) => content)).toEqual(expected);
      expect(rest.nextCursor).toBeUndefined();
    }
    expect((await read('')).messages.map(({ author }) => author)).toEqual(['visitor', 'bot', 'visitor']);
    expect(
      (await call('GET', `conversations/${id}/messages?cursor=${Buffer.from('x').toString('base64url')}`)).status,
    ).toBe(422);
  });

  it('does not show conversations of another workspace of the organization', async () => {
    const id = await store();
    const other = await at.fixture.factory.workspace(at.tenant.organizationId);
    for (const path of [`conversations/${id}`, `conversations/${id}/messages`]) {
      expect((await at.fixture.call('GET', `/api/workspaces/${other.id}/${path}`, { cookie: at.cookie })).status).toBe(
        404,
      );
    }
    const body = { status: 'closed' };
    expect(
      (await at.fixture.call('PATCH', `/api/workspaces/${other.id}/conversations/${id}`, { cookie: at.cookie, body }))
        .status,
    ).toBe(404);
    expect((await call<OneConversation>('GET', `conversations/${id}`)).data.conversation.status).toBe('open');
  });
});
