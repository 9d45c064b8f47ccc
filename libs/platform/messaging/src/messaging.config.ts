import { z } from 'zod';

/** Settings of every service that talks over the bus. */
export const messagingSettings = z.object({
  /** Unset: the bus of the local stack, in PostgreSQL. Production names a RabbitMQ here. */
  AMQP_URL: z
    .string()
    .regex(/^amqps?:\/\//, 'must be an amqp:// address')
    .optional(),
  /** Stands before the names of the exchange and of all queues: two systems can share one broker. */
  AMQP_PREFIX: z
    .string()
    .regex(/^[a-z0-9.-]*$/)
    .default(''),
  /**
   * For tests and previews: queues that nobody uses for so long are removed, with what is in them. Unset: never. All
   * services must say the same.
   */
  AMQP_QUEUE_EXPIRES_MS: z.coerce.number().int().min(60_000).optional(),
  /** Events that may wait in the outbox, broker down, before sends are refused with 503. */
  OUTBOX_MAX_BACKLOG: z.coerce.number().int().min(1_000).default(1_000_000),
});

export type MessagingSettings = z.output<typeof messagingSettings>;
