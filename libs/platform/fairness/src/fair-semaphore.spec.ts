import fc from 'fast-check';
import { Registry } from 'prom-client';
import { FairSemaphore, type FairSemaphoreOptions } from './fair-semaphore';
import { LaneObserver } from './lane-observer';

type Kind = 'read' | 'write';
type Release = () => void;

class Setup {
  readonly registry = new Registry();
  readonly logged: object[] = [];
  readonly semaphore: FairSemaphore<Kind>;
  /** Owners in the order in which their entries started. */
  readonly started: string[] = [];
  private readonly releases = new Map<string, Release[]>();

  constructor(options: Partial<FairSemaphoreOptions<Kind>> = {}) {
    const observer = new LaneObserver(this.registry, { warn: (fields) => this.logged.push(fields) });
    const kinds = {
      read: { weight: 1, maxWaiting: 100 },
      write: { weight: 1, maxWaiting: 3, maxPerOwner: 2 },
    };
    this.semaphore = new FairSemaphore({ stage: 'test', slots: 6, kinds, ...options }, observer);
  }

  /** Resolves when the entries that may start have started. */
  async enter(owner: string, count = 1, kind: Kind = 'read'): Promise<void> {
    for (let i = 0; i < count; i++) {
      void this.semaphore.acquire(kind, owner).then((release) => {
        this.started.push(owner);
        const releases = this.releases.get(owner) ?? [];
        releases.push(release);
        this.releases.set(owner, releases);
      });
    }
    await settled();
  }

  async leave(owner: string): Promise<void> {
    this.releases.get(owner)?.shift()?.();
    await settled();
  }

  running(owner: string): number {
    return this.releases.get(owner)?.length ?? 0;
  }
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a fair semaphore', () => {
  it('gives all slots to an owner that is alone', async () => {
    const setup = new Setup();
    await setup.enter('a', 8);
    expect(setup.running('a')).toBe(6);
    await setup.leave('a');
    expect([setup.running('a'), setup.semaphore.depth, setup.semaphore.inUse]).toEqual([6, 1, 6]);
  });

  it('keeps spare slots, so that the first entry of another owner never waits', async () => {
    const setup = new Setup({ spareSlots: 1 });
    await setup.enter('a', 20);
    expect(setup.running('a')).toBe(5);
    await setup.enter('b');
    expect(setup.running('b')).toBe(1);
  });

  it('gives freed slots to the owner below its share, until the shares are equal', async () => {
    const setup = new Setup();
    await setup.enter('a', 30);
    await setup.enter('b', 30);
    for (let i = 0; i < 3; i++) await setup.leave('a');
    expect([setup.running('a'), setup.running('b')]).toEqual([3, 3]);
    await setup.leave('b');
    await setup.leave('a');
    expect([setup.running('a'), setup.running('b')]).toEqual([3, 3]);
  });

  it('gives a slot that the other owner does not want to the owner that waits', async () => {
    const setup = new Setup();
    await setup.enter('b');
    await setup.enter('a', 30);
    expect([setup.running('a'), setup.running('b')]).toEqual([5, 1]);
  });

  it('serves waiting owners in turn', async () => {
    const setup = new Setup({ slots: 1 });
    await setup.enter('a', 50);
    await setup.enter('b', 2);
    await setup.enter('c', 1);
    for (const owner of ['a', 'a', 'b', 'c', 'a']) await setup.leave(owner);
    expect(setup.started.join('')).toBe('aabcab');
  });

  it('limits one kind of an owner without holding back its other kinds', async () => {
    const setup = new Setup();
    await setup.enter('a', 5, 'write');
    expect(setup.running('a')).toBe(2);
    await setup.enter('a', 1, 'read');
    expect(setup.running('a')).toBe(3);
  });

  it('limits one kind of all owners together', async () => {
    const kinds = { read: { weight: 1, maxWaiting: 100 }, write: { weight: 1, maxWaiting: 100, maxConcurrent: 2 } };
    const setup = new Setup({ kinds });
    for (const owner of ['a', 'b', 'c']) await setup.enter(owner, 1, 'write');
    expect([setup.running('a'), setup.running('b'), setup.running('c')]).toEqual([1, 1, 0]);
    await setup.enter('d');
    expect(setup.running('d')).toBe(1);
    await setup.leave('a');
    expect(setup.running('c')).toBe(1);
  });

  it('limits the kinds of one pool together', async () => {
    const inPool = { weight: 1, maxWaiting: 100, maxConcurrent: 2, pool: 'both' };
    const setup = new Setup({ kinds: { read: inPool, write: inPool } });
    await setup.enter('a', 1, 'write');
    await setup.enter('b', 1, 'read');
    await setup.enter('c', 1, 'read');
    expect([setup.running('a'), setup.running('b'), setup.running('c')]).toEqual([1, 1, 0]);
    await setup.leave('a');
    expect(setup.running('c')).toBe(1);
  });

  it('gives a noisy owner few slots while the process is saturated, and the others as many as they want', async () => {
    let isSaturated = true;
    const setup = new Setup({ saturation: { isSaturated: () => isSaturated, maxOfNoisyOwner: 2 } });
    await setup.enter('a', 12);
    expect(setup.running('a')).toBe(6);
    await setup.enter('b', 3);
    for (let n = 0; n < 5; n++) await setup.leave('a');
    expect([setup.running('a'), setup.running('b')]).toEqual([2, 3]);
    isSaturated = false;
    await setup.leave('b');
    expect([setup.running('a'), setup.running('b')]).toEqual([4, 2]);
  });

  it('never refuses the rest of a call that had an effect', async () => {
    const setup = new Setup({
      slots: 1,
      maxWaitMs: 0,
      kinds: { read: { weight: 1, maxWaiting: 0 }, write: { weight: 1, maxWaiting: 0 } },
    });
    await setup.enter('a');
    const rest = setup.semaphore.acquire('read', 'a', { isRefusable: false });
    await expect(setup.semaphore.acquire('read', 'a')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    await setup.leave('a');
    (await rest)();
    expect(setup.semaphore.inUse).toBe(0);
  });

  it('refuses an entry of a full lane with Retry-After, counts it by kind and logs the owner', async () => {
    const setup = new Setup();
    await setup.enter('a', 5, 'write');
    await expect(setup.semaphore.acquire('write', 'a')).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      headers: { 'Retry-After': '1' },
    });
    await expect(setup.semaphore.acquire('write', 'a')).rejects.toThrow();
    await setup.enter('b', 1, 'write');
    expect(setup.running('b')).toBe(1);
    const metrics = await setup.registry.metrics();
    expect(metrics).toContain('lane_waiting{stage="test",kind="write"} 3');
    expect(metrics).toContain('lane_refused_total{stage="test",kind="write"} 2');
    expect(metrics).not.toContain('"a"');
    expect(setup.logged).toEqual([{ stage: 'test', kind: 'write', owner: 'a', how: 'refused' }]);
  });

  it('refuses entries that have waited too long when their turn comes', async () => {
    const setup = new Setup({ slots: 1, maxWaitMs: 5 });
    await setup.enter('a');
    const late = setup.semaphore.acquire('read', 'b').catch((error: unknown) => error);
    await new Promise((resolve) => setTimeout(resolve, 10));
    await setup.leave('a');
    await expect(late).resolves.toMatchObject({ code: 'RATE_LIMITED' });
    await setup.enter('c');
    expect([setup.running('c'), setup.semaphore.inUse, setup.semaphore.depth]).toEqual([1, 1, 0]);
  });

  it('releases a slot once, also after a failure', async () => {
    const { semaphore } = new Setup();
    await expect(semaphore.run('read', 'a', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    const release = await semaphore.acquire('read', 'a');
    release();
    release();
    expect(semaphore.inUse).toBe(0);
  });

  it('never exceeds its limits, and runs every entry, for any sequence of calls', async () => {
    const steps = fc.array(
      fc.record({
        owner: fc.constantFrom('a', 'b', 'c', 'd'),
        kind: fc.constantFrom<Kind>('read', 'write'),
        isEnter: fc.boolean(),
      }),
      { maxLength: 80 },
    );
    await fc.assert(
      fc.asyncProperty(steps, fc.integer({ min: 0, max: 2 }), async (calls, spareSlots) => {
        const setup = new Setup({
          slots: 4,
          spareSlots,
          kinds: { read: { weight: 1, maxWaiting: 100 }, write: { weight: 2, maxWaiting: 100, maxPerOwner: 1 } },
        });
        const owners = ['a', 'b', 'c', 'd'];
        let entered = 0;
        for (const { owner, kind, isEnter } of calls) {
          if (isEnter) entered++;
          await (isEnter ? setup.enter(owner, 1, kind) : setup.leave(owner));
          expect(setup.semaphore.inUse).toBeLessThanOrEqual(4);
          // While no slot is in use, no entry may wait.
          if (setup.semaphore.inUse === 0) expect(setup.semaphore.depth).toBe(0);
        }
        while (setup.semaphore.inUse > 0) for (const owner of owners) await setup.leave(owner);
        expect(setup.started).toHaveLength(entered);
      }),
      { numRuns: 30 },
    );
  });
});
