interface Waiter {
  deadlineMs: number;
  /** Null once settled; the entry is removed when it reaches the head of the queue. */
  settle: ((granted: boolean) => void) | null;
}

/** A FIFO queue of waiters, each with its own deadline. */
export class SlotWaiters {
  private queue: Waiter[] = [];
  private head = 0;
  private live = 0;

  get size(): number {
    return this.live;
  }

  /** Resolves to true by `grant`, or to false when `expire` passes the deadline. */
  wait(deadlineMs: number): Promise<boolean> {
    this.live += 1;
    return new Promise((settle) => this.queue.push({ deadlineMs, settle }));
  }

  /** Grants a slot to the longest waiter. */
  grant(): void {
    while (this.head < this.queue.length) {
      const waiter = this.queue[this.head];
      this.head += 1;
      if (waiter && this.settle(waiter, true)) break;
    }
    this.compact();
  }

  expire(nowMs: number): void {
    for (let index = this.head; index < this.queue.length; index += 1) {
      const waiter = this.queue[index];
      if (waiter && waiter.deadlineMs <= nowMs) this.settle(waiter, false);
    }
    while (this.head < this.queue.length && this.queue[this.head]?.settle === null) this.head += 1;
    this.compact();
  }

  private settle(waiter: Waiter, granted: boolean): boolean {
    if (!waiter.settle) return false;
    waiter.settle(granted);
    waiter.settle = null;
    this.live -= 1;
    return true;
  }

  private compact(): void {
    if (this.head === this.queue.length) {
      this.queue = [];
      this.head = 0;
    } else if (this.head > 1_000) {
      this.queue = this.queue.slice(this.head);
      this.head = 0;
    }
  }
}
