import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';

const STUCK_MS = 60_000;

export async function countOf(client: Client, text: string, values: unknown[] = []): Promise<number> {
  const { rows } = await client.query<{ value: string }>(`SELECT (${text})::text AS value`, values);
  return Number(rows[0]?.value ?? NaN);
}

/** Waits until a number is as expected; gives up when it has not moved for a minute. Answers how far it moved. */
export async function untilReached(what: string, read: () => Promise<number>, expected: number): Promise<number> {
  const started = await read();
  for (let last = started, stuckSince = Date.now(); ; await delay(100)) {
    const now = await read();
    if (now === expected) return Math.abs(now - started);
    if (now !== last) stuckSince = Date.now();
    last = now;
    if (Date.now() - stuckSince > STUCK_MS) throw new Error(`${what}: ${now}, not ${expected}`);
  }
}

export async function untilEmptyOutbox(client: Client): Promise<void> {
  await untilReached('events in the outbox', () => countOf(client, 'SELECT count(*) FROM messaging.outbox'), 0);
}
