import { newId } from '@heliograph/database';
import { unique } from '@heliograph/testing';
import { AccountFixture } from './account-fixture';
import { ContactCalls, someone, type Contact } from './contact-calls';

describe('contacts', () => {
  let fixture: AccountFixture;
  let calls: ContactCalls;
  beforeAll(async () => {
    fixture = await AccountFixture.shared();
  });
  beforeEach(async () => {
    calls = new ContactCalls(fixture, await fixture.tenant());
  });

  it('can be searched by prefix of the name, the email address and the number', async () => {
    const word = unique().toLowerCase();
    const { email, phone } = someone();
    const { id } = await calls.create({
      email: `${word}-${email}`,
      phone,
      first_name: `Zoë${word}`,
      last_name: '100%_\\x',
    });
    await calls.create({ email: someone().email, first_name: 'Ann', last_name: 'Smith' });
    for (const search of [
      word,
      `ZOË${word}`,
      `zoë${word} 100%`,
      '100%_\\',
      phone,
      phone.slice(0, 13),
      phone.slice(1),
    ]) {
      const found = await calls.list(`?search=${encodeURIComponent(search)}`);
      expect([search, found.data.map((one) => one.id)]).toEqual([search, [id]]);
    }
    for (const search of ['10%', '_', 'mith', '%']) {
      expect([search, (await calls.list(`?search=${encodeURIComponent(search)}`)).data]).toEqual([search, []]);
    }
  });

  it('can be added to a group, and a repeated call gets the same record', async () => {
    const groupId = await calls.group();
    const { id } = await calls.create(someone());
    const add = () =>
      calls.call<{ id: string; contacts: number }>(
        'POST',
        `/groups/${groupId}/contacts`,
        { contact_ids: [id] },
        { 'Idempotency-Key': groupId },
      );
    const { headers: firstHeaders, ...first } = await add();
    const { headers, ...again } = await add();
    expect([firstHeaders.get('idempotent-replayed'), headers.get('idempotent-replayed')]).toEqual([null, 'true']);
    expect(first).toMatchObject({ id: groupId, created_at: expect.any(String) });
    expect(again).toEqual(first);
  });

  it('can be filtered, sorted and read in pages', async () => {
    const groupId = await calls.group();
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) {
      const consent = { sms: n % 2 === 0 ? 'opted_in' : 'opted_out' };
      ids.push((await calls.create({ ...someone(), consent, ...(n < 2 ? { group_ids: [groupId] } : {}) })).id);
    }
    await calls.call('PUT', `/${ids[1]}`, { first_name: 'Changed last' });
    const idsOf = async (query: string) => (await calls.list(query)).data.map(({ id }) => ids.indexOf(id));
    expect(await idsOf('')).toEqual([4, 3, 2, 1, 0]);
    expect(await idsOf('?sort=created_at')).toEqual([0, 1, 2, 3, 4]);
    expect(await idsOf('?sort=-updated_at')).toEqual([1, 4, 3, 2, 0]);
    expect(await idsOf(`?group_id=${groupId}`)).toEqual([1, 0]);
    const { id } = await calls.create({ email: `${unique()}@xn--mnchen-3ya.example` });
    const { email } = await calls.call<Contact>('GET', `/${id}`);
    const display = email!.replace('xn--mnchen-3ya', 'münchen');
    for (const given of [email!, display]) {
      expect((await calls.list(`?email=${encodeURIComponent(given)}`)).data).toMatchObject([{ id }]);
    }
    await calls.call('DELETE', `/${id}`);
    expect(await idsOf('?consent[sms]=opted_in')).toEqual([4, 2, 0]);
    expect(await idsOf('?consent%5Bsms%5D=opted_out&consent[email]=unknown')).toEqual([3, 1]);
    const { data } = await calls.list('');
    expect(await idsOf(`?email=${data[0]!.email!.toUpperCase()}`)).toEqual([4]);
    expect(await idsOf(`?phone=${data[0]!.phone!.slice(1)}`)).toEqual([4]);
    expect(await idsOf(`?created_after=${data[2]!.created_at}`)).toEqual([4, 3]);
    for (const sort of ['created_at', '-created_at', 'updated_at', '-updated_at']) {
      const all = await idsOf(`?sort=${sort}`);
      const read: number[] = [];
      for (let cursor = ''; ;) {
        const page = await calls.list(`?sort=${sort}&limit=2${cursor}`);
        read.push(...page.data.map(({ id }) => ids.indexOf(id)));
        if (page.next_cursor === undefined) break;
        cursor = `&cursor=${page.next_cursor}`;
      }
      expect([sort, read]).toEqual([sort, all]);
    }
  });

  it.each(['limit=0', 'limit=101', 'limit=x', 'cursor=x', 'sort=name', 'group_id=x', 'search=', 'created_after=now'])(
    'cannot be listed with %s',
    async (query) => {
      const [field] = query.split('=');
      expect(await calls.list(`?${query}`)).toMatchObject({
        status: 400,
        code: 'INVALID_REQUEST',
        fields: [{ field }],
      });
    },
  );

  it.each(['0000-01-01T00:00:00.000Z', '2026-02-30T00:00:00.000Z', '2026-01-01', ''])(
    'cannot be listed by update with a cursor of the time %j',
    async (at) => {
      const cursor = Buffer.from(`${newId()} ${at}`).toString('base64url');
      for (const sort of ['updated_at', '-updated_at']) {
        expect(await calls.list(`?sort=${sort}&cursor=${cursor}`)).toMatchObject({
          status: 400,
          code: 'INVALID_REQUEST',
          fields: [{ field: 'cursor' }],
        });
      }
    },
  );
});
