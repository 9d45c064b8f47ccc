import type { ServerResponse } from 'node:http';
import { STREAM_HEADERS } from '@heliograph/service-kit';

const RETRY_MS = 3_000;

export interface StreamEvents {
  /** Called when a new event could not be written, and not again until the stream is live again. */
  behind(): void;
  closed(wasStuck: boolean): void;
}

/**
 * The event stream of one client for one conversation, with its position. No event is written while the client has
 * unread data, so at most one event is buffered. Events that were not written are read from the database later.
 */
export class EventStream {
  revision = -1;
  /** Whether all earlier events have been sent. New events are then sent directly. */
  isLive = false;
  isClosed = false;
  isEnding = false;
  private wasStuck = false;
  /** Number of bytes that the client had read at the last heartbeat. */
  private taken = -1;

  constructor(
    private readonly response: ServerResponse,
    /** Sequence number of the last message that the client has received. */
    public seq: number,
    private readonly events: StreamEvents,
  ) {
    response.once('close', () => {
      this.isClosed = true;
      events.closed(this.wasStuck);
    });
  }

  /** Sends the headers and first bytes immediately, so that the client detects that the stream is open. */
  open(): void {
    this.response.writeHead(200, STREAM_HEADERS);
    this.write(`retry: ${RETRY_MS}\n: open\n\n`);
  }

  /** Whether the event was written. If not, a replay will send it. */
  send(event: string): boolean {
    if (this.isClosed || !this.isLive) return false;
    if (!this.response.writableNeedDrain) {
      this.write(event);
      return true;
    }
    this.isLive = false;
    this.events.behind();
    return false;
  }

  /** Writes replayed events to a client with capacity. */
  write(text: string): void {
    if (!this.isClosed) this.response.write(text);
  }

  /** Keeps the connection alive, and disconnects a client that has read nothing since the last heartbeat. */
  sendHeartbeat(): void {
    const { socket, writableLength, writableNeedDrain } = this.response;
    if (!writableNeedDrain) return this.write(':\n\n');
    const taken = (socket?.bytesWritten ?? 0) - writableLength;
    if (taken === this.taken) {
      this.wasStuck = true;
      this.response.destroy();
    }
    this.taken = taken;
  }

  /** Resolves after the client has read the written data or has disconnected. */
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
    this.isEnding = true;
    if (!this.isClosed) this.response.end();
  }
}
