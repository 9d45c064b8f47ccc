import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import busboy from 'busboy';
import { AppError } from '@heliograph/errors';
import { isCutOff } from '@heliograph/service-kit';
import { HEAD_BYTES } from './detect-type';
import { safeFileName } from './file-name';
import { nextWithin } from './next-within';

export const MAX_FILE_BYTES = 90 * 1_024 * 1_024;
/** Additional size for boundaries, part headers and unused fields. */
const MAX_OTHER_BYTES = 1_000_000;
const LIMITS = { fields: 20, fieldNameSize: 100, fieldSize: 65_536, parts: 50, headerPairs: 50 };
const FILE_BUFFER_BYTES = 256 * 1_024;

export interface UploadOptions {
  /** Maximum time without data from the caller. */
  stallMs: number;
}

/** The body was incomplete or was not read completely, so its fingerprint is unknown. */
export class CutOff extends AppError {
  constructor(message: string, cause?: unknown) {
    super('INVALID_REQUEST', message, { cause });
  }
}

/**
 * Finds the first file part named `file` of a multipart body and discards all other parts. The caller reads the content
 * to its end or closes the upload. Throws MISSING_FILE, MEDIA_TOO_LARGE, INVALID_REQUEST.
 */
export async function openUpload(request: IncomingMessage, options: UploadOptions): Promise<Upload> {
  const parser = parserOf(request);
  const upload = new Upload(request, parser, options);
  try {
    await upload.open();
    return upload;
  } catch (error) {
    upload.close();
    throw error;
  }
}

/** One file that is being streamed. Only its first bytes are buffered. */
export class Upload {
  fileName = '';
  declaredType = '';
  /** The first bytes. */
  head = Buffer.alloc(0);
  /** True if the head is the whole file. */
  isWhole = false;
  private readonly hash = createHash('sha256');
  private size = 0;
  private received = 0;
  private sha256: string | null = null;
  private chunks: AsyncIterator<Buffer> | null = null;
  private readonly formEnd: Promise<void>;

  constructor(
    private readonly request: IncomingMessage,
    private readonly parser: busboy.Busboy,
    private readonly options: UploadOptions,
  ) {
    this.formEnd = finished(parser);
    // Prevents an unhandled rejection if no caller awaits the promise. The reader of the file gets the error.
    this.formEnd.catch(ignore);
    parser.on('error', ignore);
  }

  /** Hexadecimal SHA-256 and size in bytes; null until the file has been read completely. */
  get whole(): { sha256: string; sizeBytes: number } | null {
    return this.sha256 === null ? null : { sha256: this.sha256, sizeBytes: this.size };
  }

  /** Reads up to the file's first bytes. */
  async open(): Promise<void> {
    const file = await this.findFile();
    if (!file) throw missingFile();
    this.chunks = (file as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
    const chunks: Buffer[] = [];
    let size = 0;
    while (size < HEAD_BYTES && !this.isWhole) {
      const chunk = await this.next();
      if (chunk) chunks.push(chunk);
      else this.isWhole = true;
      size += chunk?.length ?? 0;
    }
    if (size === 0) throw missingFile();
    this.head = Buffer.concat(chunks);
  }

  /** The whole file as a stream, which ends when the request body has ended. */
  async *content(): AsyncGenerator<Buffer> {
    yield this.head;
    if (!this.isWhole) {
      for (let chunk = await this.next(); chunk; chunk = await this.next()) yield chunk;
    }
    await this.within(this.formEnd);
    this.sha256 = this.hash.digest('hex');
  }

  /** Reads the file to its end and discards it. */
  async drain(): Promise<void> {
    const content = this.content();
    while (!(await content.next()).done);
  }

  /** Stops reading. The owner of the request discards the rest of the body. */
  close(): void {
    this.request.unpipe(this.parser);
    this.request.off('data', this.count);
    this.request.off('close', this.cut);
    this.parser.destroy();
  }

  private findFile(): Promise<Readable | null> {
    const { parser, request } = this;
    const found = new Promise<Readable | null>((resolve) => {
      let isFound = false;
      parser.on('file', (name, stream, { filename, mimeType }) => {
        stream.on('error', ignore);
        if (isFound || name !== 'file') {
          stream.resume();
          return;
        }
        isFound = true;
        this.fileName = safeFileName(filename);
        this.declaredType = mimeType;
        resolve(stream);
      });
      parser.once('close', () => resolve(null));
    });
    request.on('data', this.count);
    request.once('close', this.cut);
    if (request.destroyed) this.cut();
    else request.pipe(parser);
    return this.within(found.then(async (file) => file ?? this.formEnd.then(() => null)));
  }

  private async next(): Promise<Buffer | null> {
    if (!this.chunks) return null;
    const { done, value } = await this.within(this.chunks.next());
    if (done) return null;
    this.size += value.length;
    if (this.size > MAX_FILE_BYTES) throw tooLarge();
    this.hash.update(value);
    return value;
  }

  /** Converts an error of the body into an error for the caller. */
  private async within<T>(step: Promise<T>): Promise<T> {
    try {
      return await nextWithin(step, this.options.stallMs, () => new CutOff('The upload stalled. Send the file again.'));
    } catch (error) {
      if (error instanceof AppError) throw error;
      if (isCutOff(this.request)) throw new CutOff('The upload was interrupted. Send the file again.', error);
      throw malformed(error);
    }
  }

  private readonly count = (chunk: Buffer): void => {
    this.received += chunk.length;
    if (this.received > MAX_FILE_BYTES + MAX_OTHER_BYTES) this.parser.destroy(tooLarge());
  };

  private readonly cut = (): void => {
    if (isCutOff(this.request)) this.parser.destroy(new CutOff('The upload was interrupted. Send the file again.'));
  };
}

function parserOf({ headers }: IncomingMessage): busboy.Busboy {
  if (!/^multipart\/form-data\s*(?:;|$)/i.test(headers['content-type'] ?? '')) throw missingFile();
  if (!/^(?:identity)?$/i.test(headers['content-encoding'] ?? '')) {
    throw new AppError(
      'INVALID_REQUEST',
      'Content-Encoding is not supported for uploads. Send the form without a Content-Encoding header.',
    );
  }
  if (Number(headers['content-length'] ?? 0) > MAX_FILE_BYTES + MAX_OTHER_BYTES) throw tooLarge();
  try {
    return busboy({ headers, defParamCharset: 'utf8', limits: LIMITS, fileHwm: FILE_BUFFER_BYTES });
  } catch (error) {
    throw malformed(error);
  }
}

function ignore(): void {}

function missingFile(): AppError {
  return new AppError(
    'MISSING_FILE',
    'Send multipart/form-data with a part named file that has a file name and is not empty.',
  );
}

function tooLarge(): AppError {
  return new AppError(
    'MEDIA_TOO_LARGE',
    `A file may have at most ${MAX_FILE_BYTES} bytes (90 MB). Send a smaller file.`,
  );
}

function malformed(cause: unknown): AppError {
  return new AppError(
    'INVALID_REQUEST',
    'The multipart body is incomplete or malformed. Send it as multipart/form-data.',
    {
      cause,
    },
  );
}
