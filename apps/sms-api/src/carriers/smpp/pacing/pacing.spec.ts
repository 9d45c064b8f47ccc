import type { JobKind } from '@heliograph/contracts';
import fc from 'fast-check';
import { reconnectDelayMs } from './reconnect-delay';
import { SlotWaiters } from './slot-waiters';
import { ThrottlePause, throttlePauseMs } from './throttle-pause';

describe('ThrottlePause', () => {
  it('doubles from 250 ms, stays below five seconds and resets after an accepted submit', () => {
    expect([0, 1, 2, 3, 4, 50].map(throttlePauseMs)).toEqual([250, 500, 1_000, 2_000, 4_000, 4_000]);
    const pause = new ThrottlePause();
    pause.throttled(0);
    expect(pause.waitMs(0)).toBe(250);
    pause.throttled(300);
    expect(pause.waitMs(300)).toBe(500);
    pause.accepted(900);
    pause.throttled(1_000);
    expect(pause.waitMs(1_000)).toBe(250);
  });

  it('counts the throttled responses of one window once', () => {
    const pause = new ThrottlePause();
    for (let count = 0; count < 50; count += 1) pause.throttled(count);
    expect(pause.waitMs(0)).toBe(250);
  });

  it('lets single submits probe the carrier after a pause, until one is accepted', () => {
    const pause = new ThrottlePause();
    expect(pause.throttled(0)).toBe(true);
    pause.started(250);
    expect(pause.waitMs(250)).toBe(250);
    expect(pause.throttled(260)).toBe(false);
    expect(pause.waitMs(260)).toBe(500);
    pause.started(800);
    pause.accepted(810);
    expect(pause.waitMs(810)).toBe(0);
    pause.started(811);
    expect(pause.waitMs(811)).toBe(0);
  });

  it('ignores responses to submits sent before the pause', () => {
    const pause = new ThrottlePause();
    pause.throttled(0);
    pause.accepted(10);
    expect(pause.waitMs(10)).toBe(240);
    pause.throttled(260);
    expect(pause.waitMs(260)).toBe(500);
  });
});

describe('reconnectDelayMs', () => {
  it('applies full jitter over an exponential, bounded range', () => {
    expect(reconnectDelayMs(0, 500, 30_000, 0.999)).toBeCloseTo(499.5);
    expect(reconnectDelayMs(3, 500, 30_000, 0.5)).toBe(2_000);
    fc.assert(
      fc.property(fc.nat(10_000), fc.double({ min: 0, max: 0.999, noNaN: true }), (failures, random) => {
        const delayMs = reconnectDelayMs(failures, 500, 30_000, random);
        return delayMs >= 0 && delayMs <= 30_000;
      }),
    );
  });
});

describe('SlotWaiters', () => {
  const waiting = (waiters: SlotWaiters) => {
    const order: string[] = [];
    const all: Promise<unknown>[] = [];
    const wait = (kind: JobKind, organizationId: string, deadlineMs = 100) =>
      all.push(
        waiters
          .wait({ kind, organizationId }, deadlineMs)
          .then((granted) => granted && order.push(`${kind} ${organizationId}`)),
      );
    return { order, all, wait };
  };

  it('grants slots to the organizations in turn, and expires waiters at their deadline', async () => {
    const waiters = new SlotWaiters();
    const { order, all, wait } = waiting(waiters);
    for (let count = 0; count < 50; count += 1) wait('single', 'a');
    wait('single', 'b', 50);
    wait('single', 'c');
    waiters.expire(60);
    expect(waiters.size).toBe(51);
    for (let count = 0; count < 3; count += 1) waiters.grant();
    waiters.expire(100);
    await Promise.all(all);
    expect(order).toEqual(['single a', 'single c', 'single a']);
    expect(waiters.size).toBe(0);
  });

  it('shares slots by the weights of the kinds', async () => {
    const waiters = new SlotWaiters({ single: 3, bulk: 1, campaign: 1 });
    const { order, all, wait } = waiting(waiters);
    for (let count = 0; count < 20; count += 1) wait('campaign', 'a');
    for (let count = 0; count < 20; count += 1) wait('single', 'b');
    for (let count = 0; count < 8; count += 1) waiters.grant();
    waiters.expire(100);
    await Promise.all(all);
    expect(order.filter((name) => name === 'single b')).toHaveLength(6);
    expect(order.slice(0, 2)).toContain('single b');
  });

  it('forgets expired waiters, so that a carrier that accepts nothing costs no memory', async () => {
    const waiters = new SlotWaiters();
    const { all, wait } = waiting(waiters);
    for (let round = 0; round < 20; round += 1) {
      for (let count = 0; count < 500; count += 1) wait('single', 'a', round);
      waiters.expire(round);
    }
    await Promise.all(all);
    expect((waiters as unknown as { queue: { size: number } }).queue.size).toBeLessThanOrEqual(1_500);
  });
});
