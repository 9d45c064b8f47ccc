import { newId } from '@heliograph/database';
import { unique } from '@heliograph/testing';
import { AccountFixture, type Answer, type Tenant } from './account-fixture';

interface Contact {
  id: string;
  email: string | null;
  phone: string | null;
  first_name: string | null;
  attributes: Record<string, unknown>;
  groups: { id: string; name: string }[];
  consent: Record<string, string>;
  created_at: string;
  updated_at: string;
}

interface List<T> {
  data: T[];
  next_cursor?: string;
}

const PLACE = '/api/v1/contacts';
let numbers = 0;
/** Returns an email address and a phone number that no other contact has. */
const someone = () => ({
  email: `ann-${unique()}@example.com`.toLowerCase(),
  phone: `+9198${String(10_000_000 + numbers++)}`,
});

describe('contacts', () => {
  let fixture: AccountFixture;
  let tenant: Tenant;
  beforeAll(async () => {
    fixture = await AccountFixture.shared();
  });
  beforeEach(async () => {
    tenant = await fixture.tenant();
  });

  type Body = Record<string, unknown>;
  const call = async <T>(method: string, path: string, body?: Body, headers: Record<string, string> = {}) => {
    const options = { key: tenant.key, headers, ...(body === undefined ? {} : { body }) };
    return (await fixture.call(method, `${PLACE}${path}`, options)) as unknown as Answer &
      T & { code: string; message: string; fields?: { field: string; message: string }[]; contact_id?: string };
  };
  const create = (body: Body, query = '') => call<Contact>('POST', query, body);
  const list = (query: string) => call<List<Contact>>('GET', query);
  const group = async (name = unique()) => (await call<{ id: string }>('POST', '/groups', { name })).id;

  it('are created, read, updated and listed', async () => {
    const groupId = await group('Customers');
    const { email, phone } = someone();
    const made = await create({
      ...{ email: email.replace('example.com', 'EXAMPLE.com'), phone: phone.slice(1), first_name: 'Ann' },
      ...{ last_name: 'Smith', language: 'EN-gb', country: 'in', time_zone: 'asia/kolkata' },
      ...{ attributes: { plan: 'pro', seats: 3, trial: false }, group_ids: [groupId], consent: { sms: 'opted_in' } },
      ...{ unknown: 1 },
    });
    expect(made).toMatchObject({
      status: 201,
      ...{ email, phone, first_name: 'Ann', last_name: 'Smith', language: 'en-GB', country: 'IN' },
      ...{ time_zone: 'Asia/Kolkata', attributes: { plan: 'pro', seats: 3, trial: false }, source: 'api' },
      groups: [{ id: groupId, name: 'Customers' }],
      consent: { sms: 'opted_in', email: 'unknown', chatapp: 'unknown' },
    });
    expect(made.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const changed = await call<Contact>('PUT', `/${made.id}`, {
      ...{ first_name: null, attributes: { plan: null, color: 'red' }, consent: { sms: null } },
    });
    expect(changed).toMatchObject({
      status: 200,
      ...{ id: made.id, first_name: null, last_name: 'Smith', email },
      attributes: { seats: 3, trial: false, color: 'red' },
      consent: { sms: 'opted_in' },
    });
    expect(changed.attributes).not.toHaveProperty('plan');
    const without = await call('PUT', `/${made.id}`, { email: null, phone: null });
    expect(without).toMatchObject({ status: 400, code: 'INVALID_REQUEST', fields: [{ field: 'email' }] });
    expect(await call('GET', `/${made.id}`)).toMatchObject({ status: 200, id: made.id, first_name: null });
    expect((await list('')).data.map(({ id }) => id)).toEqual([made.id]);
    const audited = await fixture.call<{ entries: { action: string }[] }>('GET', '/api/organization/audit-log', {
      key: tenant.key,
    });
    const text = JSON.stringify(audited);
    expect(text).toContain('contact.created');
    expect(text).not.toContain(email);
  });

  it('store evidence of every consent change', async () => {
    const { email, phone } = someone();
    const { id } = await create({ email, phone, consent: { email: 'opted_in' }, consent_text: 'I want the news.' });
    await call('PUT', `/${id}`, { consent: { email: 'opted_in' } });
    await call('PUT', `/${id}`, { consent: { email: 'opted_out', chatapp: 'opted_in' } });
    const consents = await call<List<object>>('GET', `/${id}/consents`);
    expect(consents.data).toMatchObject([
      { channel: 'chatapp', status: 'opted_in', source: 'api', address: phone, text: null },
      { channel: 'email', status: 'opted_out', source: 'api', address: email, text: null },
      { channel: 'email', status: 'opted_in', source: 'api', address: email, text: 'I want the news.' },
    ]);
    const first = await call<List<object>>('GET', `/${id}/consents?limit=2`);
    const rest = await call<List<object>>('GET', `/${id}/consents?limit=2&cursor=${first.next_cursor}`);
    expect([...first.data, ...rest.data]).toEqual(consents.data);
    expect(rest.next_cursor).toBeUndefined();
  });

  it('are unique by email address in any case and by phone number', async () => {
    const [ann, bob] = [someone(), someone()];
    const one = await create(ann);
    const other = await create(bob);
    const conflict = { status: 409, code: 'CONTACT_EXISTS' };
    expect(await create({ email: ann.email.toUpperCase() })).toMatchObject({ ...conflict, contact_id: one.id });
    expect(await create({ phone: ann.phone })).toMatchObject({ ...conflict, contact_id: one.id });
    const taken = await call('PUT', `/${other.id}`, { phone: ann.phone });
    expect(taken).toMatchObject({ ...conflict, contact_id: one.id });
    expect(await create({ email: ann.email, phone: bob.phone }, '?upsert=true')).toMatchObject({
      ...conflict,
      contact_id: other.id,
    });
    const second = await fixture.tenant();
    expect((await fixture.call('POST', PLACE, { key: second.key, body: ann })).status).toBe(201);
  });

  it('are merged by an upsert', async () => {
    const { email, phone } = someone();
    const created = await create({ email, first_name: 'Ann', attributes: { a: 1, b: 2 } }, '?upsert=true');
    expect(created.status).toBe(201);
    const merged = await create({ email, phone, first_name: null, attributes: { b: 3 } }, '?upsert=true');
    expect(merged).toMatchObject({ status: 200, id: created.id, phone, first_name: 'Ann', attributes: { a: 1, b: 3 } });
    const all = await Promise.all(Array.from({ length: 6 }, () => create({ ...someone(), email }, '?upsert=true')));
    expect(new Set(all.map(({ id }) => id))).toEqual(new Set([created.id]));
  });

  it('are created once per Idempotency-Key', async () => {
    const body = someone();
    const key = { 'Idempotency-Key': unique() };
    const first = await call<Contact>('POST', '', body, key);
    const again = await call<Contact>('POST', '', body, key);
    expect([again.status, again.id, again.headers.get('idempotent-replayed')]).toEqual([201, first.id, 'true']);
    expect(await call('POST', '', someone(), key)).toMatchObject({ status: 409, code: 'IDEMPOTENCY_KEY_REUSED' });
    expect(await call('POST', '?upsert=true', body, key)).toMatchObject({
      status: 409,
      code: 'IDEMPOTENCY_KEY_REUSED',
    });
  });

  it('are updated once per Idempotency-Key, with the same status', async () => {
    const body = someone();
    const { id } = await create(body);
    const key = { 'Idempotency-Key': unique() };
    const first = await call<Contact>('POST', '?upsert=true', { ...body, first_name: 'Ann' }, key);
    const again = await call<Contact>('POST', '?upsert=true', { ...body, first_name: 'Ann' }, key);
    expect([first.status, again.status, again.id, again.updated_at]).toEqual([200, 200, id, first.updated_at]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  it('have exactly the groups and no attributes that an update names', async () => {
    const [one, two, three] = [await group('One'), await group('Two'), await group('Three')];
    const { id } = await create({ ...someone(), attributes: { plan: 'pro' }, group_ids: [one, two] });
    const put = (fields: Body) => call<Contact>('PUT', `/${id}`, fields);
    const namesOf = ({ groups }: Contact) => groups.map(({ name }) => name).toSorted();
    expect(namesOf(await put({ group_ids: [two, three] }))).toEqual(['Three', 'Two']);
    expect(namesOf(await put({ first_name: 'Ann' }))).toEqual(['Three', 'Two']);
    expect(await put({ group_ids: null, attributes: null })).toMatchObject({ groups: [], attributes: {} });
  });

  it('can be searched by prefix of the name, the email address and the number', async () => {
    const word = unique().toLowerCase();
    const { email, phone } = someone();
    const { id } = await create({ email: `${word}-${email}`, phone, first_name: `Zoë${word}`, last_name: '100%_\\x' });
    await create({ email: someone().email, first_name: 'Ann', last_name: 'Smith' });
    for (const search of [
      word,
      `ZOË${word}`,
      `zoë${word} 100%`,
      '100%_\\',
      phone,
      phone.slice(0, 13),
      phone.slice(1),
    ]) {
      const found = await list(`?search=${encodeURIComponent(search)}`);
      expect([search, found.data.map((one) => one.id)]).toEqual([search, [id]]);
    }
    for (const search of ['10%', '_', 'mith', '%']) {
      expect([search, (await list(`?search=${encodeURIComponent(search)}`)).data]).toEqual([search, []]);
    }
  });

  it('can be filtered, sorted and read in pages', async () => {
    const groupId = await group();
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) {
      const consent = { sms: n % 2 === 0 ? 'opted_in' : 'opted_out' };
      ids.push((await create({ ...someone(), consent, ...(n < 2 ? { group_ids: [groupId] } : {}) })).id);
    }
    await call('PUT', `/${ids[1]}`, { first_name: 'Changed last' });
    const idsOf = async (query: string) => (await list(query)).data.map(({ id }) => ids.indexOf(id));
    expect(await idsOf('')).toEqual([4, 3, 2, 1, 0]);
    expect(await idsOf('?sort=created_at')).toEqual([0, 1, 2, 3, 4]);
    expect(await idsOf('?sort=-updated_at')).toEqual([1, 4, 3, 2, 0]);
    expect(await idsOf(`?group_id=${groupId}`)).toEqual([1, 0]);
    const { id } = await create({ email: `${unique()}@xn--mnchen-3ya.example` });
    const { email } = await call<Contact>('GET', `/${id}`);
    const display = email!.replace('xn--mnchen-3ya', 'münchen');
    for (const given of [email!, display]) {
      expect((await list(`?email=${encodeURIComponent(given)}`)).data).toMatchObject([{ id }]);
    }
    await call('DELETE', `/${id}`);
    expect(await idsOf('?consent[sms]=opted_in')).toEqual([4, 2, 0]);
    expect(await idsOf('?consent%5Bsms%5D=opted_out&consent[email]=unknown')).toEqual([3, 1]);
    const { data } = await list('');
    expect(await idsOf(`?email=${data[0]!.email!.toUpperCase()}`)).toEqual([4]);
    expect(await idsOf(`?phone=${data[0]!.phone!.slice(1)}`)).toEqual([4]);
    expect(await idsOf(`?created_after=${data[2]!.created_at}`)).toEqual([4, 3]);
    for (const sort of ['created_at', '-created_at', 'updated_at', '-updated_at']) {
      const all = await idsOf(`?sort=${sort}`);
      const read: number[] = [];
      for (let cursor = ''; ;) {
        const page = await list(`?sort=${sort}&limit=2${cursor}`);
        read.push(...page.data.map(({ id }) => ids.indexOf(id)));
        if (page.next_cursor === undefined) break;
        cursor = `&cursor=${page.next_cursor}`;
      }
      expect([sort, read]).toEqual([sort, all]);
    }
  });

  it('are erased with all data of the person, in other services in the background', async () => {
    const { email, phone } = someone();
    const groupId = await group();
    const { id } = await create({ email, phone, group_ids: [groupId], consent: { email: 'opted_in' } });
    const viewer = await fixture.factory.key(tenant.organizationId, { role: 'member' });
    expect((await fixture.call('DELETE', `${PLACE}/${id}`, { key: viewer })).status).toBe(403);
    expect((await call('DELETE', `/${id}`)).status).toBe(204);
    expect((await call('GET', `/${id}`)).status).toBe(404);
    expect((await call('DELETE', `/${id}`)).status).toBe(404);
    expect(await call('GET', `/groups/${groupId}`)).toMatchObject({ contact_count: 0 });
    const erasures = await fixture.database.query<{ kind: string }>(
      'SELECT kind FROM persons.erasures WHERE organization_id = $1 ORDER BY kind',
      [tenant.organizationId],
    );
    expect(erasures).toEqual([{ kind: 'email' }, { kind: 'phone' }]);
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
    ['an unknown channel', { email: 'a@b.example', consent: { fax: 'opted_in' } }, 'consent'],
    ['an unknown consent status', { email: 'a@b.example', consent: { sms: 'yes' } }, 'consent'],
  ])('with %s are rejected, and the error names the field', async (_what, body, field) => {
    const refused = await create(body);
    expect(refused).toMatchObject({ status: 400, code: 'INVALID_REQUEST', fields: [{ field }] });
    expect((await list('')).data).toEqual([]);
  });

  it('accept property names of prototypes as attributes', async () => {
    const attributes = JSON.parse('{"constructor": "a", "__proto__": "b", "prototype": "c"}') as object;
    const made = await create({ ...someone(), attributes });
    expect(made.status).toBe(201);
    expect(JSON.stringify(made.attributes)).toContain('"constructor":"a"');
    expect(({} as Record<string, unknown>)['a']).toBeUndefined();
  });

  it.each(['limit=0', 'limit=101', 'limit=x', 'cursor=x', 'sort=name', 'group_id=x', 'search=', 'created_after=now'])(
    'cannot be listed with %s',
    async (query) => {
      const [field] = query.split('=');
      expect(await list(`?${query}`)).toMatchObject({ status: 400, code: 'INVALID_REQUEST', fields: [{ field }] });
    },
  );

  it.each(['0000-01-01T00:00:00.000Z', '2026-02-30T00:00:00.000Z', '2026-01-01', ''])(
    'cannot be listed by update with a cursor of the time %j',
    async (at) => {
      const cursor = Buffer.from(`${newId()} ${at}`).toString('base64url');
      for (const sort of ['updated_at', '-updated_at']) {
        expect(await list(`?sort=${sort}&cursor=${cursor}`)).toMatchObject({
          ...{ status: 400, code: 'INVALID_REQUEST', fields: [{ field: 'cursor' }] },
        });
      }
    },
  );

  describe('in groups', () => {
    it('are counted, added and removed', async () => {
      const id = await group('Newsletter');
      const [one, other] = [await create(someone()), await create(someone())];
      const contacts = `/groups/${id}/contacts`;
      const added = await call('POST', contacts, { contact_ids: [one.id, other.id, one.id] });
      expect(added).toMatchObject({ status: 200, id, contact_count: 2 });
      expect(await call('POST', contacts, { contact_ids: [one.id] })).toMatchObject({ contact_count: 2 });
      expect((await list(`?group_id=${id}`)).data).toHaveLength(2);
      expect(await call('DELETE', contacts, { contact_ids: [one.id] })).toMatchObject({
        status: 200,
        contact_count: 1,
      });
      expect((await call<List<object>>('GET', '/groups')).data).toMatchObject([
        { id, name: 'Newsletter', description: null, contact_count: 1 },
      ]);
      expect(await call('PUT', `/groups/${id}`, { name: 'News', description: 'Weekly' })).toMatchObject({
        ...{ status: 200, name: 'News', description: 'Weekly', contact_count: 1 },
      });
      expect((await call('DELETE', `/groups/${id}`)).status).toBe(204);
      expect((await call('GET', `/groups/${id}`)).status).toBe(404);
      expect((await call<Contact>('GET', `/${other.id}`)).groups).toEqual([]);
    });

    it('require unique group names', async () => {
      await group('One');
      expect(await call('POST', '/groups', { name: 'One' })).toMatchObject({ status: 409, code: 'NAME_TAKEN' });
    });

    it('must belong to the same organization as the group', async () => {
      const id = await group();
      const mine = await create(someone());
      const second = await fixture.tenant();
      const foreign = (await fixture.call('POST', PLACE, { key: second.key, body: someone() })) as unknown as Contact;
      const refused = await call('POST', `/groups/${id}/contacts`, { contact_ids: [mine.id, foreign.id] });
      expect(refused).toMatchObject({ status: 400, fields: [{ field: 'contact_ids[1]' }] });
      expect((await list(`?group_id=${id}`)).data).toEqual([]);
      const theirGroup = await fixture.call('POST', `${PLACE}/groups`, { key: second.key, body: { name: 'Theirs' } });
      const { id: theirId } = theirGroup as unknown as Contact;
      expect(await create({ ...someone(), group_ids: [theirId] })).toMatchObject({
        ...{ status: 400, code: 'INVALID_REQUEST', fields: [{ field: 'group_ids' }] },
      });
      expect((await list('')).data.map((one) => one.id)).toEqual([mine.id]);
    });

    it.each([
      ['/groups', { name: ' ' }, 'name'],
      ['/groups', {}, 'name'],
      ['/groups', { name: 'x', description: 1 }, 'description'],
    ])('with invalid data are rejected: POST %s %j', async (path, body, field) => {
      expect(await call('POST', path, body)).toMatchObject({ status: 400, fields: [{ field }] });
    });

    it.each([{}, { contact_ids: [] }, { contact_ids: ['x'] }, { contact_ids: 'x' }])(
      'cannot be added with the body %j',
      async (body) => {
        const id = await group();
        expect(await call('POST', `/groups/${id}/contacts`, body)).toMatchObject({
          ...{ status: 400, code: 'INVALID_REQUEST', fields: [{ field: 'contact_ids' }] },
        });
      },
    );
  });
});
