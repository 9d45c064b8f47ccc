/** The keys of a lane from the outside in, such as `[kind, organizationId]`. All lanes of one queue have the same depth. */
export type LanePath = readonly string[];

/** The share of each outer key, usually the kind of work. Keys that it does not name have the weight 1. */
export type LaneWeights = Readonly<Record<string, number>>;

/**
 * Weighted round-robin queue over lanes. With weights, the keys of the first level are served in proportion to their
 * weights, and a key whose first entry arrives is next, the heaviest first. All other levels take turns of one entry.
 * Entries of one lane are served first in, first out. Keys without entries have no turn, so no lane waits for an absent
 * one, and no lane starves.
 */
export class FairQueue<T> {
  private readonly root: Level<T>;
  private count = 0;

  constructor(weights?: LaneWeights) {
    this.root = weights ? new WeightedLevel(weights) : new RoundRobinLevel();
  }

  get size(): number {
    return this.count;
  }

  push(lane: LanePath, item: T): void {
    this.root.push(lane, 0, item);
    this.count++;
  }

  /**
   * Removes and returns the next entry.
   * @param isAllowed is asked for the first entry of a lane. Lanes whose entry is not allowed are skipped and keep their
   *   place.
   */
  shift(isAllowed: (item: T) => boolean = () => true): T | undefined {
    const item = this.root.shift(isAllowed);
    if (item !== undefined) this.count--;
    return item;
  }
}

interface Level<T> {
  readonly isEmpty: boolean;
  /** @param depth the number of keys of the lane above this level */
  push(lane: LanePath, depth: number, item: T): void;
  shift(isAllowed: (item: T) => boolean): T | undefined;
}

function keyOf(lane: LanePath, depth: number): string {
  const key = lane[depth];
  if (key === undefined) throw new TypeError('All lanes of a queue must have the same number of keys.');
  return key;
}

function levelBelow<T>(lane: LanePath, depth: number): Level<T> {
  return depth === lane.length - 1 ? new Entries<T>() : new RoundRobinLevel<T>();
}

interface Share<T> {
  level: Level<T>;
  weight: number;
  /** Virtual time: the entries served so far divided by the weight. The key with the lowest time is next. */
  time: number;
}

/** For few keys, because it compares all of them for each entry. */
class WeightedLevel<T> implements Level<T> {
  private readonly shares = new Map<string, Share<T>>();
  /** Time of the last served key. An absent key saves up no turns. */
  private time = 0;

  constructor(private readonly weights: LaneWeights) {}

  get isEmpty(): boolean {
    for (const { level } of this.shares.values()) if (!level.isEmpty) return false;
    return true;
  }

  push(lane: LanePath, depth: number, item: T): void {
    const key = keyOf(lane, depth);
    let share = this.shares.get(key);
    if (!share) {
      share = { level: levelBelow(lane, depth), weight: this.weights[key] ?? 1, time: 0 };
      this.shares.set(key, share);
    }
    if (share.level.isEmpty) share.time = Math.max(share.time, this.time);
    share.level.push(lane, depth + 1, item);
  }

  shift(isAllowed: (item: T) => boolean): T | undefined {
    const shares = [...this.shares.values()]
      .filter(({ level }) => !level.isEmpty)
      .sort((one, other) => one.time - other.time || other.weight - one.weight);
    for (const [index, share] of shares.entries()) {
      const item = share.level.shift(isAllowed);
      if (item === undefined) continue;
      this.time = share.time;
      // A key that was not allowed saves up no turns either.
      for (const skipped of shares.slice(0, index)) skipped.time = this.time;
      share.time += 1 / share.weight;
      return item;
    }
    return undefined;
  }
}

class RoundRobinLevel<T> implements Level<T> {
  private readonly levels = new Map<string, Level<T>>();

  get isEmpty(): boolean {
    return this.levels.size === 0;
  }

  push(lane: LanePath, depth: number, item: T): void {
    const key = keyOf(lane, depth);
    let level = this.levels.get(key);
    if (!level) {
      level = levelBelow(lane, depth);
      this.levels.set(key, level);
    }
    level.push(lane, depth + 1, item);
  }

  shift(isAllowed: (item: T) => boolean): T | undefined {
    for (const [key, level] of this.levels) {
      const item = level.shift(isAllowed);
      if (item === undefined) continue;
      // Re-inserting moves the key to the end, because a Map keeps insertion order.
      this.levels.delete(key);
      if (!level.isEmpty) this.levels.set(key, level);
      return item;
    }
    return undefined;
  }
}

class Entries<T> implements Level<T> {
  private readonly items: T[] = [];

  get isEmpty(): boolean {
    return this.items.length === 0;
  }

  push(lane: LanePath, depth: number, item: T): void {
    if (depth !== lane.length) throw new TypeError('All lanes of a queue must have the same number of keys.');
    this.items.push(item);
  }

  shift(isAllowed: (item: T) => boolean): T | undefined {
    const [item] = this.items;
    if (item === undefined || !isAllowed(item)) return undefined;
    this.items.shift();
    return item;
  }
}
