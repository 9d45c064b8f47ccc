import path from 'node:path';
import { databaseConfigSchema } from '@heliograph/database';
import { messagingConfigSchema } from '@heliograph/messaging';
import { personsConfig } from '@heliograph/tenancy';
import { loadConfig, serviceConfigSchema, whenValid } from '@heliograph/service-kit';
import { z } from 'zod';

const calls = (most: number) => z.coerce.number().int().min(0).default(most);
const address = () => z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ''));

export const botRuntimeConfigSchema = z
  .object({
    ...serviceConfigSchema.shape,
    ...databaseConfigSchema.shape,
    ...messagingConfigSchema.shape,
    ...personsConfig,
    PUBLIC_BASE_URL: address().meta({
      description: 'Base URL under which callers reach the services.',
      example: 'https://messaging.example.com',
      production: 'https',
    }),
    PUBLIC_BOTS_URL: address().optional().meta({
      description: 'Base URL of the hosted pages of bots.',
      example: 'https://bots.example.com',
      defaultsTo: 'PUBLIC_BASE_URL',
      production: 'https-if-set',
    }),
    BOT_WIDGET_DIR: z.string().default(path.join(__dirname, 'widget')).meta({
      description: 'Folder of the built widget.',
      form: 'a path',
      defaultsTo: 'the folder `widget` next to the program',
    }),
    BOT_STARTS_PER_5_MINUTES: calls(30).meta({
      description: 'New conversations per client address (IPv6: /64) and five minutes; 0 disables the limit.',
    }),
    BOT_MESSAGES_PER_MINUTE: calls(60).meta({
      description: 'Messages and forms per conversation and minute; 0 disables the limit.',
    }),
    BOT_MESSAGES_PER_MINUTE_PER_IP: calls(240).meta({
      description: 'Messages and forms per client address (IPv6: /64) and minute; 0 disables the limit.',
    }),
    BOT_CHANGES_PER_MINUTE: calls(60).meta({
      description: 'Ends, reopens and ratings per conversation and minute; 0 disables the limit.',
    }),
    BOT_CHANGES_PER_MINUTE_PER_IP: calls(240).meta({
      description: 'Ends, reopens and ratings per client address (IPv6: /64) and minute; 0 disables the limit.',
    }),
    BOT_READS_PER_MINUTE: calls(600).meta({
      description: 'Reads and new event streams per conversation and minute; 0 disables the limit.',
    }),
    BOT_READS_PER_MINUTE_PER_IP: calls(6_000).meta({
      description: 'Reads and new event streams per client address (IPv6: /64) and minute; 0 disables the limit.',
    }),
    BOT_MAX_STREAMS: z.coerce.number().int().min(1).default(20_000).meta({
      description:
        'Maximum number of open event streams per process, shared equally by organizations when all are in use.',
    }),
    BOT_MAX_STREAMS_PER_CONVERSATION: z.coerce
      .number()
      .int()
      .min(1)
      .default(8)
      .meta({ description: 'Maximum number of open event streams per conversation and process.' }),
    BOT_MAX_STREAMS_PER_IP: calls(500).meta({
      description:
        'Maximum number of open event streams per client address (IPv6: /64) and process; 0 disables the limit.',
    }),
    BOT_SEARCHES: z.coerce.number().int().min(2).max(100).default(5).meta({
      description:
        'Searches for answers that a process runs at the same time; organizations take turns. Each uses a connection.',
    }),
    BOT_RECORD_LANES: z.coerce
      .number()
      .int()
      .min(1)
      .max(16)
      .default(2)
      .meta({ description: 'Number of lanes that commit turns; a conversation always uses the same lane.' }),
    BOT_RETENTION_DAYS: z.coerce.number().int().min(1).default(365).meta({
      description: 'Conversations without a message for this time are deleted; form submissions are retained.',
    }),
    BOT_SUBMISSION_RETENTION_DAYS: z.coerce
      .number()
      .int()
      .min(1)
      .default(1_095)
      .meta({ description: 'Retention of form submissions in days.' }),
    BOT_CONTACT_RETENTION_DAYS: z.coerce.number().int().min(1).default(1_095).meta({
      description:
        'Contacts that have not changed for this time and have neither submissions nor conversations are deleted.',
    }),
    BOT_MODEL_URL: z
      .url({ protocol: /^https?$/ })
      .optional()
      .meta({
        description: 'URL of an OpenAI-compatible endpoint. Unset: no bot uses a language model.',
        example: 'https://models.example.com/v1',
      }),
    BOT_MODEL_KEY: z
      .string()
      .optional()
      .meta({ description: 'API key of the language model.', example: '$(cat model-key)', secret: true }),
    BOT_MODEL_NAME: z
      .string()
      .optional()
      .meta({ description: 'Name of the language model; required with BOT_MODEL_URL.', example: 'small-model' }),
    BOT_MODEL_TIMEOUT_MS: z.coerce
      .number()
      .int()
      .min(100)
      .default(20_000)
      .meta({ description: 'Timeout for the complete answer of the language model.' }),
    BOT_MODEL_FIRST_TOKEN_MS: z.coerce
      .number()
      .int()
      .min(100)
      .default(8_000)
      .meta({ description: 'Timeout for the first token of the answer.' }),
    BOT_MODEL_MAX_CALLS: z.coerce.number().int().min(1).default(16).meta({
      description: 'Maximum number of concurrent model calls per process; when it is reached, bots use their fallback.',
    }),
    BOT_MODEL_MAX_TOKENS: z.coerce
      .number()
      .int()
      .min(16)
      .default(400)
      .meta({ description: 'Maximum number of tokens per answer.' }),
    BOT_MODEL_DAILY_TOKENS: z.coerce.number().int().min(0).default(200_000).meta({
      description:
        'Token limit per bot and day (UTC), questions and answers together; when it is reached, the bot uses its fallback.',
    }),
  })
  .refine(({ BOT_MODEL_URL, BOT_MODEL_NAME }) => (BOT_MODEL_URL === undefined) === (BOT_MODEL_NAME === undefined), {
    path: ['BOT_MODEL_NAME'],
    message: 'must be set to the name of the model if BOT_MODEL_URL is set',
    when: whenValid('BOT_MODEL_URL', 'BOT_MODEL_NAME'),
  });

export type BotRuntimeConfig = z.output<typeof botRuntimeConfigSchema>;

export function loadBotRuntimeConfig(environment: Record<string, string | undefined>): BotRuntimeConfig {
  return loadConfig(botRuntimeConfigSchema, environment);
}
