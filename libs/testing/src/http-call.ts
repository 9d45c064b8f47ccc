import { isAccessToken } from '@heliograph/users';
import { sendRequest, type RequestOptions, type TextResponse } from './send-request';

/** An HTTP response. */
export interface HttpAnswer extends TextResponse {
  /** The JSON object; empty if the body is not a JSON object. */
  body: Record<string, unknown>;
}

export interface HttpCallOptions extends RequestOptions {
  /** An API key, sent as X-API-Key, or an access token, sent as a Bearer token. */
  key?: string | null;
}

/** An access token is accepted only as a Bearer token. */
export function credentialsOf(key: string): Record<string, string> {
  return isAccessToken(key) ? { Authorization: `Bearer ${key}` } : { 'X-API-Key': key };
}

/** Sends one HTTP request exactly as given. Redirects are not followed. */
export async function httpCall(url: string, options: HttpCallOptions = {}): Promise<HttpAnswer> {
  const { key = null, headers = {}, ...others } = options;
  const credentials = key === null ? {} : credentialsOf(key);
  const response = await sendRequest(url, { ...others, headers: { ...credentials, ...headers } });
  const isJson = response.text !== '' && response.headers.get('content-type')?.includes('json') === true;
  return { ...response, body: isJson ? (JSON.parse(response.text) as Record<string, unknown>) : {} };
}
