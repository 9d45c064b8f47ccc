import { USER_PASSWORD } from '@heliograph/bench-data';
import { createScratchDatabase, seed, seedUsers, ToolProcess, untilReady } from '@heliograph/harness';
import { Client } from 'pg';
import type { Argon2Order } from '../../argon2-alone';
import type { Stalls } from '../../event-loop-stalls';
import { LoadRunner } from '../../load-runner';
import type { Options } from '../../options';
import { formatStalls, reportLogin, type LoginRound } from './login-report';
import { removeQueues, serviceConfig, startService } from '../service-config';

const CLIENTS = 50;
const ARGON2_TIMEOUT_MS = 60_000;

/** Fifty concurrent logins, compared with argon2 alone, and their effect on the event loop. */
export async function benchLogin(options: Options): Promise<string[]> {
  const database = await createScratchDatabase('heliograph_bench_login');
  await seed(database.url, 1);
  await seedUsers(database.url, CLIENTS);
  const config = { ...serviceConfig(database), ACCOUNT_AUTH_RATE_PER_MINUTE: '0', PUBLIC_BASE_URL: '' };
  const { process: account, port } = await startService('account', 'watched-service', 'all', config, ['account-api']);
  await untilReady(port);
  const hash = await storedHash(database.url);
  const order = { kind: 'logins', port, path: '/api/auth/login', population: CLIENTS, connections: CLIENTS } as const;
  const runner = new LoadRunner(order, options.seconds);

  const rounds: LoginRound[] = [];
  for (let round = 0; round <= options.rounds; round++) {
    const argon2PerSecond = await argon2Alone({ hash, password: USER_PASSWORD, durationMs: options.seconds * 1000 });
    await readStalls(port);
    const login = await runner.run({ offset: 0 }, account);
    const stalls = await readStalls(port);
    // The first round is a warm-up.
    if (round === 0) continue;
    rounds.push({ argon2PerSecond, login, stalls });
    console.log(
      `round ${round}: argon2 alone ${argon2PerSecond.toFixed(1)}/s  login ${login.perSecond.toFixed(1)}/s  ` +
        `stalls ${formatStalls(stalls)}`,
    );
  }

  await account.stop();
  await database.drop();
  await removeQueues(config);
  return reportLogin(rounds, options);
}

async function argon2Alone(order: Argon2Order): Promise<number> {
  const argon2 = new ToolProcess('argon2', 'argon2-alone', {}, [JSON.stringify(order)]);
  const { perSecond } = await argon2.nextJson<{ perSecond: number }>(order.durationMs + ARGON2_TIMEOUT_MS);
  await argon2.waitForExit();
  return perSecond;
}

/** Reads the stalls since the last reading. */
async function readStalls(port: number): Promise<Stalls> {
  const response = await fetch(`http://127.0.0.1:${port}/bench/stalls`);
  if (!response.ok) throw new Error(`/bench/stalls returned ${response.status}: ${await response.text()}`);
  return (await response.json()) as Stalls;
}

async function storedHash(databaseUrl: string): Promise<string> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ hash: string }>('SELECT password_hash AS hash FROM users.users LIMIT 1');
  await client.end();
  if (!rows[0]) throw new Error('There are no users.');
  return rows[0].hash;
}
