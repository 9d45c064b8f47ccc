import { benchKey } from '@heliograph/bench-data';

/** Calls an API as the organization B. Rejects with the status and the error code if the call is refused. */
export async function callAsB<T>(
  url: string,
  body?: object | string,
  headers: Record<string, string> = {},
  signal: AbortSignal | null = null,
): Promise<T> {
  const response = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${benchKey(1)}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: typeof body === 'object' ? JSON.stringify(body) : (body ?? null),
    signal,
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${new URL(url).pathname} returned ${response.status} ${text.slice(0, 200)}`);
  return JSON.parse(text || 'null') as T;
}
