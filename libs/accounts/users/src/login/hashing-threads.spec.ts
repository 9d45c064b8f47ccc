import { readdirSync, readFileSync } from 'node:fs';
import { HashingThreads, type HashingKind } from './hashing-threads';

const NEW = { kind: 'new' as const, owner: 'new' };
const KNOWN = { kind: 'known' as const, owner: 'known' };
const COST = { memoryCost: 1_024, timeCost: 1, parallelism: 1 };

describe('the hashing threads', () => {
  it('continue after an invalid hash', async () => {
    const threads = new HashingThreads(1, 10);
    await expect(threads.verify('no hash', 'secret', NEW)).rejects.toThrow();
    expect(await threads.verify(await threads.hash('secret', COST, NEW), 'secret', NEW)).toBe(true);
  });

  it('reject calls when the queue is full', async () => {
    const threads = new HashingThreads(1, 1);
    const calls = await Promise.allSettled([1, 2, 3].map(() => threads.hash('secret', COST, NEW)));
    expect(calls.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect(calls[2]).toMatchObject({ reason: { code: 'RATE_LIMITED', headers: { 'Retry-After': '1' } } });
  });

  it('serve known browsers before logins without failures, and those before guessers', async () => {
    // One thread, so that hashes end in the order in which they start.
    const threads = new HashingThreads(1, 100);
    const ended: string[] = [];
    const hash = (kind: HashingKind, owner: string) =>
      threads.hash('secret', COST, { kind, owner }).then(() => ended.push(kind));
    const guessers = Array.from({ length: 3 }, (_, n) => hash('suspect', `network ${n}`));
    const registrations = Array.from({ length: 3 }, (_, n) => hash('new', `network ${n}`));
    const others = Array.from({ length: 3 }, (_, n) => hash('fresh', `other network ${n}`));
    const known = [hash('known', 'ann'), hash('known', 'bob')];
    await Promise.all([...guessers, ...registrations, ...others, ...known]);
    expect(ended).toEqual([
      // The first one found the thread idle.
      'suspect',
      'known',
      'fresh',
      'suspect',
      'new',
      'known',
      'fresh',
      'fresh',
      'suspect',
      'new',
      'new',
    ]);
  });

  it('keep the last thread free for logins without failures', async () => {
    const threads = new HashingThreads(2, 100);
    const ended: string[] = [];
    const hash = (kind: HashingKind, owner: string, cost: typeof COST) =>
      threads.hash('secret', cost, { kind, owner }).then(() => ended.push(kind));
    const slow = { ...COST, memoryCost: 65_536, timeCost: 6 };
    // Both threads are started.
    await Promise.all([threads.hash('secret', COST, KNOWN), threads.hash('secret', COST, KNOWN)]);
    const guessers = [hash('suspect', 'one network', slow), hash('suspect', 'another network', slow)];
    await Promise.all([...guessers, hash('known', 'ann', COST)]);
    expect(ended).toEqual(['known', 'suspect', 'suspect']);
  });

  it('serve a right password before logins as nobody, and report a wrong one as late as those', async () => {
    const threads = new HashingThreads(1, 100);
    const stored = await threads.hash('secret', COST, NEW);
    const ended: string[] = [];
    const end = (name: string) => () => ended.push(name);
    await Promise.all([
      ...[0, 1, 2].map((n) =>
        threads.verify(stored, 'guess', { kind: 'nobody', owner: `network ${n}` }).then(end(`nobody ${n}`)),
      ),
      threads.verifyFresh(stored, 'secret', 'home').then(end('right')),
      threads.verifyFresh(stored, 'wrong', 'hotel').then(end('wrong')),
    ]);
    // The first one found the thread idle.
    expect(ended).toEqual(['nobody 0', 'right', 'nobody 1', 'nobody 2', 'wrong']);
  });

  it('keep the last thread free from guessers and registrations together', async () => {
    const threads = new HashingThreads(2, 100);
    const ended: string[] = [];
    const hash = (kind: HashingKind, cost: typeof COST) =>
      threads.hash('secret', cost, { kind, owner: kind }).then(() => ended.push(kind));
    const slow = { ...COST, memoryCost: 65_536, timeCost: 6 };
    await Promise.all([threads.hash('secret', COST, KNOWN), threads.hash('secret', COST, KNOWN)]);
    await Promise.all([hash('suspect', slow), hash('new', slow), hash('nobody', slow), hash('known', COST)]);
    expect(ended[0]).toBe('known');
  });

  const onLinux = process.platform === 'linux' ? it : it.skip;
  onLinux('stand back behind the event loop', async () => {
    const before = niceThreads();
    await new HashingThreads(1, 1).hash('secret', COST, NEW);
    expect(niceThreads()).toBe(before + 1);
  });
});

/** Returns the number of threads of this process with a lower priority than the default. */
function niceThreads(): number {
  const nicenesses = readdirSync('/proc/self/task').map((thread) => {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8');
    // The name may contain any character, so parse after it: state is field 3, nice is field 19 (proc_pid_stat(5)).
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19 - 3]);
  });
  return nicenesses.filter((niceness) => niceness === 10).length;
}
