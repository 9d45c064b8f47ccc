import { setTimeout as delay } from 'node:timers/promises';
import { createScratchDatabase, seed } from '@heliograph/harness';
import { CarrierSimulator } from '@heliograph/simulators';
import { Client } from 'pg';
import { Callers } from './client';
import { playFaults } from './faults';
import { Random } from './random';
import { PostgresServer, RabbitServer, RedisServer, type Server } from './servers';
import { System } from './system';
import { untilSettled, violations } from './verdict';

const ORGANIZATIONS = 5;
const FAULTS_PER_SEED = 5;
const SETTLE_MS = 120_000;

interface Servers {
  postgres: PostgresServer;
  rabbit: RabbitServer;
  redis: RedisServer;
}

function argument(name: string, byDefault: number): number {
  const index = process.argv.indexOf(`--${name}`);
  return index < 0 ? byDefault : Number(process.argv[index + 1]);
}

/** One run: load, faults, quiet, verdict. */
async function runSeed(number: number, { postgres, rabbit, redis }: Servers): Promise<string[]> {
  const database = await createScratchDatabase(`chaos_${number}`, postgres.url);
  await seed(database.url, ORGANIZATIONS);
  const carrier = new CarrierSimulator();
  await carrier.start();
  const system = await System.start({
    HOST: '127.0.0.1',
    DATABASE_URL: database.url,
    AMQP_URL: rabbit.url,
    AMQP_PREFIX: `seed-${number}.`,
    REDIS_URL: redis.url,
    MESSAGING_RATE_PER_MINUTE: '100000',
    SMS_CARRIERS: JSON.stringify([
      {
        name: 'chaos',
        host: '127.0.0.1',
        port: carrier.smppPort,
        systemId: 'chaos',
        responseTimeoutMs: 2_000,
        reconnectMinMs: 100,
        reconnectMaxMs: 1_000,
        // More than the faults of one run can leave open: given up is legal, but tells less.
        uncertain: { maxSubmits: 10 },
      },
    ]),
  });
  const callers = new Callers(system.ports.api, ORGANIZATIONS);
  await playFaults(
    { system, carrier, servers: [postgres, rabbit, redis], random: new Random(number) },
    FAULTS_PER_SEED,
  );
  await delay(1_000);
  console.log('    quiet');
  await callers.stop();
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await untilSettled(client, SETTLE_MS);
  const found = [...(await violations(client, callers, carrier)), ...(await system.stop())];
  const reached = carrier.messages().filter(({ accepted }) => accepted).length;
  console.log(
    `  seed ${number}: ${callers.accepted.size} accepted with ${callers.retries} retries, ${reached} at the carrier, ` +
      (found.length === 0 ? 'no violation' : `${found.length} VIOLATIONS`),
  );
  for (const violation of found) console.log(`    ${violation}`);
  await client.end();
  await carrier.stop();
  await database.drop();
  return found;
}

async function main(): Promise<void> {
  const [seeds, first] = [argument('seeds', 20), argument('first', 1)];
  const servers: Servers = { postgres: new PostgresServer(), rabbit: new RabbitServer(), redis: new RedisServer() };
  const all: Server[] = Object.values(servers);
  let broken = 0;
  try {
    for (const server of all) await server.prepare();
    await Promise.all(all.map((server) => server.start()));
    for (let number = first; number < first + seeds; number++) {
      console.log(`seed ${number}`);
      if ((await runSeed(number, servers)).length > 0) broken++;
    }
  } finally {
    await Promise.all(all.map((server) => server.remove()));
  }
  console.log(`${seeds - broken} passed, ${broken} failed`);
  process.exit(broken === 0 ? 0 : 1);
}

void main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
