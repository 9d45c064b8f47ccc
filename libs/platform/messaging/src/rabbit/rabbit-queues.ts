import type { ConfirmChannel } from 'amqplib';

/** Declares a queue, its dead-letter queue and its bindings. All processes must declare it with the same arguments. */
export async function declareQueue(
  channel: ConfirmChannel,
  exchange: string,
  name: string,
  bindings: readonly string[],
  expiresMs?: number,
): Promise<void> {
  const lifetime = expiresMs === undefined ? {} : { 'x-expires': expiresMs };
  // The dead-letter queue is declared first, so that it exists when messages are dead-lettered.
  await channel.assertQueue(`${name}.dead`, { durable: true, arguments: { ...lifetime, 'x-queue-type': 'quorum' } });
  await channel.assertQueue(name, {
    durable: true,
    arguments: {
      ...lifetime,
      'x-queue-type': 'quorum',
      // Dead-letters a message after this many deliveries that crashed its consumer.
      'x-delivery-limit': 50,
      'x-dead-letter-exchange': '',
      'x-dead-letter-routing-key': `${name}.dead`,
      // Required for dead letters to survive a broker restart.
      'x-dead-letter-strategy': 'at-least-once',
      'x-overflow': 'reject-publish',
    },
  });
  // On a new broker, a consumer may start before any publisher has declared the exchange.
  await channel.assertExchange(exchange, 'topic', { durable: true });
  for (const binding of bindings) await channel.bindQueue(name, exchange, binding);
}
