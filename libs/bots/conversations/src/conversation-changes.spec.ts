import { newId } from '@heliograph/database';
import type { EntityManager } from 'typeorm';
import {
  endConversation,
  manageConversation,
  rateConversation,
  reopenConversation,
  sayAsAgent,
  type ChangeContext,
} from './conversation-changes';
import { ConversationsFixture } from './conversations.fixture';
import { readMessages, readNewest, seqOf } from './transcript';

let fixture: ConversationsFixture;
beforeAll(async () => {
  fixture = await ConversationsFixture.start();
});
afterAll(() => fixture.stop());

/** Runs a change in a separate transaction; the outbox then contains its events. */
async function change<T>(id: string, work: (transaction: EntityManager, context: ChangeContext) => Promise<T>) {
  await fixture.events();
  return fixture.dataSource.transaction((transaction) => work(transaction, { conversationId: id, correlationId: 'c' }));
}
const eventTypes = async () => (await fixture.events()).map(({ type }) => type);

describe('a change by a visitor', () => {
  it('ends a conversation once, and publishes the events once', async () => {
    const id = await fixture.conversation();
    const ended = await change(id, endConversation);
    expect(ended).toMatchObject({ status: 'ended', endedBy: 'visitor', revision: 1 });
    expect((await eventTypes()).sort()).toEqual(['bot.conversation.changed', 'bot.conversation.ended']);
    const again = await change(id, endConversation);
    expect([again.endedAt, again.revision]).toEqual([ended.endedAt, 1]);
    expect(await eventTypes()).toEqual([]);
  });

  it('reopens an ended conversation, and does not change an open one', async () => {
    const id = await fixture.conversation();
    await change(id, endConversation);
    expect(await change(id, reopenConversation)).toMatchObject({ status: 'open', endedAt: null, endedBy: null });
    expect(await eventTypes()).toEqual(['bot.conversation.changed']);
    const before = await fixture.stored(id);
    expect(await change(id, reopenConversation)).toEqual(before);
    expect(await eventTypes()).toEqual([]);
  });

  it.each(['closed', 'archived'] as const)('neither ends nor reopens a conversation that is %s', async (status) => {
    const id = await fixture.conversation({ status });
    for (const decision of [endConversation, reopenConversation]) {
      await expect(change(id, decision)).rejects.toMatchObject({ code: 'CONVERSATION_CLOSED' });
    }
  });

  it('rates a conversation, and a later rating replaces the first', async () => {
    const id = await fixture.conversation();
    await change(id, (transaction, context) => rateConversation(transaction, context, { rating: 1, feedback: 'Bad' }));
    await change(id, (transaction, context) => rateConversation(transaction, context, { rating: 5, feedback: null }));
    expect(await fixture.stored(id)).toMatchObject({ rating: 5, feedback: null, revision: 2 });
  });

  it('returns NOT_FOUND for an unknown conversation', async () => {
    await expect(change(newId(), endConversation)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('ends a conversation whose bot was deleted', async () => {
    const id = await fixture.conversation({ botId: newId() });
    await change(id, endConversation);
    expect(await eventTypes()).toEqual(['bot.conversation.changed']);
  });
});

describe('a change by an agent', () => {
  it('takes a conversation over, returns it, and clears a handoff request', async () => {
    const id = await fixture.conversation({ handoffRequestedAt: new Date() });
    const userId = newId();
    const { before, after } = await change(id, (transaction, context) =>
      manageConversation(transaction, context, { isTakenOver: true, takenOverBy: userId }),
    );
    expect(before).toMatchObject({ isTakenOver: false, revision: 0 });
    expect(after).toMatchObject({ isTakenOver: true, takenOverBy: userId, handoffRequestedAt: null, revision: 1 });
    expect(await eventTypes()).toEqual(['bot.conversation.changed']);
    await change(id, (transaction, context) => manageConversation(transaction, context, { isTakenOver: false }));
    expect(await fixture.stored(id)).toMatchObject({ isTakenOver: false, takenOverBy: null, revision: 2 });
  });

  it('closes a conversation, which sets the agent as the one who ended it, and reopens it', async () => {
    const id = await fixture.conversation();
    await change(id, (transaction, context) => manageConversation(transaction, context, { status: 'closed' }));
    expect(await fixture.stored(id)).toMatchObject({ status: 'closed', endedBy: 'agent', endedAt: expect.any(Date) });
    expect(await fixture.events()).toMatchObject([
      { type: 'bot.conversation.changed' },
      { type: 'bot.conversation.ended', data: { botId: fixture.publicId, endedBy: 'agent' } },
    ]);
    await change(id, (transaction, context) => manageConversation(transaction, context, { status: 'open' }));
    expect(await fixture.stored(id)).toMatchObject({ status: 'open', endedBy: null, endedAt: null });
  });

  it('keeps the first person who ended it, and publishes no second end', async () => {
    const id = await fixture.conversation();
    await change(id, endConversation);
    await change(id, (transaction, context) => manageConversation(transaction, context, { status: 'archived' }));
    expect(await fixture.stored(id)).toMatchObject({ status: 'archived', endedBy: 'visitor' });
    expect(await eventTypes()).toEqual(['bot.conversation.changed']);
  });

  it('without an effect publishes no event', async () => {
    const id = await fixture.conversation();
    await change(id, (transaction, context) =>
      manageConversation(transaction, context, { status: 'open', isTakenOver: false }),
    );
    expect(await eventTypes()).toEqual([]);
    expect((await fixture.stored(id)).revision).toBe(0);
  });

  it('adds a message after all existing messages', async () => {
    const id = await fixture.conversation();
    await fixture.record(fixture.turn(id));
    const reply = await change(id, (transaction, context) =>
      sayAsAgent(transaction, context, { content: 'Hello', agentName: 'Ada' }),
    );
    expect(await eventTypes()).toEqual(['bot.conversation.changed']);
    expect((await fixture.messages(id)).at(-1)).toMatchObject({
      seq: 3,
      id: reply.id,
      role: 'assistant',
      content: 'Hello',
      metadata: { author: 'agent', agentName: 'Ada' },
    });
    // A reply that was generated before this message must be generated again.
    expect(await fixture.record(fixture.turn(id, { expected_seq: 2 }))).toBe('moved');
  });

  it.each(['ended', 'closed', 'archived'] as const)('adds no message to a conversation that is %s', async (status) => {
    const id = await fixture.conversation({ status });
    const saying = change(id, (transaction, context) =>
      sayAsAgent(transaction, context, { content: 'Hello', agentName: 'Ada' }),
    );
    await expect(saying).rejects.toMatchObject({ code: 'CONVERSATION_CLOSED' });
    expect(await fixture.messages(id)).toEqual([]);
  });

  it('leaves no gap in the sequence with concurrent turns', async () => {
    const id = await fixture.conversation();
    const say = () =>
      fixture.dataSource.transaction((transaction) =>
        sayAsAgent(transaction, { conversationId: id, correlationId: null }, { content: 'Hello', agentName: 'Ada' }),
      );
    await Promise.all([say(), fixture.record(fixture.turn(id)), say(), say()]);
    const messages = await fixture.messages(id);
    expect(messages.map(({ seq }) => seq)).toEqual(messages.map((_, n) => n + 1));
    expect((await fixture.stored(id)).lastSeq).toBe(messages.length);
  });
});

describe('the transcript', () => {
  it('can be read from the end, by ids, and by the position of a message', async () => {
    const id = await fixture.conversation();
    await fixture.record(fixture.turn(id));
    await fixture.record(fixture.turn(id, { expected_seq: 2 }));
    const all = await fixture.messages(id);
    expect(await readNewest(fixture.pool, id, 3)).toEqual(all.slice(1));
    expect(await readMessages(fixture.pool, id, [all[2]!.id, all[0]!.id])).toEqual([all[0], all[2]]);
    expect(await seqOf(fixture.pool, id, all[3]!.id)).toBe(4);
    const other = await fixture.conversation();
    for (const foreign of [all[0]!.id, newId(), 'x']) expect(await seqOf(fixture.pool, other, foreign)).toBeNull();
  });
});
