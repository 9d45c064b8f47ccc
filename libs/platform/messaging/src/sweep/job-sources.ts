import { MAIL_QUEUE } from '@heliograph/contracts';

/** Jobs whose state in PostgreSQL shows that they are not finished, so that a lost event can be published again. */
export interface JobSource {
  /** The queues whose depth shows that the jobs are not lost but waiting. Empty: the depth does not tell. */
  queues: readonly string[];
  /**
   * The SQL function (from_at timestamptz, older_than interval, started timestamptz, most integer) that examines the jobs
   * from a time on, in the order of their time. Returns how many it published again, the time at which the next call
   * continues (null: no more jobs), the time of the first unfinished job, and since when the oldest one is due.
   */
  requeue: string;
}

/** All sources. The names are the label `channel` of the metric and of `npm run ops -- requeue`. */
export const JOB_SOURCES = {
  sms: { queues: ['sms-api.send', 'sms-api.send-single'], requeue: 'sms.requeue' },
  email: { queues: ['email-api.send', 'email-api.send-single'], requeue: 'email.requeue' },
  'system-mail': { queues: [MAIL_QUEUE], requeue: 'system_mail.requeue' },
  payments: { queues: ['billing-hook.events'], requeue: 'billing.requeue_events' },
  receipts: { queues: ['billing-hook.receipts'], requeue: 'billing.requeue_receipts' },
  erasures: { queues: [], requeue: 'persons.requeue' },
} as const satisfies Readonly<Record<string, JobSource>>;

export type JobSourceName = keyof typeof JOB_SOURCES;

export const JOB_SOURCE_NAMES = Object.keys(JOB_SOURCES) as JobSourceName[];

export interface Requeued {
  requeued: number;
  /** Null: there are no more jobs. */
  nextAt: Date | null;
  /** The time of the first unfinished job. */
  holdAt: Date | null;
  /** Since when the oldest unfinished job is due. */
  oldestAt: Date | null;
}

export interface RequeueOptions {
  from: Date | null;
  olderThanMs: number;
  /** Publishes each job again unless this has happened since. Null: with increasing delays. */
  started: Date | null;
  most: number;
}

interface Queryable {
  query<Row>(text: string, values: unknown[]): Promise<{ rows: Row[] }>;
}

/** Publishes the lost jobs of one piece of a source again. */
export async function requeueJobs(
  database: Queryable,
  source: JobSourceName,
  { from, olderThanMs, started, most }: RequeueOptions,
): Promise<Requeued> {
  const { rows } = await database.query<Requeued>(
    `SELECT requeued, next_at AS "nextAt", hold_at AS "holdAt", oldest_at AS "oldestAt"
     FROM ${JOB_SOURCES[source].requeue}(coalesce($1, '-infinity'::timestamptz), $2 * interval '1 millisecond', $3, $4)`,
    [from, olderThanMs, started, most],
  );
  return rows[0] ?? { requeued: 0, nextAt: null, holdAt: null, oldestAt: null };
}
