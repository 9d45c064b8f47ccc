import type { SmsFixture, SmsTenant } from './sms-fixture';
import { SCHEDULED, V1Calls, type Fields } from './v1-calls';

describe('POST /api/v1/sms/quote', () => {
  let v1: V1Calls;
  let sms: SmsFixture;
  let tenant: SmsTenant;
  let poor: SmsTenant;
  beforeAll(async () => {
    v1 = await V1Calls.start();
    ({ sms, tenant } = v1);
    poor = await sms.tenant({ credits: 0 });
  });

  /** Sends, with the check that refuses them; null for those that are accepted. */
  const SENDS: [string, (own: SmsTenant) => Fields, string | null][] = [
    ['a template', ({ sender, template }) => ({ sender_id: sender.id, template_id: template.id }), null],
    ['a scheduled message', ({ template }) => ({ template_id: template.id, scheduled_at: SCHEDULED }), null],
    ['a text that matches', () => ({ message: 'Your code is 42', variables: undefined }), null],
    ['a text that does not match', () => ({ message: 'Buy now', variables: undefined }), 'template'],
    ['an unknown template', () => ({ template_id: 'nothing' }), 'template'],
    ['an unknown sender', ({ template }) => ({ sender_id: 'NOBODY', template_id: template.id }), 'sender'],
    [
      'a number abroad',
      ({ sender, template }) => ({ sender_id: sender.id, template_id: template.id, to: '+14155550100' }),
      'recipient',
    ],
    ['a missing variable', ({ template }) => ({ template_id: template.id, variables: {} }), 'content'],
    [
      'a time in the past',
      ({ template }) => ({ template_id: template.id, scheduled_at: '2020-01-01T00:00:00Z' }),
      'schedule',
    ],
  ];

  it.each(SENDS)('agrees with the send of %s', async (_what, fields, refusedBy) => {
    const body = { to: sms.recipient(), variables: { code: '42' }, ...fields(tenant) };
    const before = await v1.balanceOf(tenant.workspaceId);
    const quote = await v1.post('/quote', body);
    expect(await v1.balanceOf(tenant.workspaceId)).toBe(before);
    expect(await v1.listed(`/messages?to=${encodeURIComponent(body.to)}`)).toEqual([]);
    const send = await v1.post('/send', body);
    const checks = quote.body['checks'] as { name: string; result: string; message: string | null }[];
    const failed = checks.find(({ result }) => result === 'failed');
    expect([quote.status, quote.body['verdict'], failed?.name ?? null]).toEqual([
      200,
      refusedBy === null ? 'ok' : 'refused',
      refusedBy,
    ]);
    expect(send.status === 202).toBe(refusedBy === null);
    if (refusedBy === null) {
      const { segments, encoding, credits_cost, scheduled_at } = send.body;
      expect(quote.body).toMatchObject({ segments, encoding, credits_cost, credits_available: before });
      expect(quote.body['earliest_send_at']).toEqual(scheduled_at ?? expect.any(String));
      expect(checks.every(({ result }) => result === 'passed')).toBe(true);
    } else {
      expect(failed?.message).toBe(`${String(send.body['code'])}: ${String(send.body['message'])}`);
      expect(checks.at(-1)?.result).toBe('not_run');
    }
  });

  it('is refused without credits, like the send', async () => {
    const body = { to: sms.recipient(), template_id: poor.template.id, variables: { code: '1' } };
    const quote = await v1.post('/quote', body, poor.key);
    const send = await v1.post('/send', body, poor.key);
    expect(quote.body).toMatchObject({ verdict: 'refused', credits_cost: 1, credits_available: 0 });
    expect((quote.body['checks'] as object[]).at(-1)).toEqual({
      ...{ name: 'credits', result: 'failed', message: `INSUFFICIENT_CREDITS: ${String(send.body['message'])}` },
    });
  });

  it('reports mistakes in the request as the send does, and needs the scope to read only', async () => {
    for (const body of [{ to: sms.recipient() }, { to: 5 }, { to: sms.recipient(), flash: 'x', message: 'x' }]) {
      const [quote, send] = [await v1.post('/quote', body), await v1.post('/send', body)];
      expect([quote.status, quote.body]).toEqual([400, send.body]);
    }
    const reader = await sms.tenants.key(tenant.organizationId, { scopes: ['sms:read'], role: 'viewer' });
    const body = { to: sms.recipient(), template_id: tenant.template.id, variables: { code: '1' } };
    expect((await v1.post('/quote', body, reader)).body).toMatchObject({ verdict: 'ok' });
  });
});
