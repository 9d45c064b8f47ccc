import { newId } from '@heliograph/database';
import { loseQueues, removeFromBroker, TcpProxy, testServers, unique, until } from '@heliograph/testing';
import { connect } from 'amqplib';
import type { Delivery, QueueDefinition } from '../bus';
import { RabbitBus } from './rabbit-bus';
import { isMandatory, rabbitBus, silent } from './rabbit-bus.fixture';

const prefix = `test-bus-${unique()}.`;

describe('the bus over RabbitMQ', () => {
  it('connects to a broker that starts after the consumers', async () => {
    const proxy = await TcpProxy.start(testServers.amqpUrl);
    const late = `test-late-${unique()}.`;
    const options = { prefix: late, connectionName: 'bus spec', isMandatory, log: silent };
    const bus = new RabbitBus({ ...options, url: proxy.through(testServers.amqpUrl) });
    proxy.cut();
    await bus.start();
    const deliveries: Delivery[] = [];
    const definition: QueueDefinition = { name: 'spec.late', bindings: ['job.late'], prefetch: 1 };
    const consumption = await bus.consume(definition, (delivery) => {
      deliveries.push(delivery);
      return Promise.resolve({ kind: 'ack' });
    });
    // Does not wait for an unavailable broker.
    await bus.untilSetUp(2 ** 31 - 1);
    expect(bus.ready).toBe(false);
    proxy.heal();
    await until('the bus is ready', () => bus.ready);
    const event = { id: newId(), type: 'job.late', body: '{"n":1}', queue: null, attempt: 0 };
    expect((await bus.publish([event])).size).toBe(0);
    await until('the event has arrived', () => deliveries.length === 1);
    await consumption.stop();
    await bus.stop();
    await proxy.stop();
    await removeFromBroker(late, [definition.name]);
  });

  it('recovers from a broker failure during the set-up, without duplicate consumers', async () => {
    const proxy = await TcpProxy.start(testServers.amqpUrl);
    const broken = `test-broken-${unique()}.`;
    const options = { prefix: broken, connectionName: 'bus spec', isMandatory, log: silent };
    const queues = ['spec.first', 'spec.second', 'spec.third'];
    // The failure occurs at a different point of the set-up each time.
    for (let delayMs = 0; delayMs < 60; delayMs += 8) {
      const bus = new RabbitBus({ ...options, url: proxy.through(testServers.amqpUrl) });
      await bus.start();
      const deliveries: Delivery[] = [];
      const consumptions = queues.map((name) =>
        bus.consume({ name, bindings: [`job.${name}`], prefetch: 1 }, (delivery) => {
          deliveries.push(delivery);
          return Promise.resolve({ kind: 'ack' });
        }),
      );
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      proxy.cut();
      await new Promise((resolve) => setTimeout(resolve, 5));
      proxy.heal();
      await until('the bus is ready', () => bus.ready);
      const events = queues.map((name) => ({ id: newId(), type: `job.${name}`, body: '{}', queue: null, attempt: 0 }));
      await until('all events were consumed', async () => (await bus.publish(events)).size === 0);
      await until('all events have arrived', () => deliveries.length >= queues.length);
      const connection = await connect(testServers.amqpUrl);
      const channel = await connection.createChannel();
      for (const name of queues) expect((await channel.checkQueue(`${broken}${name}`)).consumerCount).toBe(1);
      await connection.close();
      for (const consumption of await Promise.all(consumptions)) await consumption.stop();
      await bus.stop();
    }
    await proxy.stop();
    await removeFromBroker(broken, queues);
  }, 60_000);

  it('keeps its connection when a consumer or subscriber stops during the set-up', async () => {
    const queues = ['spec.first', 'spec.second'];
    /** Stops after `delayMs`, or when the set-up is complete. Returns the time until then and the logged warnings. */
    const stopAfter = async (delayMs: number) => {
      const stopped = `test-stopped-${unique()}.`;
      const warnings: string[] = [];
      const log = { info: () => undefined, warn: (_: unknown, message: string) => warnings.push(message) };
      const options = { prefix: stopped, connectionName: 'bus spec', isMandatory, log };
      const bus = new RabbitBus({ ...options, url: testServers.amqpUrl });
      await bus.start();
      const began = performance.now();
      const consumptions = await Promise.all([
        ...queues.map((name) =>
          bus.consume({ name, bindings: [], prefetch: 1 }, () => Promise.resolve({ kind: 'ack' })),
        ),
        bus.subscribe(['fact.spec'], () => undefined),
      ]);
      await until('the delay has passed', () => bus.ready || performance.now() - began > delayMs, { everyMs: 1 });
      const tookMs = performance.now() - began;
      await Promise.all(consumptions.map((consumption) => consumption.stop()));
      await until('the bus is ready', () => bus.ready);
      await bus.stop();
      await removeFromBroker(stopped, queues);
      return { tookMs, warnings };
    };
    const { tookMs } = await stopAfter(Infinity);
    for (let moment = 1; moment < 10; moment++) {
      expect((await stopAfter((moment / 10) * tookMs)).warnings).toEqual([]);
    }
  });

  it('resubscribes once after a reconnect', async () => {
    const proxy = await TcpProxy.start(testServers.amqpUrl);
    const received: unknown[] = [];
    const options = { prefix: `test-subscribe-${unique()}.`, connectionName: 'bus spec', isMandatory, log: silent };
    const bus = new RabbitBus({ ...options, url: proxy.through(testServers.amqpUrl) });
    await bus.start();
    const subscription = await bus.subscribe(['fact.spec'], (payload) => received.push(payload));
    const publish = (n: number) =>
      bus.publish([{ id: newId(), type: 'fact.spec', body: `{"n":${n}}`, queue: null, attempt: 0 }]);
    await until('the bus is ready', () => bus.ready);
    await publish(1);
    await until('the first event was received', () => received.length === 1);
    proxy.cut();
    await until('the bus is disconnected', () => !bus.ready);
    proxy.heal();
    await until('the bus is ready again', () => bus.ready);
    await publish(2);
    await publish(3);
    await until('both events were received', () => received.length >= 3);
    expect(received).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
    await subscription.stop();
    await bus.stop();
    await proxy.stop();
  });

  it('declares its queues on every broker it connects to, before it publishes', async () => {
    const proxy = await TcpProxy.start(testServers.amqpUrl);
    const declared = `test-declared-${unique()}.`;
    const options = { prefix: declared, connectionName: 'bus spec', isMandatory, log: silent };
    const bus = new RabbitBus({ ...options, url: proxy.through(testServers.amqpUrl) });
    const event = () => ({ id: newId(), type: 'job.declared', body: '{"n":1}', queue: null, attempt: 0 });
    proxy.cut();
    await bus.start();
    await bus.declareQueue({ name: 'spec.declared', bindings: ['job.declared'] });
    proxy.heal();
    await until('the bus is ready', () => bus.ready);
    expect((await bus.publish([event()])).size).toBe(0);
    proxy.cut();
    await until('the bus is disconnected', () => !bus.ready);
    await removeFromBroker(declared, ['spec.declared']);
    proxy.heal();
    await until('the bus is ready again', () => bus.ready);
    expect((await bus.publish([event()])).size).toBe(0);
    await bus.stop();
    await proxy.stop();
    await removeFromBroker(declared, ['spec.declared']);
  });

  it('declares deleted queues again while their consumers have events in progress, and consumes them', async () => {
    const deleted = `test-deleted-${unique()}.`;
    const warnings: string[] = [];
    const log = { info: () => undefined, warn: (_: unknown, message: string) => warnings.push(message) };
    const bus = new RabbitBus({
      url: testServers.amqpUrl,
      prefix: deleted,
      connectionName: 'bus spec',
      isMandatory,
      log,
    });
    await bus.start();
    const names = ['spec.one', 'spec.two'];
    const finished: (() => void)[] = [];
    let isBlocked = true;
    let consumed = 0;
    for (const name of names) {
      await bus.consume({ name, bindings: ['job.deleted'], prefetch: 5 }, async () => {
        if (isBlocked) await new Promise<void>((resolve) => finished.push(resolve));
        else consumed++;
        return { kind: 'ack' };
      });
    }
    await until('the bus is ready', () => bus.ready);
    const events = () =>
      Array.from({ length: 10 }, () => ({ id: newId(), type: 'job.deleted', body: '{}', queue: null, attempt: 0 }));
    expect((await bus.publish(events())).size).toBe(0);
    await until('events are in progress', () => finished.length === 10);
    const connection = await connect(testServers.amqpUrl);
    const channel = await connection.createChannel();
    for (const name of names) {
      await channel.deleteQueue(`${deleted}${name}`);
      await channel.deleteQueue(`${deleted}${name}.dead`);
    }
    // The events in progress end while the channels are closing.
    isBlocked = false;
    for (const finish of finished) finish();
    await until('the events were published', async () => (await bus.publish(events())).size === 0);
    await until('the events were consumed', () => consumed >= 10);
    expect(bus.ready).toBe(true);
    await connection.close();
    await bus.stop();
    await removeFromBroker(deleted, names);
  });

  it('declares a deleted queue again whose consumer runs elsewhere', async () => {
    const elsewhere = `test-elsewhere-${unique()}.`;
    const options = { prefix: elsewhere, connectionName: 'bus spec', isMandatory, log: silent };
    const bus = new RabbitBus({ ...options, url: testServers.amqpUrl, queueCheckMs: 100 });
    await bus.start();
    await bus.declareQueue({ name: 'spec.kept', bindings: ['job.kept'] });
    await bus.declareQueue({ name: 'spec.deleted', bindings: ['job.kept'] });
    await until('the bus is ready', () => bus.ready);
    const connection = await connect(testServers.amqpUrl);
    const channel = await connection.createChannel();
    await channel.deleteQueue(`${elsewhere}spec.deleted`);
    await until('the queue receives events again', async () => {
      await bus.publish([{ id: newId(), type: 'job.kept', body: '{}', queue: null, attempt: 0 }]);
      const reader = await connection.createChannel();
      // A missing queue closes the channel.
      reader.on('error', () => undefined);
      const found = await reader.checkQueue(`${elsewhere}spec.deleted`).catch(() => null);
      return (found?.messageCount ?? 0) > 0;
    });
    await connection.close();
    await bus.stop();
    await removeFromBroker(elsewhere, ['spec.kept', 'spec.deleted']);
  });

  it('consumes a queue that another process deleted and declared again at once', async () => {
    const replaced = `test-replaced-${unique()}.`;
    const url = testServers.amqpUrl;
    const options = { url, prefix: replaced, isMandatory, log: silent };
    const bus = new RabbitBus({ ...options, connectionName: 'bus spec', queueCheckMs: 200 });
    const others = ['first', 'second'].map((connectionName) => new RabbitBus({ ...options, connectionName }));
    const names = ['spec.one', 'spec.two', 'spec.three'];
    const bindings = ['job.replaced'];
    const consumed = new Map(names.map((name) => [name, 0]));
    await bus.start();
    for (const name of names) {
      await bus.consume({ name, bindings, prefetch: 5 }, () => {
        consumed.set(name, (consumed.get(name) ?? 0) + 1);
        return Promise.resolve({ kind: 'ack' });
      });
    }
    for (const other of others) {
      await other.start();
      for (const name of names) await other.declareQueue({ name, bindings });
    }
    await until('all are ready', () => [bus, ...others].every(({ ready }) => ready));
    const publish = async (publisher: RabbitBus): Promise<void> => {
      const events = [{ id: newId(), type: 'job.replaced', body: '{}', queue: null, attempt: 0 }];
      // A broker that has just lost a queue closes connections.
      await publisher.publish(events).catch(() => undefined);
    };
    for (let round = 0; round < 5; round++) {
      await loseQueues(
        url,
        names.map((name) => `${replaced}${name}`),
        'delete',
      );
      const before = new Map(consumed);
      await until('each queue is consumed again', async () => {
        // An event that no queue takes makes its publisher declare the queues.
        await Promise.all(others.map(publish));
        return names.every((name) => (consumed.get(name) ?? 0) > (before.get(name) ?? 0) + 5);
      });
    }
    await Promise.all([bus, ...others].map((one) => one.stop()));
    await removeFromBroker(replaced, names);
  });

  const queue: QueueDefinition = { name: `spec.${unique()}`, bindings: ['job.any'], prefetch: 1 };
  afterAll(() => removeFromBroker(prefix, [queue.name]));

  it('delivers a body that is not JSON with the payload undefined', async () => {
    const bus = rabbitBus(prefix);
    await bus.start();
    await until('the bus is ready', () => bus.ready);
    const deliveries: Delivery[] = [];
    await bus.consume(queue, (delivery) => {
      deliveries.push(delivery);
      return Promise.resolve({ kind: 'deadLetter', error: 'not JSON' });
    });
    const connection = await connect(testServers.amqpUrl);
    const channel = await connection.createChannel();
    channel.sendToQueue(`${prefix}${queue.name}`, Buffer.from('{"broken'));
    await until('the event is dead-lettered', async () => (await bus.deadLetters(queue.name, 1)).length === 1);
    expect(deliveries).toEqual([{ payload: undefined, attempt: 0 }]);
    await connection.close();
    await bus.stop();
  });
});
