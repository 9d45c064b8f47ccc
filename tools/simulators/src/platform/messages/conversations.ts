import { LRUCache } from 'lru-cache';
import { digitsOf } from '../../digits';

const WINDOW_MS = 24 * 3_600_000;
const KEPT = 200_000;

/** Who wrote, and when: whoever did so within 24 hours may be written to freely. */
export class Conversations {
  private readonly lastInboundMs = new LRUCache<string, number>({ max: KEPT });
  private readonly inboundIds = new LRUCache<string, true>({ max: KEPT });

  receive(from: string, messageId: string, atMs: number): void {
    const number = digitsOf(from);
    this.lastInboundMs.set(number, Math.max(atMs, this.lastInboundMs.get(number) ?? 0));
    this.inboundIds.set(messageId, true);
  }

  isOpen(number: string, nowMs: number): boolean {
    const last = this.lastInboundMs.get(digitsOf(number));
    return last !== undefined && nowMs - last < WINDOW_MS;
  }

  /** Whether it is the id of a message that somebody wrote. */
  hasInbound(messageId: string): boolean {
    return this.inboundIds.has(messageId);
  }
}
