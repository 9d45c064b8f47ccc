/** How a request to the carrier ended. */
export type Answer =
  | { kind: 'answered'; commandStatus: number; messageId: string }
  /** Written, and nothing came back in time. */
  | { kind: 'timed-out' }
  /** Written, and the connection ended first. */
  | { kind: 'closed' }
  /** Never written. */
  | { kind: 'not-sent' };

export const TIMED_OUT: Answer = { kind: 'timed-out' };
export const CLOSED: Answer = { kind: 'closed' };
export const NOT_SENT: Answer = { kind: 'not-sent' };

export type Settle = (answer: Answer) => void;

interface Pending {
  deadlineMs: number;
  settle: Settle;
}

/**
 * Requests without an answer, by sequence number. All have the same time-out, so the map's order of insertion is
 * the order of deadlines, and one sweep serves them all without a timer each.
 */
export class PendingRequests {
  private readonly bySequence = new Map<number, Pending>();

  constructor(private readonly timeoutMs: number) {}

  add(sequence: number, nowMs: number, settle: Settle): void {
    this.bySequence.set(sequence, { deadlineMs: nowMs + this.timeoutMs, settle });
  }

  /** False when nobody waits for this answer (any more). */
  answer(sequence: number, commandStatus: number, messageId: string): boolean {
    const pending = this.bySequence.get(sequence);
    if (!pending) return false;
    this.bySequence.delete(sequence);
    pending.settle({ kind: 'answered', commandStatus, messageId });
    return true;
  }

  expire(nowMs: number): void {
    for (const [sequence, { deadlineMs, settle }] of this.bySequence) {
      if (deadlineMs > nowMs) return;
      this.bySequence.delete(sequence);
      settle(TIMED_OUT);
    }
  }

  closeAll(): void {
    const abandoned = [...this.bySequence.values()];
    this.bySequence.clear();
    for (const { settle } of abandoned) settle(CLOSED);
  }
}
