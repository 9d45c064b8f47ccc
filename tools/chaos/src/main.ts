import { readParts } from './parts';
import { faultsAtPace, runSeed } from './run-seed';
import { PostgresServer, RabbitServer, RedisServer, type Server } from './servers';

function argument(name: string): string | undefined {
  const index = process.argv.indexOf(`--${name}`);
  return index < 0 ? undefined : process.argv[index + 1];
}

async function main(): Promise<void> {
  const seeds = Number(argument('seeds') ?? 20);
  const first = Number(argument('first') ?? 1);
  const parts = readParts(argument('only'));
  const inject = faultsAtPace(Number(argument('pause-ms') ?? 0));
  const servers = { postgres: new PostgresServer(), rabbit: new RabbitServer(), redis: new RedisServer() };
  const all: Server[] = Object.values(servers);
  let failed = 0;
  try {
    for (const server of all) await server.prepare();
    await Promise.all(all.map((server) => server.start()));
    for (let number = first; number < first + seeds; number++) {
      console.log(`seed ${number}`);
      const { violations } = await runSeed(number, parts, servers, inject);
      if (violations.length > 0) failed++;
    }
  } finally {
    await Promise.all(all.map((server) => server.remove()));
  }
  console.log(`${seeds - failed} passed, ${failed} failed`);
  process.exit(failed === 0 ? 0 : 1);
}

void main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
