import { until } from '@heliograph/testing';
import { SendTurns, type SendTurnsOptions } from './send-turns';

const turns = (options: Partial<SendTurnsOptions> = {}): SendTurns =>
  new SendTurns({ slots: 2, perSecond: 0, pairBurst: 0, pairIntervalMs: 1, maxWaitMs: 20_000, ...options });

describe('turns to send', () => {
  it('are given at once while there is room', async () => {
    const shared = turns();
    const first = await shared.take('a', '+1');
    await shared.take('a', '+2');
    expect(shared.inFlight).toBe(2);
    first();
    first();
    expect(shared.inFlight).toBe(1);
  });

  it('go around the workspaces: a crowd does not make another wait', async () => {
    const shared = turns({ slots: 1 });
    const order: string[] = [];
    const release = await shared.take('first', '+1');
    const send = async (workspace: string, number: string): Promise<void> => {
      const done = await shared.take(workspace, number);
      order.push(workspace);
      done();
    };
    const crowd = Array.from({ length: 50 }, (_, i) => send('crowd', `+1${i}`));
    const other = send('other', '+2');
    expect(shared.depth).toBe(51);
    release();
    await Promise.all([...crowd, other]);
    expect(order.indexOf('other')).toBeLessThanOrEqual(1);
    expect([shared.depth, shared.inFlight]).toEqual([0, 0]);
  });

  it('come at the pace of the account', async () => {
    const shared = turns({ slots: 1_000, perSecond: 100 });
    const startedAt = performance.now();
    await Promise.all(Array.from({ length: 30 }, (_, i) => shared.take('a', `+${i}`)));
    // Ten may go at once, the other twenty need 200 ms.
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(190);
  });

  it('that do not come in time are refused, with when to come again', async () => {
    const shared = turns({ slots: 1, maxWaitMs: 20 });
    const release = await shared.take('a', '+1');
    await expect(shared.take('a', '+2')).rejects.toMatchObject({
      code: 'CHATAPP_RATE_LIMITED',
      headers: { 'Retry-After': '1' },
    });
    expect(shared.depth).toBe(0);
    release();
    await shared.take('a', '+3');
    expect(shared.inFlight).toBe(1);
  });

  it('to one number keep their pace, and others do not wait for them', async () => {
    const shared = turns({ pairBurst: 1, pairIntervalMs: 60_000, maxWaitMs: 1_000 });
    (await shared.take('a', '+1'))();
    await expect(shared.take('a', '+1')).rejects.toMatchObject({
      code: 'CHATAPP_RATE_LIMITED',
      headers: { 'Retry-After': '60' },
    });
    (await shared.take('a', '+2'))();
  });

  it('lost by a deadline are passed over, not given', async () => {
    const shared = turns({ slots: 1, maxWaitMs: 30 });
    const release = await shared.take('a', '+1');
    const late = shared.take('a', '+2').catch((error: unknown) => error);
    await until('the deadline is over', () => shared.depth === 0);
    const next = shared.take('b', '+3');
    release();
    await next;
    expect(await late).toBeInstanceOf(Error);
    expect(shared.inFlight).toBe(1);
  });
});
