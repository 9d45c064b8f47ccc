import { setTimeout as delay } from 'node:timers/promises';
import { benchKey } from '@heliograph/bench-data';
import { readParts, RedisServer, runSeed, type RunTarget } from '@heliograph/chaos';
import { poll } from '@heliograph/harness';
import { atMost, holds, information, type Finding, type Rehearsal, type RehearsalContext } from '../rehearsal';
import { measureLoss, type LossWindow } from './error-windows';
import { RabbitCluster } from './rabbit-cluster';
import { ReplicatedPostgres } from './replicated-postgres';

const PARTS = 'sms,email,accounts,campaigns';
const RUN = 9_002;
const BEFORE_MS = 3_000;
/** Longer than the services need to notice a loss and to work again. */
const AFTER_MS = 12_000;
/** The time after which a monitor of PostgreSQL decides that the primary is lost. Kubernetes operators such as CloudNativePG take 10 to 30 s. */
const DETECTION_MS = 3_000;
const FIRST_MESSAGE_TIMEOUT_MS = 60_000;
/** The time for which a process owns an email that it sends. */
const LEASE_MS = 10_000;
const MAX_ERROR_SECONDS = { broker: 0, database: 15, redis: 0 } as const;

export const losses: Rehearsal = {
  summary:
    'Lose each RabbitMQ node, the PostgreSQL primary and Redis under load; measure the windows; nothing is lost.',
  run: async (context) => {
    const postgres = new ReplicatedPostgres();
    const rabbit = new RabbitCluster();
    const redis = new RedisServer();
    const servers = [postgres, rabbit, redis];
    context.onEnd(async () => void (await Promise.all(servers.map((server) => server.remove()))));
    for (const server of servers) await server.prepare();
    await Promise.all(servers.map((server) => server.start()));
    context.log('three RabbitMQ nodes, PostgreSQL and Redis run');
    const findings: Finding[] = [];
    const { violations, summary } = await runSeed(
      RUN,
      readParts(PARTS),
      { postgres, rabbit, redis },
      async (target) => {
        findings.push(...(await loseEach(context, target, { postgres, rabbit, redis })));
      },
    );
    for (const violation of violations) context.log(violation);
    return [
      information('load', summary.slice(0, -2).join(', ')),
      ...findings,
      atMost('violations: messages lost, charged twice, sent more often than documented', violations.length, 0),
    ];
  },
};

interface LossyServers {
  postgres: ReplicatedPostgres;
  rabbit: RabbitCluster;
  redis: RedisServer;
}

async function loseEach(
  { log }: RehearsalContext,
  target: RunTarget,
  { postgres, rabbit, redis }: LossyServers,
): Promise<Finding[]> {
  const { sms, uncertain } = target;
  if (!(await poll(() => (sms?.accepted.size ?? 0) > 0, { timeoutMs: FIRST_MESSAGE_TIMEOUT_MS })))
    throw new Error('No SMS was accepted.');
  const probe = await probeOf(target);
  const findings: Finding[] = [];
  const lose = async (
    name: string,
    kind: keyof typeof MAX_ERROR_SECONDS,
    during: () => Promise<void>,
  ): Promise<void> => {
    const window = await measureLoss(target, probe, async () => {
      await delay(BEFORE_MS);
      log(`lost: ${name}`);
      await during();
      await delay(AFTER_MS);
    });
    findings.push(...rowsOf(name, window, MAX_ERROR_SECONDS[kind]));
  };

  for (const [index, node] of rabbit.nodes.entries()) {
    await lose(`RabbitMQ node ${index + 1} of ${rabbit.nodes.length}`, 'broker', () => node.kill());
    await node.start();
  }
  await lose('Redis', 'redis', async () => {
    await redis.kill();
    await delay(BEFORE_MS);
    await redis.start();
  });
  await postgres.startReplica();
  const from = Date.now();
  await lose('the PostgreSQL primary', 'database', async () => {
    await postgres.kill();
    await delay(DETECTION_MS);
    await postgres.failOver();
  });
  // Another process may take an expired lease before its owner can extend it.
  uncertain.push({ from, to: Date.now() + LEASE_MS });
  const accepted = sms?.accepted.size ?? 0;
  findings.push(
    holds(
      'the services continue without a restart',
      await poll(() => (sms?.accepted.size ?? 0) > accepted, { timeoutMs: FIRST_MESSAGE_TIMEOUT_MS }),
    ),
  );
  return findings;
}

/** A message whose status the calls request, and the key of its organization. */
async function probeOf({ sms, services }: RunTarget): Promise<{ bearerToken: string; messageId: string }> {
  const [messageId = ''] = sms?.accepted.values() ?? [];
  for (let organization = 0; organization < 5; organization++) {
    const bearerToken = benchKey(organization);
    const { ok } = await fetch(`${services.urlOf('sms-api')}/sms/status?id=${messageId}`, {
      headers: { authorization: `Bearer ${bearerToken}` },
    });
    if (ok) return { bearerToken, messageId };
  }
  throw new Error('No organization knows the first message.');
}

function rowsOf(name: string, window: LossWindow, maxErrorSeconds: number): Finding[] {
  return [
    atMost(`${name}: calls fail for`, window.errorMs / 1_000, maxErrorSeconds, 's'),
    information(`${name}: failed calls`, `${window.failedCalls} of ${window.calls}`),
    information(
      `${name}: longest time without an SMS at the carrier`,
      `${(window.deliveryGapMs / 1_000).toFixed(1)} s`,
    ),
  ];
}
