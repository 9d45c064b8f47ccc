import { readdirSync, readFileSync } from 'node:fs';
import { HashingThreads } from './hashing-threads';

const COST = { memoryCost: 1_024, timeCost: 1, parallelism: 1 };

describe('the hashing threads', () => {
  it('continue after an invalid hash', async () => {
    const threads = new HashingThreads(1, 10);
    await expect(threads.verify('no hash', 'secret')).rejects.toThrow();
    expect(await threads.verify(await threads.hash('secret', COST), 'secret')).toBe(true);
  });

  it('reject calls when the queue is full', async () => {
    const threads = new HashingThreads(1, 1);
    const calls = await Promise.allSettled([1, 2, 3].map(() => threads.hash('secret', COST)));
    expect(calls.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect(calls[2]).toMatchObject({ reason: { code: 'SERVICE_UNAVAILABLE' } });
  });

  const onLinux = process.platform === 'linux' ? it : it.skip;
  onLinux('stand back behind the event loop', async () => {
    const before = niceThreads();
    await new HashingThreads(1, 1).hash('secret', COST);
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
