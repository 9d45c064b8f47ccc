import { newId } from '@heliograph/database';
import { AccountFixture, type Tenant } from './account-fixture';

const cursorOf = (id: string): string => Buffer.from(id).toString('base64url');

describe('what a caller of the v1 API mistypes', () => {
  let fixture: AccountFixture;
  let tenant: Tenant;
  beforeAll(async () => {
    fixture = await AccountFixture.shared();
    tenant = await fixture.tenant();
  });

  const call = (method: string, path: string, body?: object) =>
    fixture.v1<{
      status: number;
      code: string;
      fields: { field: string; message: string }[];
    }>(method, `/api/v1/${path}`, { key: tenant.key, body });

  it.each(['contacts', 'contacts/groups', 'credits/transactions', 'credits/purchases', 'reports', 'webhooks'])(
    'in the cursor of %s is a 400',
    async (list) => {
      for (const cursor of ['x', '', cursorOf('x'), cursorOf('1'), cursorOf(`${newId()} x`)]) {
        const answer = await call('GET', `${list}?cursor=${cursor}`);
        expect([cursor, answer.status, answer.code]).toEqual([cursor, 400, 'INVALID_REQUEST']);
        expect(answer.fields[0]?.field).toBe('cursor');
      }
    },
  );

  it('in a cursor that was never issued is a 400 or the end of the list, not a 422', async () => {
    for (const list of [
      'contacts',
      'contacts/groups',
      'credits/transactions',
      'credits/purchases',
      'reports',
      'webhooks',
    ]) {
      const { status } = await call('GET', `${list}?cursor=${cursorOf(newId())}`);
      expect([list, [200, 400].includes(status)]).toEqual([list, true]);
    }
    expect((await call('GET', 'events?after=x')).status).toBe(400);
  });

  it.each([
    [['sms.sent', 'sms.deliverd'], 'events[1]', 'sms.deliverd is not an event type. Did you mean sms.delivered?'],
    [['emails.*'], 'events[0]', 'emails.* is not an event type. Did you mean email.*?'],
    [['SMS.SENT'], 'events[0]', 'SMS.SENT is not an event type. Did you mean sms.sent?'],
    [['*', '*', 'everything'], 'events[2]', 'GET /api/v1/webhooks/events lists the event types.'],
    [['*', 5], 'events[1]', 'must be text'],
    [[], 'events', '1 to 100'],
    ['*', 'events', 'must be a list'],
  ])('in the events of a webhook (%j) is named: %s', async (events, field, message) => {
    const body = { url: 'https://hooks.example.com/x', events };
    const answer = await call('POST', 'webhooks', body);
    expect(answer).toMatchObject({ status: 400, code: 'INVALID_REQUEST', fields: [{ field }] });
    expect(answer.fields[0]?.message).toContain(message);
  });

  it('in other event types is named as well', async () => {
    const answer = await call('GET', 'events?types=sms.sent,sms.faild');
    expect(answer.fields).toEqual([
      { field: 'types', message: 'sms.faild is not an event type. Did you mean sms.failed?' },
    ]);
  });

  it.each([
    'https://hooks.example.com/\0',
    'https://hooks.example.com/\ud800',
    'https://hooks.example.com/\u202ex',
    'https://hooks\u3002example.com/ x',
  ])('in the URL of a webhook (%j) is a 400', async (url) => {
    const answer = await call('POST', 'webhooks', { url, events: ['*'] });
    expect(answer).toMatchObject({ status: 400, code: 'INVALID_URL', fields: [{ field: 'url' }] });
  });

  it.each(['evil\u202egpj', 'Pay\u200bPal', 'paypal\uff0ecom'])('in a name (%j) is refused', async (name) => {
    const { key } = tenant;
    const account = async (method: string, path: string, body: object) =>
      (await fixture.call(method, path, { key, body })).status;
    expect(await account('PATCH', '/api/organization', { name })).toBe(422);
    expect(await account('PATCH', `/api/workspaces/${tenant.workspace.id}`, { displayName: name })).toBe(422);
    expect(await account('POST', '/api/organization/api-keys', { name })).toBe(422);
    expect(await account('POST', '/api/organization/email/templates', { slug: 'x', name, text: 'x' })).toBe(422);
    expect((await call('POST', 'contacts/groups', { name })).status).toBe(400);
    expect(await account('POST', '/api/organization/email/domains', { name: `${name}.example.com` })).toBe(422);
  });
});
