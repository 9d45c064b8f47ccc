import { GroupCommit, newId } from '@heliograph/database';
import { ConversationsFixture } from './conversations.fixture';
import { recordTurns } from './record-turns';
import type { TurnOutcome, TurnRow } from './rows';

let fixture: ConversationsFixture;
beforeAll(async () => {
  fixture = await ConversationsFixture.start();
});
afterAll(() => fixture.stop());
beforeEach(() => fixture.events());

const types = async () => (await fixture.events()).map(({ type }) => type).sort();

describe('bots.record_turns', () => {
  it('creates a conversation with its first turn', async () => {
    const id = newId();
    const start = fixture.start();
    expect(await fixture.record(fixture.turn(id, { start, expected_seq: null, expected_revision: null }))).toBe(
      'recorded',
    );
    const stored = await fixture.stored(id);
    expect(stored).toMatchObject({
      organizationId: fixture.organizationId,
      workspaceId: fixture.workspaceId,
      botId: fixture.botId,
      versionId: start.version_id,
      status: 'open',
      channel: 'web',
      client: { language: 'en' },
      isTakenOver: false,
      lastSeq: 2,
      revision: 0,
      state: { missed: 1 },
    });
    expect(stored.tokenHash.toString('hex')).toBe(start.token_hash);
    const [question, reply] = await fixture.messages(id);
    expect(question).toMatchObject({ seq: 1, role: 'user', content: 'Question', quickReplies: null, form: null });
    expect(reply).toMatchObject({ seq: 2, role: 'assistant', content: 'Reply', metadata: { author: 'bot' } });
    expect(await types()).toEqual(['test.question', 'test.reply']);
  });

  it('creates a conversation without a message', async () => {
    const id = await fixture.conversation();
    expect(await fixture.messages(id)).toEqual([]);
    expect((await fixture.stored(id)).lastSeq).toBe(0);
  });

  it('stores turns in order, with unchanged quick replies and forms', async () => {
    const id = await fixture.conversation();
    const quick = { id: 'a', label: 'A', type: 'faq' as const, action: { type: 'faq' as const, id: 'a' } };
    const form = { id: 'f', title: 'F', fields: [{ key: 'k', label: 'K', type: 'text', required: true }] };
    const { reply } = fixture.turn(id);
    await fixture.record(fixture.turn(id, { reply: { ...reply!, quick_replies: [quick], form } }));
    expect(await fixture.record(fixture.turn(id, { expected_seq: 2 }))).toBe('recorded');
    const messages = await fixture.messages(id);
    expect(messages.map(({ seq, role }) => [seq, role])).toEqual([
      [1, 'user'],
      [2, 'assistant'],
      [3, 'user'],
      [4, 'assistant'],
    ]);
    expect(messages[1]).toMatchObject({ quickReplies: [quick], form });
  });

  it.each([
    ['another message has arrived', { expected_seq: 1 }, {}],
    ['the conversation was changed', { expected_revision: 1 }, {}],
    ['an agent has taken over in the meantime', {}, { isTakenOver: true, revision: 1 }],
  ])('returns "moved" and stores nothing if %s', async (_what, turn, changes) => {
    const id = await fixture.conversation(changes);
    const before = await fixture.stored(id);
    expect(await fixture.record(fixture.turn(id, turn))).toBe('moved');
    expect(await fixture.messages(id)).toEqual([]);
    expect(await fixture.stored(id)).toEqual(before);
    expect(await types()).toEqual([]);
  });

  it.each(['ended', 'closed', 'archived'] as const)(
    'returns "closed" and stores nothing in a conversation that is %s',
    async (status) => {
      const id = await fixture.conversation({ status });
      expect(await fixture.record(fixture.turn(id))).toBe('closed');
      expect(await fixture.messages(id)).toEqual([]);
      expect(await types()).toEqual([]);
    },
  );

  it('returns "unknown" for a conversation that does not exist', async () => {
    expect(await fixture.record(fixture.turn(newId()))).toBe('unknown');
    expect(await types()).toEqual([]);
  });

  it('returns "paused" and stores and publishes only the question during a takeover', async () => {
    const id = await fixture.conversation({ isTakenOver: true, state: { missed: 7 } });
    expect(await fixture.record(fixture.turn(id, { is_handoff: true }))).toBe('paused');
    expect((await fixture.messages(id)).map(({ role }) => role)).toEqual(['user']);
    expect(await fixture.stored(id)).toMatchObject({ lastSeq: 1, state: { missed: 7 }, handoffRequestedAt: null });
    expect(await types()).toEqual(['test.question']);
  });

  it('records a handoff request', async () => {
    const id = await fixture.conversation();
    const at = '2026-11-20T10:12:28.123Z';
    await fixture.record(fixture.turn(id, { is_handoff: true, at }));
    expect((await fixture.stored(id)).handoffRequestedAt?.toISOString()).toBe(at);
  });

  it('never moves the time of the last activity backwards', async () => {
    const id = await fixture.conversation();
    const { lastMessageAt } = await fixture.stored(id);
    await fixture.record(fixture.turn(id, { at: '2020-01-01T00:00:00.000Z' }));
    expect((await fixture.stored(id)).lastMessageAt).toEqual(lastMessageAt);
  });

  describe('with an idempotency key', () => {
    const keyed = (key = newId()) => ({ endpoint: 'bot.message', idempotency_key: key, fingerprint: 'f' });
    const answers = (id: string) =>
      fixture.database.query<{ status: number; body: object }>(
        'SELECT status, body FROM idempotency.answers WHERE caller_id = $1',
        [id],
      );

    it('stores the position of the turn in the same commit', async () => {
      const id = await fixture.conversation();
      const turn = fixture.turn(id, keyed());
      await fixture.record(turn);
      expect(await answers(id)).toEqual([
        {
          status: 200,
          body: { questionId: turn.question!.id, replyId: turn.reply!.id, submissionId: null, paused: false },
        },
      ]);
    });

    it('stores no reply of a turn during a takeover', async () => {
      const id = await fixture.conversation({ isTakenOver: true });
      await fixture.record(fixture.turn(id, keyed()));
      expect(await answers(id)).toMatchObject([{ body: { replyId: null, paused: true } }]);
    });

    it('that another call holds returns "repeated" and stores nothing', async () => {
      const id = await fixture.conversation();
      const key = keyed();
      await fixture.record(fixture.turn(id, key));
      await fixture.events();
      expect(await fixture.record(fixture.turn(id, { ...key, expected_seq: 2 }))).toBe('repeated');
      expect(await fixture.messages(id)).toHaveLength(2);
      expect(await types()).toEqual([]);
    });

    it('returns "repeated" instead of "moved" or "closed" for a repetition', async () => {
      const id = await fixture.conversation();
      const key = keyed();
      await fixture.record(fixture.turn(id, key));
      expect(await fixture.record(fixture.turn(id, key))).toBe('repeated');
      expect(await fixture.record(fixture.turn(id, keyed()))).toBe('moved');
      await fixture.database.query(`UPDATE bots.conversations SET status = 'ended' WHERE id = $1`, [id]);
      expect(await fixture.record(fixture.turn(id, key))).toBe('repeated');
      expect(await fixture.record(fixture.turn(id, keyed()))).toBe('closed');
    });

    it('that has expired can be used again', async () => {
      const id = await fixture.conversation();
      const key = keyed();
      await fixture.record(fixture.turn(id, key));
      await fixture.database.query(`UPDATE idempotency.answers SET expires_at = now() WHERE caller_id = $1`, [id]);
      expect(await fixture.record(fixture.turn(id, { ...key, expected_seq: 2 }))).toBe('recorded');
    });

    it('is claimed by one of many concurrent calls', async () => {
      const id = await fixture.conversation();
      const key = keyed();
      const outcomes = await Promise.all(Array.from({ length: 6 }, () => fixture.record(fixture.turn(id, key))));
      expect([...outcomes].sort()).toEqual(['recorded', ...Array<string>(5).fill('repeated')]);
      expect(await fixture.messages(id)).toHaveLength(2);
    });
  });

  describe('in a batch', () => {
    it('returns the outcome of each row at its position', async () => {
      const open = await fixture.conversation();
      const closed = await fixture.conversation({ status: 'closed' });
      const rows = [
        fixture.turn(newId()),
        fixture.turn(closed),
        fixture.turn(open, { expected_seq: 2 }),
        fixture.turn(open),
        fixture.turn(open, { expected_seq: 2 }),
      ];
      expect(await recordTurns(fixture.pool, rows)).toEqual(['unknown', 'closed', 'moved', 'recorded', 'recorded']);
      expect((await fixture.messages(open)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
    });

    it('rejects only the row that the database cannot store', async () => {
      const lane = new GroupCommit<TurnRow, TurnOutcome>({ flush: (rows) => recordTurns(fixture.pool, rows) });
      const ids = await Promise.all(Array.from({ length: 9 }, () => fixture.conversation()));
      const rows = ids.map((id) => fixture.turn(id));
      rows[4]!.question!.content = 'a\0b';
      const results = await Promise.allSettled(rows.map((row) => lane.submit(row)));
      expect(results.map(({ status }) => status)).toEqual(ids.map((_, n) => (n === 4 ? 'rejected' : 'fulfilled')));
      for (const [n, id] of ids.entries()) expect(await fixture.messages(id)).toHaveLength(n === 4 ? 0 : 2);
    });
  });
});
