import { isAccessToken } from '@heliograph/users';
import { request, type Dispatcher } from 'undici';

/** An HTTP response whose body was read. */
export interface HttpResponse<Body = Record<string, unknown>> {
  status: number;
  headers: Headers;
  text: string;
  /** The JSON object; empty if the body is not a JSON object. */
  body: Body;
}

export interface HttpCallOptions {
  method?: string;
  /** An API key, sent as X-API-Key, or an access token, sent as a Bearer token. */
  key?: string | null;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** A value that is sent as JSON; text and bytes are sent unchanged with the content type of JSON. */
  json?: unknown;
  signal?: AbortSignal;
  /** Returns after the headers of an event stream, which does not end, and closes it. The text is empty. */
  closesStreams?: boolean;
}

/** An access token is accepted only as a Bearer token. */
export function credentialsOf(key: string): Record<string, string> {
  return isAccessToken(key) ? { Authorization: `Bearer ${key}` } : { 'X-API-Key': key };
}

/**
 * Sends one HTTP request as given and reads the response. Redirects are not followed. Most tests use it, because `fetch` and
 * supertest need twice the CPU time per call, and supertest adds headers of its own.
 */
export async function httpCall<Body = Record<string, unknown>>(
  url: string,
  options: HttpCallOptions = {},
): Promise<HttpResponse<Body>> {
  const { method = 'GET', key = null, headers = {}, body, json, signal, closesStreams = false } = options;
  const hasType = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
  const isText = typeof json === 'string' || json instanceof Uint8Array;
  const response = await request(url, {
    method: method as Dispatcher.HttpMethod,
    headers: {
      ...(key === null ? {} : credentialsOf(key)),
      ...(json === undefined || hasType ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    body: body ?? (isText ? json : (JSON.stringify(json) ?? null)),
    ...(signal && { signal }),
  });
  if (closesStreams && String(response.headers['content-type']).startsWith('text/event-stream')) {
    response.body.destroy();
    return answerOf(response.statusCode, response.headers, '');
  }
  return answerOf(response.statusCode, response.headers, await response.body.text());
}

export function answerOf<Body = Record<string, unknown>>(
  status: number,
  received: Dispatcher.ResponseData['headers'],
  text: string,
): HttpResponse<Body> {
  const headers = new Headers();
  for (const [name, value = []] of Object.entries(received))
    for (const line of [value].flat()) headers.append(name, line);
  const isJson = text !== '' && headers.get('content-type')?.startsWith('application/json') === true;
  return { status, headers, text, body: (isJson ? JSON.parse(text) : {}) as Body };
}
