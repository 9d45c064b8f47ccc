import { unique, until } from '@heliograph/testing';
import { AccountFixture, type Tenant } from './account-fixture';
import { ContactCalls, PLACE, someone, type Body, type Contact, type List } from './contact-calls';

describe('contacts', () => {
  let fixture: AccountFixture;
  let tenant: Tenant;
  let calls: ContactCalls;
  beforeAll(async () => {
    fixture = await AccountFixture.shared();
  });
  beforeEach(async () => {
    tenant = await fixture.tenant();
    calls = new ContactCalls(fixture, tenant);
  });

  it('are created, read, updated and listed', async () => {
    const groupId = await calls.group('Customers');
    const { email, phone } = someone();
    const made = await calls.create({
      email: email.replace('example.com', 'EXAMPLE.com'),
      phone: phone.slice(1),
      first_name: 'Ann',
      last_name: 'Smith',
      language: 'EN-gb',
      country: 'in',
      time_zone: 'asia/kolkata',
      attributes: { plan: 'pro', seats: 3, trial: false },
      group_ids: [groupId],
      consent: { sms: 'opted_in' },
    });
    expect(made).toMatchObject({
      status: 201,
      email,
      phone,
      first_name: 'Ann',
      last_name: 'Smith',
      language: 'en-GB',
      country: 'IN',
      time_zone: 'Asia/Kolkata',
      attributes: { plan: 'pro', seats: 3, trial: false },
      source: 'api',
      groups: [{ id: groupId, name: 'Customers' }],
      consent: { sms: 'opted_in', email: 'unknown', chatapp: 'unknown' },
    });
    expect(made.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const changed = await calls.call<Contact>('PUT', `/${made.id}`, {
      first_name: null,
      attributes: { plan: null, color: 'red' },
      consent: { sms: null },
    });
    expect(changed).toMatchObject({
      status: 200,
      id: made.id,
      first_name: null,
      last_name: 'Smith',
      email,
      attributes: { seats: 3, trial: false, color: 'red' },
      consent: { sms: 'opted_in' },
    });
    expect(changed.attributes).not.toHaveProperty('plan');
    const without = await calls.call('PUT', `/${made.id}`, { email: null, phone: null });
    expect(without).toMatchObject({ status: 400, code: 'INVALID_REQUEST', fields: [{ field: 'email' }] });
    expect(await calls.call('GET', `/${made.id}`)).toMatchObject({ status: 200, id: made.id, first_name: null });
    expect((await calls.list('')).data.map(({ id }) => id)).toEqual([made.id]);
    const audited = await fixture.call<{ entries: { action: string }[] }>('GET', '/api/organization/audit-log', {
      key: tenant.key,
    });
    const text = JSON.stringify(audited);
    expect(text).toContain('contact.created');
    expect(text).not.toContain(email);
  });

  it('store evidence of every consent change', async () => {
    const { email, phone } = someone();
    const { id } = await calls.create({
      email,
      phone,
      consent: { email: 'opted_in' },
      consent_text: 'I want the news.',
    });
    await calls.call('PUT', `/${id}`, { consent: { email: 'opted_in' } });
    await calls.call('PUT', `/${id}`, { consent: { email: 'opted_out', chatapp: 'opted_in' } });
    const consents = await calls.call<List<object>>('GET', `/${id}/consents`);
    expect(consents.data).toMatchObject([
      { channel: 'chatapp', status: 'opted_in', source: 'api', address: phone, text: null },
      { channel: 'email', status: 'opted_out', source: 'api', address: email, text: null },
      { channel: 'email', status: 'opted_in', source: 'api', address: email, text: 'I want the news.' },
    ]);
    const first = await calls.call<List<object>>('GET', `/${id}/consents?limit=2`);
    const rest = await calls.call<List<object>>('GET', `/${id}/consents?limit=2&cursor=${first.next_cursor}`);
    expect([...first.data, ...rest.data]).toEqual(consents.data);
    expect(rest.next_cursor).toBeUndefined();
  });

  it('are unique by email address in any case and by phone number', async () => {
    const ann = someone();
    const bob = someone();
    const one = await calls.create(ann);
    const other = await calls.create(bob);
    const conflict = { status: 409, code: 'CONTACT_EXISTS' };
    expect(await calls.create({ email: ann.email.toUpperCase() })).toMatchObject({ ...conflict, contact_id: one.id });
    expect(await calls.create({ phone: ann.phone })).toMatchObject({ ...conflict, contact_id: one.id });
    const taken = await calls.call('PUT', `/${other.id}`, { phone: ann.phone });
    expect(taken).toMatchObject({ ...conflict, contact_id: one.id });
    expect(await calls.create({ email: ann.email, phone: bob.phone }, '?upsert=true')).toMatchObject({
      ...conflict,
      contact_id: other.id,
    });
    const second = await fixture.tenant();
    expect((await fixture.call('POST', PLACE, { key: second.key, body: ann })).status).toBe(201);
  });

  it('are merged by an upsert', async () => {
    const { email, phone } = someone();
    const created = await calls.create({ email, first_name: 'Ann', attributes: { a: 1, b: 2 } }, '?upsert=true');
    expect(created.status).toBe(201);
    const merged = await calls.create({ email, phone, first_name: null, attributes: { b: 3 } }, '?upsert=true');
    expect(merged).toMatchObject({ status: 200, id: created.id, phone, first_name: 'Ann', attributes: { a: 1, b: 3 } });
    const all = await Promise.all(
      Array.from({ length: 6 }, () => calls.create({ ...someone(), email }, '?upsert=true')),
    );
    expect(new Set(all.map(({ id }) => id))).toEqual(new Set([created.id]));
  });

  it('are created once per Idempotency-Key', async () => {
    const body = someone();
    const key = { 'Idempotency-Key': unique() };
    const first = await calls.call<Contact>('POST', '', body, key);
    const again = await calls.call<Contact>('POST', '', body, key);
    expect([again.status, again.id, again.headers.get('idempotent-replayed')]).toEqual([201, first.id, 'true']);
    expect(await calls.call('POST', '', someone(), key)).toMatchObject({ status: 409, code: 'IDEMPOTENCY_KEY_REUSED' });
    expect(await calls.call('POST', '?upsert=true', body, key)).toMatchObject({
      status: 409,
      code: 'IDEMPOTENCY_KEY_REUSED',
    });
  });

  it('are updated once per Idempotency-Key, with the same status', async () => {
    const body = someone();
    const { id } = await calls.create(body);
    const key = { 'Idempotency-Key': unique() };
    const first = await calls.call<Contact>('POST', '?upsert=true', { ...body, first_name: 'Ann' }, key);
    const again = await calls.call<Contact>('POST', '?upsert=true', { ...body, first_name: 'Ann' }, key);
    expect([first.status, again.status, again.id, again.updated_at]).toEqual([200, 200, id, first.updated_at]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  it('have exactly the groups and no attributes that an update names', async () => {
    const one = await calls.group('One');
    const two = await calls.group('Two');
    const three = await calls.group('Three');
    const { id } = await calls.create({ ...someone(), attributes: { plan: 'pro' }, group_ids: [one, two] });
    const put = (fields: Body) => calls.call<Contact>('PUT', `/${id}`, fields);
    const namesOf = ({ groups }: Contact) => groups.map(({ name }) => name).toSorted();
    expect(namesOf(await put({ group_ids: [two, three] }))).toEqual(['Three', 'Two']);
    expect(namesOf(await put({ first_name: 'Ann' }))).toEqual(['Three', 'Two']);
    expect(await put({ group_ids: null, attributes: null })).toMatchObject({ groups: [], attributes: {} });
  });

  it('are erased with all data of the person, in other services in the background', async () => {
    const { email, phone } = someone();
    const groupId = await calls.group();
    const { id } = await calls.create({ email, phone, group_ids: [groupId], consent: { email: 'opted_in' } });
    const viewer = await fixture.factory.key(tenant.organizationId, { role: 'member' });
    expect((await fixture.call('DELETE', `${PLACE}/${id}`, { key: viewer })).status).toBe(403);
    expect((await calls.call('DELETE', `/${id}`)).status).toBe(204);
    expect((await calls.call('GET', `/${id}`)).status).toBe(404);
    expect((await calls.call('DELETE', `/${id}`)).status).toBe(404);
    expect(await calls.call('GET', `/groups/${groupId}`)).toMatchObject({ contact_count: 0 });
    const erasures = await fixture.database.query<{ kind: string }>(
      'SELECT kind FROM persons.erasures WHERE organization_id = $1 ORDER BY kind',
      [tenant.organizationId],
    );
    expect(erasures).toEqual([{ kind: 'email' }, { kind: 'phone' }]);
  });

  it('are erased from the responses that are stored for Idempotency-Keys', async () => {
    const { email, phone } = someone();
    const body = { email, phone, first_name: 'Annabel', attributes: { city: 'Bonn' } };
    const key = { 'Idempotency-Key': unique() };
    const { id, created_at: createdAt } = await calls.call<Contact>('POST', '', body, key);
    expect((await calls.call('DELETE', `/${id}`)).status).toBe(204);
    await until('account-api has finished', async () => {
      const pending = await fixture.database.query(
        `SELECT FROM persons.erasures WHERE organization_id = $1 AND 'account-api' = ANY (pending)`,
        [tenant.organizationId],
      );
      return pending.length === 0;
    });
    const mask = expect.stringMatching(/^erased:[0-9a-f]{32}$/) as string;
    expect(await calls.call<Contact>('POST', '', body, key)).toMatchObject({
      status: 201,
      id,
      email: mask,
      phone: mask,
      first_name: null,
      attributes: {},
      created_at: createdAt,
    });
  });

  it('are retained if they are created after the erasure, and block what the person had opted out of until a new opt-in', async () => {
    const { email, phone } = someone();
    const { id } = await calls.create({ email, phone, consent: { sms: 'opted_out', chatapp: 'opted_in' } });
    expect((await calls.call('DELETE', `/${id}`)).status).toBe(204);
    const again = await calls.create({ email, phone });
    expect(again.status).toBe(201);
    const erasures = () =>
      fixture.database.query<{ kind: string; blocked: string[]; pending: string[] }>(
        `SELECT kind, blocked, pending FROM persons.erasures
         WHERE organization_id = $1 AND requested_at > now() - interval '1 minute' ORDER BY requested_at DESC, kind LIMIT 2`,
        [tenant.organizationId],
      );
    expect((await erasures()).map(({ blocked }) => blocked)).toEqual([[], ['sms']]);
    await until('account-api has finished', async () =>
      (await erasures()).every(({ pending }) => !pending.includes('account-api')),
    );
    expect(await calls.call('GET', `/${again.id}`)).toMatchObject({ status: 200, email, phone });
    await calls.call('PUT', `/${again.id}`, { consent: { email: 'opted_in' } });
    expect((await erasures()).map(({ blocked }) => blocked)).toEqual([[], ['sms']]);
    await calls.call('PUT', `/${again.id}`, { consent: { sms: 'opted_in' }, consent_text: 'Form of 2026-11-27' });
    expect((await erasures()).map(({ blocked }) => blocked)).toEqual([[], []]);
  });

  it.each([
    ['no email address and no phone number', {}, 'email'],
    ['null as email address and phone number', { email: null, phone: null }, 'email'],
    ['an invalid email address', { email: 'ann' }, 'email'],
    ['a national number', { phone: '09811111111x' }, 'phone'],
    ['a number of another type', { phone: 919811111111 }, 'phone'],
    ['an object as a name', { email: 'a@b.example', first_name: { constructor: 1 } }, 'first_name'],
    ['NUL in a name', { email: 'a@b.example', last_name: 'a\0' }, 'last_name'],
    ['an unpaired surrogate', { email: 'a@b.example', last_name: '\ud800' }, 'last_name'],
    ['an invalid language', { email: 'a@b.example', language: 'english please' }, 'language'],
    ['an invalid country', { email: 'a@b.example', country: 'XX' }, 'country'],
    ['an offset as a time zone', { email: 'a@b.example', time_zone: '+05:30' }, 'time_zone'],
    ['an unknown time zone', { email: 'a@b.example', time_zone: 'Mars/Olympus' }, 'time_zone'],
    ['an array as attributes', { email: 'a@b.example', attributes: [] }, 'attributes'],
    ['a nested attribute', { email: 'a@b.example', attributes: { a: { b: 1 } } }, 'attributes'],
    ['an attribute name that is too long', { email: 'a@b.example', attributes: { ['a'.repeat(65)]: 1 } }, 'attributes'],
    [
      'too many attributes',
      { email: 'a@b.example', attributes: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`a${n}`, n])) },
      'attributes',
    ],
    ['text as groups', { email: 'a@b.example', group_ids: 'x' }, 'group_ids'],
    ['an unknown channel', { email: 'a@b.example', consent: { fax: 'opted_in' } }, 'consent.fax'],
    ['an unknown consent status', { email: 'a@b.example', consent: { sms: 'yes' } }, 'consent'],
  ])('with %s are rejected, and the error names the field', async (_what, body, field) => {
    const refused = await calls.create(body);
    expect(refused).toMatchObject({ status: 400, code: 'INVALID_REQUEST', fields: [{ field }] });
    expect((await calls.list('')).data).toEqual([]);
  });

  it('accept property names of prototypes as attributes', async () => {
    const attributes = JSON.parse('{"constructor": "a", "__proto__": "b", "prototype": "c"}') as object;
    const made = await calls.create({ ...someone(), attributes });
    expect(made.status).toBe(201);
    expect(JSON.stringify(made.attributes)).toContain('"constructor":"a"');
    expect(({} as Record<string, unknown>)['a']).toBeUndefined();
  });

  describe('in groups', () => {
    it('are counted, added and removed', async () => {
      const id = await calls.group('Newsletter');
      const one = await calls.create(someone());
      const other = await calls.create(someone());
      const contacts = `/groups/${id}/contacts`;
      const added = await calls.call('POST', contacts, { contact_ids: [one.id, other.id, one.id] });
      expect(added).toMatchObject({ status: 200, id, contact_count: 2 });
      expect(await calls.call('POST', contacts, { contact_ids: [one.id] })).toMatchObject({ contact_count: 2 });
      expect((await calls.list(`?group_id=${id}`)).data).toHaveLength(2);
      expect(await calls.call('DELETE', contacts, { contact_ids: [one.id] })).toMatchObject({
        status: 200,
        contact_count: 1,
      });
      expect((await calls.call<List<object>>('GET', '/groups')).data).toMatchObject([
        { id, name: 'Newsletter', description: null, contact_count: 1 },
      ]);
      expect(await calls.call('PUT', `/groups/${id}`, { name: 'News', description: 'Weekly' })).toMatchObject({
        status: 200,
        name: 'News',
        description: 'Weekly',
        contact_count: 1,
      });
      expect((await calls.call('DELETE', `/groups/${id}`)).status).toBe(204);
      expect((await calls.call('GET', `/groups/${id}`)).status).toBe(404);
      expect((await calls.call<Contact>('GET', `/${other.id}`)).groups).toEqual([]);
    });

    it('require unique group names', async () => {
      await calls.group('One');
      expect(await calls.call('POST', '/groups', { name: 'One' })).toMatchObject({ status: 409, code: 'NAME_TAKEN' });
    });

    it('must belong to the same organization as the group', async () => {
      const id = await calls.group();
      const mine = await calls.create(someone());
      const second = await fixture.tenant();
      const foreign = await fixture.v1<Contact>('POST', PLACE, { key: second.key, body: someone() });
      const refused = await calls.call('POST', `/groups/${id}/contacts`, { contact_ids: [mine.id, foreign.id] });
      expect(refused).toMatchObject({ status: 400, fields: [{ field: 'contact_ids[1]' }] });
      expect((await calls.list(`?group_id=${id}`)).data).toEqual([]);
      const { id: theirId } = await fixture.v1<Contact>('POST', `${PLACE}/groups`, {
        key: second.key,
        body: { name: 'Theirs' },
      });
      expect(await calls.create({ ...someone(), group_ids: [theirId] })).toMatchObject({
        status: 400,
        code: 'INVALID_REQUEST',
        fields: [{ field: 'group_ids' }],
      });
      expect((await calls.list('')).data.map((one) => one.id)).toEqual([mine.id]);
    });

    it.each([
      ['/groups', { name: ' ' }, 'name'],
      ['/groups', {}, 'name'],
      ['/groups', { name: 'x', description: 1 }, 'description'],
    ])('with invalid data are rejected: POST %s %j', async (path, body, field) => {
      expect(await calls.call('POST', path, body)).toMatchObject({ status: 400, fields: [{ field }] });
    });

    it.each([{}, { contact_ids: [] }, { contact_ids: ['x'] }, { contact_ids: 'x' }])(
      'cannot be added with the body %j',
      async (body) => {
        const id = await calls.group();
        expect(await calls.call('POST', `/groups/${id}/contacts`, body)).toMatchObject({
          status: 400,
          code: 'INVALID_REQUEST',
          fields: [{ field: 'contact_ids' }],
        });
      },
    );
  });
});
