import fc from 'fast-check';
import { FairQueue } from './fair-queue';

const drain = <T>(queue: FairQueue<T>): T[] => {
  const items: T[] = [];
  for (let item = queue.shift(); item !== undefined; item = queue.shift()) items.push(item);
  return items;
};

describe('a fair queue', () => {
  it('alternates between tenants and between the sends of a tenant', () => {
    const queue = new FairQueue<string>();
    for (let i = 0; i < 3; i++) queue.push('acme', 'large', `large-${i}`);
    queue.push('acme', 'small', 'small');
    queue.push('other', 'one', 'other');
    expect(drain(queue)).toEqual(['large-0', 'other', 'small', 'large-1', 'large-2']);
  });

  it('returns every entry once, and the entries of a send in order', () => {
    const pushed = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('x', 'y')), { maxLength: 60 });
    fc.assert(
      fc.property(pushed, (pairs) => {
        const queue = new FairQueue<{ lane: string; number: number }>();
        pairs.forEach(([tenant, send], number) => queue.push(tenant, send, { lane: `${tenant} ${send}`, number }));
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

  it('lets a tenant wait for at most one turn of each other tenant', () => {
    const queue = new FairQueue<string>();
    for (let i = 0; i < 1_000; i++) queue.push('crowd', `send-${i % 50}`, 'crowd');
    queue.push('late', 'one', 'late');
    expect([queue.shift(), queue.shift()]).toEqual(['crowd', 'late']);
  });
});
