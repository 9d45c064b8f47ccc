const SLOTS = 15;

interface Beating {
  sendHeartbeat(): void;
}

/** Sends a heartbeat to every stream once in 15 ticks; each tick covers a fifteenth of the streams. */
export class Heartbeat {
  private readonly slots = Array.from({ length: SLOTS }, () => new Set<Beating>());
  private now = 0;

  /** Registers a stream; returns the function that removes it. */
  add(beating: Beating): () => void {
    // Uses the previous slot, so that the first heartbeat is sent after a complete round.
    const slot = this.slots[this.now % SLOTS];
    slot?.add(beating);
    return () => slot?.delete(beating);
  }

  tick(): void {
    this.now = (this.now + 1) % SLOTS;
    for (const beating of this.slots[this.now] ?? []) beating.sendHeartbeat();
  }
}
