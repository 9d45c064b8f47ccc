import { newId } from '@heliograph/database';
import { PersonHasher, readPersonAddress } from './person-hash';

const KEY = 'k'.repeat(32);

describe('a person', () => {
  it.each([
    ['Ann@Example.COM', { kind: 'email', value: 'ann@example.com' }],
    ['+919876543210', { kind: 'phone', value: '+919876543210' }],
    ['919876543210', { kind: 'phone', value: '+919876543210' }],
    ['Ann <ann@example.com>', null],
    ['nobody', null],
    ['', null],
  ])('is parsed from %j', (text, address) => {
    expect(readPersonAddress(text)).toEqual(address);
  });

  it('has a hash that depends only on the key, the organization, the kind and the address', () => {
    const one = newId();
    const other = newId();
    const ann = { kind: 'email', value: 'ann@example.com' } as const;
    const hash = (key: string, organization: string, address = ann as never) =>
      new PersonHasher([key]).hashesOf(organization, address)[0]?.toString('hex');
    const all = [
      hash(KEY, one),
      hash('o'.repeat(32), one),
      hash(KEY, other),
      hash(KEY, one, { ...ann, kind: 'phone' } as never),
      hash(KEY, one, { ...ann, value: 'bob@example.com' } as never),
    ];
    expect(new Set(all).size).toBe(all.length);
    expect(hash(KEY, one)).toBe(hash(KEY, one));
    expect(new PersonHasher([KEY, 'o'.repeat(32)]).hashesOf(one, ann)).toHaveLength(2);
  });
});
