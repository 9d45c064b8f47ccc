import { benchKey } from '@heliograph/bench-data';
import { createScratchDatabase, seed, ToolProcess, untilReady } from '@heliograph/harness';
import { Client } from 'pg';
import { LoadRunner } from '../load-runner';
import { callV1, importContacts } from '../import-contacts';
import { medianBy } from '../latencies';
import { measureMemory } from '../measure-memory';
import type { Options } from '../options';
import { appendRow } from '../results';
import { numberOf, untilOutboxIsEmpty, untilReached, violationsOf } from './queries';
import { removeQueues, serviceConfig, startService, totalsOf, type RunningService } from './service-config';
import { smsViolations } from './sms/sms-invariants';

const BULK = 1_000;
const BULKS_PER_ROUND = 5;
const MAX_MS = 900_000;
/** The increase of memory of the worker during a campaign. */
const MAX_CAMPAIGN_MB = 100;
const TARGETS = { 'campaign/single': 0.7, 'bulk/single': 4 };

/** Rates per second. */
interface Round {
  single: number;
  campaign: number;
  bulk: number;
}

/** Single sends, campaigns and bulk sends in turn, each until all messages are delivered. */
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

  await importContacts(account.port, benchKey(0), { rows: options.contacts });
  await account.process.stop();

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
    const campaign = await measureMemory(worker, () => runCampaign(api, client, options.contacts));
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
    ...(workerMb > MAX_CAMPAIGN_MB ? [`a campaign takes ${workerMb.toFixed(0)} MB of memory`] : []),
    ...(await smsViolations(client, { accepted: sent, acceptedByCarrier: acceptedParts })),
    ...(await campaignViolations(client, options)),
  ];
  await Promise.all([api, worker].map(({ process }) => process.stop()));
  await carrier.stop();
  await client.end();
  await database.drop();
  await removeQueues(config);

  const median = (ratio: (round: Round) => number): number => ratio(medianBy(rounds, ratio));
  const ratios = {
    'campaign/single': median(({ campaign, single }) => campaign / single),
    'bulk/single': median(({ bulk, single }) => bulk / single),
  };
  const names = Object.keys(ratios) as (keyof typeof ratios)[];
  console.log(names.map((name) => `${name} ${ratios[name].toFixed(2)}`).join('   '));
  console.log(`a campaign takes ${workerMb.toFixed(0)} MB more memory`);
  const missed = names
    .filter((name) => ratios[name] < TARGETS[name])
    .map((name) => `${name} is ${ratios[name].toFixed(2)}, not ${TARGETS[name]}`);
  appendRow('Campaigns', options, [
    String(options.contacts),
    ...names.map((name) => ratios[name].toFixed(2)),
    workerMb.toFixed(0),
    violations.length > 0 ? 'BROKEN' : missed.length > 0 ? 'MISSED' : 'hold',
  ]);
  return [...violations, ...missed];
}

/** Resolves with the messages per second, from the request to the last accepted message. */
async function runCampaign({ port }: RunningService, client: Client, contacts: number): Promise<number> {
  const startedAt = performance.now();
  const url = `http://127.0.0.1:${port}/api/v1/sms/campaigns`;
  const body = JSON.stringify({
    name: 'Bench',
    sender_id: 'BENCHS',
    template_id: 'otp',
    audience: { filter: {} },
    variables: { code: '{{ first_name }}' },
  });
  const { id } = await callV1(url, benchKey(0), { body, type: 'application/json' });
  const accepted = () => numberOf(client, `SELECT queued FROM campaigns.campaigns WHERE id = '${id}'`);
  await untilReached('messages accepted', accepted, contacts);
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
    await callV1(`http://127.0.0.1:${port}/api/v1/sms/bulk`, benchKey(0), { body, type: 'application/json' });
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
