import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { Agent } from 'undici';
import { AppError } from '@heliograph/errors';
import { NoAnswer } from './exchange';

export interface MediaDownload {
  kind: 'opened';
  status: number;
  body: Readable;
  /** Null if the response of the provider contains no size. */
  sizeBytes: number | null;
}

interface RefusedDownload {
  kind: 'refused';
  status: number;
  headers: IncomingHttpHeaders;
}

/** Opens a file without following redirects. Rejects with NoAnswer. */
export async function openDownload(
  agent: Agent,
  { url, headers, protocols }: { url: string; headers: string[]; protocols: readonly string[] },
): Promise<MediaDownload | RefusedDownload> {
  const { protocol, origin, pathname, search } = new URL(url);
  if (!protocols.includes(protocol)) {
    throw new AppError(
      'CHATAPP_UPSTREAM',
      'The file cannot be downloaded, because the provider returned an address without HTTPS. Contact the operator.',
    );
  }
  const answer = await agent
    .request({ origin, path: pathname + search, method: 'GET', headers })
    .catch((error: Error) => Promise.reject(new NoAnswer(true, error)));
  const { statusCode: status, body } = answer;
  if (status !== 200) {
    body.on('error', () => undefined).destroy();
    return { kind: 'refused', status, headers: answer.headers };
  }
  const length = String(answer.headers['content-length'] ?? '');
  return { kind: 'opened', status, body, sizeBytes: /^\d+$/.test(length) ? Number(length) : null };
}
