import type { IncomingMessage, ServerResponse } from 'node:http';
import express, { type Request, type Response } from 'express';
import { AppError } from '@heliograph/errors';

export interface RequestBody {
  /** Media type in lower case, without parameters; empty when none was sent. */
  mediaType: string;
  bytes: Buffer;
}

const NOTHING = Buffer.alloc(0);
/** A body that is read as a whole is small; what takes longer to arrive is not waited for, wherever files may take their time. */
const SLOWEST_MS = 60_000;
const readers = new Map<number, ReturnType<typeof express.raw>>();

/**
 * Reads a request's body after the guards have let it through, so that nobody unknown makes us buffer anything.
 * Inflates gzip, deflate and brotli; `maxBytes` bounds what comes out. Throws PAYLOAD_TOO_LARGE, INVALID_REQUEST.
 */
export async function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  maxBytes: number,
): Promise<RequestBody> {
  const length = Number(request.headers['content-length']);
  // Nothing to inflate and no more than allowed: nothing that a parser of bodies would be needed for.
  const isPlain = request.headers['content-encoding'] === undefined && length <= maxBytes;
  const tooSlow = setTimeout(() => request.destroy(), SLOWEST_MS);
  try {
    return {
      mediaType: mediaTypeOf(request),
      bytes: isPlain ? await collect(request) : await inflate(request, response, maxBytes),
    };
  } finally {
    clearTimeout(tooSlow);
  }
}

async function inflate(request: IncomingMessage, response: ServerResponse, maxBytes: number): Promise<Buffer> {
  let reader = readers.get(maxBytes);
  if (!reader) {
    reader = express.raw({ limit: maxBytes, type: () => true });
    readers.set(maxBytes, reader);
  }
  const read = reader;
  await new Promise<void>((resolve, reject) => {
    read(request as Request, response as Response, (error: unknown) =>
      error ? reject(asRefusal(error, maxBytes)) : resolve(),
    );
  });
  const { body } = request as Request;
  return Buffer.isBuffer(body) ? body : NOTHING;
}

/** The length is known, so Node itself sees to it that neither more nor less is taken for the body. */
function collect(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.once('end', () => resolve(chunks.length === 1 ? (chunks[0] ?? NOTHING) : Buffer.concat(chunks)));
    request.once('error', (error) => reject(unreadable(error)));
    request.once('close', () => {
      if (!request.complete) reject(unreadable(undefined));
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
    return new AppError('PAYLOAD_TOO_LARGE', `The body is larger than ${Math.floor(maxBytes / 1000)} kB. Send less.`, {
      // What is left of it is not read: the connection cannot be used again.
      headers: { Connection: 'close' },
    });
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
