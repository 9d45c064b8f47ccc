import type { ServerResponse } from 'node:http';
import { STREAM_HEADERS } from './sse';

const RETRY_MS = 3_000;

export interface StreamEvents {
  /** What is new does not fit; called once, until the stream is live again. */
  behind(): void;
  closed(wasStuck: boolean): void;
}

/**
 * One visitor's stream of one conversation, and how far it has come. Nothing is written to a reader that has not taken
 * what was written before, so no more than one event waits for it; what it misses it reads later from the database.
 */
export class EventStream {
  revision = -1;
  /** It has been told everything that was there before; what is new it gets from now on. */
  isLive = false;
  isClosed = false;
  private wasStuck = false;
  /** Bytes that the reader had taken at the last heartbeat. */
  private taken = -1;

  constructor(
    private readonly response: ServerResponse,
    /** Number of the last message that was sent, or that the reader knew before. */
    public seq: number,
    private readonly events: StreamEvents,
  ) {
    response.once('close', () => {
      this.isClosed = true;
      events.closed(this.wasStuck);
    });
  }

  /** The first bytes go out at once, so that whoever waits for them knows that the stream stands. */
  open(): void {
    this.response.writeHead(200, STREAM_HEADERS);
    this.write(`retry: ${RETRY_MS}\n: open\n\n`);
  }

  /** Whether the event was written. One that was not is for a replay. */
  tell(event: string): boolean {
    if (this.isClosed || !this.isLive) return false;
    if (!this.response.writableNeedDrain) {
      this.write(event);
      return true;
    }
    this.isLive = false;
    this.events.behind();
    return false;
  }

  /** Writes what is replayed, to who has room for it. */
  write(text: string): void {
    if (!this.isClosed) this.response.write(text);
  }

  /** Keeps the way open; cuts a reader that has taken nothing since the last time. */
  beat(): void {
    const { socket, writableLength, writableNeedDrain } = this.response;
    if (!writableNeedDrain) return this.write(':\n\n');
    const taken = (socket?.bytesWritten ?? 0) - writableLength;
    if (taken === this.taken) {
      this.wasStuck = true;
      this.response.destroy();
    }
    this.taken = taken;
  }

  /** Resolves once the reader has taken what was written, or is gone. */
  async room(): Promise<void> {
    if (this.isClosed || !this.response.writableNeedDrain) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        this.response.off('drain', done).off('close', done);
        resolve();
      };
      this.response.on('drain', done).on('close', done);
    });
  }

  end(): void {
    if (!this.isClosed) this.response.end();
  }
}
