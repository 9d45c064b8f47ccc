import { setTimeout as delay } from 'node:timers/promises';
import { benchKey, createScratchDatabase, seed, ToolProcess, untilReady } from '@heliograph/harness';
import { SEND_QUEUE } from '@heliograph/sms-api';
import { removeFromBroker } from '@heliograph/testing';
import { Client } from 'pg';
import { LoadRunner } from '../load-runner';
import { medianBy } from '../latencies';
import type { Options } from '../options';
import { appendRow } from '../results';
import { numberOf, untilOutboxIsEmpty, untilReached, violationsOf } from './queries';
import { serviceConfig, startService, totalsOf, type RunningService } from './service-config';
import { smsViolations } from './sms-invariants';

const BULK = 1_000;
const BULKS_PER_ROUND = 5;
const MAX_MS = 900_000;
const POLL_MS = 100;
const SAMPLE_EVERY_MS = 50;
/** A row of a file is written in parts of this many rows. */
const ROWS_PER_PART = 1_000;

/** Rates per second. */
interface Round {
  single: number;
  campaign: number;
  bulk: number;
}

interface Resource {
  id: string;
  status: string;
}

/** An import of contacts, then single sends, campaigns and bulk sends in turn, each until all messages are delivered. */
export async function benchCampaigns(options: Options): Promise<string[]> {
  const database = await createScratchDatabase('heliograph_bench_campaigns');
  await seed(database.url, 1);
  const client = new Client({ connectionString: database.url });
  await client.connect();
  const carrier = new ToolProcess('carrier', 'carrier');
  const { smppPort } = await carrier.nextJson<{ smppPort: number }>();
  const config = {
    ...serviceConfig(database),
    MESSAGING_RATE_PER_MINUTE: '0',
    ACCOUNT_RATE_PER_MINUTE: '0',
    SMS_CARRIERS: JSON.stringify([
      { name: 'bench', host: '127.0.0.1', port: smppPort, systemId: 'bench', binds: 2, windowSize: 100 },
    ]),
  };
  const api = await startService('api', 'bench-api', 'api', config);
  const worker = await startService('worker', 'bench-api', 'worker', config);
  const account = await startService('account', 'watched-service', 'all', config, ['account-api']);
  await Promise.all([api, worker, account].map(({ port }) => untilReady(port)));

  const imported = await measureMemory(account, () => importContacts(account, options.importRows));
  console.log(`import: ${imported.result.toFixed(0)} rows/s, ${imported.memoryMb.toFixed(0)} MB more memory`);

  const runner = new LoadRunner({ kind: 'sms', port: api.port, path: '/sms/send', population: 1 }, options.seconds);
  const rounds: Round[] = [];
  let sent = 0;
  let workerMb = 0;
  const drained = () =>
    untilReached(
      'messages delivered',
      () => numberOf(client, `SELECT count(*) FROM sms.messages WHERE status = 'delivered'`),
      sent,
    );
  for (let round = 0; round < options.rounds; round++) {
    const single = await runner.run({ calls: options.contacts, durationMs: MAX_MS }, api.process);
    sent += single.ok;
    await drained();
    const campaign = await measureMemory(worker, () => runCampaign(api, options.contacts));
    workerMb = Math.max(workerMb, campaign.memoryMb);
    sent += options.contacts;
    await drained();
    const bulk = await sendBulks(api, round);
    sent += BULKS_PER_ROUND * BULK;
    await drained();
    rounds.push({ single: single.perSecond, campaign: campaign.result, bulk });
    console.log(
      `round ${round + 1}: single ${single.perSecond.toFixed(0)}/s  campaign ${campaign.result.toFixed(0)}/s  bulk ${bulk.toFixed(0)}/s`,
    );
  }

  await untilOutboxIsEmpty(client);
  const { acceptedParts } = await totalsOf<{ acceptedParts: number }>(carrier);
  const violations = [
    ...(await smsViolations(client, { accepted: sent, acceptedByCarrier: acceptedParts })),
    ...(await campaignViolations(client, options)),
  ];
  await Promise.all([api, worker, account].map(({ process }) => process.stop()));
  await carrier.stop();
  await client.end();
  await database.drop();
  await removeFromBroker(config.AMQP_PREFIX, [SEND_QUEUE]);

  const ratios = [({ campaign, single }: Round) => campaign / single, ({ bulk, single }: Round) => bulk / single].map(
    (ratio) => ratio(medianBy(rounds, ratio)),
  );
  console.log(`campaign/single ${ratios[0]?.toFixed(2)}   bulk/single ${ratios[1]?.toFixed(2)}`);
  console.log(`a campaign takes ${workerMb.toFixed(0)} MB more memory`);
  appendRow('Campaigns', options, [
    String(options.contacts),
    imported.result.toFixed(0),
    imported.memoryMb.toFixed(0),
    ...ratios.map((ratio) => ratio.toFixed(2)),
    workerMb.toFixed(0),
    violations.length === 0 ? 'hold' : 'BROKEN',
  ]);
  return violations;
}

/** Resolves with the rows per second, from the upload to the end of the import. */
async function importContacts({ port }: RunningService, rows: number): Promise<number> {
  const startedAt = performance.now();
  const url = `http://127.0.0.1:${port}/api/v1/contacts/import`;
  const { id } = await call(url, { body: contactsFile(rows), type: 'text/csv' });
  await untilStatus(`${url}/${id}`, 'completed');
  return (rows * 1_000) / (performance.now() - startedAt);
}

function contactsFile(rows: number): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let row = 0;
  return new ReadableStream({
    start: (stream) => stream.enqueue(encoder.encode('phone,email,first_name,attributes.plan\n')),
    pull: (stream) => {
      const lines: string[] = [];
      for (const end = Math.min(rows, row + ROWS_PER_PART); row < end; row++) {
        lines.push(`+9197${String(row).padStart(8, '0')},contact-${row}@bench.example,Contact ${row},pro\n`);
      }
      stream.enqueue(encoder.encode(lines.join('')));
      if (row === rows) stream.close();
    },
  });
}

/** Resolves with the messages per second, from the request to the last accepted message. */
async function runCampaign({ port }: RunningService, contacts: number): Promise<number> {
  const startedAt = performance.now();
  const url = `http://127.0.0.1:${port}/api/v1/sms/campaigns`;
  const body = JSON.stringify({
    ...{ name: 'Bench', sender_id: 'BENCHS', template_id: 'otp', audience: { filter: {} } },
    variables: { code: '{{ first_name }}' },
  });
  const { id } = await call(url, { body, type: 'application/json' });
  await untilStatus(`${url}/${id}`, 'completed');
  return (contacts * 1_000) / (performance.now() - startedAt);
}

async function sendBulks({ port }: RunningService, round: number): Promise<number> {
  const startedAt = performance.now();
  for (let number = 0; number < BULKS_PER_ROUND; number++) {
    const first = (round * BULKS_PER_ROUND + number) * BULK;
    const recipients = Array.from({ length: BULK }, (_, index) => ({
      to: `+9196${String(first + index).padStart(8, '0')}`,
      variables: { code: String(index) },
    }));
    const body = JSON.stringify({ sender_id: 'BENCHS', template_id: 'otp', recipients });
    await call(`http://127.0.0.1:${port}/api/v1/sms/bulk`, { body, type: 'application/json' });
  }
  return (BULKS_PER_ROUND * BULK * 1_000) / (performance.now() - startedAt);
}

async function campaignViolations(client: Client, { contacts, rounds }: Options): Promise<string[]> {
  const perCampaign = 'SELECT campaign_id, count(DISTINCT recipient) AS total FROM sms.messages GROUP BY 1';
  return violationsOf([
    ['imported contacts', await numberOf(client, 'SELECT count(*) FROM contacts.contacts'), contacts],
    [
      'campaigns that wrote to each contact once',
      await numberOf(
        client,
        `SELECT count(*) FROM campaigns.campaigns AS c JOIN (${perCampaign}) AS m ON m.campaign_id = c.id
         WHERE c.queued = ${contacts} AND c.credits_spent = ${contacts} AND m.total = ${contacts}`,
      ),
      rounds,
    ],
  ]);
}

/** Resolves with the result of the work and the highest increase of memory of a process during the work. */
async function measureMemory<T>(
  { process }: RunningService,
  work: () => Promise<T>,
): Promise<{ result: T; memoryMb: number }> {
  const before = process.memoryMb();
  let highest = before;
  const sampling = setInterval(() => (highest = Math.max(highest, process.memoryMb())), SAMPLE_EVERY_MS);
  try {
    return { result: await work(), memoryMb: highest - before };
  } finally {
    clearInterval(sampling);
  }
}

async function call(url: string, request?: { body: string | ReadableStream; type: string }): Promise<Resource> {
  const headers = { authorization: `Bearer ${benchKey(0)}` };
  const response = await fetch(url, {
    ...(request
      ? { method: 'POST', body: request.body, headers: { ...headers, 'content-type': request.type }, duplex: 'half' }
      : { headers }),
  } as RequestInit);
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} returned ${response.status} ${text.slice(0, 300)}`);
  return JSON.parse(text) as Resource;
}

async function untilStatus(url: string, status: string): Promise<void> {
  for (const deadline = Date.now() + MAX_MS; Date.now() < deadline; await delay(POLL_MS)) {
    const resource = await call(url);
    if (resource.status === status) return;
    if (resource.status === 'failed') throw new Error(`${url} failed: ${JSON.stringify(resource)}`);
  }
  throw new Error(`${url} did not become ${status}`);
}
