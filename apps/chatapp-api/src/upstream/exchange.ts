import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { AppError } from '@heliograph/errors';
import { errors, type Dispatcher } from 'undici';

/** One call over a connection of the dispatcher. */
export interface ExchangeRequest {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  /** Alternating names and values. */
  headers: string[];
  body: string | Readable | null;
  /** Maximum time until the response is complete; null if only the timeouts of an idle connection apply. */
  deadlineMs: number | null;
  /** Timeout for the response headers after the last written byte. The default is the timeout of the dispatcher. */
  headersTimeoutMs?: number;
  maxAnswerBytes: number;
}

export interface Exchanged {
  status: number;
  headers: IncomingHttpHeaders;
  /** Undefined for a body that is not JSON. */
  json: unknown;
}

class TimeUp extends Error {
  readonly code = 'TIME_UP';
}
class TooLarge extends Error {
  readonly code = 'TOO_LARGE';
}

/** The call received no complete response. */
export class NoAnswer extends Error {
  constructor(
    /** False if no byte of the request was sent, so that the call may be repeated. */
    readonly wasStarted: boolean,
    cause: Error,
  ) {
    super('no response from the provider', { cause });
  }

  /** The request ended because its body did: the caller's upload was refused or interrupted. */
  get isByCaller(): boolean {
    return this.cause instanceof AppError;
  }

  /** The deadline of the call has passed. */
  get deadlinePassed(): boolean {
    return this.cause instanceof TimeUp || this.cause instanceof errors.HeadersTimeoutError;
  }

  /** The reason without details, because error messages may contain addresses and headers. */
  get reason(): string {
    const { code, name } = this.cause as { code?: unknown; name?: string };
    return typeof code === 'string' ? code : (name ?? 'Error');
  }
}

/** Sends the request and reads the whole response. Rejects with NoAnswer. */
export function exchange(dispatcher: Dispatcher, request: ExchangeRequest): Promise<Exchanged> {
  return new Promise((resolve, reject) => {
    const handler = new ExchangeHandler(request, resolve, reject);
    const { method, path, headers, body, headersTimeoutMs } = request;
    dispatcher.dispatch(
      {
        method,
        path,
        headers,
        body,
        ...(headersTimeoutMs === undefined ? {} : { headersTimeout: headersTimeoutMs }),
      },
      handler,
    );
  });
}

/** Uses the dispatcher directly, because only its handler reports whether the request was started on a connection. */
class ExchangeHandler implements Dispatcher.DispatchHandler {
  private readonly timer: NodeJS.Timeout | null;
  private controller: Dispatcher.DispatchController | null = null;
  private isOver = false;
  private isExpired = false;
  private status = 0;
  private headers: IncomingHttpHeaders = {};
  private readonly chunks: Buffer[] = [];
  private size = 0;

  constructor(
    private readonly request: ExchangeRequest,
    private readonly resolve: (answer: Exchanged) => void,
    private readonly reject: (error: NoAnswer) => void,
  ) {
    const { deadlineMs } = request;
    this.timer = deadlineMs === null ? null : setTimeout(() => this.expire(), deadlineMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // The request waited too long for a connection, and the caller has given up.
    if (this.isOver || this.isExpired) controller.abort(new TimeUp('no connection in time'));
    else this.controller = controller;
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    this.status = status;
    this.headers = headers;
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.size += chunk.length;
    if (this.size > this.request.maxAnswerBytes) this.giveUp(new TooLarge('the response is too large'));
    else this.chunks.push(chunk);
  }

  onResponseEnd(): void {
    if (this.end()) this.resolve({ status: this.status, headers: this.headers, json: parse(this.chunks) });
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.fail(error);
  }

  /** A response that arrived while the event loop was busy is read before the call fails. */
  private expire(): void {
    this.isExpired = true;
    setImmediate(() => this.giveUp(new TimeUp('no response in time')));
  }

  private giveUp(error: Error): void {
    if (this.isOver) return;
    this.fail(error);
    this.controller?.abort(error);
  }

  private fail(error: Error): void {
    if (this.end()) this.reject(new NoAnswer(this.controller !== null, error));
  }

  /** Returns false if the call had already ended. */
  private end(): boolean {
    if (this.isOver) return false;
    this.isOver = true;
    if (this.timer) clearTimeout(this.timer);
    return true;
  }
}

function parse(chunks: readonly Buffer[]): unknown {
  const [first] = chunks;
  if (!first) return undefined;
  try {
    return JSON.parse((chunks.length === 1 ? first : Buffer.concat(chunks)).toString()) as unknown;
  } catch {
    return undefined;
  }
}
