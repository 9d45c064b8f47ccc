import { Registry } from 'prom-client';
import { newId } from '../ids';
import { LanedGroupCommit } from './laned-group-commit';

const metric = () => ({ name: 'commit_size', help: 'Items per commit', registry: new Registry() });

describe('a laned group commit', () => {
  it('uses one lane for all items of an id, and several lanes concurrently', async () => {
    const running = new Set<string>();
    let together = 0;
    const commit = new LanedGroupCommit<{ id: string; n: number }, number>({
      lanes: 4,
      laneOf: ({ id }) => id,
      ownerOf: ({ id }) => id,
      metric: metric(),
      flush: async (items) => {
        for (const id of new Set(items.map((item) => item.id))) {
          expect(running.has(id)).toBe(false);
          running.add(id);
        }
        together = Math.max(together, running.size);
        await new Promise((resolve) => setImmediate(resolve));
        for (const { id } of items) running.delete(id);
        return items.map(({ n }) => n * 2);
      },
    });
    const ids = Array.from({ length: 20 }, newId);
    const items = Array.from({ length: 200 }, (_, n) => ({ id: ids[n % ids.length] ?? '', n }));
    const results = await Promise.all(
      items.map(async (item, index) => {
        if (index % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
        return commit.submit(item);
      }),
    );
    expect(results).toEqual(items.map(({ n }) => n * 2));
    expect(together).toBeGreaterThan(1);
    await commit.drain();
  });

  it('throws for an item whose lane is not a UUID', () => {
    const commit = new LanedGroupCommit({
      lanes: 2,
      laneOf: () => 'zz',
      ownerOf: () => 'zz',
      metric: metric(),
      flush: async () => [],
    });
    expect(() => commit.submit({})).toThrow(/must be a UUID/);
  });
});
