import { until } from '@heliograph/testing';
import { RECIPIENT, type SmsFixture, type SmsTenant } from './sms-fixture';
import { SCHEDULED, V1Calls, type Fields } from './v1-calls';

describe('/api/v1/sms', () => {
  let v1: V1Calls;
  let sms: SmsFixture;
  let tenant: SmsTenant;
  beforeAll(async () => {
    v1 = await V1Calls.start();
    ({ sms, tenant } = v1);
  });

  describe('POST /bulk', () => {
    const bulk = (recipients: unknown, fields: Fields = {}, key = tenant.key, headers = {}) =>
      v1.post(
        '/bulk',
        { template_id: tenant.template.id, sender_id: tenant.sender.id, ...fields, recipients },
        key,
        headers,
      );

    it('returns results in the order of the request, with merged variables, repeated numbers, and rejections', async () => {
      const a = sms.recipient();
      const b = sms.recipient();
      const c = sms.recipient();
      const before = await v1.balanceOf(tenant.workspaceId);
      const answer = await bulk(
        [
          { to: a, reference: 'first' },
          { to: 'nonsense' },
          { to: b, variables: { code: 'own' } },
          { to: a },
          { to: 5 },
          'text',
          { to: c, variables: 'x' },
        ],
        { variables: { code: 'common' }, reference: 'of all' },
      );
      const ok = { status: 'queued', segments: 1, credits_cost: 1, id: expect.any(String) as string };
      const error = (code: string) => ({ error: { code, message: expect.any(String) as string } });
      expect(answer).toMatchObject({ status: 202 });
      expect(answer.body).toEqual({
        id: expect.any(String) as string,
        accepted: 2,
        rejected: 4,
        credits_cost: 2,
        credits_remaining: before - 2,
        messages: [
          { to: a, ...ok },
          { to: 'nonsense', ...error('INVALID_RECIPIENT') },
          { to: b, ...ok },
          { to: a, ...ok },
          { to: null, ...error('INVALID_RECIPIENT') },
          { to: null, ...error('INVALID_RECIPIENT') },
          { to: c, ...error('INVALID_VARIABLES') },
        ],
      });
      const [first, , , repeated] = answer.body['messages'] as Fields[];
      expect(repeated).toEqual(first);
      expect(await v1.balanceOf(tenant.workspaceId)).toBe(before - 2);
      expect((await v1.listed(`/messages?to=${encodeURIComponent(b)}`))[0]).toMatchObject({
        message: 'Your code is own',
      });
      expect(await v1.listed('/messages?reference=first')).toMatchObject([{ to: a, message: 'Your code is common' }]);
      expect(await v1.listed('/messages?reference=of%20all')).toMatchObject([{ to: b }]);
      await until('each is sent once', () => [a, b].every((to) => sms.carrier.messages(to).length === 1));
    });

    it('accepts many variables for each of 1,000 recipients', async () => {
      const variables = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`v${index}`, 'x']));
      const recipients = Array.from({ length: 1_000 }, () => ({
        to: sms.recipient(),
        variables: { ...variables, code: '1' },
      }));
      // The send is scheduled, so that nothing is submitted to the carrier.
      const rich = await sms.tenant({ credits: 1_000 });
      const content = { template_id: rich.template.id, sender_id: rich.sender.id, scheduled_at: SCHEDULED };
      const { status, body } = await bulk(recipients, content, rich.key);
      expect([status, body['accepted']]).toEqual([202, 1_000]);
    });

    it('accepts a separate text for each recipient', async () => {
      const answer = await bulk([{ to: sms.recipient(), message: 'Your code is 9' }, { to: sms.recipient() }], {
        template_id: null,
      });
      expect(answer).toMatchObject({
        status: 202,
        body: { messages: [{ status: 'queued' }, { error: { code: 'INVALID_REQUEST' } }] },
      });
    });

    it('charges all recipients or none, and stores no Idempotency-Key for a rejected call', async () => {
      const poor = await sms.tenant({ credits: 2 });
      const a = sms.recipient();
      const b = sms.recipient();
      const c = sms.recipient();
      const headers = { 'Idempotency-Key': 'bulk-1' };
      const content = { template_id: poor.template.id, sender_id: poor.sender.id, variables: { code: 1 } };
      const send = (to: string[]) =>
        v1.post('/bulk', { ...content, recipients: to.map((one) => ({ to: one })) }, poor.key, headers);
      expect(await send([a, b, c])).toMatchObject({ status: 402, body: { code: 'INSUFFICIENT_CREDITS' } });
      expect(await v1.balanceOf(poor.workspaceId)).toBe(2);
      expect(await v1.listed('/messages', poor.key)).toEqual([]);
      const accepted = await send([a, b]);
      expect(accepted).toMatchObject({ status: 202, body: { accepted: 2, credits_remaining: 0 } });
      const again = await send([a, b]);
      expect([again.status, again.body]).toEqual([202, accepted.body]);
      expect(again.headers.get('idempotent-replayed')).toBe('true');
      expect(await v1.balanceOf(poor.workspaceId)).toBe(0);
    });

    it('stores the results of recipients that are not valid text with the Idempotency-Key', async () => {
      const own = await sms.tenant({ credits: 2 });
      const content = { template_id: own.template.id, sender_id: own.sender.id, variables: { code: 1 } };
      const recipients = [{ to: sms.recipient() }, { to: 'a\0' }, { to: 'b\ud83d' }, { to: `${'c'.repeat(99)}😀` }];
      const send = () => bulk(recipients, content, own.key, { 'Idempotency-Key': 'bulk-2' });
      const accepted = await send();
      expect(accepted).toMatchObject({ status: 202, body: { accepted: 1, rejected: 3 } });
      const [, ...rejected] = accepted.body['messages'] as Fields[];
      expect(rejected.map(({ to }) => to)).toEqual(['a\ufffd', 'b\ufffd', `${'c'.repeat(99)}\ufffd`]);
      const again = await send();
      expect([again.status, again.body, again.headers.get('idempotent-replayed')]).toEqual([
        202,
        accepted.body,
        'true',
      ]);
    });

    it.each<[string, unknown, Fields, string]>([
      ['an empty list', [], {}, 'INVALID_REQUEST'],
      ['1,001 recipients', Array.from({ length: 1_001 }, () => ({ to: RECIPIENT })), {}, 'INVALID_REQUEST'],
      ['an object', { to: RECIPIENT }, {}, 'INVALID_REQUEST'],
      ['no valid recipient', [{ to: 'x' }, {}], {}, 'INVALID_REQUEST'],
      ['an unknown template', [{ to: RECIPIENT }], { template_id: 'none' }, 'INVALID_TEMPLATE'],
      [
        'a common text that matches no template',
        [{ to: RECIPIENT, message: 'Your code is 1' }, { to: RECIPIENT }],
        { template_id: null, message: 'Your pin is 1' },
        'TEMPLATE_NOT_MATCHED',
      ],
    ])('rejects %s completely', async (_what, recipients, fields, code) => {
      expect(await bulk(recipients, fields)).toMatchObject({ status: 400, body: { code } });
    });

    it('names the fields of the recipients if none is valid', async () => {
      const { body } = await bulk([{ to: 'x' }, 'text', { to: RECIPIENT, variables: 1 }]);
      expect((body['fields'] as Fields[]).map(({ field }) => field)).toEqual([
        'recipients[0].to',
        'recipients[1]',
        'recipients[2].variables',
      ]);
    });

    it('refuses a sender without a DLT id for every recipient with the same text', async () => {
      const own = await sms.tenant({ sender: { dltSenderId: null } });
      const message = 'Your code is 1';
      const recipients = [{ to: sms.recipient() }, { to: sms.recipient() }];
      const common = await v1.post('/bulk', { sender_id: own.sender.id, message, recipients }, own.key);
      expect(common).toMatchObject({ status: 400, body: { code: 'DLT_SENDER_REQUIRED' } });
      const separate = recipients.map(({ to }) => ({ to, message }));
      const { status, body } = await v1.post('/bulk', { sender_id: own.sender.id, recipients: separate }, own.key);
      expect([status, (body['fields'] as unknown[]).length]).toEqual([400, 2]);
      expect(await v1.listed('/messages', own.key)).toEqual([]);
    });

    it('refuses invalid recipients before a locked workspace', async () => {
      const own = await sms.tenant();
      const locked = await sms.tenants.workspace(own.organizationId, { status: 'locked' });
      const key = await sms.tenants.key(own.organizationId, { workspaceId: locked.id });
      const content = { template_id: own.template.id, sender_id: own.sender.id, variables: { code: 1 } };
      const send = (to: string) => v1.post('/bulk', { ...content, recipients: [{ to }] }, key);
      expect(await send('x')).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST' } });
      expect(await send(sms.recipient())).toMatchObject({ status: 409, body: { code: 'NO_WORKSPACE' } });
    });

    it('accepts 1,000 recipients', async () => {
      const own = await sms.tenant({ credits: 1_000 });
      const recipients = Array.from({ length: 1_000 }, (_, i) => ({ to: `+91987${String(1_000_000 + i)}` }));
      const content = { template_id: own.template.id, sender_id: own.sender.id, scheduled_at: SCHEDULED };
      const answer = await v1.post('/bulk', { ...content, variables: { code: 1 }, recipients }, own.key);
      expect(answer).toMatchObject({ status: 202, body: { accepted: 1_000, rejected: 0, credits_remaining: 0 } });
    });
  });
});
