import type { Shortcut } from '../api/records';
import type { OutboxEntry } from '../sending/outbox';

/** The stored part of a conversation; the server stores the messages. */
export interface StoredChat {
  id: string;
  token: string;
  shortcuts: Shortcut[];
  /** The last message that the visitor has seen. */
  seen: string | null;
}

/**
 * Stores the conversation in the frame's localStorage (which browsers partition by the embedding site), and the outbox
 * in the tab's sessionStorage. If the browser blocks either storage, memory is used instead.
 */
export class ChatStorage {
  private readonly memory = new Map<string, string>();
  private readonly chatKey: string;
  private readonly outboxKey: string;

  constructor(botId: string) {
    this.chatKey = `heliograph:${botId}`;
    this.outboxKey = `heliograph:${botId}:outbox`;
  }

  chat(): StoredChat | null {
    const stored = this.read('local', this.chatKey) as Partial<StoredChat> | null;
    if (typeof stored?.id !== 'string' || typeof stored.token !== 'string') return null;
    return {
      id: stored.id,
      token: stored.token,
      shortcuts: Array.isArray(stored.shortcuts) ? stored.shortcuts : [],
      seen: typeof stored.seen === 'string' ? stored.seen : null,
    };
  }

  keepChat(chat: StoredChat | null): void {
    this.write('local', this.chatKey, chat);
  }

  outbox(): OutboxEntry[] {
    const stored = this.read('session', this.outboxKey);
    return Array.isArray(stored) ? (stored as OutboxEntry[]) : [];
  }

  keepOutbox(entries: readonly OutboxEntry[]): void {
    this.write('session', this.outboxKey, entries.length === 0 ? null : entries);
  }

  /** Registers a callback for changes of the stored conversation by another tab. */
  onOtherTab(callback: () => void): void {
    addEventListener('storage', ({ key }) => {
      if (key === null || key === this.chatKey) callback();
    });
  }

  private read(area: 'local' | 'session', key: string): unknown {
    const text = this.memory.get(key) ?? attempt(() => areaOf(area).getItem(key));
    return text == null ? null : attempt(() => JSON.parse(text) as unknown);
  }

  private write(area: 'local' | 'session', key: string, value: unknown): void {
    this.memory.delete(key);
    const isWritten = attempt(() => {
      if (value === null) areaOf(area).removeItem(key);
      else areaOf(area).setItem(key, JSON.stringify(value));
      return true;
    });
    if (!isWritten && value !== null) this.memory.set(key, JSON.stringify(value));
  }
}

/** Accessing a blocked storage throws. */
const areaOf = (area: 'local' | 'session'): Storage => (area === 'local' ? localStorage : sessionStorage);

function attempt<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}
