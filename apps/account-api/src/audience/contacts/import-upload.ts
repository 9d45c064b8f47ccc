import type { IncomingMessage } from 'node:http';
import { AppError } from '@heliograph/errors';
import { fieldError, openUpload, type UploadRules } from '@heliograph/service-kit';

const CHUNK_BYTES = 256 * 1_024;
const RULES: UploadRules = {
  maxBytes: 100_000_000,
  stallMs: 60_000,
  fields: ['options'],
  tooLarge: () =>
    new AppError(
      'PAYLOAD_TOO_LARGE',
      'A file can have at most 100 MB and 1,000,000 rows. Split the file into several imports.',
    ),
  missingFile: () => fieldError('INVALID_REQUEST', 'file', 'Send the file as a part named file with a file name.'),
};

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
  store: (chunk: Buffer) => Promise<void>,
): Promise<StoredUpload> {
  const upload = await openUpload(request, RULES);
  try {
    let waiting: Buffer[] = [];
    let waitingBytes = 0;
    for await (const chunk of upload.content()) {
      waiting.push(chunk);
      waitingBytes += chunk.length;
      if (waitingBytes < CHUNK_BYTES) continue;
      await store(Buffer.concat(waiting));
      waiting = [];
      waitingBytes = 0;
    }
    if (waitingBytes > 0) await store(Buffer.concat(waiting));
  } finally {
    upload.close();
  }
  if (!upload.whole) throw new Error('the file has not been read to its end');
  return { options: upload.fields.get('options') ?? null, sha256: upload.whole.sha256 };
}
