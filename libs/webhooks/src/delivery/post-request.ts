import type { Dispatcher } from 'undici';

export interface RequestTarget {
  origin: string;
  /** Path and query. */
  path: string;
}

export interface PostResponse {
  statusCode: number;
  retryAfter: string | null;
  /** The start of the body. */
  body: Buffer;
}

export interface PostLimits {
  timeoutMs: number;
  /** The rest of the body is not read, so that a large response costs neither memory nor time. */
  maxBodyBytes: number;
}

export class DeadlineError extends Error {}

/**
 * Posts once and resolves with the start of the response. The response is read without a stream and without a signal, which
 * take a notable part of the CPU of a delivery. Rejects with the error of the connection, or with a DeadlineError.
 */
export function postRequest(
  dispatcher: Dispatcher,
  { origin, path }: RequestTarget,
  headers: Record<string, string>,
  body: string,
  { timeoutMs, maxBodyBytes }: PostLimits,
): Promise<PostResponse> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let statusCode = 0;
    let retryAfter: string | null = null;
    let running: Dispatcher.DispatchController | null = null;
    let isOver = false;
    const finish = (error: Error | null): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(deadline);
      if (error) reject(error);
      else resolve({ statusCode, retryAfter, body: startOf(chunks, maxBodyBytes) });
    };
    const deadline = setTimeout(() => {
      const error = new DeadlineError(`no complete response within ${timeoutMs} ms`);
      finish(error);
      running?.abort(error);
    }, timeoutMs);
    dispatcher.dispatch(
      { origin, path, method: 'POST', headers, body },
      {
        onRequestStart: (controller) => {
          running = controller;
          if (isOver) controller.abort(new DeadlineError('the connection was established too late'));
        },
        onResponseStart: (_controller, status, fields) => {
          // Informational responses come before the final one.
          if (status < 200) return;
          statusCode = status;
          const value = fields['retry-after'];
          retryAfter = typeof value === 'string' ? value : null;
        },
        onResponseData: (controller, chunk) => {
          chunks.push(chunk);
          size += chunk.length;
          if (size <= maxBodyBytes) return;
          finish(null);
          controller.abort(new Error('the rest of the response is not needed'));
        },
        onResponseEnd: () => finish(null),
        onResponseError: (_controller, error) => finish(error),
      },
    );
  });
}

function startOf(chunks: readonly Buffer[], length: number): Buffer {
  const [first, ...rest] = chunks;
  return (first && rest.length === 0 ? first : Buffer.concat(chunks)).subarray(0, length);
}
