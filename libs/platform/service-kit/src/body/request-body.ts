import { ServerResponse, type IncomingMessage } from 'node:http';
import express from 'express';
import { AppError } from '@heliograph/errors';

export interface RequestBody {
  /** Media type in lower case, without parameters; empty if the header is missing. */
  mediaType: string;
  bytes: Buffer;
}

const NOTHING = Buffer.alloc(0);
/** Time limit of a body that is buffered. It applies even in services with long time-outs for file uploads. */
const SLOWEST_MS = 60_000;
const readers = new Map<number, ReturnType<typeof express.raw>>();

/** The body of a request if all of it has arrived, and it is neither compressed nor above the limit; else null. */
export function arrivedBody(request: IncomingMessage, maxBytes: number): Buffer | null {
  if (request.destroyed || !isPlain(request, maxBytes) || request.readableLength !== lengthOf(request)) return null;
  const bytes = request.read() as Buffer | null;
  // The parser has not reported the end of the message yet.
  request.resume();
  return bytes ?? NOTHING;
}

/**
 * Reads the body of a request after the guards, so that unauthenticated callers cannot make the service buffer data.
 * Decompresses gzip, deflate and brotli; `maxBytes` limits the decompressed size. Throws PAYLOAD_TOO_LARGE,
 * INVALID_REQUEST.
 */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<RequestBody> {
  // The client went away while the guards ran.
  if (request.destroyed) throw unreadable(undefined);
  const tooSlow = setTimeout(() => request.destroy(), SLOWEST_MS);
  try {
    return {
      mediaType: mediaTypeOf(request),
      bytes: isPlain(request, maxBytes) ? await collect(request) : await inflate(request, maxBytes),
    };
  } finally {
    clearTimeout(tooSlow);
  }
}

/** Whether the body is not compressed and within the limit, so that no body parser is needed. */
function isPlain(request: IncomingMessage, maxBytes: number): boolean {
  return request.headers['content-encoding'] === undefined && lengthOf(request) <= maxBytes;
}

/** NaN if the length is not known. */
function lengthOf(request: IncomingMessage): number {
  return Number(request.headers['content-length']);
}

async function inflate(request: IncomingMessage & { body?: unknown }, maxBytes: number): Promise<Buffer> {
  let reader = readers.get(maxBytes);
  if (!reader) {
    reader = express.raw({ limit: maxBytes, type: () => true });
    readers.set(maxBytes, reader);
  }
  const read = reader;
  await new Promise<void>((resolve, reject) => {
    // The signature requires a response, which the reader does not use.
    read(request, new ServerResponse(request), (error: unknown) =>
      error ? reject(asRefusal(error, maxBytes)) : resolve(),
    );
  });
  const { body } = request;
  return Buffer.isBuffer(body) ? body : NOTHING;
}

/**
 * Whether the client went away before the body was read. Node.js then destroys the request, even if the whole body had arrived: it
 * emits neither the rest nor `end`.
 */
export function isCutOff(request: IncomingMessage): boolean {
  return !request.complete || (request.destroyed && !request.readableEnded);
}

/** For a body with a known length; Node.js enforces the Content-Length. */
function collect(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.once('end', () => resolve(chunks.length === 1 ? (chunks[0] ?? NOTHING) : Buffer.concat(chunks)));
    request.once('error', (error) => reject(unreadable(error)));
    // Also emitted after `end`. The error is created only if it is needed, because its stack trace is expensive.
    request.once('close', () => {
      if (!request.readableEnded) reject(unreadable(undefined));
    });
  });
}

function mediaTypeOf(request: IncomingMessage): string {
  const type = request.headers['content-type'] ?? '';
  const end = type.indexOf(';');
  return (end < 0 ? type : type.slice(0, end)).trim().toLowerCase();
}

function asRefusal(error: unknown, maxBytes: number): unknown {
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  if (status === 413) {
    return new AppError('PAYLOAD_TOO_LARGE', `The body is larger than ${Math.floor(maxBytes / 1000)} kB. Send less.`);
  }
  if (typeof status === 'number' && status < 500) {
    return unreadable(error);
  }
  return error;
}

function unreadable(cause: unknown): AppError {
  return new AppError(
    'INVALID_REQUEST',
    'The body could not be read: it was cut off or its Content-Encoding is unknown.',
    { cause },
  );
}
