const SLOTS = 15;
const TICK_MS = 1_000;

interface Beating {
  beat(): void;
}

/** Sends every stream a heartbeat once in 15 seconds, a fifteenth of them each second, with one timer for all. */
export class Heartbeat {
  private readonly slots = Array.from({ length: SLOTS }, () => new Set<Beating>());
  private readonly timer: NodeJS.Timeout;
  private now = 0;

  constructor(tickMs = TICK_MS) {
    this.timer = setInterval(() => this.tick(), tickMs);
    this.timer.unref();
  }

  /** Registers a stream; returns the function that removes it. */
  add(beating: Beating): () => void {
    // The previous slot, so that the first heartbeat comes after a whole round.
    const slot = this.slots[this.now % SLOTS];
    slot?.add(beating);
    return () => slot?.delete(beating);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private tick(): void {
    this.now = (this.now + 1) % SLOTS;
    for (const beating of this.slots[this.now] ?? []) beating.beat();
  }
}
