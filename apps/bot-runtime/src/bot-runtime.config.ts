import path from 'node:path';
import { databaseConfigSchema } from '@heliograph/database';
import { messagingConfigSchema } from '@heliograph/messaging';
import { personsConfig } from '@heliograph/tenancy';
import { loadConfig, serviceConfigSchema } from '@heliograph/service-kit';
import { z } from 'zod';

const calls = (most: number) => z.coerce.number().int().min(0).default(most);
const address = () => z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ''));

const schema = z
  .object({
    ...serviceConfigSchema.shape,
    ...databaseConfigSchema.shape,
    ...messagingConfigSchema.shape,
    ...personsConfig,
    PUBLIC_BASE_URL: address().meta({ production: 'https' }),
    /** Base URL of the hosted pages. The default is PUBLIC_BASE_URL. */
    PUBLIC_BOTS_URL: address().optional().meta({ production: 'https-if-set' }),
    /** Folder of the built widget. The default is the folder next to the program. */
    BOT_WIDGET_DIR: z.string().default(path.join(__dirname, 'widget')),
    /** Rate limits of the public endpoints; 0 disables a limit. */
    BOT_STARTS_PER_5_MINUTES: calls(30),
    BOT_MESSAGES_PER_MINUTE: calls(60),
    BOT_MESSAGES_PER_MINUTE_PER_IP: calls(240),
    BOT_CHANGES_PER_MINUTE: calls(60),
    BOT_CHANGES_PER_MINUTE_PER_IP: calls(240),
    BOT_READS_PER_MINUTE: calls(600),
    BOT_READS_PER_MINUTE_PER_IP: calls(6_000),
    /** Maximum number of open event streams per process and per conversation. */
    BOT_MAX_STREAMS: z.coerce.number().int().min(1).default(20_000),
    BOT_MAX_STREAMS_PER_CONVERSATION: z.coerce.number().int().min(1).default(8),
    /** Maximum number of open event streams per client address and process; 0 disables the limit. */
    BOT_MAX_STREAMS_PER_IP: calls(500),
    /** Searches for answers that a process runs at the same time; organizations take turns. Each uses a connection. */
    BOT_SEARCHES: z.coerce.number().int().min(2).max(100).default(5),
    /** Number of lanes that commit turns; a conversation always uses the same lane. */
    BOT_RECORD_LANES: z.coerce.number().int().min(1).max(16).default(2),
    /** Conversations without a message for this time are deleted; form submissions are retained. */
    BOT_RETENTION_DAYS: z.coerce.number().int().min(1).default(365),
    BOT_SUBMISSION_RETENTION_DAYS: z.coerce.number().int().min(1).default(1_095),
    /** Contacts that have not changed for this time and have neither submissions nor conversations are deleted. */
    BOT_CONTACT_RETENTION_DAYS: z.coerce.number().int().min(1).default(1_095),
    /**
     * URL of an OpenAI-compatible endpoint, such as https://models.example/v1. If it is not set, no bot uses a language
     * model.
     */
    BOT_MODEL_URL: z.url({ protocol: /^https?$/ }).optional(),
    BOT_MODEL_KEY: z.string().optional(),
    BOT_MODEL_NAME: z.string().optional(),
    /** Timeout for the complete answer of the language model. */
    BOT_MODEL_TIMEOUT_MS: z.coerce.number().int().min(100).default(20_000),
    /** Timeout for the first token of the answer. */
    BOT_MODEL_FIRST_TOKEN_MS: z.coerce.number().int().min(100).default(8_000),
    /** Maximum number of concurrent model calls per process; when it is reached, bots use their fallback. */
    BOT_MODEL_MAX_CALLS: z.coerce.number().int().min(1).default(16),
    /** Maximum number of tokens per answer. */
    BOT_MODEL_MAX_TOKENS: z.coerce.number().int().min(16).default(400),
    /**
     * Token limit per bot and day (UTC), questions and answers together; when it is reached, the bot uses its fallback.
     */
    BOT_MODEL_DAILY_TOKENS: z.coerce.number().int().min(0).default(200_000),
  })
  .refine(({ BOT_MODEL_URL, BOT_MODEL_NAME }) => (BOT_MODEL_URL === undefined) === (BOT_MODEL_NAME === undefined), {
    path: ['BOT_MODEL_NAME'],
    message: 'must be set to the name of the model if BOT_MODEL_URL is set',
  });

export type BotRuntimeConfig = z.output<typeof schema>;

export function loadBotRuntimeConfig(environment: Record<string, string | undefined>): BotRuntimeConfig {
  return loadConfig(schema, environment);
}
