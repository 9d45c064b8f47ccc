import { LRUCache } from 'lru-cache';
import { digitsOf } from '../../digits';
import type { Journal } from '../journal/journal';
import type { RememberedInbound } from '../journal/remembered';

const WINDOW_MS = 24 * 3_600_000;
/** How long after a restart a message can still be marked as read. */
const REMEMBERED_MS = 30 * WINDOW_MS;
const KEPT = 200_000;

/** Who wrote, and when: whoever did so within 24 hours may be written to freely. */
export class Conversations {
  private readonly lastInboundMs = new LRUCache<string, number>({ max: KEPT });
  private readonly inbound = new LRUCache<string, RememberedInbound>({ max: KEPT });

  constructor(private readonly journal: Journal | null) {}

  receive(from: string, messageId: string, atMs: number): void {
    const message = { id: messageId, from: digitsOf(from), atMs };
    this.add(message);
    this.journal?.append({ inbound: message });
  }

  /** Of before a restart, oldest first. */
  restore(messages: readonly RememberedInbound[], nowMs: number): void {
    for (const message of messages.filter(countsAt(nowMs))) this.add(message);
  }

  /** Oldest first. */
  remembered(nowMs: number): RememberedInbound[] {
    const all = [...this.inbound.rvalues()].filter((message) => message !== undefined);
    return all.filter(countsAt(nowMs));
  }

  isOpen(number: string, nowMs: number): boolean {
    const last = this.lastInboundMs.get(digitsOf(number));
    return last !== undefined && nowMs - last < WINDOW_MS;
  }

  /** Whether it is the id of a message that somebody wrote. */
  hasInbound(messageId: string): boolean {
    return this.inbound.has(messageId);
  }

  private add(message: RememberedInbound): void {
    const { id, from, atMs } = message;
    this.lastInboundMs.set(from, Math.max(atMs, this.lastInboundMs.get(from) ?? 0));
    this.inbound.set(id, message);
  }
}

function countsAt(nowMs: number): (message: RememberedInbound) => boolean {
  return ({ atMs }) => nowMs - atMs < REMEMBERED_MS;
}
