import { JOB_KINDS, type JobKind } from '@heliograph/contracts';
import { z } from 'zod';
import { DEFAULT_JOB_OPTIONS } from './jobs/job-feeder';

/** Configuration of every service that uses the bus. */
export const messagingConfigSchema = z.object({
  AMQP_URL: z
    .string()
    .regex(/^amqps?:\/\//, 'must be an amqp:// or amqps:// URL')
    .optional()
    .meta({
      description: 'RabbitMQ. Unset: the bus in PostgreSQL, which is for the local stack.',
      form: 'an amqp:// or amqps:// URL',
      example: 'amqp://heliograph:$(openssl rand -hex 32)@rabbitmq:5672',
      secret: true,
      production: 'required',
    }),
  AMQP_PREFIX: z
    .string()
    .regex(/^[a-z0-9.-]*$/)
    .default('')
    .meta({
      description: 'Prefix of the exchange and queue names, so that several systems can share one broker.',
      form: 'lower-case letters, digits, full stops and hyphens',
      example: 'staging.',
    }),
  AMQP_QUEUE_EXPIRES_MS: z.coerce.number().int().min(60_000).optional().meta({
    description:
      'For tests and previews: RabbitMQ deletes queues that are unused for this long, including their messages. Unset: never. All services must have the same value.',
    example: '180000',
  }),
  REQUEUE_AFTER_MS: z.coerce.number().int().min(1_000).default(300_000).meta({
    description:
      'A message or another job that is due and unfinished for this long is published again, in case the broker lost its event; then after twice the time each.',
  }),
  JOB_WEIGHTS: z.string().transform(readWeights).default(DEFAULT_JOB_OPTIONS.weights).meta({
    description:
      'How the kinds of jobs share the workers while jobs of all kinds wait: single messages such as one-time codes, messages of bulk calls, and messages of campaigns.',
    form: 'a weight from 1 to 1000 for each kind',
    example: 'single=16,bulk=4,campaign=1',
  }),
  JOB_WINDOW_MS: z.coerce.number().int().min(10).max(2_000).default(DEFAULT_JOB_OPTIONS.windowMs).meta({
    description: 'Only the jobs that the workers take in this time wait in the broker; the others wait in the outbox.',
  }),
  OUTBOX_MAX_BACKLOG: z.coerce
    .number()
    .int()
    .min(1_000)
    .default(1_000_000)
    .meta({ description: 'Maximum number of due events in the outbox. Above it, sends are rejected with 503.' }),
});

export type MessagingConfig = z.output<typeof messagingConfigSchema>;

/** Reads weights such as `single=16,bulk=4,campaign=1`. */
function readWeights(text: string, context: z.RefinementCtx): Record<JobKind, number> {
  const weights = new Map(text.split(',').map((entry) => entry.trim().split('=') as [string, string | undefined]));
  const isComplete = weights.size === JOB_KINDS.length && JOB_KINDS.every((kind) => isWeight(weights.get(kind)));
  if (!isComplete) {
    const message = `must have a weight from 1 to 1000 for each kind, such as ${JOB_KINDS.map((kind) => `${kind}=1`).join(',')}`;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  }
  return {
    single: Number(weights.get('single')),
    bulk: Number(weights.get('bulk')),
    campaign: Number(weights.get('campaign')),
  };
}

function isWeight(text: string | undefined): boolean {
  return text !== undefined && /^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= 1_000;
}
