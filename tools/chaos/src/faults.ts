import { setTimeout as delay } from 'node:timers/promises';
import type { CarrierSimulator } from '@heliograph/simulators';
import { TOO_SLOW_MS, type Uncertainty } from './mails/moods';
import type { Random } from './random';
import type { Server } from './servers';
import type { ProcessName, System } from './system';

export interface Stage {
  system: System;
  carrier: CarrierSimulator;
  servers: Server[];
  /** When mails may have left whose senders did not live to tell. */
  uncertain: Uncertainty[];
  random: Random;
}

interface Fault {
  name: string;
  play(stage: Stage): Promise<void>;
}

/** At the same time, and after a while back again. */
const kill = (name: string, ...names: ProcessName[]): Fault => ({
  name: `kill -9 ${name}`,
  play: async ({ system, random, uncertain }) => {
    const from = Date.now();
    await system.kill(...names);
    // What the backend has by then, it may still be about to take.
    if (names.some(isMailer)) uncertain.push({ from, to: Date.now() + TOO_SLOW_MS });
    await delay(random.between(50, 800));
    await Promise.all(names.map((each) => system.startOne(each)));
  },
});

/** As a deployment does it, one after another, in the middle of their work. */
const restart = (name: string, ...names: ProcessName[]): Fault => ({
  name: `restart ${name}`,
  play: async ({ system, random }) => {
    for (const each of names) {
      await system.terminate(each);
      await delay(random.between(0, 300));
      await system.startOne(each);
    }
  },
});

/** Of a send, in these runs. */
const LEASE_MS = 10_000;
const CHATAPP = ['chatapp-1', 'chatapp-2', 'chatapp-hook'] as const satisfies readonly ProcessName[];
const BOTS = ['bot-1', 'bot-2'] as const satisfies readonly ProcessName[];
const MAILERS = ['email-api', 'email-worker'] as const satisfies readonly ProcessName[];

function isMailer(name: ProcessName): boolean {
  return MAILERS.some((mailer) => mailer === name);
}

const misbehave = (name: string, behaviour: Parameters<CarrierSimulator['behave']>[0]): Fault => ({
  name,
  play: async ({ carrier, random }) => {
    carrier.behave(behaviour);
    await delay(random.between(800, 2_500));
    carrier.behaviours.reset();
  },
});

const outage: Fault = {
  name: 'kill -9 a server',
  play: async ({ servers, random, uncertain }) => {
    const server = random.pick(servers);
    console.log(`    ${server.name} is killed`);
    const from = Date.now();
    await server.kill();
    await delay(random.between(300, 3_000));
    await server.start();
    // A lease that ran out meanwhile may be taken by another process before its owner can extend it.
    if (server.name === 'PostgreSQL') uncertain.push({ from, to: Date.now() + LEASE_MS });
  },
};

const KILLS: readonly Fault[] = [
  kill('api', 'api'),
  kill('worker-1', 'worker-1'),
  kill('both workers, mid-publish', 'worker-1', 'worker-2'),
  kill('billing-api', 'billing-api'),
  kill('billing-worker', 'billing-worker'),
  kill('all of billing', 'billing-api', 'billing-worker'),
  kill('account', 'account'),
  kill(
    'everything',
    'api',
    'worker-1',
    'worker-2',
    ...CHATAPP,
    ...MAILERS,
    ...BOTS,
    'billing-api',
    'billing-worker',
    'account',
  ),
];

const MAILER_KILLS: readonly Fault[] = [
  kill('email-api, mid-fan-out', 'email-api'),
  kill('email-worker', 'email-worker'),
  kill('all of email', ...MAILERS),
];

const CHATAPP_KILLS: readonly Fault[] = [
  kill('chatapp-1, in the middle of calls upstream', 'chatapp-1'),
  kill('both of chatapp-api', 'chatapp-1', 'chatapp-2'),
  kill('chatapp-hook, in the middle of webhooks', 'chatapp-hook'),
  kill('chatapp-hook and one of chatapp-api', 'chatapp-hook', 'chatapp-2'),
  kill('all of chatapp', ...CHATAPP),
  restart('chatapp-hook', 'chatapp-hook'),
  restart('all of chatapp, one after another', ...CHATAPP),
];

const BOT_KILLS: readonly Fault[] = [
  kill('bot-1, in the middle of turns', 'bot-1'),
  kill('bot-2, in the middle of turns', 'bot-2'),
  kill('both of bot-runtime', ...BOTS),
  restart('both of bot-runtime, one after another', ...BOTS),
  restart('bot-1, with its streams open', 'bot-1'),
];

const CARRIER: readonly Fault[] = [
  {
    name: 'the carrier cuts every bind',
    play: ({ carrier }) => {
      carrier.disconnect();
      return Promise.resolve();
    },
  },
  misbehave('the carrier is silent', { submit: 'silent' }),
  misbehave('the carrier throttles', { submit: 'throttle' }),
  misbehave('receipts before the answer', { submit: 'accept', receiptBeforeResponse: true, receiptDelayMs: 0 }),
  misbehave('receipts twice', { submit: 'accept', receiptTwice: true }),
  misbehave('the carrier refuses', { submit: 'reject' }),
];

/** Most of the faults are those of our own processes, whichever the seed. */
const KINDS: readonly (readonly Fault[])[] = [
  KILLS,
  CHATAPP_KILLS,
  [outage],
  BOT_KILLS,
  MAILER_KILLS,
  CHATAPP_KILLS,
  KILLS,
  CARRIER,
];

/** Plays so many faults, one after another with a breath between, and leaves everything running. */
export async function playFaults(stage: Stage, count: number): Promise<void> {
  const first = stage.random.between(0, KINDS.length - 1);
  for (let played = 0; played < count; played++) {
    await delay(stage.random.between(300, 1_200));
    const fault = stage.random.pick(KINDS[(first + played) % KINDS.length] ?? KILLS);
    console.log(`    ${fault.name}`);
    await fault.play(stage);
  }
}
