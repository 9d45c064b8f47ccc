import { setTimeout as delay } from 'node:timers/promises';
import { createScratchDatabase, Random, seed, seedEmail } from '@heliograph/harness';
import { CarrierSimulator, MailboxSimulator } from '@heliograph/simulators';
import { Client } from 'pg';
import { checkAnalytics, countSeedData } from './analytics/check-analytics';
import { checkAccounts } from './accounts/account-invariants';
import { AccountWorkload } from './accounts/account-workload';
import { checkLedger } from './accounts/ledger-invariants';
import { checkBots } from './bots/bot-invariants';
import { BotWorkload } from './bots/bot-workload';
import { seedBots } from './bots/seed-bots';
import { checkCampaigns } from './campaigns/campaign-invariants';
import { CampaignWorkload } from './campaigns/campaign-workload';
import { checkChats } from './chatapp/chatapp-invariants';
import { ChatappWorkload, startProvider } from './chatapp/chatapp-workload';
import { seedChatapp } from './chatapp/seed-chatapp';
import { checkEmails, emailedReceipts } from './email/email-invariants';
import { emailSender, EmailWorkload } from './email/email-workload';
import { MailboxFaultInjector, type UncertainPeriod } from './email/mailbox-fault-injector';
import { EventRecorder } from './event-recorder';
import { FaultInjector } from './fault-injector';
import { InvariantChecker } from './invariant-checker';
import { PaymentEventGenerator } from './payments/payment-event-generator';
import { checkPayments } from './payments/payment-invariants';
import { PaymentWorkload } from './payments/payment-workload';
import type { PostgresServer, RabbitServer, RedisServer } from './servers';
import { serviceConfig } from './service-config';
import { Services } from './services';
import { untilSettled } from './settle';
import { acceptedBy, checkSms } from './sms/sms-invariants';
import { SmsWorkload } from './sms/sms-workload';
import type { LoadSource } from './workload';

/** The organizations that send, transfer and buy credits, and those whose subscriptions change. */
const [SENDERS, SUBSCRIBERS] = [[0, 1, 2, 3, 4] as const, [5, 6, 7] as const];
const CUSTOMERS = SENDERS.length + SUBSCRIBERS.length;
const FAULTS_PER_SEED = 8;
const SETTLE_MS = 120_000;

export interface Servers {
  postgres: PostgresServer;
  rabbit: RabbitServer;
  redis: RedisServer;
}

/** Runs one seed: load with faults, a quiet period, then the check of all invariants. Resolves with the violations. */
export async function runSeed(number: number, { postgres, rabbit, redis }: Servers): Promise<string[]> {
  const database = await createScratchDatabase(`chaos_${number}`, postgres.url);
  await seed(database.url, CUSTOMERS, { siblings: true });
  await seedEmail(database.url, SENDERS.map(emailSender));
  const workspaceIds = await seedChatapp(database.url);
  await seedBots(database.url);
  const [carrier, mailbox] = [new CarrierSimulator(), new MailboxSimulator()];
  await Promise.all([carrier.start(), mailbox.start()]);
  const provider = await startProvider();
  const amqpPrefix = `seed-${number}.`;
  const events = await EventRecorder.open(rabbit.url, amqpPrefix);
  const upstreams = { carrier, mailbox, provider };
  const config = { databaseUrl: database.url, amqpUrl: rabbit.url, amqpPrefix, redisUrl: redis.url, ...upstreams };
  const services = await Services.start(serviceConfig(config));
  await countSeedData(database.url);

  const sms = new SmsWorkload(services.urlOf('sms-api'), SENDERS.length).start();
  const paymentEvents = new PaymentEventGenerator(new Random(number + 1_000_000), SENDERS, SUBSCRIBERS);
  const payments = new PaymentWorkload(services.urlOf('billing-api'), paymentEvents).start();
  const accounts = new AccountWorkload(services.urlOf('account-api'), SENDERS.length).start();
  const emails = new EmailWorkload(services.urlOf('email-api'), SENDERS.length, mailbox).start();
  const mailboxFaults = new MailboxFaultInjector(mailbox, new Random(number + 2_000_000)).start();
  const chats = new ChatappWorkload({
    provider,
    apiUrls: [services.urlOf('chatapp-1'), services.urlOf('chatapp-2')],
    hookUrl: services.urlOf('chatapp-hook'),
    events,
    workspaceIds,
    random: new Random(number + 3_000_000),
  });
  const campaigns = new CampaignWorkload({
    accountUrl: services.urlOf('account-api'),
    urls: { sms: services.urlOf('sms-api'), email: services.urlOf('email-api') },
  }).start();
  const botUrls = [services.urlOf('bot-1'), services.urlOf('bot-2')];
  const bots = await BotWorkload.start({ urls: botUrls, databaseUrl: database.url, events });
  const load: LoadSource[] = [sms, payments, emails, accounts, chats, bots, campaigns];

  const uncertain: UncertainPeriod[] = [];
  const servers = [postgres, rabbit, redis];
  await new FaultInjector({ services, carrier, servers, uncertain, random: new Random(number) }).inject(
    FAULTS_PER_SEED,
  );
  await delay(1_000);
  console.log('    faults injected, waiting until the system is idle');
  await mailboxFaults.stop();
  await Promise.all(load.map((source) => source.stop()));

  const client = new Client({ connectionString: database.url });
  await client.connect();
  await untilSettled(client, SETTLE_MS);
  await events.drain();
  const checker = new InvariantChecker(client);
  const receipts = await emailedReceipts(checker);
  await checkSms(checker, sms, carrier);
  await checkLedger(checker);
  await checkEmails(checker, { emails, mailbox, uncertain: [...uncertain, ...mailboxFaults.uncertain] });
  await checkCampaigns(checker, campaigns);
  await checkPayments(checker, { payments, receipts, customers: CUSTOMERS });
  await checkChats(checker, chats);
  await checkBots(checker, bots);
  await checkAccounts(checker, accounts, services.urlOf('account-api'));
  await checkAnalytics(checker);
  // Event streams that are still open must not delay the exit of a service.
  checker.add(await services.stop());
  await bots.closeStreams();

  const { violations } = checker;
  const summary = [
    ...load.map((source) => source.summary()),
    `${acceptedBy(carrier).length} SMS at the carrier`,
    `${mailbox.totals.received} emails at the mail server`,
    `${receipts.length} receipts`,
    `${load.reduce((sum, { retries }) => sum + retries, 0)} retries`,
    violations.length === 0 ? 'no violation' : `${violations.length} VIOLATIONS`,
  ];
  console.log(`  seed ${number}: ${summary.join(', ')}`);
  for (const violation of violations) console.log(`    ${violation}`);
  await client.end();
  await Promise.all([carrier.stop(), mailbox.stop(), provider.stop(), events.close()]);
  await database.drop();
  return violations;
}
