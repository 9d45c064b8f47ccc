import { randomUUID } from 'node:crypto';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { GroupCommit } from '@heliograph/database';
import { LOGGER, Periodic, type Logger } from '@heliograph/service-kit';
import { Clock } from '../clock';
import { SubscriptionDisabler } from '../subscription-disabler';
import { Deliverer, type CompletedAttempt } from './deliverer';
import { DeliveryNotifications } from './delivery-notifications';
import { DeliveryRole } from './delivery-role';
import { HeldEndpoint, type StartedDelivery } from './held-endpoint';
import { TIMEOUT_MS } from './http-delivery';
import { QueueRepository, type AttemptResult, type DueDelivery, type Endpoint, type Want } from './queue.repository';
import { LAST_ATTEMPT_MS, nextAttemptAt } from './schedule';
import { WebhookMetrics } from './webhook-metrics';

/** Concurrent requests of this process, and those for one organization. */
const MAX_POSTING = 1_000;
const MAX_OF_ORGANIZATION = 100;
/**
 * An organization has at most this multiple of the free requests, so that some are always free for another one, however many
 * organizations have endpoints that hang.
 */
const MULTIPLE_OF_FREE = 4;
const MAX_ENDPOINTS = 1_000;
/** After this time other workers take over the endpoints of a crashed one. */
const LEASE_MS = 30_000;
const RENEW_MS = 10_000;
const POLL_MS = 1_000;
/** Time in which signals and finished deliveries are collected before the next read. */
const SETTLE_MS = 5;
/** Deliveries in memory, over all endpoints. An organization may always have a few. */
const MAX_IN_MEMORY = 5_000;
const MIN_OF_ORGANIZATION = 10;
/** Deliveries that must have failed before an endpoint is disabled. */
const MIN_FAILED_DELIVERIES = 20;
const DISABLE_CHECK_MS = 10_000;

/**
 * Makes the due deliveries of the endpoints that this process has leased. All state is in the database, so the deliveries of a
 * crashed process are repeated.
 */
@Injectable()
export class Dispatcher implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly worker = randomUUID();
  private readonly endpoints = new Map<string, HeldEndpoint>();
  private readonly ofOrganization = new Map<string, number>();
  private readonly attempts = new Set<Promise<void>>();
  private readonly results: GroupCommit<AttemptResult, undefined>;
  private posting = 0;
  /** Set if a delivery waits for a request of another endpoint to end. */
  private isCrowded = false;
  private wantsClaim = true;
  private renewAt = 0;
  private timer: NodeJS.Timeout | null = null;
  private reading: Promise<void> | null = null;
  private isStopping = false;

  constructor(
    private readonly queue: QueueRepository,
    private readonly deliverer: Deliverer,
    private readonly disabler: SubscriptionDisabler,
    private readonly clock: Clock,
    private readonly metrics: WebhookMetrics,
    private readonly role: DeliveryRole,
    private readonly notifications: DeliveryNotifications,
    @Inject(LOGGER) private readonly log: Logger,
  ) {
    this.results = new GroupCommit<AttemptResult, undefined>({
      laneOf: ({ subscriptionId }) => subscriptionId,
      flush: async (results, waitsForLocks) => {
        await this.queue.recordAcrossTenants(results, this.clock.now(), waitsForLocks);
        return results.map(() => undefined);
      },
    });
  }

  onApplicationBootstrap(): void {
    if (!this.role.delivers) return;
    this.notifications.subscribe(() => this.wake());
    this.schedule();
  }

  /** Starts no more deliveries, waits until those in flight are recorded, and releases the endpoints. */
  async onModuleDestroy(): Promise<void> {
    this.isStopping = true;
    if (this.timer) clearTimeout(this.timer);
    await this.reading;
    await Promise.all(this.attempts);
    await this.results.drain();
    if (this.endpoints.size === 0) return;
    const released = [...this.endpoints.keys()];
    await this.queue
      .claimAcrossTenants(
        { worker: this.worker, held: [], renews: false, released, most: 0, leaseMs: 0 },
        this.clock.now(),
      )
      .catch((error: unknown) =>
        this.log.warn({ err: error }, 'could not release webhook endpoints; their leases expire'),
      );
  }

  /** There may be new deliveries: they are made by this process if it delivers, otherwise by others. */
  wake(): void {
    if (!this.role.delivers) return this.notifications.notifyOthers();
    this.wantsClaim = true;
    for (const endpoint of this.endpoints.values()) endpoint.wake();
    this.schedule();
  }

  /** Retries become due without a signal, and signals of other processes can be lost. */
  @Periodic({ everyMs: POLL_MS, role: 'webhooks' })
  poll(): void {
    this.wake();
  }

  @Periodic({ everyMs: DISABLE_CHECK_MS, role: 'webhooks' })
  async disableFailing(): Promise<void> {
    const since = new Date(this.clock.now().getTime() - LAST_ATTEMPT_MS);
    for (const id of await this.queue.failingAcrossTenants(since, MIN_FAILED_DELIVERIES)) {
      await this.disable(id, 'Every delivery failed for 24 hours.');
    }
  }

  private schedule(): void {
    if (this.isStopping || this.timer) return;
    this.timer = setTimeout(() => {
      this.timer = null;
      if (this.reading) return this.schedule();
      this.reading = this.read()
        .catch((error: unknown) => {
          this.wantsClaim = true;
          this.log.warn({ err: error }, 'could not read webhook deliveries; they are read again');
        })
        .finally(() => (this.reading = null));
    }, SETTLE_MS);
    this.timer.unref();
  }

  private async read(): Promise<void> {
    const renews = performance.now() >= this.renewAt;
    if (renews || this.wantsClaim) await this.claim(renews);
    await this.prepareEndpoints();
    await this.readDue();
    for (const endpoint of this.endpoints.values()) if (endpoint.hasWaiting) this.startFrom(endpoint);
  }

  private async claim(renews: boolean): Promise<void> {
    this.wantsClaim = false;
    const now = performance.now();
    const startsUntil = now + LEASE_MS - TIMEOUT_MS - POLL_MS;
    const held: string[] = [];
    const released: string[] = [];
    for (const [id, endpoint] of this.endpoints) (endpoint.isIdle ? released : held).push(id);
    const lease = { worker: this.worker, held, renews, released, most: MAX_ENDPOINTS - held.length, leaseMs: LEASE_MS };
    const leased = new Set(await this.queue.claimAcrossTenants(lease, this.clock.now()));
    if (renews) this.renewAt = now + RENEW_MS;
    for (const id of released) this.endpoints.delete(id);
    for (const id of renews ? held : []) {
      const endpoint = this.endpoints.get(id);
      if (leased.has(id)) endpoint?.renew(startsUntil);
      else this.drop(id);
    }
    for (const id of leased) {
      if (!this.endpoints.has(id)) this.endpoints.set(id, new HeldEndpoint(id, startsUntil));
    }
  }

  /** Another worker has the lease, or the endpoint is deleted. */
  private drop(id: string): void {
    this.endpoints.get(id)?.renew(-Infinity);
    this.endpoints.delete(id);
  }

  private async prepareEndpoints(): Promise<void> {
    const now = performance.now();
    const unprepared = [...this.endpoints.values()].filter((endpoint) => endpoint.isUnprepared(now));
    if (unprepared.length === 0) return;
    for (const endpoint of unprepared) endpoint.startPreparing();
    const at = this.clock.now();
    const found = await this.queue.endpointsAcrossTenants(
      unprepared.map(({ id }) => id),
      at,
    );
    const prepared = new Set(found.filter((row) => this.prepare(row, at, now)).map(({ id }) => id));
    for (const { id } of unprepared) if (!prepared.has(id)) this.drop(id);
  }

  private prepare(row: Endpoint, at: Date, now: number): boolean {
    try {
      this.endpoints.get(row.id)?.prepare(row, this.deliverer.prepare(row), at, now);
      return true;
    } catch (error) {
      this.log.error(
        { err: error, subscriptionId: row.id },
        'could not open the secret of a webhook; check SECRETS_KEYS',
      );
      return false;
    }
  }

  private async readDue(): Promise<void> {
    let room = MAX_IN_MEMORY;
    const inMemory = new Map<string, number>();
    for (const { knownIds, organizationId } of this.endpoints.values()) {
      room -= knownIds.size;
      inMemory.set(organizationId, (inMemory.get(organizationId) ?? 0) + knownIds.size);
    }
    const wants: Want[] = [];
    const known: string[] = [];
    for (const endpoint of this.endpoints.values()) {
      const { organizationId } = endpoint;
      const others = inMemory.get(organizationId) ?? 0;
      const most = Math.min(endpoint.wanted(), Math.max(room, MIN_OF_ORGANIZATION - others));
      if (most <= 0) continue;
      room -= most;
      inMemory.set(organizationId, others + most);
      wants.push({ subscriptionId: endpoint.id, most });
      known.push(...endpoint.knownIds);
    }
    if (wants.length === 0) return;
    const due = new Map<string, DueDelivery[]>(wants.map(({ subscriptionId }) => [subscriptionId, []]));
    for (const delivery of await this.queue.readDueAcrossTenants(wants, known, this.clock.now())) {
      due.get(delivery.subscriptionId)?.push(delivery);
    }
    const now = performance.now();
    for (const { subscriptionId, most } of wants) {
      this.endpoints.get(subscriptionId)?.add(due.get(subscriptionId) ?? [], most, now);
    }
  }

  /** Starts as many requests to the endpoint as are allowed. */
  private startFrom(endpoint: HeldEndpoint): void {
    while (this.startOne(endpoint));
    if (endpoint.wantsRead) this.schedule();
  }

  private startOne(endpoint: HeldEndpoint): boolean {
    const { organizationId } = endpoint;
    const ofOrganization = this.ofOrganization.get(organizationId) ?? 0;
    const limit = Math.min(MAX_OF_ORGANIZATION, MULTIPLE_OF_FREE * (MAX_POSTING - this.posting));
    if (ofOrganization >= limit) {
      this.isCrowded ||= endpoint.hasWaiting;
      return false;
    }
    if (this.isStopping || !endpoint.canStart) return false;
    const next = endpoint.next(performance.now());
    if (!next) return false;
    this.posting++;
    this.ofOrganization.set(organizationId, ofOrganization + 1);
    const attempt = this.attempt(endpoint, next).finally(() => this.attempts.delete(attempt));
    this.attempts.add(attempt);
    return true;
  }

  /** A request has ended, so another one may start: of the endpoint that waits longest if some wait for others. */
  private startNext(endpoint: HeldEndpoint): void {
    const { organizationId } = endpoint;
    this.posting--;
    const left = (this.ofOrganization.get(organizationId) ?? 1) - 1;
    if (left > 0) this.ofOrganization.set(organizationId, left);
    else this.ofOrganization.delete(organizationId);
    if (this.isCrowded) {
      this.isCrowded = false;
      for (const [id, one] of [...this.endpoints]) {
        if (!this.startOne(one)) continue;
        this.endpoints.delete(id);
        this.endpoints.set(id, one);
      }
    }
    this.startFrom(endpoint);
  }

  private async attempt(endpoint: HeldEndpoint, { delivery, prepared }: StartedDelivery): Promise<void> {
    const { id: deliveryId, eventId, body } = delivery;
    const done = await this.deliverer.deliver(prepared, eventId, body);
    endpoint.end(deliveryId, done.isDelivered);
    this.metrics.count(done.isDelivered ? 'delivered' : 'failed');
    this.startNext(endpoint);
    try {
      await this.results.submit(this.resultOf(delivery, done));
    } catch (error) {
      this.log.warn({ err: error, deliveryId }, 'could not record a webhook delivery; it is repeated');
      endpoint.settle(deliveryId);
      setTimeout(() => endpoint.forget(deliveryId), LEASE_MS).unref();
      return;
    }
    if (done.isGone) await this.disable(endpoint.id, 'The endpoint answered 410 Gone.');
    endpoint.forget(deliveryId);
    if (endpoint.wantsRead) this.schedule();
  }

  /** If it fails, the next delivery gets the same answer. */
  private async disable(subscriptionId: string, reason: string): Promise<void> {
    await this.disabler
      .disable(subscriptionId, reason)
      .catch((error: unknown) => this.log.error({ err: error, subscriptionId }, 'could not disable a webhook'));
  }

  private resultOf(
    delivery: DueDelivery,
    { at, attempt, isDelivered, isGone, retryAfterMs }: CompletedAttempt,
  ): AttemptResult {
    const { id: deliveryId, subscriptionId, tried, firstTriedAt } = delivery;
    if (isDelivered) return { deliveryId, subscriptionId, status: 'delivered', nextAttemptAt: null, attempt };
    const history = { tried: tried + 1, firstTriedAt: firstTriedAt ?? at, failedAt: this.clock.now(), retryAfterMs };
    const next = isGone ? null : nextAttemptAt(history);
    return { deliveryId, subscriptionId, status: next === null ? 'failed' : 'pending', nextAttemptAt: next, attempt };
  }
}
