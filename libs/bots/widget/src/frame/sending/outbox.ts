import { toApiError, type ApiError } from '../api/api-error';
import type { Action } from '../api/records';
import { backOffMs } from './back-off';

/** A message or form that the server has not accepted yet. */
export interface OutboxEntry {
  /** A UUID; the idempotency key, so that retries create no duplicates. */
  key: string;
  /** The text of the message, or the title of the form. */
  text: string;
  action: Action | null;
  form: { formId: string; answers: Record<string, string> } | null;
  /** Milliseconds since 1970. */
  createdAt: number;
  state: 'queued' | 'sending' | 'waiting' | 'failed';
  /** Error code of the last failed attempt; null if no attempt has failed. */
  error: string | null;
  failures: number;
  /** Time of the next attempt of a waiting entry, in milliseconds since 1970. */
  retryAt: number | null;
}

export interface OutboxPorts {
  /** Delivers one entry; rejects with an {@link ApiError}. */
  deliver(entry: OutboxEntry): Promise<void>;
  /** Called after every change with all entries in order. */
  changed(entries: OutboxEntry[]): void;
  /** Handles a permanent error: returns changes for an immediate retry, or null to mark the entry as failed. */
  refused(entry: OutboxEntry, error: ApiError): Partial<OutboxEntry> | null;
  isOnline(): boolean;
  now?(): number;
  random?(): number;
  /** Schedules a callback; returns a function that cancels it. */
  later?(ms: number, callback: () => void): () => void;
}

const laterByTimer = (ms: number, callback: () => void): (() => void) => {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
};

/**
 * Delivers entries one at a time, in order. Temporary errors are retried without limit; permanent errors mark the entry
 * as failed.
 */
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
    this.notify();
    this.flush();
  }

  /** Restores entries that an earlier page of this tab did not deliver. */
  restore(entries: OutboxEntry[]): void {
    this.entries = entries.map((entry) =>
      entry.state === 'failed' ? entry : { ...entry, state: 'queued', retryAt: null },
    );
    this.notify();
    this.flush();
  }

  /** Retries immediately: one entry at the request of the visitor, or all entries after a reconnect. */
  retry(key?: string): void {
    for (const entry of this.entries) {
      if (entry.key === key && entry.state !== 'sending') this.update(entry.key, { state: 'queued', retryAt: null });
      // A delay that the server requested is respected.
      else if (key === undefined && entry.state === 'waiting' && entry.error !== 'RATE_LIMITED') {
        this.update(entry.key, { state: 'queued', retryAt: null });
      }
    }
    this.flush();
  }

  /** Retries entries that failed with the given error code. */
  retryRefused(code: string): void {
    for (const entry of this.entries) {
      if (entry.state === 'failed' && entry.error === code) this.update(entry.key, { state: 'queued' });
    }
    this.flush();
  }

  remove(key: string): void {
    this.entries = this.entries.filter((entry) => entry.key !== key);
    this.notify();
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

  /** Changes an entry if it still exists. */
  update(key: string, change: Partial<OutboxEntry>): void {
    this.entries = this.entries.map((entry) => (entry.key === key ? { ...entry, ...change } : entry));
    this.notify();
  }

  private now(): number {
    return (this.ports.now ?? Date.now)();
  }

  private notify(): void {
    this.ports.changed(this.entries);
  }
}
