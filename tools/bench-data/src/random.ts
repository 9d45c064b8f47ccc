/** A reproducible random number generator (mulberry32): the same seed produces the same sequence. */
export class Random {
  constructor(private state: number) {}

  /** Returns a number from 0 up to but excluding 1. */
  next(): number {
    return this.nextInteger() / 4_294_967_296;
  }

  /** Returns an integer from 0 up to but excluding 2^32. */
  nextInteger(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }

  between(low: number, high: number): number {
    return Math.round(low + this.next() * (high - low));
  }

  pick<T>(items: readonly T[]): T {
    return pick(items, this.next());
  }
}

/** Returns a random item; not reproducible unless `position` (from 0 to 1) is given. */
export function pick<T>(items: readonly T[], position = Math.random()): T {
  const item = items[Math.floor(position * items.length)];
  if (item === undefined) throw new Error('There are no items to pick from.');
  return item;
}

/** Returns an integer from 1 to `max`; not reproducible. */
export function upTo(max: number): number {
  return 1 + Math.floor(Math.random() * max);
}
