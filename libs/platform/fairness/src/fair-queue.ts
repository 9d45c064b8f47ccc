/** The keys of a lane from the outside in, such as `[kind, organizationId]`. All lanes of one queue have the same depth. */
export type LanePath = readonly string[];

/** How many entries each outer key, usually the kind of work, gives in its turn. Default: 1. */
export type LaneWeights = Readonly<Record<string, number>>;

/**
 * Weighted round-robin queue over lanes. The keys of the first level take turns of as many entries as their weight;
 * below it, the keys take turns of one entry. Entries of one lane are served first in, first out. Keys without entries
 * have no turn, so no lane waits for an absent one, and no lane waits for more than one turn of each other key.
 */
export class FairQueue<T> {
  private readonly root: Branch<T>;
  private count = 0;

  constructor(weights: LaneWeights = {}) {
    this.root = new Branch(new Map(Object.entries(weights)));
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

const NO_WEIGHTS: ReadonlyMap<string, number> = new Map();

interface Turn<T> {
  child: Branch<T> | Leaf<T>;
  /** Entries that remain in this turn. */
  remaining: number;
}

class Branch<T> {
  private readonly turns = new Map<string, Turn<T>>();

  constructor(private readonly weights: ReadonlyMap<string, number>) {}

  get isEmpty(): boolean {
    return this.turns.size === 0;
  }

  push(lane: LanePath, level: number, item: T): void {
    const key = lane[level];
    if (key === undefined) throw new TypeError('All lanes of a queue must have the same number of keys.');
    let turn = this.turns.get(key);
    if (!turn) {
      const child = level === lane.length - 1 ? new Leaf<T>() : new Branch<T>(NO_WEIGHTS);
      turn = { child, remaining: this.weightOf(key) };
      this.turns.set(key, turn);
    }
    turn.child.push(lane, level + 1, item);
  }

  shift(isAllowed: (item: T) => boolean): T | undefined {
    for (const [key, turn] of this.turns) {
      const item = turn.child.shift(isAllowed);
      if (item === undefined) continue;
      turn.remaining--;
      if (turn.child.isEmpty) {
        this.turns.delete(key);
      } else if (turn.remaining <= 0) {
        turn.remaining = this.weightOf(key);
        // Re-inserting moves the entry to the end, because a Map keeps insertion order.
        this.turns.delete(key);
        this.turns.set(key, turn);
      }
      return item;
    }
    return undefined;
  }

  private weightOf(key: string): number {
    return this.weights.get(key) ?? 1;
  }
}

class Leaf<T> {
  private readonly items: T[] = [];

  get isEmpty(): boolean {
    return this.items.length === 0;
  }

  push(lane: LanePath, level: number, item: T): void {
    if (level !== lane.length) throw new TypeError('All lanes of a queue must have the same number of keys.');
    this.items.push(item);
  }

  shift(isAllowed: (item: T) => boolean): T | undefined {
    const [item] = this.items;
    if (item === undefined || !isAllowed(item)) return undefined;
    this.items.shift();
    return item;
  }
}
