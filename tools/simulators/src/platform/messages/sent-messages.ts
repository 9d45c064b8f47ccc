import { LRUCache } from 'lru-cache';
import { RecentHashes } from '../../carrier/recent-hashes';
import { digitsOf } from '../../digits';
import type { Journal } from '../journal/journal';
import type { CheckedMessage } from './check-message';

const KEPT = 200_000;
/** Of them after a restart. */
const REMEMBERED = 50_000;

/** A message that the platform took. */
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

/** The newest messages that were taken, and how many there were. */
export class SentMessages {
  private readonly messages = new LRUCache<string, SentMessage>({ max: KEPT });
  private readonly hashes = new RecentHashes();
  private accepted = 0;

  constructor(private readonly journal: Journal | null) {}

  /** How many were taken, and how many different pairs of recipient and callback data: a bench finds repeats by it. */
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

  /** Those of before a restart; the totals do not count them. */
  restore(messages: readonly SentMessage[]): void {
    for (const message of messages.slice(-REMEMBERED)) this.messages.set(message.id, message);
  }

  /** Newest last. */
  remembered(): SentMessage[] {
    return this.list().slice(-REMEMBERED);
  }

  find(id: string): SentMessage | undefined {
    // A look must not make it newer than it is.
    return this.messages.peek(id);
  }

  /** Newest last; `to` is compared by its digits. */
  list(to?: string): SentMessage[] {
    const all = [...this.messages.rvalues()].filter((message) => message !== undefined);
    const digits = to === undefined ? null : digitsOf(to);
    return digits === null ? all : all.filter(({ waId }) => waId === digits);
  }

  clear(): void {
    this.messages.clear();
  }
}
