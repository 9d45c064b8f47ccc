import {
  benchWorkspaces,
  createScratchDatabase,
  grantCredits,
  seed,
  ToolProcess,
  untilReady,
  withSeedConnection,
} from '@heliograph/harness';
import type { ProviderTotals } from '@heliograph/simulators';
import { Client } from 'pg';
import { CHATAPP_PHONE, CHATAPP_SECRET, CHATAPP_TOKEN } from '../../calls/chatapp-calls';
import { LoadRunner } from '../../load-runner';
import { runRounds, type Measurement } from '../../measure';
import type { Options } from '../../options';
import { chatappViolations } from './chatapp-invariants';
import { reportChatapp } from './chatapp-report';
import { untilOutboxIsEmpty } from '../queries';
import { serviceConfig, startService, totalsOf, type RunningService } from '../service-config';
import { measureUpload } from '../upload';

const ORGANIZATIONS = 20;
const SLOW_MS = 100;

interface Provider {
  process: ToolProcess;
  url: string;
}

/** Chats: sends to a fast and to a slow provider, webhook updates, and an upload. */
export async function benchChatapp(options: Options): Promise<string[]> {
  const database = await createScratchDatabase('heliograph_bench_chatapp');
  await seed(database.url, ORGANIZATIONS);
  await withSeedConnection(database.url, [], async (_, pool) => {
    for (const workspace of await benchWorkspaces(pool, ORGANIZATIONS)) await grantCredits(pool, workspace, 'chatapp');
  });
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query(`
    CREATE SCHEMA reference;
    CREATE TABLE reference.chat_messages (id text PRIMARY KEY, sender text NOT NULL, type text NOT NULL, payload json NOT NULL,
      received_at timestamptz NOT NULL DEFAULT now())`);

  const fast = await startProvider('provider', 0);
  const slow = await startProvider('slow provider', SLOW_MS);
  const config = {
    ...serviceConfig(database),
    MESSAGING_RATE_PER_MINUTE: '0',
    PUBLIC_BASE_URL: 'http://bench.example',
    CHATAPP_ACCESS_TOKEN: CHATAPP_TOKEN,
    CHATAPP_PHONE_NUMBER_ID: CHATAPP_PHONE,
    CHATAPP_BUSINESS_ACCOUNT_ID: '200000000000002',
    CHATAPP_APP_SECRET: CHATAPP_SECRET,
  };
  const api = await startService('api', 'chatapp-api', 'api', { ...config, CHATAPP_GRAPH_URL: fast.url });
  const slowApi = await startService('slow api', 'chatapp-api', 'api', { ...config, CHATAPP_GRAPH_URL: slow.url });
  const hook = await startService('hook', 'chatapp-hook', 'api', config);
  const plain = await startService('plain', 'reference/plain-hook', 'api', config);
  // Publishes the events of the hook, which have no consumer here.
  const relay = await startService('relay', 'chatapp-hook', 'worker', config);
  await Promise.all([api, slowApi, hook, plain].map(({ port }) => untilReady(port)));

  const order = { kind: 'chats', port: api.port, path: '/chatapp/send', population: ORGANIZATIONS } as const;
  const runner = new LoadRunner(order, options.seconds);
  const accepted = { sends: 0, updates: 0 };
  const sends = async ({ port, process }: RunningService, provider: Provider): Promise<Measurement> => {
    const clocks = { provider: () => provider.process.cpuSeconds() };
    const measured = await runner.run({ port }, process, { clocks });
    accepted.sends += measured.ok;
    return measured;
  };
  const plainSends = ({ url, process }: Provider): Promise<Measurement> =>
    runner.run({}, process, { generator: { entry: 'reference/plain-client', args: [url, CHATAPP_TOKEN] } });
  const updates = async (path: string, { port, process }: RunningService): Promise<Measurement> => {
    const measured = await runner.run({ kind: 'updates', port, path }, process);
    if (process === hook.process) accepted.updates += measured.ok;
    return measured;
  };
  const results = await runRounds(
    {
      send: () => sends(api, fast),
      plainSend: () => plainSends(fast),
      slowSend: () => sends(slowApi, slow),
      slowPlainSend: () => plainSends(slow),
      hook: () => updates('/api/chatapp/webhook', hook),
      plainHook: () => updates('/webhooks/chatapp', plain),
    },
    options.rounds,
  );
  const uploadMb = await measureUpload(api.port, api.process);
  await untilOutboxIsEmpty(client);
  const totals = [await totalsOf<ProviderTotals>(fast.process), await totalsOf<ProviderTotals>(slow.process)];
  const violations = await chatappViolations(client, { ...accepted, totals });
  await Promise.all([api, slowApi, hook, plain, relay, fast, slow].map(({ process }) => process.stop()));
  await client.end();
  await database.drop();
  return reportChatapp({ ...results, uploadMb }, violations, options);
}

async function startProvider(name: string, delayMs: number): Promise<Provider> {
  const process = new ToolProcess(name, 'provider', {}, [String(delayMs)]);
  return { process, ...(await process.nextJson<{ url: string }>()) };
}
