import { newId } from '@heliograph/database';
import { until } from '@heliograph/testing';
import type { EmailFixture, EmailTenant } from './email-fixture';
import { SCHEDULED, V1Calls, type Fields } from './v1-calls';

const CONTENT = { subject: 'Hi', text: 'Hi' };

describe('POST /api/v1/email/send', () => {
  let v1: V1Calls;
  let email: EmailFixture;
  let tenant: EmailTenant;
  beforeAll(async () => {
    v1 = await V1Calls.start();
    ({ email, tenant } = v1);
  });
  afterEach(() => email.mailbox.behaviours.reset());

  const reached = (id: unknown, status: string) =>
    until(`the email is ${status}`, async () => {
      const { body } = await v1.get(`/messages/${String(id)}`);
      return body['status'] === status && body;
    });

  it('responds before the mail server, and the record follows the status of the email', async () => {
    email.mailbox.behave({ delayMs: 300 });
    const to = email.recipient();
    const before = await email.balance(tenant.workspaceId);
    const sent = await v1.post('/send', {
      to,
      ...CONTENT,
      tags: ['welcome', 'b'],
      reference: 'order 7',
      from_name: 'Ann',
    });
    expect(sent.status).toBe(202);
    expect(email.mailbox.mails(to)).toHaveLength(0);
    const none = { opened: 0, clicked: 0, bounced: 0, complained: 0, unsubscribed: 0, failed: 0, skipped: 0 };
    const record = {
      id: expect.any(String) as string,
      status: 'queued',
      from: tenant.from,
      from_name: 'Ann',
      to: [to],
      cc: [],
      bcc: [],
      subject: 'Hi',
      template_id: null,
      tags: ['welcome', 'b'],
      campaign_id: null,
      reference: 'order 7',
      credits_cost: 1,
      counts: { recipients: 1, sent: 0, delivered: 0, ...none },
      scheduled_at: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
    };
    const recipient = { to, kind: 'to', message_id: null, error: null };
    expect(sent.body).toEqual({
      ...record,
      credits_remaining: before - 1,
      recipients: [{ ...recipient, status: 'queued' }],
    });
    await reached(sent.body['id'], 'sent');
    await email.rows('SELECT email.record_events($1)', [
      JSON.stringify([
        { ord: 0, id: newId(), message_id: sent.body['id'], position: 0, type: 'delivered', occurred_at: new Date() },
      ]),
    ]);
    const after = await reached(sent.body['id'], 'delivered');
    expect(after).toEqual({
      ...record,
      status: 'delivered',
      counts: { recipients: 1, sent: 1, delivered: 1, ...none },
      recipients: [
        {
          ...recipient,
          message_id: expect.stringContaining('@') as string,
          status: 'delivered',
          events: [
            { type: 'delivered', url: null, reason: null, occurred_at: expect.stringMatching(/\.\d{3}Z$/) as string },
          ],
        },
      ],
    });
    const [mail] = await email.mailbox.messagesTo(to);
    expect(mail?.headers['message-id']).toBe((after['recipients'] as Fields[])[0]!['message_id']);
  });

  it('sends a template, reply addresses, headers and attachments', async () => {
    const template = await email.template(tenant.organizationId);
    const to = email.recipient();
    const sent = await v1.post('/send', {
      to: [to, to.toUpperCase()],
      template_id: template.slug,
      variables: { name: 'Ann' },
      reply_to: ['help@acme.example', 'sales@acme.example'],
      headers: { 'X-Order': '7', 'List-Id': 'orders <orders.acme.example>', 'In-Reply-To': '<a@b.example>' },
      attachments: [
        {
          filename: 'Rechnung ü.pdf',
          content_type: 'application/pdf',
          content: Buffer.from('%PDF-1.7').toString('base64'),
        },
        { filename: 'notes.bin', content: Buffer.from('notes').toString('base64') },
      ],
    });
    expect(sent).toMatchObject({ status: 202, body: { subject: 'Hi Ann', template_id: template.id, to: [to] } });
    await until('the mail arrives', () => email.mailbox.mails(to).length > 0);
    const [mail] = await email.mailbox.messagesTo(to);
    expect(mail).toMatchObject({
      subject: 'Hi Ann',
      attachments: [
        { filename: 'Rechnung ü.pdf', contentType: 'application/pdf', size: 8 },
        { filename: 'notes.bin', contentType: 'application/octet-stream', size: 5 },
      ],
    });
    expect(mail?.headers).toMatchObject({
      'x-order': '7',
      'list-id': 'orders <orders.acme.example>',
      'in-reply-to': '<a@b.example>',
      'reply-to': 'help@acme.example, sales@acme.example',
    });
    expect(mail?.headers['list-unsubscribe']).toContain('https://track.heliograph.example/');
  });

  it('schedules an email, and replays the response for the same Idempotency-Key', async () => {
    const body = { to: email.recipient(), ...CONTENT, scheduled_at: SCHEDULED };
    const headers = { 'Idempotency-Key': `v1-${email.recipient()}` };
    const first = await v1.post('/send', body, tenant.key, headers);
    expect(first).toMatchObject({
      status: 202,
      body: { status: 'scheduled', scheduled_at: '2099-01-01T08:00:00.000Z', recipients: [{ status: 'scheduled' }] },
    });
    const again = await v1.post('/send', body, tenant.key, headers);
    expect([again.status, again.body, again.headers.get('idempotent-replayed')]).toEqual([202, first.body, 'true']);
    // Simulates a process that crashed before it stored the response.
    await email.rows(`UPDATE idempotency.answers SET body = json_build_object('pending', $1::text) WHERE key = $2`, [
      first.body['id'],
      headers['Idempotency-Key'],
    ]);
    const derived = await v1.post('/send', body, tenant.key, headers);
    expect([derived.status, derived.body]).toEqual([202, first.body]);
  });

  it('skips a suppressed recipient without a charge', async () => {
    const address = email.recipient();
    await email.rows(
      `INSERT INTO email.suppressions (organization_id, address_key, address, reason) VALUES ($1, $2, $2, 'manual')`,
      [tenant.organizationId, address],
    );
    const to = `${address[0]!.toUpperCase()}${address.slice(1)}`;
    const before = await email.balance(tenant.workspaceId);
    const sent = await v1.post('/send', { to, ...CONTENT });
    expect(sent).toMatchObject({
      status: 202,
      body: {
        status: 'skipped',
        credits_cost: 0,
        credits_remaining: before,
        counts: { skipped: 1 },
        recipients: [{ to, status: 'skipped', message_id: null }],
      },
    });
  });

  it.each<[string, Fields, string, string]>([
    ['a missing recipient', { to: undefined }, 'NO_RECIPIENTS', 'to'],
    ['an empty array', { to: [] }, 'NO_RECIPIENTS', 'to'],
    ['an invalid address', { to: 'ann' }, 'INVALID_RECIPIENT', 'to'],
    ['1,001 recipients', { to: Array.from({ length: 1_001 }, (_, i) => `a${i}@b.example`) }, 'INVALID_RECIPIENT', 'to'],
    ['a missing subject', { subject: undefined }, 'SUBJECT_REQUIRED', 'subject'],
    ['a missing body', { text: undefined }, 'BODY_REQUIRED', 'html'],
    ['an unknown template', { template_id: 'none' }, 'INVALID_TEMPLATE', 'template_id'],
    ['a line break in the subject', { subject: 'a\nb' }, 'INVALID_REQUEST', 'subject'],
    ['a name as from', { from: 'Ann <a@b.example>' }, 'INVALID_REQUEST', 'from'],
    ['a number as reply_to', { reply_to: 1 }, 'INVALID_REQUEST', 'reply_to'],
    ['an empty array as reply_to', { reply_to: [] }, 'INVALID_REQUEST', 'reply_to'],
    ['a header that is not allowed', { headers: { Subject: 'x' } }, 'INVALID_REQUEST', 'headers'],
    ['a line break in a header', { headers: { 'X-A': 'a\r\nBcc: b@c.example' } }, 'INVALID_REQUEST', 'headers'],
    ['a duplicate header', { headers: { 'X-A': '1', 'x-a': '2' } }, 'INVALID_REQUEST', 'headers'],
    ['eleven tags', { tags: Array.from({ length: 11 }, String) }, 'INVALID_REQUEST', 'tags'],
    ['a tag that is too long', { tags: ['t'.repeat(51)] }, 'INVALID_REQUEST', 'tags'],
    ['text as attachments', { attachments: 'x' }, 'INVALID_REQUEST', 'attachments'],
    ['invalid base64', { attachments: [{ filename: 'a', content: 'ä' }] }, 'INVALID_REQUEST', 'attachments'],
    [
      'a path as the file name',
      { attachments: [{ filename: '../a', content: 'AA==' }] },
      'INVALID_REQUEST',
      'attachments',
    ],
    [
      'a composite type',
      { attachments: [{ filename: 'a', content_type: 'multipart/mixed', content: 'AA==' }] },
      'INVALID_REQUEST',
      'attachments',
    ],
    ['an array as variables', { variables: [] }, 'INVALID_REQUEST', 'variables'],
    ['a date without a time', { scheduled_at: '2099-01-01' }, 'INVALID_SEND_TIME', 'scheduled_at'],
    ['a time in the past', { scheduled_at: '2020-01-01T00:00:00Z' }, 'INVALID_SEND_TIME', 'scheduled_at'],
    ['an object as the recipient', { to: { constructor: 1 } }, 'INVALID_RECIPIENT', 'to'],
  ])('rejects %s and names the field', async (_what, fields, code, field) => {
    const answer = await v1.post('/send', { to: 'ann@example.com', ...CONTENT, ...fields });
    expect(answer).toMatchObject({ status: 400, body: { code, fields: [{ field }] } });
    expect(Object.keys(answer.body)).toEqual(['code', 'message', 'fields']);
  });

  it('refuses invalid content before a time in the past, and both before an unknown sender', async () => {
    const unknown = { to: email.recipient(), ...CONTENT, from: 'nobody@nowhere.example' };
    const late = { scheduled_at: '2020-01-01T00:00:00Z' };
    const refused: [Fields, number, string][] = [
      [{ ...unknown, ...late, subject: '' }, 400, 'SUBJECT_REQUIRED'],
      [{ ...unknown, ...late, text: null }, 400, 'BODY_REQUIRED'],
      [{ ...unknown, ...late }, 400, 'INVALID_SEND_TIME'],
      [unknown, 409, 'SENDER_NOT_VERIFIED'],
    ];
    for (const [body, status, code] of refused) {
      expect(await v1.post('/send', body)).toMatchObject({ status, body: { code } });
    }
  });

  it('rejects a viewer, a key without the scope, a foreign workspace, a foreign sender and insufficient credits', async () => {
    const poor = await email.tenant({ credits: 0 });
    const body = { to: email.recipient(), ...CONTENT };
    const viewer = await email.tenants.key(tenant.organizationId, { role: 'viewer' });
    const reader = await email.tenants.key(tenant.organizationId, { scopes: ['email:read'] });
    expect(await v1.post('/send', body, viewer)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    expect(await v1.post('/send', body, reader)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    expect(await v1.post('/send', { ...body, workspace_id: poor.workspaceId })).toMatchObject({ status: 404 });
    expect(await v1.post('/send', { ...body, from: poor.from })).toMatchObject({
      status: 409,
      body: { code: 'SENDER_NOT_VERIFIED' },
    });
    expect(await v1.post('/send', body, poor.key)).toMatchObject({
      status: 402,
      body: { code: 'INSUFFICIENT_CREDITS' },
    });
  });
});
