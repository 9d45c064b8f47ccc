import { setTimeout as delay } from 'node:timers/promises';

const CALL_TIMEOUT_MS = 8_000;
export const GIVE_UP_MS = 120_000;

export interface Call<T = unknown> {
  /** Names the call in reports. */
  name: string;
  /** A function may choose another replica for each attempt. */
  url: string | (() => string);
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  bearerToken?: string;
  idempotencyKey?: string;
  /** Further headers, created for each attempt. */
  headers?: () => Record<string, string>;
  /** A string is sent as it is, an object as JSON. */
  body?: string | object;
  /** Matches the body of an error response that is legal and final. */
  mayRefuse?: RegExp;
  /** Parses a successful response that is not JSON. If it throws, the call has no answer and is retried. */
  parse?: (text: string) => T;
}

/** Counters and problem reports of a client. */
export interface CallReport {
  problems: string[];
  retries: number;
}

/** Makes one attempt of a call. */
export function attempt(call: Call, timeoutMs = CALL_TIMEOUT_MS): Promise<Response> {
  const { url, method = 'POST', bearerToken, idempotencyKey, headers, body } = call;
  return fetch(typeof url === 'function' ? url() : url, {
    method,
    headers: {
      ...(bearerToken === undefined ? {} : { authorization: `Bearer ${bearerToken}` }),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers?.(),
    },
    body: typeof body === 'object' ? JSON.stringify(body) : (body ?? null),
    signal: AbortSignal.timeout(timeoutMs),
  });
}

/**
 * Retries a call until it has a final answer, as clients should: after a connection error or a 5xx the outcome is unknown
 * and the same call finds it out; a 408 or 429 requests a retry. Resolves with null if the call was refused. A refusal is reported
 * as a problem unless `mayRefuse` allows it.
 */
export async function callUntilAnswered<T>(call: Call<T>, report: CallReport): Promise<T | null> {
  const { name, mayRefuse, parse } = call;
  const outcomes = new Map<string, number>();
  const count = (outcome: string): void => void outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  for (const deadline = Date.now() + GIVE_UP_MS; Date.now() < deadline;) {
    try {
      const response = await attempt(call);
      const text = await response.text();
      if (response.ok) return parse ? parse(text) : (JSON.parse(text) as T);
      if (mayRefuse?.test(text)) return null;
      const { status } = response;
      if (status < 500 && status !== 408 && status !== 429 && !text.includes('IDEMPOTENCY_IN_PROGRESS')) {
        report.problems.push(`${name} was refused: ${status} ${text.slice(0, 200)}`);
        return null;
      }
      if (status === 500) report.problems.push(`${name} returned 500`);
      if (status === 503 && !response.headers.get('retry-after'))
        report.problems.push(`${name} returned 503 without Retry-After`);
      count(`${status} ${/"code":"(\w+)"/.exec(text)?.[1] ?? ''}`);
    } catch (error) {
      // The outcome is unknown; the next attempt finds it out.
      count(reasonOf(error));
    }
    report.retries++;
    await delay(200 + Math.random() * 300);
  }
  const seen = [...outcomes].map(([outcome, times]) => `${times} x ${outcome}`).join(', ');
  report.problems.push(`${name} had no answer within ${GIVE_UP_MS / 1_000} s: ${seen}`);
  return null;
}

function reasonOf(error: unknown): string {
  const { name, cause } = error as Error & { cause?: { code?: string } };
  return cause?.code ?? name;
}
