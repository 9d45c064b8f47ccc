import {
  cpuOfCommand,
  createScratchDatabase,
  freePort,
  seed,
  seedUsers,
  ToolProcess,
  untilReady,
  USERS_PASSWORD,
} from '@heliograph/harness';
import { removeFromBroker } from '@heliograph/testing';
import { MAIL_QUEUE } from '@heliograph/contracts';
import { Client } from 'pg';
import type { Argon2Order } from '../argon2-alone';
import { measure, type Measured } from '../measure';
import type { Options } from '../options';
import type { Stalls } from '../stalls';
import { serviceSettings } from './environment';
import { reportLogin, type LoginRound } from './login-report';

const CLIENTS = 50;

/** Logins of fifty at the same time, against what argon2 alone can do here, and what they do to the event loop. */
export async function benchLogin(options: Options): Promise<string[]> {
  const database = await createScratchDatabase('heliograph_bench_login');
  await seed(database.url, 1);
  await seedUsers(database.url, CLIENTS);
  const settings = { ...serviceSettings(database), ACCOUNT_AUTH_RATE_PER_MINUTE: '0', PUBLIC_BASE_URL: '' };
  const port = await freePort();
  const account = new ToolProcess('account', 'bench-account', { ...settings, PORT: String(port), ROLE: 'all' });
  await untilReady(port);
  const hash = await storedHash(database.url);

  const rounds: LoginRound[] = [];
  for (let round = 0; round <= options.rounds; round++) {
    const alone = await argon2Alone({ hash, password: USERS_PASSWORD, durationMs: options.seconds * 1000 });
    await readStalls(port);
    const login = await logins(port, options.seconds, account);
    const stalls = await readStalls(port);
    // The first warms up: compilation, connections, threads.
    if (round === 0) continue;
    rounds.push({ alone, login, stalls });
    console.log(
      `round ${round}: argon2 alone ${alone.toFixed(1)}/s  login ${login.perSecond.toFixed(1)}/s  ` +
        `stalls p99 ${stalls.p99Ms.toFixed(1)} ms, max ${stalls.maxMs.toFixed(1)} ms, max of its own ${stalls.maxOwnMs.toFixed(1)} ms`,
    );
  }

  await account.stop();
  await database.drop();
  await removeFromBroker(settings.AMQP_PREFIX, [MAIL_QUEUE]);
  return reportLogin(rounds, options);
}

function logins(port: number, seconds: number, account: ToolProcess): Promise<Measured> {
  return measure(
    {
      kind: 'logins',
      port,
      path: '/api/auth/login',
      population: CLIENTS,
      connections: CLIENTS,
      durationMs: seconds * 1000,
      calls: Infinity,
      offset: 0,
    },
    account,
    { server: () => account.cpuSeconds(), postgres: () => cpuOfCommand('postgres') },
  );
}

async function argon2Alone(order: Argon2Order): Promise<number> {
  const alone = new ToolProcess('argon2', 'argon2-alone', {}, [JSON.stringify(order)]);
  const { perSecond } = await alone.nextJson<{ perSecond: number }>(order.durationMs + 60_000);
  await alone.ended();
  return perSecond;
}

/** Since they were read last. */
async function readStalls(port: number): Promise<Stalls> {
  const answer = await fetch(`http://127.0.0.1:${port}/bench/stalls`);
  if (!answer.ok) throw new Error(`the stalls were answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Stalls;
}

async function storedHash(databaseUrl: string): Promise<string> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ hash: string }>('SELECT password_hash AS hash FROM users.users LIMIT 1');
  await client.end();
  if (!rows[0]) throw new Error('there are no users');
  return rows[0].hash;
}
