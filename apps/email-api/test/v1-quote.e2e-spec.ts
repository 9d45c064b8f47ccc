import type { EmailFixture, EmailTenant } from './email-fixture';
import { SCHEDULED, V1Calls, type Fields } from './v1-calls';

describe('POST /api/v1/email/quote', () => {
  let v1: V1Calls;
  let email: EmailFixture;
  let tenant: EmailTenant;
  beforeAll(async () => {
    v1 = await V1Calls.start();
    ({ email, tenant } = v1);
  });

  /** Sends, with the check that refuses them; null for those that are accepted. */
  const SENDS: [string, Fields, string | null][] = [
    ['a text', { subject: 'Hi', text: 'Hi' }, null],
    ['a scheduled email', { subject: 'Hi', text: 'Hi', scheduled_at: SCHEDULED }, null],
    ['an unknown template', { template_id: 'nothing' }, 'template'],
    ['no subject', { text: 'Hi' }, 'content'],
    ['no body', { subject: 'Hi' }, 'content'],
    ['an unknown sender', { subject: 'Hi', text: 'Hi', from: 'nobody@nowhere.example' }, 'sender'],
    ['a time in the past', { subject: 'Hi', text: 'Hi', scheduled_at: '2020-01-01T00:00:00Z' }, 'schedule'],
  ];

  it.each(SENDS)('agrees with the send of %s', async (_what, fields, refusedBy) => {
    const to = [email.recipient(), email.recipient()];
    const suppressed = email.recipient();
    await email.rows(
      `INSERT INTO email.suppressions (organization_id, address_key, address, reason) VALUES ($1, $2, $2, 'manual')`,
      [tenant.organizationId, suppressed],
    );
    const body = { to: [...to, suppressed], ...fields };
    const before = await email.balance(tenant.workspaceId);
    const quote = await v1.post('/quote', body);
    expect(await email.balance(tenant.workspaceId)).toBe(before);
    expect(await v1.listed(`/messages?to=${encodeURIComponent(to[0]!)}`)).toEqual([]);
    const send = await v1.post('/send', body);
    const checks = quote.body['checks'] as { name: string; result: string; message: string | null }[];
    const failed = checks.find(({ result }) => result === 'failed');
    expect([quote.status, quote.body['verdict'], failed?.name ?? null]).toEqual([
      200,
      refusedBy === null ? 'ok' : 'refused',
      refusedBy,
    ]);
    expect(send.status === 202).toBe(refusedBy === null);
    if (refusedBy === null) expect(quote.body).toMatchObject({ credits_cost: 2, credits_available: before });
    else expect(failed?.message).toBe(`${String(send.body['code'])}: ${String(send.body['message'])}`);
  });

  it('is refused without credits, like the send', async () => {
    const poor = await email.tenant({ credits: 1 });
    const body = { to: [email.recipient(), email.recipient()], subject: 'Hi', text: 'Hi' };
    const quote = await v1.post('/quote', body, poor.key);
    const send = await v1.post('/send', body, poor.key);
    expect([send.status, quote.body['verdict'], quote.body['credits_available']]).toEqual([402, 'refused', 1]);
    expect((quote.body['checks'] as object[]).at(-1)).toMatchObject({ name: 'credits', result: 'failed' });
  });
});
