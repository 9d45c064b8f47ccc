import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import busboy from 'busboy';
import { refusal } from '../graph-error';
import { MAX_UPLOAD_BYTES, tooBig } from './media-rules';

const LIMITS = { files: 2, fields: 20, parts: 20, fieldNameSize: 100, fieldSize: 4_096, headerPairs: 50 };

export interface ReceivedFile {
  name: string;
  /** As stated in its part. */
  type: string;
  size: number;
  /** Hexadecimal. */
  sha256: string;
  /** The path of the file. */
  path: string;
}

export interface ReceivedUpload {
  fields: Readonly<Record<string, string>>;
  file: ReceivedFile | null;
}

/** Reads a multipart body and streams its part `file` into a file at `path`, which is deleted if this throws. */
export async function receiveUpload(request: IncomingMessage, path: string): Promise<ReceivedUpload> {
  const parser = parserOf(request);
  const fields = new Map<string, string>();
  let writing: Promise<ReceivedFile> | null = null;
  parser.on('field', (name, value) => fields.set(name, value));
  parser.on('file', (name, stream, { filename, mimeType }) => {
    // A truncated body is also an error of the current part.
    stream.on('error', () => undefined);
    if (name !== 'file' || writing) {
      stream.resume();
      return;
    }
    writing = store(stream, path).then((stored) => ({ name: filename, type: mimeType, path, ...stored }));
    // Awaited below, unless the body is truncated.
    writing.catch(() => undefined);
  });
  try {
    await parse(request, parser);
  } catch (error) {
    await Promise.allSettled([writing]);
    await rm(path, { force: true });
    throw refusal(100, `the multipart body is incomplete or malformed: ${String(error)}`);
  }
  return { fields: Object.fromEntries(fields), file: await writing };
}

function parserOf({ headers }: IncomingMessage): busboy.Busboy {
  try {
    return busboy({
      headers,
      defParamCharset: 'utf8',
      // One more byte than allowed, so that an excess is detected.
      limits: { ...LIMITS, fileSize: MAX_UPLOAD_BYTES + 1 },
    });
  } catch (error) {
    throw refusal(100, `the body is not multipart: ${String(error)}`);
  }
}

/** Not a pipeline, which would close the connection before the error response. */
async function parse(request: IncomingMessage, parser: busboy.Busboy): Promise<void> {
  const giveUp = (): void => {
    if (!request.complete) parser.destroy(new Error('the connection was cut'));
  };
  request.once('close', giveUp);
  if (request.destroyed) giveUp();
  request.pipe(parser);
  await finished(parser);
}

async function store(stream: Readable, path: string): Promise<{ size: number; sha256: string }> {
  const hash = createHash('sha256');
  let size = 0;
  try {
    await pipeline(
      stream,
      async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          size += chunk.length;
          hash.update(chunk);
          yield chunk;
        }
      },
      createWriteStream(path, { flags: 'wx' }),
    );
    if (size > MAX_UPLOAD_BYTES) throw tooBig(MAX_UPLOAD_BYTES);
  } catch (error) {
    // A parser whose file is not read would never end.
    stream.resume();
    await rm(path, { force: true });
    throw error;
  }
  return { size, sha256: hash.digest('hex') };
}
