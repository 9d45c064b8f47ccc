import { newId } from '@heliograph/database';
import { EmailCatalogFixture, PAGE, refused } from './email-catalog.fixture';

let fixture: EmailCatalogFixture;
beforeAll(async () => {
  fixture = await EmailCatalogFixture.start();
});
afterAll(() => fixture.stop());
beforeEach(() => fixture.newOrganization());

const mainOnes = async () => {
  const { items } = await fixture.catalog.listSenders(fixture.dataSource.manager, fixture.organizationId, PAGE);
  return items.filter(({ isMain }) => isMain).map(({ address }) => address);
};

describe('a sender', () => {
  it('requires a domain of its organization, verified or not', async () => {
    const { id: domainId } = await fixture.domain();
    expect(await fixture.sender({ address: 'Hello@ACME.example' })).toMatchObject({
      address: 'Hello@acme.example',
      addressKey: 'hello@acme.example',
      domainId,
      name: 'Acme',
    });
    await fixture.domain('elsewhere.example', newId());
    for (const address of ['a@elsewhere.example', 'a@sub.acme.example', 'a@notacme.example']) {
      await expect(fixture.sender({ address })).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        message: expect.stringMatching(/^address: \S+ is not one of your domains\. Add it first/),
      });
    }
  });

  it('refuses an address that another sender has in upper or lower case', async () => {
    await fixture.domain();
    await fixture.sender();
    await expect(fixture.sender({ address: 'HELLO@acme.example' })).rejects.toMatchObject({
      code: 'NAME_TAKEN',
      message: expect.stringContaining('address is already used by another email sender'),
    });
  });

  it.each([
    { address: '' },
    { address: 'Acme <hello@acme.example>' },
    { address: 'a@acme.example\r\nBcc: b@acme.example' },
    { name: 'Acme\r\nBcc: b@acme.example' },
    { name: '' },
  ])('rejects the address %j', async (details) => {
    await fixture.domain();
    await expect(fixture.sender(details)).rejects.toEqual(refused('VALIDATION_ERROR'));
  });

  it('becomes the main sender as the first one, or on request', async () => {
    await fixture.domain();
    await fixture.sender({ address: 'first@acme.example' });
    await fixture.sender({ address: 'second@acme.example' });
    expect(await mainOnes()).toEqual(['first@acme.example']);
    const third = await fixture.sender({ address: 'third@acme.example', isMain: true });
    expect(await mainOnes()).toEqual(['third@acme.example']);
    const { items } = await fixture.catalog.listSenders(fixture.dataSource.manager, fixture.organizationId, PAGE);
    const change = (id: string, isMain: boolean) =>
      fixture.write((t) => fixture.catalog.changeSender(t, fixture.organizationId, id, { isMain }));
    expect(await change(items[0]!.id, true)).toMatchObject({ before: { isMain: false }, after: { isMain: true } });
    expect(await mainOnes()).toEqual(['first@acme.example']);
    await change(third.id, false);
    await expect(change(items[0]!.id, false)).rejects.toEqual(refused('STATE_CONFLICT'));
  });

  it('is the only main sender if many are created concurrently', async () => {
    await fixture.domain();
    await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        fixture.sender({ address: `a${index}@acme.example`, isMain: index % 2 === 0 }),
      ),
    );
    expect(await mainOnes()).toHaveLength(1);
  });

  it('can be removed, but the main sender only as the last one', async () => {
    await fixture.domain();
    const first = await fixture.sender({ address: 'first@acme.example' });
    const second = await fixture.sender({ address: 'second@acme.example' });
    const remove = (id: string) => fixture.write((t) => fixture.catalog.removeSender(t, fixture.organizationId, id));
    await expect(remove(first.id)).rejects.toEqual(refused('STATE_CONFLICT'));
    expect(await remove(second.id)).toEqual(second);
    expect(await remove(first.id)).toEqual(first);
    await fixture.sender({ address: 'third@acme.example' });
    expect(await mainOnes()).toEqual(['third@acme.example']);
  });

  it('can change or remove its name', async () => {
    await fixture.domain();
    const { id } = await fixture.sender();
    const change = (name: string | null) =>
      fixture.write((t) => fixture.catalog.changeSender(t, fixture.organizationId, id, { name }));
    expect((await change('Acme Inc')).after).toMatchObject({ name: 'Acme Inc', isMain: true });
    expect((await change(null)).after.name).toBeNull();
    await expect(change('a\nb')).rejects.toEqual(refused('VALIDATION_ERROR'));
  });

  it('is identified by its address and remains the main sender until another one requests it', async () => {
    await fixture.domain();
    const put = (address: string, isMain = false) =>
      fixture.write((t) => fixture.catalog.putSender(t, fixture.organizationId, { address, name: 'Acme', isMain }));
    const first = await put('first@acme.example');
    expect(await put('First@acme.example')).toMatchObject({
      id: first.id,
      isMain: true,
      address: 'First@acme.example',
    });
    await put('second@acme.example', true);
    expect(await put('first@acme.example')).toMatchObject({ id: first.id, isMain: false });
    expect(await mainOnes()).toEqual(['second@acme.example']);
    const before = await fixture.database.query('SELECT * FROM email.senders WHERE organization_id = $1', [
      fixture.organizationId,
    ]);
    await put('second@acme.example', true);
    expect(
      await fixture.database.query('SELECT * FROM email.senders WHERE organization_id = $1', [fixture.organizationId]),
    ).toEqual(before);
  });
});
