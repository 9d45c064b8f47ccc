import type { IncomingMessage } from 'node:http';
import { refusal, type GraphError } from './graph-error';

const MAX_BODY_BYTES = 1_000_000;

export interface ReadBody {
  /** Parsed JSON; null without a body, the text if it is not JSON. */
  body: unknown;
  bytes: number;
  /** The reason why the provider rejects the body. */
  error: GraphError | null;
}

/** Reads a whole body. Rejects if the client disconnects. */
export async function readJson(request: IncomingMessage): Promise<ReadBody> {
  const chunks = await readChunks(request);
  if (!chunks) return unusable(null, 0, `the body must have at most ${MAX_BODY_BYTES} bytes`);
  const raw = Buffer.concat(chunks);
  if (raw.length === 0) return { body: null, bytes: 0, error: null };
  const text = raw.toString('utf8');
  const body = parsed(text);
  if (body === undefined) return unusable(text, raw.length, 'the body is not JSON');
  // The provider would parse the body as a form without fields.
  const isJson = /^application\/json\b/i.test(request.headers['content-type'] ?? '');
  if (!isJson) return unusable(body, raw.length, 'the Content-Type must be application/json');
  return { body, bytes: raw.length, error: null };
}

/** Null if the body exceeds the limit. */
function readChunks(request: IncomingMessage): Promise<Buffer[] | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= MAX_BODY_BYTES) chunks.push(chunk);
    });
    request.once('end', () => resolve(bytes <= MAX_BODY_BYTES ? chunks : null));
    request.once('error', reject);
    request.once('close', () => reject(new Error('the client disconnected')));
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function unusable(body: unknown, bytes: number, details: string): ReadBody {
  return { body, bytes, error: refusal(100, details) };
}
