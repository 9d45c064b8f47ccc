import path from 'node:path';
import { databaseSettings } from '@heliograph/database';
import { messagingSettings } from '@heliograph/messaging';
import { loadSettings, platformSettings } from '@heliograph/platform';
import { z } from 'zod';

const calls = (most: number) => z.coerce.number().int().min(0).default(most);
const address = () => z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ''));

const botRuntimeSettings = z
  .object({
    ...platformSettings.shape,
    ...databaseSettings.shape,
    ...messagingSettings.shape,
    PUBLIC_BASE_URL: address(),
    /** Where the hosted pages are. Left out: PUBLIC_BASE_URL. */
    PUBLIC_BOTS_URL: address().optional(),
    /** The folder of the built widget; beside the program unless told otherwise. */
    BOT_WIDGET_DIR: z.string().default(path.join(__dirname, 'widget')),
    /** Limits of the public endpoints; 0: none. */
    BOT_STARTS_PER_5_MINUTES: calls(30),
    BOT_MESSAGES_PER_MINUTE: calls(60),
    BOT_MESSAGES_PER_MINUTE_PER_IP: calls(240),
    /** Event streams that one process keeps open, and one conversation. */
    BOT_MAX_STREAMS: z.coerce.number().int().min(1).default(20_000),
    BOT_MAX_STREAMS_PER_CONVERSATION: z.coerce.number().int().min(1).default(8),
    /** Writers of turns; a conversation always has the same one. */
    BOT_RECORD_LANES: z.coerce.number().int().min(1).max(16).default(2),
    /** Conversations without a message for so long are dropped; what visitors left in forms stays. */
    BOT_RETENTION_DAYS: z.coerce.number().int().min(1).default(365),
    /** An OpenAI-compatible endpoint, such as https://models.example/v1. Without it no bot asks a model. */
    BOT_MODEL_URL: z.url({ protocol: /^https?$/ }).optional(),
    BOT_MODEL_KEY: z.string().optional(),
    BOT_MODEL_NAME: z.string().optional(),
    /** From the question to the last word of the answer. */
    BOT_MODEL_TIMEOUT_MS: z.coerce.number().int().min(100).default(20_000),
    /** From the question to the first word: a visitor waits no longer for nothing. */
    BOT_MODEL_FIRST_TOKEN_MS: z.coerce.number().int().min(100).default(8_000),
    /** Questions that one process asks at the same time; with more of them bots fall back. */
    BOT_MODEL_MAX_CALLS: z.coerce.number().int().min(1).default(16),
    /** Of one answer. */
    BOT_MODEL_MAX_TOKENS: z.coerce.number().int().min(16).default(400),
    /** Of one bot in a day (UTC), questions and answers together; past it the bot falls back. */
    BOT_MODEL_DAILY_TOKENS: z.coerce.number().int().min(0).default(200_000),
  })
  .refine(({ BOT_MODEL_URL, BOT_MODEL_NAME }) => (BOT_MODEL_URL === undefined) === (BOT_MODEL_NAME === undefined), {
    path: ['BOT_MODEL_NAME'],
    message: 'must be set together with BOT_MODEL_URL: it is the model to ask',
  });

export type BotRuntimeSettings = z.output<typeof botRuntimeSettings>;

export function loadBotRuntimeSettings(environment: Record<string, string | undefined>): BotRuntimeSettings {
  return loadSettings(botRuntimeSettings, environment);
}
