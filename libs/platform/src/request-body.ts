import express, { type Request, type Response } from 'express';
import { AppError } from '@heliograph/errors';

export interface RequestBody {
  /** Media type in lower case, without parameters; empty when none was sent. */
  mediaType: string;
  bytes: Buffer;
}

const NOTHING = Buffer.alloc(0);
const readers = new Map<number, ReturnType<typeof express.raw>>();

/**
 * Reads a request's body after the guards have let it through, so that nobody unknown makes us buffer anything.
 * Inflates gzip, deflate and brotli; `maxBytes` bounds what comes out. Throws PAYLOAD_TOO_LARGE, INVALID_REQUEST.
 */
export async function readBody(request: Request, response: Response, maxBytes: number): Promise<RequestBody> {
  let reader = readers.get(maxBytes);
  if (!reader) {
    reader = express.raw({ limit: maxBytes, type: () => true });
    readers.set(maxBytes, reader);
  }
  const read = reader;
  await new Promise<void>((resolve, reject) => {
    read(request, response, (error: unknown) => (error ? reject(asRefusal(error, maxBytes)) : resolve()));
  });
  const type = request.headers['content-type'] ?? '';
  const end = type.indexOf(';');
  const body: unknown = request.body;
  return {
    mediaType: (end < 0 ? type : type.slice(0, end)).trim().toLowerCase(),
    bytes: Buffer.isBuffer(body) ? body : NOTHING,
  };
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
    return new AppError(
      'INVALID_REQUEST',
      'The body could not be read: it was cut off or its Content-Encoding is unknown.',
      { cause: error },
    );
  }
  return error;
}
