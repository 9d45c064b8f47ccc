import { setTimeout as delay } from 'node:timers/promises';
import {
  PostgresServer,
  RabbitServer,
  readParts,
  RedisServer,
  runSeed,
  type RunTarget,
  type ServiceName,
} from '@heliograph/chaos';
import { atMost, information, type Finding, type Rehearsal, type RehearsalContext } from '../rehearsal';
import { Sampler } from './sampler';
import { isFlat, trendOf, type Sample, type Trend } from './trend';

const RUN = 9_003;
const DEFAULT_MINUTES = 30;
const SAMPLE_EVERY_MS = 5_000;
/** The share of the time in which caches fill and the heap settles. */
const WARM_UP_SHARE = 0.35;
/** Processes that are killed now and then; the others run all the time, and their sizes are measured. */
const VICTIMS = [
  'sms-worker-1',
  'chatapp-1',
  'bot-1',
  'webhooks-1',
  'email-worker',
] as const satisfies readonly ServiceName[];
const STEADY = [
  'sms-api',
  'sms-worker-2',
  'chatapp-2',
  'chatapp-hook',
  'email-api',
  'billing-api',
  'billing-worker',
  'bot-2',
  'webhooks-2',
  'account-api',
] as const satisfies readonly ServiceName[];
/** The time between the calls of a client. The load stays below the capacity of two cores, so that nothing piles up for want of it. */
const CLIENT_PAUSE_MS = 2_000;
const PAUSE_MS = { least: 15_000, most: 40_000 } as const;
const DOWN_MS = { least: 500, most: 3_000 } as const;
/** The time for which a process owns an email that it sends. */
const LEASE_MS = 10_000;

export const soak: Rehearsal = {
  summary:
    'Run everything under load with random kills and require flat sizes. --minutes N: 30 by default. --only sms,email: a part.',
  run: async (context) => {
    const postgres = new PostgresServer();
    const rabbit = new RabbitServer();
    const redis = new RedisServer();
    const servers = [postgres, rabbit, redis];
    context.onEnd(async () => void (await Promise.all(servers.map((server) => server.remove()))));
    for (const server of servers) await server.prepare();
    await Promise.all(servers.map((server) => server.start()));
    const minutes = Number(optionOf(context, 'minutes') ?? DEFAULT_MINUTES);
    if (!(minutes > 0)) throw new Error('--minutes must be a number above 0.');
    const findings: Finding[] = [];
    const parts = readParts(optionOf(context, 'only'));
    const { violations, summary } = await runSeed(RUN, parts, { postgres, rabbit, redis }, async (target) => {
      findings.push(...(await soakFor(minutes, context, target)));
    });
    for (const violation of violations) context.log(violation);
    return [
      information('duration', `${minutes} minutes, the first ${Math.round(WARM_UP_SHARE * 100)} % without a verdict`),
      information('load', summary.slice(0, -2).join(', ')),
      ...findings,
      atMost('violations of the invariants', violations.length, 0),
    ];
  },
};

async function soakFor(minutes: number, context: RehearsalContext, target: RunTarget): Promise<Finding[]> {
  const { services, databaseUrl, load } = target;
  for (const source of load) source.slowDown(CLIENT_PAUSE_MS);
  const steady = STEADY.filter((name) => services.has(name));
  const sampler = new Sampler(services, steady, databaseUrl).start(SAMPLE_EVERY_MS);
  const kills = await killUntil(Date.now() + minutes * 60_000, context, target);
  await sampler.stop();
  return [information('kills', String(kills)), ...verdicts(sampler.samples)];
}

/** Kills a process or a server now and then. Resolves with the number of kills. */
async function killUntil(end: number, { log }: RehearsalContext, target: RunTarget): Promise<number> {
  const { services, servers, random, uncertain } = target;
  const victims = VICTIMS.filter((name) => services.has(name));
  let kills = 0;
  for (;;) {
    const pauseMs = random.between(PAUSE_MS.least, PAUSE_MS.most);
    if (Date.now() + pauseMs >= end) break;
    await delay(pauseMs);
    const from = Date.now();
    if (random.between(0, 2) === 0) {
      const server = random.pick(servers);
      log(`kill -9 ${server.name}`);
      await server.kill();
      await delay(random.between(DOWN_MS.least, DOWN_MS.most));
      await server.start();
    } else {
      const name = random.pick(victims);
      log(`kill -9 ${name}`);
      await services.kill(name);
      await delay(random.between(DOWN_MS.least, DOWN_MS.most));
      await services.startOne(name);
    }
    // A mail may have been sent without a record of it.
    uncertain.push({ from, to: Date.now() + LEASE_MS });
    kills++;
  }
  await delay(Math.max(0, end - Date.now()));
  return kills;
}

function verdicts(samples: ReadonlyMap<string, readonly Sample[]>): Finding[] {
  return [...samples].map(([subject, all]) => {
    const last = all.at(-1)?.atSeconds ?? 0;
    const trend = trendOf(all.filter(({ atSeconds }) => atSeconds >= last * WARM_UP_SHARE));
    return {
      subject,
      measured: describe(trend),
      required: 'flat',
      passed: isFlat(trend, allowanceOf(subject)),
    };
  });
}

/** What may be chance: 5 % of the memory, some connections, and what waits for a moment. */
function allowanceOf(subject: string): { share: number; amount: number } {
  if (subject.includes('memory')) return { share: 0.05, amount: 5 };
  if (subject.includes('descriptors') || subject.includes('connections')) return { share: 0.1, amount: 5 };
  return { share: 0.1, amount: 50 };
}

function describe({ mean, growth, uncertainty }: Trend): string {
  const sign = growth < 0 ? '-' : '+';
  return `mean ${mean.toFixed(1)}, trend ${sign}${Math.abs(growth).toFixed(1)} (± ${uncertainty.toFixed(1)})`;
}

function optionOf({ args }: RehearsalContext, name: string): string | undefined {
  const index = args.indexOf(`--${name}`);
  return index < 0 ? undefined : args[index + 1];
}
