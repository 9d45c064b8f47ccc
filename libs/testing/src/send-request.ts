import { once } from 'node:events';
import { request as openRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { request, type Dispatcher } from 'undici';

export interface RequestOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  signal?: AbortSignal;
}

/** An HTTP response whose body was read. */
export interface TextResponse {
  status: number;
  headers: Headers;
  text: string;
}

/**
 * Sends one HTTP request as given and reads the response. Redirects are not followed. The tests use it for most of their
 * calls instead of `fetch`, which takes about 0.4 ms more processor time per call.
 */
export async function sendRequest(url: string, options: RequestOptions = {}): Promise<TextResponse> {
  const { method = 'GET', body, ...others } = options;
  const response = await request(url, { ...others, method: method as Dispatcher.HttpMethod, body: body ?? null });
  const headers = new Headers();
  for (const [name, value = []] of Object.entries(response.headers))
    for (const line of [value].flat()) headers.append(name, line);
  return { status: response.statusCode, headers, text: await response.body.text() };
}

/**
 * Sends a POST request whose body never arrives completely: the first byte of 1,000. Reads the response, which only a service that
 * refuses the call before it reads the body can send.
 */
export async function sendIncompleteRequest(url: string, headers: Record<string, string> = {}): Promise<TextResponse> {
  const call = openRequest(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers, 'Content-Length': '1000' },
  });
  const answered = once(call, 'response') as Promise<[IncomingMessage]>;
  call.write('{');
  try {
    const [response] = await answered;
    const received = Object.entries(response.headersDistinct).map(([name, lines = []]): [string, string] => [
      name,
      lines.join(', '),
    ]);
    return { status: response.statusCode ?? 0, headers: new Headers(received), text: await text(response) };
  } finally {
    call.destroy();
  }
}
