import type { Saturation } from './fair-semaphore';

/** Owners count as active at the same time if their work arrives within this time. */
const TOGETHER_MS = 1_000;

/**
 * Limit of concurrent work that is lower while the work of several owners waits for the same saturated event loop: more
 * concurrent work is not faster then, but every step of another owner waits for it. An owner that is alone is not limited.
 */
export class SharedLimit {
  private lastOwner: string | null = null;
  private togetherUntil = -Infinity;

  constructor(
    private readonly max: number,
    private readonly whileSaturated: { max: number; isSaturated: Saturation['isSaturated'] },
  ) {}

  /** Called with the owner of each work that arrives. */
  note(owner: string): void {
    if (this.lastOwner !== null && owner !== this.lastOwner) this.togetherUntil = performance.now() + TOGETHER_MS;
    this.lastOwner = owner;
  }

  get current(): number {
    const { max, isSaturated } = this.whileSaturated;
    const isShared = this.max > max && performance.now() < this.togetherUntil;
    return isShared && isSaturated() ? max : this.max;
  }
}
