import { LRUCache } from 'lru-cache';
import { RecentHashes } from '../../carrier/recent-hashes';
import { digitsOf } from '../../digits';
import type { Journal } from '../journal/journal';
import type { CheckedMessage } from './check-message';

// A limit of the size instead of the number of entries, for which the memory would be allocated at once.
const LIMIT = { maxSize: 200_000, sizeCalculation: () => 1 };
/** The number of messages that survive a restart. */
const REMEMBERED = 50_000;

/** A message that the provider accepted. */
export interface SentMessage {
  id: string;
  /** As given. */
  to: string;
  /** Digits. */
  waId: string;
  type: string;
  category: string;
  callbackData: string | null;
  /** RFC 3339. */
  at: string;
}

/** The newest accepted messages and their totals. */
export class SentMessages {
  private readonly messages = new LRUCache<string, SentMessage>(LIMIT);
  private readonly hashes = new RecentHashes();
  private accepted = 0;

  constructor(private readonly journal: Journal | null) {}

  /** The accepted messages and the distinct pairs of recipient and callback data, by which benchmarks detect repetitions. */
  get totals(): { accepted: number; distinct: number } {
    return { accepted: this.accepted, distinct: this.hashes.distinct };
  }

  add(id: string, { input, waId, type, category, callbackData }: CheckedMessage, at: Date): SentMessage {
    this.accepted += 1;
    this.hashes.add(waId, callbackData ?? id);
    const message = { id, to: input, waId, type, category, callbackData, at: at.toISOString() };
    this.messages.set(id, message);
    this.journal?.appendSoon({ sent: message });
    return message;
  }

  /** Restores the messages of before a restart, which the totals do not count. */
  restore(messages: readonly SentMessage[]): void {
    for (const message of messages.slice(-REMEMBERED)) this.messages.set(message.id, message);
  }

  /** Newest last. */
  snapshot(): SentMessage[] {
    return this.list().slice(-REMEMBERED);
  }

  find(id: string): SentMessage | undefined {
    // Reading must not change the order.
    return this.messages.peek(id);
  }

  /** Newest last. `to` is compared by digits. */
  list(to?: string): SentMessage[] {
    const all = [...this.messages.rvalues()].filter((message) => message !== undefined);
    const digits = to === undefined ? null : digitsOf(to);
    return digits === null ? all : all.filter(({ waId }) => waId === digits);
  }

  clear(): void {
    this.messages.clear();
  }
}
