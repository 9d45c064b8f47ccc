import { cpuOfCommand, createScratchDatabase, freePort, seed, ToolProcess, untilReady } from '@heliograph/harness';
import type { PlatformTotals } from '@heliograph/simulators';
import { Client } from 'pg';
import { CHATAPP_PHONE, CHATAPP_SECRET } from '../calls/chatapp-calls';
import type { LoadOrder } from '../load-generator';
import { CONNECTIONS, measure, playRounds, type Measured } from '../measure';
import type { Options } from '../options';
import { brokenChatapp } from './chatapp-invariants';
import { reportChatapp } from './chatapp-report';
import { seedChatapp } from './chatapp-seed';
import { serviceSettings } from './environment';
import { untilEmptyOutbox } from './progress';
import { measureUpload } from './upload';

const ORGANIZATIONS = 20;
const TOKEN = 'local-platform-token';
const SLOW_MS = 100;
const HOOK = '/api/chatapp/webhook';

/** Sends to a platform that answers at once, and late; webhook updates; an upload. */
export async function benchChatapp(options: Options): Promise<string[]> {
  const database = await createScratchDatabase('heliograph_bench_chatapp');
  await seed(database.url, ORGANIZATIONS);
  await seedChatapp(database.url);
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query(`
    CREATE SCHEMA reference;
    CREATE TABLE reference.chat_messages (id text PRIMARY KEY, sender text NOT NULL, type text NOT NULL, payload json NOT NULL,
      received_at timestamptz NOT NULL DEFAULT now())`);

  const [quick, slow] = [
    new ToolProcess('platform', 'platform', {}, ['0']),
    new ToolProcess('slow platform', 'platform', {}, [String(SLOW_MS)]),
  ];
  const [{ url: quickUrl }, { url: slowUrl }] = [
    await quick.nextJson<{ url: string }>(),
    await slow.nextJson<{ url: string }>(),
  ];
  const [apiPort, slowApiPort, hookPort, plainPort] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ];
  const settings = {
    ...serviceSettings(database),
    MESSAGING_RATE_PER_MINUTE: '0',
    PUBLIC_BASE_URL: 'http://bench.example',
    CHATAPP_ACCESS_TOKEN: TOKEN,
    CHATAPP_PHONE_NUMBER_ID: CHATAPP_PHONE,
    CHATAPP_BUSINESS_ACCOUNT_ID: '200000000000002',
    CHATAPP_APP_SECRET: CHATAPP_SECRET,
    CHATAPP_MESSAGES_PER_SECOND: '0',
    CHATAPP_PAIR_BURST: '0',
  };
  const service = (name: string, entry: string, port: number, more: Record<string, string> = {}): ToolProcess =>
    new ToolProcess(name, entry, { ...settings, PORT: String(port), ROLE: 'api', ...more });
  const api = service('api', 'chatapp-api', apiPort, { CHATAPP_GRAPH_URL: quickUrl });
  const slowApi = service('slow api', 'chatapp-api', slowApiPort, { CHATAPP_GRAPH_URL: slowUrl });
  const hook = service('hook', 'chatapp-hook', hookPort);
  const plain = service('plain', 'reference/plain-hook', plainPort);
  // What the events are for others to take; here only that they leave.
  const relay = service('relay', 'chatapp-hook', await freePort(), { ROLE: 'worker' });
  await Promise.all([apiPort, slowApiPort, hookPort, plainPort].map((port) => untilReady(port)));

  let offset = 0;
  const taken = { sends: 0, updates: 0 };
  const orderOf = (more: Partial<LoadOrder>): LoadOrder => ({
    kind: 'chats',
    port: apiPort,
    path: '/chatapp/send',
    population: ORGANIZATIONS,
    connections: CONNECTIONS,
    durationMs: options.seconds * 1000,
    calls: Infinity,
    offset,
    ...more,
  });
  const clocks = (server: ToolProcess, platform: ToolProcess | null) => ({
    server: () => server.cpuSeconds(),
    ...(platform ? { platform: () => platform.cpuSeconds() } : {}),
    postgres: () => cpuOfCommand('postgres'),
  });
  const sends = async (port: number, server: ToolProcess, platform: ToolProcess): Promise<Measured> => {
    const measured = await measure(orderOf({ port }), server, clocks(server, platform));
    offset += measured.ok;
    taken.sends += measured.ok;
    return measured;
  };
  const bare = async (upstream: string, platform: ToolProcess): Promise<Measured> => {
    const generator = { entry: 'reference/bare-client', args: [upstream, TOKEN] };
    const measured = await measure(orderOf({}), platform, { platform: () => platform.cpuSeconds() }, generator);
    offset += measured.ok;
    return measured;
  };
  const updates = async (port: number, path: string, server: ToolProcess): Promise<Measured> => {
    const measured = await measure(orderOf({ kind: 'updates', port, path }), server, clocks(server, null));
    offset += measured.ok;
    if (server === hook) taken.updates += measured.ok;
    return measured;
  };
  const results = await playRounds(
    {
      send: () => sends(apiPort, api, quick),
      bare: () => bare(quickUrl, quick),
      slowSend: () => sends(slowApiPort, slowApi, slow),
      slowBare: () => bare(slowUrl, slow),
      hook: () => updates(hookPort, HOOK, hook),
      plain: () => updates(plainPort, '/webhooks/chatapp', plain),
    },
    options.rounds,
  );
  const uploadMb = await measureUpload(apiPort, api);
  await untilEmptyOutbox(client);
  const totals: PlatformTotals[] = [];
  for (const platform of [quick, slow]) {
    platform.signal('SIGUSR2');
    totals.push(await platform.nextJson<PlatformTotals>());
  }
  const broken = await brokenChatapp(client, { ...taken, platforms: totals });
  await Promise.all([api, slowApi, hook, plain, relay, quick, slow].map((process) => process.stop()));
  await client.end();
  await database.drop();
  return reportChatapp({ ...results, uploadMb }, broken, options);
}
