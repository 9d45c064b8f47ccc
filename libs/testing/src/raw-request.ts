import { once } from 'node:events';
import { request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { answerOf, type HttpResponse } from './http-call';

export interface RawResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Sends a request with exactly these headers. Returns the body as received: it stays compressed, unlike with `fetch`. */
export const rawRequest = (url: string, headers: Record<string, string> = {}, method = 'GET') =>
  new Promise<RawResponse>((resolve, reject) => {
    request(url, { method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    })
      .on('error', reject)
      .end();
  });

/**
 * Sends a POST request whose body never arrives completely: the first byte of 1,000. Reads the response, which only a service that
 * refuses the call before it reads the body can send.
 */
export async function sendIncompleteRequest(url: string, headers: Record<string, string> = {}): Promise<HttpResponse> {
  const call = request(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers, 'Content-Length': '1000' },
  });
  const answered = once(call, 'response') as Promise<[IncomingMessage]>;
  call.write('{');
  try {
    const [response] = await answered;
    return answerOf(response.statusCode ?? 0, response.headersDistinct, await text(response));
  } finally {
    call.destroy();
  }
}
