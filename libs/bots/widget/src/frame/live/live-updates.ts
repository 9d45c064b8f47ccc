import { toApiError, type ApiError } from '../api/api-error';
import { readEvents, type ServerEvent } from '../api/sse-reader';
import { backOffMs } from '../sending/back-off';

/** The server sends a comment every 15 s; after two missing comments, the connection counts as dead. */
const SILENCE_MS = 40_000;
/** A stream without data for this long may be buffered by a proxy, so polling starts until data arrives. */
const FIRST_BYTE_MS = 3_000;
const POLL_OPEN_MS = 3_000;
const POLL_CLOSED_MS = 25_000;
const MAX_SILENT_TRIES = 3;
/** Interval between attempts to open a stream if streams never deliver data. */
const RETRY_STREAM_MS = 300_000;
/** A hidden tab closes its connection after this time. */
const HIDDEN_MS = 60_000;

export interface LivePorts {
  openStream(signal: AbortSignal): Promise<Response>;
  /**
   * Whether the stream can start from a known message. Without a cursor, it starts when it opens and misses earlier
   * messages.
   */
  hasCursor(): boolean;
  onEvent(event: ServerEvent): void;
  /** Fetches new messages; rejects if that fails. */
  poll(): Promise<void>;
  /** Reports whether the runtime answers: after each poll, and when a stream delivers data. */
  onReachable(isReachable: boolean): void;
  /** The token is no longer valid; updates have stopped. */
  onUnauthenticated(): void;
}

/**
 * Keeps the conversation up to date: through an event stream if it delivers data, else through polling. A proxy that
 * buffers the stream cannot be detected, so polling starts before the first byte and stops when it arrives.
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

  /** Whether the chat is visible to the visitor. */
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
    let hasData = false;
    let error: ApiError | null = null;
    let silence = setTimeout(() => abort.abort(), SILENCE_MS);
    this.pollAfter(FIRST_BYTE_MS);
    const hasGap = this.hasTried || !this.ports.hasCursor();
    // Set before the stream delivers data: if the stream fails early, changes in the meantime are in no stream.
    this.hasTried = true;
    try {
      const response = await this.ports.openStream(abort.signal);
      await readEvents(
        response,
        (event) => this.ports.onEvent(event),
        () => {
          clearTimeout(silence);
          silence = setTimeout(() => abort.abort(), SILENCE_MS);
          if (hasData || this.abort !== abort) return;
          hasData = true;
          this.ports.onReachable(true);
          this.silentTries = 0;
          this.failures = 0;
          this.stopPolling();
          // No stream contains changes between two streams, such as the end of a conversation.
          if (hasGap) this.pollAfter(0, { isOnce: true });
        },
      );
    } catch (caught) {
      error = toApiError(caught);
    }
    clearTimeout(silence);
    // Paused or restarted: the caller has already taken the next steps.
    if (this.abort !== abort) return;
    this.scheduleRetry(hasData, error);
  }

  private scheduleRetry(hasData: boolean, error: ApiError | null): void {
    if (error && (error.isUnauthenticated || error.status === 404)) {
      this.stop();
      this.ports.onUnauthenticated();
      return;
    }
    if (!hasData) this.silentTries++;
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
          this.ports.onReachable(true);
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
            // A response with 429 comes from a runtime that answers.
            this.ports.onReachable(error.status === 429);
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
