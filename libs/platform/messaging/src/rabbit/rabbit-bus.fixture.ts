import { testServers } from '@heliograph/testing';
import type { Bus } from '../bus';
import { RabbitBus } from './rabbit-bus';

export const silent = { info: () => undefined, warn: () => undefined };
export const isMandatory = (type: string) => type.startsWith('job.');

export function rabbitBus(prefix: string): Bus {
  return new RabbitBus({ url: testServers.amqpUrl, prefix, connectionName: 'bus spec', isMandatory, log: silent });
}
