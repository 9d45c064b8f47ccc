import { setTimeout as delay } from 'node:timers/promises';

const CALL_TIMEOUT_MS = 8_000;
const GIVE_UP_MS = 120_000;

export interface Call<T = unknown> {
  /** For people who read what went wrong. */
  name: string;
  /** Where there are several, each try may ask another one. */
  url: string | (() => string);
  method?: 'GET' | 'POST' | 'DELETE';
  /** Made for each try. */
  headers: () => Record<string, string>;
  body?: string;
  /** A refusal that is legal, and for good. */
  mayRefuse?: RegExp;
  /** Reads a success that is not JSON; what it cannot read is no answer. */
  parse?: (text: string) => T;
}

/** How a client got on with its calls. */
export interface Conduct {
  problems: string[];
  retries: number;
}

/**
 * Calls as clients should: until there is an answer for good. A broken connection and a 5xx say nothing about what
 * became of the call, and the same call again finds out; a 429 asks for it. Null where there is no success; a problem, unless it is legal.
 */
export async function untilAnswered<T>(call: Call<T>, conduct: Conduct): Promise<T | null> {
  const { name, url, method = 'POST', headers, body, mayRefuse, parse } = call;
  for (const deadline = Date.now() + GIVE_UP_MS; Date.now() < deadline;) {
    try {
      const signal = AbortSignal.timeout(CALL_TIMEOUT_MS);
      const address = typeof url === 'function' ? url() : url;
      const answer = await fetch(address, {
        method,
        headers: headers(),
        ...(body === undefined ? {} : { body }),
        signal,
      });
      const text = await answer.text();
      if (answer.ok) return parse ? parse(text) : (JSON.parse(text) as T);
      if (mayRefuse?.test(text)) return null;
      if (answer.status < 500 && answer.status !== 429 && !text.includes('IDEMPOTENCY_IN_PROGRESS')) {
        conduct.problems.push(`${name} was refused: ${answer.status} ${text.slice(0, 200)}`);
        return null;
      }
      if (answer.status === 500) conduct.problems.push(`${name} was answered 500`);
      if (answer.status === 503 && !answer.headers.get('retry-after'))
        conduct.problems.push(`${name} was answered 503 without Retry-After`);
    } catch {
      // No answer: what became of it is for the next try to find out.
    }
    conduct.retries++;
    await delay(200 + Math.random() * 300);
  }
  conduct.problems.push(`${name} was not answered in two minutes`);
  return null;
}
