import { LRUCache } from 'lru-cache';
import { digitsOf } from '../../digits';
import type { Journal } from '../journal/journal';
import type { JournaledInbound } from '../journal/journal-state';

const WINDOW_MS = 24 * 3_600_000;
/** Time in which a message can be marked as read. */
const REMEMBERED_MS = 30 * WINDOW_MS;
// A limit of the size instead of the number of entries, for which the memory would be allocated at once.
const LIMIT = { maxSize: 200_000, sizeCalculation: () => 1 };

/** The inbound messages. A sender may get free-form messages for 24 hours. */
export class Conversations {
  private readonly lastInboundMs = new LRUCache<string, number>(LIMIT);
  private readonly inbound = new LRUCache<string, JournaledInbound>(LIMIT);

  constructor(private readonly journal: Journal | null) {}

  receive(from: string, messageId: string, atMs: number): void {
    const message = { id: messageId, from: digitsOf(from), atMs };
    this.add(message);
    this.journal?.append({ inbound: message });
  }

  /** Restores the state from before a restart, oldest first. */
  restore(messages: readonly JournaledInbound[], nowMs: number): void {
    for (const message of messages.filter(countsAt(nowMs))) this.add(message);
  }

  /** Oldest first. */
  snapshot(nowMs: number): JournaledInbound[] {
    const all = [...this.inbound.rvalues()].filter((message) => message !== undefined);
    return all.filter(countsAt(nowMs));
  }

  isOpen(number: string, nowMs: number): boolean {
    const last = this.lastInboundMs.get(digitsOf(number));
    return last !== undefined && nowMs - last < WINDOW_MS;
  }

  /** Whether an inbound message has this id. */
  hasInbound(messageId: string): boolean {
    return this.inbound.has(messageId);
  }

  private add(message: JournaledInbound): void {
    const { id, from, atMs } = message;
    this.lastInboundMs.set(from, Math.max(atMs, this.lastInboundMs.get(from) ?? 0));
    this.inbound.set(id, message);
  }
}

function countsAt(nowMs: number): (message: JournaledInbound) => boolean {
  return ({ atMs }) => nowMs - atMs < REMEMBERED_MS;
}
