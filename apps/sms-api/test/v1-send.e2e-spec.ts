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

  describe('POST /send', () => {
    it('sends a template with the only sender of the country, and the record follows the status of the message', async () => {
      const to = sms.recipient();
      const sent = await v1.post('/send', {
        to,
        template_id: tenant.template.name,
        variables: { code: 4711 },
        reference: 'order 7',
      });
      expect(sent).toMatchObject({ status: 202 });
      const { credits_remaining: remaining, ...record } = sent.body;
      expect(remaining).toBe(999);
      expect(record).toEqual({
        id: expect.any(String) as string,
        status: 'queued',
        to,
        sender_id: tenant.sender.id,
        sender: tenant.sender.header,
        template_id: tenant.template.id,
        message: 'Your code is 4711',
        encoding: 'gsm-7',
        segments: 1,
        credits_cost: 1,
        flash: false,
        campaign_id: null,
        reference: 'order 7',
        error: null,
        scheduled_at: null,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
        sent_at: null,
        delivered_at: null,
      });
      const status = async () => (await v1.get(`/delivery/${String(record['id'])}`)).body;
      await until('the message is delivered', async () => (await status())['status'] === 'delivered');
      const delivered = await status();
      const instant = expect.stringMatching(/\.\d{3}Z$/) as string;
      expect(delivered).toEqual({ ...record, status: 'delivered', sent_at: instant, delivered_at: instant });
      // Receipts have no seconds.
      expect(String(delivered['delivered_at']) >= String(delivered['sent_at'])).toBe(true);
      expect(await v1.listed('/messages?reference=order%207')).toEqual([delivered]);
    });

    it('finds the registered template that matches a complete text', async () => {
      const sent = await v1.post('/send', {
        to: sms.recipient(),
        sender_id: tenant.sender.id,
        message: 'Your code is 12',
      });
      expect(sent).toMatchObject({
        status: 202,
        body: { template_id: tenant.template.id, message: 'Your code is 12' },
      });
    });

    it('names the closest template and the first difference if a text matches none', async () => {
      const answer = await v1.post('/send', { to: sms.recipient(), message: 'Your pin is 12' });
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 'TEMPLATE_NOT_MATCHED', fields: [{ field: 'message' }] },
      });
      expect(answer.body['message']).toContain(tenant.template.name);
      expect(answer.body['message']).toContain('at character 6 it has "code is ", but message has "pin is 12"');
    });

    it('prefers the template with the longest fixed text, and rejects an ambiguous text', async () => {
      const own = await sms.tenant({ template: { body: 'Hi {{a}}' } });
      const add = (body: string) => sms.template(own.organizationId, own.onboarding.id, { body });
      const longer = await add('Hi {{a}}, bye');
      const text = { to: sms.recipient(), message: 'Hi Ann, bye' };
      await until(
        'the template is found',
        async () => (await v1.post('/send', text, own.key)).body['template_id'] === longer.id,
      );
      await add('Hi {{other}}, bye');
      await until(
        'the request is rejected',
        async () => (await v1.post('/send', text, own.key)).body['code'] === 'TEMPLATE_AMBIGUOUS',
      );
    });

    it('sends free text in a country without DLT', async () => {
      const own = await sms.tenant({ onboarding: { country: 'DE', dltEntityId: null }, sender: { dltSenderId: null } });
      const answer = await v1.post('/send', { to: '+4915112345678', message: 'Grüße an alle' }, own.key);
      expect(answer).toMatchObject({ status: 202, body: { template_id: null, message: 'Grüße an alle' } });
      await until('the message is sent', () => sms.carrier.messages('+4915112345678').length > 0);
    });

    it('schedules a message, and replays the response for the same Idempotency-Key', async () => {
      const body = { to: sms.recipient(), message: 'Your code is 1', scheduled_at: SCHEDULED };
      const headers = { 'Idempotency-Key': `v1-${sms.recipient()}` };
      const first = await v1.post('/send', body, tenant.key, headers);
      expect(first).toMatchObject({
        status: 202,
        body: { status: 'scheduled', scheduled_at: '2099-01-01T08:00:00.000Z' },
      });
      const again = await v1.post('/send', body, tenant.key, headers);
      expect(again).toMatchObject({ status: 202, body: first.body });
      expect(again.headers.get('idempotent-replayed')).toBe('true');
      expect(await v1.post('/send', { ...body, flash: true }, tenant.key, headers)).toMatchObject({ status: 409 });
    });

    it.each<[string, Fields, string, string]>([
      ['a missing recipient', { message: 'x' }, 'INVALID_RECIPIENT', 'to'],
      ['a number as the recipient', { to: 919876543210, message: 'x' }, 'INVALID_RECIPIENT', 'to'],
      ['a national number', { to: '09876543210', message: 'Your code is 1' }, 'INVALID_RECIPIENT', 'to'],
      ['missing content', { to: RECIPIENT }, 'INVALID_REQUEST', 'message'],
      ['both a text and a template', { to: RECIPIENT, message: 'x', template_id: 'x' }, 'INVALID_REQUEST', 'message'],
      ['an empty text', { to: RECIPIENT, message: ' ' }, 'INVALID_REQUEST', 'message'],
      ['an unknown sender', { to: RECIPIENT, sender_id: 'NOBODY', message: 'x' }, 'INVALID_SENDER', 'sender_id'],
      ['an unknown template', { to: RECIPIENT, template_id: 'none' }, 'INVALID_TEMPLATE', 'template_id'],
      ['an array as variables', { to: RECIPIENT, template_id: 'x', variables: [] }, 'INVALID_VARIABLES', 'variables'],
      ['text as flash', { to: RECIPIENT, message: 'x', flash: 'yes' }, 'INVALID_REQUEST', 'flash'],
      [
        'a date without a time',
        { to: RECIPIENT, message: 'x', scheduled_at: '2099-01-01' },
        'INVALID_SCHEDULED_AT',
        'scheduled_at',
      ],
      [
        'a time in the past',
        { to: RECIPIENT, message: 'Your code is 1', scheduled_at: '2020-01-01T00:00:00Z' },
        'SCHEDULED_AT_IN_PAST',
        'scheduled_at',
      ],
      [
        'a reference that is too long',
        { to: RECIPIENT, message: 'x', reference: 'r'.repeat(256) },
        'INVALID_REQUEST',
        'reference',
      ],
      ['an object as the recipient', { to: { constructor: 1 }, message: 'x' }, 'INVALID_RECIPIENT', 'to'],
    ])('rejects %s and names the field', async (_what, body, code, field) => {
      const answer = await v1.post('/send', body);
      expect(answer).toMatchObject({ status: 400, body: { code, fields: [{ field }] } });
      expect(Object.keys(answer.body)).toEqual(['code', 'message', 'fields']);
    });

    it('refuses invalid content before a time in the past, and both before a locked workspace', async () => {
      const locked = await sms.tenants.workspace(tenant.organizationId, { status: 'locked' });
      const key = await sms.tenants.key(tenant.organizationId, { workspaceId: locked.id });
      const valid = { to: sms.recipient(), message: 'Your code is 1' };
      const late = { scheduled_at: '2020-01-01T00:00:00Z' };
      const refused: [Fields, number, string][] = [
        [{ ...valid, ...late, to: '123' }, 400, 'INVALID_RECIPIENT'],
        [{ ...valid, ...late, message: 'Your pin is 1' }, 400, 'TEMPLATE_NOT_MATCHED'],
        [{ ...valid, ...late }, 400, 'SCHEDULED_AT_IN_PAST'],
        [valid, 409, 'NO_WORKSPACE'],
      ];
      for (const [body, status, code] of refused) {
        expect(await v1.post('/send', body, key)).toMatchObject({ status, body: { code } });
      }
    });

    it('lists every invalid field', async () => {
      const { body } = await v1.post('/send', { to: 1, flash: 1, reference: 1 });
      expect((body['fields'] as Fields[]).map(({ field }) => field)).toEqual(
        expect.arrayContaining(['to', 'flash', 'reference']),
      );
    });

    it('rejects a viewer, a key without the scope, a foreign workspace and insufficient credits', async () => {
      const poor = await sms.tenant({ credits: 0 });
      const body = { to: sms.recipient(), message: 'Your code is 1' };
      const viewer = await sms.tenants.key(tenant.organizationId, { role: 'viewer' });
      const reader = await sms.tenants.key(tenant.organizationId, { scopes: ['sms:read'] });
      expect(await v1.post('/send', body, viewer)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
      expect(await v1.post('/send', body, reader)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
      expect(await v1.post('/send', { ...body, workspace_id: poor.workspaceId })).toMatchObject({ status: 404 });
      expect(await v1.post('/send', body, poor.key)).toMatchObject({
        status: 402,
        body: { code: 'INSUFFICIENT_CREDITS' },
      });
      expect(await v1.post('/send', body, null)).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
      expect(await v1.listed('/messages', viewer)).not.toHaveLength(0);
    });
  });
});
