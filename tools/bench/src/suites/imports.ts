import { setTimeout as delay } from 'node:timers/promises';
import { benchKey } from '@heliograph/bench-data';
import { createScratchDatabase, seed, untilReady } from '@heliograph/harness';
import { Client } from 'pg';
import { callV1, importContacts, importUrl, untilCompleted, uploadContacts } from '../import-contacts';
import { measureMemory } from '../measure-memory';
import type { Options } from '../options';
import { appendRow } from '../results';
import { numberOf, violationsOf } from './queries';
import { removeQueues, serviceConfig, startService, type RunningService } from './service-config';

const TARGETS = { rowsPerSecond: 2_000, firstMb: 150, moreMb: 50 };
/** The first part of the rows, after which memory may hardly grow. */
const FIRST_SHARE = 0.1;
/** Fewer than the first part, so that both imports store the same contacts. */
const KILLED_ROWS = 50_000;
const POLL_MS = 20;
const READY_MS = 120_000;

/** Contacts of the killed import that the first one has not stored. */
const DIFFERENT = `
  SELECT count(*) FROM (
    SELECT c.phone, c.email, c.first_name, c.attributes FROM contacts.contacts AS c
    JOIN tenancy.organizations AS o ON o.id = c.organization_id WHERE o.slug = 'bench-1'
    EXCEPT
    SELECT c.phone, c.email, c.first_name, c.attributes FROM contacts.contacts AS c
    JOIN tenancy.organizations AS o ON o.id = c.organization_id WHERE o.slug = 'bench-0') AS one`;

/**
 * Two imports by one process, of a tenth of the rows and of the others: their memory must be the same. Then an import whose
 * process is killed, which must store the same contacts as the first one.
 */
export async function benchImports(options: Options): Promise<string[]> {
  const database = await createScratchDatabase('heliograph_bench_imports');
  await seed(database.url, 2);
  const client = new Client({ connectionString: database.url });
  await client.connect();
  const config = { ...serviceConfig(database), ACCOUNT_RATE_PER_MINUTE: '0' };
  const start = async (): Promise<RunningService> => {
    const service = await startService('account', 'watched-service', 'all', config, ['account-api']);
    await untilReady(service.port, READY_MS);
    return service;
  };
  let account = await start();
  const rows = options.importRows;
  const first = Math.round(rows * FIRST_SHARE);
  const begun = await measureMemory(account, () => importContacts(account.port, benchKey(0), { rows: first }));
  const more = await measureMemory(account, () =>
    importContacts(account.port, benchKey(0), { rows: rows - first, first }),
  );
  const perSecond = more.result;
  console.log(
    `${perSecond.toFixed(0)} rows/s; ${begun.memoryMb.toFixed(0)} MB for ${first} rows, ${more.memoryMb.toFixed(0)} MB more for ${rows - first}`,
  );

  const killed = Math.min(KILLED_ROWS, first);
  const id = await uploadContacts(account.port, benchKey(1), { rows: killed });
  await untilImported(importUrl(account.port, id), killed / 3);
  await account.process.stop('SIGKILL');
  account = await start();
  await untilCompleted(importUrl(account.port, id), benchKey(1));
  const violations = [
    ...violationsOf([
      ['imported contacts', await numberOf(client, 'SELECT count(*) FROM contacts.contacts'), rows + killed],
      ['contacts of a killed import that differ', await numberOf(client, DIFFERENT), 0],
    ]),
    ...(perSecond < TARGETS.rowsPerSecond ? [`${perSecond.toFixed(0)} rows/s`] : []),
    ...(begun.memoryMb > TARGETS.firstMb ? [`an import takes ${begun.memoryMb.toFixed(0)} MB`] : []),
    ...(more.memoryMb > TARGETS.moreMb ? [`more rows take ${more.memoryMb.toFixed(0)} MB more`] : []),
  ];
  await account.process.stop();
  await client.end();
  await database.drop();
  await removeQueues(config);
  appendRow('Imports', options, [
    String(rows),
    perSecond.toFixed(0),
    begun.memoryMb.toFixed(0),
    more.memoryMb.toFixed(0),
    violations.length === 0 ? 'hold' : 'BROKEN',
  ]);
  return violations;
}

async function untilImported(url: string, rows: number): Promise<void> {
  while (((await callV1(url, benchKey(1))).total ?? 0) < rows) await delay(POLL_MS);
}
