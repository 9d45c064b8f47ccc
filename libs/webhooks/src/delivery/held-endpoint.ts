import type { PreparedEndpoint } from './deliverer';
import type { DueDelivery, Endpoint } from './queue.repository';

/** Requests to one endpoint that run at a time. */
const MAX_POSTING = 10;
/** Deliveries that are read together: more for an endpoint that is fast. */
const MIN_BATCH = MAX_POSTING;
const MAX_BATCH = 200;
/** A batch that is started within this time is followed by one of twice the size. */
const FAST_MS = 100;
/** A delivery that has waited longer is read again, because its endpoint or its event may have changed. */
const STALE_MS = 1_000;

export interface StartedDelivery {
  delivery: DueDelivery;
  prepared: PreparedEndpoint;
}

/** An endpoint that this process has leased, with its deliveries in memory. Times are those of `performance.now()`. */
export class HeldEndpoint {
  organizationId = '';
  /** Set when there may be due deliveries that are not in memory. */
  private mayHaveMore = true;
  private posting = 0;
  private waiting: DueDelivery[] = [];
  /** Deliveries that were read and whose result is not stored yet. */
  private readonly known = new Set<string>();
  /** Those of them whose result changes the state of the endpoint. Until it is stored, nothing is read and started. */
  private readonly decisive = new Set<string>();
  private isPreparing = false;
  private prepared: PreparedEndpoint | null = null;
  private preparedAt = -Infinity;
  private limit = MAX_POSTING;
  private isFailing = false;
  private batch = MIN_BATCH;
  private readAt = 0;

  constructor(
    readonly id: string,
    /** No request starts later, so that it ends before the lease. */
    private startsUntil: number,
  ) {}

  get knownIds(): ReadonlySet<string> {
    return this.known;
  }

  /** Whether nothing is left to do, so that the lease can be released. */
  get isIdle(): boolean {
    return this.known.size === 0 && !this.mayHaveMore;
  }

  get hasWaiting(): boolean {
    return this.waiting.length > 0;
  }

  /** Whether a delivery waits and fewer requests run than are allowed. */
  get canStart(): boolean {
    return this.waiting.length > 0 && this.prepared !== null && this.posting < this.limit;
  }

  /** Whether its state or its deliveries have to be read. */
  get wantsRead(): boolean {
    return this.mayHaveMore && this.decisive.size === 0 && (this.prepared === null || this.wanted() > 0);
  }

  /** There may be new deliveries. An idle endpoint is leased again if it has some. */
  wake(): void {
    if (!this.isIdle) this.mayHaveMore = true;
  }

  renew(startsUntil: number): void {
    this.startsUntil = startsUntil;
  }

  /** Whether the state of the endpoint has to be read before its deliveries. */
  isUnprepared(now: number): boolean {
    const isStale = this.prepared === null || now - this.preparedAt > STALE_MS;
    return this.mayHaveMore && this.decisive.size === 0 && isStale;
  }

  /** The state of the endpoint is being read. */
  startPreparing(): void {
    this.isPreparing = true;
  }

  /** `at`: the time of the workers' clock, which decides about the circuit. */
  prepare(
    { organizationId, failuresInRow, openUntil }: Endpoint,
    prepared: PreparedEndpoint,
    at: Date,
    now: number,
  ): void {
    // A request has failed since the state was read.
    if (!this.isPreparing) return;
    this.isPreparing = false;
    this.organizationId = organizationId;
    this.prepared = prepared;
    this.preparedAt = now;
    this.isFailing = failuresInRow > 0;
    // An open circuit is probed with one request.
    this.limit = openUntil === null ? MAX_POSTING : openUntil > at ? 0 : 1;
    if (this.limit === 0) this.mayHaveMore = false;
  }

  /** How many deliveries to read now. */
  wanted(): number {
    if (!this.mayHaveMore || this.prepared === null) return 0;
    const unfinished = this.known.size;
    if (this.isFailing) return Math.max(0, this.limit - unfinished);
    if (this.waiting.length > this.batch / 4 || unfinished > 2 * MAX_BATCH) return 0;
    return this.batch - this.waiting.length;
  }

  add(deliveries: readonly DueDelivery[], wanted: number, now: number): void {
    // A request has failed while the deliveries were read.
    if (this.prepared === null) return;
    this.mayHaveMore = deliveries.length >= wanted;
    this.readAt = now;
    for (const delivery of deliveries) {
      this.waiting.push(delivery);
      this.known.add(delivery.id);
    }
  }

  /** The delivery to start now; null if there is none, or if as many requests run as are allowed. */
  next(now: number): StartedDelivery | null {
    if (!this.canStart || this.prepared === null) return null;
    if (now - this.readAt > STALE_MS || now > this.startsUntil) {
      this.discard();
      return null;
    }
    const delivery = this.waiting.shift();
    if (!delivery) return null;
    if (this.waiting.length === 0 && now - this.readAt < FAST_MS) this.batch = Math.min(2 * this.batch, MAX_BATCH);
    this.posting++;
    return { delivery, prepared: this.prepared };
  }

  /** A request has ended. After a failure nothing is started until its result is stored, which may open the circuit. */
  end(id: string, isDelivered: boolean): void {
    this.posting--;
    if (isDelivered && !this.isFailing) return;
    this.decisive.add(id);
    this.prepared = null;
    this.isPreparing = false;
    this.discard();
  }

  /** The result of a delivery is stored or could not be stored. */
  settle(id: string): void {
    this.decisive.delete(id);
  }

  /** The result of a delivery is stored, or the delivery may be repeated. */
  forget(id: string): void {
    this.settle(id);
    this.known.delete(id);
  }

  private discard(): void {
    for (const { id } of this.waiting) this.known.delete(id);
    this.waiting = [];
    this.batch = MIN_BATCH;
    this.mayHaveMore = true;
  }
}
