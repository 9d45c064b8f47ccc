import { setTimeout as delay } from 'node:timers/promises';
import { Client, type ClientConfig } from 'pg';

const MIN_DELAY_MS = 250;
const MAX_DELAY_MS = 5_000;

/** Classes of errors that a repetition does not repair while the server runs: wrong user or password, unknown database. */
const REFUSED = /^(?:28|3D)/;

export interface ConnectAttempt {
  /** The reason why this attempt failed. */
  reason: string;
  attempt: number;
  retryInMs: number;
}

export interface ConnectOptions {
  /** Called after every failed attempt. */
  onFailure: (attempt: ConnectAttempt) => void;
  /** Rejects with the last error after this time. Default: never. */
  timeoutMs?: number;
  /** Rejects at once with a wrong password or an unknown database. A service waits for the job that creates them. */
  refusesLogin?: boolean;
  signal?: AbortSignal;
}

/** Tries to connect with increasing delays until the server answers a query. */
export async function untilConnected(config: ClientConfig, options: ConnectOptions): Promise<void> {
  const { onFailure, timeoutMs = Infinity, refusesLogin = false, signal } = options;
  const deadline = performance.now() + timeoutMs;
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted();
    const error = await connectError(config);
    if (error === null) return;
    const { code, reason } = reasonOf(error);
    const retryInMs = Math.min(MAX_DELAY_MS, MIN_DELAY_MS * 2 ** (attempt - 1));
    if (performance.now() + retryInMs > deadline || (refusesLogin && REFUSED.test(code))) throw error;
    onFailure({ reason, attempt, retryInMs });
    await delay(retryInMs, undefined, signal ? { signal } : {});
  }
}

async function connectError(config: ClientConfig): Promise<unknown> {
  const client = new Client(config);
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT 1');
    return null;
  } catch (error) {
    return error ?? new Error('The connection failed.');
  } finally {
    // A connection that failed has nothing to end.
    await client.end().catch(() => undefined);
  }
}

function reasonOf(error: unknown): { code: string; reason: string } {
  // The error of a refused connection to several addresses has an empty message.
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : [error];
  if (!(first instanceof Error)) return { code: '', reason: String(first) };
  return { code: 'code' in first ? String(first.code) : '', reason: first.message };
}
