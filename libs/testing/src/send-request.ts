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
