import type { JobKind } from '@heliograph/contracts';
import { newId } from '@heliograph/database';
import type { TestDatabase } from '@heliograph/testing';

/** The event type of the jobs. */
export const JOB = 'job.due';

export interface NewJobs {
  organization: string;
  kind?: JobKind;
  count: number;
}

/** Jobs of organizations, named by letters, in the lanes of one queue. */
export class WaitingJobs {
  /** Ordered as their lanes. */
  private readonly organizations = new Map<string, string>();

  constructor(
    private readonly database: TestDatabase,
    private readonly queue: string,
  ) {}

  async declare(): Promise<void> {
    await this.database.query('INSERT INTO messaging.job_queues (queue) VALUES ($1)', [this.queue]);
  }

  /** The jobs are numbered from `first` on, in the order of their time. */
  async add({ organization, kind = 'single', count }: NewJobs, first = 1): Promise<void> {
    const id = this.organizations.get(organization) ?? newId();
    this.organizations.set(organization, id);
    await this.database.query(
      `INSERT INTO messaging.outbox (id, type, payload, available_at, queue, job_queue, kind, lane, in_lane)
       SELECT e.id, $1, json_build_object('id', e.id, 'type', $1::text, 'name', $2::text || n, 'data', json_build_object('kind', $3::text)),
         now() + n * interval '1 microsecond', $4, $4, messaging.job_kind($3), messaging.job_lane($5), true
       FROM (SELECT gen_random_uuid() AS id, n FROM generate_series($6::integer, $7::integer) AS n) AS e`,
      [JOB, organization, kind, this.queue, id, first, first + count - 1],
    );
  }

  async remaining(): Promise<number> {
    return (await this.database.query('SELECT FROM messaging.outbox WHERE job_queue = $1', [this.queue])).length;
  }
}

/** The name of a job: its organization and its number. */
export function nameOf(body: unknown): string {
  return String((body as { name?: unknown }).name);
}
