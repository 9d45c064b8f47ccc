import PgBoss from 'pg-boss';
import { Pool } from 'pg';
import { setTimeout as delay } from 'node:timers/promises';
import { BOSS_QUEUE, CONCURRENCY, WebhookPoster, type WebhookJob } from './webhook-job';

const LOOPS = 4;
const IDLE_MS = 50;

/**
 * The reference on pg-boss: loops that fetch, post and complete a batch each, so that there is no polling interval between batches.
 * One failed job is failed alone.
 */
async function main(): Promise<void> {
  const connectionString = process.env['DATABASE_URL'] ?? '';
  const boss = new PgBoss({ connectionString, max: 10, schedule: false });
  boss.on('error', (error) => console.error(error));
  await boss.start();
  await boss.createQueue(BOSS_QUEUE, { name: BOSS_QUEUE, retryLimit: 11, retryBackoff: true });
  const poster = new WebhookPoster(new Pool({ connectionString, max: 10 }));
  console.log(JSON.stringify({ ready: true }));

  const loop = async (): Promise<void> => {
    for (;;) {
      const jobs = await boss.fetch<WebhookJob>(BOSS_QUEUE, { batchSize: CONCURRENCY / LOOPS });
      if (jobs.length === 0) await delay(IDLE_MS);
      const done: string[] = [];
      await Promise.all(
        jobs.map(async ({ id, data }) => {
          const error = await poster.deliver(data);
          if (error === null) done.push(id);
          else await boss.fail(BOSS_QUEUE, id, { message: error });
        }),
      );
      if (done.length > 0) await boss.complete(BOSS_QUEUE, done);
    }
  };
  process.once('SIGTERM', () => process.exit(0));
  await Promise.all(Array.from({ length: LOOPS }, loop));
}

void main();
