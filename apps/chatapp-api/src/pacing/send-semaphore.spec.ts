import { until } from '@heliograph/testing';
import { SendSemaphore, type SendSemaphoreOptions } from './send-semaphore';

const createSemaphore = (options: Partial<SendSemaphoreOptions> = {}): SendSemaphore =>
  new SendSemaphore({ slots: 2, perSecond: 0, pairBurst: 0, pairIntervalMs: 1, maxWaitMs: 20_000, ...options });

describe('SendSemaphore', () => {
  it('acquires slots immediately while some are free', async () => {
    const semaphore = createSemaphore();
    const first = await semaphore.acquire('a', '+1');
    await semaphore.acquire('a', '+2');
    expect(semaphore.inFlight).toBe(2);
    first();
    first();
    expect(semaphore.inFlight).toBe(1);
  });

  it('serves the organizations in turn, so that a busy organization does not delay another', async () => {
    const semaphore = createSemaphore({ slots: 1 });
    const order: string[] = [];
    const release = await semaphore.acquire('first', '+1');
    const send = async (organization: string, number: string): Promise<void> => {
      const release = await semaphore.acquire(organization, number);
      order.push(organization);
      release();
    };
    const crowd = Array.from({ length: 50 }, (_, i) => send('crowd', `+1${i}`));
    const other = send('other', '+2');
    expect(semaphore.depth).toBe(51);
    release();
    await Promise.all([...crowd, other]);
    expect(order.indexOf('other')).toBeLessThanOrEqual(1);
    expect([semaphore.depth, semaphore.inFlight]).toEqual([0, 0]);
  });

  it('limits the rate of the account', async () => {
    const semaphore = createSemaphore({ slots: 1_000, perSecond: 100 });
    const startedAt = performance.now();
    await Promise.all(Array.from({ length: 30 }, (_, i) => semaphore.acquire('a', `+${i}`)));
    // Ten are allowed immediately; the other twenty need 200 ms.
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(190);
  });

  it('rejects with Retry-After when no slot becomes free in time', async () => {
    const semaphore = createSemaphore({ slots: 1, maxWaitMs: 20 });
    const release = await semaphore.acquire('a', '+1');
    await expect(semaphore.acquire('a', '+2')).rejects.toMatchObject({
      code: 'CHATAPP_RATE_LIMITED',
      headers: { 'Retry-After': '1' },
    });
    expect(semaphore.depth).toBe(0);
    release();
    await semaphore.acquire('a', '+3');
    expect(semaphore.inFlight).toBe(1);
  });

  it('limits the rate per number without delaying other numbers', async () => {
    const semaphore = createSemaphore({ pairBurst: 1, pairIntervalMs: 60_000, maxWaitMs: 1_000 });
    (await semaphore.acquire('a', '+1'))();
    await expect(semaphore.acquire('a', '+1')).rejects.toMatchObject({
      code: 'CHATAPP_RATE_LIMITED',
      headers: { 'Retry-After': '60' },
    });
    (await semaphore.acquire('a', '+2'))();
  });

  it('skips waiters whose deadline has passed', async () => {
    const semaphore = createSemaphore({ slots: 1, maxWaitMs: 30 });
    const release = await semaphore.acquire('a', '+1');
    const late = semaphore.acquire('a', '+2').catch((error: unknown) => error);
    await until('the deadline has passed', () => semaphore.depth === 0);
    const next = semaphore.acquire('b', '+3');
    release();
    await next;
    expect(await late).toBeInstanceOf(Error);
    expect(semaphore.inFlight).toBe(1);
  });
});
