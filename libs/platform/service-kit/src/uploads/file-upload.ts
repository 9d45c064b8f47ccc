import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import busboy from 'busboy';
import { AppError } from '@heliograph/errors';
import { isCutOff } from '../body/request-body';
import { nextWithin } from './next-within';
import { MAX_PART_HEADER_BYTES, PartHeaders } from './part-headers';

/** Additional size for boundaries, part headers and other parts. */
const MAX_OTHER_BYTES = 1_000_000;
const LIMITS = { fields: 20, fieldNameSize: 100, fieldSize: 500_000, parts: 50, headerPairs: 50 };
const FILE_BUFFER_BYTES = 256 * 1_024;
/** A client must send this much on average, so that no one can keep an upload open for ever with a byte now and then. */
const MIN_BYTES_PER_SECOND = 10_000;
/** Total time in which a client may be slower. */
const SLOW_START_MS = 60_000;

export interface UploadRules {
  maxBytes: number;
  /** Maximum time without data from the caller. */
  stallMs: number;
  /** Total time in which the caller may send less than 10 kB per second; default: one minute. */
  slowStartMs?: number;
  /** Names of the text parts that are kept. */
  fields: readonly string[];
  tooLarge(): AppError;
  /** The error for a form without a file. */
  missingFile(): AppError;
}

/** The body was incomplete or was not read completely, so its fingerprint is unknown. */
export class CutOff extends AppError {
  constructor(message: string, cause?: unknown) {
    super('INVALID_REQUEST', message, { cause });
  }
}

/**
 * Opens the uploaded file: the first file part named `file` of a multipart body, or the whole body if it is not
 * multipart. The caller reads the file to its end or closes the upload. Throws `rules.missingFile`, `rules.tooLarge`, INVALID_REQUEST.
 */
export async function openUpload(request: IncomingMessage, rules: UploadRules): Promise<FileUpload> {
  if (!/^(?:identity)?$/i.test(request.headers['content-encoding'] ?? '')) {
    throw new AppError(
      'INVALID_REQUEST',
      'Content-Encoding is not supported for uploads. Send the body without a Content-Encoding header.',
    );
  }
  if (Number(request.headers['content-length'] ?? 0) > rules.maxBytes + MAX_OTHER_BYTES) throw rules.tooLarge();
  const form = isMultipart(request) ? parserOf(request) : null;
  const upload = new FileUpload(request, form, rules);
  try {
    await upload.open();
    return upload;
  } catch (error) {
    upload.close();
    throw error;
  }
}

export function isMultipart({ headers }: IncomingMessage): boolean {
  return /^multipart\/form-data\s*(?:;|$)/i.test(headers['content-type'] ?? '');
}

/** One file that is being streamed. Its content is never completely in memory. */
export class FileUpload {
  /** As stated in its part. */
  fileName: string | undefined;
  /** As stated in its part. */
  declaredType = '';
  /** The kept text parts that have arrived. All have arrived when the file has been read. */
  readonly fields = new Map<string, string>();
  private readonly hash = createHash('sha256');
  private size = 0;
  private received = 0;
  /** Time spent waiting for data from the caller. The time that the reader of the file takes does not count. */
  private waitedMs = 0;
  private sha256: string | null = null;
  private readonly head: Buffer[] = [];
  private chunks: AsyncIterator<Buffer> | null = null;
  /** Parses the body, or passes it on. The end of the file closes this stream, but the request remains open. */
  private readonly body: busboy.Busboy | PassThrough;
  private readonly end: Promise<void>;
  private readonly partHeaders: PartHeaders | null;

  constructor(
    private readonly request: IncomingMessage,
    private readonly form: busboy.Busboy | null,
    private readonly rules: UploadRules,
  ) {
    this.body = form ?? new PassThrough();
    this.partHeaders = form ? PartHeaders.of(request.headers['content-type'] ?? '') : null;
    this.end = finished(this.body);
    // Prevents an unhandled rejection if no caller awaits the promise. The reader of the file gets the error.
    this.end.catch(ignore);
    this.body.on('error', ignore);
  }

  /** Hexadecimal SHA-256 and size in bytes; null until the file has been read completely. */
  get whole(): { sha256: string; sizeBytes: number } | null {
    return this.sha256 === null ? null : { sha256: this.sha256, sizeBytes: this.size };
  }

  /** Finds the file. */
  async open(): Promise<void> {
    const { request, body, form } = this;
    const found = form ? this.findFile(form) : Promise.resolve(body as PassThrough);
    request.on('data', this.check);
    request.once('close', this.cut);
    if (request.destroyed) this.cut();
    else request.pipe(body);
    const file = await this.within(found);
    if (!file) throw this.rules.missingFile();
    this.chunks = (file as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  }

  /** The first bytes, which `content` returns again. The file is complete if they are fewer than `bytes`. */
  async readHead(bytes: number): Promise<Buffer> {
    for (let size = 0; size < bytes;) {
      const chunk = await this.next();
      if (!chunk) break;
      this.head.push(chunk);
      size += chunk.length;
    }
    return Buffer.concat(this.head);
  }

  /** The content of the file. It ends when the body has ended. */
  async *content(): AsyncGenerator<Buffer> {
    yield* this.head;
    for (let chunk = await this.next(); chunk; chunk = await this.next()) yield chunk;
    await this.within(this.end);
    this.sha256 = this.hash.digest('hex');
  }

  /** Reads the file to its end and discards it. */
  async drain(): Promise<void> {
    const content = this.content();
    while (!(await content.next()).done);
  }

  /** Stops reading. The owner of the request discards the rest of the body. */
  close(): void {
    this.request.unpipe(this.body);
    this.request.off('data', this.check);
    this.request.off('close', this.cut);
    this.body.destroy();
  }

  private findFile(parser: busboy.Busboy): Promise<Readable | null> {
    parser.on('field', (name, value) => {
      if (this.rules.fields.includes(name)) this.fields.set(name, value);
    });
    const found = new Promise<Readable>((resolve) => {
      let isFound = false;
      parser.on('file', (name, stream, { filename, mimeType }) => {
        stream.on('error', ignore);
        if (isFound || name !== 'file') {
          stream.resume();
          return;
        }
        isFound = true;
        this.fileName = filename;
        this.declaredType = mimeType;
        resolve(stream);
      });
    });
    // The parser reports a malformed part by an error only, without the event `close`.
    return Promise.race([found, this.end.then(() => null)]);
  }

  private async next(): Promise<Buffer | null> {
    if (!this.chunks) return null;
    const { done, value } = await this.within(this.chunks.next());
    if (done) return null;
    this.size += value.length;
    if (this.size > this.rules.maxBytes) throw this.rules.tooLarge();
    this.hash.update(value);
    return value;
  }

  /** Converts an error of the body into an error for the caller. */
  private async within<T>(step: Promise<T>): Promise<T> {
    const { stallMs, slowStartMs = SLOW_START_MS } = this.rules;
    const remainingMs = slowStartMs + (this.received / MIN_BYTES_PER_SECOND) * 1_000 - this.waitedMs;
    const startedAt = performance.now();
    try {
      return remainingMs < stallMs
        ? await nextWithin(step, Math.max(remainingMs, 0), tooSlow)
        : await nextWithin(step, stallMs, () => new CutOff('The upload stalled. Send the file again.'));
    } catch (error) {
      if (error instanceof AppError) throw error;
      if (this.request.destroyed && isCutOff(this.request))
        throw new CutOff('The upload was interrupted. Send the file again.', error);
      throw malformed(error);
    } finally {
      this.waitedMs += performance.now() - startedAt;
    }
  }

  private readonly check = (chunk: Buffer): void => {
    this.received += chunk.length;
    if (this.received > this.rules.maxBytes + MAX_OTHER_BYTES) this.body.destroy(this.rules.tooLarge());
    if (this.partHeaders?.accept(chunk) === false) this.body.destroy(partHeadersTooLarge());
  };

  private readonly cut = (): void => {
    if (isCutOff(this.request)) this.body.destroy(new CutOff('The upload was interrupted. Send the file again.'));
  };
}

function parserOf({ headers }: IncomingMessage): busboy.Busboy {
  try {
    return busboy({ headers, defParamCharset: 'utf8', limits: LIMITS, fileHwm: FILE_BUFFER_BYTES });
  } catch (error) {
    throw malformed(error);
  }
}

function tooSlow(): CutOff {
  return new CutOff(
    `The upload was too slow. Send at least ${MIN_BYTES_PER_SECOND / 1_000} kB per second, or split the file.`,
  );
}

function partHeadersTooLarge(): AppError {
  return new AppError(
    'INVALID_REQUEST',
    `The headers of a part have more than ${MAX_PART_HEADER_BYTES} bytes. Send shorter headers and a shorter file name.`,
  );
}

function malformed(cause: unknown): AppError {
  return new AppError(
    'INVALID_REQUEST',
    'The multipart body is incomplete or malformed. Send it as multipart/form-data.',
    { cause },
  );
}

function ignore(): void {}
