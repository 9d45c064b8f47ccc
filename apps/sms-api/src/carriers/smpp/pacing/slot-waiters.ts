import type { JobLane } from '@heliograph/contracts';
import { FairQueue, type LaneWeights } from '@heliograph/fairness';

interface Waiter {
  lane: JobLane;
  deadlineMs: number;
  settle: (granted: boolean) => void;
}

/** The queue is rebuilt when it contains this many more settled than live waiters. */
const MAX_SETTLED = 1_000;

/** Waiters for slots, each with its own deadline. The kinds and organizations of their messages take turns. */
export class SlotWaiters {
  private queue: FairQueue<Waiter>;
  private readonly live = new Set<Waiter>();

  constructor(private readonly weights: LaneWeights = {}) {
    this.queue = new FairQueue(weights);
  }

  get size(): number {
    return this.live.size;
  }

  /** Resolves to true by `grant`, or to false when `expire` passes the deadline. */
  wait(lane: JobLane, deadlineMs: number): Promise<boolean> {
    return new Promise((settle) => {
      const waiter = { lane, deadlineMs, settle };
      this.live.add(waiter);
      this.enqueue(waiter);
    });
  }

  /** Grants a slot to the waiter whose turn it is. */
  grant(): void {
    for (let waiter = this.queue.shift(); waiter; waiter = this.queue.shift()) {
      if (!this.live.delete(waiter)) continue;
      waiter.settle(true);
      return;
    }
  }

  expire(nowMs: number): void {
    for (const waiter of this.live) {
      if (waiter.deadlineMs > nowMs) continue;
      this.live.delete(waiter);
      waiter.settle(false);
    }
    if (this.queue.size <= this.live.size + MAX_SETTLED) return;
    this.queue = new FairQueue(this.weights);
    for (const waiter of this.live) this.enqueue(waiter);
  }

  private enqueue(waiter: Waiter): void {
    this.queue.push([waiter.lane.kind, waiter.lane.organizationId ?? ''], waiter);
  }
}
