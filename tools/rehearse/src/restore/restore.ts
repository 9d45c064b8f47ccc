import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { RabbitServer, readParts, RedisServer, runSeed, type RunTarget } from '@heliograph/chaos';
import { poll } from '@heliograph/harness';
import { ops } from '../ops';
import { atMost, holds, information, type Finding, type Rehearsal, type RehearsalContext } from '../rehearsal';
import { BackedUpPostgres, emptyServer, queryOnce, untilPromoted } from './backed-up-postgres';

/** The parts of the load whose checks do not need the events that were in the lost broker. */
const PARTS = 'sms,email,accounts,campaigns';
const LOAD_MS = 6_000;
/** Answers of calls that were committed before the target time arrive within this time. */
const MARGIN_MS = 1_000;
/** The time for which a process owns an email that it sends. */
const LEASE_MS = 10_000;
const RECOVERY_TIMEOUT_MS = 120_000;
const RUN = 9_001;

export const restore: Rehearsal = {
  summary: 'Lose the disks of PostgreSQL and RabbitMQ under load, restore, and check every message and the ledger.',
  run: async (context) => {
    const postgres = new BackedUpPostgres(context.root);
    const rabbit = new RabbitServer();
    const redis = new RedisServer();
    const servers = [postgres, rabbit, redis];
    context.onEnd(async () => void (await Promise.all(servers.map((server) => server.remove()))));
    for (const server of servers) await server.prepare();
    await Promise.all(servers.map((server) => server.start()));
    const findings: Finding[] = [];
    const { violations, summary } = await runSeed(
      RUN,
      readParts(PARTS),
      { postgres, rabbit, redis },
      async (target) => {
        findings.push(...(await rehearse(context, target, { postgres, rabbit })));
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

async function rehearse(
  context: RehearsalContext,
  target: RunTarget,
  { postgres, rabbit }: { postgres: BackedUpPostgres; rabbit: RabbitServer },
): Promise<Finding[]> {
  const { root, log } = context;
  const { sms, uncertain, databaseUrl } = target;
  if (!sms) throw new Error('The rehearsal needs the SMS load.');
  const migration = await ops(root, ['migrate'], { DATABASE_URL: databaseUrl });
  await postgres.startStream();
  const backupMs = await timed(async () => log((await postgres.makeBaseBackup()).trim()));
  await delay(LOAD_MS);

  const before = [...sms.accepted.values()];
  await delay(MARGIN_MS);
  const [now] = await postgres.query<{ now: Date }>('SELECT clock_timestamp() AS now');
  const mistakeAt = now?.now ?? new Date();
  await delay(MARGIN_MS);
  const until = new Set(sms.accepted.values());
  await delay(LOAD_MS);
  const after = [...sms.accepted.values()].filter((id) => !until.has(id));

  const lostAt = Date.now();
  await Promise.all([postgres.loseData(), rabbit.kill()]);
  rabbit.forget();
  log('the disks of PostgreSQL and RabbitMQ are lost');
  await postgres.restoreAll();
  const databaseMs = Date.now() - lostAt;
  await rabbit.start();
  log('PostgreSQL is restored, RabbitMQ is empty');
  // The leases of the processes that sent when the disk was lost have ended by then.
  uncertain.push({ from: lostAt, to: Date.now() + LEASE_MS });
  const accepted = sms.accepted.size;
  const accepts = await poll(() => sms.accepted.size > accepted, { timeoutMs: RECOVERY_TIMEOUT_MS });
  const windowMs = Date.now() - lostAt;
  const environment = { DATABASE_URL: databaseUrl };
  const again = await ops(root, ['migrate'], environment);
  const requeued = await ops(root, ['requeue', '--older-than', '1s'], environment);
  log(requeued.output.replaceAll('\n', ', '));

  const findings = [
    information('base backup under load', seconds(backupMs)),
    holds('migrate before and after the restore succeeds', migration.succeeded && again.succeeded),
    information('PostgreSQL restored after', seconds(databaseMs)),
    information('calls succeed again after', accepts ? seconds(windowMs) : 'not within the time limit'),
    holds('the services continue without a restart', accepts),
    holds('requeue succeeds', requeued.succeeded, requeued.output.replaceAll('\n', ', ')),
    ...(await checkPointInTime(context, { postgres, databaseUrl, mistakeAt, before, after })),
    ...(await checkDump(postgres, databaseUrl)),
  ];
  return findings;
}

interface PointInTime {
  postgres: BackedUpPostgres;
  databaseUrl: string;
  mistakeAt: Date;
  /** Messages that were acknowledged before and after that time. */
  before: readonly string[];
  after: readonly string[];
}

/** Restores the state at a time beside the running system, as after an operator's mistake. */
async function checkPointInTime(
  { root, log }: RehearsalContext,
  { postgres, databaseUrl, mistakeAt, before, after }: PointInTime,
): Promise<Finding[]> {
  const restored = await postgres.restoreAside(mistakeAt);
  try {
    const url = Object.assign(new URL(restored.url), { pathname: new URL(databaseUrl).pathname }).href;
    await untilPromoted(url);
    const known = new Set(await idsOf(url));
    const reconciled = await ops(root, ['reconcile'], { DATABASE_URL: url });
    log(`point in time: ${known.size} messages, ${reconciled.output.replaceAll('\n', ', ')}`);
    return [
      holds(
        'point in time: every message acknowledged before is there',
        before.length > 0 && before.every((id) => known.has(id)),
        `${before.filter((id) => known.has(id)).length} of ${before.length}`,
      ),
      holds(
        'point in time: no message acknowledged after is there',
        after.length > 0 && after.every((id) => !known.has(id)),
        `${after.filter((id) => known.has(id)).length} of ${after.length}`,
      ),
      holds('point in time: reconcile finds no difference', reconciled.succeeded),
    ];
  } finally {
    await restored.remove();
  }
}

/** Restores a dump into an empty server: without the roles, and after the roles. */
async function checkDump(postgres: BackedUpPostgres, databaseUrl: string): Promise<Finding[]> {
  const file = `${postgres.backups}/dump`;
  await postgres.runTool('pg_dump', ['--format=custom', `--file=${file}`, databaseUrl]);
  const roles = await postgres.runTool('pg_dumpall', ['--roles-only', '--no-role-passwords', '--dbname', postgres.url]);
  const withoutRoles = await restoreDump(postgres, file, '');
  const withRoles = await restoreDump(postgres, file, roles);
  return [
    information('dump restored without the roles: errors', String(withoutRoles)),
    atMost('dump restored after the roles: errors', withRoles, 0),
  ];
}

/** Resolves with the number of errors of pg_restore. */
async function restoreDump(postgres: BackedUpPostgres, file: string, roles: string): Promise<number> {
  const empty = await emptyServer();
  try {
    // The superuser exists already.
    const statements = roles.split('\n').filter((line) => !/ROLE postgres\b/.test(line));
    const rolesFile = `${postgres.backups}/roles.sql`;
    writeFileSync(rolesFile, statements.join('\n'));
    await empty.runTool('psql', ['--dbname', empty.url, '--quiet', '--set', 'ON_ERROR_STOP=1', '--file', rolesFile]);
    const tool = postgres.binary('pg_restore');
    const { stderr } = spawnSync(tool, ['--create', `--dbname=${empty.url}`, file], { encoding: 'utf8' });
    return Number(/errors ignored on restore: (\d+)/.exec(stderr)?.[1] ?? 0);
  } finally {
    await empty.remove();
  }
}

async function idsOf(url: string): Promise<string[]> {
  return (await queryOnce<{ id: string }>(url, 'SELECT id FROM sms.messages')).map(({ id }) => id);
}

async function timed(work: () => Promise<void>): Promise<number> {
  const startedAt = Date.now();
  await work();
  return Date.now() - startedAt;
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
