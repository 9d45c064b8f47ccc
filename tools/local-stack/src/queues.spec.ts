import { accountApi } from '@heliograph/account-api';
import { billingHook } from '@heliograph/billing-hook';
import { botRuntime } from '@heliograph/bot-runtime';
import { chatappApi } from '@heliograph/chatapp-api';
import { chatappHook } from '@heliograph/chatapp-hook';
import { QUEUES } from '@heliograph/contracts';
import { emailApi } from '@heliograph/email-api';
import { consumersOf } from '@heliograph/messaging';
import { createLogger, type ServiceConfig, type ServiceDefinition } from '@heliograph/service-kit';
import { ProviderSimulator } from '@heliograph/simulators';
import { smsApi } from '@heliograph/sms-api';
import type { ServiceName } from './routes';
import { serviceEnvironment } from './service-environment';
import type { StackOptions } from './stack.config';

const given: StackOptions['given'] = {};
const options = {
  port: 8080,
  dataDir: '.data',
  keyPrefix: 'msg',
  given,
  emptied: new Set(),
} as unknown as StackOptions;
const surroundings = {
  databaseUrl: 'postgres://x@localhost/x',
  gatewayAddress: '127.0.0.2',
  smppPort: 1,
  smtpPort: 2525,
  graphUrl: 'http://127.0.0.1:3',
  providerAccount: new ProviderSimulator().account,
};

/** A class, or the fields of a dynamic module that contain classes. */
type Part = (new () => object) | { module?: Part; provide?: unknown; imports?: Part[]; providers?: Part[] };

/** All classes of modules and providers that a module consists of. */
function classesOf(part: Part | undefined, seen = new Set<Part>()): Set<Part> {
  if (!part || part instanceof Promise || seen.has(part)) return seen;
  seen.add(part);
  const parts =
    typeof part === 'function'
      ? ['imports', 'providers'].flatMap((key) => (Reflect.getMetadata(key, part) ?? []) as Part[])
      : [part.module, ...(part.imports ?? []), ...(part.providers ?? [])];
  for (const each of parts) classesOf(each, seen);
  return seen;
}

function consumedBy<S extends ServiceConfig>(definition: ServiceDefinition<S>): string[] {
  const config = definition.loadConfig(serviceEnvironment(options, definition.name as ServiceName, surroundings));
  const seen = new Set<Part>();
  for (const part of definition.imports(config, createLogger(definition.name, 'fatal'))) classesOf(part as Part, seen);
  return [...seen]
    .filter((part) => typeof part === 'function')
    .flatMap((part) => consumersOf(part))
    .map(({ queue, contract }) => `${queue} ${contract.type}`);
}

describe('the queues of all services', () => {
  it('receive exactly the events that the services consume', () => {
    const consumed = [
      ...consumedBy(smsApi),
      ...consumedBy(emailApi),
      ...consumedBy(chatappApi),
      ...consumedBy(chatappHook),
      ...consumedBy(botRuntime),
      ...consumedBy(accountApi),
      ...consumedBy(billingHook),
    ];
    const declared = QUEUES.flatMap(({ name, events }) => events.map((type) => `${name} ${type}`));
    expect(declared.sort()).toEqual(consumed.sort());
  });
});
