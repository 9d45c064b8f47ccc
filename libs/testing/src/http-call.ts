/** An HTTP response. */
export interface HttpAnswer {
  status: number;
  headers: Headers;
  text: string;
  /** The JSON object; empty if the body is not a JSON object. */
  body: Record<string, unknown>;
}

export interface HttpCallOptions {
  method?: string;
  /** Value of the header X-API-Key. */
  key?: string | null;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
}

/** Sends one HTTP request exactly as given. Redirects are not followed. */
export async function httpCall(url: string, options: HttpCallOptions = {}): Promise<HttpAnswer> {
  const { method = 'GET', key = null, headers = {}, body } = options;
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    headers: { ...(key === null ? {} : { 'X-API-Key': key }), ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : new Uint8Array(body) }),
  });
  const text = await response.text();
  const isJson = text !== '' && response.headers.get('content-type')?.includes('json') === true;
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson ? (JSON.parse(text) as Record<string, unknown>) : {},
  };
}
