import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import busboy from 'busboy';
import { AppError } from '@heliograph/errors';
import { fieldError, isCutOff } from '@heliograph/service-kit';

export const MAX_FILE_BYTES = 100_000_000;
const MAX_OTHER_BYTES = 1_000_000;
const CHUNK_BYTES = 256 * 1_024;
const LIMITS = { fields: 10, fieldNameSize: 100, fieldSize: 500_000, files: 5, parts: 20, headerPairs: 50 };

export interface StoredUpload {
  /** The text of the part `options`; null if the part is missing. */
  options: string | null;
  /** SHA-256 hash of the file in hexadecimal. */
  sha256: string;
}

/**
 * Passes on the file of a request in chunks, so that the whole file is never in memory. The file is the part `file` of
 * a multipart body, or the whole body. Throws PAYLOAD_TOO_LARGE, INVALID_REQUEST.
 */
export async function passOnUpload(
  request: IncomingMessage,
  isMultipart: boolean,
  store: (chunk: Buffer) => Promise<void>,
): Promise<StoredUpload> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_FILE_BYTES + MAX_OTHER_BYTES) throw tooLarge();
  if (!/^(?:identity)?$/i.test(request.headers['content-encoding'] ?? '')) {
    throw new AppError(
      'INVALID_REQUEST',
      'Content-Encoding is not supported for uploads. Send the file without a Content-Encoding header.',
    );
  }
  if (request.destroyed) throw interrupted();
  if (isMultipart) return passOnForm(request, store);
  return { options: null, sha256: await passOn(request, request, store) };
}

async function passOnForm(request: IncomingMessage, store: (chunk: Buffer) => Promise<void>): Promise<StoredUpload> {
  const parser = parserOf(request);
  let options: string | null = null;
  parser.on('field', (name, value) => {
    if (name === 'options') options = value;
  });
  const end = finished(parser);
  // The reader of the file handles the error.
  end.catch(() => undefined);
  const cut = (): void => {
    if (isCutOff(request)) parser.destroy(interrupted());
  };
  request.once('close', cut);
  try {
    const file = await fileOf(parser, request, end);
    if (!file) throw fieldError('INVALID_REQUEST', 'file', 'Send the file as a part named file with a file name.');
    const sha256 = await passOn(file, request, store);
    await end;
    return { options, sha256 };
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (isCutOff(request)) throw interrupted(error);
    throw new AppError(
      'INVALID_REQUEST',
      'The multipart body is incomplete or malformed. Send it as multipart/form-data.',
      { cause: error },
    );
  } finally {
    request.off('close', cut);
    request.unpipe(parser);
    parser.destroy();
  }
}

function fileOf(parser: busboy.Busboy, request: IncomingMessage, end: Promise<void>): Promise<Readable | null> {
  const found = new Promise<Readable | null>((resolve) => {
    let isFound = false;
    parser.on('file', (name, stream) => {
      stream.on('error', () => undefined);
      if (isFound || name !== 'file') {
        stream.resume();
        return;
      }
      isFound = true;
      resolve(stream);
    });
    parser.once('close', () => resolve(null));
  });
  request.pipe(parser);
  return found.then(async (file) => file ?? end.then(() => null));
}

/** Returns the SHA-256 of the content. */
async function passOn(
  source: Readable,
  request: IncomingMessage,
  store: (chunk: Buffer) => Promise<void>,
): Promise<string> {
  const hash = createHash('sha256');
  let size = 0;
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  const flush = async (): Promise<void> => {
    if (waitingBytes > 0) await store(Buffer.concat(waiting));
    waiting = [];
    waitingBytes = 0;
  };
  // The end of the loop destroys the stream that it reads, but the request must remain open for the response.
  const content = source === request ? request.pipe(new PassThrough()) : source;
  const cut = (): void => {
    if (isCutOff(request)) content.destroy(interrupted());
  };
  request.once('close', cut);
  try {
    for await (const chunk of content as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MAX_FILE_BYTES) throw tooLarge();
      hash.update(chunk);
      waiting.push(chunk);
      waitingBytes += chunk.length;
      if (waitingBytes >= CHUNK_BYTES) await flush();
    }
  } finally {
    request.off('close', cut);
    request.unpipe();
  }
  await flush();
  return hash.digest('hex');
}

function parserOf({ headers }: IncomingMessage): busboy.Busboy {
  try {
    return busboy({ headers, defParamCharset: 'utf8', limits: LIMITS });
  } catch (error) {
    throw new AppError('INVALID_REQUEST', 'The multipart body is malformed. Send it as multipart/form-data.', {
      cause: error,
    });
  }
}

function tooLarge(): AppError {
  return new AppError(
    'PAYLOAD_TOO_LARGE',
    'A file can have at most 100 MB and 1,000,000 rows. Split the file into several imports.',
    {
      // The rest of the body is not read, so the connection cannot be reused.
      headers: { Connection: 'close' },
    },
  );
}

function interrupted(cause?: unknown): AppError {
  return new AppError('INVALID_REQUEST', 'The upload was interrupted. Send the file again.', { cause });
}
