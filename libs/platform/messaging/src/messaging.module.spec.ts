import { Injectable, type INestApplicationContext, type Type } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService, MetadataScanner, NestFactory } from '@nestjs/core';
import {
  billingReceiptDue,
  emailComplained,
  emailUnsubscribed,
  MAIL_QUEUE,
  mailRequested,
  BROKER_QUEUES,
  type EventEnvelope,
} from '@heliograph/contracts';
import { createDataSource, DatabaseModule, databaseConfigSchema, newId, poolOf } from '@heliograph/database';
import {
  createTestDatabase,
  removeFromBroker,
  testServers,
  unique,
  until,
  type TestDatabase,
} from '@heliograph/testing';
import { connect } from 'amqplib';
import type { DataSource } from 'typeorm';
import type { Bus, Delivery } from './bus';
import { Consumers, Consumes, type ConsumersContext } from './consumes';
import { LocalBus } from './local/local-bus';
import { messagingConfigSchema } from './messaging.config';
import { MessagingModule, type MessagingModuleOptions } from './messaging.module';
import { messagingMigrations } from './migration-set';
import { addToOutbox, composeEvent } from './outbox/outbox';
import { RabbitBus } from './rabbit/rabbit-bus';

const QUEUE_NAMES = BROKER_QUEUES.map(({ name }) => name);
const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

const CONTACTS = { queue: 'account-api.contacts', concurrency: 1 };

@Injectable()
class ContactsConsumer {
  readonly ids: string[] = [];

  @Consumes(emailUnsubscribed, CONTACTS)
  @Consumes(emailComplained, CONTACTS)
  async consume({ id }: EventEnvelope): Promise<void> {
    this.ids.push(id);
  }
}

@Injectable()
class UnroutedConsumer {
  @Consumes(billingReceiptDue, { queue: MAIL_QUEUE, concurrency: 1 })
  async consume(): Promise<void> {}
}

function startService(
  database: TestDatabase,
  messaging: { AMQP_URL: string | undefined; AMQP_PREFIX: string },
  options: Partial<MessagingModuleOptions>,
  providers: Type[],
): Promise<INestApplicationContext> {
  class Service {}
  const config = {
    ...databaseConfigSchema.parse({ DATABASE_URL: database.url }),
    ...messagingConfigSchema.parse(messaging),
  };
  const imports = [
    DatabaseModule.forRoot(config, 'spec', []),
    MessagingModule.forRoot({ config, applicationName: 'spec', log, relays: true, ...options }),
  ];
  return NestFactory.createApplicationContext({ module: Service, imports, providers }, { logger: false });
}

describe.each(['RabbitMQ', 'PostgreSQL'])('a service over %s', (kind) => {
  const prefix = `test-module-${unique()}.`;
  let database: TestDatabase;
  let dataSource: DataSource;
  beforeAll(async () => {
    database = await createTestDatabase([messagingMigrations]);
    const config = databaseConfigSchema.parse({ DATABASE_URL: database.url });
    dataSource = await createDataSource(config, 'module spec', []).initialize();
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
    if (kind === 'RabbitMQ') await removeFromBroker(prefix, QUEUE_NAMES);
  });

  const start = (options: Partial<MessagingModuleOptions>, providers: Type[] = []) =>
    startService(
      database,
      { AMQP_URL: kind === 'RabbitMQ' ? testServers.amqpUrl : undefined, AMQP_PREFIX: prefix },
      options,
      providers,
    );
  const outboxIsEmpty = async () => (await database.query('SELECT 1 FROM messaging.outbox')).length === 0;

  it('keeps events for queues whose consumers have never started', async () => {
    const mail = composeEvent(mailRequested, {
      organizationId: null,
      workspaceId: null,
      correlationId: null,
      data: { purpose: 'receipt', to: ['a@b.example'], contentId: newId() },
    });
    const client = await poolOf(dataSource).connect();
    await addToOutbox(client, [mail]);
    client.release();
    const service = await start({});
    await until('the outbox is empty', outboxIsEmpty);
    await service.close();

    const isMandatory = () => true;
    const bus: Bus =
      kind === 'RabbitMQ'
        ? new RabbitBus({ url: testServers.amqpUrl, prefix, connectionName: 'spec', isMandatory, log })
        : new LocalBus(poolOf(dataSource), isMandatory);
    await bus.start();
    const deliveries: Delivery[] = [];
    const consumption = await bus.consume(
      { name: MAIL_QUEUE, bindings: [mailRequested.type], prefetch: 1 },
      (delivery) => {
        deliveries.push(delivery);
        return Promise.resolve({ kind: 'ack' });
      },
    );
    await until('the event has arrived', () => deliveries.length === 1);
    expect(deliveries[0]!.payload).toEqual(mail);
    await consumption.stop();
    await bus.stop();
  });

  it('delivers each event of a method with @Consumes(), but not in a process with relays: false', async () => {
    const context = { organizationId: newId(), workspaceId: null, correlationId: null };
    const about = { messageId: newId(), recipient: 'ann@example.com', url: null, reason: null };
    const unsubscribe = composeEvent(emailUnsubscribed, { ...context, data: { ...about, scope: 'marketing' } });
    const complaint = composeEvent(emailComplained, { ...context, data: about });
    const client = await poolOf(dataSource).connect();
    await addToOutbox(client, [unsubscribe, complaint]);
    client.release();
    const idle = await start({ relays: false }, [ContactsConsumer]);
    const service = await start({}, [ContactsConsumer]);
    await until('both events were consumed', () => service.get(ContactsConsumer).ids.length > 1);
    expect(service.get(ContactsConsumer).ids.sort()).toEqual([unsubscribe.id, complaint.id].sort());
    expect(idle.get(ContactsConsumer).ids).toEqual([]);
    await Promise.all([service.close(), idle.close()]);
  });
});

describe('the start of a service over RabbitMQ', () => {
  const prefix = `test-start-${unique()}.`;
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase([messagingMigrations]);
  });
  afterAll(async () => {
    await database.drop();
    await removeFromBroker(prefix, QUEUE_NAMES);
  });

  it.each([false, true])('ends when the queues of all services are bound, with relays: %s', async (relays) => {
    const connection = await connect(testServers.amqpUrl);
    const channel = await connection.createChannel();
    for (const name of QUEUE_NAMES) await channel.deleteQueue(`${prefix}${name}`);
    const messaging = { AMQP_URL: testServers.amqpUrl, AMQP_PREFIX: prefix };
    const service = await startService(database, messaging, { relays }, []);
    for (const { name, bindings } of BROKER_QUEUES) {
      await channel.purgeQueue(`${prefix}${name}`);
      for (const type of bindings) channel.publish(`${prefix}events`, type, Buffer.from('{}'));
    }
    const depth = async (name: string) => (await channel.checkQueue(`${prefix}${name}`)).messageCount;
    const sent = BROKER_QUEUES.flatMap(({ bindings }) => bindings);
    for (const { name, bindings } of BROKER_QUEUES) {
      const expected = sent.filter((type) => bindings.includes(type)).length;
      await until(`${name} has received its events`, async () => (await depth(name)) >= bindings.length);
      expect(await depth(name)).toBeLessThanOrEqual(expected);
    }
    await service.close();
    await connection.close();
  });
});

describe('a consumer', () => {
  it('may not expect events that its queue does not receive', async () => {
    class Service {}
    const module = { module: Service, imports: [DiscoveryModule], providers: [UnroutedConsumer] };
    const service = await NestFactory.createApplicationContext(module, { logger: false });
    const discovery = service.get(DiscoveryService);
    const scanner = service.get(MetadataScanner);
    const consumers = new Consumers(discovery, scanner, {} as ConsumersContext);
    expect(() => consumers.check()).toThrow('The queue email-api.mail does not receive billing.receipt.due.');
    await service.close();
  });
});
