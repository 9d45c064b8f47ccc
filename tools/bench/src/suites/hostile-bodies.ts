import { benchKey } from '@heliograph/bench-data';
import { createScratchDatabase, seed, seedEmail, ToolProcess, untilReady } from '@heliograph/harness';
import { EMAIL_SENDER } from '../calls/email-calls';
import { acceptedBodies, invalidBodies, unreadableBodies, type HostileBody } from '../calls/hostile-bodies';
import type { Stalls } from '../event-loop-stalls';
import { removeQueues, serviceConfig, startService } from './service-config';

/** The longest turn of the event loop that a body may cause. */
const MAX_TURN_MS = 20;
/** Only the fastest of several attempts counts, because garbage collection and compilation slow down the first ones. */
const ATTEMPTS = 3;
const SIZES = [1_000_000, 5_000_000, 10_000_000];
const TIMEOUT_MS = 60_000;
const ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const SERVICES = ['sms-api', 'email-api', 'chatapp-api', 'account-api', 'bot-runtime', 'chatapp-hook', 'billing-hook'];

interface Measured {
  bodies: number;
  worstMs: number;
  worstBody: string;
  broken: string[];
}

interface Operation {
  method: string;
  path: string;
  fields: string[];
}

interface Document {
  paths: Record<string, Record<string, { requestBody?: { content?: Record<string, { schema?: Schema }> } }>>;
  components?: { schemas?: Record<string, Schema> };
}

interface Schema {
  $ref?: string;
  properties?: object;
}

/** Sends expensive bodies to every operation of every service, and measures the turns of the event loop. */
export async function benchHostileBodies(): Promise<string[]> {
  const database = await createScratchDatabase('heliograph_bench_hostile');
  await seed(database.url, 1);
  await seedEmail(database.url, [EMAIL_SENDER]);
  const mailServer = new ToolProcess('mail server', 'mail-server', {}, ['0']);
  const { smtpPort } = await mailServer.nextJson<{ smtpPort: number }>();
  const config = {
    ...serviceConfig(database),
    MESSAGING_RATE_PER_MINUTE: '0',
    ACCOUNT_RATE_PER_MINUTE: '0',
    PUBLIC_BASE_URL: 'http://bench.example',
    EMAIL_SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
    EMAIL_SMTP_REQUIRE_TLS: 'false',
    EMAIL_SMTP_VERIFY_TLS: 'false',
    EMAIL_RETURN_HOST: '127.0.0.1',
    EMAIL_RETURN_PATH_DOMAIN: 'returns.bench.example',
    EMAIL_TOKEN_SECRET: 'the-secret-of-the-benchmark',
    EMAIL_PLATFORM_FROM: 'no-reply@bench.example',
    EMAIL_DNS_SERVERS: '127.0.0.1:1',
    SMS_CARRIERS: '[]',
    CHATAPP_APP_SECRET: 'the-secret-of-the-benchmark',
    BILLING_WEBHOOK_SECRET: 'the-secret-of-the-benchmark',
  };
  const broken: string[] = [];
  for (const name of SERVICES) {
    const service = await startService(name, 'watched-service', 'api', config, [name]);
    await untilReady(service.port);
    const { bodies, worstMs, worstBody, broken: slow } = await measureService(`http://127.0.0.1:${service.port}`);
    console.log(`${name}: ${bodies} bodies, longest turn ${worstMs.toFixed(1)} ms (${worstBody})`);
    broken.push(...slow.map((line) => `${name} ${line}`));
    await service.process.stop();
  }
  await mailServer.stop();
  await database.drop();
  await removeQueues(config);
  return broken;
}

async function measureService(url: string): Promise<Measured> {
  const measured: Measured = { bodies: 0, worstMs: 0, worstBody: 'none', broken: [] };
  const seen = new Set<number>();
  const add = async (operation: Operation, body: HostileBody): Promise<void> => {
    const ms = await measure(url, operation, body);
    const description = `${operation.method} ${operation.path}, ${(body.bytes.length / 1e6).toFixed(1)} MB, ${body.name}`;
    measured.bodies++;
    if (ms > measured.worstMs) Object.assign(measured, { worstMs: ms, worstBody: description });
    if (ms > MAX_TURN_MS) measured.broken.push(`${description}: ${ms.toFixed(1)} ms`);
  };
  for (const operation of await operationsOf(url)) {
    for (const body of acceptedBodies(operation.path, EMAIL_SENDER)) await add(operation, body);
    for (const size of SIZES) {
      // An operation with a smaller limit does not read the larger bodies.
      if (size > 1_000_000 && (await send(url, operation, largest(size))) === 413) break;
      // All operations read bodies in the same way.
      const bodies = seen.has(size) ? [] : unreadableBodies(size * 0.99);
      seen.add(size);
      for (const body of [...bodies, ...invalidBodies(operation.fields, size * 0.99)]) await add(operation, body);
    }
  }
  return measured;
}

const largest = (size: number): HostileBody => ({
  name: 'largest',
  type: 'application/json',
  bytes: Buffer.from(`{"a":"${'x'.repeat(size * 0.99)}"}`),
});

async function measure(url: string, operation: Operation, body: HostileBody): Promise<number> {
  let best = Infinity;
  for (let attempt = 0; attempt < ATTEMPTS && best > MAX_TURN_MS; attempt++) {
    await readStalls(url);
    await send(url, operation, body);
    best = Math.min(best, (await readStalls(url)).maxOwnMs);
  }
  return best;
}

/** Returns the status; 0 if the connection was closed. */
async function send(url: string, { method, path }: Operation, { type, bytes }: HostileBody): Promise<number> {
  try {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { 'content-type': type, authorization: `Bearer ${benchKey(0)}`, 'idempotency-key': crypto.randomUUID() },
      body: new Uint8Array(bytes),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 0;
  }
}

async function readStalls(url: string): Promise<Stalls> {
  const response = await fetch(`${url}/bench/stalls`);
  return (await response.json()) as Stalls;
}

async function operationsOf(url: string): Promise<Operation[]> {
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as Document;
  const propertiesOf = (schema: Schema | undefined): object => {
    const name = schema?.$ref?.split('/').at(-1);
    return (name === undefined ? schema : document.components?.schemas?.[name])?.properties ?? {};
  };
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { requestBody }]) => requestBody)
      .map(([method, { requestBody }]) => ({
        method: method.toUpperCase(),
        path: path.replace(/\{\w+\}/g, ID),
        fields: Object.keys(propertiesOf(Object.values(requestBody?.content ?? {})[0]?.schema)),
      })),
  );
}
