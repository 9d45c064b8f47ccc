import { AppError } from '@heliograph/errors';
import type { Exchanged } from './exchange';
import { oneLine } from './one-line';

export type RefusalCode = 'CHATAPP_REQUEST_INVALID' | 'CHATAPP_RATE_LIMITED' | 'CHATAPP_UPSTREAM';

/** The upstream has surely not done what it was asked for, and why. */
export interface UpstreamRefusal {
  code: RefusalCode;
  /** One line, at most 500 characters. */
  title: string;
  /** What is wrong with the request, where the upstream says so; as the title. */
  details: string | null;
  upstreamCode: number | null;
  upstreamSubcode: number | null;
  /** Always there with CHATAPP_RATE_LIMITED. */
  retryAfterSeconds: number | null;
}

/** Error codes of the Graph API and what they mean to a caller, whatever HTTP status but 429 they come with. */
const CODES: Readonly<Record<number, RefusalCode>> = {
  // Limits: of the application, of the business account, of throughput, of spam, of one pair of numbers.
  4: 'CHATAPP_RATE_LIMITED',
  80007: 'CHATAPP_RATE_LIMITED',
  130429: 'CHATAPP_RATE_LIMITED',
  131048: 'CHATAPP_RATE_LIMITED',
  131056: 'CHATAPP_RATE_LIMITED',
  // What the caller has sent.
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
  // Its own troubles, then those with our token and permissions: no caller can mend them.
  1: 'CHATAPP_UPSTREAM',
  2: 'CHATAPP_UPSTREAM',
  3: 'CHATAPP_UPSTREAM',
  10: 'CHATAPP_UPSTREAM',
  190: 'CHATAPP_UPSTREAM',
};
const PERMISSIONS = { first: 200, last: 299 };

/** How long a limit lasts, in seconds, where the upstream does not say. */
const PAUSES: Readonly<Record<number, number>> = { 4: 60, 80007: 60, 130429: 1, 131048: 60, 131056: 6 };
const USUAL_PAUSE = 5;
const MAX_PAUSE = 3_600;

/** Reads an answer that is no success. `secret` is taken out of whatever the upstream says. */
export function readRefusal({ status, headers, json }: Exchanged, secret: string): UpstreamRefusal {
  const error = errorOf(json);
  const upstreamCode = numberOf(error?.['code']);
  const code = codeOf(upstreamCode, status);
  const details = error?.['error_user_msg'] ?? (error?.['error_data'] as Fields | undefined)?.['details'];
  return {
    code,
    title: titleOf(error, secret) ?? `The upstream answered with status ${status}`,
    details: typeof details === 'string' && details !== '' ? oneLine(details, secret) : null,
    upstreamCode,
    upstreamSubcode: numberOf(error?.['error_subcode']),
    retryAfterSeconds: code === 'CHATAPP_RATE_LIMITED' ? pauseOf(headers['retry-after'], upstreamCode) : null,
  };
}

/** Nothing was written to it. */
export function unreachable(reason: string): UpstreamRefusal {
  return {
    code: 'CHATAPP_UPSTREAM',
    title: `The upstream could not be reached: ${reason}`,
    details: null,
    upstreamCode: null,
    upstreamSubcode: null,
    retryAfterSeconds: null,
  };
}

/** What the caller is told. */
export function toAppError(refusal: UpstreamRefusal): AppError {
  const { code, title, details, upstreamCode, retryAfterSeconds } = refusal;
  const cause = new Error(`upstream error ${upstreamCode ?? 'without a code'}: ${title}`);
  switch (code) {
    case 'CHATAPP_REQUEST_INVALID':
      return new AppError(code, `The platform refused this: ${sentencesOf(title, details)} Change it and try again.`, {
        cause,
      });
    case 'CHATAPP_RATE_LIMITED':
      return new AppError(
        code,
        `The platform takes no more for now: ${sentencesOf(title, null)} Try again after the seconds in Retry-After.`,
        { retryAfterSeconds: retryAfterSeconds ?? USUAL_PAUSE, cause },
      );
    case 'CHATAPP_UPSTREAM':
      return new AppError(code, 'The platform cannot serve this right now. Try again in a while.', { cause });
  }
}

/** The request has left, and nobody knows what came of it. */
export function unanswered(reason: string): AppError {
  return new AppError(
    'CHATAPP_UPSTREAM',
    'The platform did not answer in time. Look whether it has done what you asked for before you try again.',
    { cause: new Error(`no answer of the upstream: ${reason}`) },
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
    // The number in front is there as a code already.
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

/** Seconds or a date, RFC 9110 section 10.2.3. */
function pauseOf(header: string | string[] | undefined, upstreamCode: number | null): number {
  const text = String(header ?? '');
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - Date.now()) / 1_000);
  if (seconds >= 1 && seconds <= MAX_PAUSE) return seconds;
  return (upstreamCode === null ? undefined : PAUSES[upstreamCode]) ?? USUAL_PAUSE;
}

type Fields = Readonly<Record<string, unknown>>;

/** The error of an answer; null where there is none. */
export function errorOf(json: unknown): Fields | null {
  const error = (json as { error?: unknown } | null | undefined)?.error;
  return typeof error === 'object' && error !== null ? (error as Fields) : null;
}

function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : null;
}
