import { setTimeout as delay } from 'node:timers/promises';
import type { Client, Pool } from 'pg';

const STUCK_MS = 60_000;

/** Runs a query that returns one number. */
export async function numberOf(client: Client | Pool, query: string, values: unknown[] = []): Promise<number> {
  const { rows } = await client.query<{ value: string }>(`SELECT (${query})::text AS value`, values);
  return Number(rows[0]?.value ?? NaN);
}

/** Waits until a number has the expected value. Throws if it does not change for a minute. Resolves with how much it changed. */
export async function untilReached(what: string, read: () => Promise<number>, expected: number): Promise<number> {
  const initial = await read();
  for (let last = initial, stuckSince = Date.now(); ; await delay(100)) {
    const current = await read();
    if (current === expected) return Math.abs(current - initial);
    if (current !== last) stuckSince = Date.now();
    last = current;
    if (Date.now() - stuckSince > STUCK_MS) throw new Error(`${what}: ${current}, expected ${expected}`);
  }
}

export async function untilOutboxIsEmpty(client: Client): Promise<void> {
  await untilReached('events in the outbox', () => numberOf(client, 'SELECT count(*) FROM messaging.outbox'), 0);
}

/** An invariant: its subject, the actual and the expected number. */
export type Invariant = [subject: string, actual: number, expected: number];

/** Describes the invariants that do not hold. */
export function violationsOf(invariants: readonly Invariant[]): string[] {
  return invariants
    .filter(([, actual, expected]) => actual !== expected)
    .map(([subject, actual, expected]) => `${subject}: ${actual}, expected ${expected}`);
}
