import { setTimeout as delay } from 'node:timers/promises';
import { Random } from '@heliograph/bench-data';
import {
  benchWorkspaces,
  createScratchDatabase,
  seed,
  seedEmail,
  withSeedConnection,
  type ScratchDatabase,
} from '@heliograph/harness';
import { CarrierSimulator, createControlApi, MailboxSimulator, PaymentsSimulator } from '@heliograph/simulators';
import { Client } from 'pg';
import { checkAnalytics } from './analytics/check-analytics';
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
import type { FaultTarget } from './faults';
import { InvariantChecker } from './invariant-checker';
import { checkNoise } from './noise/noise-invariants';
import { NoiseWorkload } from './noise/noise-workload';
import { PaymentEventGenerator } from './payments/payment-event-generator';
import { checkPayments } from './payments/payment-invariants';
import { PaymentWorkload } from './payments/payment-workload';
import { PROCESSOR_SECRET } from './payments/post-payment-event';
import { servicesOf, type Part } from './parts';
import { checkPurchases } from './purchases/purchase-invariants';
import { PurchaseWorkload } from './purchases/purchase-workload';
import { seedPackages } from './purchases/seed-packages';
import type { KillableServer } from './servers';
import { serviceConfig } from './service-config';
import { Services, type ServiceName } from './services';
import { untilSettled } from './settle';
import { acceptedBy, checkSms } from './sms/sms-invariants';
import { SmsWorkload } from './sms/sms-workload';
import { checkWebhooks, untilDelivered } from './webhooks/webhook-invariants';
import { ReceiverFaultInjector, WebhookReceiver } from './webhooks/webhook-receiver';
import { WebhookWorkload } from './webhooks/webhook-workload';
import type { LoadSource } from './workload';

/** The organizations that send, transfer and buy credits, the one that makes noise, and those whose subscriptions change. */
const SENDERS = [0, 1, 2, 3, 4] as const;
const NOISY = 5;
const SUBSCRIBERS = [6, 7, 8] as const;
const CUSTOMERS = SENDERS.length + 1 + SUBSCRIBERS.length;
/** One of each kind. */
const FAULTS_PER_SEED = 10;
const SETTLE_MS = 120_000;

export interface Servers {
  postgres: KillableServer;
  rabbit: KillableServer;
  redis: KillableServer;
}

/** The components that act during a run. */
export interface RunTarget extends FaultTarget {
  databaseUrl: string;
  sms: SmsWorkload | null;
  emails: EmailWorkload | null;
  /** The whole load. */
  load: readonly LoadSource[];
}

export interface RunResult {
  violations: readonly string[];
  /** What the load did, such as `812 SMS accepted`. */
  summary: readonly string[];
}

/** Injects faults while the load runs. Resolves with the whole system running. */
export type Injection = (target: RunTarget) => Promise<void>;

/** @param pauseMs the pause of each client between its calls; 0: the load is as high as the services allow */
export function faultsAtPace(pauseMs: number): Injection {
  return async (target) => {
    for (const source of target.load) source.slowDown(pauseMs);
    await new FaultInjector(target).inject(FAULTS_PER_SEED);
  };
}

/** Runs one seed: load with faults, a quiet period, then the check of all invariants. */
export async function runSeed(
  number: number,
  parts: ReadonlySet<Part>,
  { postgres, rabbit, redis }: Servers,
  inject: Injection,
): Promise<RunResult> {
  const database = await seededDatabase(number, postgres);
  const carrier = new CarrierSimulator();
  const mailbox = new MailboxSimulator();
  await Promise.all([carrier.start(), mailbox.start()]);
  const provider = await startProvider();
  const processor = new PaymentsSimulator({ hookUrl: '', secret: PROCESSOR_SECRET });
  const processorApi = createControlApi({ payments: processor });
  const amqpPrefix = `seed-${number}.`;
  const events = await EventRecorder.open(rabbit.url, amqpPrefix, { all: parts.has('webhooks') });
  const upstreams = { carrier, mailbox, provider, processorPort: await processorApi.start() };
  const config = { databaseUrl: database.url, amqpUrl: rabbit.url, amqpPrefix, redisUrl: redis.url, ...upstreams };
  const services = await Services.start(serviceConfig(config), servicesOf(parts));

  const part = <T>(name: Part, start: () => T): T | null => (parts.has(name) ? start() : null);
  const urlOf = (name: ServiceName): string => services.urlOf(name);
  const receiver = await new WebhookReceiver().start();
  const receiverFaults = new ReceiverFaultInjector(receiver, new Random(number + 4_000_000)).start();
  const webhooks = await part('webhooks', () =>
    WebhookWorkload.start({ accountUrl: urlOf('account-api'), organizations: SENDERS.length, receiver }),
  );
  const sms = part('sms', () => new SmsWorkload(urlOf('sms-api'), SENDERS.length).start());
  const payments = part('payments', () => {
    const generator = new PaymentEventGenerator(new Random(number + 1_000_000), SENDERS, SUBSCRIBERS);
    return new PaymentWorkload(urlOf('billing-api'), generator).start();
  });
  const purchases = part('purchases', () => {
    const urls = { accountUrl: urlOf('account-api'), hookUrl: urlOf('billing-api') };
    return new PurchaseWorkload({ ...urls, organizations: SENDERS.length, processor }).start();
  });
  const accounts = part('accounts', () => new AccountWorkload(urlOf('account-api'), SENDERS.length).start());
  const emails = part('email', () => new EmailWorkload(urlOf('email-api'), SENDERS.length, mailbox).start());
  const mailboxFaults = new MailboxFaultInjector(mailbox, new Random(number + 2_000_000)).start();
  const chats = part(
    'chatapp',
    () =>
      new ChatappWorkload({
        provider,
        apiUrls: [urlOf('chatapp-1'), urlOf('chatapp-2')],
        hookUrl: urlOf('chatapp-hook'),
        events,
        workspaceIds: database.workspaceIds,
        random: new Random(number + 3_000_000),
      }),
  );
  const campaigns = part('campaigns', () =>
    new CampaignWorkload({
      accountUrl: urlOf('account-api'),
      urls: { sms: urlOf('sms-api'), email: urlOf('email-api') },
    }).start(),
  );
  const noise = part('noise', () =>
    new NoiseWorkload({
      organization: NOISY,
      urls: { sms: urlOf('sms-api'), email: urlOf('email-api'), account: urlOf('account-api') },
    }).start(),
  );
  const bots = await part('bots', () =>
    BotWorkload.start({ urls: [urlOf('bot-1'), urlOf('bot-2')], databaseUrl: database.url, events }),
  );
  const load: LoadSource[] = [
    sms,
    payments,
    purchases,
    emails,
    accounts,
    chats,
    bots,
    campaigns,
    webhooks,
    noise,
  ].filter((source) => source !== null);

  const uncertain: UncertainPeriod[] = [];
  const servers = [postgres, rabbit, redis];
  const broker = { url: rabbit.url, prefix: amqpPrefix };
  const random = new Random(number);
  const target = { services, carrier, servers, uncertain, broker, random };
  await inject({ ...target, databaseUrl: database.url, sms, emails, load });
  await delay(1_000);
  console.log('    faults injected, waiting until the system is idle');
  await Promise.all([mailboxFaults.stop(), receiverFaults.stop()]);
  await Promise.all(load.map((source) => source.stop()));

  const client = new Client({ connectionString: database.url });
  await client.connect();
  await untilSettled(client, SETTLE_MS);
  await events.drain();
  const checker = new InvariantChecker(client);
  const receipts = await emailedReceipts(checker);
  if (sms) await checkSms(checker, { sms, others: noise?.sms ?? [], carrier });
  if (noise) await checkNoise(checker, noise, database.noisyOrganizationId);
  await checkLedger(checker);
  if (emails) await checkEmails(checker, { emails, mailbox, uncertain: [...uncertain, ...mailboxFaults.uncertain] });
  if (campaigns) await checkCampaigns(checker, campaigns);
  if (payments || purchases) await checkPayments(checker, { payments, purchases, receipts, customers: CUSTOMERS });
  if (purchases) await checkPurchases(checker, purchases);
  if (chats) await checkChats(checker, chats);
  if (bots) await checkBots(checker, bots);
  if (accounts || purchases) {
    const transfers = [...(accounts?.transfers ?? []), ...(purchases?.transfers ?? [])];
    const writes = { transfers, keys: accounts?.keys ?? [], problems: accounts?.problems ?? [] };
    await checkAccounts(checker, writes, services.urlOf('account-api'));
  }
  if (webhooks) {
    const run = { webhooks, receiver, events };
    await untilDelivered(checker, run);
    await checkWebhooks(checker, run);
  }
  await checkAnalytics(checker);
  // Event streams that are still open must not delay the exit of a service.
  checker.add(await services.stop());
  await bots?.closeStreams();

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
  await Promise.all([carrier.stop(), mailbox.stop(), provider.stop(), processorApi.stop(), receiver.stop()]);
  await events.close();
  await database.drop();
  return { violations, summary };
}

interface SeededDatabase extends ScratchDatabase {
  /** The workspaces of the organizations that send chat-app messages. */
  workspaceIds: Awaited<ReturnType<typeof seedChatapp>>;
  noisyOrganizationId: string;
}

/** Creates a database with the organizations of a run. */
async function seededDatabase(number: number, postgres: KillableServer): Promise<SeededDatabase> {
  const { url, drop } = await createScratchDatabase(`chaos_${number}`, postgres.url);
  await seed(url, CUSTOMERS, { siblings: true });
  await seedEmail(url, [...SENDERS, NOISY].map(emailSender));
  const workspaceIds = await seedChatapp(url);
  await seedBots(url);
  await seedPackages(url);
  const workspaces = await withSeedConnection(url, [], (_, pool) => benchWorkspaces(pool, CUSTOMERS));
  return { url, drop, workspaceIds, noisyOrganizationId: workspaces[NOISY]?.organizationId ?? '' };
}
