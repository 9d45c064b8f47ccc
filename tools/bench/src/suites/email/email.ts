import { benchKey } from '@heliograph/bench-data';
import { createScratchDatabase, freePort, seed, seedEmail, ToolProcess, untilReady } from '@heliograph/harness';
import type { MailboxTotals } from '@heliograph/simulators';
import { Client } from 'pg';
import { EMAIL_CONTENT, EMAIL_SENDER } from '../../calls/email-calls';
import { percentile } from '../../latencies';
import { LoadRunner } from '../../load-runner';
import { runRounds, type Measurement } from '../../measure';
import type { Options } from '../../options';
import { emailViolations } from './email-invariants';
import { reportEmail } from './email-report';
import { numberOf, untilOutboxIsEmpty, untilReached } from '../queries';
import { removeQueues, serviceConfig, startService, totalsOf, type RunningService } from '../service-config';

/** The maximum number of recipients of a send. */
const RECIPIENTS = 1_000;
const FAN_OUTS = 20;
const NOTIFICATIONS_TIMEOUT_MS = 600_000;

interface NotificationReport {
  sent: number;
  refused: number;
  seconds: number;
}

/** Email: single sends compared with a plain nodemailer pool, sends to 1,000 recipients, and delivery notifications. */
export async function benchEmail(options: Options): Promise<string[]> {
  const database = await createScratchDatabase('heliograph_bench_email');
  await seed(database.url, 1);
  await seedEmail(database.url, [EMAIL_SENDER]);
  const client = new Client({ connectionString: database.url });
  await client.connect();

  const returnPort = String(await freePort());
  const server = new ToolProcess('mail server', 'mail-server', {}, [returnPort]);
  const { smtpPort } = await server.nextJson<{ smtpPort: number }>();
  const config = {
    ...serviceConfig(database),
    MESSAGING_RATE_PER_MINUTE: '0',
    PUBLIC_BASE_URL: 'http://bench.example',
    EMAIL_SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
    EMAIL_SMTP_REQUIRE_TLS: 'false',
    EMAIL_SMTP_VERIFY_TLS: 'false',
    EMAIL_RETURN_HOST: '127.0.0.1',
    EMAIL_RETURN_PATH_DOMAIN: 'returns.bench.example',
    EMAIL_TOKEN_SECRET: 'the-secret-of-the-benchmark',
    EMAIL_PLATFORM_FROM: 'no-reply@bench.example',
    EMAIL_DNS_SERVERS: '127.0.0.1:1',
  };
  const api = await startService('api', 'email-api', 'api', config);
  const plain = await startService('plain', 'reference/plain-mailer', 'all', config);
  await Promise.all([untilReady(api.port), untilReady(plain.port)]);

  const runner = new LoadRunner(
    { kind: 'emails', port: api.port, path: '/email/send', population: 1 },
    options.seconds,
  );
  const sent = { api: 0, plain: 0 };
  const load = async (name: 'api' | 'plain', path: string, { process, port }: RunningService): Promise<Measurement> => {
    const measured = await runner.run({ port, path }, process, { clocks: { mailServer: () => server.cpuSeconds() } });
    sent[name] += measured.ok;
    return measured;
  };
  const results = await runRounds(
    { single: () => load('api', '/email/send', api), plain: () => load('plain', '/send', plain) },
    options.rounds,
  );
  await plain.process.stop();

  const fanOutSeconds: number[] = [];
  for (let number = 0; number < FAN_OUTS; number++) {
    const startedAt = performance.now();
    await fanOut(api.port, number);
    fanOutSeconds.push((performance.now() - startedAt) / 1000);
  }

  const worker = await startService('worker', 'email-api', 'worker', { ...config, EMAIL_RETURN_PORT: returnPort });
  await untilReady(worker.port);
  const recipients = sent.api + FAN_OUTS * RECIPIENTS;
  await untilReached(
    'emails sent',
    () => numberOf(client, `SELECT count(*) FROM email.recipients WHERE state = 'sent'`),
    recipients,
  );
  const { received } = await totalsOf<MailboxTotals>(server);
  server.signal('SIGHUP');
  const notifications = await server.nextJson<NotificationReport>(NOTIFICATIONS_TIMEOUT_MS);
  await untilOutboxIsEmpty(client);
  const violations = await emailViolations(client, {
    recipients,
    received: received - sent.plain,
    notifications: notifications.sent,
    refused: notifications.refused,
  });

  await Promise.all([api.process.stop(), worker.process.stop(), server.stop()]);
  await client.end();
  await database.drop();
  await removeQueues(config);
  const notificationsPerSecond = notifications.sent / notifications.seconds;
  return reportEmail(
    { ...results, fanOutSeconds: percentile(fanOutSeconds, 0.5), notificationsPerSecond },
    violations,
    options,
  );
}

async function fanOut(port: number, number: number): Promise<void> {
  const to = Array.from({ length: RECIPIENTS }, (_, index) => `crowd-${number}-${index}@elsewhere.example`);
  const response = await fetch(`http://127.0.0.1:${port}/email/send`, {
    method: 'POST',
    headers: { authorization: `Bearer ${benchKey(0)}`, 'content-type': 'application/json' },
    body: JSON.stringify({ from: EMAIL_SENDER, to, ...EMAIL_CONTENT }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`a send to ${RECIPIENTS} recipients returned ${response.status}: ${text}`);
}
