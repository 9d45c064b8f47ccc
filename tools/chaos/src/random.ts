/** Repeatable random numbers: the same seed plays the same faults (mulberry32). */
export class Random {
  constructor(private state: number) {}

  /** From 0 to below 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  between(low: number, high: number): number {
    return Math.round(low + this.next() * (high - low));
  }

  pick<T>(items: readonly T[]): T {
    return pick(items, this.next());
  }
}

/** Without a `chance` it is not repeatable. */
export function pick<T>(items: readonly T[], chance = Math.random()): T {
  const item = items[Math.floor(chance * items.length)];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
}
