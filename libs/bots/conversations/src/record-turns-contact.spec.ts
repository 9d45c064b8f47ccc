import { newId } from '@heliograph/database';
import { ConversationsFixture } from './conversations.fixture';
import { recordTurns } from './record-turns';

let fixture: ConversationsFixture;
beforeAll(async () => {
  fixture = await ConversationsFixture.start();
});
afterAll(() => fixture.stop());
beforeEach(() => fixture.events());

const leadData = (conversationId: string) => ({
  submissionId: newId(),
  conversationId,
  botId: 'bot_a',
  formId: 'form_a',
  contactId: null,
  answers: [],
  occurredAt: '2026-01-01T00:00:00.000Z',
});

describe('bots.record_turns with a contact', () => {
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
      await fixture.database.query('SELECT contact_id, answers FROM bots.submissions WHERE conversation_id = $1', [id]),
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
