import { toApiError, type ApiError } from '../api/api-error';
import { readEvents, type ServerEvent } from '../api/sse-reader';
import { backOffMs } from '../sending/back-off';

/** The server sends a comment every 15 s: two that are missed, and the connection is dead. */
const SILENCE_MS = 40_000;
/** A stream that has given nothing for so long may be held back by a proxy: until it speaks, we ask. */
const FIRST_BYTE_MS = 3_000;
const POLL_OPEN_MS = 3_000;
const POLL_CLOSED_MS = 25_000;
const MAX_SILENT_TRIES = 3;
/** With streams that never speak, how often one is tried again. */
const RETRY_STREAM_MS = 300_000;
/** A tab that nobody looks at gives its connection back after so long. */
const HIDDEN_MS = 60_000;

export interface LivePorts {
  openStream(signal: AbortSignal): Promise<Response>;
  /** Whether a stream that opens now would tell of all that is not known yet: without a cursor it begins at its opening. */
  hasCursor(): boolean;
  onEvent(event: ServerEvent): void;
  /** Asks for what is new; rejects when that fails. */
  poll(): Promise<void>;
  /** The token opens nothing any more; the updates have stopped. */
  onUnauthenticated(): void;
}

/**
 * Keeps the conversation up to date: by a stream of events while that speaks, by asking while it does not. Nothing
 * ever tells that a proxy holds a stream back, so asking begins before the first byte and ends with it.
 */
export class LiveUpdates {
  private abort: AbortController | null = null;
  private pollTimer: ReturnType<typeof setTimeout> | undefined;
  private streamTimer: ReturnType<typeof setTimeout> | undefined;
  private hiddenTimer: ReturnType<typeof setTimeout> | undefined;
  private silentTries = 0;
  private failures = 0;
  private hasTried = false;
  private isWanted = false;
  private isOpen = false;

  constructor(private readonly ports: LivePorts) {
    addEventListener('pagehide', () => this.pause());
    addEventListener('pageshow', ({ persisted }) => persisted && this.resume());
    addEventListener('online', () => this.restart());
    document.addEventListener('visibilitychange', () => this.watchVisibility());
  }

  start(): void {
    if (this.isWanted) return;
    this.isWanted = true;
    this.hasTried = false;
    this.silentTries = 0;
    this.resume();
  }

  stop(): void {
    this.isWanted = false;
    this.pause();
  }

  /** Whether the visitor has the chat before their eyes. */
  setOpen(isOpen: boolean): void {
    const isNews = isOpen && !this.isOpen;
    this.isOpen = isOpen;
    if (isNews && this.pollTimer !== undefined) this.pollAfter(0);
  }

  private resume(): void {
    if (!this.isWanted || this.abort) return;
    void this.stream();
  }

  private restart(): void {
    if (!this.isWanted) return;
    this.pause();
    this.failures = 0;
    this.resume();
  }

  private pause(): void {
    this.abort?.abort();
    this.abort = null;
    clearTimeout(this.streamTimer);
    clearTimeout(this.pollTimer);
    this.pollTimer = undefined;
  }

  private watchVisibility(): void {
    clearTimeout(this.hiddenTimer);
    if (document.visibilityState === 'visible') this.resume();
    else this.hiddenTimer = setTimeout(() => this.pause(), HIDDEN_MS);
  }

  private async stream(): Promise<void> {
    const abort = new AbortController();
    this.abort = abort;
    let hasSpoken = false;
    let error: ApiError | null = null;
    let silence = setTimeout(() => abort.abort(), SILENCE_MS);
    this.pollAfter(FIRST_BYTE_MS);
    const hasGap = this.hasTried || !this.ports.hasCursor();
    // Also one that was cut before it said anything: what changed meanwhile, no stream tells of.
    this.hasTried = true;
    try {
      const response = await this.ports.openStream(abort.signal);
      await readEvents(
        response,
        (event) => this.ports.onEvent(event),
        () => {
          clearTimeout(silence);
          silence = setTimeout(() => abort.abort(), SILENCE_MS);
          if (hasSpoken || this.abort !== abort) return;
          hasSpoken = true;
          this.silentTries = 0;
          this.failures = 0;
          this.stopPolling();
          // What has changed between two streams, neither has told of: an end, a release.
          if (hasGap) this.pollAfter(0, { isOnce: true });
        },
      );
    } catch (caught) {
      error = toApiError(caught);
    }
    clearTimeout(silence);
    // Paused, or begun anew: whoever did that has seen to the rest.
    if (this.abort !== abort) return;
    this.again(hasSpoken, error);
  }

  private again(hasSpoken: boolean, error: ApiError | null): void {
    if (error && (error.isUnauthenticated || error.status === 404)) {
      this.stop();
      this.ports.onUnauthenticated();
      return;
    }
    if (!hasSpoken) this.silentTries++;
    this.failures++;
    const waitMs =
      this.silentTries >= MAX_SILENT_TRIES
        ? RETRY_STREAM_MS
        : backOffMs(this.failures, error?.retryAfterMs ?? null, Math.random());
    if (this.pollTimer === undefined) this.pollAfter(FIRST_BYTE_MS);
    this.streamTimer = setTimeout(() => {
      clearTimeout(this.pollTimer);
      this.abort = null;
      this.resume();
    }, waitMs);
  }

  private stopPolling(): void {
    clearTimeout(this.pollTimer);
    this.pollTimer = undefined;
  }

  private pollAfter(ms: number, { failures = 0, isOnce = false } = {}): void {
    clearTimeout(this.pollTimer);
    const timer = setTimeout(() => {
      void this.ports.poll().then(
        () => {
          if (this.pollTimer !== timer) return;
          if (isOnce) this.pollTimer = undefined;
          else this.pollAfter(this.isOpen ? POLL_OPEN_MS : POLL_CLOSED_MS);
        },
        (caught) => {
          if (this.pollTimer !== timer) return;
          const error = toApiError(caught);
          if (error.isUnauthenticated) {
            this.stop();
            this.ports.onUnauthenticated();
          } else {
            const leastMs = this.isOpen ? POLL_OPEN_MS : POLL_CLOSED_MS;
            const waitMs = leastMs + backOffMs(failures + 1, error.retryAfterMs, Math.random());
            this.pollAfter(waitMs, { failures: failures + 1, isOnce });
          }
        },
      );
    }, ms);
    this.pollTimer = timer;
  }
}
