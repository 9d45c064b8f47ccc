import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { GroupCommit } from '@heliograph/database';
import { LOGGER, Periodic, type Logger } from '@heliograph/service-kit';
import { Clock } from '../clock';
import { SubscriptionDisabler } from '../subscription-disabler';
import { ClaimsRepository, type AttemptResult, type DueDelivery } from './claims.repository';
import { Deliverer } from './deliverer';
import { DeliveryHints } from './delivery-hints';
import { DeliveryRole } from './delivery-role';
import { LAST_ATTEMPT_MS, nextAttemptAt } from './schedule';
import { WebhookMetrics } from './webhook-metrics';

/** Maximum number of concurrent deliveries of this process. */
const CONCURRENCY = 500;
const BATCH = 100;
/** Poll interval: retries become due without a signal, and other processes add deliveries. */
const POLL_MS = 1_000;
/** Time in which finished deliveries are collected before the next claim. */
const SETTLE_MS = 5;
const MIN_FAILURES = 20;
const DISABLE_CHECK_MS = 10_000;

/** Makes the due deliveries. All state is in the database, so the deliveries of a crashed process are repeated. */
@Injectable()
export class Dispatcher implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly inFlight = new Set<Promise<void>>();
  private readonly results: GroupCommit<AttemptResult, undefined>;
  private timer: NodeJS.Timeout | null = null;
  private claiming: Promise<void> | null = null;
  private isStopping = false;

  constructor(
    private readonly claims: ClaimsRepository,
    private readonly deliverer: Deliverer,
    private readonly disabler: SubscriptionDisabler,
    private readonly clock: Clock,
    private readonly metrics: WebhookMetrics,
    private readonly role: DeliveryRole,
    private readonly hints: DeliveryHints,
    @Inject(LOGGER) private readonly log: Logger,
  ) {
    this.results = new GroupCommit<AttemptResult, undefined>({
      flush: async (results) => {
        await this.claims.recordAcrossTenants(results, this.clock.now());
        return results.map(() => undefined);
      },
    });
  }

  onApplicationBootstrap(): void {
    if (!this.role.delivers) return;
    this.hints.subscribe(() => this.wake());
    this.schedule(0);
  }

  /** Stops claiming deliveries, and waits until those in flight are completed and recorded. */
  async onModuleDestroy(): Promise<void> {
    this.isStopping = true;
    if (this.timer) clearTimeout(this.timer);
    await this.claiming;
    await Promise.all(this.inFlight);
    await this.results.drain();
  }

  /** There may be new deliveries: they are made by this process if it delivers, otherwise by others. */
  wake(): void {
    if (this.role.delivers) this.schedule(SETTLE_MS);
    else this.hints.tellOthers();
  }

  @Periodic({ everyMs: DISABLE_CHECK_MS, role: 'webhooks' })
  async disableFailing(): Promise<void> {
    const since = new Date(this.clock.now().getTime() - LAST_ATTEMPT_MS);
    for (const id of await this.claims.failingAcrossTenants(since, MIN_FAILURES)) {
      await this.disabler.disable(id, 'Every delivery failed for 24 hours.');
    }
  }

  private schedule(delayMs: number): void {
    if (this.isStopping) return;
    if (this.timer) {
      if (delayMs >= POLL_MS) return;
      clearTimeout(this.timer);
    }
    this.timer = setTimeout(() => {
      this.timer = null;
      if (this.claiming) return this.schedule(SETTLE_MS);
      this.claiming = this.claim().finally(() => (this.claiming = null));
    }, delayMs);
    this.timer.unref();
  }

  private async claim(): Promise<void> {
    let isFull = false;
    try {
      const room = Math.min(BATCH, CONCURRENCY - this.inFlight.size);
      if (room > 0) {
        const due = await this.claims.claimAcrossTenants(room, this.clock.now());
        isFull = due.length === room;
        for (const delivery of due) this.start(delivery);
      }
    } catch (error) {
      this.log.warn({ err: error }, 'could not claim webhook deliveries; they are claimed again');
    }
    this.schedule(isFull ? 0 : POLL_MS);
  }

  private start(delivery: DueDelivery): void {
    const attempt = this.attempt(delivery)
      .catch((error: unknown) => {
        // The lease expires, and the delivery is repeated.
        this.log.warn({ err: error, deliveryId: delivery.id }, 'could not record a webhook delivery');
      })
      .finally(() => {
        this.inFlight.delete(attempt);
        this.wake();
      });
    this.inFlight.add(attempt);
  }

  private async attempt(delivery: DueDelivery): Promise<void> {
    const { id: deliveryId, subscriptionId, eventId, body, tried, firstTriedAt } = delivery;
    const done = await this.deliverer.deliver({ ...delivery, id: subscriptionId }, eventId, body);
    const { at, attempt, isDelivered, isGone, retryAfterMs } = done;
    const history = { tried: tried + 1, firstTriedAt: firstTriedAt ?? at, failedAt: this.clock.now(), retryAfterMs };
    const next = isDelivered || isGone ? null : nextAttemptAt(history);
    const status = isDelivered ? 'delivered' : next === null ? 'failed' : 'pending';
    this.metrics.count(isDelivered ? 'delivered' : 'failed');
    await this.results.submit({ deliveryId, subscriptionId, at, status, nextAttemptAt: next, attempt });
    if (isGone) await this.disabler.disable(subscriptionId, 'The endpoint answered 410 Gone.');
  }
}
