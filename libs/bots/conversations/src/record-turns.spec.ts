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

const leadData = (conversationId: string) => ({
  submissionId: newId(),
  conversationId,
  botId: 'bot_a',
  formId: 'form_a',
  contactId: null,
  answers: [],
  occurredAt: '2026-01-01T00:00:00.000Z',
});

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

  describe('with a contact', () => {
    const person = (name: string | null, email: string | null, phone: string | null) => ({
      id: newId(),
      name,
      email,
      phone,
    });
    const submission = () => ({ id: newId(), form_id: 'lead', form_title: 'Lead', answers: [] });
    const leave = async (id: string, contact: ReturnType<typeof person>, seq = 0) => {
      const turn = fixture.turn(id, { contact, submission: submission(), expected_seq: seq });
      expect(await fixture.record(turn)).toBe('recorded');
      return (await fixture.stored(id)).contactId;
    };
    const contact = async (id: string | null) =>
      (await fixture.database.query<object>('SELECT name, email, phone FROM bots.contacts WHERE id = $1', [id]))[0];

    it('creates a contact, and links the conversation and the submission to it', async () => {
      const id = await fixture.conversation();
      const contactId = await leave(id, person('Ada', 'ada@a.example', '+491'));
      expect(await contact(contactId)).toEqual({ name: 'Ada', email: 'ada@a.example', phone: '+491' });
      expect(
        await fixture.database.query(
          'SELECT contact_id, form_id, status FROM bots.submissions WHERE conversation_id = $1',
          [id],
        ),
      ).toEqual([{ contact_id: contactId, form_id: 'lead', status: 'received' }]);
    });

    it('fills only empty fields of an existing contact, and keeps the answers on the submission', async () => {
      const known = await leave(await fixture.conversation(), person('Bea', 'bea@a.example', null));
      expect(await leave(await fixture.conversation(), person(null, 'bea@a.example', '+492'))).toBe(known);
      expect(await contact(known)).toEqual({ name: 'Bea', email: 'bea@a.example', phone: '+492' });
      const id = await fixture.conversation();
      const answers = [{ key: 'phone', value: '+493' }];
      const claim = { ...submission(), answers: answers as never[] };
      await fixture.record(fixture.turn(id, { contact: person('Eve', 'bea@a.example', '+493'), submission: claim }));
      expect(await contact(known)).toEqual({ name: 'Bea', email: 'bea@a.example', phone: '+492' });
      expect(
        await fixture.database.query('SELECT contact_id, answers FROM bots.submissions WHERE conversation_id = $1', [
          id,
        ]),
      ).toEqual([{ contact_id: known, answers }]);
    });

    it('does not change the name or phone number of the contact of the conversation', async () => {
      const id = await fixture.conversation();
      const known = await leave(id, person('Gil', null, '+498'));
      expect(await leave(id, person('Eve', null, '+499'), 2)).toBe(known);
      expect(await contact(known)).toEqual({ name: 'Gil', email: null, phone: '+498' });
    });

    it('finds a contact by its number, and adds the email address', async () => {
      const known = await leave(await fixture.conversation(), person('Cy', null, '+494'));
      expect(await leave(await fixture.conversation(), person(null, null, '+494'))).toBe(known);
      expect(await leave(await fixture.conversation(), person(null, 'cy@a.example', '+494'))).toBe(known);
      expect(await contact(known)).toEqual({ name: 'Cy', email: 'cy@a.example', phone: '+494' });
    });

    it('treats two email addresses with one number as two contacts', async () => {
      const one = await leave(await fixture.conversation(), person(null, 'one@a.example', '+495'));
      const other = await leave(await fixture.conversation(), person(null, 'other@a.example', '+495'));
      expect(other).not.toBe(one);
    });

    it('adds details to the contact of the conversation', async () => {
      const id = await fixture.conversation();
      const known = await leave(id, person('Di', null, null));
      expect(await leave(id, person(null, 'di@a.example', null), 2)).toBe(known);
      expect(await leave(id, person(null, 'di2@a.example', null), 4)).not.toBe(known);
      expect(await contact(known)).toEqual({ name: 'Di', email: 'di@a.example', phone: null });
    });

    it('does not find a contact of another workspace', async () => {
      const known = await leave(await fixture.conversation(), person(null, 'eve@a.example', '+496'));
      const foreign = await fixture.conversation({}, newId());
      expect(await leave(foreign, person(null, 'eve@a.example', '+496'))).not.toBe(known);
    });

    it('creates one contact for concurrent calls, by email address and by number', async () => {
      for (const details of [person(null, 'many@a.example', null), person(null, null, '+497')]) {
        const ids = await Promise.all(Array.from({ length: 6 }, () => fixture.conversation()));
        const contacts = await Promise.all(ids.map((id) => leave(id, { ...details, id: newId() })));
        expect(new Set(contacts).size).toBe(1);
      }
    });

    it('causes no deadlock when batches contain the same contacts in different orders', async () => {
      const people = ['p@a.example', 'q@a.example', 'r@a.example'];
      for (let round = 0; round < 5; round++) {
        const batches = await Promise.all(
          [people, people.toReversed(), [...people.slice(1), ...people.slice(0, 1)]].map((names) =>
            Promise.all(
              names.map(async (email) =>
                fixture.turn(await fixture.conversation(), {
                  contact: person(null, email, null),
                  submission: submission(),
                }),
              ),
            ),
          ),
        );
        const outcomes = await Promise.all(batches.map((rows) => recordTurns(fixture.pool, rows)));
        expect(outcomes.flat()).toEqual(Array(9).fill('recorded'));
      }
    });

    it('publishes a lead without contact details', async () => {
      const id = await fixture.conversation();
      const lead = { ...fixture.event('lead'), type: 'lead.captured', data: leadData(id) };
      await fixture.events();
      await fixture.record(fixture.turn(id, { submission: submission(), question_events: [lead], reply_events: [] }));
      expect(await fixture.events()).toEqual([{ type: 'lead.captured', data: lead.data }]);
    });

    it('publishes a lead with its contact, also during a takeover', async () => {
      for (const changes of [{}, { isTakenOver: true }]) {
        const id = await fixture.conversation(changes);
        const lead = { ...fixture.event('lead'), type: 'lead.captured', data: leadData(id) };
        await fixture.events();
        await fixture.record(
          fixture.turn(id, {
            contact: person(null, 'lead@a.example', null),
            submission: submission(),
            question_events: [lead],
            reply_events: [],
          }),
        );
        const { contactId } = await fixture.stored(id);
        expect(await fixture.events()).toEqual([{ type: 'lead.captured', data: { ...lead.data, contactId } }]);
      }
    });
  });

  describe('in a batch', () => {
    it('returns the outcome of each row at its position', async () => {
      const [open, closed] = [await fixture.conversation(), await fixture.conversation({ status: 'closed' })];
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
