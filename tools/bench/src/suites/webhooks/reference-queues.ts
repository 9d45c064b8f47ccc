import { ToolProcess } from '@heliograph/harness';
import { makeWorkerUtils, type WorkerUtils } from 'graphile-worker';
import type { Client } from 'pg';
import PgBoss from 'pg-boss';
import { BOSS_QUEUE, GRAPHILE_TASK, type WebhookJob } from '../../reference/webhook-job';
import { numberOf } from '../queries';

async function startReference(name: string, entry: string, databaseUrl: string): Promise<ToolProcess> {
  const reference = new ToolProcess(name, entry, { DATABASE_URL: databaseUrl });
  await reference.nextJson();
  return reference;
}

/** pg-boss: its worker process, and a client that adds jobs. */
export class Boss {
  private constructor(
    readonly process: ToolProcess,
    private readonly client: PgBoss,
  ) {}

  static async start(databaseUrl: string): Promise<Boss> {
    const process = await startReference('pg-boss', 'reference/pg-boss-worker', databaseUrl);
    const client = new PgBoss({ connectionString: databaseUrl, migrate: false, supervise: false, schedule: false });
    await client.start();
    return new Boss(process, client);
  }

  add(jobs: WebhookJob[]): Promise<void> {
    return this.client.insert(jobs.map((data) => ({ name: BOSS_QUEUE, data })));
  }

  /** 1 if there are jobs that are not completed. */
  pending(database: Client): Promise<number> {
    return numberOf(
      database,
      `SELECT count(*) FROM (SELECT FROM pgboss.job WHERE name = $1 AND state < 'completed' LIMIT 1) AS one`,
      [BOSS_QUEUE],
    );
  }

  close(): Promise<void> {
    return this.client.stop({ graceful: false });
  }
}

/** graphile-worker: its worker process, and a client that adds jobs. */
export class Graphile {
  private constructor(
    readonly process: ToolProcess,
    private readonly utils: WorkerUtils,
  ) {}

  static async start(databaseUrl: string): Promise<Graphile> {
    const process = await startReference('graphile-worker', 'reference/graphile-worker', databaseUrl);
    return new Graphile(process, await makeWorkerUtils({ connectionString: databaseUrl }));
  }

  add(jobs: WebhookJob[]): Promise<unknown> {
    return this.utils.addJobs(jobs.map((payload) => ({ identifier: GRAPHILE_TASK, payload })));
  }

  /** 1 if there are jobs that are not completed. */
  pending(database: Client): Promise<number> {
    return numberOf(database, 'SELECT count(*) FROM (SELECT FROM graphile_worker._private_jobs LIMIT 1) AS one');
  }

  close(): Promise<void> {
    return Promise.resolve(this.utils.release());
  }
}
