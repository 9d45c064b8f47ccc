import { z } from 'zod';

/** Configuration of every service that uses the bus. */
export const messagingConfigSchema = z.object({
  /** AMQP URL of RabbitMQ, required in production. Unset: the PostgreSQL bus of the local stack. */
  AMQP_URL: z
    .string()
    .regex(/^amqps?:\/\//, 'must be an amqp:// or amqps:// URL')
    .optional()
    .meta({ production: 'required' }),
  /** Prefix of the exchange and queue names, so that several systems can share one broker. */
  AMQP_PREFIX: z
    .string()
    .regex(/^[a-z0-9.-]*$/)
    .default(''),
  /**
   * For tests and previews: RabbitMQ deletes queues that are unused for this long, including their messages. Unset:
   * never. All services must have the same value.
   */
  AMQP_QUEUE_EXPIRES_MS: z.coerce.number().int().min(60_000).optional(),
  /**
   * A message or another job that is due and unfinished for this long is published again, in case the broker lost its
   * event; then after twice the time each.
   */
  REQUEUE_AFTER_MS: z.coerce.number().int().min(1_000).default(300_000),
  /** Maximum number of due events in the outbox. Above it, sends are rejected with 503. */
  OUTBOX_MAX_BACKLOG: z.coerce.number().int().min(1_000).default(1_000_000),
});

export type MessagingConfig = z.output<typeof messagingConfigSchema>;
