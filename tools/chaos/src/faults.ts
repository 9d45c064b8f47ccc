import { setTimeout as delay } from 'node:timers/promises';
import type { CarrierSimulator } from '@heliograph/simulators';
import type { Random } from './random';
import type { Server } from './servers';
import type { System } from './system';

export interface Stage {
  system: System;
  carrier: CarrierSimulator;
  servers: Server[];
  random: Random;
}

interface Fault {
  name: string;
  play(stage: Stage): Promise<void>;
}

const kill = (name: 'api' | 'worker-1' | 'worker-2'): Fault => ({
  name: `kill -9 ${name}`,
  play: async ({ system, random }) => {
    await system.kill(name);
    await delay(random.between(50, 800));
    await system.startOne(name);
  },
});

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
  play: async ({ servers, random }) => {
    const server = random.pick(servers);
    console.log(`    ${server.name} is killed`);
    await server.kill();
    await delay(random.between(300, 3_000));
    await server.start();
  },
};

const FAULTS: readonly Fault[] = [
  kill('api'),
  kill('worker-1'),
  kill('worker-2'),
  {
    name: 'kill -9 both workers, mid-publish',
    play: async ({ system, random }) => {
      await Promise.all([system.kill('worker-1'), system.kill('worker-2')]);
      await delay(random.between(50, 800));
      await Promise.all([system.startOne('worker-1'), system.startOne('worker-2')]);
    },
  },
  outage,
  outage,
  outage,
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

/** Plays so many faults, one after another with a breath between, and leaves everything running. */
export async function playFaults(stage: Stage, count: number): Promise<void> {
  for (let played = 0; played < count; played++) {
    await delay(stage.random.between(300, 1_200));
    const fault = stage.random.pick(FAULTS);
    console.log(`    ${fault.name}`);
    await fault.play(stage);
  }
}
