import { Injectable, type INestApplicationContext, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { billingReceiptDue, MAIL_QUEUE, mailRequested, type EventEnvelope } from '@heliograph/contracts';
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
import { Consumes } from './consumes';
import { LocalBus } from './local/local-bus';
import { messagingConfigSchema } from './messaging.config';
import { MessagingModule, type MessagingModuleOptions } from './messaging.module';
import { messagingMigrations } from './migration-set';
import { addToOutbox, composeEvent } from './outbox/outbox';
import { RabbitBus } from './rabbit/rabbit-bus';

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

@Injectable()
class MailConsumer {
  readonly ids: string[] = [];

  @Consumes(mailRequested, { queue: MAIL_QUEUE, concurrency: 1 })
  @Consumes(billingReceiptDue, { queue: MAIL_QUEUE, concurrency: 1 })
  async consume({ id }: EventEnvelope): Promise<void> {
    this.ids.push(id);
  }
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
    if (kind === 'RabbitMQ') await removeFromBroker(prefix, [MAIL_QUEUE]);
  });

  const start = (options: Partial<MessagingModuleOptions>, providers: Type[] = []) =>
    startService(
      database,
      { AMQP_URL: kind === 'RabbitMQ' ? testServers.amqpUrl : undefined, AMQP_PREFIX: prefix },
      options,
      providers,
    );
  const outboxIsEmpty = async () => (await database.query('SELECT 1 FROM messaging.outbox')).length === 0;

  it('declares queues whose consumers run elsewhere, so that their events leave the outbox', async () => {
    const mail = composeEvent(mailRequested, {
      organizationId: null,
      workspaceId: null,
      correlationId: null,
      data: { purpose: 'receipt', to: ['a@b.example'], contentId: newId() },
    });
    const client = await poolOf(dataSource).connect();
    await addToOutbox(client, [mail]);
    client.release();
    const service = await start({ declaredQueues: [{ name: MAIL_QUEUE, bindings: [mailRequested.type] }] });
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
    const mail = composeEvent(mailRequested, {
      organizationId: null,
      workspaceId: null,
      correlationId: null,
      data: { purpose: 'receipt', to: ['a@b.example'], contentId: newId() },
    });
    const receipt = composeEvent(billingReceiptDue, {
      organizationId: null,
      workspaceId: null,
      correlationId: null,
      data: { workspaceId: newId(), invoiceId: 'in_1' },
    });
    const client = await poolOf(dataSource).connect();
    await addToOutbox(client, [mail, receipt]);
    client.release();
    const idle = await start({ relays: false }, [MailConsumer]);
    const service = await start({}, [MailConsumer]);
    await until('both events were consumed', () => service.get(MailConsumer).ids.length > 1);
    expect(service.get(MailConsumer).ids.sort()).toEqual([mail.id, receipt.id].sort());
    expect(idle.get(MailConsumer).ids).toEqual([]);
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
    await removeFromBroker(prefix, [MAIL_QUEUE]);
  });

  it.each([false, true])('ends when the queues of its consumers are bound, with relays: %s', async (relays) => {
    const connection = await connect(testServers.amqpUrl);
    const channel = await connection.createChannel();
    await channel.deleteQueue(`${prefix}${MAIL_QUEUE}`);
    const service = await startService(database, { AMQP_URL: testServers.amqpUrl, AMQP_PREFIX: prefix }, { relays }, [
      MailConsumer,
    ]);
    const returned = jest.fn();
    channel.on('return', returned);
    for (const type of [mailRequested.type, billingReceiptDue.type]) {
      channel.publish(`${prefix}events`, type, Buffer.from('{}'), { mandatory: true });
    }
    // The broker answers calls of a channel in their order, after it has returned messages without a queue.
    await channel.checkQueue(`${prefix}${MAIL_QUEUE}`);
    expect(returned).not.toHaveBeenCalled();
    await service.close();
    await connection.close();
  });
});
