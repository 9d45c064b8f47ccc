import type { SubmissionPage } from '../src/bots-and-inbox/inbox/submissions.dto';
import { botOwnerTests, storeLead } from './bot-inbox-fixture';

describe('the leads of a bot', () => {
  const { at, place, botOf, home, call } = botOwnerTests();

  it('lists contacts and finds them by email address in any case', async () => {
    const { contactId } = await storeLead(at.fixture, home(), at.bot, { email: 'ann@example.com' });
    await storeLead(at.fixture, home(), at.bot, { email: 'bob@example.com' });
    const { data } = await call<{ contacts: object[] }>('GET', 'contacts?email=ANN@Example.com');
    expect(data.contacts).toMatchObject([{ id: contactId, name: 'Lead', email: 'ann@example.com', phone: null }]);
    expect((await call('GET', `contacts/${contactId}`)).data).toEqual({ contact: data.contacts[0] });
    expect((await call<{ contacts: object[] }>('GET', 'contacts')).data.contacts).toHaveLength(2);
  });

  it('lists submissions newest first and filters them by bot, form, contact, conversation and time', async () => {
    const other = await botOf('other');
    const first = await storeLead(at.fixture, home(), at.bot, { email: 'a@example.com' });
    const second = await storeLead(at.fixture, home(), other, { email: 'b@example.com', formId: 'demo' });
    await at.fixture.database.query(`UPDATE bots.submissions SET created_at = '2020-01-01' WHERE id = $1`, [
      first.submissionId,
    ]);
    const found = async (query: string) =>
      (await call<SubmissionPage>('GET', `submissions${query}`)).data.submissions.map(({ id }) => id);
    expect(await found('')).toEqual([second.submissionId, first.submissionId]);
    expect(await found(`?botId=${at.bot}`)).toEqual([first.submissionId]);
    expect(await found('?formId=demo')).toEqual([second.submissionId]);
    expect(await found(`?contactId=${first.contactId}`)).toEqual([first.submissionId]);
    expect(await found(`?conversationId=${second.conversationId}`)).toEqual([second.submissionId]);
    expect(await found('?to=2021-01-01T00:00:00Z')).toEqual([first.submissionId]);
    expect(await found('?from=2021-01-01T00:00:00Z')).toEqual([second.submissionId]);
    const { data } = await call<{ submission: object }>('GET', `submissions/${first.submissionId}`);
    expect(data.submission).toEqual({
      id: first.submissionId,
      botId: at.bot,
      formId: 'lead',
      formTitle: 'Leave your details',
      status: 'received',
      conversationId: first.conversationId,
      contactId: first.contactId,
      createdAt: '2020-01-01T00:00:00.000Z',
      answers: [{ key: 'email', label: 'Email', value: 'a@example.com' }],
    });
  });

  it('exports submissions as CSV with a column per field and without spreadsheet formulas', async () => {
    await storeLead(at.fixture, home(), at.bot, {
      email: 'a@example.com',
      answers: [
        { key: 'name', label: 'Name', value: '=HYPERLINK("https://evil.example")' },
        { key: 'size', label: 'Size', value: -5 },
      ],
    });
    const newest = await storeLead(at.fixture, home(), at.bot, {
      email: 'b@example.com',
      answers: [{ key: 'note', label: 'Note', value: 'two\r\nlines, "quoted"' }],
    });
    const response = await fetch(`${at.fixture.service.url}${place()}/submissions.csv`, {
      headers: { cookie: at.cookie },
    });
    expect(response.headers.get('content-disposition')).toBe(
      `attachment; filename="submissions-${at.tenant.workspace.slug}.csv"`,
    );
    const text = await response.text();
    expect(text.split('\r\n')[0]).toBe(
      'id,createdAt,botId,formId,formTitle,conversationId,contactId,status,answers.name,answers.size,answers.note',
    );
    expect(text).toContain(`,received,"'=HYPERLINK(""https://evil.example"")",-5,\r\n`);
    expect(text).toContain(`${newest.contactId},received,,,"two\r\nlines, ""quoted"""\r\n`);
    const none = await fetch(`${at.fixture.service.url}${place()}/submissions.csv?formId=none`, {
      headers: { cookie: at.cookie },
    });
    expect(await none.text()).toBe('id,createdAt,botId,formId,formTitle,conversationId,contactId,status\r\n');
  });

  it('exports each of 1,000 submissions once', async () => {
    await storeLead(at.fixture, home(), at.bot, { email: 'a@example.com' });
    await at.fixture.database.query(
      `INSERT INTO bots.submissions (id, organization_id, workspace_id, bot_id, conversation_id, form_id, form_title, answers)
       SELECT gen_random_uuid(), organization_id, workspace_id, bot_id, conversation_id, form_id, form_title, answers
       FROM bots.submissions, generate_series(1, 1200) WHERE workspace_id = $1`,
      [at.tenant.workspace.id],
    );
    const response = await fetch(`${at.fixture.service.url}${place()}/submissions.csv`, {
      headers: { cookie: at.cookie },
    });
    const lines = (await response.text()).trimEnd().split('\r\n').slice(1);
    expect([lines.length, new Set(lines).size]).toEqual([1_201, 1_201]);
  });
});
