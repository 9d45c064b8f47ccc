import { createScratchDatabase, seed, untilReady } from '@heliograph/harness';
import { Client } from 'pg';
import type { LoadOrder } from '../../load-generator';
import { LoadRunner } from '../../load-runner';
import { runRounds, type Measurement } from '../../measure';
import type { Options } from '../../options';
import { untilOutboxIsEmpty } from '../queries';
import { NO_BOT_LIMITS, removeQueues, serviceConfig, startService } from '../service-config';
import { answerShares, botViolations } from './bots-invariants';
import { reportBots } from './bots-report';
import { seedBot } from './seed';
import { measureStreams } from './streams';

/** More than there are concurrent turns, so that no turn waits for an earlier turn of its conversation. */
const CONVERSATIONS = 5_000;
const STREAMS = 5_000;

/** Bots: turns of many visitors with a large bot, starts of conversations, and open event streams. */
export async function benchBots(options: Options): Promise<string[]> {
  const database = await createScratchDatabase('heliograph_bench_bots');
  await seed(database.url, 1);
  await seedBot(database.url, CONVERSATIONS);
  const client = new Client({ connectionString: database.url });
  await client.connect();
  const config = {
    ...serviceConfig(database),
    PUBLIC_BASE_URL: 'http://bench.example',
    ...NO_BOT_LIMITS,
  };
  const { process: runtime, port } = await startService('runtime', 'bot-runtime', 'all', config);
  const plain = await startService('plain', 'reference/plain-bot', 'all', config);
  await Promise.all([untilReady(port), untilReady(plain.port)]);

  const runner = new LoadRunner({ kind: 'botMessages', port, path: '', population: CONVERSATIONS }, options.seconds);
  let questions = 0;
  const ask = async (order: Partial<LoadOrder> = {}): Promise<Measurement> => {
    const measured = await runner.run(order, runtime);
    questions += measured.ok;
    return measured;
  };
  const results = await runRounds(
    {
      turns: () => ask(),
      floor: () => runner.run({ path: '/bench/floor' }, runtime),
      plain: () => runner.run({ port: plain.port }, plain.process),
      starts: () => ask({ kind: 'botStarts', path: '/api/v1/chat/conversations' }),
    },
    options.rounds,
  );
  await untilOutboxIsEmpty(client);
  const half = await ask({ perSecond: results.turns.perSecond / 2, durationMs: 3_000 * options.seconds });
  await untilOutboxIsEmpty(client);
  await plain.process.stop();
  const streams = await measureStreams(database.url, port, runtime, STREAMS);
  await untilOutboxIsEmpty(client);
  const violations = [...(await botViolations(client, questions)), ...streams.violations];
  const shares = await answerShares(client);
  await runtime.stop();
  await client.end();
  await database.drop();
  await removeQueues(config);
  return reportBots({ ...results, half, streams, ...shares }, violations, options);
}
