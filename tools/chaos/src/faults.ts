import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '@heliograph/bench-data';
import { BROKER_QUEUES } from '@heliograph/contracts';
import type { CarrierSimulator } from '@heliograph/simulators';
import { loseQueues } from '@heliograph/testing';
import { SLOW_ANSWER_MS, type UncertainPeriod } from './email/mailbox-fault-injector';
import type { KillableServer } from './servers';
import { BILLING, BOTS, CHATAPP, EMAIL, SMS, WEBHOOKS, type ServiceName, type Services } from './services';

/** The components that faults act on. */
export interface FaultTarget {
  services: Services;
  carrier: CarrierSimulator;
  servers: readonly KillableServer[];
  /** Periods in which emails may have been sent without a record of it. */
  uncertain: UncertainPeriod[];
  /** The broker and the prefix of its queues. */
  broker: { url: string; prefix: string };
  random: Random;
}

export interface Fault {
  name: string;
  /** It can act on a run with one of these services; absent: on every run. */
  services?: readonly ServiceName[];
  /** Injects the fault and restores the system. */
  inject(target: FaultTarget): Promise<void>;
}

/** The time for which a process owns an email that it sends, in these runs. */
const EMAIL_LEASE_MS = 10_000;

/** Kills processes at the same time and starts them again after a while. */
const kill = (name: string, ...services: ServiceName[]): Fault => ({
  name: `kill -9 ${name}`,
  services,
  inject: async ({ services: running, random, uncertain }) => {
    const victims = services.filter((service) => running.has(service));
    const from = Date.now();
    await running.kill(...victims);
    // The mail server may still accept what it has received by now.
    if (victims.some((service) => service.startsWith('email-')))
      uncertain.push({ from, to: Date.now() + SLOW_ANSWER_MS });
    await delay(random.between(50, 800));
    await Promise.all(victims.map((service) => running.startOne(service)));
  },
});

/** Restarts processes under load one after another, as a rolling deployment does. */
const restart = (name: string, ...services: ServiceName[]): Fault => ({
  name: `restart ${name}`,
  services,
  inject: async ({ services: running, random }) => {
    for (const service of services.filter((one) => running.has(one))) {
      await running.terminate(service);
      await delay(random.between(0, 300));
      await running.startOne(service);
    }
  },
});

const carrierFault = (name: string, behaviour: Parameters<CarrierSimulator['behave']>[0]): Fault => ({
  name,
  services: SMS,
  inject: async ({ carrier, random }) => {
    carrier.behave(behaviour);
    await delay(random.between(800, 2_500));
    carrier.behaviours.reset();
  },
});

/** Kills one of the servers and starts it again: the one with this name, otherwise any. */
const killServer = (wanted?: string): Fault => ({
  name: `kill -9 ${wanted ?? 'a server'}`,
  ...(wanted === undefined ? {} : { services: WEBHOOKS }),
  inject: async ({ servers, random, uncertain }) => {
    const server = servers.find(({ name }) => name === wanted) ?? random.pick(servers);
    console.log(`    killed ${server.name}`);
    const from = Date.now();
    await server.kill();
    await delay(random.between(300, 3_000));
    await server.start();
    // Another process may take an expired lease before its owner can extend it.
    if (server.name === 'PostgreSQL') uncertain.push({ from, to: Date.now() + EMAIL_LEASE_MS });
  },
});

/** The broker loses the events of all services, with or without their queues. */
const brokerLoss = (name: string, how: 'delete' | 'purge'): Fault => ({
  name,
  inject: async ({ broker: { url, prefix }, random }) => {
    const names = BROKER_QUEUES.map((queue) => `${prefix}${queue.name}`);
    // RabbitMQ 3.10 cannot declare a queue any more (`cluster_not_formed`) that is deleted while it is being declared.
    for (let times = how === 'delete' ? 1 : random.between(1, 3); times > 0; times--) {
      await loseQueues(url, names, how);
      await delay(random.between(100, 800));
    }
  },
});

const BROKER_FAULTS: readonly Fault[] = [
  brokerLoss('broker: purge all queues', 'purge'),
  brokerLoss('broker: delete all queues', 'delete'),
];

const SERVICE_FAULTS: readonly Fault[] = [
  kill('sms-api', 'sms-api'),
  kill('one SMS worker', 'sms-worker-1'),
  kill('both SMS workers', 'sms-worker-1', 'sms-worker-2'),
  kill('billing-api', 'billing-api'),
  kill('billing-worker', 'billing-worker'),
  kill('all of billing', ...BILLING),
  kill('account-api', 'account-api'),
  kill('all services', ...SMS, ...CHATAPP, ...EMAIL, ...BOTS, ...BILLING, ...WEBHOOKS, 'account-api'),
];

const EMAIL_FAULTS: readonly Fault[] = [
  kill('email-api', 'email-api'),
  kill('email-worker', 'email-worker'),
  kill('all of email', ...EMAIL),
];

const CHATAPP_FAULTS: readonly Fault[] = [
  kill('one chatapp-api', 'chatapp-1'),
  kill('both chatapp-api', 'chatapp-1', 'chatapp-2'),
  kill('chatapp-hook', 'chatapp-hook'),
  kill('chatapp-hook and one chatapp-api', 'chatapp-hook', 'chatapp-2'),
  kill('all of chatapp', ...CHATAPP),
  restart('chatapp-hook', 'chatapp-hook'),
  restart('all of chatapp', ...CHATAPP),
];

const BOT_FAULTS: readonly Fault[] = [
  kill('bot-1', 'bot-1'),
  kill('bot-2', 'bot-2'),
  kill('both bot-runtime', ...BOTS),
  restart('both bot-runtime', ...BOTS),
  restart('bot-1', 'bot-1'),
];

const WEBHOOK_FAULTS: readonly Fault[] = [
  kill('one webhook worker', 'webhooks-1'),
  kill('both webhook workers', ...WEBHOOKS),
  kill('everything that delivers webhooks', ...WEBHOOKS, 'account-api'),
  restart('both webhook workers', ...WEBHOOKS),
  killServer('PostgreSQL'),
];

const CARRIER_FAULTS: readonly Fault[] = [
  {
    name: 'carrier: disconnect every bind',
    services: SMS,
    inject: ({ carrier }) => {
      carrier.disconnect();
      return Promise.resolve();
    },
  },
  carrierFault('carrier: no responses', { submit: 'silent' }),
  carrierFault('carrier: throttling', { submit: 'throttle' }),
  carrierFault('carrier: receipts before the response', {
    submit: 'accept',
    receiptBeforeResponse: true,
    receiptDelayMs: 0,
  }),
  carrierFault('carrier: duplicate receipts', { submit: 'accept', receiptTwice: true }),
  carrierFault('carrier: rejections', { submit: 'reject' }),
];

/** The kinds of faults, in the order in which a run injects them. */
const FAULT_KINDS: readonly (readonly Fault[])[] = [
  SERVICE_FAULTS,
  CHATAPP_FAULTS,
  [killServer()],
  WEBHOOK_FAULTS,
  BOT_FAULTS,
  EMAIL_FAULTS,
  CHATAPP_FAULTS,
  SERVICE_FAULTS,
  CARRIER_FAULTS,
  BROKER_FAULTS,
];

/** The kinds of faults that can act on a run, in their order. */
export function faultKindsOf(services: Services): (readonly Fault[])[] {
  return FAULT_KINDS.map((kind) =>
    kind.filter((fault) => fault.services?.some((name) => services.has(name)) ?? true),
  ).filter((kind) => kind.length > 0);
}
