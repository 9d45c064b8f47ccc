import { AppError } from '@heliograph/errors';
import { readRetryAfterMs } from '@heliograph/fairness';
import type { Exchanged } from './exchange';
import { oneLine } from './one-line';

export type RefusalCode = 'CHATAPP_REQUEST_INVALID' | 'CHATAPP_RATE_LIMITED' | 'CHATAPP_UPSTREAM';

/** The reason why the provider has certainly not performed a request. */
export interface UpstreamRefusal {
  code: RefusalCode;
  /** One line, at most 500 characters. */
  title: string;
  /** The provider's explanation of an invalid request, on one line; null if there is no explanation. */
  details: string | null;
  upstreamCode: number | null;
  upstreamSubcode: number | null;
  /** Always set with CHATAPP_RATE_LIMITED. */
  retryAfterSeconds: number | null;
}

/** Error codes of the Graph API and the resulting error code, for every HTTP status except 429. */
const CODES: Readonly<Record<number, RefusalCode>> = {
  // Rate limits: application, business account, throughput, spam, pair of numbers.
  4: 'CHATAPP_RATE_LIMITED',
  80007: 'CHATAPP_RATE_LIMITED',
  130429: 'CHATAPP_RATE_LIMITED',
  131048: 'CHATAPP_RATE_LIMITED',
  131056: 'CHATAPP_RATE_LIMITED',
  // Errors in the caller's request.
  100: 'CHATAPP_REQUEST_INVALID',
  131008: 'CHATAPP_REQUEST_INVALID',
  131009: 'CHATAPP_REQUEST_INVALID',
  131026: 'CHATAPP_REQUEST_INVALID',
  131047: 'CHATAPP_REQUEST_INVALID',
  131051: 'CHATAPP_REQUEST_INVALID',
  131052: 'CHATAPP_REQUEST_INVALID',
  131053: 'CHATAPP_REQUEST_INVALID',
  132000: 'CHATAPP_REQUEST_INVALID',
  132001: 'CHATAPP_REQUEST_INVALID',
  132012: 'CHATAPP_REQUEST_INVALID',
  132015: 'CHATAPP_REQUEST_INVALID',
  132016: 'CHATAPP_REQUEST_INVALID',
  133010: 'CHATAPP_REQUEST_INVALID',
  // Failures of the provider, followed by errors of the access token and its permissions, which callers cannot fix.
  1: 'CHATAPP_UPSTREAM',
  2: 'CHATAPP_UPSTREAM',
  3: 'CHATAPP_UPSTREAM',
  10: 'CHATAPP_UPSTREAM',
  190: 'CHATAPP_UPSTREAM',
};
const PERMISSIONS = { first: 200, last: 299 };

/** Duration of a rate limit in seconds if the provider does not return it. */
const PAUSES: Readonly<Record<number, number>> = { 4: 60, 80007: 60, 130429: 1, 131048: 60, 131056: 6 };
const USUAL_PAUSE = 5;
const MAX_PAUSE = 3_600;

/** Reads an unsuccessful response. `secret` is removed from the provider's texts. */
export function readRefusal({ status, headers, json }: Exchanged, secret: string): UpstreamRefusal {
  const error = errorOf(json);
  const upstreamCode = numberOf(error?.['code']);
  const code = codeOf(upstreamCode, status);
  const details = error?.['error_user_msg'] ?? (error?.['error_data'] as Fields | undefined)?.['details'];
  return {
    code,
    title: titleOf(error, secret) ?? `The provider responded with status ${status}`,
    details: typeof details === 'string' && details !== '' ? oneLine(details, secret) : null,
    upstreamCode,
    upstreamSubcode: numberOf(error?.['error_subcode']),
    retryAfterSeconds: code === 'CHATAPP_RATE_LIMITED' ? pauseOf(headers['retry-after'], upstreamCode) : null,
  };
}

/** Creates the refusal of a request that was not sent to the provider. */
export function unreachable(reason: string): UpstreamRefusal {
  return {
    code: 'CHATAPP_UPSTREAM',
    title: `The provider could not be reached: ${reason}`,
    details: null,
    upstreamCode: null,
    upstreamSubcode: null,
    retryAfterSeconds: null,
  };
}

/** Creates the error for the caller. */
export function toAppError(refusal: UpstreamRefusal): AppError {
  const { code, title, details, upstreamCode, retryAfterSeconds } = refusal;
  const cause = new Error(`provider error ${upstreamCode ?? 'without a code'}: ${title}`);
  switch (code) {
    case 'CHATAPP_REQUEST_INVALID':
      return new AppError(
        code,
        `The provider refused the request: ${sentencesOf(title, details)} Correct the request and send it again.`,
        {
          cause,
        },
      );
    case 'CHATAPP_RATE_LIMITED':
      return new AppError(
        code,
        `The provider has reached a rate limit: ${sentencesOf(title, null)} Try again after the seconds in Retry-After.`,
        { retryAfterSeconds: retryAfterSeconds ?? USUAL_PAUSE, cause },
      );
    case 'CHATAPP_UPSTREAM':
      return new AppError(code, 'The provider cannot process the request at the moment. Try again later.', { cause });
  }
}

/** Creates the error for a request that was sent and whose result is unknown. */
export function unanswered(reason: string): AppError {
  return new AppError(
    'CHATAPP_UPSTREAM',
    'The provider did not respond in time. Check whether the request was performed before you repeat it.',
    { cause: new Error(`no response from the provider: ${reason}`) },
  );
}

function codeOf(upstreamCode: number | null, status: number): RefusalCode {
  if (status === 429) return 'CHATAPP_RATE_LIMITED';
  const listed = upstreamCode === null ? undefined : CODES[upstreamCode];
  if (listed) return listed;
  if (upstreamCode !== null && upstreamCode >= PERMISSIONS.first && upstreamCode <= PERMISSIONS.last) {
    return 'CHATAPP_UPSTREAM';
  }
  if (status === 401 || status === 403) return 'CHATAPP_UPSTREAM';
  return status >= 400 && status < 500 ? 'CHATAPP_REQUEST_INVALID' : 'CHATAPP_UPSTREAM';
}

function titleOf(error: Fields | null, secret: string): string | null {
  for (const text of [error?.['error_user_title'], error?.['message']]) {
    // The leading number repeats the code.
    const title = typeof text === 'string' ? oneLine(text.replace(/^\(#\d+\)\s*/, ''), secret) : '';
    if (title !== '') return title;
  }
  return null;
}

function sentencesOf(...texts: (string | null)[]): string {
  return texts
    .filter((text) => text !== null)
    .map((text) => (/[.!?]$/.test(text) ? text : `${text}.`))
    .join(' ');
}

/** The pause in seconds: that of Retry-After if it is between one second and MAX_PAUSE, otherwise the usual one of the error code. */
function pauseOf(header: string | string[] | undefined, upstreamCode: number | null): number {
  const seconds = Math.ceil((readRetryAfterMs(header, new Date()) ?? 0) / 1_000);
  if (seconds >= 1 && seconds <= MAX_PAUSE) return seconds;
  return (upstreamCode === null ? undefined : PAUSES[upstreamCode]) ?? USUAL_PAUSE;
}

type Fields = Readonly<Record<string, unknown>>;

/** Returns the error object of a response; null if there is no error object. */
export function errorOf(json: unknown): Fields | null {
  const error = (json as { error?: unknown } | null | undefined)?.error;
  return typeof error === 'object' && error !== null ? (error as Fields) : null;
}

function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : null;
}
