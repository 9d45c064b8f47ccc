import type { Logger } from '@heliograph/service-kit';
import { Clock } from '../clock';
import type { SubscriptionDisabler } from '../subscription-disabler';
import type { CompletedAttempt, Deliverer, PreparedEndpoint } from './deliverer';
import type { DeliveryNotifications } from './delivery-notifications';
import type { DeliveryRole } from './delivery-role';
import { Dispatcher } from './dispatcher';
import type { AttemptResult, DueDelivery, Endpoint, Lease, QueueRepository, Want } from './queue.repository';
import type { WebhookMetrics } from './webhook-metrics';

const OK: CompletedAttempt = {
  attempt: { at: '2026-11-25T00:00:00Z', duration_ms: 1, status_code: 200, error: null, response_body: null },
  at: new Date('2026-11-25T00:00:00Z'),
  isDelivered: true,
  isGone: false,
  retryAfterMs: null,
};

/** A queue in memory. Endpoints belong to the worker that leased them until they are taken away. */
class FakeQueue {
  readonly endpoints = new Map<string, Endpoint>();
  readonly leases: Lease[] = [];
  readonly recorded: AttemptResult[] = [];
  readonly taken = new Set<string>();
  recording: Promise<void> = Promise.resolve();
  private due: DueDelivery[] = [];

  add(subscriptionId: string, count: number, organizationId = subscriptionId): void {
    const secrets = { url: subscriptionId, headers: {}, secret: '', previousSecret: null };
    this.endpoints.set(subscriptionId, {
      id: subscriptionId,
      organizationId,
      ...secrets,
      failuresInRow: 0,
      openUntil: null,
    });
    for (let index = 0; index < count; index++) {
      const id = `${subscriptionId} ${this.due.length}`;
      this.due.push({ id, subscriptionId, eventId: id, tried: 0, firstTriedAt: null, body: '{}' });
    }
  }

  claimAcrossTenants(lease: Lease): Promise<string[]> {
    this.leases.push(lease);
    const free = [...this.endpoints.keys()].filter((id) => !this.taken.has(id));
    const fresh = free.filter((id) => !lease.held.includes(id) && this.due.some((one) => one.subscriptionId === id));
    const renewed = lease.renews ? lease.held.filter((id) => !this.taken.has(id)) : [];
    return Promise.resolve([...renewed, ...fresh.slice(0, lease.most)]);
  }

  endpointsAcrossTenants(ids: readonly string[]): Promise<Endpoint[]> {
    return Promise.resolve([...this.endpoints.values()].filter(({ id }) => ids.includes(id)));
  }

  readDueAcrossTenants(wants: readonly Want[], known: readonly string[]): Promise<DueDelivery[]> {
    return Promise.resolve(
      wants.flatMap(({ subscriptionId, most }) =>
        this.due.filter((one) => one.subscriptionId === subscriptionId && !known.includes(one.id)).slice(0, most),
      ),
    );
  }

  async recordAcrossTenants(results: readonly AttemptResult[]): Promise<void> {
    await this.recording;
    this.recorded.push(...results);
    const done = new Set(results.map(({ deliveryId }) => deliveryId));
    this.due = this.due.filter(({ id }) => !done.has(id));
  }

  failingAcrossTenants(): Promise<string[]> {
    return Promise.resolve([]);
  }
}

/** A request that runs until it is answered. */
interface Posting {
  subscriptionId: string;
  answer: (change?: Partial<CompletedAttempt>) => void;
}

class Fixture {
  readonly queue = new FakeQueue();
  readonly postings: Posting[] = [];
  readonly disabler = { disable: jest.fn(() => Promise.resolve()) };
  readonly log = { warn: jest.fn(), error: jest.fn() };
  readonly dispatcher: Dispatcher;

  constructor() {
    const deliverer = {
      prepare: ({ id, secret }: Endpoint): PreparedEndpoint => {
        if (secret === 'unreadable') throw new Error('the key is unknown');
        return { target: { origin: id, path: '/' }, sign: () => ({}) };
      },
      deliver: ({ target }: { target: { origin: string } }) =>
        new Promise<CompletedAttempt>((resolve) => {
          const posting: Posting = {
            subscriptionId: target.origin,
            answer: (change) => {
              this.postings.splice(this.postings.indexOf(posting), 1);
              resolve({ ...OK, ...change });
            },
          };
          this.postings.push(posting);
        }),
    };
    this.dispatcher = new Dispatcher(
      this.queue as unknown as QueueRepository,
      deliverer as unknown as Deliverer,
      this.disabler as unknown as SubscriptionDisabler,
      new Clock(),
      { count: () => undefined } as unknown as WebhookMetrics,
      { delivers: true } as DeliveryRole,
      { subscribe: () => undefined } as unknown as DeliveryNotifications,
      this.log as unknown as Logger,
    );
  }

  /** Lets time pass, with the poll of each second. */
  async pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 1_000) {
      this.dispatcher.poll();
      await jest.advanceTimersByTimeAsync(Math.min(left, 1_000));
    }
  }

  countOf(subscriptionId: string): number {
    return this.postings.filter((one) => one.subscriptionId === subscriptionId).length;
  }

  /** Answers all requests until no more start. */
  async drain(): Promise<void> {
    while (this.postings.length > 0) {
      for (const posting of [...this.postings]) posting.answer();
      await this.pass(50);
    }
  }
}

describe('the dispatcher', () => {
  let fixture: Fixture;
  beforeEach(() => {
    jest.useFakeTimers();
    fixture = new Fixture();
  });
  afterEach(() => jest.useRealTimers());

  it('delivers everything that is due once, and releases the endpoint', async () => {
    fixture.queue.add('a', 75);
    await fixture.pass(50);
    await fixture.drain();
    expect(fixture.queue.recorded).toHaveLength(75);
    await fixture.pass(2_000);
    expect(fixture.queue.leases.flatMap(({ released }) => released)).toContain('a');
  });

  it('posts at most 100 deliveries of an organization at a time, of all its endpoints in turn', async () => {
    for (let index = 0; index < 12; index++) fixture.queue.add(`a${index}`, 30, 'a');
    fixture.queue.add('b', 30);
    await fixture.pass(100);
    expect([fixture.postings.length, fixture.countOf('b')]).toEqual([110, 10]);
    const served = new Set<string>();
    for (let round = 0; round < 12; round++) {
      fixture.postings.find(({ subscriptionId }) => subscriptionId !== 'b')!.answer();
      await fixture.pass(20);
      for (const { subscriptionId } of fixture.postings) served.add(subscriptionId);
      expect(fixture.postings.length).toBe(110);
    }
    expect(served.size).toBe(13);
    await fixture.drain();
    expect(fixture.queue.recorded).toHaveLength(390);
  });

  it('posts at most 1,000 deliveries at a time', async () => {
    for (let index = 0; index < 120; index++) fixture.queue.add(`a${index}`, 12, `organization ${index % 12}`);
    await fixture.pass(100);
    expect(fixture.postings.length).toBeGreaterThan(950);
    expect(fixture.postings.length).toBeLessThan(1_000);
    await fixture.drain();
    expect(fixture.queue.recorded).toHaveLength(1_440);
  });

  it('starts the delivery of an organization while the endpoints of many others hang', async () => {
    for (let index = 0; index < 160; index++) fixture.queue.add(`a${index}`, 10, `organization ${index % 40}`);
    await fixture.pass(100);
    fixture.queue.add('b', 1);
    await fixture.pass(100);
    expect(fixture.countOf('b')).toBe(1);
  });

  it('reads the delivery of an organization while those of another fill the memory', async () => {
    for (let index = 0; index < 600; index++) fixture.queue.add(`a${index}`, 20, 'a');
    await fixture.pass(100);
    expect(fixture.postings).toHaveLength(100);
    fixture.queue.add('b', 1);
    await fixture.pass(100);
    expect(fixture.countOf('b')).toBe(1);
  });

  it('reads deliveries that were added while a request runs', async () => {
    fixture.queue.add('a', 1);
    await fixture.pass(50);
    fixture.queue.add('a', 5);
    await fixture.pass(50);
    expect(fixture.postings).toHaveLength(6);
  });

  it('keeps no lease of an endpoint that was deleted', async () => {
    fixture.queue.add('a', 1);
    await fixture.pass(50);
    fixture.queue.endpoints.delete('a');
    await fixture.pass(4_000);
    expect(fixture.queue.leases.at(-1)).toMatchObject({ held: [], released: [] });
    await fixture.drain();
    expect(fixture.queue.recorded).toHaveLength(1);
  });

  it('renews its leases every 10 seconds, and starts nothing for an endpoint that another worker has taken', async () => {
    fixture.queue.add('a', 30);
    await fixture.pass(9_000);
    expect(fixture.queue.leases.filter(({ renews }) => renews)).toHaveLength(1);
    await fixture.pass(2_500);
    expect(fixture.queue.leases.filter(({ renews }) => renews)).toHaveLength(2);
    fixture.queue.taken.add('a');
    await fixture.pass(11_000);
    for (const posting of [...fixture.postings]) posting.answer();
    await fixture.pass(1_000);
    expect(fixture.postings).toEqual([]);
    expect(fixture.queue.recorded).toHaveLength(10);
  });

  it('repeats a delivery whose result could not be stored, half a minute later', async () => {
    fixture.queue.add('a', 11);
    await fixture.pass(50);
    fixture.queue.recording = Promise.reject(new Error('the database is down'));
    const [failed] = fixture.postings;
    failed!.answer({ isDelivered: false });
    await fixture.pass(2_000);
    fixture.queue.recording = Promise.resolve();
    // The others continue meanwhile.
    await fixture.drain();
    expect(fixture.queue.recorded).toHaveLength(10);
    await fixture.pass(20_000);
    expect(fixture.postings).toEqual([]);
    await fixture.pass(10_000);
    expect(fixture.postings).toHaveLength(1);
    await fixture.drain();
    expect(fixture.queue.recorded).toHaveLength(11);
  });

  it('continues after a failure only when its result is stored', async () => {
    fixture.queue.add('a', 30);
    await fixture.pass(50);
    let store = (): void => undefined;
    fixture.queue.recording = new Promise((resolve) => (store = resolve));
    fixture.postings[0]!.answer({ isDelivered: false });
    await fixture.pass(3_000);
    expect(fixture.postings).toHaveLength(9);
    store();
    await fixture.pass(1_000);
    expect(fixture.postings).toHaveLength(10);
  });

  it('disables an endpoint that answers 410, and continues if that fails', async () => {
    fixture.queue.add('gone', 1);
    fixture.queue.add('other', 1);
    fixture.disabler.disable.mockRejectedValue(new Error('the database is down'));
    await fixture.pass(50);
    fixture.postings
      .find(({ subscriptionId }) => subscriptionId === 'gone')!
      .answer({ isDelivered: false, isGone: true });
    await fixture.pass(50);
    expect(fixture.disabler.disable).toHaveBeenCalledWith('gone', expect.stringContaining('410'));
    expect(fixture.log.error).toHaveBeenCalledTimes(1);
    await fixture.drain();
    expect(fixture.queue.recorded).toHaveLength(2);
  });

  it('serves the other endpoints if the secret of one cannot be opened', async () => {
    fixture.queue.add('bad', 1);
    fixture.queue.endpoints.get('bad')!.secret = 'unreadable';
    fixture.queue.add('good', 1);
    await fixture.pass(50);
    expect(fixture.postings.map(({ subscriptionId }) => subscriptionId)).toEqual(['good']);
    expect(fixture.log.error).toHaveBeenCalledWith(
      expect.objectContaining({ subscriptionId: 'bad' }),
      expect.stringContaining('SECRETS_KEYS'),
    );
  });

  it('completes and stores running requests when it stops, starts no others, and releases its endpoints', async () => {
    fixture.queue.add('a', 30);
    await fixture.pass(50);
    const stopped = fixture.dispatcher.onModuleDestroy();
    for (const posting of [...fixture.postings]) posting.answer();
    await jest.advanceTimersByTimeAsync(50);
    await stopped;
    expect([fixture.queue.recorded.length, fixture.postings.length]).toEqual([10, 0]);
    expect(fixture.queue.leases.at(-1)).toMatchObject({ released: ['a'], held: [], most: 0 });
  });
});
