import { serviceUnavailable } from '@heliograph/errors';

/** So many at a time; the others wait for their turn, in the order in which they came. */
export class Turns {
  private free: number;
  private readonly waiting: (() => void)[] = [];

  constructor(
    places: number,
    /** Past it a caller would wait for seconds: better to say so. */
    private readonly maxWaiting: number,
    private readonly what: string,
  ) {
    this.free = places;
  }

  /** Throws SERVICE_UNAVAILABLE when too many wait. */
  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free--;
    else if (this.waiting.length >= this.maxWaiting) throw serviceUnavailable(`too many wait for ${this.what}`);
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.free++;
    }
  }
}
