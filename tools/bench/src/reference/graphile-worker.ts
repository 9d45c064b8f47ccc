import { Logger, run } from 'graphile-worker';
import { Pool } from 'pg';
import { CONCURRENCY, GRAPHILE_TASK, WebhookPoster, type WebhookJob } from './webhook-job';

/** The reference on graphile-worker, with the options that its documentation names for the highest throughput. */
async function main(): Promise<void> {
  const connectionString = process.env['DATABASE_URL'] ?? '';
  const poster = new WebhookPoster(new Pool({ connectionString, max: 10 }));
  await run({
    preset: {
      worker: {
        connectionString,
        concurrentJobs: CONCURRENCY,
        maxPoolSize: 25,
        localQueue: { size: 500 },
        completeJobBatchDelay: 0,
        failJobBatchDelay: 0,
        // The standard output is for messages to the parent process.
        logger: new Logger(() => () => undefined),
      },
    },
    taskList: {
      [GRAPHILE_TASK]: async (payload) => {
        const error = await poster.deliver(payload as WebhookJob);
        if (error !== null) throw new Error(error);
      },
    },
  });
  console.log(JSON.stringify({ ready: true }));
}

void main();
