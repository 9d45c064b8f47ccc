import { AccountFixture, type Tenant } from './account-fixture';
import { ContactCalls } from './contact-calls';

describe('a name that no field of an account call has', () => {
  let fixture: AccountFixture;
  let tenant: Tenant;
  let contacts: ContactCalls;
  beforeAll(async () => {
    fixture = await AccountFixture.shared();
    tenant = await fixture.tenant();
    contacts = new ContactCalls(fixture, tenant);
  });

  const call = async (method: string, path: string, body?: unknown) => {
    const options = { key: tenant.key, ...(body === undefined ? {} : { body: body as object }) };
    return fixture.v1<{
      status: number;
      code: string;
      fields: { field: string; message: string }[];
      error: { code: string; message: string };
    }>(method, path, options);
  };

  it.each<[string, string, object | undefined, string]>([
    ['POST', '/api/v1/contacts', { email: 'ann@example.com', firstName: 'Ann' }, 'firstName'],
    ['POST', '/api/v1/contacts', { email: 'ann@example.com', consent: { Email: 'opted_in' } }, 'consent.Email'],
    ['POST', '/api/v1/webhooks', { url: 'https://x.example', events: ['sms.sent'], secret: 'x' }, 'secret'],
    ['POST', '/api/v1/reports', { type: 'sms', since: '2026-01-01T00:00:00Z' }, 'since'],
    ['POST', '/api/v1/quote', { channel: 'bots', conversation_id: 'x', message: 'Hi', mesage: 'x' }, 'mesage'],
    ['GET', '/api/v1/contacts?page=2', undefined, 'page'],
    ['GET', '/api/v1/webhooks/events?limit=5', undefined, 'limit'],
    ['GET', '/api/v1/events?type=sms.sent', undefined, 'type'],
    ['GET', '/api/v1/reports?state=failed', undefined, 'state'],
    ['GET', '/api/v1/credits/balance?currency=INR', undefined, 'currency'],
    ['POST', '/api/v1/contacts/import?on_conflict=skip', { contacts: [{ email: 'a@b.example' }] }, 'on_conflict'],
  ])('is refused by %s %s', async (method, path, body, field) => {
    const answer = await call(method, path, body);
    expect([answer.status, answer.code, answer.fields[0]?.field]).toEqual([400, 'INVALID_REQUEST', field]);
    expect(answer.fields[0]?.message).toContain(field);
  });

  it('is refused in the options of an import, in JSON and in a form', async () => {
    const options = { onConflict: 'skip' };
    const expected = {
      status: 400,
      fields: [
        {
          field: 'options.onConflict',
          message: 'options.onConflict is not a field of this call. Did you mean options.on_conflict?',
        },
      ],
    };
    const body = { contacts: [{ email: 'a@b.example' }], options };
    expect(await call('POST', '/api/v1/contacts/import', body)).toMatchObject(expected);
    const form = new FormData();
    form.set('file', new Blob(['email\na@b.example\n'], { type: 'text/csv' }), 'contacts.csv');
    form.set('options', JSON.stringify(options));
    const response = await fetch(`${fixture.service.url}/api/v1/contacts/import`, {
      method: 'POST',
      headers: { 'X-API-Key': tenant.key },
      body: form,
    });
    expect({ status: response.status, ...((await response.json()) as object) }).toMatchObject(expected);
  });

  it('may be any name in the attributes of a contact', async () => {
    const attributes = { firstName: 'x', 'anything else': 1 };
    expect(await contacts.create({ email: 'any@example.com', attributes })).toMatchObject({ status: 201, attributes });
  });

  it('is refused by the account API with 422, with the nearest field', async () => {
    const answer = await call('POST', '/api/organization/api-keys', { name: 'x', scope: ['sms:send'] });
    expect([answer.status, answer.error]).toEqual([
      422,
      {
        code: 'VALIDATION_ERROR',
        message: expect.stringMatching(/^scope is not a field of this call\. Did you mean scopes\?/) as string,
      },
    ]);
  });

  it('is refused in the objects of a form of a bot, and not in its settings', async () => {
    const bots = `/api/workspaces/${tenant.workspace.id}/bots`;
    const made = await call('POST', bots, { id: 'strict', name: 'Strict', settings: { any: { name: 1 } } });
    expect([made.status, made.error?.message]).toEqual([201, undefined]);
    const fields = [{ key: 'email', label: 'Email', type: 'email', requird: true }];
    const answer = await call('POST', `${bots}/strict/forms`, { title: 'Lead', fields });
    expect(answer.error.message).toContain(
      'fields[0].requird is not a field of this call. Did you mean fields[0].required?',
    );
  });

  it('is ignored in other query strings, unless it is another spelling of a parameter', async () => {
    expect((await call('GET', '/api/organization/api-keys?utm_source=x&_=1&page=2')).status).toBe(200);
    const answer = await call('GET', '/api/organization/api-keys?LIMIT=1');
    expect([answer.status, answer.error.message]).toEqual([
      422,
      'LIMIT is not a field of this call. Did you mean limit?',
    ]);
  });
});
