import { toApiError, type ApiError } from '../api/api-error';
import type { Action } from '../api/records';
import { backOffMs } from './back-off';

/** What the visitor has sent and the server has not taken yet. */
export interface OutboxEntry {
  /** A UUID: the idempotency key, so that no retry doubles anything. */
  key: string;
  /** What a message says; of a form, its title. */
  text: string;
  action: Action | null;
  form: { formId: string; answers: Record<string, string> } | null;
  /** Milliseconds since 1970. */
  createdAt: number;
  state: 'queued' | 'sending' | 'waiting' | 'failed';
  /** Of the last try that failed; null while none has. */
  error: string | null;
  failures: number;
  /** When a waiting entry is tried again, in milliseconds since 1970. */
  retryAt: number | null;
}

export interface OutboxPorts {
  /** Delivers one entry; rejects with an {@link ApiError}. */
  deliver(entry: OutboxEntry): Promise<void>;
  /** Called at every change, with all entries in their order. */
  changed(entries: OutboxEntry[]): void;
  /** What there is to do about a refusal: a change with which to try again at once, or null to put the entry aside. */
  refused(entry: OutboxEntry, error: ApiError): Partial<OutboxEntry> | null;
  isOnline(): boolean;
  now?(): number;
  random?(): number;
  /** Calls back after so many milliseconds; answers what cancels it. */
  later?(ms: number, callback: () => void): () => void;
}

const laterByTimer = (ms: number, callback: () => void): (() => void) => {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
};

/** Delivers entries one by one, in order. What may succeed later is tried again for ever; what may not is put aside. */
export class Outbox {
  private entries: OutboxEntry[] = [];
  private isBusy = false;
  private cancelTimer: (() => void) | null = null;

  constructor(private readonly ports: OutboxPorts) {}

  get pending(): readonly OutboxEntry[] {
    return this.entries;
  }

  add(entry: Pick<OutboxEntry, 'key' | 'text' | 'action' | 'form'>): void {
    const fresh = { createdAt: this.now(), state: 'queued', error: null, failures: 0, retryAt: null } as const;
    this.entries = [...this.entries, { ...entry, ...fresh }];
    this.tell();
    this.flush();
  }

  /** Takes up what an earlier page of this tab has left. */
  restore(entries: OutboxEntry[]): void {
    this.entries = entries.map((entry) =>
      entry.state === 'failed' ? entry : { ...entry, state: 'queued', retryAt: null },
    );
    this.tell();
    this.flush();
  }

  /** Tries now: of one entry because the visitor asks for it, of all because the connection is back. */
  retry(key?: string): void {
    for (const entry of this.entries) {
      if (entry.key === key && entry.state !== 'sending') this.update(entry.key, { state: 'queued', retryAt: null });
      // What the server has asked to wait for is waited for.
      else if (key === undefined && entry.state === 'waiting' && entry.error !== 'RATE_LIMITED') {
        this.update(entry.key, { state: 'queued', retryAt: null });
      }
    }
    this.flush();
  }

  /** Tries again what the given refusal has put aside. */
  retryRefused(code: string): void {
    for (const entry of this.entries) {
      if (entry.state === 'failed' && entry.error === code) this.update(entry.key, { state: 'queued' });
    }
    this.flush();
  }

  remove(key: string): void {
    this.entries = this.entries.filter((entry) => entry.key !== key);
    this.tell();
  }

  flush(): void {
    if (this.isBusy) return;
    const next = this.entries.find(({ state }) => state !== 'failed');
    if (!next || !this.ports.isOnline()) return;
    const waitMs = (next.retryAt ?? 0) - this.now();
    this.cancelTimer?.();
    this.cancelTimer = null;
    if (waitMs > 0) {
      this.cancelTimer = (this.ports.later ?? laterByTimer)(waitMs, () => this.flush());
      return;
    }
    this.isBusy = true;
    this.update(next.key, { state: 'sending', retryAt: null });
    void this.deliver({ ...next, state: 'sending' }).finally(() => {
      this.isBusy = false;
      this.flush();
    });
  }

  private async deliver(entry: OutboxEntry): Promise<void> {
    try {
      await this.ports.deliver(entry);
      this.remove(entry.key);
    } catch (caught) {
      this.putBack(entry, toApiError(caught));
    }
  }

  private putBack(entry: OutboxEntry, error: ApiError): void {
    const failures = entry.failures + 1;
    if (error.isTransient) {
      const waitMs = backOffMs(failures, error.retryAfterMs, (this.ports.random ?? Math.random)());
      this.update(entry.key, { state: 'waiting', error: error.code, failures, retryAt: this.now() + waitMs });
      return;
    }
    const remedy = this.ports.refused(entry, error);
    this.update(entry.key, { state: remedy ? 'queued' : 'failed', error: error.code, failures, ...remedy });
  }

  /** Changes an entry that is still there. */
  update(key: string, change: Partial<OutboxEntry>): void {
    this.entries = this.entries.map((entry) => (entry.key === key ? { ...entry, ...change } : entry));
    this.tell();
  }

  private now(): number {
    return (this.ports.now ?? Date.now)();
  }

  private tell(): void {
    this.ports.changed(this.entries);
  }
}
