import { createHmac } from 'node:crypto';
import { GroupCommit } from '@heliograph/database';
import type { Pool } from 'pg';
import { Agent, request } from 'undici';

/** The data of a job: the same POST that our worker makes. */
export interface WebhookJob {
  eventId: string;
  url: string;
  /** `whsec_` and base64. */
  secret: string;
  body: string;
}

/** What is stored of an attempt: the same as in our delivery log. */
interface Attempt {
  event_id: string;
  at: string;
  duration_ms: number;
  status_code: number | null;
  error: string | null;
  response_body: string | null;
}

export const ATTEMPTS_TABLE = `
  CREATE TABLE reference.attempts (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, event_id text NOT NULL, at timestamptz NOT NULL,
    duration_ms integer NOT NULL, status_code integer, error text, response_body text)`;

/** The names of the jobs in pg-boss and in graphile-worker. */
export const [BOSS_QUEUE, GRAPHILE_TASK] = ['deliveries', 'deliver'] as const;
/** Deliveries in flight, as many as our worker makes to the endpoints of the benchmark. */
export const CONCURRENCY = 100;
const TIMEOUT_MS = 10_000;
// The same options as those of our worker: keep-alive, no pipelining, no limit of connections.
const agent = new Agent({ connections: null, pipelining: 1, keepAliveTimeout: 30_000 });

/** Posts signed bodies and stores the results; the results of concurrent jobs in one statement. */
export class WebhookPoster {
  private readonly attempts: GroupCommit<Attempt, undefined>;

  constructor(pool: Pool) {
    this.attempts = new GroupCommit<Attempt, undefined>({
      flush: async (attempts) => {
        await pool.query({
          name: 'attempts',
          text: `INSERT INTO reference.attempts (event_id, at, duration_ms, status_code, error, response_body)
            SELECT event_id, at, duration_ms, status_code, error, response_body FROM json_to_recordset($1) AS a (event_id text,
              at timestamptz, duration_ms integer, status_code integer, error text, response_body text)`,
          values: [JSON.stringify(attempts)],
        });
        return attempts.map(() => undefined);
      },
    });
  }

  /** Resolves with the reason if the delivery has to be retried. */
  async deliver(job: WebhookJob): Promise<string | null> {
    const at = new Date();
    const attempt = await post(job, at);
    const duration = { duration_ms: Date.now() - at.getTime() };
    await this.attempts.submit({ event_id: job.eventId, at: at.toISOString(), ...duration, ...attempt });
    return attempt.error;
  }
}

async function post(
  { eventId, url, secret, body }: WebhookJob,
  at: Date,
): Promise<Pick<Attempt, 'status_code' | 'error' | 'response_body'>> {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signature = `v1,${createHmac('sha256', key).update(`${eventId}.${timestamp}.${body}`).digest('base64')}`;
  const headers = {
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': signature,
    'X-Service-Signature': signature,
    'Content-Type': 'application/json',
    'User-Agent': 'Reference/1.0',
  };
  try {
    const response = await request(url, {
      dispatcher: agent,
      method: 'POST',
      headers,
      body,
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
    });
    const text = await response.body.text();
    const isDelivered = response.statusCode < 300;
    const error = isDelivered ? null : `The endpoint answered ${response.statusCode}.`;
    return { status_code: response.statusCode, error, response_body: text.slice(0, 1_024) };
  } catch (error) {
    return { status_code: null, error: String(error), response_body: null };
  }
}
