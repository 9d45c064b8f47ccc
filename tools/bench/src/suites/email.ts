import { MAIL_QUEUE } from '@heliograph/contracts';
import { DUE_QUEUE } from '@heliograph/email-api';
import {
  cpuOfCommand,
  createScratchDatabase,
  freePort,
  benchKey,
  seed,
  ToolProcess,
  untilReady,
} from '@heliograph/harness';
import type { MailboxTotals } from '@heliograph/simulators';
import { removeFromBroker } from '@heliograph/testing';
import { Client } from 'pg';
import { EMAIL_CONTENT, EMAIL_SENDER } from '../calls/email-calls';
import type { LoadOrder } from '../load-generator';
import { CONNECTIONS, measure, playRounds, type Measured } from '../measure';
import type { Options } from '../options';
import { brokenEmail } from './email-invariants';
import { reportEmail } from './email-report';
import { seedEmail } from './email-seed';
import { serviceSettings } from './environment';
import { countOf, untilEmptyOutbox, untilReached } from './progress';

/** As many recipients as a send may have, and sends enough for the mails that are notified of. */
const RECIPIENTS = 1_000;
const FAN_OUTS = 20;

interface NotificationReport {
  sent: number;
  refused: number;
  seconds: number;
}

/** Single sends against a bare pool, sends to 1,000 recipients, and notifications that come back. */
export async function benchEmail(options: Options): Promise<string[]> {
  const database = await createScratchDatabase('heliograph_bench_email');
  await seed(database.url, 1);
  await seedEmail(database.url);
  const client = new Client({ connectionString: database.url });
  await client.connect();

  const [apiPort, barePort, workerPort, returnPort] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ];
  const server = new ToolProcess('mail server', 'mail-server', {}, [String(returnPort)]);
  const { smtpPort } = await server.nextJson<{ smtpPort: number }>();
  const settings = {
    ...serviceSettings(database),
    MESSAGING_RATE_PER_MINUTE: '0',
    PUBLIC_BASE_URL: 'http://bench.example',
    EMAIL_SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
    EMAIL_SMTP_REQUIRE_TLS: 'false',
    EMAIL_SMTP_VERIFY_TLS: 'false',
    EMAIL_RETURN_HOST: '127.0.0.1',
    EMAIL_RETURN_PATH_DOMAIN: 'returns.bench.example',
    EMAIL_TOKEN_SECRET: 'the-secret-of-the-bench',
    EMAIL_PLATFORM_FROM: 'no-reply@bench.example',
    EMAIL_DNS_SERVERS: '127.0.0.1:1',
  };
  const api = new ToolProcess('api', 'email-api', { ...settings, PORT: String(apiPort), ROLE: 'api' });
  const bare = new ToolProcess('bare', 'reference/bare-mailer', { ...settings, PORT: String(barePort) });
  await Promise.all([untilReady(apiPort), untilReady(barePort)]);

  let offset = 0;
  const taken = { api: 0, bare: 0 };
  const load = async (name: 'api' | 'bare', port: number, path: string, process: ToolProcess): Promise<Measured> => {
    const order: LoadOrder = {
      kind: 'emails',
      port,
      path,
      population: 1,
      connections: CONNECTIONS,
      durationMs: options.seconds * 1000,
      calls: Infinity,
      offset,
    };
    const measured = await measure(order, process, {
      server: () => process.cpuSeconds(),
      mailServer: () => server.cpuSeconds(),
      postgres: () => cpuOfCommand('postgres'),
    });
    offset += measured.ok;
    taken[name] += measured.ok;
    return measured;
  };
  const results = await playRounds(
    {
      single: () => load('api', apiPort, '/email/send', api),
      bare: () => load('bare', barePort, '/send', bare),
    },
    options.rounds,
  );
  await bare.stop();

  const fanOutSeconds: number[] = [];
  for (let send = 0; send < FAN_OUTS; send++) {
    const startedAt = performance.now();
    await fanOut(apiPort, send);
    fanOutSeconds.push((performance.now() - startedAt) / 1000);
  }

  const worker = new ToolProcess('worker', 'email-api', {
    ...settings,
    PORT: String(workerPort),
    ROLE: 'worker',
    EMAIL_RETURN_PORT: String(returnPort),
  });
  await untilReady(workerPort);
  const recipients = taken.api + FAN_OUTS * RECIPIENTS;
  await untilReached(
    'mails sent',
    () => countOf(client, `SELECT count(*) FROM email.recipients WHERE state = 'sent'`),
    recipients,
  );
  server.signal('SIGUSR2');
  const { received } = await server.nextJson<MailboxTotals>();
  server.signal('SIGHUP');
  const notified = await server.nextJson<NotificationReport>(600_000);
  await untilEmptyOutbox(client);
  const broken = await brokenEmail(client, {
    recipients,
    received: received - taken.bare,
    notifications: notified.sent,
    refused: notified.refused,
  });

  await Promise.all([api.stop(), worker.stop(), server.stop()]);
  await client.end();
  await database.drop();
  await removeFromBroker(settings.AMQP_PREFIX, [DUE_QUEUE, MAIL_QUEUE]);
  fanOutSeconds.sort((a, b) => a - b);
  return reportEmail(
    {
      ...results,
      fanOutSeconds: fanOutSeconds[FAN_OUTS >> 1] ?? NaN,
      notificationsPerSecond: notified.sent / notified.seconds,
    },
    broken,
    options,
  );
}

async function fanOut(port: number, send: number): Promise<void> {
  const to = Array.from({ length: RECIPIENTS }, (_, index) => `crowd-${send}-${index}@elsewhere.example`);
  const response = await fetch(`http://127.0.0.1:${port}/email/send`, {
    method: 'POST',
    headers: { authorization: `Bearer ${benchKey(0)}`, 'content-type': 'application/json' },
    body: JSON.stringify({ from: EMAIL_SENDER, to, ...EMAIL_CONTENT }),
  });
  if (!response.ok)
    throw new Error(`a send to ${RECIPIENTS} was answered ${response.status}: ${await response.text()}`);
  await response.arrayBuffer();
}
