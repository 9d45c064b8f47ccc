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

/** Runs a change in a transaction of its own; the outbox holds what it tells. */
async function change<T>(id: string, work: (transaction: EntityManager, context: ChangeContext) => Promise<T>) {
  await fixture.events();
  return fixture.dataSource.transaction((transaction) => work(transaction, { conversationId: id, correlationId: 'c' }));
}
const told = async () => (await fixture.events()).map(({ type }) => type);

describe('a visitor’s decisions', () => {
  it('end a conversation once, and tell of it once', async () => {
    const id = await fixture.conversation();
    const ended = await change(id, endConversation);
    expect(ended).toMatchObject({ status: 'ended', endedBy: 'visitor', revision: 1 });
    expect((await told()).sort()).toEqual(['bot.conversation.changed', 'bot.conversation.ended']);
    const again = await change(id, endConversation);
    expect([again.endedAt, again.revision]).toEqual([ended.endedAt, 1]);
    expect(await told()).toEqual([]);
  });

  it('reopen one that has ended, and leave one that is open as it is', async () => {
    const id = await fixture.conversation();
    await change(id, endConversation);
    expect(await change(id, reopenConversation)).toMatchObject({ status: 'open', endedAt: null, endedBy: null });
    expect(await told()).toEqual(['bot.conversation.changed']);
    const before = await fixture.stored(id);
    expect(await change(id, reopenConversation)).toEqual(before);
    expect(await told()).toEqual([]);
  });

  it.each(['closed', 'archived'] as const)('neither end nor reopen one that is %s', async (status) => {
    const id = await fixture.conversation({ status });
    for (const decision of [endConversation, reopenConversation]) {
      await expect(change(id, decision)).rejects.toMatchObject({ code: 'CONVERSATION_CLOSED' });
    }
  });

  it('rate it; a later rating replaces the first', async () => {
    const id = await fixture.conversation();
    await change(id, (transaction, context) => rateConversation(transaction, context, { rating: 1, feedback: 'Bad' }));
    await change(id, (transaction, context) => rateConversation(transaction, context, { rating: 5, feedback: null }));
    expect(await fixture.stored(id)).toMatchObject({ rating: 5, feedback: null, revision: 2 });
  });

  it('concern a conversation that is there: else NOT_FOUND', async () => {
    await expect(change(newId(), endConversation)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('end a conversation whose bot is gone', async () => {
    const id = await fixture.conversation({ botId: newId() });
    await change(id, endConversation);
    expect(await told()).toEqual(['bot.conversation.changed']);
  });
});

describe('a person’s decisions', () => {
  it('take over and give back, and answer a call for a person', async () => {
    const id = await fixture.conversation({ handoffRequestedAt: new Date() });
    const userId = newId();
    const { before, after } = await change(id, (transaction, context) =>
      manageConversation(transaction, context, { isTakenOver: true, takenOverBy: userId }),
    );
    expect(before).toMatchObject({ isTakenOver: false, revision: 0 });
    expect(after).toMatchObject({ isTakenOver: true, takenOverBy: userId, handoffRequestedAt: null, revision: 1 });
    expect(await told()).toEqual(['bot.conversation.changed']);
    await change(id, (transaction, context) => manageConversation(transaction, context, { isTakenOver: false }));
    expect(await fixture.stored(id)).toMatchObject({ isTakenOver: false, takenOverBy: null, revision: 2 });
  });

  it('close it, which ends it by an agent, and open it again', async () => {
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

  it('keep who ended it first, and tell of no second end', async () => {
    const id = await fixture.conversation();
    await change(id, endConversation);
    await change(id, (transaction, context) => manageConversation(transaction, context, { status: 'archived' }));
    expect(await fixture.stored(id)).toMatchObject({ status: 'archived', endedBy: 'visitor' });
    expect(await told()).toEqual(['bot.conversation.changed']);
  });

  it('that change nothing are told to nobody', async () => {
    const id = await fixture.conversation();
    await change(id, (transaction, context) =>
      manageConversation(transaction, context, { status: 'open', isTakenOver: false }),
    );
    expect(await told()).toEqual([]);
    expect((await fixture.stored(id)).revision).toBe(0);
  });

  it('say something to the visitor, after all that was said', async () => {
    const id = await fixture.conversation();
    await fixture.record(fixture.turn(id));
    const said = await change(id, (transaction, context) =>
      sayAsAgent(transaction, context, { content: 'Hello', agentName: 'Ada' }),
    );
    expect(await told()).toEqual(['bot.conversation.changed']);
    expect((await fixture.messages(id)).at(-1)).toMatchObject({
      seq: 3,
      id: said.id,
      role: 'assistant',
      content: 'Hello',
      metadata: { author: 'agent', agentName: 'Ada' },
    });
    // A reply that was made before is made again.
    expect(await fixture.record(fixture.turn(id, { expected_seq: 2 }))).toBe('moved');
  });

  it.each(['ended', 'closed', 'archived'] as const)('say nothing in a conversation that is %s', async (status) => {
    const id = await fixture.conversation({ status });
    const saying = change(id, (transaction, context) =>
      sayAsAgent(transaction, context, { content: 'Hello', agentName: 'Ada' }),
    );
    await expect(saying).rejects.toMatchObject({ code: 'CONVERSATION_CLOSED' });
    expect(await fixture.messages(id)).toEqual([]);
  });

  it('and turns at the same time leave no gap', async () => {
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
  it('is read from the end, by ids, and by the number of a message', async () => {
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
