import { serviceUnavailable } from '@heliograph/errors';

/** One turn of a conversation at a time, in the order in which they came; of different ones side by side. */
export class TurnQueue {
  private readonly lines = new Map<string, { waiting: number; last: Promise<void> }>();

  constructor(private readonly mostWaiting = 20) {}

  /** Turns under way and waiting. */
  get depth(): number {
    let depth = 0;
    for (const { waiting } of this.lines.values()) depth += waiting;
    return depth;
  }

  /**
   * Runs `turn` once those before it have ended, however they did; `waited` tells whether there were any. Throws
   * SERVICE_UNAVAILABLE when too many wait already.
   */
  async run<T>(conversationId: string, turn: (waited: boolean) => Promise<T>): Promise<T> {
    const line = this.lines.get(conversationId) ?? { waiting: 0, last: Promise.resolve() };
    if (line.waiting > this.mostWaiting) throw serviceUnavailable('turns of one conversation wait', undefined, 1);
    const waited = line.waiting > 0;
    line.waiting++;
    this.lines.set(conversationId, line);
    const result = line.last.then(() => turn(waited));
    line.last = result.then(
      () => undefined,
      () => undefined,
    );
    try {
      return await result;
    } finally {
      line.waiting--;
      if (line.waiting === 0) this.lines.delete(conversationId);
    }
  }
}
