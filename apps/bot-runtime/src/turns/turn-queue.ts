import { serviceUnavailable } from '@heliograph/errors';

/**
 * Runs the turns of a conversation one at a time, in the order of arrival; different conversations run concurrently.
 */
export class TurnQueue {
  private readonly lines = new Map<string, { waiting: number; last: Promise<void> }>();

  constructor(private readonly mostWaiting = 20) {}

  /** Number of running and waiting turns. */
  get depth(): number {
    let depth = 0;
    for (const { waiting } of this.lines.values()) depth += waiting;
    return depth;
  }

  /**
   * Runs `turn` after all earlier turns of the conversation have ended or failed; `waited` is true if there were
   * earlier turns. Throws SERVICE_UNAVAILABLE if too many turns are waiting.
   */
  async run<T>(conversationId: string, turn: (waited: boolean) => Promise<T>): Promise<T> {
    const line = this.lines.get(conversationId) ?? { waiting: 0, last: Promise.resolve() };
    if (line.waiting > this.mostWaiting)
      throw serviceUnavailable('too many turns of one conversation are waiting', undefined, 1);
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
