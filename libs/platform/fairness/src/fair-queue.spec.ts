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
    for (let i = 0; i < 12; i++) {
      queue.push(['campaign', 'acme'], 'c');
      queue.push(['bulk', 'acme'], 'b');
      queue.push(['single', 'acme'], 's');
    }
    const served = drain(queue).slice(0, 12);
    const count = (kind: string) => served.filter((item) => item === kind).length;
    expect([count('s'), count('b'), count('c')]).toEqual([6, 4, 2]);
  });

  it('serves a heavy kind next when its first entry arrives, and an absent kind saves up no turns', () => {
    const queue = new FairQueue<string>({ single: 4, campaign: 1 });
    for (let i = 0; i < 20; i++) queue.push(['campaign', 'acme'], 'c');
    for (let i = 0; i < 5; i++) queue.shift();
    for (let i = 0; i < 20; i++) queue.push(['single', 'other'], 's');
    expect(drain(queue).slice(0, 11).join('')).toMatch(/^s{4,5}cs{4}c/);
  });

  it('a kind that is not allowed for a while saves up no turns', () => {
    const queue = new FairQueue<string>({ single: 2, campaign: 2 });
    for (let i = 0; i < 20; i++) {
      queue.push(['campaign', 'acme'], 'c');
      queue.push(['single', 'other'], 's');
    }
    for (let i = 0; i < 6; i++) expect(queue.shift((item) => item === 's')).toBe('s');
    const served = drain(queue).slice(0, 8);
    expect(served.filter((item) => item === 'c').length).toBeLessThanOrEqual(5);
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
