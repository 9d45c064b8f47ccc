import type { PreparedEndpoint } from './deliverer';
import { HeldEndpoint } from './held-endpoint';
import type { DueDelivery, Endpoint } from './queue.repository';

const prepared: PreparedEndpoint = { target: { origin: 'https://example.com', path: '/' }, sign: () => ({}) };
const AT = new Date('2026-11-25T00:00:00Z');
const FAR = 1_000_000;
const ROW: Endpoint = {
  id: 's',
  organizationId: 'o',
  url: '',
  headers: {},
  secret: '',
  previousSecret: null,
  failuresInRow: 0,
  openUntil: null,
};

let count = 0;
const due = (length: number): DueDelivery[] =>
  Array.from({ length }, () => ({
    id: `delivery ${count++}`,
    subscriptionId: 's',
    eventId: 'e',
    tried: 0,
    firstTriedAt: null,
    body: '{}',
  }));

const held = (change: Partial<Endpoint> = {}, startsUntil = FAR): HeldEndpoint => {
  const endpoint = new HeldEndpoint('s', startsUntil);
  endpoint.startPreparing();
  endpoint.prepare({ ...ROW, ...change }, prepared, AT, 0);
  return endpoint;
};

/** Starts as many requests as are allowed, and returns the ids of the deliveries. */
const start = (endpoint: HeldEndpoint, now = 0): string[] => {
  const ids: string[] = [];
  for (let next = endpoint.next(now); next; next = endpoint.next(now)) ids.push(next.delivery.id);
  return ids;
};

it('posts at most 10 deliveries at a time, and counts a request until it ends', () => {
  const endpoint = held();
  endpoint.add(due(25), 25, 0);
  const first = start(endpoint);
  expect(first).toHaveLength(10);
  for (const id of first.slice(0, 2)) endpoint.end(id, true);
  expect(start(endpoint)).toHaveLength(2);
  expect(endpoint.knownIds.size).toBe(25);
  endpoint.forget(first[0]!);
  expect(endpoint.knownIds.size).toBe(24);
});

it('reads more deliveries at a time while they are started quickly, and few again when they wait', () => {
  const endpoint = held();
  const drain = (now: number): number => {
    const wanted = endpoint.wanted();
    endpoint.add(due(wanted), wanted, now);
    while (endpoint.hasWaiting) {
      for (const id of start(endpoint, now)) {
        endpoint.end(id, true);
        endpoint.forget(id);
      }
    }
    return wanted;
  };
  expect(Array.from({ length: 7 }, () => drain(0))).toEqual([10, 20, 40, 80, 160, 200, 200]);
  endpoint.add(due(200), 200, 0);
  expect(endpoint.next(1_500)).toBeNull();
  expect(endpoint.wanted()).toBe(10);
});

it('forgets waiting deliveries when its lease nears the end, and waits for others when there are no more', () => {
  const endpoint = held({}, 500);
  endpoint.add(due(3), 10, 400);
  expect(endpoint.wanted()).toBe(0);
  expect(endpoint.next(501)).toBeNull();
  expect([endpoint.knownIds.size, endpoint.wanted(), endpoint.isIdle]).toEqual([0, 10, false]);
  endpoint.add([], 10, 501);
  endpoint.wake();
  expect(endpoint.isIdle).toBe(true);
});

it('starts nothing after a failure until the result is stored', () => {
  const endpoint = held();
  endpoint.add(due(12), 12, 0);
  const [failed] = start(endpoint);
  endpoint.end(failed!, false);
  expect([start(endpoint), endpoint.wantsRead, endpoint.knownIds.size]).toEqual([[], false, 10]);
  endpoint.forget(failed!);
  expect([endpoint.wantsRead, endpoint.isUnprepared(0)]).toEqual([true, true]);
});

it('does not use a state that was read before a request failed', () => {
  const endpoint = held();
  endpoint.add(due(1), 10, 0);
  const [failed] = start(endpoint);
  endpoint.startPreparing();
  endpoint.end(failed!, false);
  endpoint.wake();
  expect([endpoint.isUnprepared(0), endpoint.wantsRead]).toEqual([false, false]);
  endpoint.forget(failed!);
  endpoint.prepare(ROW, prepared, AT, 0);
  expect([endpoint.isUnprepared(0), endpoint.wanted()]).toEqual([true, 0]);
});

it('ignores deliveries that were read while a request failed', () => {
  const endpoint = held();
  endpoint.add(due(1), 10, 0);
  const [failed] = start(endpoint);
  endpoint.end(failed!, false);
  endpoint.add(due(9), 9, 0);
  expect([endpoint.hasWaiting, endpoint.knownIds.size]).toEqual([false, 1]);
  endpoint.forget(failed!);
  expect([endpoint.wantsRead, endpoint.knownIds.size]).toEqual([true, 0]);
});

it.each([
  ['10 minus the unfinished ones for an endpoint that fails', { failuresInRow: 3 }, 10],
  ['one to probe a circuit', { failuresInRow: 10, openUntil: AT }, 1],
  ['none for an open circuit', { failuresInRow: 10, openUntil: new Date(AT.getTime() + 1) }, 0],
])('reads %s', (_name, state, expected) => {
  const endpoint = held(state);
  expect(endpoint.wanted()).toBe(expected);
  expect(endpoint.isIdle).toBe(expected === 0);
});
