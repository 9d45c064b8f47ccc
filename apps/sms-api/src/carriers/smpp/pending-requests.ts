/** The outcome of a request to the carrier. */
export type Answer =
  | { kind: 'answered'; commandStatus: number; messageId: string }
  /** Written, but no response arrived in time. */
  | { kind: 'timed-out' }
  /** Written, but the connection closed before a response arrived. */
  | { kind: 'closed' }
  /** The request was not written. */
  | { kind: 'not-sent' };

const TIMED_OUT: Answer = { kind: 'timed-out' };
const CLOSED: Answer = { kind: 'closed' };
export const NOT_SENT: Answer = { kind: 'not-sent' };

export type Settle = (answer: Answer) => void;

interface Pending {
  deadlineMs: number;
  settle: Settle;
}

/**
 * Outstanding requests by sequence number. All have the same timeout, so the insertion order of the map is the order of
 * deadlines, and one periodic sweep replaces a timer per request.
 */
export class PendingRequests {
  private readonly bySequence = new Map<number, Pending>();

  constructor(private readonly timeoutMs: number) {}

  add(sequence: number, nowMs: number, settle: Settle): void {
    this.bySequence.set(sequence, { deadlineMs: nowMs + this.timeoutMs, settle });
  }

  /** Settles a request. Returns false if no request is outstanding for this sequence number. */
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
