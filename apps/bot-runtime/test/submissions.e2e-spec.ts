import { tapEvents, until, type EventTap, type HttpResponse } from '@heliograph/testing';
import { BotFixture, type Chat, type Message } from './bot-fixture';
import type { MadeBot } from './make-bot';

const TYPES = [
  'text',
  'email',
  'phone',
  'tel',
  'mobile',
  'textarea',
  'select',
  'date',
  'time',
  'number',
  'url',
] as const;

/** A valid value of each type, as it is sent and as it is stored. */
const RIGHT: Record<(typeof TYPES)[number], [unknown, string | number]> = {
  text: ['Ada', 'Ada'],
  email: [' Ada@Example.com ', 'Ada@example.com'],
  phone: ['+49 30 901820', '+49 30 901820'],
  tel: ['030 901820', '030 901820'],
  mobile: ['+91 98111-11111', '+91 98111-11111'],
  textarea: ['one\ntwo', 'one\ntwo'],
  select: ['Large', 'Large'],
  date: ['2026-11-20', '2026-11-20'],
  time: ['14:30', '14:30'],
  number: ['12.5', 12.5],
  url: ['https://example.com/a', 'https://example.com/a'],
};

interface SubmissionRow {
  id: string;
  contact_id: string | null;
  answers: object[];
}

describe('forms', () => {
  let bots: BotFixture;
  let bot: MadeBot;
  let tap: EventTap;
  beforeAll(async () => {
    bots = await BotFixture.shared();
    tap = await tapEvents(bots.service.amqpPrefix);
    bot = await bots.bot({
      forms: [
        {
          id: 'all',
          title: 'Everything',
          fields: TYPES.map((type) => ({
            key: type,
            label: `The ${type}`,
            type,
            required: true,
            ...(type === 'select' ? { options: ['Small', 'Large'] } : {}),
          })),
        },
        {
          id: 'lead',
          title: 'Leave your details',
          confirmation: 'We will call you.',
          fields: [
            { key: 'name', type: 'text' },
            { key: 'email', type: 'email', required: true },
            { key: 'phone', type: 'phone' },
          ],
        },
        { id: 'optional', title: 'Optional', fields: [{ key: 'note', type: 'text' }] },
        { id: 'off', title: 'Off', enabled: false, fields: [{ key: 'note', type: 'text' }] },
        { id: 'unpublished', title: 'Unpublished', published: false, fields: [{ key: 'note', type: 'text' }] },
      ],
    });
  });
  afterAll(() => tap.close());

  const submit = (chat: Chat, form: string, answers: unknown, headers: Record<string, string> = {}) =>
    bots.postOn(chat, `/forms/${form}/submissions`, { answers }, headers);
  const stored = (chat: Chat) =>
    bots.rows<SubmissionRow>('SELECT * FROM bots.submissions WHERE conversation_id = $1 ORDER BY id', [chat.id]);
  const contact = async (id: string | null | undefined) =>
    (await bots.rows<Record<string, unknown>>('SELECT name, email, phone FROM bots.contacts WHERE id = $1', [id]))[0];
  const refusal = ({ status, body }: HttpResponse) => [status, body['ok'], body['code']];

  it('return 201 with exactly the submission, the notice and a confirmation', async () => {
    const chat = await bots.chat(bot.publicId);
    const answer = await submit(chat, 'lead', { email: 'ada@example.com', more: 'ignored' });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      submission: { id: expect.any(String), formId: 'lead', conversationId: chat.id, status: 'received' },
      userMessage: {
        id: expect.any(String),
        role: 'user',
        content: 'Form submitted: Leave your details',
        contentType: 'form',
        metadata: {
          formId: 'lead',
          title: 'Leave your details',
          answers: [{ key: 'email', label: 'email', value: 'ada@example.com' }],
        },
        createdAt: expect.any(String),
      },
      reply: expect.objectContaining({ role: 'assistant', content: 'We will call you.', form: null }),
    });
    const transcript = await bots.transcript(chat);
    expect(transcript.map(({ role, contentType }) => [role, contentType])).toEqual([
      ['user', 'form'],
      ['assistant', 'text'],
    ]);
    expect(transcript[0]).toEqual(answer.body['userMessage']);
  });

  it('accept fields of all types and their aliases, and store each with its label, in the order of the form', async () => {
    const chat = await bots.chat(bot.publicId);
    const given = Object.fromEntries(TYPES.toReversed().map((type) => [type, RIGHT[type][0]]));
    expect((await submit(chat, 'all', given)).status).toBe(201);
    const [row] = await stored(chat);
    expect(row?.answers).toEqual(TYPES.map((type) => ({ key: type, label: `The ${type}`, value: RIGHT[type][1] })));
  });

  it('return 400 INVALID_SUBMISSION with all missing fields, and store nothing', async () => {
    const chat = await bots.chat(bot.publicId);
    for (const answers of [undefined, null, 'x', 7, [], {}]) {
      const answer = await submit(chat, 'all', answers);
      expect(Object.keys(answer.body)).toEqual(['ok', 'code', 'message', 'fields']);
      expect(refusal(answer)).toEqual([400, false, 'INVALID_SUBMISSION']);
      const fields = answer.body['fields'] as { key: string; message: string }[];
      expect(fields.map(({ key }) => key)).toEqual(TYPES);
      for (const field of fields) expect(Object.keys(field)).toEqual(['key', 'message']);
    }
    expect(await stored(chat)).toEqual([]);
    expect(await bots.transcript(chat)).toEqual([]);
  });

  it('return 400 INVALID_SUBMISSION with the invalid field, for each type', async () => {
    const chat = await bots.chat(bot.publicId);
    const wrong = { text: 7, email: 'x', phone: 'x', tel: '1', mobile: 'x', textarea: 'x'.repeat(4_001), select: 'XL' };
    const more = { date: '2026-02-30', time: '25:00', number: 'many', url: 'javascript:alert(1)' };
    for (const [type, value] of Object.entries({ ...wrong, ...more })) {
      const right = Object.fromEntries(TYPES.map((name) => [name, RIGHT[name][0]]));
      const answer = await submit(chat, 'all', { ...right, [type]: value });
      expect([type, ...refusal(answer)]).toEqual([type, 400, false, 'INVALID_SUBMISSION']);
      expect(answer.body['fields']).toEqual([{ key: type, message: expect.any(String) }]);
    }
    expect(await stored(chat)).toEqual([]);
  });

  it('accept an empty submission if no field is required', async () => {
    const chat = await bots.chat(bot.publicId);
    expect((await submit(chat, 'optional', {})).status).toBe(201);
    expect(await stored(chat)).toMatchObject([{ answers: [], contact_id: null }]);
    expect(refusal(await submit(chat, 'optional', 'x'))).toEqual([400, false, 'INVALID_SUBMISSION']);
  });

  it('return 404 NOT_FOUND for a form that is unknown, foreign, disabled or unpublished', async () => {
    await bots.bot({ forms: [{ id: 'foreign', title: 'F', fields: [{ key: 'a', type: 'text' }] }] });
    const chat = await bots.chat(bot.publicId);
    for (const form of ['nobody', 'foreign', 'off', 'unpublished', '%00', 'x'.repeat(3_000)]) {
      expect([form, ...refusal(await submit(chat, form, {}))]).toEqual([form, 404, false, 'NOT_FOUND']);
    }
  });

  it('link the submission to the conversation and to a contact, which is found by email address and then by number', async () => {
    const first = await bots.chat(bot.publicId);
    await submit(first, 'lead', { name: 'Ada', email: 'ADA@one.example', phone: '+49 30 1111 11' });
    const [one] = await stored(first);
    expect(await contact(one?.contact_id)).toEqual({ name: 'Ada', email: 'ada@one.example', phone: '+4930111111' });
    expect((await bots.stored(first.id)).contactId).toBe(one?.contact_id);
    const second = await bots.chat(bot.publicId);
    await submit(second, 'lead', { email: 'ada@one.example', name: 'Ada Lovelace' });
    const [two] = await stored(second);
    expect(two?.contact_id).toBe(one?.contact_id);
    expect(await contact(one?.contact_id)).toEqual({
      name: 'Ada',
      email: 'ada@one.example',
      phone: '+4930111111',
    });
    const other = await bots.bot({
      forms: [{ id: 'lead', title: 'L', fields: [{ key: 'email', type: 'email', required: true }] }],
    });
    const foreign = await bots.chat(other.publicId);
    await submit(foreign, 'lead', { email: 'ada@one.example' });
    expect((await stored(foreign))[0]?.contact_id).not.toBe(one?.contact_id);
  });

  it('create one contact for concurrent submissions', async () => {
    const chats = await Promise.all(Array.from({ length: 8 }, () => bots.chat(bot.publicId)));
    const answers = await Promise.all(chats.map((chat) => submit(chat, 'lead', { email: 'same@example.com' })));
    expect(answers.map(({ status }) => status)).toEqual(chats.map(() => 201));
    const rows = await bots.rows('SELECT id FROM bots.contacts WHERE email = $1 AND workspace_id = $2', [
      'same@example.com',
      bot.workspaceId,
    ]);
    expect(rows).toHaveLength(1);
  });

  it('publish an event of the lead with its contact and answers', async () => {
    const chat = await bots.chat(bot.publicId);
    const { body } = await submit(chat, 'lead', { email: 'lead@example.com' });
    const { id } = body['submission'] as { id: string };
    const event = await until('the event of the lead is published', () =>
      tap.events.find(
        ({ type, data }) => type === 'lead.captured' && (data as { submissionId: string }).submissionId === id,
      ),
    );
    const [row] = await stored(chat);
    expect(event).toMatchObject({ organizationId: bot.organizationId, workspaceId: bot.workspaceId });
    expect(event.data).toEqual({
      submissionId: id,
      conversationId: chat.id,
      botId: bot.publicId,
      formId: 'lead',
      contactId: row?.contact_id,
      answers: [{ key: 'email', label: 'email', value: 'lead@example.com' }],
      occurredAt: expect.stringMatching(/Z$/),
    });
  });

  it('contain their notice in the language of the bot', async () => {
    const german = await bots.bot({
      locale: 'de-AT',
      forms: [{ id: 'lead', title: 'Rückruf', fields: [{ key: 'a', type: 'text' }] }],
    });
    const chat = await bots.chat(german.publicId);
    const { body } = await submit(chat, 'lead', {});
    expect((body['userMessage'] as Message).content).toBe('Formular gesendet: Rückruf');
  });

  it('store hostile answers unchanged as text', async () => {
    const chat = await bots.chat(bot.publicId);
    const note = `<img src=x onerror=alert(1)>'; DROP TABLE bots.messages; -- "\\u0000" {{7*7}} \u202e`;
    const { body } = await submit(chat, 'optional', { note });
    expect((body['userMessage'] as Message).metadata['answers']).toEqual([{ key: 'note', label: 'note', value: note }]);
    expect(await bots.transcript(chat)).toHaveLength(2);
  });
});
