import { sendRequest, type RequestOptions, type TextResponse } from './send-request';

/** An HTTP response. */
export interface HttpAnswer extends TextResponse {
  /** The JSON object; empty if the body is not a JSON object. */
  body: Record<string, unknown>;
}

export interface HttpCallOptions extends RequestOptions {
  /** Value of the header X-API-Key. */
  key?: string | null;
}

/** Sends one HTTP request exactly as given. Redirects are not followed. */
export async function httpCall(url: string, options: HttpCallOptions = {}): Promise<HttpAnswer> {
  const { key = null, headers = {}, ...others } = options;
  const credentials: Record<string, string> = key === null ? {} : { 'X-API-Key': key };
  const response = await sendRequest(url, { ...others, headers: { ...credentials, ...headers } });
  const isJson = response.text !== '' && response.headers.get('content-type')?.includes('json') === true;
  return { ...response, body: isJson ? (JSON.parse(response.text) as Record<string, unknown>) : {} };
}
