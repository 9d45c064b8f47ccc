import type { ConfirmChannel } from 'amqplib';

/** Makes a queue, its dead-letter queue and its bindings, or finds them as they are: whoever asks must ask for the same. */
export async function declareQueue(
  channel: ConfirmChannel,
  exchange: string,
  name: string,
  bindings: readonly string[],
  expiresMs?: number,
): Promise<void> {
  const lifetime = expiresMs === undefined ? {} : { 'x-expires': expiresMs };
  // The dead-letter queue first: a queue must never point at nothing.
  await channel.assertQueue(`${name}.dead`, { durable: true, arguments: { ...lifetime, 'x-queue-type': 'quorum' } });
  await channel.assertQueue(name, {
    durable: true,
    arguments: {
      ...lifetime,
      'x-queue-type': 'quorum',
      // A message that kills its consumer comes back with every restart; after this many it is set aside.
      'x-delivery-limit': 50,
      'x-dead-letter-exchange': '',
      'x-dead-letter-routing-key': `${name}.dead`,
      // Dead-lettering survives a broker restart only with these two.
      'x-dead-letter-strategy': 'at-least-once',
      'x-overflow': 'reject-publish',
    },
  });
  // On a new broker the first queue may come before the first publisher.
  await channel.assertExchange(exchange, 'topic', { durable: true });
  for (const binding of bindings) await channel.bindQueue(name, exchange, binding);
}
