import fc from 'fast-check';
import { FairQueue } from './fair-queue';

const drain = <T>(queue: FairQueue<T>): T[] => {
  const items: T[] = [];
  for (let item = queue.shift(); item !== undefined; item = queue.shift()) items.push(item);
  return items;
};

describe('a fair queue', () => {
  it('alternates between the keys of each level', () => {
    const queue = new FairQueue<string>();
    for (let i = 0; i < 3; i++) queue.push(['acme', 'large'], `large-${i}`);
    queue.push(['acme', 'small'], 'small');
    queue.push(['other', 'one'], 'other');
    expect(drain(queue)).toEqual(['large-0', 'other', 'small', 'large-1', 'large-2']);
  });

  it('serves the kinds by weight, and starves none', () => {
    const queue = new FairQueue<string>({ single: 3, bulk: 2 });
    for (let i = 0; i < 7; i++) {
      queue.push(['campaign', 'acme'], 'c');
      queue.push(['bulk', 'acme'], 'b');
      queue.push(['single', 'acme'], 's');
    }
    expect(drain(queue).join('')).toBe('cbbsss' + 'cbbsss' + 'cbbs' + 'cb' + 'ccc');
  });

  it('lets an organization wait for at most one turn of each other organization', () => {
    const queue = new FairQueue<string>();
    for (let i = 0; i < 1_000; i++) queue.push(['crowd', `send-${i % 50}`], 'crowd');
    queue.push(['late', 'one'], 'late');
    expect([queue.shift(), queue.shift()]).toEqual(['crowd', 'late']);
  });

  it('skips lanes that are not allowed, and they keep their place', () => {
    const queue = new FairQueue<string>();
    queue.push(['single', 'busy'], 'busy 1');
    queue.push(['single', 'busy'], 'busy 2');
    queue.push(['single', 'other'], 'other');
    expect(queue.shift((item) => !item.startsWith('busy'))).toBe('other');
    expect(queue.shift(() => false)).toBeUndefined();
    expect(queue.size).toBe(2);
    expect(drain(queue)).toEqual(['busy 1', 'busy 2']);
  });

  it('refuses lanes of different depths', () => {
    const queue = new FairQueue<number>();
    queue.push(['single', 'acme'], 1);
    expect(() => queue.push(['single'], 2)).toThrow('same number of keys');
    expect(() => queue.push(['single', 'acme', 'send'], 2)).toThrow('same number of keys');
    expect(drain(queue)).toEqual([1]);
  });

  it('returns every entry once, and the entries of a lane in order', () => {
    const key = fc.constantFrom('a', 'b', 'c');
    const pushed = fc.array(fc.tuple(key, key), { maxLength: 60 });
    const weights = fc.dictionary(key, fc.integer({ min: 1, max: 4 }));
    fc.assert(
      fc.property(pushed, weights, (pairs, weightOf) => {
        const queue = new FairQueue<{ lane: string; number: number }>(weightOf);
        pairs.forEach(([kind, owner], number) => queue.push([kind, owner], { lane: `${kind} ${owner}`, number }));
        expect(queue.size).toBe(pairs.length);
        const items = drain(queue);
        expect(items.map(({ number }) => number).sort((a, b) => a - b)).toEqual(pairs.map((_, number) => number));
        for (const lane of new Set(items.map((item) => item.lane))) {
          const numbers = items.filter((item) => item.lane === lane).map(({ number }) => number);
          expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
        }
        expect(queue.size).toBe(0);
      }),
    );
  });
});
