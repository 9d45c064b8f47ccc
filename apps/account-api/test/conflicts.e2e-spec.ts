import { unique } from '@heliograph/testing';
import { Connection } from 'pg';
import { AccountFixture, PASSWORD, type Answer, type Tenant } from './account-fixture';

/** A server with the default settings writes the values of a failed statement to its log. */
describe('an ordinary conflict', () => {
  let fixture: AccountFixture;
  let tenant: Tenant;
  const failed: string[] = [];
  let original: Connection['emit'];
  beforeAll(async () => {
    fixture = await AccountFixture.start({ REGISTRATION: 'open' });
    tenant = await fixture.tenant();
    original = Connection.prototype.emit;
    Connection.prototype.emit = function (this: Connection, event: string | symbol, ...values: unknown[]): boolean {
      if (event === 'errorMessage') failed.push((values[0] as Error).message);
      return original.call(this, event, ...values);
    };
  });
  beforeEach(() => failed.splice(0));
  afterAll(async () => {
    Connection.prototype.emit = original;
    await fixture.stop();
  });

  const times = async (count: number, call: (n: number) => Promise<{ status: number }>): Promise<number[]> => {
    const answers = await Promise.all(Array.from({ length: count }, (_, n) => call(n)));
    return answers.map(({ status }) => status).sort();
  };
  const post = (path: string, body: object) => fixture.call('POST', path, { key: tenant.key, body });

  it('is recorded by this test if a statement fails', async () => {
    const { email } = tenant.owner;
    await expect(
      fixture.factory.dataSource.query(
        'INSERT INTO users.users SELECT gen_random_uuid(), $1 FROM users.users WHERE email = $1',
        [email],
      ),
    ).rejects.toThrow();
    expect(failed).toHaveLength(1);
  });

  it('of registrations of an address fails no statement', async () => {
    const body = { name: 'Ann', email: `${unique()}@example.com`, password: PASSWORD, organization: 'Acme' };
    expect(await times(5, () => fixture.call('POST', '/api/v1/auth/register', { body }))).toEqual([
      201, 201, 201, 201, 201,
    ]);
    expect(failed).toEqual([]);
  });

  it('of invitations of an address fails no statement', async () => {
    const email = `${unique()}@example.com`;
    const statuses = await times(5, () => post('/api/organization/invitations', { email }));
    expect(statuses[0]).toBe(201);
    expect(statuses.every((status) => status < 500)).toBe(true);
    expect(failed).toEqual([]);
  });

  it('of contacts with an address fails no statement', async () => {
    const email = `${unique()}@example.com`;
    const phone = '+4915112340077';
    expect(await times(8, (n) => post('/api/v1/contacts', n % 2 ? { email } : { email, phone }))).toEqual([
      201, 409, 409, 409, 409, 409, 409, 409,
    ]);
    expect(await times(5, () => post('/api/v1/contacts?upsert=true', { email, phone }))).toEqual([
      200, 200, 200, 200, 200,
    ]);
    const ids = await fixture.database.query<{ id: string }>(
      `INSERT INTO contacts.contacts (id, organization_id, email, source)
       SELECT gen_random_uuid(), $1, gen_random_uuid() || '@example.com', 'api' FROM generate_series(1, 6) RETURNING id`,
      [tenant.organizationId],
    );
    const next = { email: `${unique()}@example.com`, phone: '+4915112340078' };
    const changed = await times(6, (n) =>
      fixture.call('PUT', `/api/v1/contacts/${ids[n]!.id}`, { key: tenant.key, body: next }),
    );
    expect(changed).toEqual([200, 409, 409, 409, 409, 409]);
    expect(failed).toEqual([]);
  });

  it('of suppressions and consents of an address fails no statement', async () => {
    const address = `${unique()}@example.com`;
    const number = '+4915112340079';
    for (const [path, body] of [
      ['/api/organization/email/suppressions', { address }],
      ['/api/organization/chatapp/consents', { number, status: 'opted_in' }],
    ] as const) {
      const statuses = await times(5, () => post(path, body));
      expect([path, statuses.every((status) => status < 300)]).toEqual([path, true]);
    }
    expect(failed).toEqual([]);
  });

  it('of names fails no statement', async () => {
    const name = `name-${unique()}`;
    for (const [path, body] of [
      ['/api/organization/api-keys', { name }],
      ['/api/workspaces', { slug: name, displayName: 'Acme' }],
      ['/api/organization/email/domains', { name: `${name}.example.com` }],
      ['/api/v1/contacts/groups', { name }],
    ] as const) {
      const statuses = await times(4, () => post(path, body));
      expect([path, ...statuses]).toEqual([path, 201, 409, 409, 409]);
    }
    expect(failed).toEqual([]);
  });

  it('of changes to one name, and of an entry that is created with it, fails no statement', async () => {
    const bots = `/api/workspaces/${tenant.workspace.id}/bots`;
    const kinds: [path: string, method: string, fields: (name: string) => object][] = [
      ['/api/organization/api-keys', 'PATCH', (name) => ({ name })],
      ['/api/workspaces', 'PATCH', (slug) => ({ slug, displayName: 'Acme' })],
      ['/api/v1/contacts/groups', 'PUT', (name) => ({ name })],
      ['/api/organization/email/templates', 'PATCH', (slug) => ({ slug, name: 'Order shipped', text: 'Hello' })],
      [bots, 'PATCH', (slug) => ({ slug, name: 'Acme Help' })],
    ];
    for (const [path, method, fields] of kinds) {
      const created = await Promise.all(Array.from({ length: 5 }, () => post(path, fields(`a-${unique()}`))));
      const ids = created.map(idOf);
      const wanted = fields(`b-${unique()}`);
      const statuses = await times(6, (n) =>
        n === 5 ? post(path, wanted) : fixture.call(method, `${path}/${ids[n]}`, { key: tenant.key, body: wanted }),
      );
      expect([path, statuses.filter((status) => status < 300).length, ...statuses.slice(1)]).toEqual([
        path,
        1,
        409,
        409,
        409,
        409,
        409,
      ]);
    }
    expect(failed).toEqual([]);
  });
});

/** Returns the id of the record in a response. */
function idOf(answer: Answer): string {
  const record = Object.values(answer.data ?? {}).find((value) => typeof value === 'object') ?? answer;
  return (record as { id: string }).id;
}
