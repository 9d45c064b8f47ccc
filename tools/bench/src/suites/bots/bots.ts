import { cpuOfCommand, createScratchDatabase, freePort, seed, ToolProcess, untilReady } from '@heliograph/harness';
import { removeFromBroker } from '@heliograph/testing';
import { Client } from 'pg';
import type { LoadOrder } from '../../load-generator';
import { CONNECTIONS, measure, playRounds, type Measured } from '../../measure';
import type { Options } from '../../options';
import { serviceSettings } from '../environment';
import { untilEmptyOutbox } from '../progress';
import { answeredBy, brokenBots } from './bots-invariants';
import { reportBots } from './bots-report';
import { seedBot } from './seed';
import { measureStreams } from './streams';

/** More than take turns at once, so that nobody waits for the visitor's own last turn. */
const CONVERSATIONS = 5_000;
const STREAMS = 5_000;

/** Turns of many visitors with a bot that knows much, starts, and event streams that stay open. */
export async function benchBots(options: Options): Promise<string[]> {
  const database = await createScratchDatabase('heliograph_bench_bots');
  await seed(database.url, 1);
  await seedBot(database.url, CONVERSATIONS);
  const client = new Client({ connectionString: database.url });
  await client.connect();
  const settings = {
    ...serviceSettings(database),
    PUBLIC_BASE_URL: 'http://bench.example',
    BOT_STARTS_PER_5_MINUTES: '0',
    BOT_MESSAGES_PER_MINUTE: '0',
    BOT_MESSAGES_PER_MINUTE_PER_IP: '0',
  };
  const [port, plainPort] = [await freePort(), await freePort()];
  const runtime = new ToolProcess('runtime', 'bot-runtime', { ...settings, PORT: String(port), ROLE: 'all' });
  const plain = new ToolProcess('plain', 'reference/plain-bot', { ...settings, PORT: String(plainPort) });
  await Promise.all([port, plainPort].map((each) => untilReady(each)));

  let [offset, turns] = [0, 0];
  const run = async (more: Partial<LoadOrder>, server: ToolProcess = runtime): Promise<Measured> => {
    const order: LoadOrder = {
      kind: 'botMessages',
      port,
      path: '',
      population: CONVERSATIONS,
      connections: CONNECTIONS,
      durationMs: options.seconds * 1000,
      calls: Infinity,
      offset,
      ...more,
    };
    const clocks = { server: () => server.cpuSeconds(), postgres: () => cpuOfCommand('postgres') };
    const measured = await measure(order, server, clocks);
    offset += measured.ok;
    if (server === runtime && order.path !== '/bench/floor') turns += measured.ok;
    return measured;
  };
  const results = await playRounds(
    {
      turns: () => run({}),
      floor: () => run({ path: '/bench/floor' }),
      plain: () => run({ port: plainPort }, plain),
      starts: () => run({ kind: 'botStarts', path: '/api/v1/chat/conversations' }),
    },
    options.rounds,
  );
  await untilEmptyOutbox(client);
  const half = await run({ perSecond: results.turns.perSecond / 2, durationMs: 3_000 * options.seconds });
  await untilEmptyOutbox(client);
  await plain.stop();
  const streams = await measureStreams(database.url, port, runtime, STREAMS);
  await untilEmptyOutbox(client);
  const broken = [...(await brokenBots(client, turns)), ...streams.broken];
  const answers = await answeredBy(client);
  await runtime.stop();
  await client.end();
  await database.drop();
  await removeFromBroker(settings.AMQP_PREFIX, []);
  return reportBots({ ...results, half, streams, ...answers }, broken, options);
}
