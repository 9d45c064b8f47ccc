import { setTimeout as delay } from 'node:timers/promises';
import { createScratchDatabase, seed } from '@heliograph/harness';
import { CarrierSimulator, MailboxSimulator } from '@heliograph/simulators';
import { Client } from 'pg';
import { Accountant } from './accounts/accountant';
import { accountViolations } from './accounts/accounts-verdict';
import { Bots, BOT_SETTINGS } from './bots/bots';
import { botViolations } from './bots/bots-verdict';
import { seedBots } from './bots/seed-bots';
import { Chats, chatSettings, startPlatform } from './chats/chats';
import { chatViolations } from './chats/chats-verdict';
import { EventEar } from './chats/event-ear';
import { seedChats } from './chats/seed-chats';
import { Callers } from './client';
import { playFaults } from './faults';
import { Mailer } from './mails/mailer';
import { mailedReceipts, mailViolations } from './mails/mails-verdict';
import { MailboxMoods, type Uncertainty } from './mails/moods';
import { seedMail } from './mails/seed-mail';
import { PLANS } from './payments/payment-event';
import { PaymentStory } from './payments/payment-story';
import { paymentViolations } from './payments/payments-verdict';
import { Processor, PROCESSOR_SECRET } from './payments/processor';
import { Random } from './random';
import type { PostgresServer, RabbitServer, RedisServer } from './servers';
import { System } from './system';
import { sendViolations, untilSettled } from './verdict';

/** Those that send, move credits and buy some; then those that are locked and unlocked, for whom nobody sends. */
const [SENDERS, SUBSCRIBERS] = [[0, 1, 2, 3, 4] as const, [5, 6, 7] as const];
const ORGANIZATIONS = SENDERS.length + SUBSCRIBERS.length;
const FAULTS_PER_SEED = 8;
const SETTLE_MS = 120_000;

export interface Servers {
  postgres: PostgresServer;
  rabbit: RabbitServer;
  redis: RedisServer;
}

/** One run: load, faults, quiet, verdict. Answers what is wrong. */
export async function runSeed(number: number, { postgres, rabbit, redis }: Servers): Promise<string[]> {
  const database = await createScratchDatabase(`chaos_${number}`, postgres.url);
  await seed(database.url, ORGANIZATIONS, { siblings: true });
  await seedMail(database.url, SENDERS.length);
  const chatWorkspaces = await seedChats(database.url);
  await seedBots(database.url);
  const carrier = new CarrierSimulator();
  await carrier.start();
  const mailbox = new MailboxSimulator();
  await mailbox.start();
  const platform = await startPlatform();
  const busPrefix = `seed-${number}.`;
  const ear = await EventEar.open(rabbit.url, busPrefix);
  const system = await System.start({
    HOST: '127.0.0.1',
    DATABASE_URL: database.url,
    AMQP_URL: rabbit.url,
    AMQP_PREFIX: busPrefix,
    REDIS_URL: redis.url,
    MESSAGING_RATE_PER_MINUTE: '100000',
    ACCOUNT_RATE_PER_MINUTE: '100000',
    BILLING_SECRET_KEY: 'sk_of_the_chaos',
    BILLING_WEBHOOK_SECRET: PROCESSOR_SECRET,
    BILLING_PLANS: JSON.stringify(PLANS),
    EMAIL_SMTP_URL: `smtp://127.0.0.1:${mailbox.smtpPort}`,
    EMAIL_SMTP_REQUIRE_TLS: 'false',
    EMAIL_SMTP_VERIFY_TLS: 'false',
    // Longer than a busy machine needs, shorter than the backend takes when it is too slow.
    EMAIL_SMTP_TIMEOUT_MS: '4000',
    EMAIL_CALL_DEADLINE_MS: '4000',
    EMAIL_LEASE_MS: '10000',
    EMAIL_RETURN_PATH_DOMAIN: 'returns.chaos.example',
    EMAIL_TOKEN_SECRET: 'the-secret-of-the-chaos',
    EMAIL_PLATFORM_FROM: 'no-reply@chaos.example',
    // Nobody answers: the domains of the senders stay as they are.
    EMAIL_DNS_SERVERS: '127.0.0.1:1',
    PUBLIC_TRACKING_URL: 'https://track.chaos.example',
    ...chatSettings(platform),
    ...BOT_SETTINGS,
    SMS_CARRIERS: JSON.stringify([
      {
        name: 'chaos',
        host: '127.0.0.1',
        port: carrier.smppPort,
        systemId: 'chaos',
        responseTimeoutMs: 2_000,
        reconnectMinMs: 100,
        reconnectMaxMs: 1_000,
        // More than the faults of one run can leave open: given up is legal, but tells less.
        uncertain: { maxSubmits: 10 },
      },
    ]),
  });
  const callers = new Callers(system.urlOf('api'), SENDERS.length);
  const story = new PaymentStory(new Random(number + 1_000_000), SENDERS, SUBSCRIBERS);
  const processor = new Processor(system.urlOf('billing-api'), story);
  const accountant = new Accountant(system.urlOf('account'), SENDERS.length);
  const mailer = new Mailer(system.urlOf('email-api'), SENDERS.length, mailbox);
  const moods = new MailboxMoods(mailbox, new Random(number + 2_000_000)).begin();
  const chats = new Chats({
    platform,
    apiUrls: [system.urlOf('chatapp-1'), system.urlOf('chatapp-2')],
    hookUrl: system.urlOf('chatapp-hook'),
    ear,
    workspaceIds: chatWorkspaces,
    random: new Random(number + 3_000_000),
  });
  const bots = await Bots.begin({
    urls: [system.urlOf('bot-1'), system.urlOf('bot-2')],
    databaseUrl: database.url,
    ear,
  });
  const uncertain: Uncertainty[] = [];
  await playFaults(
    { system, carrier, servers: [postgres, rabbit, redis], uncertain, random: new Random(number) },
    FAULTS_PER_SEED,
  );
  await delay(1_000);
  console.log('    quiet');
  await moods.stop();
  await Promise.all([callers.stop(), mailer.stop(), processor.stop(), accountant.stop(), chats.stop(), bots.stop()]);
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await untilSettled(client, SETTLE_MS);
  await ear.listen();
  const receipts = await mailedReceipts(client);
  const found = [
    ...(await sendViolations(client, callers, carrier)),
    ...(await mailViolations(client, { mailer, mailbox, uncertain: [...uncertain, ...moods.uncertain] })),
    ...(await paymentViolations(client, { processor, receipts, payers: ORGANIZATIONS })),
    ...(await chatViolations(client, chats)),
    ...(await botViolations(client, bots)),
    ...(await accountViolations(client, accountant, system.urlOf('account'))),
    // Tabs that are open hold up no stop.
    ...(await system.stop()),
  ];
  await bots.close();
  const reached = carrier.messages().filter(({ accepted }) => accepted).length;
  const retries =
    callers.retries + mailer.retries + processor.retries + accountant.retries + chats.retries + bots.retries;
  console.log(
    `  seed ${number}: ${callers.accepted.size} sends accepted, ${reached} at the carrier, ${processor.acknowledged.size} ` +
      `payment events, ${receipts.length} receipts, ${mailer.answered.length} sends of mail, ` +
      `${mailbox.totals.received} mails, ${accountant.transfers.length} transfers, ${accountant.keys.length} keys, ${chats.toString()}, ${bots.toString()}, ${retries} retries, ${found.length === 0 ? 'no violation' : `${found.length} VIOLATIONS`}`,
  );
  for (const violation of found) console.log(`    ${violation}`);
  await client.end();
  await carrier.stop();
  await mailbox.stop();
  await ear.close();
  await platform.stop();
  await database.drop();
  return found;
}
