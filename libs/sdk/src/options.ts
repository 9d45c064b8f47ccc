import { HeliographError } from './errors';

export interface ClientOptions {
  /** An API key, or an access token of `auth.login`. Left out in browsers that have a session cookie of the console. */
  apiKey?: string;
  /** The address of the installation, such as `https://messages.example.com`. */
  baseUrl: string;
  /**
   * Id of the workspace in which calls act. Default: for sends the workspace of the key, or the oldest active one; lists then cover the
   * organization. Calls of bots, the inbox and billing need a workspace, and use the only one of the organization.
   */
  workspace?: string;
  /**
   * `true` refuses live keys, `false` refuses test keys, before a call is made. A test suite that sets `true` can never send a live
   * message.
   */
  testMode?: boolean;
  /** Time limit of an attempt. Default: 60 seconds. */
  timeoutMs?: number;
  /** Repeated attempts after a call failed for a passing reason. Default: 2. */
  maxRetries?: number;
  /** A call is not repeated if the server asks to wait longer than this. Default: 60 seconds. */
  maxRetryDelayMs?: number;
  /** Replaces the function that makes HTTP calls, for proxies, logs and tests. */
  fetch?: typeof fetch;
  /** Headers of every call. */
  headers?: Readonly<Record<string, string>>;
}

/** Options of one call. */
export interface RequestOptions {
  /** Default: a random key for each call that sends, buys or creates. All attempts of the call have the same key. */
  idempotencyKey?: string;
  /** Id of the workspace, instead of that of the client. */
  workspace?: string;
  /** Token of a conversation between a visitor and a bot, instead of the API key. */
  conversationToken?: string;
  signal?: AbortSignal;
  timeoutMs?: number;
  maxRetries?: number;
  headers?: Readonly<Record<string, string>>;
}

const KEY_MODE = /^[a-z0-9]+_(live|test)_/i;

/** The mode of an API key, or null for other credentials, such as access tokens. */
export function modeOfKey(apiKey: string): 'live' | 'test' | null {
  const mode = KEY_MODE.exec(apiKey)?.[1]?.toLowerCase();
  return mode === 'live' || mode === 'test' ? mode : null;
}

/** Throws if the key cannot be used with the options. */
export function checkOptions({ apiKey, baseUrl, testMode }: ClientOptions): void {
  if (!/^https?:\/\//i.test(baseUrl)) {
    throw new HeliographError(
      `baseUrl must start with https://, such as https://messages.example.com. It is ${baseUrl}.`,
    );
  }
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new HeliographError(
      'apiKey is empty or contains spaces or other characters that no key has. Copy the key again.',
    );
  }
  if (testMode === undefined || apiKey === undefined) return;
  const mode = modeOfKey(apiKey);
  if (testMode && mode === 'live') {
    throw new HeliographError(
      'testMode is true, but the API key is a live key. Use a test key: its name contains _test_.',
    );
  }
  if (!testMode && mode === 'test') {
    throw new HeliographError(
      'testMode is false, but the API key is a test key. Use a live key: its name contains _live_.',
    );
  }
}
