import { newId } from '@heliograph/database';
import { until } from '@heliograph/testing';
import { call } from './calls';
import type { EmailFixture, EmailTenant } from './email-fixture';
import { SCHEDULED, V1Calls, type Fields } from './v1-calls';

const CONTENT = { subject: 'Hi', html: '<p>Hi</p><a href="https://acme.example/offer">Offer</a>' };

interface Recipient {
  to: string;
  kind: string;
  status: string;
  message_id: string | null;
  error: string | null;
  events: { type: string }[];
}

describe('POST /api/v1/email/send with cc and bcc', () => {
  let v1: V1Calls;
  let email: EmailFixture;
  let tenant: EmailTenant;
  let ann: string | undefined;
  let ben: string | undefined;
  let cem: string | undefined;
  let dora: string | undefined;
  beforeAll(async () => {
    v1 = await V1Calls.start();
    ({ email, tenant } = v1);
  });
  beforeEach(() => {
    [ann, ben, cem, dora] = ['ann', 'ben', 'cem', 'dora'].map((name) => email.recipient(name));
  });
  afterEach(() => email.mailbox.behaviours.reset());

  const addresses = (): [string, string, string, string] => [ann!, ben!, cem!, dora!];
  const balance = () => email.balance(tenant.workspaceId);
  const details = async (id: unknown) =>
    (await v1.get(`/messages/${String(id)}`)).body as Fields & { recipients: Recipient[] };
  const arrived = async (to: string) => {
    await until('the mail arrives', () => email.mailbox.mails(to).length > 0);
    return (await email.mailbox.messagesTo(to))[0]!;
  };

  it('sends one mail to all: each copy shows the same To and Cc, none shows Bcc', async () => {
    const [a, b, c, d] = addresses();
    const before = await balance();
    const sent = await v1.post('/send', { to: [a, b], cc: c, bcc: [d], ...CONTENT });
    expect(sent).toMatchObject({
      status: 202,
      body: { to: [a, b], cc: [c], bcc: [d], credits_cost: 4, credits_remaining: before - 4 },
    });
    expect((sent.body['recipients'] as Recipient[]).map(({ to, kind }) => [to, kind])).toEqual([
      [a, 'to'],
      [b, 'to'],
      [c, 'cc'],
      [d, 'bcc'],
    ]);
    const copies = await Promise.all(addresses().map(arrived));
    for (const { headers, raw } of copies) {
      expect([headers['to'], headers['cc']]).toEqual([`${a}, ${b}`, c]);
      expect(headers).not.toHaveProperty('bcc');
      expect(raw).not.toContain(d);
    }
    // Each recipient has a mail transaction, a return path, a Message-ID and links of its own.
    for (const name of ['message-id', 'list-unsubscribe'] as const) {
      expect(new Set(copies.map(({ headers }) => headers[name])).size).toBe(4);
    }
    expect(copies.map(({ envelope }) => envelope.to)).toEqual(addresses().map((to) => [to]));
    expect(new Set(copies.map(({ envelope }) => envelope.from)).size).toBe(4);
    expect(new Set(copies.map(({ html }) => /href="([^"]+)"/.exec(html ?? '')?.[1])).size).toBe(4);
    const stored = await until('all mails are sent', async () => {
      const current = await details(sent.body['id']);
      return current['status'] === 'sent' && current;
    });
    expect(stored).toMatchObject({ to: [a, b], cc: [c], bcc: [d], counts: { recipients: 4, sent: 4 } });
    expect(stored.recipients.map(({ message_id: id }) => id)).toEqual(
      copies.map(({ headers }) => headers['message-id']),
    );
  });

  it('signs To and Cc, and keeps both equal in a later attempt', async () => {
    const [a, b] = addresses();
    email.mailbox.behave({ reply: { code: 451, text: '4.7.1 greylisted' } }, b);
    const { body } = await v1.post('/send', { to: a, cc: [b], ...CONTENT });
    const first = await arrived(a);
    expect(String(first.headers['dkim-signature'])).toMatch(/h=[^;]*:Cc:/i);
    await until('the copy is deferred', async () => (await details(body['id'])).recipients[1]?.status === 'deferred');
    email.mailbox.behaviours.reset();
    await email.rows('UPDATE email.recipients SET next_try_at = now() WHERE message_id = $1 AND next_try_at > now()', [
      body['id'],
    ]);
    await email.rows('UPDATE messaging.outbox SET available_at = now() WHERE id = $1', [body['id']]);
    const second = await arrived(b);
    expect([second.headers['to'], second.headers['cc']]).toEqual([first.headers['to'], first.headers['cc']]);
  });

  it('counts an address in several fields once, for the first of them', async () => {
    const [a, b] = addresses();
    const before = await balance();
    const { body } = await v1.post('/send', { to: [a, a.toUpperCase()], cc: [a, b], bcc: [b, a], ...CONTENT });
    expect(body).toMatchObject({ to: [a], cc: [b], bcc: [], credits_cost: 2, credits_remaining: before - 2 });
    const { body: alone } = await v1.post('/send', { to: [a, b], cc: a, ...CONTENT });
    expect(alone).toMatchObject({ to: [a, b], cc: [], credits_cost: 2 });
    await until('both copies arrive', () => email.mailbox.mails(b).length === 2);
    const shown = (await email.mailbox.messagesTo(b)).map(({ headers }) => headers['to']);
    expect(shown.sort()).toEqual([a, `${a}, ${b}`]);
  });

  it('sends separate mails without cc and bcc, also if they are null or empty lists', async () => {
    const [a, b] = addresses();
    await v1.post('/send', { to: [a, b], cc: [], bcc: null, ...CONTENT });
    expect((await arrived(a)).headers['to']).toBe(a);
    expect((await arrived(b)).headers).toMatchObject({ to: b });
  });

  it('shows no recipient list if all recipients but the first are in bcc', async () => {
    const [a, b, c] = addresses();
    await v1.post('/send', { to: a, bcc: [b, c], ...CONTENT });
    for (const to of [a, b, c]) {
      const { headers } = await arrived(to);
      expect(headers['to']).toBe(a);
      expect(headers).not.toHaveProperty('cc');
    }
  });

  it.each<[string, (to: string) => Fields, string]>([
    ['an invalid cc', () => ({ cc: ['ben@example.com', 'no address'] }), 'cc[1] must be a single email address'],
    ['an invalid bcc', () => ({ bcc: 'Ben <ben@example.com>' }), 'bcc must be a single email address'],
    ['a cc of the wrong type', () => ({ cc: 7 }), 'cc must be a single email address'],
    ['an empty cc', () => ({ cc: '' }), 'cc must be a single email address'],
    [
      '51 recipients',
      () => ({ cc: Array.from({ length: 50 }, (_, n) => `p${n}@example.com`) }),
      'at most 50 recipients',
    ],
  ])('rejects %s with INVALID_RECIPIENT, as its quote does', async (_what, copies, message) => {
    const request = { to: ann, ...copies(ann!), ...CONTENT };
    for (const path of ['/send', '/quote']) {
      const { status, body } = await v1.post(path, request);
      expect([status, body['code']]).toEqual([400, 'INVALID_RECIPIENT']);
      expect(body['message']).toContain(message);
      expect((body['fields'] as { field: string }[])[0]?.field).toMatch(/^b?cc$/);
    }
  });

  it.each(['cc', 'bcc'])('is not possible in bulk sends and campaigns, which reject %s', async (field) => {
    const answers = [
      await v1.post('/bulk', { recipients: [{ to: ann }], [field]: ben, ...CONTENT }),
      await v1.post('/campaigns', { name: 'x', audience: { filter: {} }, [field]: [ben], ...CONTENT }),
    ];
    for (const { status, body } of answers) {
      expect([status, body['code']]).toEqual([400, 'INVALID_REQUEST']);
      expect(body['message']).toContain(field);
    }
  });

  it('accepts 50 recipients in total, counted without duplicates', async () => {
    const to = Array.from({ length: 30 }, () => email.recipient('many'));
    const cc = [...to, ...Array.from({ length: 20 }, () => email.recipient('many'))];
    const quoted = await v1.post('/quote', { to, cc, ...CONTENT });
    expect(quoted.body).toMatchObject({ verdict: 'ok', credits_cost: 50 });
  });

  it('skips and does not charge a suppressed recipient, whom the other copies still show', async () => {
    const [a, b, c] = addresses();
    await email.rows(
      `INSERT INTO email.suppressions (organization_id, address_key, address, reason) VALUES ($1, $2, $2, 'manual')`,
      [tenant.organizationId, b],
    );
    expect((await v1.post('/quote', { to: a, cc: b, bcc: c, ...CONTENT })).body).toMatchObject({ credits_cost: 2 });
    const { body } = await v1.post('/send', { to: a, cc: b, bcc: c, ...CONTENT });
    expect(body).toMatchObject({ credits_cost: 2, counts: { recipients: 3, skipped: 1 } });
    expect((body['recipients'] as Recipient[])[1]).toMatchObject({ to: b, kind: 'cc', status: 'skipped' });
    expect((await arrived(c)).headers).toMatchObject({ to: a, cc: b });
    expect(email.mailbox.mails(b)).toEqual([]);
  });

  it('records a bounce and a refusal for the recipient that they concern', async () => {
    const [a, b, c] = addresses();
    email.mailbox.behave({ reply: { code: 550, text: '5.7.1 not welcome' } }, b);
    const before = await balance();
    const { body } = await v1.post('/send', { to: a, cc: b, bcc: c, ...CONTENT });
    await arrived(c);
    await until('the copy is sent', async () => (await details(body['id'])).recipients[2]?.status === 'sent');
    await email.mailbox.notify({ to: c, action: 'failed', status: '5.1.1' });
    const { recipients } = await until('the copy bounced', async () => {
      const current = await details(body['id']);
      return current.recipients[2]?.status === 'bounced' && current;
    });
    expect(recipients.map(({ kind, status }) => [kind, status])).toEqual([
      ['to', 'sent'],
      ['cc', 'failed'],
      ['bcc', 'bounced'],
    ]);
    expect(recipients.map(({ events }) => events.map(({ type }) => type))).toEqual([[], [], ['bounced']]);
    expect(await balance()).toBe(before - 2);
  });

  it('renders a template, is scheduled, and returns the first response for a repeated Idempotency-Key', async () => {
    const [a, b, c] = addresses();
    const { slug } = await email.template(tenant.organizationId);
    const request = { to: a, cc: [b], bcc: c, template_id: slug, variables: { name: 'Ann' }, scheduled_at: SCHEDULED };
    const options = { headers: { 'Idempotency-Key': newId() } };
    const path = `/api/v1/email/send`;
    const post = (body: object) =>
      call(email, path, {
        method: 'POST',
        key: tenant.key,
        headers: options.headers,
        json: body,
      });
    const first = await post(request);
    expect(first).toMatchObject({ status: 202, body: { status: 'scheduled', subject: 'Hi Ann', credits_cost: 3 } });
    expect((await post(request)).body).toEqual(first.body);
    expect((await post({ ...request, cc: [] })).body['code']).toBe('IDEMPOTENCY_KEY_REUSED');
    const id = String(first.body['id']);
    expect((await details(id)).recipients.map(({ message_id: messageId }) => messageId)).toEqual([null, null, null]);
    await email.rows('UPDATE messaging.outbox SET available_at = now() WHERE id = $1', [id]);
    expect((await arrived(c)).headers).toMatchObject({ to: a, cc: b });
  });

  it('does not show a person who was erased', async () => {
    const [a, b, c] = addresses();
    const { body } = await v1.post('/send', { to: a, cc: [b], bcc: c, ...CONTENT, scheduled_at: SCHEDULED });
    await email.rows(`UPDATE email.recipients SET address = 'erased:x' WHERE message_id = $1 AND position <= 1`, [
      body['id'],
    ]);
    await email.rows('UPDATE messaging.outbox SET available_at = now() WHERE id = $1', [body['id']]);
    const { headers, raw } = await arrived(c);
    expect(headers['to']).toBe('"undisclosed-recipients":;');
    expect(headers).not.toHaveProperty('cc');
    expect(raw).not.toContain('erased');
  });

  it('lists emails by an address in cc or bcc', async () => {
    const [a, b, c] = addresses();
    const { body } = await v1.post('/send', { to: a, cc: b, bcc: c, ...CONTENT });
    for (const to of [b, c]) {
      const { body: listed } = await v1.get(`/messages?to=${encodeURIComponent(to)}`);
      expect((listed['data'] as Fields[]).map(({ id }) => id)).toEqual([body['id']]);
    }
  });
});
